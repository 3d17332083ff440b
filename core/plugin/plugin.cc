#include "plugin/plugin.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "error.h"
#include "nearest_name.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

constexpr std::pair<uint32_t, std::string_view> kinds[] = {
    {BM_NOISE, "noise"},         {BM_POTENTIAL, "potential"}, {BM_DRIVE, "drive"}, {amplitude_kind, "amplitude"},
    {observed_kind, "observed"}, {event_kind, "event"},       {wall_kind, "wall"}, {field_kind, "field"}};

constexpr uint32_t most_entries = 1U << 24;  // of an array: a larger count is a mistake

/// All entries that write(out, capacity) writes. It returns their number, and is first called for that alone.
template <class Entry, class Write>
std::vector<Entry> all_of(const Plugin& plugin, std::string_view what, const Write& write) {
  const uint32_t count = write(static_cast<Entry*>(nullptr), 0U);
  if (count > most_entries)
    fail("{}: the plugin's {} must have at most {} entries, got {}", plugin.full_name(), what, most_entries, count);
  std::vector<Entry> entries(count);
  if (count == 0) return entries;
  const uint32_t again = write(entries.data(), count);
  if (again != count)
    fail("{}: the plugin's {} must have one length, got {} and {}", plugin.full_name(), what, count, again);
  return entries;
}

}  // namespace

std::string_view kind_name(uint32_t kind) {
  for (const auto& [value, name] : kinds)
    if (value == kind) return name;
  fail("plugin kind must be 1 (noise), 2 (potential) or 3 (drive), got {}", kind);
}

uint32_t kind_of(std::string_view name) {
  for (const auto& [value, known] : kinds)
    if (known == name) return value;
  fail("plugin kind must be noise, potential or drive, got '{}'", name);
}

const Plugin::Linked& Plugin::linked() const {
  std::call_once(linked_once_, [this] {
    for (const bm_parametrisation& one : std::span(descriptor_->parametrisations, descriptor_->parametrisation_count))
      linked_.parametrisations.push_back(words_in(one.names));
    for (const bm_parameter& parameter : parameters())
      if (std::ranges::any_of(linked_.parametrisations,
                              [&](const auto& names) { return std::ranges::count(names, parameter.name) > 0; }))
        linked_.names.emplace_back(parameter.name);
  });
  return linked_;
}

std::string Plugin::full_name() const { return fmt::format("{}.{}", kind_name(descriptor_->kind), descriptor_->id); }

const void* Plugin::extension(const char* name) const {
  return descriptor_->extension ? descriptor_->extension(name) : nullptr;
}

int Plugin::derive(const bm_context& context, double* values) const {
  return descriptor_->derive ? descriptor_->derive(&context, values) : 0;
}

std::vector<double> Plugin::array(const bm_context& context, const double* values, uint32_t index) const {
  if (!descriptor_->array || index >= descriptor_->array_count) return {};
  return all_of<double>(
      *this, fmt::format("array {}", descriptor_->arrays[index].name),
      [&](double* out, uint32_t capacity) { return descriptor_->array(&context, values, index, out, capacity); });
}

double Plugin::time_scale(const double* values) const {
  return descriptor_->time_scale ? descriptor_->time_scale(values) : std::numeric_limits<double>::infinity();
}

double Plugin::shortest_change(const double* values) const {
  const auto* changes = static_cast<const bm_changes*>(extension(BM_CHANGES));
  return changes != nullptr ? changes->shortest(values) : std::numeric_limits<double>::infinity();
}

std::vector<double> Plugin::frequencies(const double* values) const {
  if (descriptor_->kind != BM_DRIVE) return {};
  return {1 / time_scale(values)};
}

bool Plugin::depends_on_time() const {
  return std::ranges::any_of(phases_of_fields(), [](int field) { return field < 0; });
}
std::vector<bool> Plugin::phases_wrap() const {
  if (descriptor_->kind != BM_DRIVE) return {};
  return {true};
}

double Plugin::period(const double* values) const { return descriptor_->period ? descriptor_->period(values) : 0; }

std::vector<bm_segment> Plugin::segments(const double* values, const bm_numbers* arrays) const {
  if (!descriptor_->segments) return {};
  return all_of<bm_segment>(*this, "list of segments", [&](bm_segment* out, uint32_t capacity) {
    return descriptor_->segments(values, arrays, out, capacity);
  });
}

std::optional<double> Plugin::mean(const double* values) const {
  return descriptor_->mean ? std::optional(descriptor_->mean(values)) : std::nullopt;
}
std::optional<double> Plugin::intensity(const double* values) const {
  return descriptor_->intensity ? std::optional(descriptor_->intensity(values)) : std::nullopt;
}

double Plugin::energy(double u, const double* values, const bm_numbers* arrays) const {
  return descriptor_->energy ? descriptor_->energy(u, values, arrays) : std::numeric_limits<double>::quiet_NaN();
}
double Plugin::force(double u, const double* values, const bm_numbers* arrays) const {
  return descriptor_->force ? descriptor_->force(u, values, arrays) : std::numeric_limits<double>::quiet_NaN();
}

double Plugin::energy_at(double u, double, const double* values, const bm_numbers* arrays) const {
  return energy(u, values, arrays);
}
double Plugin::force_at(double u, double, const double* values, const bm_numbers* arrays) const {
  return force(u, values, arrays);
}
std::vector<Side> StateFunctions::sides(const double*, const double*, double, const double*) const { return {}; }

}  // namespace bmsim
