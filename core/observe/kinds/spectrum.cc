// One-sided spectral density S(f) of v or x: averaged periodograms of segments of the paths (P. D. Welch, IEEE Trans.
// Audio Electroacoust. 15, 70 (1967)). The velocity of overdamped particles is (x(t + step) - x(t)) / step.
#include <complex>
#include <numbers>

#include "error.h"
#include "interruption.h"
#include "matrices.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/probes.h"

namespace bmsim {

namespace {

/// One-sided spectral densities of real series, by Eigen's fast Fourier transform. S(f) = c step / sum_j w_j^2 |sum_j
/// w_j (z_j - centre) exp(-2 pi i f j step)|^2 at f = k / (samples step), k = 0 ... samples / 2. c is 2, but 1 at both
/// ends. Then the sum of S over f, times 1 / (samples step), is the mean square of z - centre, weighted with w^2.
class Periodogram {
 public:
  enum class Taper { hann, none };  ///< w_j = sin^2(pi j / samples), or 1

  /// samples: even.
  Periodogram(size_t samples, double step, Taper window) : weights_(samples, 1.0), in_(samples) {
    double squares = 0;
    for (size_t j = 0; j < samples; ++j) {
      const double s = std::sin(std::numbers::pi * static_cast<double>(j) / static_cast<double>(samples));
      if (window == Taper::hann) weights_[j] = s * s;
      squares += weights_[j] * weights_[j];
    }
    share_ = 2 * step / squares;
  }
  size_t frequencies() const { return weights_.size() / 2 + 1; }
  /// Adds S of a series of `samples` numbers to the sum, of shape (frequencies).
  void add(const double* series, double centre, std::span<double> sum) {
    for (size_t j = 0; j < weights_.size(); ++j) in_[j] = weights_[j] * (series[j] - centre);
    fourier_.forward(in_, out_);
    for (size_t k = 0; k < frequencies(); ++k) {
      const bool end = k == 0 || k + 1 == frequencies();
      sum[k] += share_ * (end ? 0.5 : 1.0) * std::norm(out_[k]);
    }
  }

 private:
  std::vector<double> weights_;
  double share_;
  matrices::Fourier fourier_;
  std::vector<double> in_;
  std::vector<std::complex<double>> out_;
};

class Spectrum : public Observable {
 public:
  explicit Spectrum(Options options)
      : variable_(options.word("of", {"velocity", "position"}) == "velocity" ? Variable::v : Variable::x),
        step_(options),
        samples_(options.count("samples", 256, 4, 1000000)),
        segments_(options.count("segments", 8, 1, 100000)),
        window_(options.word("window", {"hann", "none"}) == "hann" ? Periodogram::Taper::hann
                                                                   : Periodogram::Taper::none),
        paths_(options.count("paths", 1024, 1, 1000000)) {
    options.end();
    if (samples_ % 2 != 0) fail("observe.spectrum: samples must be even, got {}", samples_);
  }
  std::string name() const override { return "spectrum"; }
  std::vector<std::string> columns() const override { return {}; }
  Needs needs() const override { return {.velocities = variable_ == Variable::v, .coherence = true}; }
  std::vector<double> times(const PointFacts& facts) const override {
    const double step = step_.at(facts);
    const size_t count = length() + (differences(facts) ? 1 : 0);
    if (static_cast<double>(count - 1) * step > facts.window() * (1 + 1e-12))
      fail("observe.spectrum: {} segments of {} samples {} apart must be within the window, which lasts {}, got {}",
           segments_, samples_, step, facts.window(), static_cast<double>(count - 1) * step);
    return evenly_spaced(facts, step, count);
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate frequency{"frequency", "f", "1/time", frequencies(step_.at(facts))};
    if (!facts.same_times)
      frequency = {"asked_frequency", "f, of samples to the next step", "1/time", frequencies(step_.asked())};
    const std::string label = variable_ == Variable::v ? "S_v(f)" : "S_x(f)";
    const std::string unit = variable_ == Variable::v ? "length^2/time" : "length^2 time";
    return with_errors({name(), label, unit, {frequency}, {}},
                       {{"spectrum_frequency", "f", "1/time", {frequency}, {}}});
  }
  std::string own_warning(const Findings&) const override {
    if (static_cast<double>(paths_) >= fewest_paths()) return "";
    return fmt::format("{}: its standard errors are nan with {} paths; {} would do", name(), paths_, fewest_paths());
  }
  void measure(const Measured& m, std::vector<Estimate>&, std::vector<std::vector<double>>& arrays) const override {
    const size_t paths = std::min(paths_, m.recording.paths());
    const std::vector<double> z = signals(m, paths);
    double centre = 0;
    for (const double sample : z) centre += sample / static_cast<double>(z.size());

    Periodogram periodogram(samples_, step_.at(m.facts), window_);
    const size_t size = periodogram.frequencies();
    std::vector<double> spectrum(size), value(size), error(size);
    std::vector<std::vector<double>> octave_means;  // by octave and path
    for (size_t k = 1; k < size; k *= 2) octave_means.emplace_back(paths);
    std::vector<std::array<double, 3>> powers(size);  // sums over the paths of their spectra, squares and cubes
    for (size_t path = 0; path < paths; ++path) {
      std::fill(spectrum.begin(), spectrum.end(), 0.0);
      for (size_t segment = 0; segment < segments_; ++segment) {
        check_interruption();
        periodogram.add(&z[path * length() + segment * hop()], centre, spectrum);
      }
      for (size_t k = 0; k < size; ++k) {
        const double s = spectrum[k] / static_cast<double>(segments_);
        powers[k][0] += s, powers[k][1] += s * s, powers[k][2] += s * s * s;
      }
      for (size_t octave = 0; octave < octave_means.size(); ++octave) {
        const size_t from = size_t{1} << octave, to = std::min(size, 2 * from);
        for (size_t k = from; k < to; ++k)
          octave_means[octave][path] += spectrum[k] / static_cast<double>(segments_ * (to - from));
      }
    }
    const auto n = static_cast<double>(paths);
    for (size_t k = 0; k < size; ++k) {
      const double mean = powers[k][0] / n, square = powers[k][1] / n, second = square - mean * mean,
                   third = powers[k][2] / n - 3 * mean * square + 2 * mean * mean * mean;
      value[k] = mean;
      error[k] = paths < fewest_parts ? nan
                                      : std::sqrt(std::max(0.0, second) / (n - 1)) *
                                            widening_of_squares(n, asymmetry_of(second, third, n));
    }
    arrays = {frequencies(step_.at(m.facts)), std::move(value), std::move(error)};
    Grouped bands;
    for (const std::vector<double>& band : octave_means) {
      const Estimate power = mean_of_skewed(band);
      bands.value.push_back(power.value), bands.error.push_back(power.error);
    }
    give_probes({bands}, m);
  }
  Sampling sampling() const override { return Sampling::evenly; }
  std::vector<Array> probes(const PointFacts& facts) const override {
    Coordinate from{"frequency", "f >=", "1/time", {}};
    for (size_t k = 1; k <= samples_ / 2; k *= 2) from.values.push_back(frequencies(step_.at(facts))[k]);
    return with_errors({"spectrum_bands", "mean of the octave", "", {from}, {}});
  }

  double order(const std::string& name) const override { return name == "spectrum_frequency" ? 0 : 2; }

 private:
  bool differences(const PointFacts& facts) const { return variable_ == Variable::v && facts.mass == 0; }
  /// Samples from the beginning of one segment to the next; with the Hann window segments overlap by half.
  size_t hop() const { return window_ == Periodogram::Taper::hann ? samples_ / 2 : samples_; }
  size_t length() const { return samples_ + (segments_ - 1) * hop(); }
  std::vector<double> frequencies(double step) const {
    std::vector<double> values(samples_ / 2 + 1);
    for (size_t k = 0; k < values.size(); ++k)
      values[k] = static_cast<double>(k) / (static_cast<double>(samples_) * step);
    return values;
  }
  /// The series that are transformed: shape (paths, length).
  std::vector<double> signals(const Measured& m, size_t paths) const {
    if (!differences(m.facts)) return m.recording.paths_of(variable_, paths);
    const std::vector<double> x = m.recording.paths_of(Variable::x, paths);
    std::vector<double> v(paths * length());
    for (size_t path = 0; path < paths; ++path) {
      check_interruption();
      for (size_t i = 0; i < length(); ++i) {
        const double* at = &x[path * (length() + 1) + i];
        v[path * length() + i] = (at[1] - at[0]) / step_.at(m.facts);
      }
    }
    return v;
  }

  Variable variable_;
  Spacing step_;
  size_t samples_, segments_;
  Periodogram::Taper window_;
  size_t paths_;
};

}  // namespace

const ObservableKind observable_spectrum = {
    .name = "spectrum",
    .summary = "the one-sided spectral density S(f) of the velocity or the position",
    .options = "of paths samples segments step window",
    .make = made<Spectrum>,
    .of = ObservableKind::either,
    .of_formulas = true,
    .most_compared = 1024,
};

}  // namespace bmsim
