// Results of parts as bytes, for journals and for other processes.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "engine/device_runner.h"

namespace bmsim {

/// Without windows.
std::string bytes_of(const ShareResult& result);
ShareResult share_result(std::string_view bytes);
/// Without the share, which the reader knows: the groups, whether the paths are perturbed, and what they give.
std::string bytes_of(const Piece& piece);
/// rows: of the perturbed paths of the share, or of the others.
Piece piece_of(std::string_view bytes, const Share& share, size_t nth,
               const std::function<std::shared_ptr<ShareRows>(bool perturbed)>& rows);

/// Adds results and pieces to others, with their places in a round.
void add_record(std::string& records, size_t nth, const ShareResult& result);
void add_record(std::string& records, const Piece& piece);
/// The same for any bytes, of place 0.
std::string framed(const std::string& bytes);
struct Record {
  size_t nth;
  bool piece;
  std::string_view bytes;
};
/// Takes the first record off.
Record next_record(std::string_view& bytes);

/// Without places in a round.
std::string bytes_of(const std::vector<Part>& parts);
std::vector<Part> parts_of(std::string_view bytes);
/// identity: of the ensemble, which the reader compares.
std::string bytes_of(const SavedBatch& batch, const std::string& identity);
/// Nothing if the batch is of another ensemble.
std::optional<SavedBatch> saved_batch(std::string_view bytes, const std::string& identity);
/// Name of a batch of these parts.
std::string batch_name(const std::vector<Part>& parts, const std::string& identity);

/// What the results of an ensemble depend on, as a digest: kernel, parameters of all points, marks, paths, seed,
/// observables, kind of device, version. And the lanes of a group, by which pieces and states are counted: on
/// processors with other vectors they are others.
std::string identity_of(const EnsemblePlan& plan, const std::vector<std::vector<std::byte>>& parameters,
                        const Kernel& kernel, const std::string& device);

}  // namespace bmsim
