#include "model/structure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <queue>

#include "model/model.h"

namespace bmsim {

using formula::Enclosed;
using formula::Interval;

namespace {

constexpr double narrowest = 0.1 * smallest_structure;
constexpr double closely = 4;     // a bound that is at most so many times a value is close to it
constexpr double telling = 1.25;  // a bound falls by this factor, or more, if the side that makes it large is a point
constexpr size_t between_dives = 8;  // parts of several sides that are looked at from one dive to the next
constexpr double rounded = 0.1;      // relative rounding error up to which a number counts as known

struct Part {
  double bound;
  Box box;
  bool operator<(const Part& other) const { return bound < other.bound; }
};

}  // namespace

double size_of(const Enclosed& bounds, Extreme sought) {
  const Interval& interval = sought == Extreme::slope ? bounds.slope : bounds.value;
  return interval.is_empty() ? INFINITY : interval.size();
}

// R. L. Kronecker's sequence, of roots of x^(n+1) = x + 1.
std::vector<double> spread_over(const Box& region, size_t k) {
  constexpr std::array roots = {1.618033988749895, 1.324717957244746, 1.220744084605760, 1.167303978261419};
  const double root = roots[std::min(region.size(), roots.size()) - 1];
  std::vector<double> place;
  double part = 1;
  for (const Interval& side : region) {
    part /= root;
    const double in_unit = std::fmod(0.5 + part * static_cast<double>(k + 1), 1);
    place.push_back(side.low + in_unit * side.width());
  }
  return place;
}

Extremes largest(formula::Enclosure& f, const Box& region, Extreme sought, size_t along, double known,
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
    const double bound = size_of(bounds, sought);
    if (!(bound > enough()) || negligible(bounds, box)) return {};
    std::vector<double> place, from, to;
    Box point;
    for (const Interval& side : box) {
      place.push_back(side.middle()), from.push_back(side.low), to.push_back(side.high);
      point.push_back({side.middle(), side.middle()});
    }
    const Enclosed& at_middle = f.over(point, along);
    const double size = size_of(at_middle, sought),
                 uncertainty = (sought == Extreme::slope ? at_middle.slope : at_middle.value).width();
    const bool resolved = bound <= closely * size;  // if not, it may still be negligible
    if (resolved && std::isfinite(size) && uncertainty < rounded * size) {
      if (size > found.most) found.most = size, found.at = place;
      found.places.insert(found.places.end(), {from, place, to});
    }
    return Part{bound, std::move(box)};
  };
  const auto part_of = [&](const Box& box, size_t i) { return box[i].width() / region[i].width(); };
  // The side to halve: the one that alone makes the bound large; if none does, the widest.
  const auto side_of = [&](const Box& box, double bound) {
    size_t widest = *std::ranges::max_element(divided, {}, [&](size_t i) { return part_of(box, i); });
    if (divided.size() == 1) return widest;
    double least = bound;
    size_t side = widest;
    for (const size_t i : divided) {
      if (part_of(box, i) <= narrowest) continue;
      Box thin = box;
      thin[i] = {box[i].middle(), box[i].middle()};
      const double without = size_of(f.over(thin, along), sought);
      if (without < least / telling || (without < least && part_of(box, i) > part_of(box, side))) {
        least = std::max(without, 1e-300), side = i;
      }
    }
    return side;
  };
  if (std::optional<Part> whole = look(region)) open.push(*std::move(whole));
  // A box of several sides has too many small parts to look at them all. So the search goes on at once from some of its
  // parts to ever smaller ones, and finds what is narrow in one direction, along a line or a surface.
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
      for (const Interval& side : left.box) found.where.push_back(side.middle());
      break;
    }
    bool dives = deeper.has_value();
    Part current;
    if (deeper) {
      current = *std::move(deeper);
      deeper.reset();
    } else {
      current = open.top();
      open.pop();
      dives = divided.size() > 1 && looked_at++ % between_dives == 0;
    }
    Box& box = current.box;
    const size_t i = side_of(box, current.bound);
    if (part_of(box, i) <= narrowest) {
      found.singular = found.singular || !std::isfinite(current.bound);
      continue;
    }
    const Interval side = box[i];
    for (const Interval half : {Interval{side.low, side.middle()}, Interval{side.middle(), side.high}}) {
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

std::vector<double> zeros_along(formula::Enclosure& f, const Box& line, size_t side, size_t looks) {
  Box part = line;
  std::vector<double> point, found;
  for (const Interval& interval : line) point.push_back(interval.middle());
  const auto is_positive = [&](double x) {
    point[side] = x;
    return f.at(point) > 0;
  };
  std::vector<Interval> open = {line[side]};  // the lowest last
  for (; !open.empty() && looks > 0; --looks) {
    const Interval here = part[side] = open.back();
    open.pop_back();
    const Enclosed bounds = f.over(part, side);
    if (bounds.value.is_empty() || !bounds.value.contains(0)) continue;
    const bool monotonic = !bounds.jumps && !bounds.slope.is_empty() && !bounds.slope.contains(0);
    const bool small = here.width() <= narrowest * line[side].width();
    if ((monotonic || small) && is_positive(here.low) == is_positive(here.high)) continue;
    if (small) {
      found.push_back(here.middle());
      continue;
    }
    open.push_back({here.middle(), here.high});
    open.push_back({here.low, here.middle()});
  }
  return found;
}

HiddenPieces hidden_pieces(formula::Enclosure& f, std::span<const double> samples, double least, size_t looks) {
  HiddenPieces pieces;
  std::vector<double>& found = pieces.at;
  if (samples.size() < 2) return pieces;
  const double length = samples.back() - samples.front();
  // The widest parts come first: at the beginning ranges of samples, later parts between two samples.
  struct Range {
    double a, b;
    size_t first, last;  // of samples; last - first <= 1: between two of them
  };
  std::vector<Range> open = {{samples.front(), samples.back(), 0, samples.size() - 1}};
  while (!open.empty()) {
    std::vector<Range> next;
    for (const Range& range : open) {
      if (looks == 0) {  // the remaining parts of this round get one look each
        if (!next.empty()) pieces.unsure = next.front().a;
        for (auto left = &range; !pieces.unsure && left != open.data() + open.size(); ++left)
          if (const Enclosed& bounds = f.over(Interval{left->a, left->b}); bounds.jumps && bounds.value.width() > least)
            pieces.unsure = left->a;
        std::ranges::sort(found);
        return pieces;
      }
      --looks;
      const Enclosed& bounds = f.over(Interval{range.a, range.b});
      if (!bounds.jumps || !(bounds.value.width() > least)) continue;
      if (range.last - range.first > 1) {
        const size_t middle = (range.first + range.last) / 2;
        next.push_back({range.a, samples[middle], range.first, middle});
        next.push_back({samples[middle], range.b, middle, range.last});
        continue;
      }
      const double fa = f.at(samples[range.first]), fb = f.at(samples[range.last]),
                   m = range.a + (range.b - range.a) / 2, fm = f.at(m),
                   differs = std::min(std::abs(fm - fa), std::abs(fm - fb));
      if (std::abs(fb - fa) > least) continue;  // the samples show it
      if (differs > least) {
        found.push_back(m);
        continue;
      }
      if (range.b - range.a <= narrowest * length) continue;
      next.push_back({range.a, m, range.first, range.last});
      next.push_back({m, range.b, range.first, range.last});
    }
    open = std::move(next);
  }
  std::ranges::sort(found);
  return pieces;
}

JumpingParts jumping_parts(formula::Enclosure& f, const Interval& line, double least, double shortest, size_t looks) {
  JumpingParts result;
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
        result.unsure = part.middle();
        return result;
      }
      --looks;
      halves.push_back({part.low, part.middle()}), halves.push_back({part.middle(), part.high});
    }
    open = std::move(halves);
  }
  for (const Interval& part : open)
    if (may_jump(part)) result.parts.push_back(part);
  return result;
}

std::string formula_of(const Model& model, const Component& component) {
  const uint32_t kind = (*component.plugin)->kind;
  if (kind == amplitude_kind) return "the amplitude of " + subject_of(model.multiplied_by(component));
  if (kind == event_kind) return "events." + component.name;
  if (kind == BM_POTENTIAL && component.name.empty()) return "the equations";
  return subject_of(component);
}

}  // namespace bmsim
