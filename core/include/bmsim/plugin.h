/* The kit for authors of plugins, in C++20, on top of the plain C of plugin_abi.h. With it a noise, a potential or a
 * drive is added to bmsim as one shared library.
 *
 * A plugin is one source file, which is compiled twice: by the host compiler into a shared library that exports one
 * constant descriptor; and at run time by the compiler of the back end, fused with the rest of the model into one
 * kernel. The file therefore has two parts:
 *
 *   #include <bmsim/plugin.h>
 *   ... device text: templates over a value type T, in the dialect below ...
 *   #ifdef BM_HOST
 *   ... struct Values, the lists of its members, the descriptor ...
 *   #endif
 *
 * plugin_abi.h documents every field of the descriptor and gives its rules.
 *
 * Device functions are templates marked BM_FN, found by their names. T is a group of SIMD lanes, the number of one GPU
 * thread or a product of two, double on the host, or a dual number of these: a value and its derivative. P has one
 * member per value, S one per state variable:
 *
 *   potential   template <class T, class P> BM_FN T force(T u, const P& p)      -V'(x), x = u L
 *               template <class T, class P> BM_FN T energy(T u, const P& p)      V(x)
 *               of a periodic potential u is near [-1/2, 1/2), perhaps a few periods outside: fold it where needed
 *               of several variables: see BM_SEVERAL
 *   drive       template <class T, class P> BM_FN T force(T phase, const P& p)   phase = t / period, in turns
 *   noise       see bm_flag
 *
 *   arrays      p.name[i] and p.name.count (uint32_t) in a loop marked BM_UNROLL; gather(p.name, i), i a whole T
 *
 * The dialect: + - * / and comparisons between T, and between T and plain numbers; select(mask, a, b), any(mask),
 * fma(a, b, c), rint, floor, sqrt, exp, log, sin2pi(x) = sin(2 pi x), cos2pi, absolute, minimum, maximum, copysign,
 * normal(u, e), normal_quantile(u). The compiler contracts nothing: write fma for a b + c with one rounding. (A
 * product that a potential's force returns is added to other forces with one rounding, on a GPU.)
 */
#ifndef BMSIM_PLUGIN_H
#define BMSIM_PLUGIN_H

#include <bmsim/plugin_abi.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BM_HOST 1
#define BM_FN inline
inline double select(bool mask, double a, double b) { return mask ? a : b; }
inline bool any(bool mask) { return mask; }
inline double sin2pi(double x) { return sin(6.283185307179586476925 * (x - rint(x))); }
inline double cos2pi(double x) { return cos(6.283185307179586476925 * (x - rint(x))); }
inline double absolute(double x) { return fabs(x); }
inline double minimum(double a, double b) { return a < b ? a : b; }
inline double maximum(double a, double b) { return a > b ? a : b; }
inline double normal(double u, double e) { return sqrt(2 * e) * cos2pi(u); }
inline double normal_quantile(double u) { /* Abramowitz and Stegun 26.2.23, then two Halley steps */
  const double tail = minimum(u, 1 - u), s = sqrt(-2 * log(tail));
  double x = s - (2.515517 + s * (0.802853 + s * 0.010328)) / (1 + s * (1.432788 + s * (0.189269 + s * 0.001308)));
  for (int step = 0; step < 2; ++step) {
    const double off = (erfc(x * 0.707106781186547524401) / 2 - tail) * 2.506628274631000502 * exp(x * x / 2);
    x += off / (1 - x * off / 2);
  }
  return copysign(x, u - 0.5);
}
inline double gather(bm_numbers a, double index) { return a.data[(size_t)index]; }
#define BM_UNROLL
/* Bounds of a parameter: lower, upper, flags. BETWEEN is open, WITHIN closed, ABOVE_TO open below and closed above. */
#define BM_ANY -INFINITY, INFINITY, 0
#define BM_POSITIVE 0, INFINITY, BM_LOWER_OPEN
#define BM_NOT_NEGATIVE 0, INFINITY, 0
#define BM_BETWEEN(a, b) a, b, BM_LOWER_OPEN | BM_UPPER_OPEN
#define BM_WITHIN(a, b) a, b, 0
#define BM_ABOVE_TO(a, b) a, b, BM_LOWER_OPEN

/** A parameter that is member `name` of the plugin's `struct Values` (doubles only). */
#define BM_PARAMETER(name, symbol, unit, value, bounds, doc) \
  { #name, symbol, unit, doc, value, bounds, offsetof(Values, name) / sizeof(double), nullptr }
/** A member that is one of several words, the first being the default. */
#define BM_CHOICE(name, words, doc) \
  { #name, #name, "", doc, 0, BM_NOT_NEGATIVE, offsetof(Values, name) / sizeof(double), words }

/** The values that a host function gets, by name. Where there are none, it gets no place of theirs. */
template <class Values> Values& bm_values(double* values) {
  if constexpr (__is_empty(Values)) {
    static Values none;
    return none;
  } else {
    return *reinterpret_cast<Values*>(values);
  }
}
template <class Values> const Values& bm_values(const double* values) {
  return bm_values<Values>(const_cast<double*>(values));
}
/** A host function as a formula of the values v: .mean = BM_VALUE(v.a + v.bias). */
#define BM_VALUE(...)                                             \
  [](const double* values) -> double {                            \
    [[maybe_unused]] const Values& v = bm_values<Values>(values); \
    return __VA_ARGS__;                                           \
  }

/** The same of a state of a bm_chain, and of two: BM_OF_STATE(state == 0 ? -v.F : v.F). */
#define BM_OF_STATE(...)                                                \
  [](const double* values, [[maybe_unused]] uint32_t state) -> double { \
    [[maybe_unused]] const Values& v = bm_values<Values>(values);       \
    return __VA_ARGS__;                                                 \
  }
#define BM_OF_STATES(...)                                                                               \
  [](const double* values, [[maybe_unused]] uint32_t state, [[maybe_unused]] uint32_t then) -> double { \
    [[maybe_unused]] const Values& v = bm_values<Values>(values);                                       \
    return __VA_ARGS__;                                                                                 \
  }

/* Linked parameters and constants as tables, from which derive is made:
 *
 *   constexpr bm_table parametrisations = {
 *       BM_GIVEN("D tau", "sigma = sqrt(D/tau)", v.sigma = sqrt(v.D / v.tau)),
 *       BM_GIVEN("sigma tau", "D = sigma^2 tau", v.D = v.sigma * v.sigma * v.tau),
 *   };
 *   constexpr bm_table constants = {BM_CONSTANT(rate, 1 / v.tau)};
 *   ... BM_LIST(parametrisation), BM_LIST(constant), .derive = BM_DERIVE(parametrisations, constants) ...
 *
 * Formulas see the values as v, and derive's context. They are evaluated in the order of the table. */

/** One parametrisation: the parameters given, a text for the documentation, and assignments to the other linked
 *  parameters, separated by commas. */
#define BM_GIVEN(names, doc, ...) \
  bm_row<bm_parametrisation, Values> { {names, doc}, BM_FILL(__VA_ARGS__) }
/** A member that is computed for the device, with its formula. Without a formula the author writes derive. */
#define BM_CONSTANT(name, ...)                                                                    \
  bm_row<bm_constant, Values> {                                                                   \
    {#name, offsetof(Values, name) / sizeof(double)}, BM_FILL(__VA_OPT__(v.name = (__VA_ARGS__))) \
  }
/** A derive of several steps, which ends at the first that refuses. A step is
 *  - the table of parametrisations: the row of the parameters that the script gives;
 *  - the table of constants;
 *  - a function int check(const bm_context* context, const Values& v) that returns 0 or BM_REFUSE(...). */
#define BM_DERIVE(...)                                                 \
  [](const bm_context* context, double* values) -> int {               \
    return bm_derive(context, bm_values<Values>(values), __VA_ARGS__); \
  }
/** Refuses the values, in a check or in a derive: return BM_REFUSE("width must be less than %g", v.period). */
#define BM_REFUSE(...) (snprintf(context->message, context->capacity, __VA_ARGS__), 1)

#define BM_FILL(...) []([[maybe_unused]] const bm_context* context, [[maybe_unused]] Values& v) { __VA_ARGS__; }
template <class Entry, class Values> struct bm_row : Entry { void (*fill)(const bm_context* context, Values& v); };
template <class Entry, class Values, size_t n> struct bm_table {
  Entry entries[n];
  void (*fills[n])(const bm_context* context, Values& v);
  template <class... Rows> constexpr bm_table(const Rows&... rows) : entries{rows...}, fills{rows.fill...} {}
};
template <class Entry, class Values, class... Rows>
bm_table(bm_row<Entry, Values>, Rows...) -> bm_table<Entry, Values, 1 + sizeof...(Rows)>;
template <class Entry, size_t n> constexpr const auto& bm_entries(const Entry (&list)[n]) { return list; }
template <class Entry, class Values, size_t n>
constexpr const auto& bm_entries(const bm_table<Entry, Values, n>& table) {
  return table.entries;
}

template <class Values, size_t n>
int bm_step(const bm_context* context, Values& v, const bm_table<bm_parametrisation, Values, n>& table) {
  table.fills[context->which](context, v);
  return 0;
}
template <class Values, size_t n>
int bm_step(const bm_context* context, Values& v, const bm_table<bm_constant, Values, n>& table) {
  for (const auto fill : table.fills) fill(context, v);
  return 0;
}
template <class Values> int bm_step(const bm_context* context, Values& v, int check(const bm_context*, const Values&)) {
  return check(context, v);
}
template <class Values, class... Steps> int bm_derive(const bm_context* context, Values& v, const Steps&... steps) {
  return (bm_step(context, v, steps) || ...) ? 1 : 0;
}

/** P on the host: values and arrays. Arrays has one bm_numbers per array, in the order of the descriptor. */
struct bm_no_arrays {};
template <class Values, class Arrays> struct bm_all : Values, Arrays {};
template <class Values, class Arrays = bm_no_arrays>
bm_all<Values, Arrays> bm_host(const double* values, const bm_numbers* arrays) {
  bm_all<Values, Arrays> all;
  static_cast<Values&>(all) = bm_values<Values>(values);
  if constexpr (sizeof(Arrays) >= sizeof(bm_numbers))
    static_cast<Arrays&>(all) = *reinterpret_cast<const Arrays*>(arrays);
  return all;
}
/** Defines energy_at and force_at, the device functions on the host, for the descriptor: BM_HOST_POTENTIAL(Values) or
 *  BM_HOST_POTENTIAL(Values, Arrays). Of a drive BM_HOST_FORCE(Values) defines force_at. */
#define BM_HOST_FORCE(...)                                                    \
  double force_at(double u, const double* values, const bm_numbers* arrays) { \
    return force<double>(u, bm_host<__VA_ARGS__>(values, arrays));            \
  }
/** force_at of a drive with BM_EDGES; the width of a step is 0 on the host. */
#define BM_HOST_EDGES(...)                                                    \
  double force_at(double u, const double* values, const bm_numbers* arrays) { \
    return force<double>(u, 0.0, bm_host<__VA_ARGS__>(values, arrays));       \
  }
#define BM_HOST_POTENTIAL(...)                                                 \
  double energy_at(double u, const double* values, const bm_numbers* arrays) { \
    return energy<double>(u, bm_host<__VA_ARGS__>(values, arrays));            \
  }                                                                            \
  BM_HOST_FORCE(__VA_ARGS__)

/** Defines energy_of and force_of of a potential of n variables: BM_HOST_SEVERAL(n, Values), or with Arrays. */
#define BM_HOST_SEVERAL(n, ...)                                                                            \
  double energy_of(const double* x, const double* values, const bm_numbers* arrays) {                      \
    return energy<double>(*reinterpret_cast<const double(*)[n]>(x), bm_host<__VA_ARGS__>(values, arrays)); \
  }                                                                                                        \
  void force_of(const double* x, const double* values, const bm_numbers* arrays, double* f) {              \
    force<double>(*reinterpret_cast<const double(*)[n]>(x), bm_host<__VA_ARGS__>(values, arrays),          \
                  *reinterpret_cast<double(*)[n]>(f));                                                     \
  }

/* The descriptor: BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values), .flags = ..., BM_LIST(parameter), ..., BM_SOURCE}; */
#define BM_HEADER(kind_, Values)                                                                             \
  .magic = BM_PLUGIN_MAGIC, .abi_major = BM_ABI_MAJOR, .abi_minor = BM_ABI_MINOR, .size = sizeof(bm_plugin), \
  .kind = (kind_), .value_count = sizeof(Values) / sizeof(double)
#define BM_LIST(name) \
  .name##s = bm_entries(name##s), .name##_count = sizeof(bm_entries(name##s)) / sizeof(bm_entries(name##s)[0])
#define BM_SOURCE .source = bm_plugin_source, .source_file = __FILE_NAME__

/* The assembler copies the plugin's text into the library. */
#define BM_PLUGIN                                                                         \
  _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") __asm__(             \
      ".pushsection .rodata\n.hidden bm_plugin_source\n.globl bm_plugin_source\n"         \
      "bm_plugin_source:\n.incbin \"" __FILE__ "\"\n.byte 0\n.popsection\n");             \
  extern "C" __attribute__((visibility("hidden"))) const char bm_plugin_source[];         \
  extern "C" __attribute__((visibility("default"))) const bm_plugin bm_plugin_descriptor; \
  const bm_plugin bm_plugin_descriptor

#endif
