#include "plan/adaptive.h"

#include "error.h"

namespace bmsim {

void check_adaptive(const Model& model) {
  const char* what = nullptr;
  if (model.is_system()) fail("run: method adaptive: it knows one coordinate; the model is a system");
  if (model.has_amplitude()) fail("run: method adaptive: it is for noise without an amplitude");
  if (!model.events().empty()) fail("run: method adaptive: it knows no events of the script");
  if (!model.walls().empty()) fail("run: method adaptive: it knows no walls");
  if (model.underdamped()) fail("run: method adaptive: the model is underdamped; it is for overdamped models");
  for (const Component& one : model.components()) {
    if (one.plugin->has(BM_INCREMENT)) what = "has increments of its own, of any size";
    if ((*one.plugin)->kind == BM_POTENTIAL && one.plugin->depends_on_time()) what = "depends on time";
    if (what != nullptr) fail("run: method adaptive: {} '{}' {}", one.plugin->full_name(), one.name, what);
  }
}

}  // namespace bmsim
