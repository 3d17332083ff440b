// Where method adaptive applies.
#pragma once
#include "model/model.h"

namespace bmsim {

/// Throws Error naming the component that prevents it.
void check_adaptive(const Model& model);

}  // namespace bmsim
