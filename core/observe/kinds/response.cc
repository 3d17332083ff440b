// Response to a drive: amplitude A and phase lag phi of <x(t)> = ... + A cos(k omega t - phi) at harmonics k of a
// frequency, over a whole number of its periods; and the signal-to-noise ratio pi A^2 / S(omega) of the first, with the
// two-sided spectral density S of the background at omega (L. Gammaitoni, P. Haenggi, P. Jung, F. Marchesoni, Rev. Mod.
// Phys. 70, 223, 1998). S follows from the scatter of the paths' own amplitudes a: S = T <|a - <a>|^2>/4 in a window T.
#include <Eigen/Dense>
#include <cctype>
#include <cmath>
#include <limits>

#include "error.h"
#include "observe/known.h"
#include "observe/of_formula.h"
#include "observe/options.h"

namespace bmsim {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double pi = 3.14159265358979323846;
/// Fewest standard errors of an amplitude for which there is a phase.
constexpr double fewest_errors = 3;

/// Coefficients of cos(k omega t) and sin(k omega t), for each path.
struct Quadratures {
  std::vector<double> c, s;
};

class Response : public Observable {
 public:
  explicit Response(const ObservableRequest& request) {
    ObservableRequest rest = request;
    const auto word = [&](const char* option, const std::string& otherwise) {
      const auto found = rest.words.extract(option);
      return found.empty() ? otherwise : found.mapped();
    };
    of_ = word("of", "x");
    suffix_ = word("name", "");
    omega_ = word("omega", "");
    Options options(rest);
    if (omega_.empty()) {
      if (!rest.numbers.contains("omega"))
        fail(
            "observe.response: omega must be given, a number or a parameter of the model, as in {{ omega = "
            "\"cosine.omega\" }}");
      omega_ = fmt::format("{}", options.number("omega", 1, 1e-300, 1e300));
    }
    harmonics_ = options.count("harmonics", 1, 1, 8);
    options.end();
    if (!suffix_.empty() && !is_name(suffix_))
      fail("observe.response: name must be letters, digits and '_', no digit first, got '{}'", suffix_);
    if (!suffix_.empty()) suffix_ = "_" + suffix_;
  }
  std::string name() const override { return "response" + suffix_; }
  std::vector<std::string> columns() const override {
    std::vector<std::string> names;
    for (size_t k = 1; k <= harmonics_; ++k)
      for (const char* what : {"amplitude", "phase", "snr"})
        if (k == 1 || what[0] != 's') names.push_back(column(what, k));
    return names;
  }
  ColumnLabel label(const std::string& name) const override {
    for (size_t k = 1; k <= harmonics_; ++k) {
      const std::string of = fmt::format("<{}> at {}omega", of_, k == 1 ? "" : fmt::format("{} ", k));
      if (name == column("amplitude", k)) return {fmt::format("A_{}", k), "", "amplitude of " + of};
      if (name == column("phase", k)) return {fmt::format("phi_{}", k), "radian", "phase lag of " + of};
      if (name == column("snr", k)) return {"SNR", "1/time", "signal-to-noise ratio pi A^2/S(omega) of " + of_};
    }
    return Observable::label(name);
  }
  Needs needs() const override {
    Needs needs{.windows = true, .steps = true, .constants = {omega_}, .cycle = omega_};
    const std::string subject = "observe.response: of";
    const auto add = [&](const std::string& which, const std::string& formula) {
      needs.integrals.push_back({.name = name() + which, .formula = formula, .subject = subject});
    };
    const auto factor = [](const std::string& text) {
      const bool one = std::ranges::all_of(
          text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; });
      return one ? text : "(" + text + ")";
    };
    const std::string of = factor(of_), omega = factor(omega_);
    add("_mean", of_);
    for (size_t k = 1; k <= harmonics_; ++k) {
      const std::string angle = k == 1 ? omega : fmt::format("{}*{}", k, omega);
      add(fmt::format("_c{}", k), fmt::format("{}*cos({}*t)", of, angle));
      add(fmt::format("_s{}", k), fmt::format("{}*sin({}*t)", of, angle));
    }
    return needs;
  }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const std::vector<Quadratures> all = quadratures(m);
    for (size_t k = 1; k <= harmonics_; ++k) {
      const auto [amplitude, phase] = of_harmonic(all[k - 1]);
      columns.push_back(amplitude);
      columns.push_back(phase);
      if (k == 1) columns.push_back(signal_to_noise(all[0], m.facts.window()));
    }
  }
  double order(const std::string& column) const override { return column.starts_with("snr") ? 2 : 1; }
  std::string warning(const Findings& found) const override {
    const std::string text = Observable::warning(found);
    if (!text.empty()) return text;
    std::vector<std::string> lost;
    const std::vector<std::string> names = columns();
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i].starts_with("phase") &&
          std::ranges::any_of(found.columns[i], [](const Estimate& e) { return std::isnan(e.value); }))
        lost.push_back(names[i]);
    if (lost.empty()) return "";
    return fmt::format("{}: {} is nan where the amplitude is less than {} standard errors: it is noise", name(),
                       fmt::join(lost, ", "), fewest_errors);
  }

 private:
  std::string column(const char* what, size_t k) const {
    return what + suffix_ + (k == 1 ? "" : fmt::format("_{}", k));
  }

  /// By least squares for the mean and all harmonics together, over the very window, whose ends are whole steps: a
  /// constant, however large, then adds nothing to an amplitude.
  std::vector<Quadratures> quadratures(const Measured& m) const {
    const double omega = m.facts.constants.at(omega_), from = m.facts.transient, to = m.facts.total;
    const auto of_cos = [&](double n) {
      return n == 0 ? to - from : (std::sin(n * omega * to) - std::sin(n * omega * from)) / (n * omega);
    };
    const auto of_sin = [&](double n) {
      return n == 0 ? 0 : (std::cos(n * omega * from) - std::cos(n * omega * to)) / (n * omega);
    };
    const auto size = static_cast<Eigen::Index>(2 * harmonics_ + 1);
    Eigen::MatrixXd products(size, size);  // integrals of products of 1 = cos(0), cos, sin, cos(2 ...), ...
    for (Eigen::Index i = 0; i < size; ++i)
      for (Eigen::Index j = 0; j < size; ++j) {
        const bool sine_i = i > 0 && i % 2 == 0, sine_j = j > 0 && j % 2 == 0;
        const double a = static_cast<double>((i + 1) / 2), b = static_cast<double>((j + 1) / 2);
        products(i, j) = sine_i && sine_j ? (of_cos(a - b) - of_cos(a + b)) / 2
                         : sine_i         ? (of_sin(a + b) + of_sin(a - b)) / 2
                         : sine_j         ? (of_sin(a + b) + of_sin(b - a)) / 2
                                          : (of_cos(a - b) + of_cos(a + b)) / 2;
      }
    const Eigen::MatrixXd inverse = products.inverse();
    std::vector<std::span<const double>> sums = {m.window.counted.at("integral." + name() + "_mean")};
    for (size_t k = 1; k <= harmonics_; ++k)
      for (const char which : {'c', 's'})
        sums.push_back(m.window.counted.at(fmt::format("integral.{}_{}{}", name(), which, k)));
    std::vector<Quadratures> all(harmonics_);
    Eigen::VectorXd projections(size);
    for (size_t path = 0; path < sums[0].size(); ++path) {
      for (Eigen::Index i = 0; i < size; ++i) projections(i) = sums[static_cast<size_t>(i)][path];
      const Eigen::VectorXd coefficients = inverse * projections;
      for (size_t k = 0; k < harmonics_; ++k) {
        all[k].c.push_back(coefficients(static_cast<Eigen::Index>(2 * k + 1)));
        all[k].s.push_back(coefficients(static_cast<Eigen::Index>(2 * k + 2)));
      }
    }
    return all;
  }

  /// The amplitude of the mean over the paths, from which is subtracted, in the square, what noise across it adds; its
  /// error is that along it. The phase has the error across it.
  static std::pair<Estimate, Estimate> of_harmonic(const Quadratures& of) {
    const Estimate c = mean(of.c), s = mean(of.s);
    const double length = std::hypot(c.value, s.value), n_c = c.value / length, n_s = s.value / length;
    if (!(length > 0)) return {{0, std::hypot(c.error, s.error)}, {nan, nan}};
    std::vector<double> along, across;
    for (size_t i = 0; i < of.c.size(); ++i) {
      along.push_back(n_c * of.c[i] + n_s * of.s[i]);
      across.push_back(n_c * of.s[i] - n_s * of.c[i]);
    }
    const double error = mean_of_skewed(along).error, turn = mean_of_skewed(across).error;
    const double amplitude = std::sqrt(std::max(0.0, length * length - (std::isnan(turn) ? 0 : turn * turn)));
    if (!(amplitude >= fewest_errors * std::max(error, turn)) && !std::isnan(turn))
      return {{amplitude, error}, {nan, nan}};
    return {{amplitude, error}, {std::atan2(s.value, c.value), turn / amplitude}};
  }

  static Estimate signal_to_noise(const Quadratures& of, double window) {
    const double c = mean(of.c).value, s = mean(of.s).value;
    const auto add = [&](size_t path, std::array<double, 4>& sums) {
      const double x = of.c[path] - c, y = of.s[path] - s;
      sums[0] += 1, sums[1] += x, sums[2] += y, sums[3] += x * x + y * y;
    };
    const Grouped ratio = jackknife_of_sums<4>(of.c.size(), add, [&](const std::array<double, 4>& sums) {
      const double n = sums[0], x = sums[1] / n, y = sums[2] / n;
      const double scatter = (sums[3] / n - x * x - y * y) * n / (n - 1);
      const double signal = (c + x) * (c + x) + (s + y) * (s + y) - scatter / n;
      return std::array<double, 1>{4 * pi * signal / (window * scatter)};
    });
    return {ratio.value[0], ratio.error[0] * widening_of_squares(static_cast<double>(of.c.size()), ratio.asymmetry[0])};
  }

  std::string of_, suffix_, omega_;
  size_t harmonics_ = 1;
};

}  // namespace

std::unique_ptr<Observable> make_response(const ObservableRequest& request) {
  return std::make_unique<Response>(request);
}

}  // namespace bmsim
