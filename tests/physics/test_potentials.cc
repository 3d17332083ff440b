// Every periodic potential, tilted, with Gaussian noise: Stratonovich's velocity and effective diffusion, the same for
// all ways to write one potential.
//
// Held to: Stratonovich's v and D_eff in sine, ratchet, Fourier, formula, tables and piecewise-linear potentials alike
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>

#include "measures.h"
#include "model/formula_plugin.h"
#include "reference_ratchets.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double D = 0.3;
constexpr double two_pi = 2 * std::numbers::pi;

/// V0 [sin(2 pi x / L) + b sin(4 pi x / L + phi)]: what ratchet, fourier and table are to be.
const reference::TwoWaves waves{.V0 = 0.9, .L = 1.25, .b = 0.4, .phi = 0.7};

using Energy = std::function<double(double)>;

struct Potential {
  std::string name;
  Model model;
  Energy energy;
  double L;
  double dt;
  uint64_t paths = 32768;
};

Model in(const Part& potential) { return make_model({potential, {BM_NOISE, "gaussian", {{"D", D}}}}); }

/// V(x) as the plugin has it.
Energy plugin_energy(const Model& model) {
  const ModelValues values = evaluate(model);
  const std::vector<std::vector<double>>& arrays = values.arrays(0);
  const std::span<const double> numbers = values.values[0];
  const std::vector<double> own(numbers.begin(), numbers.end());
  return [plugin = model.potential().plugin, own, arrays, L = values.only().period](double x) {
    std::vector<bm_numbers> views;
    for (const auto& array : arrays) views.push_back({array.data(), static_cast<uint32_t>(array.size())});
    return plugin->energy(x / L, own.data(), views.data());
  };
}

/// Straight lines through V at the nodes x, periodic.
Energy lines(const std::vector<double>& x, const std::vector<double>& V, double L) {
  return [=](double at) {
    double y = at - L * std::floor((at - x[0]) / L);
    for (size_t i = 0; i < x.size(); ++i) {
      const bool last = i + 1 == x.size();
      const double right = last ? x[0] + L : x[i + 1];
      if (y <= right) return V[i] + (V[last ? 0 : i + 1] - V[i]) * (y - x[i]) / (right - x[i]);
    }
    return V[0];
  };
}

/// The same two waves as a formula; it gives the ratchet plugin's numbers.
Model formula() {
  const std::vector<std::string> names = {"L", "V0", "b", "phi"};
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", D}}}});
  model.add(formula_plugin(BM_POTENTIAL, "V0*(sin(2*pi*x/L) + b*sin(4*pi*x/L + phi))", names), "");
  const double values[] = {waves.L, waves.V0, waves.b, waves.phi};
  for (size_t i = 0; i < names.size(); ++i) model.set("formula." + names[i], values[i]);
  return model;
}

std::vector<double> values_at(const std::vector<double>& x) {
  std::vector<double> V;
  for (const double one : x) V.push_back(waves.energy(one));
  return V;
}

std::vector<Potential> potentials() {
  std::vector<Potential> all;
  const Energy two_waves = [](double x) { return waves.energy(x); };
  const double b = waves.b, phi = waves.phi;
  std::vector<double> even, uneven;  // nodes
  for (int i = 0; i < 100; ++i) {
    even.push_back(waves.L * i / 100);
    uneven.push_back(waves.L * (i + 0.3 * std::sin(i)) / 100);
  }
  all.push_back({"sine", in({BM_POTENTIAL, "sine", {{"V0", 0.9}, {"L", waves.L}, {"phase", 0.4}}}),
                 [](double x) { return 0.9 * std::sin(two_pi * x / waves.L + 0.4); }, waves.L, 0.001});
  all.push_back({"ratchet", in({BM_POTENTIAL, "ratchet", {{"V0", waves.V0}, {"L", waves.L}, {"b", b}, {"phi", phi}}}),
                 two_waves, waves.L, 0.001});
  all.push_back({"fourier",
                 in({BM_POTENTIAL,
                     "fourier",
                     {{"V0", waves.V0}, {"L", waves.L}},
                     "",
                     {},
                     {{"a", {0, b * std::sin(phi)}}, {"b", {1, b * std::cos(phi)}}}}),
                 two_waves, waves.L, 0.001});
  all.push_back({"formula", formula(), two_waves, waves.L, 0.001});
  // Splines of 100 nodes: their error of 1e-6 is far below what is resolved.
  all.push_back({"table of even nodes", in({BM_POTENTIAL, "table", {{"L", waves.L}}, "", {}, {{"V", values_at(even)}}}),
                 two_waves, waves.L, 0.001});
  all.push_back({"table of uneven nodes",
                 in({BM_POTENTIAL, "table", {{"L", waves.L}}, "", {}, {{"x", uneven}, {"V", values_at(uneven)}}}),
                 two_waves, waves.L, 0.001, 4096});  // seeks the piece, slowly
  // Kinks lie on the edges of the quadrature's 40 panels.
  all.push_back({"piecewise_linear", in({BM_POTENTIAL, "piecewise_linear", {}}), lines({-1, 0}, {0, 1}, 2), 2, 0.001});
  const std::vector<double> x2 = {-0.2, 0.3}, V2 = {0.8, 0.1}, x3 = {0, 0.2, 0.65}, V3 = {0.3, 1.1, -0.1};
  all.push_back({"piecewise_linear of two nodes",
                 in({BM_POTENTIAL, "piecewise_linear", {{"L", 1}}, "", {}, {{"x", x2}, {"V", V2}}}), lines(x2, V2, 1),
                 1, 0.0005});
  all.push_back({"piecewise_linear of three nodes",
                 in({BM_POTENTIAL, "piecewise_linear", {{"L", 1}}, "", {}, {{"x", x3}, {"V", V3}}}), lines(x3, V3, 1),
                 1, 0.0005});
  return all;
}

/// One smooth, one tabulated, one with kinks.
bool is_quick(const Potential& one) {
  return one.name == "ratchet" || one.name == "table of even nodes" || one.name == "piecewise_linear";
}

void check_potentials(bool quick) {
  for (const Potential& one : potentials()) {
    if (is_quick(one) != quick) continue;
    CAPTURE(one.name);
    const Energy energy = plugin_energy(one.model);
    const double zero = energy(0) - one.energy(0);
    for (int i = 0; i < 20; ++i) {
      const double x = one.L * (i * 0.13 - 1.3);
      CHECK(energy(x) - zero == doctest::Approx(one.energy(x)).epsilon(1e-5));
    }
    for (const double F : {3.0, -4.0}) {
      CAPTURE(F);
      Model model = one.model;
      model.set("force", F);
      const auto exact = reference::stratonovich(energy, F, D, one.L);
      const auto written = reference::stratonovich(one.energy, F, D, one.L);
      CHECK_NEAR(exact.v, written.v, 1e-4 * std::abs(written.v));
      const Sample run = sample(model, timed_run(one.dt, 16, 0.125, one.paths));
      const double resolution = 0.01 * std::sqrt(32768 / static_cast<double>(one.paths));
      CHECK_EXACT(run.velocity, exact.v, 0.2 * resolution);
      CHECK_EXACT(run.diffusion, exact.D_eff, resolution * exact.D_eff);
    }
  }
}

}  // namespace

TEST_CASE("velocity and effective diffusion in tilted potentials match Stratonovich's integrals" *
          doctest::test_suite("quick")) {
  check_potentials(true);
}
TEST_CASE(
    "velocity and effective diffusion in tilted potentials match Stratonovich's integrals: other ways to write one") {
  check_potentials(false);
}
