#include "formula/functions.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernels/abi.h"

namespace bmsim::formula {
namespace {

constexpr Function table[] = {
    {"sin", 1, [](const double* a) { return std::sin(a[0]); }, false, false, false},
    {"cos", 1, [](const double* a) { return std::cos(a[0]); }, false, false, false},
    {"tan", 1, [](const double* a) { return std::tan(a[0]); }, false, false, false},
    {"sinh", 1, [](const double* a) { return std::sinh(a[0]); }, false, false, false},
    {"cosh", 1, [](const double* a) { return std::cosh(a[0]); }, false, false, false},
    {"tanh", 1, [](const double* a) { return std::tanh(a[0]); }, false, false, false},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }, false, false, false},
    {"log", 1, [](const double* a) { return std::log(a[0]); }, false, false, false},
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }, false, false, false},
    {"abs", 1, [](const double* a) { return std::fabs(a[0]); }, false, true, false},
    {"sign", 1, [](const double* a) { return static_cast<double>((a[0] > 0) - (a[0] < 0)); }, false, true, true},
    {"min", 2, [](const double* a) { return a[0] < a[1] ? a[0] : a[1]; }, false, true, false},
    {"max", 2, [](const double* a) { return a[0] > a[1] ? a[0] : a[1]; }, false, true, false},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }, false, true, true},
    {"pow", 2, [](const double* a) { return std::pow(a[0], a[1]); }, false, false, false},
    {"atan2", 2, [](const double* a) { return std::atan2(a[0], a[1]); }, false, true, false},
    {"mod", 2, [](const double* a) { return a[0] - a[1] * std::floor(a[0] / a[1]); }, false, true, true},
    {"if", 3, [](const double* a) { return a[0] != 0 ? a[1] : a[2]; }, false, true, true},
    {"select", 4, [](const double* a) { return a[0] < a[1] ? a[2] : a[3]; }, true, true, true},
};

// Devices know functions by their indices in the table.
constexpr bool indexed_as_on_devices() {
#define BM_NAME(name) #name,
  constexpr std::string_view names[] = {BM_FORMULA_FUNCTIONS(BM_NAME)};
#undef BM_NAME
  for (size_t i = 0; i < std::size(table); ++i)
    if (table[i].name != names[i]) return false;
  return std::size(table) == bmsim_abi::formula_functions;
}
static_assert(indexed_as_on_devices());

}  // namespace

std::span<const Function> functions() { return table; }

const Function* find_function(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Function::name);
  return found == std::end(table) ? nullptr : found;
}

}  // namespace bmsim::formula
