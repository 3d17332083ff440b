// Response to a drive: amplitude A and phase lag phi of <x(t)> = ... + A cos(k omega t - phi) at harmonics k of a
// frequency, over a whole number of its periods; and the signal-to-noise ratio pi A^2 / S(omega) of the first, with the
// two-sided spectral density S of the background at omega (L. Gammaitoni, P. Haenggi, P. Jung, F. Marchesoni, Rev. Mod.
// Phys. 70, 223, 1998).
//
// S is the scatter between the paths of the integral of w(t) x exp(i omega t), over the integral of w^2. In a window T
// with edges, w = 1, noise of all lower frequencies would add about 2 <x^2>/(omega^2 T), often more than S itself. With
// u the part of the window that has passed, the weight u (1 - u) makes this smaller by 30/(omega T)^2 (P. D. Welch,
// IEEE Trans. Audio Electroacoust. 15, 70, 1967). A second weight, u (1 - u) (1 - 2 u), looks at a wider band of
// frequencies. Where it gives another S, the band is too wide for S, and the difference is an error. Both weights
// follow from integrals of t^j x exp(i omega t).
#include <complex>
#include <numeric>

#include "error.h"
#include "hypotenuse.h"
#include "matrices.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Fewest standard errors of an amplitude that has a phase.
constexpr double fewest_errors = 3;
/// Part of the largest amplitude, or of a constant, up to which it may be rounding, which no error shows without noise.
constexpr double rounding_part = 3e-7;
constexpr size_t highest_power = 3;
/// Longest time to the end of the run, in windows: single precision then has t^3 to 10^-3 of the window's cube.
constexpr double longest_before = 25;
/// Fewest standard errors of a difference between two bands that is an error.
constexpr double fewest_errors_of_band = 3;

/// Coefficients of cos(k omega t) and sin(k omega t), for each path.
struct Quadratures {
  std::vector<double> c, s;
};

/// Integrals of w x exp(i omega t) over the square root of the integral of w^2, for each path, with both weights.
struct Weighted {
  std::vector<std::complex<double>> narrow, wide;
};

/// Whether a name of a parameter, as "cosine.omega", may have this character.
bool is_in_name(char c) { return is_word_character(c) || c == '.'; }

bool has_word(const std::string& formula, const std::string& word) {
  for (size_t at = 0; (at = formula.find(word, at)) != formula.npos; at += word.size())
    if ((at == 0 || !is_in_name(formula[at - 1])) &&
        (at + word.size() == formula.size() || !is_in_name(formula[at + word.size()])))
      return true;
  return false;
}

class Response : public Observable {
 public:
  explicit Response(const ObservableRequest& request) {
    ObservableRequest own_request = request;
    const auto word = [&](const char* option, const std::string& otherwise) {
      const auto found = own_request.words.extract(option);
      return found.empty() ? otherwise : found.mapped();
    };
    formula_ = word("of", "x");
    if (has_word(formula_, "t")) fail("observe.response: of must not contain t, got '{}'", formula_);
    suffix_ = word("name", "");
    omega_ = word("omega", "");
    Options options(own_request);
    if (omega_.empty()) {
      if (!own_request.numbers.contains("omega"))
        fail(
            "observe.response: omega must be given, a number or a parameter of the model, as in {{ omega = "
            "\"cosine.omega\" }}");
      omega_ = fmt::format("{}", options.number("omega", 1, 1e-300, 1e300));
    }
    harmonics_ = options.count("harmonics", 1, 1, 8);
    snr_ = options.flag("snr", false);
    options.end();
    if (!suffix_.empty() && !is_name(suffix_))
      fail("observe.response: name must be letters, digits and '_', no digit first, got '{}'", suffix_);
    if (!suffix_.empty()) suffix_ = "_" + suffix_;
  }
  std::string name() const override { return "response" + suffix_; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (size_t k = 1; k <= harmonics_; ++k)
      for (const char* quantity : {"amplitude", "phase", "snr"})
        if (quantity[0] != 's' || (k == 1 && snr_)) names.push_back(column(quantity, k));
    return names;
  }
  ColumnLabel label(const std::string& name) const override {
    for (size_t k = 1; k <= harmonics_; ++k) {
      const std::string subject = fmt::format("<{}> at {}omega", formula_, k == 1 ? "" : fmt::format("{} ", k));
      if (name == column("amplitude", k)) return {fmt::format("A_{}", k), "", "amplitude of " + subject};
      if (name == column("phase", k)) return {fmt::format("phi_{}", k), "radian", "phase lag of " + subject};
      if (name == column("snr", k)) return {"SNR", "1/time", "signal-to-noise ratio pi A^2/S(omega) of " + formula_};
    }
    return Observable::label(name);
  }
  Needs needs() const override {
    Needs needs{.windows = true, .steps = true, .coherence = true, .constants = {omega_}, .cycle = omega_};
    const std::string subject = "observe.response: of";
    const auto add = [&](const std::string& suffix, const std::string& formula) {
      needs.integrals.push_back({.name = name() + suffix, .formula = formula, .subject = subject});
    };
    const auto factor = [](const std::string& text) {
      return std::ranges::all_of(text, is_in_name) ? text : "(" + text + ")";
    };
    const std::string observed = factor(formula_), omega = factor(omega_);
    add("_mean", formula_);
    for (size_t k = 1; k <= harmonics_; ++k) {
      const std::string angle = k == 1 ? omega : fmt::format("{}*{}", k, omega);
      add(fmt::format("_c{}", k), fmt::format("{}*cos({}*t)", observed, angle));
      add(fmt::format("_s{}", k), fmt::format("{}*sin({}*t)", observed, angle));
    }
    for (size_t j = 1; snr_ && j <= highest_power; ++j) {
      const std::string power = j == 1 ? "t" : fmt::format("t^{}", j);
      add(fmt::format("_t{}c", j), fmt::format("{}*{}*cos({}*t)", observed, power, omega));
      add(fmt::format("_t{}s", j), fmt::format("{}*{}*sin({}*t)", observed, power, omega));
    }
    return needs;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const std::vector<Quadratures> harmonics = quadratures(m);
    double largest = std::abs(mean(m.window.counted.at("integral." + name() + "_mean")).value) / m.facts.window();
    for (const Quadratures& harmonic : harmonics)
      largest = std::max(largest, hypotenuse(mean(harmonic.c).value, mean(harmonic.s).value));
    const double rounding = rounding_part * largest;
    for (size_t k = 1; k <= harmonics_; ++k) {
      const auto [amplitude, phase] = of_harmonic(harmonics[k - 1], rounding);
      columns.push_back(amplitude);
      columns.push_back(phase);
      if (k == 1 && snr_) columns.push_back(signal_to_noise(harmonics[0], weighted(m), m.facts, rounding));
    }
  }
  std::vector<size_t> pooled_columns() const override {
    std::vector<size_t> indices(columns().size());
    std::iota(indices.begin(), indices.end(), 0);
    return indices;
  }
  /// The mean of what is observed; for every harmonic the means of c, s, c^2, c s and s^2; for both weights of the
  /// background the means of the real part, the imaginary part and the squared modulus.
  std::vector<double> pooled_numbers(const Measured& m) const override {
    std::vector<double> numbers = {mean(m.window.counted.at("integral." + name() + "_mean")).value / m.facts.window()};
    for (const Quadratures& harmonic : quadratures(m)) {
      double sums[5] = {};
      for (size_t i = 0; i < harmonic.c.size(); ++i)
        sums[0] += harmonic.c[i], sums[1] += harmonic.s[i], sums[2] += harmonic.c[i] * harmonic.c[i],
            sums[3] += harmonic.c[i] * harmonic.s[i], sums[4] += harmonic.s[i] * harmonic.s[i];
      for (const double sum : sums) numbers.push_back(sum / static_cast<double>(harmonic.c.size()));
    }
    if (!snr_) return numbers;
    const Weighted background = weighted(m);
    for (const auto* weights : {&background.narrow, &background.wide}) {
      std::complex<double> sum = 0;
      double squares = 0;
      for (const std::complex<double>& z : *weights) sum += z, squares += std::norm(z);
      for (const double part : {sum.real(), sum.imag(), squares})
        numbers.push_back(part / static_cast<double>(weights->size()));
    }
    return numbers;
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    double largest = std::abs(pooled.mean[0]);
    for (size_t k = 0; k < harmonics_; ++k)
      largest = std::max(largest, hypotenuse(pooled.mean[1 + 5 * k], pooled.mean[2 + 5 * k]));
    const double rounding = rounding_part * largest;
    std::vector<ColumnEstimate> column_estimates;
    for (size_t k = 0; k < harmonics_; ++k) {
      const size_t at = 1 + 5 * k;
      const double c = pooled.mean[at], s = pooled.mean[at + 1], length = hypotenuse(c, s);
      const double n_c = length > 0 ? c / length : 1, n_s = length > 0 ? s / length : 0;
      // of the means of c and s, from the scatter of shares or of paths
      const auto covariance = [&](size_t i, size_t j, size_t product) {
        if (!pooled.covariance.empty()) return pooled.of(at + i, at + j);
        return (pooled.mean[at + product] - pooled.mean[at + i] * pooled.mean[at + j]) / pooled.paths;
      };
      const double cc = covariance(0, 0, 2), cs = covariance(0, 1, 3), ss = covariance(1, 1, 4);
      const double along = n_c * n_c * cc + 2 * n_c * n_s * cs + n_s * n_s * ss,
                   across = n_s * n_s * cc - 2 * n_c * n_s * cs + n_c * n_c * ss;
      const auto root = [](double square) { return square < 0 ? 0 : std::sqrt(square); };
      const auto [amplitude, phase] = of_mean({c, s}, root(along), root(across), rounding);
      column_estimates.push_back({column_estimates.size(), amplitude});
      column_estimates.push_back({column_estimates.size(), phase});
      if (k == 0 && snr_)
        column_estimates.push_back({column_estimates.size(), signal_to_noise(pooled, facts, rounding)});
    }
    return column_estimates;
  }
  double order(const std::string& column) const override { return column.starts_with("snr") ? 2 : 1; }
  std::string own_warning(const Findings& found) const override {
    std::vector<std::string> phases, reasons;
    bool no_ratio = false;
    const std::vector<std::string> names = columns();
    for (size_t i = 0; i < names.size(); ++i) {
      if (!std::ranges::any_of(found.columns[i], [](const Estimate& e) { return std::isnan(e.value); })) continue;
      if (names[i].starts_with("phase")) phases.push_back(names[i]);
      if (names[i].starts_with("snr")) no_ratio = true;
    }
    if (!phases.empty())
      reasons.push_back(fmt::format(
          "{} is nan where the amplitude is less than {} standard errors, or {:g} of the largest one: it is "
          "noise, or rounding",
          fmt::join(phases, ", "), fewest_errors, rounding_part));
    if (no_ratio)
      reasons.push_back(fmt::format(
          "{} is nan {}", column("snr", 1),
          std::ranges::any_of(found.facts, &Response::begins_late)
              ? fmt::format("where the window is less than 1/{} of the run: give a longer time, or a shorter transient",
                            longest_before)
              : "without noise"));
    return reasons.empty() ? "" : fmt::format("{}: {}", name(), fmt::join(reasons, "; "));
  }

 private:
  std::string column(const char* quantity, size_t k) const {
    return quantity + suffix_ + (k == 1 ? "" : fmt::format("_{}", k));
  }

  /// The coefficients by least squares, for the mean and all harmonics together. Products are integrated over the
  /// actual window, whose ends are whole steps, so that a constant, however large, adds nothing to an amplitude.
  std::vector<Quadratures> quadratures(const Measured& m) const {
    const double omega = m.facts.constants.at(omega_), from = m.facts.transient, to = m.facts.total;
    const auto cos_integral = [&](double n) {
      return n == 0 ? to - from : (std::sin(n * omega * to) - std::sin(n * omega * from)) / (n * omega);
    };
    const auto sin_integral = [&](double n) {
      return n == 0 ? 0 : (std::cos(n * omega * from) - std::cos(n * omega * to)) / (n * omega);
    };
    const auto size = static_cast<Eigen::Index>(2 * harmonics_ + 1);
    Eigen::MatrixXd products(size, size);  // integrals of products of 1 = cos(0), cos, sin, cos(2 ...), ...
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) {
        const bool sine_i = i > 0 && i % 2 == 0, sine_j = j > 0 && j % 2 == 0;
        const double a = static_cast<double>((i + 1) / 2), b = static_cast<double>((j + 1) / 2);
        products(i, j) = sine_i && sine_j ? (cos_integral(a - b) - cos_integral(a + b)) / 2
                         : sine_i         ? (sin_integral(a + b) + sin_integral(a - b)) / 2
                         : sine_j         ? (sin_integral(a + b) + sin_integral(b - a)) / 2
                                          : (cos_integral(a - b) + cos_integral(a + b)) / 2;
      }
    const Eigen::MatrixXd inverse = matrices::Lu<Eigen::MatrixXd>(products).inverse();
    std::vector<std::span<const double>> sums = {m.window.counted.at("integral." + name() + "_mean")};
    for (size_t k = 1; k <= harmonics_; ++k)
      for (const char letter : {'c', 's'})
        sums.push_back(m.window.counted.at(fmt::format("integral.{}_{}{}", name(), letter, k)));
    std::vector<Quadratures> harmonics(harmonics_);
    Eigen::VectorXd projections(size);
    for (size_t path = 0; path < sums[0].size(); ++path) {
      for (Eigen::Index i = 0; i < size; ++i) projections(i) = sums[static_cast<size_t>(i)][path];
      const Eigen::VectorXd coefficients = matrices::product(inverse, projections);
      for (size_t k = 0; k < harmonics_; ++k) {
        harmonics[k].c.push_back(coefficients(static_cast<Eigen::Index>(2 * k + 1)));
        harmonics[k].s.push_back(coefficients(static_cast<Eigen::Index>(2 * k + 2)));
      }
    }
    return harmonics;
  }

  /// Amplitude and phase of the mean over the paths. What noise across the mean adds to the square of the amplitude is
  /// subtracted. The error of the amplitude is that along the mean, and the phase has the error across it.
  static std::pair<Estimate, Estimate> of_harmonic(const Quadratures& harmonic, double rounding) {
    const Estimate c = mean(harmonic.c), s = mean(harmonic.s);
    const double length = hypotenuse(c.value, s.value), n_c = c.value / length, n_s = s.value / length;
    if (!(length > 0)) return {{0, hypotenuse(c.error, s.error)}, {nan, nan}};
    std::vector<double> along, across;
    for (size_t i = 0; i < harmonic.c.size(); ++i) {
      along.push_back(n_c * harmonic.c[i] + n_s * harmonic.s[i]);
      across.push_back(n_c * harmonic.s[i] - n_s * harmonic.c[i]);
    }
    return of_mean({c.value, s.value}, mean_of_skewed(along).error, mean_of_skewed(across).error, rounding);
  }
  /// Amplitude and phase of a mean z. error: along the mean; turn: across it.
  static std::pair<Estimate, Estimate> of_mean(std::complex<double> z, double error, double turn, double rounding) {
    const double length = std::abs(z);
    const double amplitude = std::sqrt(std::max(0.0, length * length - (std::isnan(turn) ? 0 : turn * turn)));
    if (!(amplitude > rounding)) return {{amplitude, hypotenuse(error, rounding)}, {nan, nan}};
    if (!(amplitude >= fewest_errors * std::max(error, turn)) && !std::isnan(turn))
      return {{amplitude, error}, {nan, nan}};
    return {{amplitude, error}, {std::arg(z), turn / amplitude}};
  }

  static bool begins_late(const PointFacts& facts) { return facts.total > longest_before * facts.window(); }

  /// The weighted integrals without each path's own mean: what is constant along a path may be far more than the noise.
  Weighted weighted(const Measured& m) const {
    const double omega = m.facts.constants.at(omega_), from = m.facts.transient, T = m.facts.window();
    const auto counted = [&](const std::string& suffix) { return m.window.counted.at("integral." + name() + suffix); };
    std::array<std::span<const double>, highest_power + 1> c = {counted("_c1")}, s = {counted("_s1")};
    for (size_t j = 1; j <= highest_power; ++j)
      c[j] = counted(fmt::format("_t{}c", j)), s[j] = counted(fmt::format("_t{}s", j));
    const std::span<const double> sums = counted("_mean");
    // Integrals of the weights alone, over whole periods.
    const std::complex<double> start = std::polar(1.0, omega * from), i(0, 1);
    const std::complex<double> narrow = start * -2.0 / (T * omega * omega),
                               wide = start * i * 12.0 / (T * T * omega * omega * omega);
    Weighted integrals;
    for (size_t path = 0; path < sums.size(); ++path) {
      std::array<std::complex<double>, highest_power + 1> u;  // integrals of u^j x exp(i omega t)
      for (size_t j = 0; j <= highest_power; ++j) {
        u[j] = {c[j][path], s[j][path]};
        // (t - from)^j from t^j and lower powers of t - from
        double binomial = 1;
        for (size_t k = 0; k < j; ++k) {
          u[j] -= binomial * std::pow(from, j - k) * u[k] * std::pow(T, k);
          binomial *= static_cast<double>(j - k) / static_cast<double>(k + 1);
        }
        u[j] /= std::pow(T, j);
      }
      const double constant = sums[path] / T;
      integrals.narrow.push_back((u[1] - u[2] - constant * narrow) / std::sqrt(T / 30));
      integrals.wide.push_back((u[1] - 3.0 * u[2] + 2.0 * u[3] - constant * wide) / std::sqrt(T / 210));
    }
    return integrals;
  }

  static Estimate signal_to_noise(const Quadratures& harmonic, const Weighted& background, const PointFacts& facts,
                                  double rounding) {
    if (begins_late(facts)) return {nan, nan};
    const double c = mean(harmonic.c).value, s = mean(harmonic.s).value;
    const std::complex<double> n0 = background.narrow[0], w0 = background.wide[0];
    const auto add = [&](size_t path, std::array<double, 10>& sums) {
      size_t i = 0;
      sums[i++] += 1;
      for (const auto& z : {std::complex(harmonic.c[path] - c, harmonic.s[path] - s), background.narrow[path] - n0,
                            background.wide[path] - w0})
        sums[i++] += z.real(), sums[i++] += z.imag(), sums[i++] += std::norm(z);
    };
    const Grouped ratio = jackknife_of_sums<10>(harmonic.c.size(), add, [&](const std::array<double, 10>& sums) {
      const double n = sums[0];
      const auto scatter = [&](size_t i) {
        const double x = sums[i] / n, y = sums[i + 1] / n;
        return (sums[i + 2] / n - x * x - y * y) * n / (n - 1);
      };
      if (!(scatter(1) > rounding * rounding)) return std::array<double, 2>{nan, nan};
      const double x = c + sums[1] / n, y = s + sums[2] / n, signal = x * x + y * y - scatter(1) / n;
      return std::array<double, 2>{pi * signal / scatter(4), scatter(7) / scatter(4) - 1};
    });
    const double snr = ratio.value[0], wider = std::abs(ratio.value[1]);
    const double doubt = wider > fewest_errors_of_band * ratio.error[1] ? wider * snr / 2 : 0;
    const double error =
        ratio.error[0] * widening_of_squares(static_cast<double>(harmonic.c.size()), ratio.asymmetry[0]);
    return {snr, hypotenuse(error, doubt)};
  }

  Estimate signal_to_noise(const Pooled& pooled, const PointFacts& facts, double rounding) const {
    if (begins_late(facts)) return {nan, nan};
    const double n = pooled.paths, all_over_others = std::isfinite(n) ? n / (n - 1) : 1;
    const size_t narrow = 1 + 5 * harmonics_, wide = narrow + 3;
    const auto scatter = [=](const std::vector<double>& x, size_t re, size_t im, double squares) {
      return (squares - x[re] * x[re] - x[im] * x[im]) * all_over_others;
    };
    const auto of_signal = [=](const std::vector<double>& x) { return scatter(x, 1, 2, x[3] + x[5]); };
    const auto of_narrow = [=](const std::vector<double>& x) { return scatter(x, narrow, narrow + 1, x[narrow + 2]); };
    const auto of_wide = [=](const std::vector<double>& x) { return scatter(x, wide, wide + 1, x[wide + 2]); };
    if (!(of_signal(pooled.mean) > rounding * rounding)) return {nan, nan};
    const double noise = !pooled.covariance.empty() ? pooled.of(1, 1) + pooled.of(2, 2)
                         : std::isfinite(n)         ? of_signal(pooled.mean) / n
                                                    : 0;
    const Estimate snr = pooled.function(
        [=](const std::vector<double>& x) { return pi * (x[1] * x[1] + x[2] * x[2] - noise) / of_narrow(x); });
    const Estimate wider = pooled.function([=](const std::vector<double>& x) { return of_wide(x) / of_narrow(x) - 1; });
    const bool seen = std::abs(wider.value) > fewest_errors_of_band * wider.error;
    return {snr.value, hypotenuse(snr.error, seen ? std::abs(wider.value) * snr.value / 2 : 0)};
  }

  std::string formula_, suffix_, omega_;
  size_t harmonics_ = 1;
  bool snr_ = false;
};

}  // namespace

const ObservableKind observable_response = {
    .name = "response",
    .summary = "amplitude and phase of <x(t)> at the frequency of a drive",
    .options = "harmonics name of omega snr",
    .make = made<Response>,
    .of = ObservableKind::state,
};

}  // namespace bmsim
