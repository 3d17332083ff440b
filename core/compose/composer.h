// Model -> ONE kernel source text: dialect, plugins' device texts, generated parameters and calls, integrator, chunk
// loop. No parameter value is in the text, so a sweep compiles once.
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

/// The source text. values: the model at any point; choices, lengths of arrays, and whether there is a period are in
/// the text. Two models that agree in these and in their components give the same text.
std::string compose(const Model& model, const ModelValues& values, const KernelOptions& options);
/// At the model's own values.
std::string compose(const Model& model, const KernelOptions& options);

/// The text of kernels/NAME, which depends on the model: "settings.h", "model.h" or "calls.h". compose() puts it where
/// the files of kernels/ include it; tools that read those as files need it beside them.
std::string generated_file(const Model& model, const KernelOptions& options, std::string_view name);

/// Bytes kept per trajectory between launches (kernels/state.h).
size_t trajectory_bytes(const Model& model, const KernelOptions& options);

}  // namespace bmsim
