/* bmsim C API: everything that a front end, such as the Lua library, needs.
 *
 * 1. Functions that can fail return bm_status, or a pointer that is null on failure; bm_error() then says why, in one
 * line. Pass no null pointer except where "null" is documented.
 * 2. No exception and no signal leaves this library. Only bm_session_interrupt and bm_run_cancel may be called from a
 * signal handler. Nothing is written to standard output or standard error.
 * 3. Strings are UTF-8 and zero-terminated. What is passed is copied. A returned string or array belongs to the object
 * it came from and lives until that object is freed or changed; if there is no object, until the next call of the same
 * function in the same thread. Objects returned by a _new function, bm_run_execute, bm_run_dry and bm_run_finish belong
 * to the caller and are freed by the _free function of their kind, which accepts null.
 * 4. Objects are independent: an object needs none of those it was made from, and different objects may be used by
 * different threads at the same time. One model, run or result is used by one thread at a time, except as documented
 * for a run that was started; a session by any number of them. bm_error() and bm_last_status() are per thread.
 * 5. Every callback gets the `user` that was given with it. It is called in the thread that does the work: that of the
 * call, or the run's own after bm_run_start. It may therefore be called in several threads at once. It must return,
 * must let no exception out, and must not free the object it was called for.
 * 6. Plugins belong to the process: a loaded library stays loaded. They may be loaded and looked up by several threads.
 * 7. Names of parameters are "component.parameter" ("poisson.D"), or "force"; a component's name defaults to its
 * plugin's id. All quantities are dimensionless, as in the model's equation; units are those of
 * bm_result_column_property.
 * 8. This header is also read by LuaJIT's FFI: declarations only, no macro below.
 */
#ifndef BMSIM_H
#define BMSIM_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef enum bm_status {
  BM_OK = 0,
  BM_ERROR = 1,        /* wrong input: script, parameter, plugin, file */
  BM_USAGE_ERROR = 2,  /* wrong command line */
  BM_DEVICE_ERROR = 3, /* the device asked for, or its compiler, is not there or failed */
  BM_UNFINISHED = 75,  /* interrupted, and what was finished is kept: the same run goes on from there */
  BM_PART_DONE = 76,   /* this part of the run is done, others are not */
  BM_INTERRUPTED = 130 /* bm_session_interrupt or bm_run_cancel was called */
} bm_status;

typedef struct bm_session bm_session; /* settings of a front end for its runs, and their listeners */
typedef struct bm_model bm_model;
typedef struct bm_run bm_run;
typedef struct bm_result bm_result;
typedef struct bm_directory bm_directory; /* of temporary files */

/* The progress of a run. Members may be added at the end: only read it, do not create one. */
typedef struct bm_progress {
  double fraction;             /* part of the work that is done, in [0, 1] */
  double steps_per_second;     /* of all paths, mean so far; 0: not known yet */
  double seconds_left;         /* infinity: not known yet */
  double worst_relative_error; /* the largest standard error over estimate of all points; NaN: not known */
} bm_progress;

/* Callbacks. Their arguments live until they return. A line ends without a line feed. */
typedef void (*bm_progress_callback)(void* user, const bm_progress* progress);
typedef void (*bm_warning_callback)(void* user, const char* warning);
typedef void (*bm_line_callback)(void* user, const char* line);

/* "0.1.0" */
const char* bm_version(void);
/* The text of this header from here on, without preprocessor lines: for an FFI. */
const char* bm_declarations(void);
/* The reason why the last failed call of this thread failed, as bm_printable makes it; "" if none has. */
const char* bm_error(void);
/* The status of that call; BM_OK if none has failed. */
bm_status bm_last_status(void);
/* A text from elsewhere for a terminal: control characters, escape sequences among them, and bytes that are not UTF-8
 * as \x1b; line feeds and tabs are kept. */
const char* bm_printable(const char* text);
/* The one of `count` known names that `name` misspells, or is a synonym of ("temperature" for "T"); "" for none. */
const char* bm_nearest_name(const char* name, const char* const* known, size_t count);

/* ---- sessions: settings of a front end for all its runs. Where a function takes a session, null stands for one with
 * nothing set. Runs and results keep what they need of their session: it may be freed before them, but the `user` of
 * its callbacks must live as long as runs are under way. ---- */

bm_session* bm_session_new(void);
void bm_session_free(bm_session* session);
/* Options that override those of runs: device, precision, seed, threads; and others:
 * overwrite, of any value: existing files are replaced;
 * strict, of any value: a warning is an error;
 * keep_source: a directory for every kernel's source and compiled form;
 * finish_compilation, of any value: a kernel that is being compiled is finished, and kept, before an interrupt ends the
 * run, since the next run will need it; an empty text counts for what is being compiled, too;
 * checkpoint: a directory that keeps what runs have finished, so that the same runs go on after an end of the process;
 * checkpoint_every: seconds between states of unfinished work that are kept there;
 * part: with checkpoint, "3/16": only this part of every run is done.
 * An empty text: the option is no longer set. BM_USAGE_ERROR for an unknown option, and for a text that is not a
 * number; BM_DEVICE_ERROR for what is no name of a device. */
bm_status bm_session_set(bm_session* session, const char* option, const char* value);
/* Called between the launches of every run that begins from now on. Null: none. */
void bm_session_on_progress(bm_session* session, bm_progress_callback report, void* user);
/* Called with a line for each warning about a run (bm_result_info has them as "warnings"), and once in the process if
 * compiled kernels cannot be kept. Null: none. */
void bm_session_on_warning(bm_session* session, bm_warning_callback report, void* user);
/* Called before a run that is expected to take more than a minute, with a line: its steps and time, its slowest point
 * and why, and what would be cheaper. It is no warning; bm_result_info has "expected_seconds". Null: none. */
void bm_session_on_notice(bm_session* session, bm_warning_callback report, void* user);
/* Ends the session's work that is under way, within a second: runs, plans, theories, checks of plugins, compilations. A
 * run that has finished points gives its result, with the others nan and "complete" false in bm_result_info; else it
 * fails with BM_INTERRUPTED, or BM_UNFINISHED where it is kept, as other work fails with BM_INTERRUPTED. Returns 1 if
 * there was any, else 0. Async-signal-safe. */
int bm_session_interrupt(bm_session* session);
/* Sets a text that every .nc file written from now on has as an attribute, e.g. "script_text". Empty: none. */
bm_status bm_session_record(bm_session* session, const char* name, const char* text);
/* From now on result files go into this directory, each under a name of its own, and replace others. Empty: stops
 * it. */
bm_status bm_session_redirect(bm_session* session, const char* directory);
/* The path to which a file of this name is written. */
const char* bm_session_place(const bm_session* session, const char* file);

/* ---- processes under MPI's launcher (mpirun, srun): ranks. All must do the same runs; each does a part of every run,
 * and all get the whole result. Without a launcher there is one rank. ---- */

/* Opens MPI if a launcher has started this process; BM_DEVICE_ERROR if it cannot. Else the first run does it. */
bm_status bm_world_begin(void);
unsigned bm_world_rank(void);
unsigned bm_world_size(void);
/* Waits for all ranks; no run may follow. */
bm_status bm_world_end(void);
/* Ends the processes of all ranks. Does not return. */
void bm_world_abort(int status);
/* MPI's version, and a line for every rank: machine and devices that it would take for option device. All ranks must
 * call it. */
const char* bm_world_show(const char* device);

/* ---- plugins ---- */

/* The directory of the plugins that come with this library, for bm_plugin_load_directory. */
const char* bm_plugin_directory(void);

/* Loads one library; BM_ERROR names the file and the rule it breaks. */
bm_status bm_plugin_load(const char* file);
/* Loads every *.so of a directory, in the order of their names; a directory that does not exist is no error. */
bm_status bm_plugin_load_directory(const char* directory);
/* The number of plugins, including two that stand for formulas; ordered by kind. Indices change when a plugin is
 * loaded. */
size_t bm_plugin_count(void);
/* key: "kind" (noise, potential, drive), "id", "version", "summary", "abi" (the version that it was built with, "2.3"),
 * "file". Null: no such plugin or key. */
const char* bm_plugin_property(size_t index, const char* key);
/* name: "poisson" or "noise.poisson", or a library file, which is loaded; "formula" stands for both. A text of several
 * lines: equation, parameters, parametrisations, reference. */
const char* bm_plugin_describe(const char* name);
/* The same as a page in Markdown, which says in words what the plugin's flags mean. */
const char* bm_plugin_markdown(const char* name);
/* Looks for what is wrong with a plugin, by its name or, where that has a '/' or ends in ".so", its file: calls its
 * functions, compiles it, runs it for a few seconds. `report` gets a line for each check, "period: ok" or "period:
 * PROBLEM: ..."; BM_ERROR if there was a problem. */
bm_status bm_plugin_check(bm_session* session, const char* name, bm_line_callback report, void* user);

/* ---- models: overdamped dx/dt = -V'(x) + force + drives(t) + noises ---- */

/* A model without components. */
bm_model* bm_model_new(void);
/* m dv = [-gamma v - V'(x) + force + drives] dt + noises: has the parameters "mass" and "gamma", 1 by default. */
bm_model* bm_model_new_underdamped(void);
/* A system of `count` variables, in this order of columns. inertial: for each 1 if it has inertia (m x'' = -gamma x' +
 * force) and a velocity v_NAME, 0 if not (x' = force). periods: for each a formula of the system's parameters, or null.
 * All formulas of the system may contain its `parameters`, which become parameters of the model, and its definitions:
 * definitions[i] is a name, formulas[i] what it stands for. Further parameters are, for variable x, "force_x", and with
 * inertia "mass_x" and "gamma_x". What the system consists of is added in this order: fields, components of one
 * variable, potentials of several, amplitudes, bm_model_set_equations. */
bm_model* bm_model_new_system(const char* const* variables, const int* inertial, const char* const* periods,
                              size_t count, const char* const* parameters, size_t parameter_count,
                              const char* const* definitions, const char* const* formulas, size_t definition_count);
/* Mean fields of a system: names[i] is the average of formulas[i], a formula of variables, velocities, parameters and
 * definitions, over all paths, which thereby are one system, of which a run has several replicas. All other formulas
 * may contain it. */
bm_status bm_model_add_fields(bm_model* model, const char* const* names, const char* const* formulas, size_t count);
/* 1 for a system, else 0. */
int bm_model_is_system(const bm_model* model);
/* Add a component that acts on one variable; "": on the first. */
bm_status bm_model_add_to(bm_model* model, const char* variable, const char* kind, const char* id, const char* name);
bm_status bm_model_add_formula_to(bm_model* model, const char* variable, const char* kind, const char* name,
                                  const char* formula, const char* const* names, size_t count);
/* A potential plugin of several variables, which `of` names, `count` of them. */
bm_status bm_model_add_joint(bm_model* model, const char* id, const char* name, const char* const* of, size_t count);
/* How many variables a potential plugin has, 1 for most; 0 without such a plugin. */
size_t bm_potential_variables(const char* id);
/* A potential of all variables, given by a formula of them and the parameters `names`. */
bm_status bm_model_add_energy(bm_model* model, const char* name, const char* formula, const char* const* names,
                              size_t count);
/* The right-hand sides: a formula for every variable, or null for 0; of variables with inertia it is a force. They may
 * contain all variables, velocities v_NAME, t, parameters and definitions. BM_ERROR with a caret under the mistake. */
bm_status bm_model_set_equations(bm_model* model, const char* const* equations);
/* Before what acts on the variable is added: its gamma is this formula, as of equations, and no parameter. Noise that
 * is given by T must then have the amplitude sqrt(formula). */
bm_status bm_model_set_friction(bm_model* model, const char* variable, const char* formula);
/* An event of a model, by its trigger and the formula of that:
 *   "rate"   it comes at this rate, a formula of variables, velocities (v_NAME; of an underdamped model v), t and the
 *            parameters `names`, which become "EVENT.PARAMETER"
 *   "every"  it comes after every interval, a formula of parameters
 *   "when"   it comes when such a formula as of a rate passes 0: "up", "down" or "both"; direction null: both
 * It sets targets[i], a variable or a velocity, to values[i], which may also contain fresh random numbers: U, U1, ...
 * uniform on (0, 1), N, N1, ... normal, E, E1, ... exponential of mean 1. After potentials and before equations. */
bm_status bm_model_add_event(bm_model* model, const char* name, const char* trigger, const char* formula,
                             const char* direction, const char* const* targets, const char* const* values,
                             size_t target_count, const char* const* names, size_t count);
/* Walls of a variable, which "reflect" paths or "absorb" them, at places given by formulas of parameters, null for no
 * wall on that side. The parameters `names` become "wall.PARAMETER", of a system "wall_x.PARAMETER"; of
 * walls that absorb "exit.PARAMETER". After potentials and
 * before equations. */
bm_status bm_model_add_walls(bm_model* model, const char* variable, const char* what, const char* from, const char* to,
                             const char* const* names, size_t count);
/* Walls that reflect paths and hold them for a while: per time, as long as `length`, a formula as well, times the
 * density at the wall. Their parameters become "sticky.PARAMETER", of a system "sticky_x.PARAMETER". */
bm_status bm_model_add_sticky_walls(bm_model* model, const char* variable, const char* from, const char* to,
                                    const char* length, const char* const* names, size_t count);
/* Multiplies a noise of a model by a function of its state: a formula for every variable, or null where
 * the noise does not act, of all variables, velocities (v_NAME; of an underdamped model v), t and the parameters
 * `names`, which become "NOISE.amplitude.PARAMETER". */
bm_status bm_model_set_amplitude(bm_model* model, const char* noise, const char* const* formulas,
                                 const char* const* names, size_t count);
/* What such a product means: "stratonovich", the default, "ito" or "anti_ito". */
bm_status bm_model_set_interpretation(bm_model* model, const char* name);
void bm_model_free(bm_model* model);
/* What a parameter takes: "number", "word" (one of several) or "list" (of numbers). Null: no such plugin or parameter.
 */
const char* bm_component_takes(const char* kind, const char* id, const char* parameter);
/* Checks that a plugin exists (parameter null), has that parameter, and takes that value (NaN: do not check the value).
 * A parameter that takes a word or a list takes no number. */
bm_status bm_component_check(const char* kind, const char* id, const char* parameter, double value);
/* The same for a word, and for a list of `count` numbers: its length, and that they are finite. */
bm_status bm_component_check_word(const char* kind, const char* id, const char* parameter, const char* word);
bm_status bm_component_check_list(const char* kind, const char* id, const char* parameter, const double* values,
                                  size_t count);
/* Checks that it may modulate the potential: a drive, or a noise that is a force without jumps. */
bm_status bm_component_check_modulate(const char* kind, const char* id);
/* A potential or a drive given by a formula in x (potentials), t and the parameters `names`: "V0*sin(2*pi*x/L)".
 * BM_ERROR with a caret under the mistake. bm_formula_check: the same without a model; bm_energy_check: for a potential
 * of several variables, of any names. */
bm_status bm_formula_check(const char* kind, const char* formula, const char* const* names, size_t count);
bm_status bm_energy_check(const char* formula, const char* const* names, size_t count);
bm_status bm_model_add_formula(bm_model* model, const char* kind, const char* name, const char* formula,
                               const char* const* names, size_t count);
/* Adds a component. kind: "noise", "potential" or "drive"; name: null for the id. BM_ERROR for an unknown plugin, a
 * name that is taken or illegal, and a second potential. */
bm_status bm_model_add(bm_model* model, const char* kind, const char* id, const char* name);
/* Sets a number. BM_ERROR for an unknown name, with the nearest one, and for a value out of bounds. */
bm_status bm_model_set(bm_model* model, const char* parameter, double value);
/* Sets a parameter that is one of several words. Words and lists are the same at every point of a run. */
bm_status bm_model_set_choice(bm_model* model, const char* parameter, const char* word);
/* Sets a parameter that is a list of `count` numbers, which are copied. */
bm_status bm_model_set_list(bm_model* model, const char* parameter, const double* values, size_t count);
/* Makes the component, a drive or a noise, modulate the potential: V(x) (1 + f(t)) in place of V(x) and a force f. */
bm_status bm_model_modulate(bm_model* model, const char* component);

/* ---- runs ---- */

/* A run of a copy of the model in its present state. */
bm_run* bm_run_new(bm_session* session, const bm_model* model);
/* Cancels the run and waits for its end if it is under way. */
void bm_run_free(bm_run* run);
/* Adds an axis to the outer product, first axis slowest. Several names are swept together ("zip"): values holds
 * name_count columns of `length` values each. A name is a model parameter, or "dt", "spp", "time" or "periods". */
bm_status bm_run_add_axis(bm_run* run, const char* const* names, size_t name_count, const double* values,
                          size_t length);
/* Sets a parameter (or dt, spp, time, periods) for every point: `count` values, one per point. */
bm_status bm_run_set_column(bm_run* run, const char* name, const double* values, size_t count);
/* The number of points of all axes together; 1 without axes. */
size_t bm_run_points(const bm_run* run);
/* Values of a name that is swept or set for every point: bm_run_points numbers, until the next axis or column is added.
 * Null if it is neither. */
const double* bm_run_column(const bm_run* run, const char* name);
/* The options of a run: how many, and by an index from 0 their properties; null beyond. key: "name"; "type" ("number",
 * "whole number", "flag", "text"); and, "yes" or null: "field" (of bm.run in scripts; docs/reference/functions/run.md
 * says what each means), "per_point" (points of a sweep may have it each their own), "words" (may be set by a text that
 * is no number). */
size_t bm_option_count(void);
const char* bm_option_property(size_t index, const char* key);
/* Sets one that is a number, or a flag, which is 0 or 1. Beside those of scripts there is kernel_paths, how many paths
 * the kernel is made for, by default those of the run: runs that differ in their paths alone then use the same. */
bm_status bm_run_set_number(bm_run* run, const char* option, double value);
/* Sets one that is a text. transient may be "auto" (found by a pilot run, by the marginal standard error rule of
 * K. P. White, Simulation 69, 323 (1997)); beside those of scripts there are script (its text, for the header of files)
 * and phase (of drives at t = 0: "fixed", "uniform" over the paths). */
bm_status bm_run_set_text(bm_run* run, const char* option, const char* value);
/* Initial law of "x" or "v" over the paths: uniform on centre +- width / 2, plus a normal part of that deviation.
 * With count > 0 the uniform part is replaced by that many evenly spaced values, of which those of x vary faster.
 * Not set: x is as bm_run_set_uniform_start makes it, or 0 without a period or a potential; v has Maxwell's law, or is
 * 0 without a temperature. */
bm_status bm_run_set_start(bm_run* run, const char* variable, double centre, double width, double deviation,
                           double count);
/* The variable begins uniformly over the period nearest to 0 that lies between its walls, or between the walls if these
 * are nearer to each other than a period. A free particle has period 1 for this. The run is refused if the variable has
 * neither a period nor two walls. */
bm_status bm_run_set_uniform_start(bm_run* run, const char* variable);
/* The observables: how many, and by an index from 0 their properties; null beyond. key: "name"; "summary" (a line);
 * "options" (their names, divided by blanks). */
size_t bm_observable_count(void);
const char* bm_observable_property(size_t index, const char* key);
/* "velocity", "diffusion", ...: an observable, with `options` options: names[i] has counts[i] numbers, values[i], or,
 * where words[i] is not null, that word. None asked for: velocity. */
bm_status bm_run_observe(bm_run* run, const char* observable, size_t options, const char* const* names,
                         const double* const* values, const size_t* counts, const char* const* words);
/* More paths are run at the points that need them, `paths` at a time, until the standard error of this column is at
 * most `absolute` or `relative` times the estimate, whichever is more, or `limit` paths are done. Several targets:
 * until all are reached. The result gets columns "paths" and "reached" (1 or 0). */
bm_status bm_run_target(bm_run* run, const char* column, double relative, double absolute);
/* The same for the error of the step and the statistical error together. Steps and paths are chosen point by point,
 * with coupled runs of several steps where these are cheaper. spp or dt is the coarsest step tried (default: spp 4, or
 * shorter if the motion requires it), `paths` the initial number of paths of each step. The result gets columns
 * NAME_step and NAME_extrapolated, see step_error, and "dt" (of the finest step), "levels" (of steps, 1: an ordinary
 * run), "cost" (steps of all paths), "paths" and "reached". */
bm_status bm_run_tolerance(bm_run* run, const char* column, double relative, double absolute);
/* Validates everything without running: points, steps, memory, and the time it took last time per step, as text. */
const char* bm_run_plan(bm_run* run);
/* Executes the run and returns at its end. Null on failure; the status is then bm_last_status(). A run may be executed,
 * or started, again. */
bm_result* bm_run_execute(bm_run* run);
/* Does the same in a thread of its own and returns at once; bm_run_finish gives the result. Until then only
 * bm_run_poll, bm_run_cancel, bm_run_points, bm_run_finish and bm_run_free may be called for the run. */
bm_status bm_run_start(bm_run* run);
/* Waits at most that many seconds, which may be 0, for the end of a run that was started. 1: it has ended, with or
 * without success, or was not started; 0: it is under way. *progress, unless progress is null, is set to the run's
 * progress, which lives until the next call, but not for a run that was not started. Called by one thread at a time. */
int bm_run_poll(bm_run* run, double seconds, const bm_progress** progress);
/* Ends the run after its current launch, as bm_session_interrupt does; a run that is not under way ends as soon as it
 * begins. May be called by any thread. Async-signal-safe. */
void bm_run_cancel(bm_run* run);
/* Waits for the end of a run that was started, and returns what bm_run_execute would have returned. If that is null,
 * bm_error() of this thread has the reason. */
bm_result* bm_run_finish(bm_run* run);
/* ---- results: columns of one value per point, swept parameters first ---- */

/* The result without executing the run: every measured column and array is NaN. For --dry-run. */
bm_result* bm_run_dry(bm_run* run);
void bm_result_free(bm_result* result);
/* The number of points of the sweep. */
size_t bm_result_points(const bm_result* result);
/* 1 if its model is a system, whose columns end in a variable's name, else 0. */
int bm_result_is_system(const bm_result* result);
/* The axes of the sweep, the first slowest: how many, the length of one, and the names that are swept along it, null
 * beyond. The points are their outer product. */
size_t bm_result_sweep_axes(const bm_result* result);
size_t bm_result_sweep_length(const bm_result* result, size_t axis);
const char* bm_result_sweep_name(const bm_result* result, size_t axis, size_t index);
/* The number of columns, and their names in order, by an index from 0; null beyond. */
size_t bm_result_columns(const bm_result* result);
const char* bm_result_column_name(const bm_result* result, size_t index);
/* Shape (points). A swept or fixed parameter ("poisson.D"), "velocity", "velocity_err", ... */
const double* bm_result_column(bm_result* result, const char* name);
/* key: "symbol" ("D_P", "<v>"), "unit" ("length^2/time", "" for none), "meaning" (in words), "role" (parameter,
 * observable, error, added). A symbol names its component if two have the same. Null: no such column or key. */
const char* bm_result_column_property(bm_result* result, const char* name, const char* key);
/* Adds a column after the others: `count` values, one per point. */
bm_status bm_result_add_column(bm_result* result, const char* name, const double* values, size_t count);
/* Arrays of observables such as "density": shape (points, axis 0, axis 1, ...). Indices from 0; null or 0 beyond. */
size_t bm_result_arrays(const bm_result* result);
const char* bm_result_array_name(const bm_result* result, size_t array);
const char* bm_result_array_label(const bm_result* result, size_t array);
const char* bm_result_array_unit(const bm_result* result, size_t array);
const double* bm_result_array_values(const bm_result* result, size_t array);
size_t bm_result_array_axes(const bm_result* result, size_t array);
const char* bm_result_axis_name(const bm_result* result, size_t array, size_t axis);
const char* bm_result_axis_label(const bm_result* result, size_t array, size_t axis);
const char* bm_result_axis_unit(const bm_result* result, size_t array, size_t axis);
size_t bm_result_axis_length(const bm_result* result, size_t array, size_t axis);
const double* bm_result_axis_values(const bm_result* result, size_t array, size_t axis);
/* device, method, increments, precision, points, paths, steps, seconds, steps_per_second, kernel_cached, ...; warnings:
 * one per line; step_check: the error of the step that the check saw; transient_check: the largest difference between
 * the halves of the window. */
size_t bm_result_info_count(const bm_result* result);
const char* bm_result_info_key(const bm_result* result, size_t index);
const char* bm_result_info_value(const bm_result* result, size_t index);
/* The texts that a .nc file of the result has, but for the name of the file: title, history, manifest (how it was made:
 * YAML), info, and those of bm_session_record. Null beyond the last. */
const char* bm_result_text_name(bm_result* result, size_t index);
const char* bm_result_text_value(bm_result* result, size_t index);
/* ---- theory: exact results at every point ---- */

/* The quantities that a theory gives for a model, separated by spaces: "velocity diffusion", of a system "velocity_x
 * diffusion_x". theory: poisson_velocity, dichotomous_velocity, stratonovich, lifson_jackson, kramers, master,
 * inertial, linear, torus; or "auto", the one that is exact for the model. */
const char* bm_theory_run_quantities(const bm_run* run, const char* theory);
const char* bm_theory_result_quantities(const bm_result* result, const char* theory);
/* Names, in order; null after the last. */
const char* bm_theory_name(size_t index);
/* Writes shape (points, quantities): for the points of a run (whose dt, time, paths are ignored), or of a result. from:
 * for kramers, a place in the well that is left; NaN: the lowest well. Quantities that auto's choice does not give are
 * NaN. BM_ERROR if the theory does not cover the model. */
bm_status bm_theory_run(const bm_run* run, const char* theory, double from, double* values);
bm_status bm_theory_result(const bm_result* result, const char* theory, double from, double* values);
/* The potential of a point of a run as the constant force tilts it, V(x) - force x, at the time t, at `count` places x.
 * What a drive or noise adds or modulates is left out. BM_ERROR for systems, and for a point that there is not. */
bm_status bm_run_energy(const bm_run* run, size_t point, double t, const double* x, size_t count, double* energies);
/* Of the same model: the period of its potential (0: none), and what its drives are at the time t: the force of those
 * that are forces, and the factor 1 + f(t) of those that modulate the potential. Null: not wanted. */
bm_status bm_run_tilt(const bm_run* run, size_t point, double t, double* period, double* force, double* factor);
/* What the noises that modulate the potential of that model add to this factor. mean: on average; levels: in their
 * states, in ascending order, for noises without states one standard deviation to either side of the mean; at most
 * `capacity` of them. count: how many there are; 0 without such noises. */
bm_status bm_run_noise_levels(const bm_run* run, size_t point, double* mean, double* levels, size_t capacity,
                              size_t* count);

/* What the theory "linear" gives as functions: the stationary law of a model whose motion is linear. Its states are
 * positions, then velocities: "x", "v_x". */
typedef struct bm_linear bm_linear;
/* At the only point of a run. Null on error; free with bm_linear_free. */
bm_linear* bm_linear_new(const bm_run* run);
void bm_linear_free(bm_linear* linear);
/* Names of the states, in order; null after the last. */
const char* bm_linear_state(const bm_linear* linear, size_t index);
/* Writes shape (states, states): <dz_i(t) dz_j(0)>, dz = z - <z>, for any t; NaN for states without a stationary law.
 */
bm_status bm_linear_correlation(const bm_linear* linear, double t, double* values);
/* Writes one-sided spectral densities at the frequency f, one for each state: 4 int_0^inf dt cos(2 pi f t) C(t). */
bm_status bm_linear_spectrum(const bm_linear* linear, double f, double* values);

/* ---- files ---- */

/* Files are written under a random name in the same directory, and renamed when they are complete and on the disk:
 * there is never half a file. A file that was made by another program in the meantime is not replaced: the new one is
 * then kept as NAME.2.csv, and the message says so. One that is replaced keeps its mode, and a symbolic link to it
 * stays one. */

/* By suffix: .csv, .tsv (columns), .nc (netCDF-4: all). BM_ERROR if the file exists, unless the run or its session says
 * overwrite, and if it cannot be written. The result is then kept as NAME.2.csv, in the current directory or that for
 * temporary files, or in another format, and the message says where; so for the next function. */
bm_status bm_result_write(bm_result* result, const char* file);
/* An array as a table, .csv or .tsv: swept names, coordinates, "value", and "error" if there is NAME_err. */
bm_status bm_result_write_array(bm_result* result, const char* file, const char* array);
/* Writes all of a result to a new file of about this name, as netCDF or else as tables. Returns the names of what was
 * made, quoted: "'motor.kept.nc'". */
const char* bm_result_keep(bm_result* result, const char* file);
/* BM_ERROR if bm_result_write to this file would fail: unknown suffix, no such directory, not writable, or the file
 * exists. */
bm_status bm_output_check(const bm_session* session, const char* file);
/* BM_ERROR if no file of this name can be written: no such directory, not writable. Any suffix. */
bm_status bm_file_check(const char* file);
/* Writes bytes to a file, in the place that the session has for files of this name (null: the name itself). replace: 0
 * is BM_ERROR if there is such a file. */
bm_status bm_file_write(const bm_session* session, const char* file, const char* bytes, size_t length, int replace);

/* A directory for temporary files, in $TMPDIR or /tmp, which other users cannot enter. bm_directory_free removes it
 * with all that is in it. If the process is killed, a later bm_directory_new of the same purpose does. purpose: small
 * letters, a part of its name. */
bm_directory* bm_directory_new(const char* purpose);
const char* bm_directory_path(const bm_directory* directory);
void bm_directory_free(bm_directory* directory);

/* ---- the cache of compiled kernels ---- */

/* Where it is, what it holds, and its limit; lines for a terminal. */
const char* bm_cache_show(void);
/* Removes all kernels. Says what it has removed. */
const char* bm_cache_clear(void);

/* ---- netCDF files of results. A file is not trusted: a process of its own reads it, "bmsim/netcdf" beside this
 * library or what the environment's BMSIM_NETCDF names, and what is damaged, or wants more memory than it can fill, is
 * BM_ERROR. Texts that are returned are printable, but for those of bm_file_text. ---- */

/* Axes, columns, arrays, and a plot in characters. */
const char* bm_file_show(const char* file);
/* What a directory that option checkpoint keeps holds, and how much of it is done; for terminals. Null if it is none.
 */
const char* bm_checkpoint_show(const char* directory);
/* The columns as bm_result_write wrote them to a .csv file: the text, or a file, .csv or .tsv, which may not exist
 * unless the session says overwrite. */
const char* bm_file_csv(const char* file);
bm_status bm_file_export(const bm_session* session, const char* file, const char* table);
/* An attribute of the file: "manifest", "info", "file" (its name when it was written), "script_text", ...; "" for
 * none. */
const char* bm_file_text(const char* file, const char* name);
/* BM_OK if every number is the same bit for bit, nan being equal to nan; otherwise bm_error() says how many differ, the
 * largest difference, or what is missing. *numbers: how many were compared. */
bm_status bm_file_compare(const char* file, const char* other, size_t* numbers);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
