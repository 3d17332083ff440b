// Both fluxes obey u' = -k u - s J with k, s constant on a piece, s > 0. With Phi = int k the solution that flows to
// the left is u(x) = J int_x s exp[Phi(y) - Phi(x)] dy, from x up to where u vanishes, or over one period and divided
// by 1 - exp[Phi(L)]: sums of positive terms. Probability is int w u.
#include "theory/pieces.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "numbers.h"
#include "theory/log_sum.h"

namespace bmsim::theory {
namespace {

constexpr double none = -infinity;  // logarithm of 0
constexpr double still = 1e-14;     // relative to the largest force: below it a force is a rounding error

/// log[(e^z - 1)/z]
double log_phi1(double z) {
  if (std::abs(z) < 1e-8) return z / 2;
  return z > 0 ? z + std::log(-std::expm1(-z) / z) : std::log(std::expm1(z) / z);
}
/// log[(e^z - 1 - z)/z^2]
double log_phi2(double z) {
  if (std::abs(z) < 0.3) {
    double sum = 0;
    for (int n = 14; n >= 2; --n) sum = (sum * z + 1) / n;  // 1/2! + z/3! + ..., by Horner: / n, n - 1, ... 2
    return std::log(sum);
  }
  return z > 0 ? z + std::log((1 - (1 + z) * std::exp(-z)) / (z * z)) : std::log((std::expm1(z) - z) / (z * z));
}

/// Coefficients on a piece. The density is w times the flux.
struct Flow {
  double width, k, s, w;
  double climb() const { return k * width; }
};

std::vector<Flow> mirrored(std::vector<Flow> flows) {
  std::reverse(flows.begin(), flows.end());
  for (Flow& flow : flows) flow.k = -flow.k;
  return flows;
}

/// A run of pieces that the flux leaves on its left, for J = 1 and no flux at its right end.
struct Run {
  double end, mass;  ///< logarithms of u at the left end, and of int w u
};
Run run_left(const std::vector<Flow>& flows) {
  double u = none;
  LogSum mass;
  for (auto flow = flows.rbegin(); flow != flows.rend(); ++flow) {
    const double z = flow->climb(), source = std::log(flow->s * flow->width);
    // int over the piece of w u: the flux from its right, and the flux that begins on it.
    mass.add(u + std::log(flow->w * flow->width) + log_phi1(z));
    mass.add(source + std::log(flow->w * flow->width) + log_phi2(z));
    u = log_add(u + z, source + log_phi1(z));
  }
  return {u, mass.log()};
}

/// log int_0^L dx w(x) int_x^(x + L) dy s(y) exp[Phi(y) - Phi(x)].
double log_period(const std::vector<Flow>& flows) {
  double total = 0;
  for (const Flow& flow : flows) total += flow.climb();
  LogSum sum;
  for (size_t i = 0; i < flows.size(); ++i) {
    check_interruption();
    const Flow& x = flows[i];
    const double weight = std::log(x.w * x.width);
    const double log_weight = weight + std::log(x.s * x.width);
    sum.add(log_weight + log_phi2(x.climb()));
    double between = 0;
    for (size_t step = 1; step < flows.size(); ++step) {
      const Flow& y = flows[(i + step) % flows.size()];
      sum.add(weight + log_phi1(x.climb()) + between + std::log(y.s * y.width) + log_phi1(y.climb()));
      between += y.climb();
    }
    sum.add(log_weight + total + log_phi2(-x.climb()));
  }
  return sum.log();
}

/// J of a flux that goes round, in the given flows to the left: J > 0, and Phi(L) < 0.
double circular_flux(const std::vector<Flow>& flows, double climb, double other_mass) {
  return std::exp(log_one_less(-climb) - log_add(log_period(flows), other_mass));
}

double length(const std::vector<Piece>& pieces) {
  double sum = 0;
  for (const Piece& piece : pieces) sum += piece.width;
  return sum;
}

std::vector<Piece> mirrored(std::vector<Piece> pieces) {
  std::reverse(pieces.begin(), pieces.end());
  for (Piece& piece : pieces) piece.force = -piece.force;
  return pieces;
}

/// v / L if the motion between kicks has both signs, or stands still somewhere: every run of pieces of one sign begins
/// at a top and ends where the particle waits for a kick.
double poisson_with_stops(const std::vector<Piece>& pieces, const std::vector<int>& sign, const PoissonNoise& noise) {
  const size_t count = pieces.size();
  const auto flow = [&](size_t i) {
    const double c = std::abs(pieces[i].force + noise.drift);
    return Flow{pieces[i].width, sign[i] * noise.rate / c + 1 / noise.zeta, 1 / noise.zeta, 1 / c};
  };
  LogSum mass;
  const auto add = [&](const std::vector<Flow>& run) {
    const auto [end, inside] = run_left(run);
    mass.add(inside);
    mass.add(end - std::log(noise.rate));
  };
  for (size_t i = 0; i < count; ++i) {
    if (sign[i] == 0) mass.add(std::log(pieces[i].width / (noise.rate * noise.zeta)));
    if (sign[i] == 0 || sign[(i + count - 1) % count] == sign[i]) continue;
    std::vector<Flow> run;
    for (size_t k = i; sign[k % count] == sign[i]; ++k) run.push_back(flow(k % count));
    add(sign[i] < 0 ? run : mirrored(run));
  }
  return std::exp(-mass.log());
}

}  // namespace

double poisson_velocity(const std::vector<Piece>& pieces, const PoissonNoise& noise) {
  if (noise.zeta < 0) return -poisson_velocity(mirrored(pieces), {noise.rate, -noise.zeta, -noise.drift});
  double largest = std::abs(noise.drift);
  for (const Piece& piece : pieces) largest = std::max(largest, std::abs(piece.force));
  std::vector<int> sign;
  for (const Piece& piece : pieces) {
    const double c = piece.force + noise.drift;
    sign.push_back(std::abs(c) <= still * largest ? 0 : c > 0 ? 1 : -1);
  }
  const double L = length(pieces);
  if (sign.front() == 0 || std::ranges::any_of(sign, [&](int s) { return s != sign.front(); }))
    return L * poisson_with_stops(pieces, sign, noise);
  std::vector<Flow> flows;
  double climb = 0;
  for (const Piece& piece : pieces) {
    const double c = piece.force + noise.drift;
    flows.push_back({piece.width, noise.rate / c + 1 / noise.zeta, 1 / noise.zeta, 1 / std::abs(c)});
    climb += flows.back().climb();
  }
  if (climb == 0) return 0;
  if (sign.front() > 0) return L * circular_flux(mirrored(flows), -climb, none);
  return climb < 0 ? L * circular_flux(flows, climb, none) : -L * circular_flux(mirrored(flows), -climb, none);
}

double dichotomous_velocity(const std::vector<Piece>& pieces, const DichotomousNoise& noise) {
  // Flux of the upper state, u, and of the lower one, r = u - J; what feeds u where J < 0 feeds r where J > 0.
  std::vector<Flow> upper, lower;
  double climb = 0;
  for (const auto& [width, force] : pieces) {
    const double down = noise.Fa - force, up = force + noise.Fb;
    if (!(down > 0)) fail("Fa must be > {:.6g}, the largest force, got {}", force, noise.Fa);
    if (!(up > 0)) fail("Fb must be > {:.6g}, the largest force against it, got {}", -force, noise.Fb);
    const double k = noise.mu_b / up - noise.mu_a / down;
    upper.push_back({width, k, noise.mu_a / down, 1 / up});
    lower.push_back({width, k, noise.mu_b / up, 1 / down});
    climb += k * width;
  }
  const double L = length(pieces);
  if (climb == 0) return 0;
  if (climb < 0) {  // J > 0: u = J int s_u exp(...), r = J int s_r exp(...)
    return L * circular_flux(upper, climb, log_period(lower));
  }
  return -L * circular_flux(mirrored(upper), -climb, log_period(mirrored(lower)));
}

}  // namespace bmsim::theory
