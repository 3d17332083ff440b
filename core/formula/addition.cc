#include "formula/addition.h"

#include <utility>
#include <vector>

namespace bmsim::formula {
namespace {

/// Sines and cosines of the terms, and two products for each wave, cost less from so many waves for two terms on.
constexpr size_t waves_per_two_terms = 5;

/// Nothing unless the argument has two terms besides a constant and t. These are added to the first positive one.
bool find_addends(const Expression& wave, Addends& addends) {
  const Turns parts = turns(wave->items[0].expression);
  const std::vector<Item> list = terms(parts.waves);
  if (list.size() != 2) return false;
  Expression first = list[0].weight * list[0].expression, second = list[1].weight * list[1].expression;
  if (is_negative(first)) std::swap(first, second);
  addends.minus = is_negative(second);
  addends.first = {first, parts.frequency, parts.offset};
  addends.second = {addends.minus ? -second : second, 0, 0};
  return true;
}

}  // namespace

void Additions::note(const Expression& e) {
  if (!seen_.insert(e.operator->()).second) return;
  if (is_wave(e) && e->name != "tan") waves_.insert(e);
  for (const Item& item : e->items) note(item.expression);
}

void Additions::decide() {
  std::set<Expression, Less> terms, different;  // the latter by what they are of, however that is written
  const Expression t("t");
  for (const Expression& wave : waves_) {
    Addends addends;
    if (!find_addends(wave, addends)) continue;
    for (const Turns& term : {addends.first, addends.second})
      terms.insert(term.waves + term.frequency * t + term.offset);
    const Turns& first = addends.first;
    const Expression second = addends.minus ? -addends.second.waves : addends.second.waves;
    different.insert(call(wave->name, {first.waves + first.frequency * t + first.offset + second}));
    addends_.emplace(wave, std::move(addends));
  }
  if (2 * different.size() < waves_per_two_terms * terms.size()) addends_.clear();
  decided_ = true;
}

const Addends* Additions::of(const Expression& wave) {
  if (!decided_) decide();
  const auto found = addends_.find(wave);
  return found == addends_.end() ? nullptr : &found->second;
}

}  // namespace bmsim::formula
