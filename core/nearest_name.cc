#include "nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <vector>

namespace bmsim {
namespace {

/// Nobody misspells a name of more letters: it is a text in the place of a name.
constexpr size_t longest = 256;

/// Twice the number of edits (insert, delete, replace, swap neighbours) from a to b; a letter's case is half an edit.
size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> before_last, last,
      row;  // from the first i - 2, i - 1 and i letters of a, to every beginning of b
  for (size_t i = 0; i <= a.size(); ++i) {
    row.assign(b.size() + 1, 2 * i);
    for (size_t j = 1; j <= b.size(); ++j) {
      if (i == 0) {
        row[j] = 2 * j;
        continue;
      }
      const size_t replace = a[i - 1] == b[j - 1] ? 0 : lower(a[i - 1]) == lower(b[j - 1]) ? 1 : 2;
      row[j] = std::min({last[j] + 2, row[j - 1] + 2, last[j - 1] + replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 2);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

/// Other words of physicists, in lower case, and the names used here; the first known name counts.
struct Synonym {
  std::string_view said, meant;
};
constexpr Synonym synonyms[] = {
    // parameters
    {"frequency", "omega"},
    {"freq", "omega"},
    {"angular_frequency", "omega"},
    {"temperature", "T"},
    {"temp", "T"},
    {"kt", "T D"},
    {"theta", "T"},
    {"viscosity", "gamma"},
    {"friction", "gamma"},
    {"damping", "gamma"},
    {"drag", "gamma"},
    {"m", "mass"},
    {"inertia", "mass"},
    {"intensity", "D"},
    {"noise_intensity", "D"},
    {"strength", "D V0 amplitude"},
    {"diffusion_coefficient", "D"},
    {"height", "V0"},
    {"barrier", "V0"},
    {"depth", "V0"},
    {"amplitude", "V0 A F scale"},
    {"period", "L"},
    {"length", "L"},
    {"wavelength", "L"},
    {"stiffness", "k"},
    {"spring_constant", "k"},
    {"asymmetry", "k b"},
    {"rate", "lambda nu mu_a"},
    {"correlation_time", "tau"},
    {"tau_c", "tau"},
    // components
    {"gaussian_white", "gaussian"},
    {"white_gaussian", "gaussian"},
    {"white_noise", "gaussian"},
    {"white", "gaussian"},
    {"thermal", "gaussian"},
    {"wiener", "gaussian"},
    {"brownian", "gaussian"},
    {"shot", "poisson"},
    {"shot_noise", "poisson"},
    {"telegraph", "dichotomous"},
    {"random_telegraph", "dichotomous"},
    {"dichotomic", "dichotomous"},
    {"two_state", "dichotomous"},
    {"ou", "ornstein_uhlenbeck"},
    {"coloured", "ornstein_uhlenbeck"},
    {"colored", "ornstein_uhlenbeck"},
    {"alpha_stable", "levy"},
    {"stable", "levy"},
    {"sinusoidal", "sine cosine"},
    {"washboard", "sine"},
    {"josephson", "sine"},
    {"bistable", "double_well"},
    {"quartic", "double_well"},
    {"quadratic", "harmonic"},
    {"parabolic", "harmonic"},
    {"trap", "harmonic"},
    {"sawtooth", "piecewise_linear"},
    {"linear", "piecewise_linear"},
    {"spline", "table"},
    {"tabulated", "table"},
    {"flat", "free"},
    {"none", "free"},
    {"custom", "formula"},
    {"user", "formula"},
    {"function", "formula"},
    {"expression", "formula"},
    {"sin", "sine cosine"},
    {"cos", "sine cosine"},
    {"harmonic", "cosine"},
    {"bichromatic", "biharmonic"},
    {"rectangular", "square"},
    {"forcing", "drive force"},
    {"driving", "drive"},
    {"load", "force"},
    {"bias", "force"},
    {"tilt", "force"},
    {"f", "force"},
    // runs
    {"observables", "observe"},
    {"observable", "observe"},
    {"timestep", "dt"},
    {"time_step", "dt"},
    {"step", "dt"},
    {"h", "dt"},
    {"steps_per_period", "spp"},
    {"duration", "time"},
    {"total_time", "time"},
    {"t_max", "time"},
    {"tmax", "time"},
    {"t_end", "time"},
    {"trajectories", "paths"},
    {"particles", "paths"},
    {"realizations", "paths"},
    {"realisations", "paths"},
    {"ensemble", "paths"},
    {"n", "paths"},
    {"burn_in", "transient"},
    {"relaxation", "transient"},
    {"integrator", "method"},
    {"scheme", "method"},
    {"solver", "method"},
    {"algorithm", "method"},
    {"measure", "observe"},
    {"start", "initial"},
    {"x0", "initial"},
    {"initial_conditions", "initial"},
    {"file", "output"},
    {"filename", "output"},
    {"accuracy", "tolerance"},
    {"parameters", "sweep"},
    {"scan", "sweep"},
    {"random_seed", "seed"},
    // words
    {"stochastic_heun", "heun"},
    {"euler_maruyama", "euler"},
    {"rk2", "heun"},
    {"srk2", "heun"},
    {"runge_kutta", "heun"},
    {"baoab", "aboba"},
    {"event", "exact"},
    {"event_driven", "exact"},
    {"normal", "gaussian"},
    {"box_muller", "gaussian"},
    {"float", "single"},
    {"float32", "single"},
    {"f32", "single"},
    {"float64", "double"},
    {"f64", "double"},
    {"gpu", "cuda"},
    // observables
    {"mean_velocity", "velocity"},
    {"drift", "velocity"},
    {"v", "velocity"},
    {"d_eff", "diffusion"},
    {"deff", "diffusion"},
    {"msd", "moments"},
    {"mean_square_displacement", "moments"},
    {"variance", "moments"},
    {"mean", "moments"},
    {"histogram", "density"},
    {"pdf", "density"},
    {"distribution", "density"},
    {"psd", "spectrum"},
    {"power_spectrum", "spectrum"},
    {"acf", "correlation"},
    {"autocorrelation", "correlation"},
    {"mfpt", "first_passage"},
    {"escape", "first_passage"},
    {"dwell", "residence"},
    {"reversals", "turning_points"},
    {"crossings", "turning_points"},
    {"poincare", "stroboscope"},
    {"trajectory", "paths"},
    {"energy", "kinetic_energy"},
    {"functional", "integral"},
    {"jarzynski", "integral"},
    {"dissipation", "heat"},
    {"entropy", "entropy_production"},
    {"susceptibility", "response"},
    {"snr", "response"},
};

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// "gaussian.temperature" -> "gaussian.T": the part before the dot is kept.
std::string meant_by(std::string_view name, std::span<const std::string> known) {
  const size_t dot = name.rfind('.');
  const std::string_view before = dot == name.npos ? std::string_view() : name.substr(0, dot + 1);
  const std::string said = lower_case(name.substr(before.size()));
  for (const Synonym& one : synonyms) {
    if (one.said != said) continue;
    std::istringstream words{std::string(one.meant)};
    for (std::string word; words >> word;) {
      const std::string full = std::string(before) + word;
      if (std::find(known.begin(), known.end(), full) != known.end()) return full;
    }
  }
  return "";
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  constexpr size_t letters_case = 1;
  if (name.size() > longest) return "";
  const std::string meant = meant_by(name, known);
  std::string nearest;
  size_t least = std::numeric_limits<size_t>::max();
  for (const std::string& candidate : known) {
    const size_t length = std::max(name.size(), candidate.size());
    if (length > longest) continue;
    const size_t distance = edit_distance(name, candidate);
    // One edit in three letters, but never all of them: 'b' is not a misspelt 'a'.
    if (distance > std::max<size_t>(2, 2 * (length / 3)) || distance >= 2 * length || distance >= least) continue;
    least = distance;
    nearest = candidate;
  }
  return meant.empty() || least <= letters_case ? nearest : meant;
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) return fmt::format("; did you mean '{}'?", nearest);
  return fmt::format("; known: {}", known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", ")));
}

}  // namespace bmsim
