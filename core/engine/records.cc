#include "engine/records.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "backend/digest.h"
#include "error.h"

namespace bmsim {

namespace {

class Writer {
 public:
  explicit Writer(std::string& bytes) : bytes_(bytes) {}
  template <class Number> void add(Number number) {
    static_assert(std::is_trivially_copyable_v<Number>);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  template <class Number> void add(std::span<Number> numbers) {
    add(uint64_t{numbers.size()});
    bytes_.append(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  }
  template <class Number> void add(const std::vector<Number>& numbers) { add(std::span(numbers)); }
  template <class Number> void add(const std::vector<std::vector<Number>>& lists) {
    add(uint64_t{lists.size()});
    for (const auto& list : lists) add(list);
  }
  template <class... Values> void add_all(const Values&... values) { (add(values), ...); }

 private:
  std::string& bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  template <class Number> void get(Number& number) {
    need(sizeof number);
    std::memcpy(&number, bytes_.data(), sizeof number);
    bytes_.remove_prefix(sizeof number);
  }
  template <class Number> void get(std::vector<Number>& numbers) {
    uint64_t count = 0;
    get(count);
    if (count > bytes_.size() / sizeof(Number)) need(bytes_.size() + 1);
    numbers.resize(count);
    if (count > 0) std::memcpy(numbers.data(), bytes_.data(), count * sizeof(Number));
    bytes_.remove_prefix(count * sizeof(Number));
  }
  template <class Number> void get(std::vector<std::vector<Number>>& lists) {
    uint64_t count = 0;
    get(count);
    if (count > bytes_.size() / sizeof(uint64_t)) need(bytes_.size() + 1);
    lists.resize(count);
    for (auto& list : lists) get(list);
  }
  template <class... Values> void get_all(Values&... values) { (get(values), ...); }
  void get(uint64_t wanted, const char* what) {
    uint64_t number = 0;
    get(number);
    if (number != wanted) fail("checkpoint: a record has {} {}, where {} belong", number, what, wanted);
  }
  void get_into(std::span<double> numbers) {
    get(numbers.size(), "paths");
    need(numbers.size_bytes());
    std::memcpy(numbers.data(), bytes_.data(), numbers.size_bytes());
    bytes_.remove_prefix(numbers.size_bytes());
  }
  std::string_view rest() const { return bytes_; }

 private:
  void need(size_t bytes) const {
    if (bytes > bytes_.size()) fail("checkpoint: a record is too short");
  }
  std::string_view bytes_;
};

void write(const std::optional<Divergence>& diverged, Writer& out) {
  out.add(uint64_t{diverged.has_value()});
  if (diverged) out.add_all(uint64_t{diverged->point}, diverged->path, diverged->step);
}
void write(const ShareResult& result, Writer& out) {
  out.add_all(result.columns, result.arrays, result.halves, result.pooled);
  write(result.diverged, out);
}
void write(const Piece& piece, Writer& out) {
  const Bundles& bundles = piece.bundles;
  out.add_all(piece.part.first, piece.part.groups, uint64_t{piece.part.share.perturbed}, piece.first, piece.paths);
  out.add_all(bundles.first, bundles.count, bundles.moments, bundles.halves);
  out.add_all(piece.rows->values(), piece.rows->samples());
  for (const auto& [from, to] : piece.in_rows()) {
    for (size_t i = 0; i < piece.rows->values(); ++i) out.add(piece.rows->value(i).subspan(from, to - from));
    for (size_t i = 0; i < piece.rows->samples(); ++i) out.add(piece.rows->sample(i).subspan(from, to - from));
  }
  out.add(piece.sums);
  write(piece.diverged, out);
}

std::optional<Divergence> read_divergence(Reader& in) {
  uint64_t has_diverged = 0;
  in.get(has_diverged);
  if (has_diverged == 0) return {};
  Divergence divergence{};
  in.get_all(divergence.point, divergence.path, divergence.step);
  return divergence;
}

std::vector<Part> read_parts(Reader& in) {
  uint64_t count = 0;
  in.get(count);
  std::vector<Part> parts;
  for (uint64_t i = 0; i < count; ++i) {
    Part part;
    uint64_t point = 0, perturbed = 0;
    in.get_all(point, part.share.number, perturbed, part.first, part.groups);
    part.share.point = static_cast<uint32_t>(point), part.share.perturbed = perturbed != 0;
    parts.push_back(part);
  }
  return parts;
}

template <class Result> std::string written(const Result& result) {
  std::string bytes;
  Writer out(bytes);
  write(result, out);
  return bytes;
}
template <class Result> void add_written(std::string& records, size_t nth, bool piece, const Result& result) {
  Writer out(records);
  out.add_all(uint64_t{nth}, uint64_t{piece});
  const size_t at = records.size();
  out.add(uint64_t{0});  // the size, once it is known
  write(result, out);
  const uint64_t size = records.size() - at - sizeof size;
  std::memcpy(&records[at], &size, sizeof size);
}

/// What the host knows of a point. Kernels are not given all of it: units, and parameters of observed formulas.
void add_values(Digest& out, const ModelValues& values) {
  const size_t components = values.values.size();
  out.add(uint64_t{components});
  for (size_t k = 0; k < components; ++k) out.add(values.values[k]);
  for (size_t k = 0; k < components; ++k) out.add(values.arrays(k));
  for (const VariableValues& variable : values.variables)
    for (const double number :
         {variable.inertial ? 1.0 : 0.0, variable.force, variable.mass, variable.gamma, variable.constant_force,
          variable.period, static_cast<double>(variable.folds_with), variable.unfolded_for_formulas ? 1.0 : 0.0})
      out.add(number);
  out.add(values.keeps_periods);
}

void add_point(Digest& out, const Point& point) {
  add_values(out, point.values);
  if (point.perturbed) add_values(out, *point.perturbed);
  for (const double number : {point.time.dt, point.time.steps, point.time.transient, point.substeps}) out.add(number);
  out.add(point.marks);
  for (const auto& marks : point.marks_of) out.add(marks);
  for (const auto* laws : {&point.x, &point.v})
    for (const StartLaw& law : *laws)
      for (const double number : {law.centre, law.width, law.deviation, static_cast<double>(law.count)})
        out.add(number);
  out.add(point.facts.grid_x.all());
  out.add(point.facts.grid_v.all());
  for (const auto& [name, value] : point.facts.constants) out.add(value);
}

}  // namespace

std::string bytes_of(const ShareResult& result) { return written(result); }
std::string bytes_of(const Piece& piece) { return written(piece); }
void add_record(std::string& records, size_t nth, const ShareResult& result) {
  add_written(records, nth, false, result);
}
void add_record(std::string& records, const Piece& piece) {
  constexpr size_t headers = 1024;
  const size_t rows = piece.rows->values() + piece.rows->samples();
  size_t size = records.size() + headers;
  for (const auto& [from, to] : piece.in_rows()) size += rows * (to - from + 1) * sizeof(double);
  if (size > records.capacity()) records.reserve(std::max(size, 2 * records.size()));
  add_written(records, piece.part.nth, true, piece);
}

ShareResult share_result(std::string_view bytes) {
  Reader in(bytes);
  ShareResult result;
  in.get_all(result.columns, result.arrays, result.halves, result.pooled);
  result.diverged = read_divergence(in);
  return result;
}

Piece piece_of(std::string_view bytes, const Share& share, size_t nth,
               const std::function<std::shared_ptr<ShareRows>(bool perturbed)>& rows) {
  Reader in(bytes);
  Piece piece;
  uint64_t perturbed = 0;
  piece.part.share = share, piece.part.nth = nth;
  in.get_all(piece.part.first, piece.part.groups, perturbed, piece.first, piece.paths);
  in.get_all(piece.bundles.first, piece.bundles.count, piece.bundles.moments, piece.bundles.halves);
  piece.part.share.perturbed = perturbed != 0;
  piece.rows = rows(perturbed != 0);
  const size_t paths = piece.rows->paths(), bundles = (paths + bundle_paths - 1) / bundle_paths;
  const auto lies_within = [](size_t first, size_t count, size_t size) {
    return first <= size && count <= size - first;
  };
  const auto is_complete = [&](const auto& lists) {
    return std::ranges::all_of(lists, [&](const auto& list) { return list.size() == piece.bundles.count; });
  };
  if (!lies_within(piece.first, piece.paths, paths) ||
      !lies_within(piece.bundles.first, piece.bundles.count, bundles) || !is_complete(piece.bundles.moments) ||
      !is_complete(piece.bundles.halves))
    fail("checkpoint: a record has paths or bundles that its share has not");
  in.get(piece.rows->values(), "values");
  in.get(piece.rows->samples(), "samples");
  for (const auto& [from, to] : piece.in_rows()) {
    if (!lies_within(from, to - from, paths)) fail("checkpoint: a record has bundles that are not among its paths");
    for (size_t i = 0; i < piece.rows->values(); ++i) in.get_into(piece.rows->value(i).subspan(from, to - from));
    for (size_t i = 0; i < piece.rows->samples(); ++i) in.get_into(piece.rows->sample(i).subspan(from, to - from));
  }
  in.get(piece.sums);
  piece.diverged = read_divergence(in);
  return piece;
}

std::string framed(const std::string& bytes) {
  std::string record;
  Writer out(record);
  out.add_all(uint64_t{0}, uint64_t{0}, uint64_t{bytes.size()});
  return record + bytes;
}

Record next_record(std::string_view& bytes) {
  Reader in(bytes);
  uint64_t nth = 0, piece = 0, size = 0;
  in.get_all(nth, piece, size);
  const std::string_view rest = in.rest();
  if (size > rest.size()) fail("checkpoint: a record is too short");
  bytes = rest.substr(size);
  return {nth, piece != 0, rest.substr(0, size)};
}

std::string bytes_of(const std::vector<Part>& parts) {
  std::string bytes;
  Writer out(bytes);
  out.add(uint64_t{parts.size()});
  for (const Part& part : parts)
    out.add_all(uint64_t{part.share.point}, part.share.number, uint64_t{part.share.perturbed}, part.first, part.groups);
  return bytes;
}

std::vector<Part> parts_of(std::string_view bytes) {
  Reader in(bytes);
  return read_parts(in);
}

std::string batch_name(const std::vector<Part>& parts, const std::string& identity) {
  return digest(identity + bytes_of(parts));
}

std::string bytes_of(const SavedBatch& batch, const std::string& identity) {
  std::string bytes;
  Writer(bytes).add(std::vector<char>(identity.begin(), identity.end()));
  bytes += bytes_of(batch.parts);
  bytes.append(reinterpret_cast<const char*>(&batch.blocks), sizeof batch.blocks);
  return bytes + batch.state;
}

std::optional<SavedBatch> saved_batch(std::string_view bytes, const std::string& identity) {
  Reader in(bytes);
  std::vector<char> owner;
  in.get(owner);
  if (!std::ranges::equal(owner, identity)) return {};
  SavedBatch batch;
  batch.parts = read_parts(in);
  in.get(batch.blocks);
  batch.state = in.rest();
  return batch;
}

std::string identity_of(const EnsemblePlan& plan, std::span<const std::byte> parameters, const Kernel& kernel,
                        const std::string& device) {
  const KernelLayout& layout = kernel.layout();
  std::string text =
      fmt::format("bmsim {} records 6\n{}\n{} {} {}\npaths {} seed {} points {}\n", bm_version(), kernel.identity,
                  device, layout.lanes, layout.group_bytes, plan.paths, plan.execution.seed, plan.points.size());
  for (const auto& [name, formula] : plan.model.definitions()) text += name + " = " + formula + "\n";
  for (const Component& component : plan.model.components())
    text += component.name + " " + component.plugin->full_name() + "\n";
  for (const ObservableRequest& request : plan.requests) {
    text += fmt::format("{}:", request.name);
    for (const auto& [name, numbers] : request.numbers) text += fmt::format(" {}={};", name, fmt::join(numbers, ","));
    for (const auto& [name, word] : request.words) text += fmt::format(" {}='{}';", name, word);
    text += "\n";
  }
  Digest out;
  out.add(text);
  for (const Point& point : plan.points) add_point(out, point);
  for (size_t i = 0; i < parameters.size(); i += layout.parameter_bytes)
    out.add(parameters.subspan(i, layout.parameter_bytes));
  return out.text();
}

}  // namespace bmsim
