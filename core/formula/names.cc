// Names in formulas, and the nearest of those known to a misspelt one.
#include "formula/names.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "error.h"
#include "formula/functions.h"

namespace bmsim::formula {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// Letters to change, insert, leave out, or swap with the next, in halves: another case is half a change.
size_t distance(std::string_view a, std::string_view b) {
  std::vector rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      size_t& best = rows[i][j] = 2 * (i + j);
      if (i == 0 || j == 0) continue;
      const char p = a[i - 1], q = b[j - 1];
      const size_t change = p == q ? 0 : lower(p) == lower(q) ? 1 : 2;
      best = std::min({rows[i - 1][j - 1] + change, rows[i - 1][j] + 2, rows[i][j - 1] + 2});
      if (i > 1 && j > 1 && p == b[j - 2] && a[i - 2] == q) best = std::min(best, rows[i - 2][j - 2] + 2);
    }
  }
  return rows[a.size()][b.size()];
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

bool begins_name(char c) { return c == '_' || (lower(c) >= 'a' && lower(c) <= 'z'); }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject) {
  for (size_t i = 0; i < parameters.size(); ++i) {
    const std::string& name = parameters[i];
    if (name.empty() || !begins_name(name[0]) || !std::ranges::all_of(name, continues_name))
      fail("{}: a parameter's name must be letters, digits and '_', no digit first, got '{}'", subject, name);
    if (find_function(name)) fail("{}: a parameter must not have the name of a function, got '{}'", subject, name);
    if (name == "pi" || name == "x" || name == "t" || std::ranges::count(variables, name))
      fail("{}: a parameter must not be called x, t or pi, got '{}'", subject, name);
    if (std::ranges::count(parameters.first(i), name)) fail("{}: parameter '{}' is there twice", subject, name);
  }
}

std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::string* nearest = nullptr;
  size_t least = 0;
  for (const std::string& candidate : known) {
    const size_t length = std::max(name.size(), candidate.size()), apart = distance(name, candidate);
    // One letter in three, but never all of them: 'b' is not a misspelt 'a'.
    if (apart > std::max<size_t>(2, 2 * (length / 3)) || apart >= 2 * length || (nearest && apart >= least)) continue;
    least = apart;
    nearest = &candidate;
  }
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : fmt::format("; known: {}", fmt::join(known, ", "));
}

}  // namespace bmsim::formula
