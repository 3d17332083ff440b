// Models of every kind that kernels know, for tests of what must not change a result.
#pragma once
#include <vector>

#include "systems.h"

namespace bmsim::test {

struct Case {
  const char* name;
  Model model;
  const char* method;
  bool random_phases = false;
};

std::vector<Case> cases();

}  // namespace bmsim::test
