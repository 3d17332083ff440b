#include "compose/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "compose/components.h"
#include "compose/splitting.h"
#include "compose/step_map.h"
#include "error.h"
#include "model/pieces.h"

namespace bmsim {

namespace {

using Type = FieldType;

/// (1 - exp(-y)) / y
double decay_average(double y) { return y == 0 ? 1 : -std::expm1(-y) / y; }

/// Contribution of the noise of a step to the mean of v^2 over it, minus its contribution to (b (v + v')/2)^2; divided
/// by the variance of the noise: [1 - (1 - exp(-z))/z]/[1 - exp(-2 z)] (kernels/step.h).
double mean_square_of_noise(double z) { return z < 1e-4 ? 0.25 + z / 6 : (1 - decay_average(z)) / -std::expm1(-2 * z); }

/// A point, and what several parameters follow from.
struct At {
  const ModelValues& values;
  const PointSettings& point;
  const std::vector<Counter>& counters;
  double dt = point.time.dt;
  double length = values.period > 0 ? values.period : 1;  ///< the unit of u
  double y = values.underdamped ? values.gamma / values.mass * dt / 2 : 0;
  std::vector<double> phases{};  ///< turns per step
  Pieces pieces{};               ///< method exact
  StepMap map{};                 ///< method adaptive
  // method aboba
  double decay = 1, thermal = 1;  ///< factors of v, and of the noise's intensity, over a step
  Splitting whole{0}, move{0};
};

using Compute = std::function<double(const At&)>;
using ComputeAll = std::function<std::vector<double>(const At&)>;

/// Values of a field; of a pointer, the table behind Parameters that it points to.
struct Field {
  Type type;
  std::string name;
  size_t count;
  bool array;  ///< declared as one even if count is 1
  ComputeAll values;
  size_t offset = 0;  ///< in the packed bytes
};

/// A struct of the text; without a type name, fields of Parameters itself.
struct Struct {
  std::string type, name;
  std::vector<Field> fields{};
  std::vector<std::string> constants{};  ///< static constexpr members

  void one(Type type_of, std::string field, Compute value) {
    fields.push_back({type_of, std::move(field), 1, false,
                      [value = std::move(value)](const At& at) { return std::vector<double>{value(at)}; }});
  }
  void one(std::string field, Compute value) { one(Type::real, std::move(field), std::move(value)); }
  void many(Type type_of, std::string field, size_t count, ComputeAll values) {
    fields.push_back({type_of, std::move(field), count, true, std::move(values)});
  }
  void absent(std::initializer_list<const char*> names) {
    for (const char* field : names) constants.push_back(fmt::format("static constexpr real {} = 0;", field));
  }
};

Struct time_struct(size_t phases) {
  Struct time{"", ""};
  time.one(Type::number, "transient_steps", [](const At& at) { return at.point.time.transient; });
  time.one(Type::number, "total_steps", [](const At& at) { return at.point.time.steps; });
  time.one(Type::number, "paths", [](const At& at) { return at.point.paths; });
  if (phases == 0)
    time.constants.emplace_back("static constexpr Absent phase_per_step = {};");
  else
    time.many(Type::number, "phase_per_step", phases, [](const At& at) { return at.phases; });
  return time;
}

Struct start_struct(const char* name, StartLaw PointSettings::*which, bool in_lengths) {
  Struct start{"Start", name};
  const auto add = [&](const char* field, double StartLaw::*value) {
    start.one(field, [=](const At& at) { return at.point.*which.*value / (in_lengths ? at.length : 1); });
  };
  add("centre", &StartLaw::centre);
  add("width", &StartLaw::width);
  add("deviation", &StartLaw::deviation);
  start.one(Type::word, "count", [=](const At& at) { return static_cast<double>((at.point.*which).count); });
  return start;
}

Struct step_struct(bool underdamped, const KernelOptions& options) {
  Struct step{"", ""};
  const auto add = [&](const char* name, Compute value) { step.one(name, std::move(value)); };
  add("h", [](const At& at) { return at.dt / at.length; });
  add("dt", [](const At& at) { return at.dt; });
  add("rate", [](const At& at) { return 1 / at.dt; });
  add("per_length", [](const At& at) { return 1 / at.length; });
  add("force", [](const At& at) { return at.values.force; });
  if (!underdamped) {
    add("per_kick", [](const At& at) { return 1 / at.length; });
    add("deviation", [](const At& at) { return std::sqrt(at.dt) / at.length; });  // of an increment, for sigma = 1
    step.absent({"per_mass", "gamma", "damping", "decay", "per_thermal", "move", "kick"});
  } else {
    add("per_kick", [](const At& at) { return 1 / at.values.mass; });
    add("deviation", [](const At& at) { return std::sqrt(at.dt * at.thermal) / at.values.mass; });
    add("per_mass", [](const At& at) { return 1 / at.values.mass; });
    add("gamma", [](const At& at) { return at.values.gamma; });
    add("damping", [](const At& at) { return at.values.gamma / at.values.mass; });
    add("decay", [](const At& at) { return at.decay; });
    add("per_thermal", [](const At& at) { return 1 / at.thermal; });
    add("move", [](const At& at) { return at.dt / at.length / at.whole.root; });
    add("kick", [](const At& at) { return (1 + at.decay) * at.dt / (2 * at.values.mass * at.whole.root); });
  }
  if (!underdamped || options.method != Method::aboba) {
    step.absent({"half_kick", "impulse", "early", "square", "noise_square", "half_damping", "reach", "lead"});
    return step;
  }
  add("half_kick", [](const At& at) { return at.dt / (2 * at.values.mass * at.whole.root); });
  add("impulse", [](const At& at) { return (1 + at.decay) / (2 * at.values.mass * at.whole.root); });
  add("early", [](const At& at) { return at.whole.early; });
  add("square", [](const At& at) { return 0.25 / (at.whole.root * at.whole.root); });
  add("noise_square", [](const At& at) { return mean_square_of_noise(2 * at.y); });
  add("half_damping", [](const At& at) { return at.y; });
  // A particle of velocity v comes to rest after m v / (gamma b); `lead` is the part of this beyond m v / gamma, in u.
  // Without friction it is 0.
  const auto reach = [](const At& at) { return at.y > 1e-9 ? at.values.mass / (at.values.gamma * at.length) : 0; };
  add("reach", reach);
  add("lead", [=](const At& at) { return reach(at) * at.move.w / (1 + at.move.root); });
  return step;
}

/// The pieces of the potential, with forces in periods per step.
Struct piece_struct(const Pieces& some) {
  Struct pieces{"", ""};
  pieces.many(Type::real, "piece_edge", some.edge.size(), [](const At& at) { return at.pieces.edge; });
  pieces.many(Type::real, "piece_force", some.force.size(), [](const At& at) {
    std::vector<double> forces = at.pieces.force;
    for (double& force : forces) force *= at.dt / at.length;
    return forces;
  });
  return pieces;
}

Struct counter_struct(const KernelOptions& options, size_t index) {
  const Counter& counter = options.counters[index];
  Struct made{counter.type + "Parameters", counter.name};
  for (size_t i = 0; i < counter.parameters.size(); ++i) {
    const ParameterField& field = counter.parameters[i];
    made.fields.push_back({field.type, field.name, field.values.size(), field.array,
                           [=](const At& at) { return at.counters[index].parameters[i].values; }});
  }
  return made;
}

/// Values and arrays of a component. The kernel knows choices of words, they are constants.
Struct component_struct(const Numbered& one, const ModelValues& any) {
  const bm_plugin& plugin = *one.plugin();
  const size_t k = one.k;
  Struct made{fmt::format("Values{}", k), fmt::format("c{}", k)};
  const auto length = [&](uint32_t i) { return any.arrays[k][i].size(); };
  const auto numbers = [k](uint32_t i) { return [=](const At& at) { return at.values.arrays[k][i]; }; };
  for (uint32_t i = 0; i < plugin.array_count; ++i)
    if (plugin.arrays[i].gathered != 0)
      made.fields.push_back({Type::pointer, plugin.arrays[i].name, length(i), false, numbers(i)});
  const std::vector<std::string> names = value_names(plugin);
  for (uint32_t slot = 0; slot < plugin.value_count; ++slot) {
    if (choice_in(plugin, slot) != nullptr)
      made.constants.push_back(fmt::format("static constexpr int {} = {:.0f};", names[slot], any.values[k][slot]));
    else
      made.one(names[slot], [=](const At& at) { return at.values.values[k][slot]; });
  }
  for (uint32_t i = 0; i < plugin.array_count; ++i) {
    if (plugin.arrays[i].gathered != 0) continue;
    if (length(i) == 0)
      made.constants.push_back(fmt::format("static constexpr Array<0> {} = {{}};", plugin.arrays[i].name));
    else
      made.many(Type::real, plugin.arrays[i].name, length(i), numbers(i));
  }
  return made;
}

std::string declaration(const Field& field) {
  switch (field.type) {
    case Type::pointer:
      return fmt::format("Table<{}> {};", field.count, field.name);
    case Type::word:
      return fmt::format("uint32_t {};", field.name);
    case Type::number:
      return fmt::format("double {}{};", field.name, field.array ? fmt::format("[{}]", field.count) : "");
    case Type::byte:
      return fmt::format("uint8_t {};", field.name);
    case Type::real:
      break;
  }
  return field.array ? fmt::format("Array<{}> {};", field.count, field.name) : fmt::format("real {};", field.name);
}

size_t aligned(size_t offset, size_t alignment) { return (offset + alignment - 1) / alignment * alignment; }

/// Gives all fields the offsets that a C++ compiler gives them. Returns the size of Parameters.
size_t lay_out(std::vector<Struct>& structs, size_t bytes_of_real) {
  size_t end = 0;
  for (Struct& one : structs) {
    size_t alignment = 1;
    for (const Field& field : one.fields) alignment = std::max(alignment, bytes_of(field.type, bytes_of_real));
    if (!one.type.empty()) end = aligned(end, alignment);
    for (Field& field : one.fields) {
      const size_t size = bytes_of(field.type, bytes_of_real);
      field.offset = aligned(end, size);
      end = field.offset + size * (field.array ? field.count : 1);
    }
    if (!one.type.empty()) end = aligned(end, alignment);
  }
  return aligned(end, sizeof(double));
}

void write(std::byte* to, Type type, size_t bytes_of_real, double value) {
  const auto single = static_cast<float>(value);
  const auto word = static_cast<uint32_t>(value);
  const void* from = type == Type::word || type == Type::byte   ? static_cast<const void*>(&word)
                     : type == Type::real && bytes_of_real == 4 ? static_cast<const void*>(&single)
                                                                : static_cast<const void*>(&value);
  std::memcpy(to, from, bytes_of(type, bytes_of_real));
}

}  // namespace

struct ParameterSchema::Contents {
  Model model;
  KernelOptions options;
  std::vector<Struct> structs{};
  size_t bytes = 0;  ///< of Parameters, without tables
  size_t bytes_of_real = sizeof(double);

  At at(const ModelValues& values, const PointSettings& point) const {
    At at{values, point, point.counters.empty() ? options.counters : point.counters};
    for (const Numbered& one : numbered(model))
      for (const double turns : one.plugin().frequencies(values.values[one.k].data()))
        at.phases.push_back(turns * at.dt);
    if (options.method == Method::exact) at.pieces = pieces_of(model, values);
    if (options.method == Method::adaptive) at.map = step_map(model, values, at.dt * point.substeps, point.local_error);
    if (options.method != Method::aboba) return at;
    at.decay = std::exp(-2 * at.y);
    at.thermal = decay_average(4 * at.y);
    at.whole = Splitting(at.y);
    at.move = Splitting(options.coarse ? 2 * at.y : at.y);
    return at;
  }
};

ParameterSchema::ParameterSchema(const Model& model, const ModelValues& values, const KernelOptions& options) {
  auto contents = std::make_unique<Contents>(Contents{model, options});
  std::vector<Struct>& structs = contents->structs;
  const std::vector<Numbered> components = numbered(model);
  size_t phases = 0;
  for (const Numbered& one : components) phases += one.phases();
  structs.push_back(time_struct(phases));
  structs.push_back(start_struct("start_x", &PointSettings::x, true));
  if (values.underdamped) structs.push_back(start_struct("start_v", &PointSettings::v, false));
  structs.push_back(step_struct(values.underdamped, options));
  if (options.method == Method::exact) structs.push_back(piece_struct(pieces_of(model, values)));
  for (size_t i = 0; i < options.counters.size(); ++i) structs.push_back(counter_struct(options, i));
  if (options.method == Method::adaptive) {
    Struct steps{"StepMap", "steps"};
    steps.fields.push_back(
        {Type::pointer, "fraction", StepMap::cells, false, [](const At& at) { return at.map.fraction; }});
    steps.one("half", [](const At& at) { return at.map.half; });
    structs.push_back(std::move(steps));
  }
  for (const Numbered& one : components) structs.push_back(component_struct(one, values));
  contents->bytes_of_real = bytes_of_real(options.precision);
  contents->bytes = lay_out(structs, contents->bytes_of_real);
  contents_ = std::move(contents);
}

ParameterSchema::~ParameterSchema() = default;

std::string ParameterSchema::text() const {
  std::string structs, members = "struct Parameters {\n", attach;
  size_t reals = 0;
  for (const Struct& one : contents_->structs) {
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
      attach += fmt::format("  p.{}.{}.data = tables + {};\n", one.name, field.name, reals);
      reals += field.count;
    }
  }
  return fmt::format(
      "{}{}}};\nconstexpr uint64_t TABLE_BYTES = ({} * sizeof(real) + 7) / 8 * 8;\n"
      "BM_FN void attach_tables(Parameters& p, const real* tables) {{\n{}  (void)p, (void)tables;\n}}\n",
      structs, members, reals, attach);
}

std::vector<std::pair<std::string, size_t>> ParameterSchema::offsets() const {
  std::vector<std::pair<std::string, size_t>> all;
  for (const Struct& one : contents_->structs)
    for (const Field& field : one.fields)
      all.emplace_back(one.type.empty() ? field.name : one.name + "." + field.name, field.offset);
  return all;
}

std::vector<std::byte> ParameterSchema::pack(const ModelValues& values, const PointSettings& point) const {
  const At at = contents_->at(values, point);
  const size_t real = contents_->bytes_of_real;
  std::vector<std::byte> bytes(contents_->bytes);
  for (const Struct& one : contents_->structs)
    for (const Field& field : one.fields) {
      const std::vector<double> numbers = field.values(at);
      if (numbers.size() != field.count)
        fail("{}: its length must be the same at every point, got {} and {}", field.name, field.count, numbers.size());
      const bool table = field.type == Type::pointer;
      const Type type = table ? Type::real : field.type;
      size_t offset = table ? bytes.size() : field.offset;
      if (table) bytes.resize(offset + field.count * real);
      for (const double number : numbers) {
        write(bytes.data() + offset, type, real, number);
        offset += bytes_of(type, real);
      }
    }
  bytes.resize(aligned(bytes.size(), sizeof(double)));
  return bytes;
}

}  // namespace bmsim
