// Makes one kernel source text from a model: dialect, device texts of the plugins, generated parameters and calls,
// integrator, loop. The text contains no parameter value, so that a sweep compiles once.
#pragma once
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

/// The source text. values: those of the model at any point. Choices, lengths of arrays, and whether there is a period
/// are in the text: models that agree in these and in their components give the same text.
std::string compose(const Model& model, const ModelValues& values, const KernelOptions& options);
/// The source text for the model's own values.
std::string compose(const Model& model, const KernelOptions& options);

/// Files that the composer writes, in the order in which they include each other. compose() puts their text where the
/// files of kernels/ include them. Tools that read kernels/ need them in these places, too.
constexpr const char* generated_files[] = {"settings.h", "trajectory.h", "model.h", "calls.h", "counters.h", "clock.h"};
/// The text of one of the generated files.
std::string generated_file(const Model& model, const KernelOptions& options, std::string_view name);

}  // namespace bmsim
