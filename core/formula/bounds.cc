// Interval arithmetic with first derivatives. R. E. Moore, R. B. Kearfott, M. J. Cloud, Introduction to Interval
// Analysis (SIAM, 2009).
#include "formula/bounds.h"

#include <array>
#include <numbers>

#include "numbers.h"

namespace bmsim::formula {
namespace {

constexpr double largest = std::numeric_limits<double>::max();
constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();  // of an operation or a library function
constexpr Interval real_line = {-infinity, infinity};
constexpr Interval none = {nan, nan};

bool is_zero(Interval a) { return a.low == 0 && a.high == 0; }
bool is_point(Interval a) { return a.low == a.high; }
double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }  // also of infinite bounds

double lowered(double a, double size) { return std::isinf(a) ? std::min(a, largest) : a - rounding * size; }
double lifted(double a, double size) { return std::isinf(a) ? std::max(a, -largest) : a + rounding * size; }
/// The interval rounded outwards. size_low, size_high: sums of the sizes of the terms of its ends.
Interval widened(Interval a, double size_low, double size_high) {
  return a.is_empty() ? none : Interval{lowered(a.low, size_low), lifted(a.high, size_high)};
}
Interval widened(Interval a) { return widened(a, std::abs(a.low), std::abs(a.high)); }
Interval hull(Interval a, Interval b) {
  if (a.is_empty()) return b;
  if (b.is_empty()) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}
Interval scaled(Interval a, double factor) {
  if (factor == 1) return a;
  const double low = times(a.low, factor), high = times(a.high, factor);
  return factor < 0 ? Interval{high, low} : Interval{low, high};
}
/// Whether a has so few binary digits that sums of such numbers are exact: a multiple of a quarter.
bool is_short(double a) {
  constexpr double most = 1ll << 48;
  return std::abs(a) < most && 4 * a == std::rint(4 * a);
}
/// Whether a is short and exactly b c.
bool is_product(double a, double b, double c) { return is_short(a) && std::fma(b, c, -a) == 0; }
Interval multiplied(Interval a, Interval b) {
  if (a.is_empty() || b.is_empty()) return none;
  const double p = times(a.low, b.low), q = times(a.low, b.high), r = times(a.high, b.low), s = times(a.high, b.high);
  if (is_point(a) && is_point(b) && is_product(p, a.low, b.low)) return {p, p};
  return widened({std::min({p, q, r, s}), std::max({p, q, r, s})});
}
Interval inverse(Interval a) {
  if (a.is_empty() || is_zero(a)) return none;
  if (a.low > 0 || a.high < 0) return widened({1 / a.high, 1 / a.low});
  if (a.low == 0) return {1 / a.high, infinity};
  if (a.high == 0) return {-infinity, 1 / a.low};
  return real_line;
}
double raised(double base, double exponent) {
  if (exponent == 1) return base;
  if (exponent == 2) return base * base;
  if (exponent == 0.5) return std::sqrt(base);
  return std::pow(base, exponent);
}
Interval power_of(Interval a, double n) {
  if (n == 1) return a;
  if (n == 0) return {1, 1};
  if (a.is_empty()) return none;
  if (n < 0) return inverse(power_of(a, -n));
  if (!is_integer(n)) {
    if (a.high < 0) return none;
    return widened({raised(std::max(a.low, 0.0), n), raised(a.high, n)});
  }
  if (std::fmod(n, 2) != 0) return widened({raised(a.low, n), raised(a.high, n)});
  const double low = raised(std::abs(a.low), n), high = raised(std::abs(a.high), n);
  return widened({a.contains(0) ? 0 : std::min(low, high), std::max(low, high)});
}
/// The slope of f(g): that of f times that of g. f need not have one where g is constant.
Interval chained(Interval outer, Interval inner) {
  if (is_zero(inner)) return inner;
  if (inner.is_empty()) return real_line;
  return outer.is_empty() ? real_line : multiplied(outer, inner);
}

/// Whether a + 2 pi k may be in the interval for an integer k.
bool contains_phase(Interval x, double a) {
  constexpr double turn = 2 * std::numbers::pi;
  const double margin = 1e-15 * (1 + x.size());
  return std::ceil((x.low - margin - a) / turn) * turn + a <= x.high + margin;
}
/// The sine shifted so that it is 1 at `top`.
Interval sine(Interval x, double top) {
  if (x.is_empty()) return none;
  if (!(x.width() < 2 * std::numbers::pi) || x.size() > 1e15) return {-1, 1};
  const double a = std::cos(x.low - top), b = std::cos(x.high - top), margin = 4e-16 * (1 + x.size());
  return {contains_phase(x, top + std::numbers::pi) ? -1 : std::max(std::min(a, b) - margin, -1.0),
          contains_phase(x, top) ? 1 : std::min(std::max(a, b) + margin, 1.0)};
}
template <class F> Interval rising(F f, Interval x) { return x.is_empty() ? none : widened({f(x.low), f(x.high)}); }
Interval hyperbolic_cosine(Interval x) {
  if (x.is_empty()) return none;
  const double a = std::cosh(x.low), b = std::cosh(x.high);
  return widened({x.contains(0) ? 1 : std::min(a, b), std::max(a, b)});
}
Interval absolute(Interval x) {
  if (x.is_empty()) return none;
  const double a = std::abs(x.low), b = std::abs(x.high);
  return {x.contains(0) ? 0 : std::min(a, b), std::max(a, b)};
}

Enclosed tangent(const Enclosed& a) {
  constexpr double half = std::numbers::pi / 2;
  const Interval x = a.value;
  Interval value = real_line;
  if (x.is_empty()) value = none;
  if (x.width() < std::numbers::pi && !contains_phase(x, half) && !contains_phase(x, -half))
    value = rising([](double y) { return std::tan(y); }, x);
  Interval slope = power_of(value, 2);
  return {value, chained({1 + slope.low, 1 + slope.high}, a.slope), a.jumps};
}

Enclosed angle(const Enclosed& y, const Enclosed& x) {
  if (y.value.is_empty() || x.value.is_empty()) return {none, none, true};
  const bool turns = !(x.value.low > 0 || y.value.low > 0 || y.value.high < 0);
  Interval value = {-std::numbers::pi, std::numbers::pi};
  if (!turns) {
    value = {infinity, -infinity};
    for (const double b : {y.value.low, y.value.high})
      for (const double a : {x.value.low, x.value.high}) {
        const double corner = std::atan2(b, a);
        value = {std::min(value.low, corner), std::max(value.high, corner)};
      }
    value = widened(value);
  }
  if (is_zero(y.slope) && is_zero(x.slope)) return {value, {0, 0}, turns || y.jumps || x.jumps};
  const Interval p = chained(x.value, y.slope), q = chained(y.value, x.slope), u = power_of(x.value, 2),
                 v = power_of(y.value, 2);
  const Interval square = widened({u.low + v.low, u.high + v.high});
  const Interval slope = multiplied(widened({p.low - q.high, p.high - q.low}), inverse(square));
  return {value, slope.is_empty() ? real_line : slope, turns || y.jumps || x.jumps};
}

Enclosed raised_to(const Enclosed& base, const Enclosed& exponent) {
  const Interval a = base.value, b = exponent.value;
  const bool jumps = base.jumps || exponent.jumps;
  if (a.is_empty() || b.is_empty()) return {none, none, jumps};
  if (is_point(b) && is_zero(exponent.slope)) {
    const double n = b.low;
    if (n == 0) return {{1, 1}, {0, 0}, jumps};
    const bool everywhere = is_integer(n) || a.low >= 0;
    return {power_of(a, n), chained(scaled(power_of(a, n - 1), n), base.slope), jumps || !everywhere};
  }
  if (a.high < 0) return {a.low < 0 ? real_line : none, real_line, jumps};
  const Interval positive = {std::max(a.low, 0.0), a.high};
  const Interval log = rising([](double y) { return std::log(y); }, positive), product = multiplied(b, log);
  const Interval value = rising([](double y) { return std::exp(y); }, product);
  const Interval inner = multiplied(b, chained(inverse(positive), base.slope)), outer = chained(log, exponent.slope);
  return {a.low < 0 ? real_line : value, multiplied(value, widened({inner.low + outer.low, inner.high + outer.high})),
          jumps || a.low < 0};
}

/// Either of the two, as when a comparison with an undefined value decides.
Enclosed undecided(const Enclosed& a, const Enclosed& b) {
  return {hull(a.value, b.value), hull(a.slope, b.slope), true};
}
Enclosed smaller(const Enclosed& a, const Enclosed& b) {
  if (a.value.is_empty() || b.value.is_empty() || a.jumps || b.jumps) return undecided(a, b);
  if (a.value.high < b.value.low) return a;
  if (b.value.high <= a.value.low) return b;
  return {{std::min(a.value.low, b.value.low), std::min(a.value.high, b.value.high)}, hull(a.slope, b.slope), false};
}
Enclosed negative(const Enclosed& a) { return {scaled(a.value, -1), scaled(a.slope, -1), a.jumps}; }

Enclosed selected(const Enclosed& a, const Enclosed& b, const Enclosed& below, const Enclosed& otherwise) {
  const bool decided = !a.jumps && !b.jumps;
  if (decided && a.value.high < b.value.low) return below;
  if (decided && a.value.low >= b.value.high) return otherwise;
  return undecided(below, otherwise);
}

Enclosed called(std::string_view name, std::span<const Enclosed> a) {
  constexpr double half = std::numbers::pi / 2;
  const Interval x = a[0].value, slope = a[0].slope;
  const bool jumps = a[0].jumps;
  const auto with = [&](Interval value, Interval outer) { return Enclosed{value, chained(outer, slope), jumps}; };
  if (name == "sin") return with(sine(x, half), is_zero(slope) ? slope : sine(x, 0));
  if (name == "cos") return with(sine(x, 0), is_zero(slope) ? slope : scaled(sine(x, half), -1));
  if (name == "tan") return tangent(a[0]);
  if (name == "sinh") return with(rising([](double y) { return std::sinh(y); }, x), hyperbolic_cosine(x));
  if (name == "cosh") return with(hyperbolic_cosine(x), rising([](double y) { return std::sinh(y); }, x));
  if (name == "tanh") return with(rising([](double y) { return std::tanh(y); }, x), power_of(hyperbolic_cosine(x), -2));
  if (name == "exp") {
    const Interval value = rising([](double y) { return std::exp(y); }, x);
    return with(value, value);
  }
  if (name == "log") {
    if (x.is_empty() || x.high < 0) return {none, none, jumps};
    const Interval positive = {std::max(x.low, 0.0), x.high};
    const Enclosed log = with(rising([](double y) { return std::log(y); }, positive), inverse(positive));
    return {log.value, log.slope, jumps || x.low < 0};
  }
  if (name == "abs") {
    const Interval side = x.low >= 0 ? Interval{1, 1} : x.high <= 0 ? Interval{-1, -1} : Interval{-1, 1};
    return with(absolute(x), side);
  }
  if (name == "sign") {
    const auto sign = [](double y) { return static_cast<double>((y > 0) - (y < 0)); };  // 0 of an undefined value
    const Interval value = {sign(x.low), sign(x.high)};
    return {jumps ? hull(value, {0, 0}) : value, {0, 0}, jumps || value.width() > 0};
  }
  if (name == "floor") {
    if (x.is_empty()) return {none, none, jumps};
    return {{std::floor(x.low), std::floor(x.high)}, {0, 0}, jumps || std::floor(x.low) != std::floor(x.high)};
  }
  if (name == "min") return smaller(a[0], a[1]);
  if (name == "max") return negative(smaller(negative(a[0]), negative(a[1])));
  if (name == "atan2") return angle(a[0], a[1]);
  if (name == "select") return selected(a[0], a[1], a[2], a[3]);
  return {real_line, real_line, true};  // call() writes the other functions in terms of these
}

}  // namespace

Enclosed either(const Enclosed& a, const Enclosed& b) {
  return {hull(a.value, b.value), hull(a.slope, b.slope), a.jumps || b.jumps};
}

Enclosure::Enclosure(const Program& program, std::vector<double> inputs, std::vector<size_t> varying)
    : program_(program), inputs_(std::move(inputs)), varying_(std::move(varying)), known_(program.operations_.size()) {
  std::vector<bool> changes(known_.size());
  for (size_t i = 0; i < known_.size(); ++i) {
    const Program::Operation& operation = program_.operations_[i];
    if (operation.what == Program::What::input) {
      changes[i] = std::ranges::count(varying_, operation.input) > 0;
      if (!changes[i]) known_[i] = {{inputs_[operation.input], inputs_[operation.input]}, {0, 0}, false};
      continue;
    }
    for (const Program::Argument& argument : program_.arguments_of(operation))
      if (changes[argument.operation]) changes[i] = true;
    if (changes[i])
      changing_.push_back(i);
    else
      known_[i] = {computed(operation).value, {0, 0}, false};
  }
}

const Enclosed& Enclosure::over(std::span<const Interval> box, size_t along) {
  for (size_t i = 0; i < known_.size(); ++i) {
    const Program::Operation& operation = program_.operations_[i];
    if (operation.what != Program::What::input) continue;
    for (size_t k = 0; k < varying_.size(); ++k)
      if (varying_[k] == operation.input) known_[i] = {box[k], k == along ? Interval{1, 1} : Interval{0, 0}, false};
  }
  for (const size_t i : changing_) known_[i] = computed(program_.operations_[i]);
  return known_.back();
}

double Enclosure::at(std::span<const double> point) {
  for (size_t k = 0; k < varying_.size(); ++k) inputs_[varying_[k]] = point[k];
  return program_(inputs_[0], inputs_[1], inputs_.data() + 2);
}

bool Enclosure::depends(size_t along) const {
  return std::ranges::any_of(program_.operations_, [&](const Program::Operation& operation) {
    return operation.what == Program::What::input && operation.input == varying_[along];
  });
}

Enclosed Enclosure::computed(const Program::Operation& operation) const {
  const std::span<const Program::Argument> arguments = program_.arguments_of(operation);
  const auto argument = [&](size_t k) -> const Enclosed& { return known_[arguments[k].operation]; };
  const auto is_known = [&](const Program::Argument& a) {
    return is_point(known_[a.operation].value) && !known_[a.operation].jumps;
  };
  const bool known = std::ranges::all_of(arguments, is_known);  // so that the value is what the program computes
  switch (operation.what) {
    case Program::What::weighted_sum: {
      Enclosed sum{{operation.number, operation.number}, {0, 0}, false};
      double size_low = std::abs(operation.number), size_high = size_low, slope_low = 0, slope_high = 0;
      bool exact = known || is_short(operation.number);  // no rounding: floor() of whole numbers does not jump
      for (size_t k = 0; k < arguments.size(); ++k) {
        const Enclosed& a = argument(k);
        if (a.value.is_empty()) return {none, none, a.jumps};
        const Interval value = scaled(a.value, arguments[k].weight), slope = scaled(a.slope, arguments[k].weight);
        sum.value = {sum.value.low + value.low, sum.value.high + value.high};
        sum.slope = {sum.slope.low + slope.low, sum.slope.high + slope.high};
        const Interval unscaled = arguments[k].weight < 0 ? Interval{a.value.high, a.value.low} : a.value;
        exact = known || (exact && is_product(value.low, unscaled.low, arguments[k].weight) &&
                          is_product(value.high, unscaled.high, arguments[k].weight));
        size_low += std::abs(value.low), size_high += std::abs(value.high);
        slope_low += std::abs(slope.low), slope_high += std::abs(slope.high);
        sum.jumps = sum.jumps || a.jumps;
      }
      if (!arguments.empty() && !exact) sum.value = widened(sum.value, size_low, size_high);
      sum.slope = widened(sum.slope, slope_low, slope_high);
      return sum;
    }
    case Program::What::product: {
      constexpr size_t few = 16;
      std::array<Interval, few> on_stack;
      std::vector<Interval> on_heap(arguments.size() > few ? arguments.size() : 0);
      Interval* const factor = on_heap.empty() ? on_stack.data() : on_heap.data();
      Enclosed product{{operation.number, operation.number}, {0, 0}, false};
      for (size_t k = 0; k < arguments.size(); ++k) {
        factor[k] = power_of(argument(k).value, arguments[k].weight);
        product.value = multiplied(product.value, factor[k]);
        const bool everywhere = is_integer(arguments[k].weight) || argument(k).value.low >= 0;
        product.jumps = product.jumps || argument(k).jumps || !everywhere;
      }
      if (known) {
        double value = operation.number;
        for (const Program::Argument& a : arguments) value *= raised(known_[a.operation].value.low, a.weight);
        product.value = {value, value};
      }
      if (product.value.is_empty()) return {none, none, product.jumps};
      for (size_t k = 0; k < arguments.size(); ++k) {
        const Enclosed& a = argument(k);
        if (is_zero(a.slope)) continue;
        const double n = arguments[k].weight;
        Interval term = chained(n == 1 ? Interval{1, 1} : scaled(power_of(a.value, n - 1), n), a.slope);
        for (size_t j = 0; j < arguments.size(); ++j)
          if (j != k) term = multiplied(term, factor[j]);
        term = scaled(term, operation.number);
        if (term.is_empty()) term = real_line;
        product.slope = widened({product.slope.low + term.low, product.slope.high + term.high});
      }
      return product;
    }
    case Program::What::power:
      return raised_to(argument(0), argument(1));
    case Program::What::call: {
      std::array<Enclosed, 4> enclosed{};  // no function takes more
      for (size_t k = 0; k < arguments.size(); ++k) enclosed[k] = argument(k);
      return called(operation.function->name, enclosed);
    }
    default:
      return {};
  }
}

}  // namespace bmsim::formula
