// Results of parts as bytes, for journals and for other processes.
#pragma once
#include <string>
#include <string_view>

#include "engine/parts.h"

namespace bmsim {

/// Without windows.
std::string bytes_of(const ShareResult& result);
ShareResult share_result(std::string_view bytes);
/// Without the share, which the reader knows: the groups, whether the paths are perturbed, and what they give.
std::string bytes_of(const Piece& piece);
Piece piece_of(std::string_view bytes, const Share& share, size_t nth);

/// What the results of an ensemble depend on, as a digest: kernel, parameters of all points, marks, paths, seed,
/// observables, kind of device, version.
std::string identity_of(const EnsemblePlan& plan, const std::vector<std::vector<std::byte>>& parameters,
                        const std::string& kernel, const std::string& device);

}  // namespace bmsim
