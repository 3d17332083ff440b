// One-sided spectral density S(f) of v or x: averaged periodograms of segments of the paths (P. D. Welch, IEEE Trans.
// Audio Electroacoust. 15, 70 (1967)). The velocity of overdamped particles is (x(t + step) - x(t)) / step.
#include <algorithm>
#include <array>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "observe/known.h"
#include "observe/options.h"
#include "observe/periodogram.h"
#include "observe/probes.h"
#include "observe/spacing.h"

namespace bmsim {

namespace {

class Spectrum : public Observable {
 public:
  explicit Spectrum(const ObservableRequest& request) : Spectrum(Options(request)) {}
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
    return {{"spectrum_frequency", "f", "1/time", {frequency}, {}},
            {"spectrum", label, unit, {frequency}, {}},
            {"spectrum_err", label, unit, {frequency}, {}}};
  }
  std::string warning(const Findings& found) const override {
    const std::string text = Observable::warning(found);
    if (!text.empty() || static_cast<double>(paths_) >= fewest_paths()) return text;
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
