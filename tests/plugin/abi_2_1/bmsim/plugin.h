/* bmsim plugin ABI, version 2.1: how a noise, a potential or a drive is added to bmsim as one shared library.
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
 * 1. The descriptor is plain data: C types only, no pointer owned by the host, constant for the life of the process.
 * 2. The host checks magic, version, size and every field before it calls any function of the plugin.
 * 3. Host functions are called from one thread at a time, must not keep state, and must not let an exception out.
 * 4. Numbers on the host are double; on the device they are what the run asks for.
 * 5. All quantities are dimensionless, as in the model's scaled equation; `unit` says which dimension they stand for.
 */
#ifndef BMSIM_PLUGIN_H
#define BMSIM_PLUGIN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BM_HOST 1
#define BM_PLUGIN_MAGIC 0x4d534d42u /* "BMSM" */
#define BM_ABI_MAJOR 2
#define BM_ABI_MINOR 1

#ifdef __cplusplus
extern "C" {
#endif

/** What a plugin is. */
enum bm_kind { BM_NOISE = 1, BM_POTENTIAL = 2, BM_DRIVE = 3 };

/** What a plugin has. The device function each flag promises is given with it; S is the struct of the noise's states,
 *  empty where it has none, and P that of its values. The kernel names T in the call: drift<T>(state, p). u are
 *  independent uniform numbers on (0, 1), e independent unit exponentials; normal(u, e) makes a unit normal of both. */
enum bm_flag {
  BM_SMOOTH = 1 << 0, /**< potential: V' is continuous, so that moment-matched increments are exact to second order */
  BM_DRIFT = 1 << 1,  /**< noise, the force between events:
                           template <class T, class S, class P> BM_FN T drift(const S& state, const P& p) */
  BM_SIGMA = 1 << 2,  /**< noise, such that sigma dW is the white Gaussian part:
                           template <class T, class P> BM_FN T sigma(const P& p) */
  BM_EVENTS = 1 << 3, /**< noise, the time to the next event, and the event, which changes the state and returns the
                           jump (of x where overdamped, of the momentum m v where not):
                           template <class T, class S, class P> BM_FN T waiting(const S& state, const P& p, T e)
                           template <class T, class S, class P> BM_FN T event(S& state, const P& p, T e) */
  BM_START = 1 << 4,  /**< noise with state, the stationary law at t = 0:
                           template <class T, class S, class P> BM_FN void start(S& state, const P& p, T u, T e) */
  BM_EVOLVE = 1 << 5, /**< coloured noise, the exact change of its state over the time h (a plain number or a T). It has
                           a drift, and no events:
                           template <class T, class H, class S, class P>
                           BM_FN void evolve(S& state, const P& p, H h, T u, T e)
                           It acts as the mean of its drifts at both ends of a step; or see BM_AVERAGE */
  BM_INCREMENT = 1 << 6, /**< noise whose increment over the time h has a law of its own; it is added as a jump is:
                              template <class T, class H, class P> BM_FN T increment(const P& p, H h, T u, T e) */
  BM_MODULATES = 1 << 7, /**< noise that is its drift, with events that jump nowhere, so that it may modulate the
                              potential instead: V(x) (1 + drift) */
  BM_AVERAGE = 1 << 8,   /**< with BM_EVOLVE, whose function then returns the mean of the drift over h, a T, drawn with
                            the   state by their joint law; sqrt(e + e) * sin2pi(u) is a second unit normal. ABI 2.1 */
  BM_EDGES = 1 << 9      /**< drive that jumps: its force is asked for as the mean over phases from phase - width/2 to
                              phase + width/2; width is that of a step, 0 on the host. ABI 2.1:
                              template <class T, class H, class P> BM_FN T force(T phase, H width, const P& p) */
};

enum bm_bound { BM_LOWER_OPEN = 1 << 0, BM_UPPER_OPEN = 1 << 1 };

/** A number that scripts give by name. */
typedef struct bm_parameter {
  const char* name;    /**< identifier in scripts and column names, unique in the plugin: letters, digits, '_' */
  const char* symbol;  /**< as a formula writes it, e.g. "D_P" */
  const char* unit;    /**< dimension in words, e.g. "length^2/time"; "" for a pure number */
  const char* doc;     /**< one line */
  double value;        /**< default, inside the bounds */
  double lower, upper; /**< bounds, +-INFINITY for none; checked on given and on derived values */
  uint32_t bound;      /**< BM_LOWER_OPEN | BM_UPPER_OPEN: the bound itself is not allowed */
  uint32_t slot;       /**< index into the values that host functions get */
  const char* choices; /**< null; or the words, separated by spaces, that scripts choose one of: the value is its index,
                            a compile-time constant on the device, and cannot be swept */
} bm_parameter;

/** A list of numbers that scripts give by name, e.g. nodes = { 0, 0.3, 1 }. Lists are not swept. */
typedef struct bm_list {
  const char* name;
  const char* symbol;
  const char* unit;
  const char* doc;
  uint32_t least, most; /**< bounds of its length; least = 0: it may be left out */
} bm_list;

/** Numbers of a list or an array. On the device an array is a member of P with the same [] and count. */
typedef struct bm_numbers {
  const double* data;
  uint32_t count;
#ifdef __cplusplus
  double operator[](uint32_t i) const { return data[i]; }
#endif
} bm_numbers;

/** An array computed for the device, whose length is known when the kernel is compiled. */
typedef struct bm_array {
  const char* name;
  uint32_t gathered; /**< 0: short, read at fixed places in an unrolled loop; 1: read with gather(p.name, index) */
} bm_array;

/** What derive is told. */
typedef struct bm_context {
  uint32_t which;          /**< index of the parametrisation */
  double gamma;            /**< friction of the model, 1 where it is overdamped */
  double mass;             /**< 0 where it is overdamped */
  const bm_numbers* lists; /**< as given, in the order of the descriptor; count 0 for one left out */
  char* message;           /**< for BM_REFUSE */
  size_t capacity;
} bm_context;

/** A number computed by derive for the device, which scripts do not see. */
typedef struct bm_constant {
  const char* name;
  uint32_t slot;
} bm_constant;

/** One set of linked parameters that determines all the linked ones. Parameters in no set are independent. */
typedef struct bm_parametrisation {
  const char* names; /**< space-separated, e.g. "lambda zeta" */
  const char* doc;   /**< how the others follow */
} bm_parametrisation;

/** Piece of a piecewise-linear potential on [left, right), in units of the period; slope of V in x (force = -slope). */
typedef struct bm_segment {
  double left, right, slope;
} bm_segment;

typedef struct bm_plugin {
  uint32_t magic;        /**< BM_PLUGIN_MAGIC */
  uint16_t abi_major;    /**< BM_ABI_MAJOR: must be equal to the host's */
  uint16_t abi_minor;    /**< BM_ABI_MINOR: must not be newer than the host's */
  uint32_t size;         /**< sizeof(bm_plugin) */
  uint32_t kind;         /**< one of bm_kind */
  uint32_t value_count;  /**< number of values: parameters and constants together, one slot each */
  uint32_t flags;        /**< of bm_flag */
  const char* id;        /**< identifier: bm.noise.ID in scripts; unique within the kind */
  const char* version;   /**< of the plugin, e.g. "1.0" */
  const char* summary;   /**< one line */
  const char* equation;  /**< the definition, in plain text */
  const char* reference; /**< where it comes from: DOI or citation; "" if none */
  const bm_parameter* parameters;
  uint32_t parameter_count;
  const bm_constant* constants;
  uint32_t constant_count;
  const bm_parametrisation* parametrisations; /**< the first one that contains all the names given is taken */
  uint32_t parametrisation_count;
  const char* const* states; /**< names of the per-trajectory variables of type T (noises only) */
  uint32_t state_count;

  const bm_list* lists;
  uint32_t list_count;
  const bm_array* arrays;
  uint32_t array_count;

  /** Fills every parameter and constant from those of the parametrisation context->which (and the independent ones),
   *  which are set in `values` on entry, and checks the lists. Returns 0; or not 0, with the reason in words,
   *  zero-terminated, in context->message. May be null where there is nothing to derive or check. */
  int (*derive)(const bm_context* context, double* values);
  /** Writes at most `capacity` numbers of array number `index` and returns how many it has. Called after derive. */
  uint32_t (*array)(const bm_context* context, const double* values, uint32_t index, double* out, uint32_t capacity);
  /** The characteristic time, > 0, or INFINITY for none. Null: none. A drive's is its period, and must be given. */
  double (*time_scale)(const double* values);
  /** Potentials: the period L > 0, or 0 for one that is not periodic with its choices. Null: not periodic. */
  double (*period)(const double* values);
  /** Potentials that are piecewise linear: writes at most `capacity` segments that tile one period and returns how many
   *  there are. Null: not piecewise linear. */
  uint32_t (*segments)(const double* values, const bm_numbers* arrays, bm_segment* out, uint32_t capacity);
  /** Noises: the stationary mean of the noise as a force, and its intensity D, half the integral of its
   *  autocorrelation: the variance of its time integral grows as 2 D t. NAN: does not exist. What `bmsim plugin check`
   *  holds its simulation to. Null where the kind has none. */
  double (*mean)(const double* values);
  double (*intensity)(const double* values);
  /** Host instances of the device text, in double, for tests and plots. Null where the kind has none.
   *  potential: V and -V' at u = x/L (u = x where there is no period); drive: force at phase in turns. */
  double (*energy)(double u, const double* values, const bm_numbers* arrays);
  double (*force)(double u, const double* values, const bm_numbers* arrays);

  const char* source;      /**< the text of the whole file, see BM_PLUGIN */
  const char* source_file; /**< its name, for messages */
} bm_plugin;

/** The one exported symbol of a plugin library. */
#define BM_PLUGIN_SYMBOL "bm_plugin_descriptor"

#ifdef __cplusplus
} /* extern "C" */
#endif

/* ---- for plugin authors (C++) ---------------------------------------------------------------------------------------
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
#if defined(__cplusplus) && !defined(BM_ABI_ONLY)
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

#endif /* plugin authors */
#endif
