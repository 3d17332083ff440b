#include "compose/exact_text.h"

#include <fmt/format.h>

namespace bmsim {

std::string exact_events_text(const Numbered& noise, size_t first_state) {
  std::string loads, saves;
  for (uint32_t i = 0; i < noise.plugin()->state_count; ++i) {
    const std::string slot = fmt::format("s.state[{}]", first_state + i);
    loads += fmt::format("{}load_slot({})", i == 0 ? "" : ", ", slot);
    saves +=
        fmt::format("    store({0}, select(fires, state.{1}, load_slot({0})));\n", slot, noise.plugin()->states[i]);
  }
  const std::string space = noise.space();
  return fmt::format(
      "  static BM_FN_MEMBER {0}::State<T> load_all(Trajectories& s) {{ (void)s; return {{{1}}}; }}\n"
      "  static BM_FN_MEMBER T waiting_all(Trajectories& s, const Parameters& p, T e) {{\n"
      "    return {0}::waiting<T>(load_all(s), p.c{2}, e);\n"
      "  }}\n"
      "  template <class M> static BM_FN_MEMBER T event_all(Trajectories& s, const Parameters& p, const M& fires, T e) "
      "{{\n"
      "    {0}::State<T> state = load_all(s);\n"
      "    const T jump = {0}::event<T>(state, p.c{2}, e);\n"
      "{3}"
      "    (void)fires;\n"
      "    return jump;\n"
      "  }}\n",
      space, loads, noise.k, saves);
}

std::string exact_drift_text(const std::vector<Numbered>& noises) {
  std::string sum;
  for (const Numbered& noise : noises)
    if (noise.has(BM_DRIFT))
      sum += fmt::format("  sum = sum + {0}::drift<T>(Noise{1}::load_all(s), p.c{1});\n", noise.space(), noise.k);
  return fmt::format(
      "#if BM_DRIFT_VARIES\n"
      "BM_FN T exact_drift(Trajectories& s, const Parameters& p) {{\n"
      "  T sum = T(p.variable[0].force);\n"
      "{}"
      "  return sum * p.variable[0].h;\n"
      "}}\n"
      "#else\n"
      "BM_FN real exact_drift(Trajectories& s, const Parameters& p) {{ return model_drift(0, s, p, 0) * "
      "p.variable[0].h; }}\n"
      "#endif\n",
      sum);
}

std::string walk_state_text(const std::vector<Numbered>& noises, const std::vector<size_t>& states) {
  std::string sum;
  size_t n = 0, first = 0, stride = 1;
  for (const Numbered& noise : noises) {
    if (!noise.has(BM_EVENTS)) continue;
    const size_t count = states[n++];
    if (count > 1) {
      sum +=
          fmt::format("  const T value{0} = {1}::drift<T>(Noise{0}::load_all(s), p.c{0});\n", noise.k, noise.space());
      for (size_t i = 1; i < count; ++i)
        sum += fmt::format("  state = state + select(value{} == p.walk.force[{}], (real){}, T((real)0));\n", noise.k,
                           first + i, i * stride);
    }
    first += count;
    stride *= count;
  }
  return fmt::format(
      "BM_FN T walk_state(Trajectories& s, const Parameters& p) {{\n"
      "  T state = T((real)0);\n"
      "{}"
      "  (void)s, (void)p;\n  return state;\n"
      "}}\n",
      sum);
}

}  // namespace bmsim
