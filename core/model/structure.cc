#include "model/structure.h"

#include <algorithm>
#include <queue>

namespace bmsim {

using formula::Enclosed;
using formula::Interval;

namespace {

constexpr double narrowest = 0.1 * smallest_structure;
constexpr double closely = 4;    // bounds that are no more than this times a value within them
constexpr double rounded = 0.1;  // part of a number up to which rounding leaves it known

double size_of(const Enclosed& bounds, Extreme what) {
  const Interval& one = what == Extreme::slope ? bounds.slope : bounds.value;
  return one.is_empty() ? INFINITY : one.size();
}

struct Part {
  double bound;
  Box box;
  bool operator<(const Part& other) const { return bound < other.bound; }
};

}  // namespace

Extremes largest(formula::Enclosure& f, const Box& region, Extreme what, size_t along, double known,
                 const Negligible& negligible, size_t looks) {
  std::vector<size_t> divided;  // what the function depends on
  for (size_t i = 0; i < region.size(); ++i)
    if (f.depends(i) && region[i].width() > 0) divided.push_back(i);
  Extremes found;
  if (divided.empty()) return found;
  std::priority_queue<Part> open;
  const auto enough = [&] { return far_more * std::max(known, found.most); };
  const auto look = [&](Box box) {
    const Enclosed& bounds = f.over(box, along);
    if (bounds.value.is_empty()) return;
    const double bound = size_of(bounds, what);
    if (!(bound > enough()) || negligible(bounds, box)) return;
    std::vector<double> place, from, to;
    Box point;
    for (const Interval& one : box) {
      place.push_back(one.middle()), from.push_back(one.low), to.push_back(one.high);
      point.push_back({one.middle(), one.middle()});
    }
    const Enclosed& there = f.over(point, along);
    const double size = size_of(there, what), digits = (what == Extreme::slope ? there.slope : there.value).width();
    const bool resolved = bound <= closely * size;  // if not, it may yet be negligible
    if (resolved && std::isfinite(size) && digits < rounded * size) {
      if (size > found.most) found.most = size, found.at = place;
      for (auto* one : {&from, &place, &to}) found.places.push_back(*one);
    }
    open.push({bound, std::move(box)});
  };
  look(region);
  for (; !open.empty() && open.top().bound > enough(); looks -= 2) {
    if (looks < 2) {
      found.settled = false;
      found.bound = open.top().bound;
      for (const Interval& one : open.top().box) found.where.push_back(one.middle());
      break;
    }
    Box box = open.top().box;
    const bool bounded = std::isfinite(open.top().bound);
    open.pop();
    const auto part = [&](size_t i) { return box[i].width() / region[i].width(); };
    const size_t i = *std::ranges::max_element(divided, {}, part);
    if (part(i) <= narrowest) {
      found.singular = found.singular || !bounded;
      continue;
    }
    const Interval all = box[i];
    for (const Interval half : {Interval{all.low, all.middle()}, Interval{all.middle(), all.high}}) {
      box[i] = half;
      look(box);
    }
  }
  return found;
}

std::vector<double> hidden_pieces(formula::Enclosure& f, std::span<const double> samples, double least, size_t looks) {
  std::vector<double> found;
  if (samples.size() < 2) return found;
  const double all = samples.back() - samples.front();
  // The widest parts first: a list of ranges of samples, then of parts between two of them.
  struct Range {
    double a, b;
    size_t first, last;  // of samples; last - first <= 1: between two of them
  };
  std::vector<Range> open = {{samples.front(), samples.back(), 0, samples.size() - 1}};
  while (!open.empty()) {
    std::vector<Range> next;
    for (const Range& one : open) {
      if (looks-- == 0) return found;
      const Enclosed& bounds = f.over(Interval{one.a, one.b});
      if (!bounds.jumps || !(bounds.value.width() > least)) continue;
      if (one.last - one.first > 1) {
        const size_t middle = (one.first + one.last) / 2;
        next.push_back({one.a, samples[middle], one.first, middle});
        next.push_back({samples[middle], one.b, middle, one.last});
        continue;
      }
      const double fa = f.at(samples[one.first]), fb = f.at(samples[one.last]), m = one.a + (one.b - one.a) / 2,
                   fm = f.at(m), differs = std::min(std::abs(fm - fa), std::abs(fm - fb));
      if (std::abs(fb - fa) > least) continue;  // whoever looks at samples sees it
      if (differs > least) {
        found.push_back(m);
        continue;
      }
      if (one.b - one.a <= narrowest * all) continue;
      next.push_back({one.a, m, one.first, one.last});
      next.push_back({m, one.b, one.first, one.last});
    }
    open = std::move(next);
  }
  std::ranges::sort(found);
  return found;
}

}  // namespace bmsim
