/* A front end in C: Brownian motion in a tilted sine potential, started, watched, and finished; and one that is cancelled. */
#include <bmsim/bmsim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "in_c: %s: %s\n", what, bm_error());
  exit(1);
}

static void count_warning(void* user, const char* warning) {
  fprintf(stderr, "warning: %s\n", warning);
  ++*(int*)user;
}

static bm_run* new_run(bm_session* session, const bm_model* model, double time) {
  const double D[] = {0.5, 1, 2};
  const char* name = "gaussian.D";
  bm_run* run = bm_run_new(session, model);
  check(run != NULL, "bm_run_new");
  check(bm_run_add_axis(run, &name, 1, D, 3) == BM_OK, "bm_run_add_axis");
  check(bm_run_set_number(run, "paths", 256) == BM_OK, "paths");
  check(bm_run_set_number(run, "dt", 0.005) == BM_OK, "dt");
  check(bm_run_set_number(run, "time", time) == BM_OK, "time");
  return run;
}

int main(void) {
  int warnings = 0, i;
  const bm_progress* progress = NULL;
  bm_session* session = bm_session_new();
  bm_model* model = bm_model_new();
  bm_run *run, *cancelled;
  bm_result* result;
  check(session != NULL && model != NULL, "a session and a model");
  bm_session_on_warning(session, count_warning, &warnings);
  check(bm_plugin_load_directory(bm_plugin_directory()) == BM_OK, "plugins");
  check(bm_model_add(model, "potential", "sine", NULL) == BM_OK, "sine");
  check(bm_model_add(model, "noise", "gaussian", NULL) == BM_OK, "gaussian");
  check(bm_model_set(model, "force", 3) == BM_OK, "force");
  check(bm_model_set(model, "farce", 3) == BM_ERROR, "a name that there is not");

  run = new_run(session, model, 50);
  cancelled = new_run(session, model, 1e9);
  bm_model_free(model);
  check(bm_run_start(run) == BM_OK && bm_run_start(cancelled) == BM_OK, "bm_run_start");
  while (!bm_run_poll(run, 1, &progress)) check(progress->fraction <= 1, "a fraction");
  result = bm_run_finish(run);
  check(result != NULL, "bm_run_finish");
  bm_run_cancel(cancelled);
  check(bm_run_finish(cancelled) == NULL && bm_last_status() == BM_INTERRUPTED, "bm_run_cancel");
  bm_run_free(cancelled);
  bm_run_free(run);
  bm_session_free(session);

  check(bm_result_points(result) == 3, "bm_result_points");
  for (i = 0; i < 3; ++i) {
    const double velocity = bm_result_column(result, "velocity")[i];
    check(isfinite(velocity) && velocity > 0 && velocity < 3, "a velocity between 0 and the force");
    printf("%g %g\n", bm_result_column(result, "gaussian.D")[i], velocity);
  }
  bm_result_free(result);
  return warnings;
}
