// Preloaded into a program: its clocks go faster, so that it runs for a day within seconds. Set by the environment:
//   CLOCK_AFTER   so many seconds after its start; until then the clocks are right
//   CLOCK_RATE    they go so many times as fast
//   CLOCK_JUMP    and are at once so many seconds ahead
// Sleeps and waits last as long as they would.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static int (*clock_of_system)(clockid_t, struct timespec*);
static double began[2];  // CLOCK_REALTIME, CLOCK_MONOTONIC
static double after, rate = 1, jump;

static double number(const char* name, double otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atof(text);
}

static double seconds(const struct timespec* time) { return (double)time->tv_sec + 1e-9 * (double)time->tv_nsec; }

static void set(struct timespec* time, double value) {
  time->tv_sec = (time_t)value;
  time->tv_nsec = (long)(1e9 * (value - (double)time->tv_sec));
}

static void __attribute__((constructor)) begin(void) {
  *(void**)&clock_of_system = dlsym(RTLD_NEXT, "clock_gettime");
  for (clockid_t clock = CLOCK_REALTIME; clock <= CLOCK_MONOTONIC; ++clock) {
    struct timespec now;
    clock_of_system(clock, &now);
    began[clock] = seconds(&now);
  }
  after = number("CLOCK_AFTER", 0);
  rate = number("CLOCK_RATE", 1);
  jump = number("CLOCK_JUMP", 0);
}

static double advanced(clockid_t clock, double now) {
  const double passed = now - began[clock];
  return passed < after ? now : began[clock] + after + jump + rate * (passed - after);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
  if (clock_of_system == NULL) begin();
  const int status = clock_of_system(clock, now);
  if (status == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)) set(now, advanced(clock, seconds(now)));
  return status;
}

time_t time(time_t* kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept != NULL) *kept = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec, now->tv_usec = exact.tv_nsec / 1000;
  return 0;
}

// Until a time of the advanced clock: for as long as it is away.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  static int (*of_system)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
  if (of_system == NULL) *(void**)&of_system = dlsym(RTLD_NEXT, "pthread_cond_clockwait");
  struct timespec now, advanced_now;
  clock_of_system(clock, &now);
  clock_gettime(clock, &advanced_now);
  set(&now, seconds(&now) + seconds(until) - seconds(&advanced_now));
  return of_system(condition, mutex, clock, &now);
}
