#include "compose/parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "compose/components.h"
#include "compose/step_map.h"
#include "compose/walk_tables.h"
#include "error.h"
#include "model/pieces.h"

namespace bmsim {

namespace {

using Type = FieldType;

/// (1 - exp(-y)) / y
double decay_average(double y) { return y == 0 ? 1 : -std::expm1(-y) / y; }

/// Numbers of a step of method aboba with y = gamma dt/2m >= 0; b(y)^2 = tanh(y)/y (kernels/inertial.h).
struct Splitting {
  double w, root;  ///< w = y coth(y) - 1; root = 1/b = sqrt(y coth(y))
  double early;    ///< weight of v^2 before friction and noise: (1 - L(2 y))/2, with Langevin's function L

  explicit Splitting(double y) {
    const double s = y * y;  // for small y, w is a continued fraction, without cancellation
    w = y < 0.5 ? s * (45045 + s * (2772 + 27 * s)) / (135135 + s * (17325 + s * (378 + s))) : y / std::tanh(y) - 1;
    root = std::sqrt(1 + w);
    early = y > 0 ? 0.5 - (w + s / (1 + w)) / (4 * y) : 0.5;
  }
};

/// What the noise of a step contributes to the mean of v^2 over the step, minus what it contributes to
/// (b (v + v')/2)^2, over the variance of the noise: [1 - (1 - exp(-z))/z]/[1 - exp(-2 z)] (kernels/step.h).
double mean_square_of_noise(double z) { return z < 1e-4 ? 0.25 + z / 6 : (1 - decay_average(z)) / -std::expm1(-2 * z); }

/// A variable at a point.
struct VariableAt {
  double dt, length;  ///< length: the unit of u
  bool inertial;
  double force, mass, gamma;
  double y = 0;  ///< gamma dt/2m
  // method aboba
  double decay = 1, thermal = 1;  ///< factors of v, and of the noise's intensity, over a step
  Splitting whole{0}, move{0};
  /// What an increment is divided by to give that of u or v: the length, or the mass.
  double resistance() const { return inertial ? mass : length; }
  double reach() const { return y > 1e-9 ? mass / (gamma * length) : 0; }
};

/// A point, with quantities from which several parameters follow.
struct At {
  const ModelValues& values;
  const PointSettings& point;
  const std::vector<Counter>& counters;
  std::vector<VariableAt> variables{};
  std::vector<double> phases{};  ///< turns per step
  Pieces pieces{};               ///< method exact
  StepMap map{};                 ///< method adaptive
  WalkTables walk{};             ///< method walk
};

using Compute = std::function<double(const At&)>;
using ComputeAll = std::function<std::vector<double>(const At&)>;

/// A field of the text. The values of a pointer are those of its table, which lies behind Parameters.
struct Field {
  Type type;
  std::string name;
  size_t count;
  bool array;  ///< whether it is declared as an array, even if count is 1
  ComputeAll values;
  Compute value{};    ///< in place of `values` for one number
  size_t offset = 0;  ///< in the packed bytes
};

/// A struct of the text; without a type name, fields of Parameters itself.
struct Struct {
  std::string type, name;
  size_t index = 0, count = 0;  ///< count > 0: an element of an array of structs of this type
  std::vector<Field> fields{};
  std::vector<std::string> constants{};  ///< static constexpr members

  void scalar(Type type_of, std::string field, Compute value) {
    fields.push_back({type_of, std::move(field), 1, false, {}, std::move(value)});
  }
  void scalar(std::string field, Compute value) { scalar(Type::real, std::move(field), std::move(value)); }
  void array(Type type_of, std::string field, size_t size, ComputeAll values) {
    fields.push_back({type_of, std::move(field), size, true, std::move(values)});
  }
  void table(std::string field, size_t size, ComputeAll values) {
    fields.push_back({Type::pointer, std::move(field), size, false, std::move(values)});
  }
  void absent(std::initializer_list<const char*> names) {
    for (const char* field : names) constants.push_back(fmt::format("static constexpr real {} = 0;", field));
  }
};

Struct time_struct(size_t phases, bool halves) {
  Struct time{"", ""};
  time.scalar(Type::number, "transient_steps", [](const At& at) { return at.point.time.transient; });
  if (halves)
    time.scalar(Type::number, "middle_steps", [](const At& at) { return at.point.time.middle; });
  else
    time.constants.emplace_back("static constexpr double middle_steps = 0;");
  time.scalar(Type::number, "total_steps", [](const At& at) { return at.point.time.steps; });
  time.scalar(Type::number, "paths", [](const At& at) { return at.point.paths; });
  time.scalar("dt", [](const At& at) { return at.point.time.dt; });
  time.scalar("rate", [](const At& at) { return 1 / at.point.time.dt; });
  if (phases == 0)
    time.constants.emplace_back("static constexpr Absent phase_per_step = {};");
  else
    time.array(Type::number, "phase_per_step", phases, [](const At& at) { return at.phases; });
  return time;
}

/// Initial law of variable i, or of its velocity.
Struct start_struct(const char* name, std::span<const StartLaw> PointSettings::*laws, size_t i, size_t count,
                    bool in_lengths) {
  Struct start{"Start", name, i, count};
  const auto add = [&](const char* field, double StartLaw::*value) {
    start.scalar(field,
                 [=](const At& at) { return (at.point.*laws)[i].*value / (in_lengths ? at.variables[i].length : 1); });
  };
  add("centre", &StartLaw::centre);
  add("width", &StartLaw::width);
  add("deviation", &StartLaw::deviation);
  start.scalar(Type::word, "count", [=](const At& at) { return static_cast<double>((at.point.*laws)[i].count); });
  return start;
}

/// What a step of variable i depends on. underdamped: some variable has inertia.
Struct variable_struct(size_t i, size_t count, bool underdamped, const KernelOptions& options) {
  Struct step{"VariableParameters", "variable", i, count};
  const auto add = [&](const char* name, double (*value)(const VariableAt&)) {
    step.scalar(name, [=](const At& at) { return value(at.variables[i]); });
  };
  add("h", [](const VariableAt& at) { return at.dt / at.length; });
  add("per_length", [](const VariableAt& at) { return 1 / at.length; });
  add("force", [](const VariableAt& at) { return at.force; });
  if (!underdamped) {
    add("per_kick", [](const VariableAt& at) { return 1 / at.length; });
    add("deviation",
        [](const VariableAt& at) { return std::sqrt(at.dt) / at.length; });  // of an increment, for sigma = 1
    step.absent({"per_mass", "gamma", "damping", "decay", "per_thermal", "move", "kick"});
  } else {
    add("per_kick", [](const VariableAt& at) { return 1 / at.resistance(); });
    add("deviation", [](const VariableAt& at) { return std::sqrt(at.dt * at.thermal) / at.resistance(); });
    add("per_mass", [](const VariableAt& at) { return 1 / at.resistance(); });
    add("gamma", [](const VariableAt& at) { return at.gamma; });
    add("damping", [](const VariableAt& at) { return at.gamma / at.resistance(); });
    add("decay", [](const VariableAt& at) { return at.decay; });
    add("per_thermal", [](const VariableAt& at) { return 1 / at.thermal; });
    add("move", [](const VariableAt& at) { return at.dt / at.length / at.whole.root; });
    add("kick", [](const VariableAt& at) { return (1 + at.decay) * at.dt / (2 * at.resistance() * at.whole.root); });
  }
  if (!underdamped || options.method != Method::aboba) {
    step.absent({"half_kick", "impulse", "early", "square", "noise_square", "half_damping", "reach", "lead"});
    return step;
  }
  add("half_kick", [](const VariableAt& at) { return at.dt / (2 * at.mass * at.whole.root); });
  add("impulse", [](const VariableAt& at) { return (1 + at.decay) / (2 * at.mass * at.whole.root); });
  add("early", [](const VariableAt& at) { return at.whole.early; });
  add("square", [](const VariableAt& at) { return 0.25 / (at.whole.root * at.whole.root); });
  add("noise_square", [](const VariableAt& at) { return mean_square_of_noise(2 * at.y); });
  add("half_damping", [](const VariableAt& at) { return at.y; });
  // A particle of velocity v comes to rest after m v / (gamma b); `lead`: how much of it is beyond m v / gamma, in u.
  add("reach", [](const VariableAt& at) { return at.reach(); });
  add("lead", [](const VariableAt& at) { return at.reach() * at.move.w / (1 + at.move.root); });
  return step;
}

/// Tables of method walk. They are in memory, since every trajectory reads rows at indices of its own.
Struct walk_struct(const Model& model, const ModelValues& values, const KernelOptions& options) {
  const WalkTables tables = walk_tables(model, values, 1, options.levels);
  Struct walk{"WalkParameters", "walk"};
  const auto add = [&](const char* name, std::vector<double> WalkTables::*numbers) {
    if ((tables.*numbers).empty())
      walk.constants.push_back(fmt::format("static constexpr Array<0> {} = {{}};", name));
    else
      walk.table(name, (tables.*numbers).size(), [=](const At& at) { return at.walk.*numbers; });
  };
  walk.constants.push_back(fmt::format("static constexpr int pieces = {};", tables.pieces));
  walk.constants.push_back(fmt::format("static constexpr int states = {};", tables.states));
  add("edge", &WalkTables::edge);
  add("columns", &WalkTables::columns);
  add("force", &WalkTables::force);
  return walk;
}

/// The pieces of the potential, with forces in periods per step.
Struct piece_struct(const Pieces& pieces) {
  Struct result{"", ""};
  result.array(Type::real, "piece_edge", pieces.edge.size(), [](const At& at) { return at.pieces.edge; });
  result.array(Type::real, "piece_force", pieces.force.size(), [](const At& at) {
    std::vector<double> forces = at.pieces.force;
    for (double& force : forces) force *= at.variables[0].dt / at.variables[0].length;
    return forces;
  });
  return result;
}

Struct counter_struct(const KernelOptions& options, size_t index) {
  const Counter& counter = options.counters[index];
  Struct result{counter.type + "Parameters", counter.name};
  for (size_t i = 0; i < counter.parameters.size(); ++i) {
    const ParameterField& field = counter.parameters[i];
    result.fields.push_back({field.type, field.name, field.values.size(), field.array,
                             [=](const At& at) { return at.counters[index].parameters[i].values; }});
  }
  return result;
}

/// Values and arrays of a component. Choices of words are constants, which the kernel knows.
Struct component_struct(const Numbered& component, const ModelValues& values) {
  const bm_plugin& plugin = *component.plugin();
  const size_t k = component.k;
  Struct result{fmt::format("Values{}", k), fmt::format("c{}", k)};
  const auto length = [&](uint32_t i) { return values.arrays(k)[i].size(); };
  const auto numbers = [k](uint32_t i) { return [=](const At& at) { return at.values.arrays(k)[i]; }; };
  for (uint32_t i = 0; i < plugin.array_count; ++i)
    if (plugin.arrays[i].gathered != 0) result.table(plugin.arrays[i].name, length(i), numbers(i));
  const std::vector<std::string> names = value_names(component.plugin());
  for (uint32_t slot = 0; slot < plugin.value_count; ++slot) {
    if (choice_in(plugin, slot) != nullptr)
      result.constants.push_back(fmt::format("static constexpr int {} = {:.0f};", names[slot], values.values[k][slot]));
    else
      result.scalar(names[slot], [=](const At& at) { return at.values.values[k][slot]; });
  }
  for (uint32_t i = 0; i < plugin.array_count; ++i) {
    if (plugin.arrays[i].gathered != 0) continue;
    if (length(i) == 0)
      result.constants.push_back(fmt::format("static constexpr Array<0> {} = {{}};", plugin.arrays[i].name));
    else
      result.array(Type::real, plugin.arrays[i].name, length(i), numbers(i));
  }
  return result;
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

/// Gives fields the offsets that a C++ compiler would give them. Returns the size of Parameters.
size_t lay_out(std::vector<Struct>& structs, size_t bytes_of_real) {
  size_t end = 0;
  for (Struct& record : structs) {
    size_t alignment = 1;
    for (const Field& field : record.fields) alignment = std::max(alignment, bytes_of(field.type, bytes_of_real));
    if (!record.type.empty()) end = aligned(end, alignment);
    for (Field& field : record.fields) {
      const size_t size = bytes_of(field.type, bytes_of_real);
      field.offset = aligned(end, size);
      end = field.offset + size * (field.array ? field.count : 1);
    }
    if (!record.type.empty()) end = aligned(end, alignment);
  }
  return aligned(end, sizeof(double));
}

void write(std::byte* to, Type type, size_t bytes_of_real, double value) {
  const auto copy = [&](const auto& from) { std::memcpy(to, &from, bytes_of(type, bytes_of_real)); };
  if (type == Type::word || type == Type::byte)
    copy(static_cast<uint32_t>(value));
  else if (type == Type::real && bytes_of_real == sizeof(float))
    copy(static_cast<float>(value));
  else
    copy(value);
}

}  // namespace

struct ParameterSchema::Contents {
  Model model;
  KernelOptions options;
  std::vector<Numbered> components = numbered(model);
  std::vector<Struct> structs{};
  size_t bytes = 0;  ///< of Parameters, without tables
  size_t bytes_of_real = sizeof(double);

  VariableAt variable_at(const VariableValues& variable, double dt) const {
    VariableAt at{dt, variable.length(), variable.inertial, variable.constant_force, variable.mass, variable.gamma};
    if (!variable.inertial) return at;
    at.y = variable.gamma / variable.mass * dt / 2;
    if (options.method != Method::aboba) return at;
    at.decay = std::exp(-2 * at.y);
    at.thermal = decay_average(4 * at.y);
    at.whole = Splitting(at.y);
    at.move = Splitting(options.coarse ? 2 * at.y : at.y);
    return at;
  }
  At at(const ModelValues& values, const PointSettings& point) const {
    At at{values, point, point.counters.empty() ? options.counters : point.counters};
    const double dt = point.time.dt;
    at.variables.reserve(values.variables.size());
    for (const VariableValues& variable : values.variables) at.variables.push_back(variable_at(variable, dt));
    for (const Numbered& component : components) {
      if (component.phases() == 0) continue;
      for (const double turns : component.plugin().frequencies(values.values[component.k].data()))
        at.phases.push_back(turns * dt);
    }
    if (options.method == Method::exact) at.pieces = pieces_of(model, values);
    if (options.method == Method::walk) at.walk = walk_tables(model, values, dt, options.levels);
    if (options.method == Method::adaptive) at.map = step_map(model, values, dt * point.substeps, point.local_error);
    return at;
  }
};

ParameterSchema::ParameterSchema(const Model& model, const ModelValues& values, const KernelOptions& options) {
  auto contents = std::make_unique<Contents>(Contents{model, options});
  std::vector<Struct>& structs = contents->structs;
  const std::vector<Numbered>& components = contents->components;
  size_t phases = 0;
  for (const Numbered& component : components) phases += component.phases();
  structs.push_back(time_struct(phases, options.halves));
  const size_t n = model.variables().size();
  const bool underdamped = model.underdamped();
  for (size_t i = 0; i < n; ++i) structs.push_back(start_struct("start_x", &PointSettings::x, i, n, true));
  for (size_t i = 0; i < n && underdamped; ++i)
    structs.push_back(start_struct("start_v", &PointSettings::v, i, n, false));
  for (size_t i = 0; i < n; ++i) structs.push_back(variable_struct(i, n, underdamped, options));
  if (options.method == Method::exact) structs.push_back(piece_struct(pieces_of(model, values)));
  if (options.method == Method::walk) structs.push_back(walk_struct(model, values, options));
  for (size_t i = 0; i < options.counters.size(); ++i) structs.push_back(counter_struct(options, i));
  if (options.method == Method::adaptive) {
    Struct steps{"StepMap", "steps"};
    steps.table("fraction", StepMap::cells, [](const At& at) { return at.map.fraction; });
    steps.scalar("half", [](const At& at) { return at.map.half; });
    structs.push_back(std::move(steps));
  }
  for (const Numbered& component : components) structs.push_back(component_struct(component, values));
  contents->bytes_of_real = bytes_of_real(options.precision);
  contents->bytes = lay_out(structs, contents->bytes_of_real);
  contents_ = std::move(contents);
}

ParameterSchema::~ParameterSchema() = default;

std::string ParameterSchema::text() const {
  std::string structs, members = "struct Parameters {\n", attach;
  size_t reals = 0;
  for (const Struct& record : contents_->structs) {
    if (record.index > 0) continue;
    std::string body;
    for (const std::string& constant : record.constants) body += "  " + constant + "\n";
    for (const Field& field : record.fields) body += "  " + declaration(field) + "\n";
    if (record.type.empty()) {
      members += body;
      continue;
    }
    if (record.type != "Start") structs += fmt::format("struct {} {{\n{}}};\n", record.type, body);
    const std::string array = record.count > 0 ? fmt::format("[{}]", record.count) : "";
    // a member that is a struct without members would take one byte
    members += record.fields.empty() ? fmt::format("  static constexpr {0} {1} = {{}};\n", record.type, record.name)
                                     : fmt::format("  {} {}{};\n", record.type, record.name, array);
    for (const Field& field : record.fields) {
      if (field.type != Type::pointer) continue;
      attach += fmt::format("  p.{}.{}.data = tables + {};\n", record.name, field.name, reals);
      reals += field.count;
    }
  }
  return fmt::format(
      "{}{}}};\nconstexpr uint64_t TABLE_BYTES = ({} * sizeof(real) + 7) / 8 * 8;\n"
      "BM_FN void attach_tables(Parameters& p, const real* tables) {{\n{}  (void)p, (void)tables;\n}}\n",
      structs, members, reals, attach);
}

std::vector<std::pair<std::string, size_t>> ParameterSchema::offsets() const {
  std::vector<std::pair<std::string, size_t>> result;
  for (const Struct& record : contents_->structs)
    for (const Field& field : record.fields)
      result.emplace_back((record.type.empty() ? ""
                           : record.count == 0 ? record.name + "."
                                               : fmt::format("{}[{}].", record.name, record.index)) +
                              field.name,
                          field.offset);
  return result;
}

void ParameterSchema::pack(const ModelValues& values, const PointSettings& point, std::vector<std::byte>& to) const {
  const At at = contents_->at(values, point);
  const size_t real = contents_->bytes_of_real, begin = to.size();
  to.resize(begin + contents_->bytes);
  for (const Struct& record : contents_->structs)
    for (const Field& field : record.fields) {
      if (field.value) {
        write(to.data() + begin + field.offset, field.type, real, field.value(at));
        continue;
      }
      const std::vector<double> numbers = field.values(at);
      if (numbers.size() != field.count)
        fail("{}: its length must be the same at every point, got {} and {}", field.name, field.count, numbers.size());
      const bool table = field.type == Type::pointer;
      const Type type = table ? Type::real : field.type;
      size_t offset = table ? to.size() : begin + field.offset;
      if (table) to.resize(offset + field.count * real);
      for (const double number : numbers) {
        write(to.data() + offset, type, real, number);
        offset += bytes_of(type, real);
      }
    }
  to.resize(begin + aligned(to.size() - begin, sizeof(double)));
}

}  // namespace bmsim
