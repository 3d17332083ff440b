// A build without libedit.
#include "lines.h"

namespace bmsim::app {

std::unique_ptr<Editor> new_editor(Completer) { return nullptr; }

}  // namespace bmsim::app
