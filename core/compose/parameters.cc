#include "compose/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "compose/components.h"
#include "compose/splitting.h"
#include "compose/step_map.h"
#include "model/pieces.h"

namespace bmsim {

namespace {

using Field = ParameterField;
using Type = FieldType;

/// A struct of the text; without a type name, fields of Parameters itself.
struct ParameterStruct {
  std::string type, name;
  std::vector<Field> fields;
  std::vector<std::string> constants;  // static constexpr members
};

struct Layout {
  std::vector<ParameterStruct> structs;
  std::vector<std::vector<double>> tables;  // tables, which follow the struct
};

ParameterStruct component_struct(const Numbered& one, const std::vector<double>& values,
                                 const std::vector<std::vector<double>>& arrays, Layout& layout) {
  const bm_plugin& plugin = *one.plugin();
  ParameterStruct group{fmt::format("Values{}", one.k), fmt::format("c{}", one.k), {}, {}};
  for (uint32_t i = 0; i < plugin.array_count; ++i) {
    const bm_array& array = plugin.arrays[i];
    if (array.gathered == 0) continue;
    group.fields.push_back({Type::pointer, array.name, {static_cast<double>(arrays[i].size())}});
    layout.tables.push_back(arrays[i]);
  }
  const std::vector<std::string> names = value_names(plugin);
  for (uint32_t slot = 0; slot < plugin.value_count; ++slot) {
    if (choice_in(plugin, slot) != nullptr)
      group.constants.push_back(fmt::format("static constexpr int {} = {:.0f};", names[slot], values[slot]));
    else
      group.fields.push_back({Type::real, names[slot], {values[slot]}});
  }
  for (uint32_t i = 0; i < plugin.array_count; ++i) {
    if (plugin.arrays[i].gathered != 0) continue;
    if (arrays[i].empty())
      group.constants.push_back(fmt::format("static constexpr Array<0> {} = {{}};", plugin.arrays[i].name));
    else
      group.fields.push_back({Type::real, plugin.arrays[i].name, arrays[i], true});
  }
  return group;
}

/// (1 - exp(-y)) / y
double decay_average(double y) { return y == 0 ? 1 : -std::expm1(-y) / y; }

/// Contribution of the noise of a step to the mean of v^2 over it, minus its contribution to (b (v + v')/2)^2; divided
/// by the variance of the noise: [1 - (1 - exp(-z))/z]/[1 - exp(-2 z)] (kernels/step.h).
double mean_square_of_noise(double z) { return z < 1e-4 ? 0.25 + z / 6 : (1 - decay_average(z)) / -std::expm1(-2 * z); }

ParameterStruct step_struct(const ModelValues& values, const PointTime& time, const KernelOptions& options) {
  const double length = values.period > 0 ? values.period : 1;  // the unit of u
  const double dt = time.dt, mass = values.mass;
  ParameterStruct group{"", "", {}, {}};
  const auto add = [&](const char* name, double value) { group.fields.push_back({Type::real, name, {value}}); };
  const auto absent = [&](std::initializer_list<const char*> names) {
    for (const char* name : names) group.constants.push_back(fmt::format("static constexpr real {} = 0;", name));
  };
  add("h", dt / length);
  add("dt", dt);
  add("rate", 1 / dt);
  add("per_length", 1 / length);
  add("force", values.force);
  if (!values.underdamped) {
    add("per_kick", 1 / length);
    add("deviation", std::sqrt(dt) / length);  // of an increment, for sigma = 1
    absent({"per_mass", "gamma", "damping", "decay", "per_thermal", "move", "kick"});
    absent({"half_kick", "impulse", "early", "square", "noise_square", "half_damping", "reach", "lead"});
    return group;
  }
  const double damping = values.gamma / mass;
  const bool aboba = options.method == Method::aboba;
  const double decay = aboba ? std::exp(-damping * dt) : 1, thermal = aboba ? decay_average(2 * damping * dt) : 1;
  add("per_kick", 1 / mass);
  add("deviation", std::sqrt(dt * thermal) / mass);
  add("per_mass", 1 / mass);
  add("gamma", values.gamma);
  add("damping", damping);
  add("decay", decay);
  add("per_thermal", 1 / thermal);
  const double y = damping * dt / 2;
  const Splitting whole(aboba ? y : 0);
  add("move", dt / length / whole.root);
  add("kick", (1 + decay) * dt / (2 * mass * whole.root));
  if (!aboba) {
    absent({"half_kick", "impulse", "early", "square", "noise_square", "half_damping", "reach", "lead"});
    return group;
  }
  add("half_kick", dt / (2 * mass * whole.root));
  add("impulse", (1 + decay) / (2 * mass * whole.root));
  add("early", whole.early);
  add("square", 0.25 / (whole.root * whole.root));
  add("noise_square", mean_square_of_noise(damping * dt));
  add("half_damping", y);
  // A particle of velocity v comes to rest after m v / (gamma b); `lead` is the part of this beyond m v / gamma, in u.
  // Without friction it is 0.
  const double reach = y > 1e-9 ? mass / (values.gamma * length) : 0;
  const Splitting move(options.coarse ? 2 * y : y);
  add("reach", reach);
  add("lead", reach * move.w / (1 + move.root));
  return group;
}

/// The pieces of the potential, with forces in periods per step.
ParameterStruct piece_struct(Pieces pieces, double h) {
  for (double& force : pieces.force) force *= h;
  return {"",
          "",
          {{Type::real, "piece_edge", std::move(pieces.edge), true},
           {Type::real, "piece_force", std::move(pieces.force), true}},
          {}};
}

/// Table of method adaptive. Without a point the fields are the same.
ParameterStruct step_map_struct(const Model& model, const ModelValues& values, const PointSettings& point,
                                Layout& layout) {
  StepMap map;
  map.fraction.resize(StepMap::cells);
  if (point.local_error > 0) map = step_map(model, values, point.time.dt * point.substeps, point.local_error);
  layout.tables.push_back(map.fraction);
  return {"StepMap",
          "steps",
          {{Type::pointer, "fraction", {static_cast<double>(StepMap::cells)}}, {Type::real, "half", {map.half}}},
          {}};
}

ParameterStruct start_struct(const char* name, const StartLaw& law, double unit) {
  return {"Start",
          name,
          {{Type::real, "centre", {law.centre / unit}},
           {Type::real, "width", {law.width / unit}},
           {Type::real, "deviation", {law.deviation / unit}},
           {Type::word, "count", {static_cast<double>(law.count)}}},
          {}};
}

Layout layout_of(const Model& model, const ModelValues& values, const PointSettings& point,
                 const KernelOptions& options) {
  Layout layout;
  ParameterStruct time{"", "", {}, {}};
  time.fields = {{Type::number, "transient_steps", {point.time.transient}},
                 {Type::number, "total_steps", {point.time.steps}},
                 {Type::number, "paths", {point.paths}}};
  const double length = values.period > 0 ? values.period : 1;
  std::vector<double> phases;
  const std::vector<Numbered> components = numbered(model);
  for (const Numbered& one : components)
    for (const double turns : one.plugin().frequencies(values.values[one.k].data()))
      phases.push_back(turns * point.time.dt);
  if (phases.empty())
    time.constants.emplace_back("static constexpr Absent phase_per_step = {};");
  else
    time.fields.push_back({Type::number, "phase_per_step", phases, true});
  layout.structs.push_back(time);
  layout.structs.push_back(start_struct("start_x", point.x, length));
  if (values.underdamped) layout.structs.push_back(start_struct("start_v", point.v, 1));
  layout.structs.push_back(step_struct(values, point.time, options));
  if (options.method == Method::exact)
    layout.structs.push_back(piece_struct(pieces_of(model, values), point.time.dt / length));
  for (const Counter& counter : point.counters.empty() ? options.counters : point.counters)
    layout.structs.push_back({counter.type + "Parameters", counter.name, counter.parameters, {}});
  if (options.method == Method::adaptive) layout.structs.push_back(step_map_struct(model, values, point, layout));
  for (const Numbered& one : components)
    layout.structs.push_back(component_struct(one, values.values[one.k], values.arrays[one.k], layout));
  return layout;
}

std::string declaration(const Field& field) {
  switch (field.type) {
    case Type::pointer:
      return fmt::format("Table<{:.0f}> {};", field.values[0], field.name);
    case Type::word:
      return fmt::format("uint32_t {};", field.name);
    case Type::number:
      return fmt::format("double {}{};", field.name, field.array ? fmt::format("[{}]", field.values.size()) : "");
    case Type::byte:
      return fmt::format("uint8_t {};", field.name);
    case Type::real:
      break;
  }
  return field.array ? fmt::format("Array<{}> {};", field.values.size(), field.name)
                     : fmt::format("real {};", field.name);
}

/// Writes bytes in the layout that a C++ compiler gives the declarations.
class Packer {
 public:
  explicit Packer(Precision precision) : real_(bytes_of_real(precision)) {}

  void add(const ParameterStruct& one) {
    size_t alignment = 1;
    for (const Field& field : one.fields) alignment = std::max(alignment, size(field.type));
    if (!one.type.empty()) align(alignment);
    for (const Field& field : one.fields) {
      align(size(field.type));
      offsets_.push_back({one.type.empty() ? field.name : one.name + "." + field.name, bytes_.size()});
      for (const double value : field.values) append(field.type, value);
    }
    if (!one.type.empty()) align(alignment);
  }
  void table(const std::vector<double>& values) {
    for (const double value : values) append(Type::real, value);
  }
  void align(size_t alignment) { bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment); }
  std::vector<std::byte> take() { return std::move(bytes_); }
  std::vector<ParameterOffset> take_offsets() { return std::move(offsets_); }

 private:
  size_t size(Type type) const { return bytes_of(type, real_); }
  void append(Type type, double value) {
    align(size(type));
    const auto single = static_cast<float>(value);
    const auto word = static_cast<uint32_t>(value);
    const uint64_t null = 0;
    const void* from = type == Type::pointer                      ? static_cast<const void*>(&null)
                       : type == Type::word || type == Type::byte ? static_cast<const void*>(&word)
                       : type == Type::real && real_ == 4         ? static_cast<const void*>(&single)
                                                                  : static_cast<const void*>(&value);
    const size_t at = bytes_.size();
    bytes_.resize(at + size(type));
    std::memcpy(bytes_.data() + at, from, size(type));
  }
  size_t real_;
  std::vector<std::byte> bytes_;
  std::vector<ParameterOffset> offsets_;
};

}  // namespace

std::string parameter_text(const Model& model, const ModelValues& values, const KernelOptions& options) {
  const Layout layout = layout_of(model, values, {}, options);
  std::string structs, members = "struct Parameters {\n", attach;
  size_t reals = 0;
  for (const ParameterStruct& one : layout.structs) {
    std::string body;
    for (const std::string& constant : one.constants) body += "  " + constant + "\n";
    for (const Field& field : one.fields) body += "  " + declaration(field) + "\n";
    if (one.type.empty()) {
      members += body;
      continue;
    }
    if (one.type != "Start") structs += fmt::format("struct {} {{\n{}}};\n", one.type, body);
    // a struct without members would take one byte in C++
    members += one.fields.empty() ? fmt::format("  static constexpr {0} {1} = {{}};\n", one.type, one.name)
                                  : fmt::format("  {} {};\n", one.type, one.name);
    for (const Field& field : one.fields) {
      if (field.type != Type::pointer) continue;
      const size_t table = static_cast<size_t>(std::count(attach.begin(), attach.end(), '\n'));
      attach += fmt::format("  p.{}.{}.data = tables + {};\n", one.name, field.name, reals);
      reals += layout.tables[table].size();
    }
  }
  return fmt::format(
      "{}{}}};\nconstexpr uint64_t TABLE_BYTES = ({} * sizeof(real) + 7) / 8 * 8;\n"
      "BM_FN void attach_tables(Parameters& p, const real* tables) {{\n{}  (void)p, (void)tables;\n}}\n",
      structs, members, reals, attach);
}

std::vector<std::byte> pack_parameters(const Model& model, const ModelValues& values, const PointSettings& point,
                                       const KernelOptions& options) {
  const Layout layout = layout_of(model, values, point, options);
  Packer packer(options.precision);
  for (const ParameterStruct& one : layout.structs) packer.add(one);
  packer.align(sizeof(double));
  for (const auto& table : layout.tables) packer.table(table);
  packer.align(sizeof(double));
  return packer.take();
}

std::vector<ParameterOffset> parameter_offsets(const Model& model, const KernelOptions& options) {
  Packer packer(options.precision);
  for (const ParameterStruct& one : layout_of(model, evaluate(model), {}, options).structs) packer.add(one);
  return packer.take_offsets();
}

}  // namespace bmsim
