#include "nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

namespace bmsim {
namespace {

/// Nobody misspells a name of more letters: it is a text in the place of a name.
constexpr size_t longest = 256;

/// Twice the number of edits (insert, delete, replace, swap neighbours) from a to b; a letter's case is half an edit.
size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> before_last, last, row;  // from the first i - 2, i - 1, i letters of a, to all beginnings of b
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

/// Names used here, and other words of physicists for them, in lower case. Of several names the first known one counts.
struct Synonyms {
  std::string_view meant, said;
};
constexpr Synonyms synonyms[] = {
    // parameters
    {"omega", "frequency freq angular_frequency"},
    {"T", "temperature temp theta"},
    {"T D", "kt"},
    {"gamma", "viscosity friction damping drag"},
    {"mass", "m inertia"},
    {"D", "intensity noise_intensity diffusion_coefficient"},
    {"D V0 amplitude", "strength"},
    {"V0", "height barrier depth"},
    {"V0 A F scale", "amplitude"},
    {"L", "period length wavelength"},
    {"k", "stiffness spring_constant"},
    {"k b", "asymmetry"},
    {"lambda nu mu_a", "rate"},
    {"tau", "correlation_time tau_c"},
    // components
    {"gaussian", "gaussian_white white_gaussian white_noise white thermal wiener brownian normal box_muller"},
    {"poisson", "shot shot_noise"},
    {"dichotomous", "telegraph random_telegraph dichotomic two_state"},
    {"ornstein_uhlenbeck", "ou coloured colored"},
    {"levy", "alpha_stable stable"},
    {"sine cosine", "sinusoidal sin cos"},
    {"sine", "washboard josephson"},
    {"double_well", "bistable quartic"},
    {"harmonic", "quadratic parabolic trap"},
    {"piecewise_linear", "sawtooth linear"},
    {"table", "spline tabulated"},
    {"free", "flat none"},
    {"formula", "custom user function expression"},
    {"cosine", "harmonic"},
    {"biharmonic", "bichromatic"},
    {"square", "rectangular"},
    {"drive force", "forcing"},
    {"drive", "driving"},
    {"force", "load bias tilt f"},
    // runs
    {"observe", "observables observable measure"},
    {"dt", "timestep time_step step h"},
    {"spp", "steps_per_period"},
    {"time", "duration total_time t_max tmax t_end"},
    {"paths", "trajectories particles realizations realisations ensemble n trajectory"},
    {"transient", "burn_in relaxation"},
    {"method", "integrator scheme solver algorithm"},
    {"initial", "start x0 initial_conditions"},
    {"output", "file filename"},
    {"tolerance", "accuracy"},
    {"sweep", "parameters scan"},
    {"seed", "random_seed"},
    // words
    {"heun", "stochastic_heun rk2 srk2 runge_kutta"},
    {"euler", "euler_maruyama"},
    {"aboba", "baoab"},
    {"exact", "event event_driven"},
    {"single", "float float32 f32"},
    {"double", "float64 f64"},
    {"cuda", "gpu"},
    // observables
    {"velocity", "mean_velocity drift v"},
    {"diffusion", "d_eff deff"},
    {"moments", "msd mean_square_displacement variance mean"},
    {"density", "histogram pdf distribution"},
    {"spectrum", "psd power_spectrum"},
    {"correlation", "acf autocorrelation"},
    {"first_passage", "mfpt escape"},
    {"residence", "dwell"},
    {"turning_points", "reversals crossings"},
    {"stroboscope", "poincare"},
    {"kinetic_energy", "energy"},
    {"integral", "functional jarzynski"},
    {"heat", "dissipation"},
    {"entropy_production", "entropy"},
    {"response", "susceptibility snr"},
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
  for (const Synonyms& synonym : synonyms) {
    if (std::ranges::count(words_in(synonym.said), said) == 0) continue;
    for (const std::string& word : words_in(synonym.meant)) {
      const std::string full = std::string(before) + word;
      if (std::ranges::count(known, full) > 0) return full;
    }
  }
  return "";
}

}  // namespace

std::vector<std::string> words_in(std::string_view text) {
  constexpr std::string_view space = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (size_t end = 0, begin; (begin = text.find_first_not_of(space, end)) != text.npos;) {
    end = std::min(text.find_first_of(space, begin), text.size());
    words.emplace_back(text.substr(begin, end - begin));
  }
  return words;
}

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
