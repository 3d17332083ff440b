#include "observe/recording.h"

#include <array>
#include <cmath>
#include <optional>

namespace bmsim {

namespace {

double count_without(const Samples& samples, size_t without) {
  return static_cast<double>(samples.paths() - (without < samples.groups() ? samples.size_of(without) : 0));
}

/// From the sums of d, ... d^4 of some numbers d = z - centre.
class Cumulants {
 public:
  explicit Cumulants(double count)
      : one_(1 / count), unbiased_(count > 1 ? count / (count - 1) : std::numeric_limits<double>::quiet_NaN()) {}
  std::array<double, 4> from(double centre, const std::array<double, 4>& sums) const {
    const double a = sums[0] * one_, s2 = sums[1] * one_, s3 = sums[2] * one_, s4 = sums[3] * one_;
    const double m2 = s2 - a * a, m3 = s3 - 3 * a * s2 + 2 * a * a * a;
    const double m4 = s4 - 4 * a * s3 + 6 * a * a * s2 - 3 * a * a * a * a;
    return {centre + a, m2 * unbiased_, m3, m4 - 3 * m2 * m2};
  }

 private:
  double one_, unbiased_;
};

}  // namespace

std::vector<uint32_t> Recording::rows(Variable variable) const {
  std::vector<uint32_t> rows;
  const uint32_t offset = variable == Variable::x ? 0 : 1;
  for (const uint32_t mark : marks_) rows.push_back(mark * static_cast<uint32_t>(values_) + offset);
  return rows;
}

/// Powers about a number near the mean of each row, that of the first group, so that no digits are lost.
class Recording::Sums {
 public:
  Sums(const Samples& samples, const std::vector<uint32_t>& rows, const std::vector<uint32_t>& from)
      : samples_(samples), centres_(rows.size()) {
    const std::vector<double> first = samples.powers(rows, from, centres_, 1);
    for (size_t r = 0; r < rows.size(); ++r) centres_[r] = first[4 * r] / static_cast<double>(samples.size_of(0));
    powers_ = samples.powers(rows, from, centres_, samples.groups());
    sums_.emplace(std::span<const double>(powers_), samples.groups(), 4);
  }
  /// Of all rows, shape (rows, 4).
  std::vector<double> cumulants(size_t without) const {
    const Cumulants cumulants(count_without(samples_, without));
    std::vector<double> all(4 * centres_.size());
    for (size_t r = 0; r < centres_.size(); ++r) {
      std::array<double, 4> sums{};
      for (size_t k = 0; k < 4; ++k) sums[k] = sums_->rest(r, k, without);
      const auto four = cumulants.from(centres_[r], sums);
      std::copy(four.begin(), four.end(), all.begin() + static_cast<ptrdiff_t>(4 * r));
    }
    return all;
  }

 private:
  const Samples& samples_;
  std::vector<double> centres_, powers_;
  std::optional<GroupSums<double>> sums_;
};

Grouped Recording::cumulants(Variable variable) const {
  const Sums sums(*samples_, rows(variable), {});
  Grouped all = jackknife(samples_->groups(), [&](size_t without) { return sums.cumulants(without); });
  const double u = unit(variable), scale[] = {u, u * u, u * u * u, u * u * u * u};
  for (auto* numbers : {&all.value, &all.error})
    for (size_t i = 0; i < numbers->size(); ++i) (*numbers)[i] *= scale[i % 4];
  return all;
}

Grouped Recording::non_gaussianity(Variable variable) const {
  const auto all = rows(variable);
  const bool moved = variable == Variable::x;
  const Sums sums(*samples_, {all.back()}, moved ? std::vector<uint32_t>{all.front()} : std::vector<uint32_t>());
  return jackknife(samples_->groups(), [&](size_t without) {
    const auto k = sums.cumulants(without);
    return std::vector<double>{k[3] / (3 * k[1] * k[1])};
  });
}

Grouped Recording::absolute_moments(double q, const std::function<double(const std::vector<double>&)>& number) const {
  const auto all = rows(Variable::x);
  const size_t groups = samples_->groups();
  const std::vector<double> powers = samples_->absolute(all, all.front(), q);
  const GroupSums sums(powers, groups, 1);
  return jackknife(groups, [&](size_t without) {
    std::vector<double> moments;
    for (size_t r = 0; r < all.size(); ++r)
      moments.push_back(sums.rest(r, 0, without) / count_without(*samples_, without) *
                        std::pow(length_, q));
    moments.push_back(number(moments));
    return moments;
  });
}

Grouped Recording::density(const Axis& a, const Axis* b, bool each_time) const {
  const auto bins = [&](const Axis& axis) -> Bins {
    const auto count = static_cast<uint32_t>(axis.count);
    if (axis.folded) return {-0.5, static_cast<double>(count), count, 1};
    const double u = unit(axis.variable);
    return {axis.from / u, static_cast<double>(count) * u / (axis.to - axis.from), count, 0};
  };
  const size_t groups = samples_->groups(), per_slot = each_time ? 1 : times_.size();
  const size_t cells = a.count * (b != nullptr ? b->count : 1), slots = each_time ? times_.size() : 1;
  const auto counts = samples_->histogram(rows(a.variable), bins(a), b != nullptr ? rows(b->variable) : std::vector<uint32_t>(),
                                          b != nullptr ? bins(*b) : Bins{}, per_slot);
  const GroupSums sums(counts, groups, cells);
  const double cell = a.width(length_) * (b != nullptr ? b->width(length_) : 1);
  return jackknife(groups, [&](size_t without) {
    const double all = count_without(*samples_, without) * static_cast<double>(per_slot) * cell;
    std::vector<double> density;
    for (size_t slot = 0; slot < slots; ++slot)
      for (size_t i = 0; i < cells; ++i)
        density.push_back(sums.rest(slot, i, without) / all);
    return density;
  });
}

Grouped Recording::correlation(Variable variable, size_t lags, bool centred, bool normalised) const {
  const auto all = rows(variable);
  const size_t groups = samples_->groups(), n = all.size();
  double centre = 0;
  if (centred) {
    const std::vector<double> powers = samples_->powers(all, {}, std::vector<double>(n), groups);
    const GroupSums sums(powers, groups, 4);
    double sum = 0;
    for (size_t k = 0; k < n; ++k) sum += sums.rest(k, 0, groups);
    centre = sum / static_cast<double>(n * samples_->paths());
  }
  const std::vector<double> products = samples_->products(all, centre, lags);
  const GroupSums sums(products, groups, 1);
  const double square = unit(variable) * unit(variable);
  return jackknife(groups, [&](size_t without) {
    std::vector<double> values;
    for (size_t lag = 0; lag < lags; ++lag)
      values.push_back(sums.rest(lag, 0, without) * square /
                       (static_cast<double>(n - lag) * count_without(*samples_, without)));
    for (size_t lag = lags; normalised && lag-- > 0;) values[lag] /= values[0];
    return values;
  });
}

Grouped Recording::current(size_t count) const {
  const size_t groups = samples_->groups();
  const auto net = samples_->crossings(rows(Variable::x), count);
  const GroupSums sums(net, groups, count);
  return jackknife(groups, [&](size_t without) {
    std::vector<double> values;
    for (size_t r = 0; r + 1 < times_.size(); ++r)
      for (size_t place = 0; place < count; ++place)
        values.push_back(sums.rest(r, place, without) /
                         (count_without(*samples_, without) * (times_[r + 1] - times_[r])));
    return values;
  });
}

std::vector<double> Recording::paths_of(Variable variable, size_t count) const {
  const auto all = rows(variable);
  std::vector<double> values(count * all.size());
  for (size_t k = 0; k < all.size(); ++k) {
    const std::vector<double> row = samples_->row(all[k], count);
    for (size_t i = 0; i < count; ++i) values[i * all.size() + k] = row[i] * unit(variable);
  }
  return values;
}

}  // namespace bmsim
