// Results of shares and parts as bytes, for journals and for other processes.
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "engine/device_runner.h"

namespace bmsim {

/// A result without its windows.
std::string bytes_of(const ShareResult& result);
ShareResult share_result(std::string_view bytes);
/// A piece without its share, which the reader knows: the groups, whether the paths are perturbed, and their results.
std::string bytes_of(const Piece& piece);
/// rows: gives the rows of the share for its perturbed paths, or for the others.
Piece piece_of(std::string_view bytes, const Share& share, size_t nth,
               const std::function<std::shared_ptr<ShareRows>(bool perturbed)>& rows);

/// Appends a result or a piece to records, with the place of its share in the round.
void add_record(std::string& records, size_t nth, const ShareResult& result);
void add_record(std::string& records, const Piece& piece);
/// A record of any bytes, with place 0.
std::string framed(const std::string& bytes);
struct Record {
  size_t nth;
  bool piece;
  std::string_view bytes;
};
/// Removes the first record from the bytes, and returns it.
Record next_record(std::string_view& bytes);

/// Parts without their places in a round.
std::string bytes_of(const std::vector<Part>& parts);
std::vector<Part> parts_of(std::string_view bytes);
/// identity: that of the ensemble, which the reader compares.
std::string bytes_of(const SavedBatch& batch, const std::string& identity);
/// Nothing if the batch belongs to another ensemble.
std::optional<SavedBatch> saved_batch(std::string_view bytes, const std::string& identity);
/// The name under which the journal keeps a batch of these parts.
std::string batch_name(const std::vector<Part>& parts, const std::string& identity);

/// A digest of what the results of an ensemble depend on: kernel, parameters of all points, marks, paths, seed,
/// observables, kind of device, version; and the number of lanes in a group, which pieces and states count by.
/// Processors with other vectors have other numbers of lanes.
std::string identity_of(const EnsemblePlan& plan, std::span<const std::byte> parameters, const Kernel& kernel,
                        const std::string& device);

}  // namespace bmsim
