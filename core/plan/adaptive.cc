#include "plan/adaptive.h"

#include "error.h"

namespace bmsim {

void check_adaptive(const Model& model) {
  const char* reason = nullptr;
  if (model.is_system()) fail("run: method adaptive: it knows one coordinate; the model is a system");
  if (model.has_amplitude()) fail("run: method adaptive: it is for noise without an amplitude");
  if (!model.events().empty()) fail("run: method adaptive: it knows no events of the script");
  if (!model.walls().empty()) fail("run: method adaptive: it knows no walls");
  if (model.underdamped()) fail("run: method adaptive: the model is underdamped; it is for overdamped models");
  for (const Component& component : model.components()) {
    if (component.plugin->has(BM_INCREMENT)) reason = "has increments of its own, of any size";
    if ((*component.plugin)->kind == BM_POTENTIAL && component.plugin->depends_on_time()) reason = "depends on time";
    if (reason != nullptr)
      fail("run: method adaptive: {} '{}' {}", component.plugin->full_name(), component.name, reason);
  }
}

}  // namespace bmsim
