#include "observe/recording.h"

#include <array>
#include <cmath>
#include <optional>

#include "hypotenuse.h"
#include "interruption.h"
#include "numbers.h"

namespace bmsim {

namespace {

double count_without(const Samples& samples, size_t without) {
  return static_cast<double>(samples.paths() - (without < samples.groups() ? samples.size_of(without) : 0));
}

/// Cumulants from the sums of d, ... d^4 of numbers d = z - centre: k-statistics, unbiased (R. A. Fisher, Proc. London
/// Math. Soc. 30, 199, 1930). NaN for too few numbers.
class Cumulants {
 public:
  explicit Cumulants(double count) : n_(count) {}
  std::array<double, 4> from(double centre, const std::array<double, 4>& sums) const {
    const double a = sums[0] / n_, s2 = sums[1] / n_, s3 = sums[2] / n_, s4 = sums[3] / n_;
    const double m2 = s2 - a * a, m3 = s3 - 3 * a * s2 + 2 * a * a * a;
    const double m4 = s4 - 4 * a * s3 + 6 * a * a * s2 - 3 * a * a * a * a;
    return {centre + a, n_ / above(1) * m2, n_ * n_ / (above(1) * above(2)) * m3,
            n_ * n_ / (above(1) * above(2) * above(3)) * ((n_ + 1) * m4 - 3 * (n_ - 1) * m2 * m2)};
  }

 private:
  double above(double least) const { return n_ > least ? n_ - least : nan; }
  double n_;
};

struct Shape {
  double third, fourth;
  explicit Shape(const double* k) : third(k[2] / std::pow(k[1], 1.5)), fourth(k[3] / (k[1] * k[1])) {}
};

/// Variances of the third and the fourth k-statistic, and of the ratio of the fourth to the square of the second; times
/// the number of paths, over powers of the second cumulant. Only the first four cumulants are taken into account (M. G.
/// Kendall, A. Stuart, The Advanced Theory of Statistics 1, 12.16).
double variance_of_third(const Shape& g) { return 6 + 9 * g.fourth + 9 * g.third * g.third; }
double variance_of_fourth(const Shape& g) {
  return 24 + 72 * g.fourth + 144 * g.third * g.third + 34 * g.fourth * g.fourth;
}
double variance_of_ratio(const Shape& g) {
  return variance_of_fourth(g) - 4 * g.fourth * (12 * g.fourth + 6 * g.third * g.third) +
         4 * g.fourth * g.fourth * (g.fourth + 2);
}

/// Error of a high cumulant, which rare paths decide: the larger one of the jackknife's error and of a formula from
/// lower cumulants. The jackknife's error is too small if no rare path was met, and so correlated with the estimate.
/// The formula varies less. nan if there are fewer paths than wanted (Recording::paths_for_...).
double cumulant_error(double jackknife, double scale, double variance, double paths, double wanted) {
  const double formula = scale * std::sqrt(std::max(0.0, variance) / paths);
  return paths < wanted ? nan : std::max(jackknife, formula);
}

/// What the correlation at each lag lacks because its centre is the mean c of the same numbers: cov(a + b, c) - var(c),
/// where a and b are the means of the numbers at the beginning and at the end of the lag. Estimated from the scatter of
/// groups of paths. powers: those of Samples at all times.
std::vector<double> lost_by_centring(const Samples& samples, const std::vector<double>& powers, double centre,
                                     size_t lags) {
  const size_t groups = samples.groups(), n = powers.size() / groups / 4;
  std::vector<double> lost(lags);
  if (groups < 2) return lost;
  std::vector<double> until(n + 1);
  const auto paths = static_cast<double>(samples.paths()), parts = static_cast<double>(groups);
  for (size_t g = 0; g < groups; ++g) {  // deviations of the sums over the paths of a group
    for (size_t k = 0; k < n; ++k)
      until[k + 1] = until[k] + powers[(k * groups + g) * 4] - static_cast<double>(samples.size_of(g)) * centre;
    const double c = until[n] / static_cast<double>(n);
    for (size_t lag = 0; lag < lags; ++lag) {
      const double both = (until[n - lag] + until[n] - until[lag]) / static_cast<double>(n - lag);
      lost[lag] += (both - c) * c / (paths * paths) * parts / (parts - 1);
    }
  }
  return lost;
}

/// Removes the last `count` numbers, and returns them.
Grouped taken_off(Grouped& grouped, size_t count) {
  const auto cut = [&](std::vector<double>& from) {
    const auto first = from.end() - static_cast<ptrdiff_t>(count);
    std::vector<double> last(first, from.end());
    from.erase(first, from.end());
    return last;
  };
  Grouped last{cut(grouped.value), cut(grouped.error)};
  grouped.asymmetry.resize(grouped.value.size());
  return last;
}

/// Adds the probabilities below the ends of an axis. The bins of a slot begin at `first`, `stride` apart; each has
/// `across` cells, `next` apart.
void add_below(const Axis& axis, const std::vector<double>& density, size_t first, size_t stride, size_t across,
               size_t next, double cell, std::vector<double>& probabilities) {
  double sum = 0;
  size_t bin = 0;
  for (const size_t end : axis.ends()) {
    for (; bin < end; ++bin)
      for (size_t i = 0; i < across; ++i) sum += density[first + bin * stride + i * next];
    probabilities.push_back(sum * cell);
  }
}

/// Adds the probabilities below the ends of an axis in both halves, from counts of shape (2, groups, cells). The bins
/// of the axis are `stride` apart; each has `across` cells, `next` apart. paths: by group.
void add_halves(const Axis& axis, const std::vector<uint64_t>& counts, size_t cells, size_t stride, size_t across,
                size_t next, const std::vector<double>& paths, double times, std::vector<HalfMoments>& moments) {
  const std::vector<size_t> ends = axis.ends();
  const size_t groups = paths.size();
  std::vector<std::array<std::vector<double>, 2>> below(ends.size());  // by end, half, and group
  for (size_t half = 0; half < 2; ++half)
    for (size_t g = 0; g < groups; ++g) {
      const uint64_t* const group_counts = counts.data() + (half * groups + g) * cells;
      uint64_t sum = 0;
      for (size_t e = 0, bin = 0; e < ends.size(); ++e) {
        for (; bin < ends[e]; ++bin)
          for (size_t i = 0; i < across; ++i) sum += group_counts[bin * stride + i * next];
        below[e][half].push_back(static_cast<double>(sum) / (paths[g] * times));
      }
    }
  const double n = static_cast<double>(groups);
  for (const auto& [first, second] : below) {
    HalfMoments m{.paths = n};
    for (size_t g = 0; g < groups; ++g) m.first += first[g] / n, m.second += second[g] / n;
    for (size_t g = 0; g < groups; ++g) {
      const double change = second[g] - first[g] - (m.second - m.first);
      m.change_squares += change * change;
    }
    moments.push_back(m);
  }
}

}  // namespace

Recording Recording::at(const std::vector<size_t>& indices) const {
  Recording result = *this;
  result.times_.clear(), result.marks_.clear();
  for (const size_t i : indices) result.times_.push_back(times_[i]), result.marks_.push_back(marks_[i]);
  return result;
}

std::vector<uint32_t> Recording::rows(Variable variable) const {
  std::vector<uint32_t> rows;
  for (const uint32_t mark : marks_) rows.push_back(static_cast<uint32_t>(mark * values_.count + index_of(variable)));
  return rows;
}

size_t Recording::index_of(Variable variable) const {
  if (variable == Variable::x) return values_.x;
  return variable == Variable::v ? values_.v : static_cast<size_t>(variable.index);
}

double Recording::unit(Variable variable) const {
  const size_t i = index_of(variable);
  return i < values_.lengths.size() ? values_.lengths[i] : 1;
}

/// Sums of powers about a number near the mean of each row, the mean of its first group, so that no digits are lost.
class Recording::Sums {
 public:
  Sums(const Samples& samples, const std::vector<uint32_t>& rows, const std::vector<uint32_t>& from)
      : samples_(samples), centres_(rows.size()) {
    const std::vector<double> first = samples.powers(rows, from, centres_, 1);
    for (size_t r = 0; r < rows.size(); ++r) centres_[r] = first[4 * r] / static_cast<double>(samples.size_of(0));
    powers_ = samples.powers(rows, from, centres_, samples.groups());
    sums_.emplace(std::span<const double>(powers_), samples.groups(), 4);
  }
  /// Cumulants of all rows: shape (rows, 4).
  std::vector<double> cumulants(size_t without) const {
    const Cumulants cumulants(count_without(samples_, without));
    std::vector<double> values;
    for (size_t r = 0; r < centres_.size(); ++r) {
      std::array<double, 4> sums{};
      for (size_t k = 0; k < 4; ++k) sums[k] = sums_->rest(r, k, without);
      const auto row = cumulants.from(centres_[r], sums);
      values.insert(values.end(), row.begin(), row.end());
    }
    return values;
  }

 private:
  const Samples& samples_;
  std::vector<double> centres_, powers_;
  std::optional<GroupSums<double>> sums_;
};

Grouped Recording::cumulants(Variable variable) const {
  const Sums sums(*samples_, rows(variable), {});
  Grouped result = jackknife(samples_->groups(), [&](size_t without) { return sums.cumulants(without); });
  const auto n = static_cast<double>(paths());
  for (size_t i = 0; i < result.value.size(); i += 4) {
    const double* k = &result.value[i];
    const Shape g(k);
    result.error[i + 1] *= widening_of_squares(n, result.asymmetry[i + 1]);
    result.error[i + 2] =
        cumulant_error(result.error[i + 2], std::pow(k[1], 1.5), variance_of_third(g), n, paths_for_third(g.fourth));
    result.error[i + 3] =
        cumulant_error(result.error[i + 3], k[1] * k[1], variance_of_fourth(g), n, paths_for_fourth(g.fourth));
  }
  const double u = unit(variable), scale[] = {u, u * u, u * u * u, u * u * u * u};
  for (auto* numbers : {&result.value, &result.error})
    for (size_t i = 0; i < numbers->size(); ++i) (*numbers)[i] *= scale[i % 4];
  return result;
}

Recording::Sums Recording::final_sums(Variable variable) const {
  const auto time_rows = rows(variable);
  const bool moved = variable == Variable::x;
  return {*samples_, {time_rows.back()}, moved ? std::vector<uint32_t>{time_rows.front()} : std::vector<uint32_t>()};
}

Grouped Recording::non_gaussianity(Variable variable) const {
  const Sums sums = final_sums(variable);
  Grouped ratio = jackknife(
      samples_->groups(),
      [&](size_t without) {
        const auto k = sums.cumulants(without);
        return std::vector<double>{k[3] / (3 * k[1] * k[1])};
      },
      Bias::removed);
  const auto k = sums.cumulants(samples_->groups());
  const Shape g(k.data());
  const auto n = static_cast<double>(paths());
  ratio.error[0] = cumulant_error(ratio.error[0], 1.0 / 3, variance_of_ratio(g), n, paths_for_fourth(g.fourth));
  return ratio;
}

std::array<double, 2> Recording::second_and_fourth(Variable variable) const {
  const auto k = final_sums(variable).cumulants(samples_->groups());
  return {k[1], k[3]};
}

Grouped Recording::absolute_moments(double q, const std::function<double(const std::vector<double>&)>& number) const {
  const auto time_rows = rows(Variable::x);
  const size_t groups = samples_->groups();
  const std::vector<double> powers = samples_->absolute(time_rows, time_rows.front(), q);
  const GroupSums sums(powers, groups, 1);
  return jackknife(groups, [&](size_t without) {
    std::vector<double> moments;
    for (size_t r = 0; r < time_rows.size(); ++r)
      moments.push_back(sums.rest(r, 0, without) / count_without(*samples_, without) * std::pow(length(), q));
    moments.push_back(number(moments));
    return moments;
  });
}

std::vector<double> Axis::centres() const {
  const double first = folded ? -0.5 : from, range = folded ? 1 : to - from;
  std::vector<double> centres(count);
  for (size_t i = 0; i < count; ++i)
    centres[i] = first + (static_cast<double>(i) + 0.5) * range / static_cast<double>(count);
  return centres;
}

std::vector<size_t> Axis::ends() const {
  const size_t groups = std::min<size_t>(count, 64);
  std::vector<size_t> ends(groups);
  for (size_t i = 0; i < groups; ++i) ends[i] = count * (i + 1) / groups;
  return ends;
}

Grouped Recording::displacement_density(const Axis& axis, std::vector<Grouped>* below) const {
  return density(axis, nullptr, true, false, below, nullptr, rows(Variable::x).front());
}

// Counts at all times together, summed from those of the halves. They are integers, so that the order does not matter.
std::vector<uint64_t> Recording::counts_of_halves(const Axis& a, const Bins& bins_a, const Axis* b, const Bins& bins_b,
                                                  std::vector<HalfMoments>& halves) const {
  const auto size = static_cast<ptrdiff_t>(times_.size()), half = size / 2;
  const auto counts_at = [&](ptrdiff_t first, ptrdiff_t end, bool without_middle) {
    const auto rows_at = [&](Variable variable) {
      std::vector<uint32_t> selected = rows(variable);
      selected = {selected.begin() + first, selected.begin() + end};
      if (without_middle && size % 2 != 0) selected.erase(selected.begin() + half);
      return selected;
    };
    return samples_->histogram(rows_at(a.variable), bins_a,
                               b != nullptr ? rows_at(b->variable) : std::vector<uint32_t>(), bins_b,
                               static_cast<size_t>(without_middle ? half : end - first), no_row);
  };
  const std::vector<uint64_t> half_counts = counts_at(0, size, true);
  std::vector<double> paths;
  for (size_t g = 0; g < samples_->groups(); ++g) paths.push_back(static_cast<double>(samples_->size_of(g)));
  const size_t bins_of_b = b != nullptr ? b->count : 1, cells = a.count * bins_of_b;
  const auto times = static_cast<double>(half);
  add_halves(a, half_counts, cells, 1, bins_of_b, a.count, paths, times, halves);
  if (b != nullptr) add_halves(*b, half_counts, cells, a.count, a.count, 1, paths, times, halves);
  std::vector<uint64_t> counts(half_counts.begin(),
                               half_counts.begin() + static_cast<ptrdiff_t>(half_counts.size() / 2));
  for (size_t i = 0; i < counts.size(); ++i) counts[i] += half_counts[counts.size() + i];
  if (size % 2 != 0) {
    const std::vector<uint64_t> middle = counts_at(half, half + 1, false);
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += middle[i];
  }
  return counts;
}

Grouped Recording::density(const Axis& a, const Axis* b, bool each_time, bool survivors, std::vector<Grouped>* below,
                           std::vector<HalfMoments>* halves, uint32_t from) const {
  const auto bins = [&](const Axis& axis) -> Bins {
    const auto count = static_cast<uint32_t>(axis.count);
    if (axis.folded) return {-0.5, static_cast<double>(count), count, 1};
    const double u = unit(axis.variable);
    return {axis.from / u, static_cast<double>(count) * u / (axis.to - axis.from), count, 0};
  };
  const size_t groups = samples_->groups(), per_slot = each_time ? 1 : times_.size();
  const size_t cells = a.count * (b != nullptr ? b->count : 1), slots = each_time ? times_.size() : 1;
  const Bins bins_a = bins(a), bins_b = b != nullptr ? bins(*b) : Bins{};
  const bool in_halves = halves != nullptr && !each_time && !survivors && times_.size() > 1 && cells <= most_halved;
  const std::vector<uint32_t> rows_of_b = b != nullptr ? rows(b->variable) : std::vector<uint32_t>();
  const auto counts = in_halves ? counts_of_halves(a, bins_a, b, bins_b, *halves)
                                : samples_->histogram(rows(a.variable), bins_a, rows_of_b, bins_b, per_slot, from);
  const GroupSums sums(counts, groups, cells);
  const double cell = a.width(unit(a.variable)) * (b != nullptr ? b->width(unit(b->variable)) : 1);
  constexpr Bins anywhere{-1e30, 5e-31, 1, 0};  // what is recorded of a path that has ended is nan
  const auto survivor_counts =
      survivors ? samples_->histogram(rows(a.variable), anywhere, {}, {}, per_slot, no_row) : std::vector<uint64_t>();
  const GroupSums survivor_sums(survivor_counts, groups, 1);
  const auto number = [&](size_t slot, size_t without) {
    return survivors ? survivor_sums.rest(slot, 0, without)
                     : count_without(*samples_, without) * static_cast<double>(per_slot);
  };
  Grouped p = jackknife(groups, [&](size_t without) {
    std::vector<double> density;
    for (size_t slot = 0; slot < slots; ++slot) {
      const double norm = number(slot, without) * cell;
      for (size_t i = 0; i < cells; ++i) density.push_back(sums.rest(slot, i, without) / norm);
    }
    if (below == nullptr) return density;
    std::vector<double> sums_below;
    const size_t bins_of_b = b != nullptr ? b->count : 1;
    for (size_t slot = 0; slot < slots; ++slot)
      add_below(a, density, slot * cells, 1, bins_of_b, a.count, cell, sums_below);
    for (size_t slot = 0; slot < slots && b != nullptr; ++slot)
      add_below(*b, density, slot * cells, a.count, a.count, 1, cell, sums_below);
    density.insert(density.end(), sums_below.begin(), sums_below.end());
    return density;
  });
  if (below != nullptr) {
    std::vector<Grouped> last_first;
    for (const Axis* axis : {b, &a}) {
      if (axis == nullptr) continue;
      const size_t ends = axis->ends().size();
      Grouped& probabilities = last_first.emplace_back(taken_off(p, slots * ends));
      for (size_t i = 0; i < probabilities.error.size(); ++i)
        probabilities.error[i] = hypotenuse(probabilities.error[i], 1 / number(i / ends, groups));
    }
    below->assign(last_first.rbegin(), last_first.rend());
  }
  // Every error includes that of one count: a number of independent counts is as uncertain where none was found.
  for (size_t i = 0; i < p.error.size(); ++i)
    p.error[i] = hypotenuse(p.error[i], 1 / (number(i / cells, groups) * cell));
  return p;
}

Grouped Recording::correlation(Variable variable, size_t lags, bool centred, bool normalised) const {
  const auto time_rows = rows(variable);
  const size_t groups = samples_->groups(), n = time_rows.size();
  double centre = 0;
  std::vector<double> lost(lags);
  if (centred) {
    const std::vector<double> powers = samples_->powers(time_rows, {}, std::vector<double>(n), groups);
    const GroupSums sums(powers, groups, 4);
    double sum = 0;
    for (size_t k = 0; k < n; ++k) sum += sums.rest(k, 0, groups);
    centre = sum / static_cast<double>(n * samples_->paths());
    lost = lost_by_centring(*samples_, powers, centre, lags);
  }
  const std::vector<double> products = samples_->products(time_rows, centre, lags);
  const GroupSums sums(products, groups, 1);
  const double square = unit(variable) * unit(variable);
  Grouped result = jackknife(
      groups,
      [&](size_t without) {
        std::vector<double> values;
        for (size_t lag = 0; lag < lags; ++lag)
          values.push_back(
              (sums.rest(lag, 0, without) / (static_cast<double>(n - lag) * count_without(*samples_, without)) +
               lost[lag]) *
              square);
        for (size_t lag = lags; normalised && lag-- > 0;) values[lag] /= values[0];
        return values;
      },
      normalised ? Bias::removed : Bias::kept);
  const auto paths = static_cast<double>(samples_->paths());
  for (size_t lag = 0; lag < lags; ++lag) result.error[lag] *= widening_of_squares(paths, result.asymmetry[lag]);
  return result;
}

Grouped Recording::current(size_t count, Grouped* mean) const {
  const size_t groups = samples_->groups();
  const auto net = samples_->crossings(rows(Variable::x), count);
  const GroupSums sums(net, groups, count);
  Grouped J = jackknife(groups, [&](size_t without) {
    std::vector<double> values;
    for (size_t r = 0; r + 1 < times_.size(); ++r)
      for (size_t place = 0; place < count; ++place)
        values.push_back(sums.rest(r, place, without) /
                         (count_without(*samples_, without) * (times_[r + 1] - times_[r])));
    for (size_t r = 0; mean != nullptr && r + 1 < times_.size(); ++r) {
      double sum = 0;
      for (size_t place = 0; place < count; ++place) sum += values[r * count + place];
      values.push_back(sum / static_cast<double>(count));
    }
    return values;
  });
  if (mean != nullptr) *mean = taken_off(J, times_.size() - 1);
  for (size_t i = 0; i < J.error.size(); ++i)
    J.error[i] =
        hypotenuse(J.error[i], 1 / (count_without(*samples_, groups) * (times_[i / count + 1] - times_[i / count])));
  return J;
}

std::vector<double> Recording::paths_of(Variable variable, size_t count) const {
  const auto time_rows = rows(variable);
  std::vector<double> values(count * time_rows.size());
  for (size_t k = 0; k < time_rows.size(); ++k) {
    check_interruption();
    const std::vector<double> row = samples_->row(time_rows[k], count);
    for (size_t i = 0; i < count; ++i) values[i * time_rows.size() + k] = row[i] * unit(variable);
  }
  return values;
}

}  // namespace bmsim
