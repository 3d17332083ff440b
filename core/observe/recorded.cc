// Observables made of recorded paths.
#include "observe/recorded.h"

#include "error.h"
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

std::array<double, 4> cumulants(std::span<const double> sample) {
  const double n = static_cast<double>(sample.size());
  double sum = 0;
  for (const double x : sample) sum += x;
  const double centre = sum / n;
  double m2 = 0, m3 = 0, m4 = 0;
  for (const double x : sample) {
    const double d = x - centre, d2 = d * d;
    m2 += d2;
    m3 += d2 * d;
    m4 += d2 * d2;
  }
  const double variance = sample.size() > 1 ? m2 / (n - 1) : std::numeric_limits<double>::quiet_NaN();
  return {centre, variance, m3 / n, m4 / n - 3 * (m2 / n) * (m2 / n)};
}

std::vector<double> correlation(const std::vector<std::span<const double>>& series, size_t first, size_t last,
                                size_t lags, bool centred) {
  double mean = 0;
  if (centred) {
    for (const auto& at : series)
      for (size_t i = first; i < last; ++i) mean += at[i];
    mean /= static_cast<double>(series.size() * (last - first));
  }
  std::vector<double> result(lags);
  for (size_t lag = 0; lag < lags; ++lag) {
    double sum = 0;
    const size_t origins = series.size() - lag;
    for (size_t k = 0; k < origins; ++k)
      for (size_t i = first; i < last; ++i) sum += (series[k][i] - mean) * (series[k + lag][i] - mean);
    result[lag] = sum / static_cast<double>(origins * (last - first));
  }
  return result;
}

namespace {

using Arrays = std::vector<std::vector<double>>;

/// Cumulants of x (and v) over the paths, to the fourth, as functions of time: options times, or count.
class Moments : public Observable {
 public:
  explicit Moments(const ObservableRequest& request) : Moments(Options(request)) {}
  std::string name() const override { return "moments"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    const Coordinate time = times_.coordinate();
    std::vector<Array> all = {{"moments_time", "t", "time", {time}, {}}};
    for (const char* variable : {"x", "v"}) {
      if (*variable == 'v' && facts.mass == 0) continue;
      for (int order = 1; order <= 4; ++order)
        for (const char* suffix : {"", "_err"})
          all.push_back({fmt::format("{}_cumulant_{}{}", variable, order, suffix),
                         fmt::format("k_{}({})", order, variable),
                         fmt::format("{}^{}", *variable == 'x' ? "length" : "(length/time)", order),
                         {time},
                         {}});
    }
    return all;
  }
  void measure(const Measured& m, std::vector<Estimate>&, Arrays& arrays) const override {
    arrays = {m.recording.times};
    for (const auto* series : {&m.recording.x, &m.recording.v}) {
      if (series->empty()) continue;
      Arrays values(8);
      for (const auto& at : *series) {
        const Grouped four = grouped(m.recording.paths, [&](size_t first, size_t last) {
          const auto k = cumulants(at.subspan(first, last - first));
          return std::vector<double>(k.begin(), k.end());
        });
        for (size_t order = 0; order < 4; ++order) {
          values[2 * order].push_back(four.value[order]);
          values[2 * order + 1].push_back(four.error[order]);
        }
      }
      for (auto& one : values) arrays.push_back(std::move(one));
    }
  }

 private:
  explicit Moments(Options options) : times_(options, 50) { options.end(); }
  Times times_;
};

/// The first `paths` trajectories, unfolded.
class Paths : public Observable {
 public:
  explicit Paths(const ObservableRequest& request) : Paths(Options(request)) {}
  std::string name() const override { return "paths"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override { return times_.at(facts, name()); }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate path{"path", "path", "", {}};
    for (size_t i = 0; i < paths_; ++i) path.values.push_back(static_cast<double>(i + 1));
    const Coordinate time = times_.coordinate();
    std::vector<Array> all = {{"paths_time", "t", "time", {time}, {}}, {"paths_x", "x", "length", {path, time}, {}}};
    if (facts.mass > 0) all.push_back({"paths_v", "v", "length/time", {path, time}, {}});
    return all;
  }
  void measure(const Measured& m, std::vector<Estimate>&, Arrays& arrays) const override {
    if (m.recording.paths < paths_)
      fail("observe.paths: paths must be at most those of the run, {}, got {}", m.recording.paths, paths_);
    arrays = {m.recording.times};
    for (const auto* series : {&m.recording.x, &m.recording.v}) {
      if (series->empty()) continue;
      std::vector<double> values;
      for (size_t i = 0; i < paths_; ++i)
        for (const auto& at : *series) values.push_back(at[i]);
      arrays.push_back(std::move(values));
    }
  }

 private:
  explicit Paths(Options options) : paths_(options.count("paths", 10, 1, 1000000)), times_(options, 500) {
    options.end();
  }
  size_t paths_;
  Times times_;
};

/// p(x mod L) over the window, at `samples` times evenly spaced in it: the probability in a bin over its width.
class Density : public Observable {
 public:
  explicit Density(const ObservableRequest& request) : Density(Options(request)) {}
  std::string name() const override { return "density"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.period <= 0) fail("observe.density: the potential must be periodic");
    return times_.at(facts, name());
  }
  std::vector<Array> arrays(const PointFacts&) const override {
    Coordinate place{"position", "x/L", "", {}};
    for (size_t i = 0; i < bins_; ++i)
      place.values.push_back((static_cast<double>(i) + 0.5) / static_cast<double>(bins_) - 0.5);
    return {{"density", "p(x)", "1/length", {place}, {}}, {"density_err", "p(x)", "1/length", {place}, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, Arrays& arrays) const override {
    const double L = m.facts.period;
    const Grouped p = grouped(m.recording.paths, [&](size_t first, size_t last) {
      std::vector<double> bins(bins_);
      for (const auto& at : m.recording.x)
        for (size_t i = first; i < last; ++i) {
          const double u = at[i] / L - std::floor(at[i] / L + 0.5);  // in [-1/2, 1/2)
          if (!(std::abs(u) <= 0.5)) continue;                       // not a number
          bins[std::min(bins_ - 1, static_cast<size_t>((u + 0.5) * static_cast<double>(bins_)))] += 1;
        }
      const double all = static_cast<double>(m.recording.x.size() * (last - first)) * L / static_cast<double>(bins_);
      for (double& bin : bins) bin /= all;
      return bins;
    });
    arrays = {p.value, p.error};
  }

 private:
  explicit Density(Options options) : bins_(options.count("bins", 100, 2, 100000)), times_(options, 200) {
    options.end();
  }
  size_t bins_;
  Times times_;
};

/// Excess kurtosis / 3 of x - <x> over the window's end, k4 / (3 k2^2), and of v where there is one.
class NonGaussianity : public Observable {
 public:
  explicit NonGaussianity(const ObservableRequest& request) { Options(request).end(); }
  std::string name() const override { return "non_gaussianity"; }
  std::string symbol() const override { return "k4/(3 k2^2)"; }
  std::string meaning() const override { return "non-Gaussian parameter of the displacement"; }
  std::vector<double> times(const PointFacts& facts) const override { return {facts.transient, facts.total}; }
  void measure(const Measured& m, std::vector<Estimate>& columns, Arrays&) const override {
    const Grouped one = grouped(m.recording.paths, [&](size_t first, size_t last) {
      std::vector<double> moved;
      for (size_t i = first; i < last; ++i) moved.push_back(m.recording.x[1][i] - m.recording.x[0][i]);
      const auto k = cumulants(moved);
      return std::vector<double>{k[3] / (3 * k[1] * k[1])};
    });
    columns = {{one.value[0], one.error[0]}};
  }
};

/// C(lag) of v, or where overdamped of x mod nothing: <d(t) d(t + lag)>, d = v - <v>, averaged over time and paths.
class Correlation : public Observable {
 public:
  explicit Correlation(const ObservableRequest& request) : Correlation(Options(request)) {}
  std::string name() const override { return "correlation"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.mass == 0) fail("observe.correlation: of the velocity: the model must be underdamped");
    if (step_ * static_cast<double>(lags_ - 1) > facts.window())
      fail("observe.correlation: lags * step must be within the window, which lasts {}, got {}", facts.window(),
           step_ * static_cast<double>(lags_ - 1));
    std::vector<double> times;
    for (size_t i = 0; i < lags_ + origins_ - 1; ++i) {
      const double t = facts.transient + step_ * static_cast<double>(i);
      if (t > facts.total * (1 + 1e-12))
        fail("observe.correlation: (lags + origins) * step must be within the window, which lasts {}", facts.window());
      times.push_back(std::min(t, facts.total));
    }
    return times;
  }
  std::vector<Array> arrays(const PointFacts&) const override {
    Coordinate lag{"lag", "lag", "time", {}};
    for (size_t i = 0; i < lags_; ++i) lag.values.push_back(step_ * static_cast<double>(i));
    return {{"correlation", "C(lag)", "(length/time)^2", {lag}, {}},
            {"correlation_err", "C(lag)", "(length/time)^2", {lag}, {}}};
  }
  void measure(const Measured& m, std::vector<Estimate>&, Arrays& arrays) const override {
    const Grouped C = grouped(m.recording.paths, [&](size_t first, size_t last) {
      return correlation(m.recording.v, first, last, lags_, true);
    });
    arrays = {C.value, C.error};
  }

 private:
  explicit Correlation(Options options)
      : lags_(options.count("lags", 50, 2, 100000)),
        origins_(options.count("origins", 50, 1, 100000)),
        step_(options.number("step", 0.1, 1e-300, 1e300)) {
    options.end();
  }
  size_t lags_, origins_;
  double step_;
};

/// x (and v) of the first `paths` trajectories once a drive period, over the last `periods` of them.
class Stroboscope : public Observable {
 public:
  explicit Stroboscope(const ObservableRequest& request) : Stroboscope(Options(request)) {}
  std::string name() const override { return "stroboscope"; }
  std::vector<std::string> columns() const override { return {}; }
  std::vector<double> times(const PointFacts& facts) const override {
    if (facts.drive_period <= 0) fail("observe.stroboscope: the model must have a drive");
    const double whole = std::floor(facts.total / facts.drive_period * (1 + 1e-12));
    if (whole < static_cast<double>(periods_))
      fail("observe.stroboscope: periods must be at most those of the run, {}, got {}", whole, periods_);
    std::vector<double> times;
    for (size_t i = 0; i < periods_; ++i)
      times.push_back(std::min(facts.total, facts.drive_period * (whole - static_cast<double>(periods_ - 1 - i))));
    return times;
  }
  std::vector<Array> arrays(const PointFacts& facts) const override {
    Coordinate path{"path", "path", "", {}}, period{"drive_period", "periods of the drive", "", {}};
    for (size_t i = 0; i < paths_; ++i) path.values.push_back(static_cast<double>(i + 1));
    for (size_t i = 0; i < periods_; ++i) period.values.push_back(static_cast<double>(i + 1));
    std::vector<Array> all = {{"stroboscope_x", "x", "length", {path, period}, {}}};
    if (facts.mass > 0) all.push_back({"stroboscope_v", "v", "length/time", {path, period}, {}});
    return all;
  }
  void measure(const Measured& m, std::vector<Estimate>&, Arrays& arrays) const override {
    for (const auto* series : {&m.recording.x, &m.recording.v}) {
      if (series->empty()) continue;
      std::vector<double> values;
      for (size_t i = 0; i < std::min(paths_, m.recording.paths); ++i)
        for (const auto& at : *series) values.push_back(at[i]);
      values.resize(paths_ * periods_, std::numeric_limits<double>::quiet_NaN());
      arrays.push_back(std::move(values));
    }
  }

 private:
  explicit Stroboscope(Options options)
      : paths_(options.count("paths", 64, 1, 100000)), periods_(options.count("periods", 100, 1, 100000)) {
    options.end();
  }
  size_t paths_, periods_;
};

template <class Kind> std::unique_ptr<Observable> make(const ObservableRequest& request) {
  return std::make_unique<Kind>(request);
}

}  // namespace

std::span<const KnownObservable> recorded_observables() {
  static constexpr KnownObservable all[] = {
      {"moments", make<Moments>},         {"paths", make<Paths>},
      {"density", make<Density>},         {"correlation", make<Correlation>},
      {"stroboscope", make<Stroboscope>}, {"non_gaussianity", make<NonGaussianity>},
  };
  return all;
}

}  // namespace bmsim
