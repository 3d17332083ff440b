/* bmsim plugin ABI, version 2.3: the boundary between bmsim and a plugin, which is a noise, a potential or a drive in a
 * shared library. Plain C. A plugin in C++ includes bmsim/plugin.h, which adds the author's kit.
 *
 * 1. A library exports one constant descriptor, `const bm_plugin bm_plugin_descriptor`. It is plain data: C types only,
 * no pointer owned by the host, constant for the life of the process.
 * 2. The host checks magic, version, size and every field before it calls any function of the plugin.
 * 3. Host functions keep no state, and may be called from several threads at once. No exception leaves them.
 * 4. Numbers on the host are double; on the device they are what the run asks for.
 * 5. All quantities are dimensionless, as in the model's scaled equation; `unit` says which dimension they stand for.
 *
 * How it grows. From 2.2 on a plugin loads in every host of the same major version, older or newer:
 *
 * 6. bm_plugin grows at its end, with the minor version. The host reads the fields that `size` covers and takes the
 * others for null; fields of a newer plugin that it does not know it does not read. Fields at the end may therefore be
 * left out.
 * 7. The structs in lists and bm_context do not change within a major version. Everything else that a plugin has to
 * offer goes through `extension`, under a name that the host may ask for.
 * 8. A feature that the host must know in order to run a plugin has a flag or a kind of its own, and an unknown flag or
 * kind is an error. So a newer plugin runs as its author meant, or not at all.
 */
#ifndef BMSIM_PLUGIN_ABI_H
#define BMSIM_PLUGIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#define BM_PLUGIN_MAGIC 0x4d534d42u /* "BMSM" */
#define BM_ABI_MAJOR 2
#define BM_ABI_MINOR 3

#ifdef __cplusplus
extern "C" {
#endif

/** What a plugin is. */
enum bm_kind { BM_NOISE = 1, BM_POTENTIAL = 2, BM_DRIVE = 3 };

/** Features of a plugin, each with the device functions that it promises. S is the struct of the noise's states, empty
 *  if it has none, and P the struct of its values. The kernel names T in the call: drift<T>(state, p). u are
 *  independent uniform numbers on (0, 1), e independent unit exponentials; normal(u, e) makes a unit normal of both. */
enum bm_flag {
  BM_SMOOTH = 1 << 0, /**< potential: V' is continuous, so that moment-matched increments are exact to second order */
  BM_DRIFT = 1 << 1,  /**< noise, the force between events:
                           template <class T, class S, class P> BM_FN T drift(const S& state, const P& p) */
  BM_SIGMA = 1 << 2,  /**< noise, such that sigma dW is the white Gaussian part:
                           template <class T, class P> BM_FN T sigma(const P& p) */
  BM_EVENTS = 1 << 3, /**< noise, the time to the next event, and the event, which changes the state and returns the
                           jump (of x if overdamped, of the momentum m v if not):
                           template <class T, class S, class P> BM_FN T waiting(const S& state, const P& p, T e)
                           template <class T, class S, class P> BM_FN T event(S& state, const P& p, T e) */
  BM_START = 1 << 4,  /**< noise with state, the stationary law at t = 0:
                           template <class T, class S, class P> BM_FN void start(S& state, const P& p, T u, T e) */
  BM_EVOLVE = 1 << 5, /**< coloured noise, the exact change of its state over the time h (a plain number or a T). It has
                           a drift, and no events:
                           template <class T, class H, class S, class P>
                           BM_FN void evolve(S& state, const P& p, H h, T u, T e)
                           It acts by the mean of its drifts at both ends of a step; or see BM_AVERAGE */
  BM_INCREMENT = 1 << 6, /**< noise whose increment over the time h has a law of its own, and is added like a jump:
                              template <class T, class H, class P> BM_FN T increment(const P& p, H h, T u, T e) */
  BM_MODULATES = 1 << 7, /**< noise that is only its drift, with events that do not jump, so that it may modulate the
                              potential instead: V(x) (1 + drift) */
  BM_AVERAGE = 1 << 8,   /**< with BM_EVOLVE, whose function then returns the mean of the drift over h, a T, drawn with
                              the state by their joint law; sqrt(e + e) * sin2pi(u) is a second unit normal. ABI 2.1 */
  BM_EDGES = 1 << 9,     /**< drive that jumps: its force is the mean over phases from phase - width/2 to
                              phase + width/2; width is that of a step, 0 on the host. ABI 2.1:
                              template <class T, class H, class P> BM_FN T force(T phase, H width, const P& p) */
  BM_SEVERAL = 1 << 10   /**< potential of several variables, at x[0], x[1], ... in units of length; force sets f[i] to
                              -dV/dx[i]. In place of the functions of one variable, ABI 2.3:
                              template <class T, class P> BM_FN T energy(const T (&x)[n], const P& p)
                              template <class T, class P> BM_FN void force(const T (&x)[n], const P& p, T (&f)[n]) */
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

/** What derive gets besides the values. */
typedef struct bm_context {
  uint32_t which;          /**< index of the parametrisation */
  double gamma;            /**< friction of the model, 1 if overdamped */
  double mass;             /**< 0 if overdamped */
  const bm_numbers* lists; /**< as given, in the order of the descriptor; count 0 for one left out */
  char* message;           /**< the reason of a refusal, see BM_REFUSE */
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

/** Extension of drives with short pulses, a bm_changes: the shortest time in which the force changes, the width of a
 *  pulse. Steps are chosen by it, and also the precision. */
#define BM_CHANGES "bmsim.changes/1"
typedef struct bm_changes {
  double (*shortest)(const double* values);
} bm_changes;

/* What methods without steps and theories know of a noise: extensions, each of which says that it is of one kind. Noise
 * with BM_SIGMA is Gaussian and white without one. */

/** A bm_chain: noise that goes between few states, each with a force of its own, at events that come after exponential
 *  waiting times. */
#define BM_CHAIN "bmsim.chain/1"
typedef struct bm_chain {
  uint32_t states; /**< at least 2, at most 64 */
  double (*force)(const double* values, uint32_t state);
  double (*rate)(const double* values, uint32_t state);                /**< of events, whatever they change */
  double (*next)(const double* values, uint32_t state, uint32_t then); /**< probability that an event leads there */
} bm_chain;

/** A bm_kicks: Poissonian kicks z, beside a constant force that makes the mean what `mean` declares. */
#define BM_KICKS "bmsim.kicks/1"
typedef struct bm_kicks {
  /** Of z: "exponential", of mean zeta; "constant", z = zeta; "gaussian", of mean zeta and standard deviation sigma;
   *  "two_sided", exponential to either side, <|z|> = zeta; "uniform", on [0, 2 zeta]. */
  const char* (*law)(const double* values);
  double (*rate)(const double* values);
  double (*zeta)(const double* values);
  double (*sigma)(const double* values);
  double (*mean)(const double* values); /**< of all kicks together per time: rate <z> */
} bm_kicks;

/** A bm_stable: white noise with alpha-stable increments, of which noise.levy has the characteristic function. */
#define BM_STABLE "bmsim.stable/1"
typedef struct bm_stable {
  double (*alpha)(const double* values);
  double (*beta)(const double* values);
  double (*scale)(const double* values);
} bm_stable;

/** Any pointer but null: Gaussian noise with exponential correlations, (D/tau) exp(-|t - s|/tau); D is its intensity,
 *  tau its time_scale. */
#define BM_COLOURED "bmsim.coloured/1"

typedef struct bm_plugin {
  uint32_t magic;        /**< BM_PLUGIN_MAGIC */
  uint16_t abi_major;    /**< BM_ABI_MAJOR: must be equal to the host's */
  uint16_t abi_minor;    /**< BM_ABI_MINOR: of the header that the plugin was built with */
  uint32_t size;         /**< sizeof(bm_plugin) there: nothing beyond is read */
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
  /** Piecewise-linear potentials: writes at most `capacity` segments that tile one period and returns how many there
   *  are. Null: not piecewise linear. */
  uint32_t (*segments)(const double* values, const bm_numbers* arrays, bm_segment* out, uint32_t capacity);
  /** Noises: the stationary mean of the noise as a force, and its intensity D, half the integral of its
   *  autocorrelation: the variance of its time integral grows as 2 D t. NAN: not known, or does not
   *  exist. What `bmsim plugin check` compares its simulation with. Null if the kind has none. */
  double (*mean)(const double* values);
  double (*intensity)(const double* values);
  /** Host instances of the device text, in double, for tests and plots. Null if the kind has none. potential: V and -V'
   *  at u = x/L (u = x without a period); drive: force at phase in turns. */
  double (*energy)(double u, const double* values, const bm_numbers* arrays);
  double (*force)(double u, const double* values, const bm_numbers* arrays);

  const char* source;      /**< the text of the whole file, see BM_PLUGIN */
  const char* source_file; /**< its name, for messages */

  /* ABI 2.0 and 2.1 end here. */

  /** Features beyond this struct: the object or function that the name stands for, constant for the life of the
   *  process; null for an unknown name. A name says what the pointer points to, with a number that changes when that
   *  does ("bmsim.example/1"). Names that begin with "bmsim." are reserved for bmsim, which asks for those above. May
   *  be null. ABI 2.2 */
  const void* (*extension)(const char* name);

  /* ABI 2.2 ends here. */

  /** Potentials with BM_SEVERAL: the number of variables, 2 to 16; else 0. `period`, if given, is that of all. */
  uint32_t variable_count;
  /** Their V, and f[i] = -dV/dx[i], on the host, instead of energy and force. */
  double (*energy_of)(const double* x, const double* values, const bm_numbers* arrays);
  void (*force_of)(const double* x, const double* values, const bm_numbers* arrays, double* f);
} bm_plugin;

/** The one exported symbol of a plugin library. */
#define BM_PLUGIN_SYMBOL "bm_plugin_descriptor"

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif
