// A valid noise, broken by the statement BREAK, which the build gives: one rule of plugin.h at a time.
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S&, const P& p) { return T(p.rate); }

namespace {

struct Values {
  double rate, size;
  double inverse;
};

bm_parameter parameters[] = {BM_PARAMETER(rate, "r", "1/time", 1, BM_POSITIVE, "a rate"),
                             BM_PARAMETER(size, "s", "length", 1, BM_WITHIN(0, 2), "a size")};
bm_constant constants[] = {BM_CONSTANT(inverse)};
bm_parametrisation parametrisations[] = {{"rate", "size = 1/rate"}, {"size", "rate = 1/size"}};
const char* states[] = {"up"};

[[maybe_unused]] int refuse(uint32_t, double*, char* message, size_t capacity) { return BM_REFUSE("the moon is full"); }
[[maybe_unused]] int forget(uint32_t, double*, char*, size_t) { return 0; }
[[maybe_unused]] double no_time(const double*) { return 0; }

int derive(uint32_t which, double* values, char*, size_t) {
  auto& v = bm_values<Values>(values);
  if (which == 0) v.size = 1 / v.rate;
  if (which == 1) v.rate = 1 / v.size;
  v.inverse = 1 / v.rate;
  return 0;
}

bm_plugin broken();

}  // namespace

BM_PLUGIN = broken();

namespace {

bm_plugin broken() {
  bm_plugin d = {BM_HEADER(BM_NOISE, Values),
                 .flags = BM_DRIFT,
                 .id = "probe",
                 .version = "1.0",
                 .summary = "a noise to break",
                 .equation = "f = r",
                 .reference = "",
                 BM_LIST(parameter),
                 BM_LIST(constant),
                 BM_LIST(parametrisation),
                 BM_LIST(state),
                 .derive = derive,
                 BM_SOURCE};
  BREAK;
  return d;
}

}  // namespace
