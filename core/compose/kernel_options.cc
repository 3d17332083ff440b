#include "compose/kernel_options.h"

#include <algorithm>
#include <array>
#include <string>

#include "error.h"
#include "nearest_name.h"

namespace bmsim {

namespace {

struct Named {
  std::string_view name, macro;  // methods.h in kernels/ defines the macros
};
constexpr std::array<Named, 2> precisions = {{{"single", ""}, {"double", ""}}};
constexpr std::array<Named, 8> methods = {{{"heun", "BM_HEUN"},
                                           {"platen", "BM_PLATEN"},
                                           {"euler", "BM_EULER"},
                                           {"paper", "BM_PAPER"},
                                           {"aboba", "BM_ABOBA"},
                                           {"exact", "BM_EXACT"},
                                           {"adaptive", "BM_ADAPTIVE"},
                                           {"exact", "BM_WALK"}}};
constexpr std::array<Named, 5> laws = {{{"none", "BM_NO_INCREMENTS"},
                                        {"five_point", "BM_FIVE_POINT"},
                                        {"three_point", "BM_THREE_POINT"},
                                        {"near_gaussian", "BM_NEAR_GAUSSIAN"},
                                        {"gaussian", "BM_GAUSSIAN"}}};

template <class Names> size_t index_of(const Names& names, std::string_view name, std::string_view what, size_t first) {
  std::vector<std::string> known = {"auto"};
  for (size_t i = first; i < names.size(); ++i) {
    if (names[i].name == name) return i;
    if (std::ranges::find(known, names[i].name) == known.end()) known.emplace_back(names[i].name);
  }
  fail("run: unknown {} '{}'{}", what, name, suggestion(name, known));
}

}  // namespace

std::string_view method_name(Method method) { return methods[static_cast<size_t>(method)].name; }
std::string_view increments_name(Increments increments) { return laws[static_cast<size_t>(increments)].name; }
std::string_view method_macro(Method method) { return methods[static_cast<size_t>(method)].macro; }
std::string_view increments_macro(Increments increments) { return laws[static_cast<size_t>(increments)].macro; }
Method method_of(std::string_view name) { return static_cast<Method>(index_of(methods, name, "method", 0)); }
Increments increments_of(std::string_view name) {
  return static_cast<Increments>(index_of(laws, name, "increments", 1));
}
Precision precision_of(std::string_view name) {
  return static_cast<Precision>(index_of(precisions, name, "precision", 0));
}
const char* precision_name(Precision precision) { return precisions[static_cast<size_t>(precision)].name.data(); }

}  // namespace bmsim
