// A valid noise, and how its copies are broken: one rule of plugin.h each (statements.inc, which the build writes).
#include <bmsim/plugin.h>

template <class T, class S, class P> BM_FN T drift(const S&, const P& p) { return T(p.rate); }

#ifdef BM_HOST
#include <string_view>
#include "copy.h"

namespace {

struct Values {
  double rate, size, law;
  double inverse;
};

bm_parameter parameters[] = {BM_PARAMETER(rate, "r", "1/time", 1, BM_POSITIVE, "a rate"),
                             BM_PARAMETER(size, "s", "length", 1, BM_WITHIN(0, 2), "a size"),
                             BM_CHOICE(law, "slow fast", "how it goes")};
bm_constant constants[] = {BM_CONSTANT(inverse)};
bm_parametrisation parametrisations[] = {{"rate", "size = 1/rate"}, {"size", "rate = 1/size"}};
const char* states[] = {"up"};
bm_list lists[] = {{"steps", "s_i", "length", "lengths of the steps", 0, 4}};
bm_array arrays[] = {{"steps", 0}};

[[maybe_unused]] int refuse(const bm_context* context, double*) { return BM_REFUSE("the moon is full"); }
[[maybe_unused]] int forget(const bm_context*, double*) { return 0; }
[[maybe_unused]] int change_law(const bm_context*, double* values) {
  values[2] = 7;
  return 0;
}
const int forty_two = 42;
[[maybe_unused]] const void* extension(const char* name) {
  return std::string_view(name) == "test.answer/1" ? &forty_two : nullptr;
}
[[maybe_unused]] double no_time(const double*) { return 0; }
[[maybe_unused]] double some_force(double, const double*, const bm_numbers*) { return 1; }
[[maybe_unused]] uint32_t change_length(const bm_context*, const double*, uint32_t, double*, uint32_t capacity) {
  return capacity == 0 ? 2 : 3;
}
[[maybe_unused]] uint32_t leave_holes(const bm_context*, const double*, uint32_t, double* out, uint32_t capacity) {
  for (uint32_t i = 0; i < capacity; ++i) out[i] = nan("");
  return 1;
}

int derive(const bm_context* context, double* values) {
  auto& v = bm_values<Values>(values);
  if (context->which == 0) v.size = 1 / v.rate;
  if (context->which == 1) v.rate = 1 / v.size;
  v.inverse = 1 / v.rate;
  for (uint32_t i = 0; i < context->lists[0].count; ++i)
    if (context->lists[0][i] == 0) return BM_REFUSE("steps must not be 0, got one at number %u", i + 1);
  return 0;
}

/// The steps in units of the size.
uint32_t array(const bm_context* context, const double* values, uint32_t, double* out, uint32_t capacity) {
  const bm_numbers& steps = context->lists[0];
  for (uint32_t i = 0; i < steps.count && i < capacity; ++i) out[i] = steps[i] / bm_values<Values>(values).size;
  return steps.count;
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
                 BM_LIST(list),
                 BM_LIST(array),
                 .derive = derive,
                 .array = array,
                 BM_SOURCE};
#include "statements.inc"
  return d;
}

}  // namespace
#endif
