// The map of steps of method adaptive: no step is longer than its rule allows, and few are much shorter.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "compose/step_map.h"
#include "plugin/registry.h"

using namespace bmsim;

namespace {

Model model_of(const std::string& potential, double D) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  Model model;
  model.add(BM_POTENTIAL, potential, "");
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  return model;
}
size_t cell_of(const StepMap& map, double u, bool periodic) {
  const double place = periodic ? u - std::rint(u) + 0.5 : (u / (map.half + std::abs(u)) + 1) / 2;
  return std::min<size_t>(static_cast<size_t>(place * StepMap::cells), StepMap::cells - 1);
}

/// h/2 times the greatest |f(y) - f(x)| within three deviations and the way that the force goes, by a fine search.
double chi(const Model& model, const ModelValues& values, double D, double x, double h) {
  const double L = values.only().period > 0 ? values.only().period : 1;
  std::vector<bm_numbers> arrays;
  for (const auto& one : values.arrays(0)) arrays.push_back({one.data(), static_cast<uint32_t>(one.size())});
  const auto force = [&](double at) {
    return model.potential().plugin->force(at / L, values.values[0].data(), arrays.data());
  };
  const double f = force(x), reach = h * std::abs(f) + 3 * std::sqrt(2 * D * h);
  double most = 0;
  for (int i = -500; i <= 500; ++i) most = std::max(most, std::abs(force(x + reach * i / 500) - f));
  return h / 2 * most / L;
}

}  // namespace

TEST_CASE("StepMap: every step keeps chi within the local error, and twice the step or four times would not") {
  const double D = 0.3, dt = 0.05, tolerance = 0.002;
  for (const char* id : {"sine", "piecewise_linear", "double_well", "harmonic"}) {
    CAPTURE(id);
    const Model model = model_of(id, D);
    const ModelValues values = evaluate(model);
    const bool periodic = values.only().period > 0;
    const StepMap map = step_map(model, values, dt, tolerance);
    REQUIRE(map.fraction.size() == StepMap::cells);
    int shorter = 0, needless = 0;
    for (int i = 0; i < 1000; ++i) {
      const double u = (periodic ? 1.0 : 6.0) * (i - 499.618) / 1000, x = periodic ? u * values.only().period : u;
      const double fraction = map.fraction[cell_of(map, u, periodic)];
      CAPTURE(x);
      CHECK(std::exp2(std::rint(std::log2(fraction))) == fraction);
      CHECK(chi(model, values, D, x, fraction * dt) <= tolerance * (1 + 1e-9));
      if (fraction == 1) continue;
      ++shorter;
      if (chi(model, values, D, x, 4 * fraction * dt) <= tolerance) ++needless;
    }
    CHECK(shorter > 100);
    CHECK(needless <= shorter / 50);
  }
}

TEST_CASE("StepMap: whole steps where no force changes, the shortest where it is not a number") {
  const Model free = model_of("free", 1);
  const StepMap whole = step_map(free, evaluate(free), 1, 1e-9);
  CHECK(*std::min_element(whole.fraction.begin(), whole.fraction.end()) == 1);
  const Model steep = model_of("harmonic", 1);
  const StepMap small = step_map(steep, evaluate(steep), 1e6, 1e-9);
  CHECK(*std::max_element(small.fraction.begin(), small.fraction.end()) == StepMap::shortest);
}

TEST_CASE("StepMap: what else acts shortens steps: a force, heat, a drive, kicks, and what multiplies the potential") {
  const auto mean = [](const Model& model) {
    const StepMap map = step_map(model, evaluate(model), 0.05, 0.002);
    double sum = 0;
    for (const double fraction : map.fraction) sum += fraction / StepMap::cells;
    return sum;
  };
  const Model cold = model_of("piecewise_linear", 0.01);
  const double alone = mean(cold);
  CHECK(mean(model_of("piecewise_linear", 0.3)) < 0.9 * alone);
  const auto with = [&](auto change) {
    Model model = cold;
    change(model);
    return mean(model);
  };
  CHECK(with([](Model& m) { m.set("force", 10); }) < 0.9 * alone);
  CHECK(with([](Model& m) { m.add(BM_DRIVE, "cosine", ""), m.set("cosine.amplitude", 10); }) < 0.9 * alone);
  CHECK(with([](Model& m) { m.add(BM_NOISE, "poisson", ""), m.set("poisson.a", 10); }) < 0.9 * alone);
  CHECK(with([](Model& m) { m.add(BM_DRIVE, "cosine", ""), m.set("cosine.amplitude", 10), m.modulate("cosine"); }) <
        0.9 * alone);
}
