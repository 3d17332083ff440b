// Noises whose jumps have no variance.
#pragma once
#include <optional>
#include <string_view>

#include "plugin/plugin.h"

namespace bmsim {

/// The value of a parameter; nothing if there is none of that name.
std::optional<double> number_of(const Plugin& plugin, const double* values, std::string_view name);
/// Whether a noise has heavy tails at these values: it has a parameter alpha, and its intensity does not exist (NAN).
/// Without alpha, NAN means that the intensity is not known.
bool has_heavy_tails(const Plugin& plugin, const double* values);

}  // namespace bmsim
