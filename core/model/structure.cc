#include "model/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <queue>

#include "model/model.h"

namespace bmsim {

using formula::Enclosed;
using formula::Interval;

namespace {

constexpr double narrowest = 0.1 * smallest_structure;
constexpr double closely = 4;        // bounds that are no more than this times a value within them
constexpr double telling = 1.25;     // by which a bound falls at least where the side that makes it large is a point
constexpr size_t between_dives = 8;  // parts of several sides
constexpr double rounded = 0.1;      // part of a number up to which rounding leaves it known

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

// R. L. Kronecker's sequence, of roots of x^(n+1) = x + 1.
std::vector<double> spread_over(const Box& region, size_t k) {
  constexpr std::array roots = {1.618033988749895, 1.324717957244746, 1.220744084605760, 1.167303978261419};
  const double root = roots[std::min(region.size(), roots.size()) - 1];
  std::vector<double> place;
  double part = 1;
  for (const Interval& one : region) {
    part /= root;
    const double in_unit = std::fmod(0.5 + part * static_cast<double>(k + 1), 1);
    place.push_back(one.low + in_unit * one.width());
  }
  return place;
}

Extremes largest(formula::Enclosure& f, const Box& region, Extreme what, size_t along, double known,
                 const Negligible& negligible, size_t looks) {
  std::vector<size_t> divided;  // what the function depends on
  for (size_t i = 0; i < region.size(); ++i)
    if (f.depends(i) && region[i].width() > 0) divided.push_back(i);
  Extremes found;
  if (divided.empty()) return found;
  std::priority_queue<Part> open;
  const auto enough = [&] { return far_more * std::max(known, found.most); };
  const auto look = [&](Box box) -> std::optional<Part> {
    const Enclosed& bounds = f.over(box, along);
    if (bounds.value.is_empty()) return {};
    const double bound = size_of(bounds, what);
    if (!(bound > enough()) || negligible(bounds, box)) return {};
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
    return Part{bound, std::move(box)};
  };
  const auto part_of = [&](const Box& box, size_t i) { return box[i].width() / region[i].width(); };
  // The side to halve: of several, the one that alone makes the bound large; if none does, the widest.
  const auto side_of = [&](const Box& box, double bound) {
    size_t widest = *std::ranges::max_element(divided, {}, [&](size_t i) { return part_of(box, i); });
    if (divided.size() == 1) return widest;
    double least = bound;
    size_t side = widest;
    for (const size_t i : divided) {
      if (part_of(box, i) <= narrowest) continue;
      Box thin = box;
      thin[i] = {box[i].middle(), box[i].middle()};
      const double without = size_of(f.over(thin, along), what);
      if (without < least / telling || (without < least && part_of(box, i) > part_of(box, side))) {
        least = std::max(without, 1e-300), side = i;
      }
    }
    return side;
  };
  if (std::optional<Part> all = look(region)) open.push(*std::move(all));
  // A box of several sides has too many small parts to look at them all. So from some of its parts the search goes on
  // to ever smaller ones at once: to what is narrow in one direction along a line or a surface.
  std::optional<Part> deeper;
  const size_t cost = divided.size() == 1 ? 2 : 2 + divided.size();
  for (size_t looked_at = 0;; looks -= cost) {
    if (!deeper || !(deeper->bound > enough())) {
      deeper.reset();
      if (open.empty() || !(open.top().bound > enough())) break;
    }
    if (looks < cost) {
      const Part& left = deeper && (open.empty() || open.top() < *deeper) ? *deeper : open.top();
      found.settled = false;
      found.bound = left.bound;
      for (const Interval& one : left.box) found.where.push_back(one.middle());
      break;
    }
    bool dives = deeper.has_value();
    Part one;
    if (deeper) {
      one = *std::move(deeper);
      deeper.reset();
    } else {
      one = open.top();
      open.pop();
      dives = divided.size() > 1 && looked_at++ % between_dives == 0;
    }
    Box& box = one.box;
    const size_t i = side_of(box, one.bound);
    if (part_of(box, i) <= narrowest) {
      found.singular = found.singular || !std::isfinite(one.bound);
      continue;
    }
    const Interval all = box[i];
    for (const Interval half : {Interval{all.low, all.middle()}, Interval{all.middle(), all.high}}) {
      box[i] = half;
      std::optional<Part> part = look(box);
      if (!part) continue;
      if (dives && (!deeper || *deeper < *part)) {
        if (deeper) open.push(*std::move(deeper));
        deeper = std::move(part);
      } else {
        open.push(*std::move(part));
      }
    }
  }
  return found;
}

namespace {

/// The zeros of a function of one number at which its sign changes, in order.
class Zeros {
 public:
  Zeros(formula::Enclosure& f, Box line, size_t side, size_t looks)
      : f_(f), line_(std::move(line)), side_(side), looks_(looks), shortest_(narrowest * line_[side].width()) {
    find(line_[side_]);
  }
  std::vector<double> found{};

 private:
  double at(double x) {
    std::vector<double> point;
    for (const Interval& one : line_) point.push_back(one.middle());
    point[side_] = x;
    return f_.at(point);
  }
  void find(Interval part) {
    if (looks_ == 0) return;
    --looks_;
    line_[side_] = part;
    const Enclosed bounds = f_.over(line_, side_);
    if (bounds.value.is_empty() || !bounds.value.contains(0)) return;
    const bool one_way = !bounds.jumps && !bounds.slope.is_empty() && !bounds.slope.contains(0);
    const bool small = part.width() <= shortest_;
    if ((one_way || small) && (at(part.low) > 0) == (at(part.high) > 0)) return;
    if (small) return found.push_back(part.middle());
    find({part.low, part.middle()});
    find({part.middle(), part.high});
  }
  formula::Enclosure& f_;
  Box line_;
  size_t side_, looks_;
  double shortest_;
};

}  // namespace

std::vector<double> zeros_along(formula::Enclosure& f, const Box& line, size_t side, size_t looks) {
  return Zeros(f, line, side, looks).found;
}

HiddenPieces hidden_pieces(formula::Enclosure& f, std::span<const double> samples, double least, size_t looks) {
  HiddenPieces all_found;
  std::vector<double>& found = all_found.at;
  if (samples.size() < 2) return all_found;
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
      if (looks == 0) {  // what is left of this round is looked at once
        if (!next.empty()) all_found.unsure = next.front().a;
        for (auto left = &one; !all_found.unsure && left != open.data() + open.size(); ++left)
          if (const Enclosed& bounds = f.over(Interval{left->a, left->b}); bounds.jumps && bounds.value.width() > least)
            all_found.unsure = left->a;
        std::ranges::sort(found);
        return all_found;
      }
      --looks;
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
  return all_found;
}

JumpingParts jumping_parts(formula::Enclosure& f, const Interval& line, double least, double shortest, size_t looks) {
  JumpingParts all;
  const auto may_jump = [&](const Interval& part) {
    const Enclosed& inside = f.over(part);
    return inside.jumps && inside.value.width() > least;
  };
  std::vector<Interval> open = {line};
  while (!open.empty() && open[0].width() > shortest) {
    std::vector<Interval> halves;
    for (const Interval& part : open) {
      if (!may_jump(part)) continue;
      if (looks == 0) {
        all.unsure = part.middle();
        return all;
      }
      --looks;
      halves.push_back({part.low, part.middle()}), halves.push_back({part.middle(), part.high});
    }
    open = std::move(halves);
  }
  for (const Interval& part : open)
    if (may_jump(part)) all.parts.push_back(part);
  return all;
}

std::string formula_of(const Model& model, const Component& component) {
  const uint32_t kind = (*component.plugin)->kind;
  if (kind == amplitude_kind) return "the amplitude of " + subject_of(model.multiplied_by(component));
  if (kind == event_kind) return "events." + component.name;
  if (kind == BM_POTENTIAL && component.name.empty()) return "the equations";
  return subject_of(component);
}

}  // namespace bmsim
