// Model -> ONE kernel source text: dialect, device texts of the plugins, generated parameters and calls, integrator,
// loop. The text contains no parameter value, so that a sweep compiles once.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "compose/kernel_options.h"
#include "compose/parameters.h"
#include "model/model.h"

namespace bmsim {

/// Whether the model has a white Gaussian part.
bool has_gaussian(const Model& model);
/// Whether the model has noises with events.
bool has_events(const Model& model);

/// The source text. values: the model at any point. The text contains choices, lengths of arrays, and whether there is
/// a period. Models that agree in these and in their components give the same text.
std::string compose(const Model& model, const ModelValues& values, const KernelOptions& options);
/// The same at the model's own values.
std::string compose(const Model& model, const KernelOptions& options);

/// Files that the composer writes, in the order in which they include each other. compose() puts their text where the
/// files of kernels/ include them; tools that read those files need them in the same place.
constexpr const char* generated_files[] = {"settings.h", "trajectory.h", "model.h", "calls.h", "counters.h"};
/// The text of one of them.
std::string generated_file(const Model& model, const KernelOptions& options, std::string_view name);

}  // namespace bmsim
