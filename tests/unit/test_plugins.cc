// The plugins that come with bmsim: V' against V, periods, segments, parametrisations, time scales, laws of the noises.
#include <doctest/doctest.h>

// Before the registry, which wants the descriptor alone. Without BM_HOST the plugins' files are their device text.
#include <bmsim/plugin.h>
#undef BM_HOST

#include <cmath>

#include "error.h"
#include "plugin/schema.h"

// NOLINTBEGIN(bugprone-suspicious-include): a plugin is one file
namespace poisson {
#include "../../plugins/noise/poisson.cc"
}
namespace dichotomous {
#include "../../plugins/noise/dichotomous.cc"
}
namespace gaussian {
#include "../../plugins/noise/gaussian.cc"
}
// NOLINTEND(bugprone-suspicious-include)

using namespace bmsim;
using doctest::Approx;

namespace {

using Values = std::vector<double>;

const Plugin& shipped(std::string_view name) {
  Registry::instance().load_directory(BMSIM_PLUGIN_BUILD_DIR);
  return Registry::instance().find(name);
}
double value(const Plugin& plugin, const Values& values, const char* name) {
  return values[find_parameter(plugin, name).slot];
}
Values resolved(const Plugin& plugin, const Given& given) { return resolve(plugin, given, plugin->id); }

struct PotentialCase {
  const char* id;
  Given given;
  std::vector<double> kinks;  // in one period, as u
};
const std::vector<PotentialCase> potentials = {
    {"free", {}, {}},
    {"harmonic", {}, {}},
    {"harmonic", {{"k", 2.5}}, {}},
    {"sine", {}, {}},
    {"sine", {{"V0", -0.7}, {"L", 3}, {"phase", 40}}, {}},
    {"piecewise_linear", {}, {0, 0.5}},
    {"piecewise_linear", {{"V0", 1.7}, {"L", 3}, {"k", 0.2}}, {0, 0.8}},
    {"piecewise_linear", {{"V0", -0.5}, {"L", 0.4}, {"k", 0.95}}, {0, 0.05}},
};

bool near_kink(double u, const std::vector<double>& kinks) {
  for (const double kink : kinks)
    if (std::abs(u - kink - std::rint(u - kink)) < 1e-3) return true;
  return false;
}

// Parameters and constants of a noise under the names its device text uses.
struct PoissonValues {
  double bias, interval, zeta;
};
PoissonValues poisson_values(const Values& values) {
  const bm_plugin& d = *shipped("noise.poisson");
  return {values[d.constants[0].slot], values[d.constants[1].slot], value(shipped("noise.poisson"), values, "zeta")};
}
struct DichotomousValues {
  double Fb, down, tau_a, tau_b, occupation;
};
DichotomousValues dichotomous_values(const Values& values) {
  const bm_plugin& d = *shipped("noise.dichotomous");
  const auto constant = [&](size_t i) { return values[d.constants[i].slot]; };
  return {value(shipped("noise.dichotomous"), values, "Fb"), constant(0), constant(1), constant(2), constant(3)};
}

struct NoState {};
struct Telegraph {
  double up = 0;
};

}  // namespace

TEST_CASE("Potentials: the force is -V'(x), numerically, away from kinks") {
  for (const PotentialCase& one : potentials) {
    CAPTURE(one.id);
    const Plugin& plugin = shipped(std::string("potential.") + one.id);
    const Values values = resolved(plugin, one.given);
    const double L = period(plugin, values, one.id);
    const double h = 1e-5;
    for (int i = -2500; i <= 2500; ++i) {
      const double u = i * 1e-3 + 0.00037;
      if (near_kink(u, one.kinks)) continue;
      const double slope = (plugin->energy(u + h, values.data()) - plugin->energy(u - h, values.data())) / (2 * h);
      const double force = plugin->force(u, values.data());
      REQUIRE_MESSAGE(std::abs(force + slope / (L > 0 ? L : 1)) < 1e-7, "at u = ", u);
    }
  }
}

TEST_CASE("Potentials: V and the force repeat with the period") {
  for (const PotentialCase& one : potentials) {
    CAPTURE(one.id);
    const Plugin& plugin = shipped(std::string("potential.") + one.id);
    if (!plugin->period) continue;
    const Values values = resolved(plugin, one.given);
    for (int i = -500; i < 500; ++i) {
      const double u = i * 1e-3 + 0.00037;
      for (const double shift : {-3, 1, 5}) {
        REQUIRE(plugin->energy(u + shift, values.data()) == Approx(plugin->energy(u, values.data())));
        REQUIRE(plugin->force(u + shift, values.data()) == Approx(plugin->force(u, values.data())));
      }
    }
  }
}

TEST_CASE("Potentials: segments tile one period and agree with the force and the energy") {
  for (const PotentialCase& one : potentials) {
    CAPTURE(one.id);
    const Plugin& plugin = shipped(std::string("potential.") + one.id);
    if (!plugin->segments) continue;
    const Values values = resolved(plugin, one.given);
    const double L = period(plugin, values, one.id);
    bm_segment all[8];
    const uint32_t count = plugin->segments(values.data(), all, 8);
    CHECK(plugin->segments(values.data(), all, 0) == count);
    REQUIRE(count <= 8);
    CHECK(all[count - 1].right - all[0].left == Approx(1));
    for (uint32_t i = 0; i < count; ++i) {
      if (i > 0) CHECK(all[i].left == all[i - 1].right);
      CHECK(all[i].left < all[i].right);
      const auto energy = [&](double u) { return plugin->energy(u, values.data()); };
      const double length = (all[i].right - all[i].left) * L;
      CHECK(energy(all[i].right) - energy(all[i].left) == Approx(all[i].slope * length));
      for (int j = 1; j < 100; ++j) {
        const double u = all[i].left + (all[i].right - all[i].left) * j / 100;
        CHECK(plugin->force(u, values.data()) == -all[i].slope);
      }
    }
  }
}

TEST_CASE("Piecewise-linear potential: the default is 1 - |x| on [-1, 1], and k moves the minima") {
  const Plugin& plugin = shipped("potential.piecewise_linear");
  const Values paper = resolved(plugin, {});
  CHECK(period(plugin, paper, "") == 2);
  for (int i = -27; i < 27; ++i) {
    const double x = 0.037 * i + 0.0005;
    CHECK(plugin->energy(x / 2, paper.data()) == Approx(1 - std::abs(x)));
    CHECK(plugin->force(x / 2, paper.data()) == (x > 0 ? 1 : -1));
  }
  const Values ratchet = resolved(plugin, {{"V0", 3}, {"L", 1}, {"k", 0.2}});
  CHECK(plugin->energy(0, ratchet.data()) == 3);
  CHECK(plugin->energy(-0.2, ratchet.data()) == Approx(0));
  CHECK(plugin->energy(0.8, ratchet.data()) == Approx(0));
}

TEST_CASE("Sine potential: V0 sin(2 pi x / L + phase)") {
  const Plugin& plugin = shipped("potential.sine");
  const Values values = resolved(plugin, {{"V0", 2}, {"L", 3}, {"phase", 0.4}});
  for (int i = -23; i < 23; ++i) {
    const double x = 0.173 * i;
    CHECK(plugin->energy(x / 3, values.data()) == Approx(2 * std::sin(2 * M_PI * x / 3 + 0.4)));
  }
}

TEST_CASE("Cosine drive: A cos(omega t + phase), with the period as its time scale") {
  const Plugin& plugin = shipped("drive.cosine");
  const Values values = resolved(plugin, {{"amplitude", 4.2}, {"omega", 4.9}, {"phase", -9}});
  const double scale = time_scale(plugin, values, "cosine");
  CHECK(scale == Approx(2 * M_PI / 4.9));
  for (int i = 0; i < 70; ++i) {
    const double t = 0.071 * i;
    CHECK(plugin->force(t / scale, values.data()) == Approx(4.2 * std::cos(4.9 * t - 9)));
  }
}

TEST_CASE("Poissonian noise: every pair of parameters gives the same noise") {
  const Plugin& plugin = shipped("noise.poisson");
  for (const double zeta : {0.4, 1.0}) {
    const double lambda = 2.5;
    const Given all = {{"lambda", lambda}, {"zeta", zeta}, {"D", lambda * zeta * zeta}, {"a", lambda * zeta}};
    for (auto first = all.begin(); first != all.end(); ++first) {
      for (auto second = std::next(first); second != all.end(); ++second) {
        CAPTURE(first->first + " " + second->first);
        const Values values = resolved(plugin, {*first, *second});
        for (const auto& [name, expected] : all) CHECK(value(plugin, values, name.c_str()) == Approx(expected));
        CHECK(time_scale(plugin, values, "poisson") == Approx(1 / lambda));
      }
    }
  }
}

TEST_CASE("Every noise: the defaults are those of every parametrisation") {
  for (const char* name : {"noise.poisson", "noise.dichotomous", "noise.gaussian"}) {
    CAPTURE(name);
    const Plugin& plugin = shipped(name);
    const Values values = resolved(plugin, {});
    for (uint32_t i = 0; i < plugin->parameter_count; ++i)
      CHECK(value(plugin, values, plugin->parameters[i].name) == Approx(plugin->parameters[i].value));
  }
}

TEST_CASE("Poissonian noise: jumps of mean zeta at rate lambda, compensated by -a unless it is switched off") {
  const Plugin& plugin = shipped("noise.poisson");
  const PoissonValues p = poisson_values(resolved(plugin, {{"lambda", 4}, {"zeta", 0.5}}));
  NoState state;
  CHECK(poisson::drift<double>(state, p) == -2);
  CHECK(poisson::waiting<double>(state, p, 3.0) == 0.75);
  CHECK(poisson::event<double>(state, p, 3.0) == 1.5);
  const PoissonValues raw = poisson_values(resolved(plugin, {{"lambda", 4}, {"compensated", 0}}));
  CHECK(poisson::drift<double>(state, raw) == 0);
}

TEST_CASE("Dichotomous noise: Fa, Fb, tau have zero mean; both parametrisations agree") {
  const Plugin& plugin = shipped("noise.dichotomous");
  const Values values = resolved(plugin, {{"Fa", 3}, {"Fb", 1.6}, {"tau", 0.2}});
  const double mu_a = value(plugin, values, "mu_a");
  const double mu_b = value(plugin, values, "mu_b");
  CHECK(3 * mu_b == Approx(1.6 * mu_a));
  CHECK(mu_a + mu_b == Approx(5));
  const Values same = resolved(plugin, {{"Fa", 3}, {"Fb", 1.6}, {"mu_a", mu_a}, {"mu_b", mu_b}});
  for (size_t i = 0; i < values.size(); ++i) CHECK(same[i] == Approx(values[i]));
  CHECK(time_scale(plugin, values, "dichotomous") == Approx(1 / mu_a));
}

TEST_CASE("Dichotomous noise: waits 1/mu of its state, flips without a jump, starts from its stationary law") {
  const Plugin& plugin = shipped("noise.dichotomous");
  const DichotomousValues p = dichotomous_values(resolved(plugin, {{"Fa", 3}, {"Fb", 1.5}, {"mu_a", 4}, {"mu_b", 1}}));
  Telegraph state;
  CHECK(dichotomous::drift<double>(state, p) == -3);
  CHECK(dichotomous::waiting<double>(state, p, 2.0) == 0.5);
  CHECK(dichotomous::event<double>(state, p, 2.0) == 0);
  CHECK(dichotomous::drift<double>(state, p) == 1.5);
  CHECK(dichotomous::waiting<double>(state, p, 2.0) == 2);
  CHECK(dichotomous::event<double>(state, p, 2.0) == 0);
  CHECK(state.up == 0);
  int up = 0;  // P(Fb) = mu_a / (mu_a + mu_b) = 0.8
  for (int i = 0; i < 1000; ++i) {
    dichotomous::start<double>(state, p, (i + 0.5) / 1000);
    up += state.up > 0;
  }
  CHECK(up == 800);
}

TEST_CASE("Gaussian noise: sigma = sqrt(2 D), and T stands for D") {
  const Plugin& plugin = shipped("noise.gaussian");
  struct {
    double intensity;
  } p{};
  for (const char* name : {"D", "T"}) {
    const Values values = resolved(plugin, {{name, 0.32}});
    p.intensity = values[plugin->constants[0].slot];
    CHECK(gaussian::sigma<double>(p) == Approx(0.8));
    CHECK(value(plugin, values, "D") == value(plugin, values, "T"));
  }
}
