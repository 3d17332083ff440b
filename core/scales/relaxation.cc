#include "scales/relaxation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "numbers.h"

namespace bmsim {
namespace {

constexpr double fine = 0.2;             // largest change of V over the temperature between two places
constexpr double far_up = 30;            // in units of the temperature: higher places are hardly ever reached
constexpr size_t most_places = 200'000;  // from which on no more are added
constexpr int most_halvings = 30;

/// An energy u at ascending places x, over the temperature, with the minimum 0.
struct Profile {
  std::vector<double> x, u;
};

/// Adds places between a and b until V hardly changes from one to the next; none where particles hardly ever are.
void add_between(const std::function<double(double)>& energy, double temperature, double a, double Va, double b,
                 double Vb, double least, int halvings, Profile& profile) {
  const double x = (a + b) / 2;
  if (halvings == 0 || profile.x.size() > most_places || !(x > a && x < b)) return;
  const double V = energy(x);
  if (!std::isfinite(V)) return;
  const bool high = std::min({Va, V, Vb}) > least + far_up * temperature;
  const bool smooth = std::max(std::abs(V - Va), std::abs(Vb - V)) <= fine * temperature;
  if (high || smooth) return;
  add_between(energy, temperature, a, Va, x, V, least, halvings - 1, profile);
  profile.x.push_back(x), profile.u.push_back(V);
  add_between(energy, temperature, x, V, b, Vb, least, halvings - 1, profile);
}

Profile profile_of(const std::function<double(double)>& energy, const std::vector<double>& places, double temperature) {
  Profile given;
  for (const double x : places) {
    const double V = energy(x);
    if (std::isfinite(V)) given.x.push_back(x), given.u.push_back(V);
  }
  if (given.x.size() < 3) return {};
  const double least = std::ranges::min(given.u);
  Profile profile;
  for (size_t i = 0; i < given.x.size(); ++i) {
    if (i > 0)
      add_between(energy, temperature, given.x[i - 1], given.u[i - 1], given.x[i], given.u[i], least, most_halvings,
                  profile);
    profile.x.push_back(given.x[i]), profile.u.push_back(given.u[i]);
  }
  const double lowest = std::ranges::min(profile.u);
  for (double& u : profile.u) u = (u - lowest) / temperature;
  return profile;
}

/// Boltzmann's law: probabilities of the places, and the partition function Z.
struct Law {
  std::vector<double> p;
  double Z = 0;
};
Law boltzmann(const Profile& V) {
  const size_t n = V.x.size();
  Law law{std::vector<double>(n)};
  for (size_t i = 0; i < n; ++i) {
    const double width = ((i + 1 < n ? V.x[i + 1] : V.x[i]) - (i > 0 ? V.x[i - 1] : V.x[i])) / 2;
    law.p[i] = width * std::exp(-V.u[i]);
  }
  law.Z = std::accumulate(law.p.begin(), law.p.end(), 0.0);
  for (double& probability : law.p) probability /= law.Z;
  return law;
}

/// Without inertia, for D = 1: inverse iteration with the generator of jumps between neighbours. Its solution is a sum
/// over fluxes.
double by_diffusion(const Profile& V, const Law& law) {
  constexpr int iterations = 60, least_iterations = 8;
  constexpr double settled = 1e-3;
  const size_t n = V.x.size();
  const auto& [p, Z] = law;
  std::vector<double> resistance(n - 1);
  for (size_t i = 0; i + 1 < n; ++i)
    resistance[i] = Z * (V.x[i + 1] - V.x[i]) * std::exp(std::min((V.u[i] + V.u[i + 1]) / 2, 690.0));
  std::vector<double> g(n), h(n), fluxes(n - 1);
  const auto centre = [&p = p, n](std::vector<double>& f) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; ++i) mean += p[i] * f[i];
    for (double& value : f) value -= mean;
    for (size_t i = 0; i < n; ++i) square += p[i] * f[i] * f[i];
    return std::sqrt(square);
  };
  // The eigenfunction of the slowest relaxation rises everywhere, and so does this first guess.
  std::partial_sum(p.begin(), p.end(), g.begin());
  const auto middle = static_cast<size_t>(std::ranges::lower_bound(g, 0.5) - g.begin());
  double time = 0, scale = centre(g);
  for (int k = 0; k < iterations && scale > 0 && std::isfinite(scale); ++k) {
    for (double& value : g) value /= scale;
    // The sums over both sides of a place are opposite. The shorter one has smaller rounding errors, which high places
    // magnify.
    double flux = 0;
    for (size_t i = 0; i < middle; ++i) fluxes[i] = flux += p[i] * g[i];
    flux = 0;
    for (size_t i = n - 1; i > middle; --i) fluxes[i - 1] = -(flux += p[i] * g[i]);
    h[0] = 0;
    for (size_t i = 0; i + 1 < n; ++i) h[i + 1] = h[i] - fluxes[i] * resistance[i];
    scale = centre(h);
    std::swap(g, h);
    const bool ends = std::abs(scale - time) < settled * scale && k >= least_iterations;
    time = scale;
    if (ends) break;
  }
  return time;
}

/// With inertia: the longest time in which a well fills or empties, by diffusion of the energy or the passage itself.
double by_energy(const Profile& V, const Law& law, const ThermalParticle& particle) {
  const size_t n = V.x.size();
  const std::vector<double>& p = law.p;
  const double T = particle.temperature, m = particle.mass, gamma = particle.gamma;
  std::vector<double> sums(n + 1);
  std::partial_sum(p.begin(), p.end(), sums.begin() + 1);
  double longest = 0;
  // [from, to) is where V is below a top, on one side of it.
  const auto well = [&](size_t from, size_t to, double top) {
    double action = 0, lowest = top;
    for (size_t i = from; i < to; ++i) {
      lowest = std::min(lowest, V.u[i]);
      if (i + 1 < to) action += (V.x[i + 1] - V.x[i]) * std::sqrt(std::max(0.0, top - (V.u[i] + V.u[i + 1]) / 2));
    }
    if (!(top - lowest > 1)) return;
    action *= 2 * std::sqrt(2 * m * T);
    const double inside = sums[to] - sums[from], loss = gamma * action / (m * T);
    const double passages = std::sqrt(T / (2 * pi * m)) * std::exp(-top) / law.Z;
    longest = std::max(longest, inside * (1 - inside) / passages * (1 + 1 / loss));
  };
  for (size_t i = 1; i + 1 < n; ++i) {
    if (!(V.u[i] >= V.u[i - 1] && V.u[i] > V.u[i + 1])) continue;
    size_t from = i, to = i + 1;
    while (from > 0 && V.u[from - 1] <= V.u[i]) --from;
    while (to < n && V.u[to] < V.u[i]) ++to;
    well(from, i, V.u[i]);
    well(i + 1, to, V.u[i]);
  }
  return longest;
}

}  // namespace

double slowest_relaxation(const std::function<double(double)>& energy, const std::vector<double>& places,
                          const ThermalParticle& particle) {
  if (!(particle.temperature > 0 && particle.gamma > 0)) return 0;
  const Profile V = profile_of(energy, places, particle.temperature);
  if (V.x.size() < 3) return 0;
  const Law law = boltzmann(V);
  const double time = by_diffusion(V, law) * particle.gamma / particle.temperature;
  if (!(particle.mass > 0)) return time;
  return time + by_energy(V, law, particle) + particle.mass / particle.gamma;
}

double boltzmann_mean(const std::function<double(double)>& energy, const std::vector<double>& places,
                      double temperature, const std::function<double(double)>& function) {
  if (!(temperature > 0)) return nan;
  const Profile V = profile_of(energy, places, temperature);
  if (V.x.size() < 3) return nan;
  const Law law = boltzmann(V);
  double mean = 0;
  for (size_t i = 0; i < V.x.size(); ++i)
    if (law.p[i] > 0) mean += law.p[i] * function(V.x[i]);
  return mean;
}

}  // namespace bmsim
