#pragma once
// Values that nobody changes: copies share them.
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace bmsim {

/// A vector that is made once. None take no memory.
template <class Value> class Shared {
 public:
  Shared() = default;
  Shared(std::vector<Value> values)
      : values_(values.empty() ? nullptr : std::make_shared<const std::vector<Value>>(std::move(values))) {}
  Shared(std::initializer_list<Value> values) : Shared(std::vector<Value>(values)) {}
  const std::vector<Value>& all() const {
    static const std::vector<Value> none;
    return values_ ? *values_ : none;
  }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  size_t size() const { return all().size(); }
  bool empty() const { return values_ == nullptr; }
  const Value& operator[](size_t i) const { return all()[i]; }
  const Value& front() const { return all().front(); }
  /// Whether copies of one vector hold both.
  bool operator==(const Shared& other) const { return values_ == other.values_ || all() == other.all(); }

 private:
  std::shared_ptr<const std::vector<Value>> values_;
};

}  // namespace bmsim
