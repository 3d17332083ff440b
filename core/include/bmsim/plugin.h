/* The kit for authors of plugins, C++20, over the plain ABI in plugin_abi.h: how a noise, a potential or a drive is
 * added to bmsim as one shared library.
 *
 * A plugin is one source file. It is compiled twice: by the host compiler into the shared library that exports one
 * constant descriptor, and by the back end's compiler at run time, fused with the rest of the model into one kernel.
 * The file therefore has two parts:
 *
 *   #include <bmsim/plugin.h>
 *   ... device text: templates over a value type T, in the dialect below ...
 *   #ifdef BM_HOST
 *   ... the descriptor and the host functions it names ...
 *   #endif
 *
 * plugin_abi.h has the rules for the descriptor and documents every field.
 *
 * Device functions, all found by plain name, each a one-line template marked BM_FN; T is a group of SIMD lanes, a GPU
 * thread's number, or double on the host; P and S have one member per value and per state variable:
 *
 *   potential   template <class T, class P> BM_FN T force(T u, const P& p)      -V'(x), x = u L
 *               template <class T, class P> BM_FN T energy(T u, const P& p)      V(x)
 *               u is near [-1/2, 1/2) for periodic potentials but may lie a few periods outside: fold it yourself
 *   drive       template <class T, class P> BM_FN T force(T phase, const P& p)   phase = t / period, in turns
 *   noise       see bm_flag
 *
 *   arrays      p.name[i] and p.name.count (uint32_t) in a loop marked BM_UNROLL; gather(p.name, whole number as a T)
 *
 * The dialect: + - * / and comparisons between T, and between T and plain numbers; select(mask, a, b), any(mask),
 * fma(a, b, c), rint, floor, sqrt, exp, log, sin2pi(x) = sin(2 pi x), cos2pi, absolute, minimum, maximum, copysign,
 * normal(u, e), normal_quantile(u). Nothing is contracted for you: write fma where you want one.
 */
#ifndef BMSIM_PLUGIN_H
#define BMSIM_PLUGIN_H

#include <bmsim/plugin_abi.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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
inline double normal_quantile(double u) { /* Abramowitz and Stegun 26.2.23, and two steps of Halley's method */
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
/* Bounds of a parameter: lower, upper, flags. */
#define BM_ANY -INFINITY, INFINITY, 0
#define BM_POSITIVE 0, INFINITY, BM_LOWER_OPEN
#define BM_NOT_NEGATIVE 0, INFINITY, 0
#define BM_BETWEEN(a, b) a, b, BM_LOWER_OPEN | BM_UPPER_OPEN
#define BM_WITHIN(a, b) a, b, 0

/** A parameter that is member `name` of the plugin's `struct Values` (doubles only). */
#define BM_PARAMETER(name, symbol, unit, value, bounds, doc) \
  { #name, symbol, unit, doc, value, bounds, offsetof(Values, name) / sizeof(double), nullptr }
/** A member that is one of several words, the first being the default. */
#define BM_CHOICE(name, words, doc) \
  { #name, #name, "", doc, 0, BM_NOT_NEGATIVE, offsetof(Values, name) / sizeof(double), words }
#define BM_CONSTANT(name) \
  { #name, offsetof(Values, name) / sizeof(double) }

/** Says no in derive: prints the reason into message and returns 1. */
#define BM_REFUSE(...) (snprintf(context->message, context->capacity, __VA_ARGS__), 1)

/** The values that a host function gets, by name. */
template <class Values> Values& bm_values(double* values) { return *reinterpret_cast<Values*>(values); }
template <class Values> const Values& bm_values(const double* values) {
  return *reinterpret_cast<const Values*>(values);
}

/** Values and arrays together: P on the host. Arrays has one bm_numbers per array, in the order of the descriptor. */
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
/** Defines energy_at and force_at (of a drive: force_at only), the host instances for the descriptor:
 *  BM_HOST_POTENTIAL(Values) or BM_HOST_POTENTIAL(Values, Arrays). */
#define BM_HOST_FORCE(...)                                                    \
  double force_at(double u, const double* values, const bm_numbers* arrays) { \
    return force<double>(u, bm_host<__VA_ARGS__>(values, arrays));            \
  }
#define BM_HOST_POTENTIAL(...)                                                 \
  double energy_at(double u, const double* values, const bm_numbers* arrays) { \
    return energy<double>(u, bm_host<__VA_ARGS__>(values, arrays));            \
  }                                                                            \
  BM_HOST_FORCE(__VA_ARGS__)

/* The descriptor: BM_PLUGIN = {BM_HEADER(BM_POTENTIAL, Values), .flags = ..., BM_LIST(parameter), ..., BM_SOURCE}; */
#define BM_HEADER(kind_, Values)                                                                             \
  .magic = BM_PLUGIN_MAGIC, .abi_major = BM_ABI_MAJOR, .abi_minor = BM_ABI_MINOR, .size = sizeof(bm_plugin), \
  .kind = (kind_), .value_count = sizeof(Values) / sizeof(double)
#define BM_LIST(name) .name##s = name##s, .name##_count = sizeof(name##s) / sizeof(name##s[0])
#define BM_SOURCE .source = bm_plugin_source, .source_file = __FILE_NAME__

/* The plugin carries its own text: the assembler copies the file into the library. */
#define BM_PLUGIN                                                                         \
  _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") __asm__(             \
      ".pushsection .rodata\n.hidden bm_plugin_source\n.globl bm_plugin_source\n"         \
      "bm_plugin_source:\n.incbin \"" __FILE__ "\"\n.byte 0\n.popsection\n");             \
  extern "C" __attribute__((visibility("hidden"))) const char bm_plugin_source[];         \
  extern "C" __attribute__((visibility("default"))) const bm_plugin bm_plugin_descriptor; \
  const bm_plugin bm_plugin_descriptor

#endif
