#include "compose/walk_tables.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "hypotenuse.h"
#include "model/memoryless.h"

namespace bmsim {

namespace {

/// A piece in one state, where a particle drifts at speed b and an event comes at rate q: solutions of
/// D g'' + b g' = q g are exp(m z) and exp(-p z), those of the adjoint equation exp(p z) and exp(-m z).
struct Row {
  double p, m, width;
  double decay() const { return std::exp(-(p + m) * width); }
  double complement() const { return -std::expm1(-(p + m) * width); }  ///< 1 - decay
};

Row row_of(double b, double q, double D, double width) {
  const double w = hypotenuse(b, 2 * std::sqrt(D * q));
  const double larger = (std::abs(b) + w) / (2 * D), smaller = q / D / larger;  // p m = q / D
  return b > 0 ? Row{larger, smaller, width} : Row{smaller, larger, width};
}

/// The integral of an excursion's density from the far end of a piece to an edge, over its value at the edge:
/// (1 - exp(-f w))/f - exp(-f w) (1 - exp(-s w))/s, over 1 - exp(-(f + s) w).
double excursion(double f, double s, const Row& row) {
  const double w = row.width;
  if ((f + s) * w < 1e-6) return w / 2;
  return (-std::expm1(-f * w) / f + std::exp(-f * w) * std::expm1(-s * w) / s) / row.complement();
}

struct Noise {
  MemorylessNoise chain;
  bool modulates;
};

}  // namespace

double WalkTables::moves_per_event() const {
  const size_t rows = states * pieces;
  constexpr size_t leaves = 8;  // the column with the probability of another edge before an event
  double events = 0;
  for (size_t row = 0; row < rows; ++row) events += 1 - columns[leaves * rows + row];
  return static_cast<double>(rows) / std::max(events, 1e-12 * static_cast<double>(rows));
}

std::vector<size_t> walk_states(const Model& model, const ModelValues& values) {
  std::vector<size_t> counts;
  for (size_t k = 0; k < model.components().size(); ++k)
    if (const auto chain = memoryless(*model.components()[k].plugin, values.values[k]))
      counts.push_back(chain->force.size());
  return counts;
}

Pieces walked_pieces(const Model& model, const ModelValues& values, std::span<const double> levels) {
  constexpr double at_edge = 1e-9;  // periods
  Pieces pieces = pieces_of(model, values);
  std::vector<double>& edge = pieces.edge;
  for (const double level : levels) {
    const double u = level / values.only().length(), at = u - std::floor(u - edge.front());
    size_t on = static_cast<size_t>(std::upper_bound(edge.begin(), edge.end(), at) - edge.begin()) - 1;
    double cut = at;
    if (on + 1 >= edge.size() || at - edge[on] < at_edge || edge[on + 1] - at < at_edge) {
      on = 0;
      for (size_t k = 1; k < pieces.force.size(); ++k)
        if (edge[k + 1] - edge[k] > edge[on + 1] - edge[on]) on = k;
      cut = (edge[on] + edge[on + 1]) / 2;
    }
    edge.insert(edge.begin() + static_cast<ptrdiff_t>(on) + 1, cut);
    pieces.force.insert(pieces.force.begin() + static_cast<ptrdiff_t>(on), pieces.force[on]);
  }
  return pieces;
}

WalkTables walk_tables(const Model& model, const ModelValues& values, double dt, std::span<const double> levels) {
  WalkTables tables;
  const Pieces pieces = walked_pieces(model, values, levels);
  const double length = values.only().length();
  double D = 0, strongest = std::abs(values.only().constant_force), highest = 1;  // force, amplitude
  std::vector<Noise> noises;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if (component.plugin->has(BM_SIGMA))
      D += component.plugin->intensity(values.values[k].data()).value_or(0) / (length * length);
    if (auto chain = memoryless(*component.plugin, values.values[k])) {
      tables.force.insert(tables.force.end(), chain->force.begin(), chain->force.end());
      tables.states *= chain->force.size();
      for (const double force : chain->force) (component.modulates ? highest : strongest) += std::abs(force);
      noises.push_back({std::move(*chain), component.modulates});
    }
  }
  for (const double force : pieces.force) strongest += highest * std::abs(force);
  constexpr double next_to_none = 1e-20;
  D = std::max(D, next_to_none * (strongest / length + 1 / dt));
  const size_t P = tables.pieces = pieces.force.size(), rows = tables.states * P;
  tables.edge = pieces.edge;
  tables.shortest = std::numeric_limits<double>::infinity();
  tables.columns.resize((12 + 2 * noises.size()) * rows);
  for (size_t state = 0; state < tables.states; ++state) {
    double force = values.only().constant_force, amplitude = 1, q = 1 / dt;
    std::vector<double> rates;
    size_t rest = state;
    for (const Noise& noise : noises) {
      const size_t at = rest % noise.chain.force.size();
      rest /= noise.chain.force.size();
      (noise.modulates ? amplitude : force) += noise.chain.force[at];
      rates.push_back(noise.chain.rate[at]);
      q += rates.back();
    }
    std::vector<Row> state_rows;
    for (size_t k = 0; k < P; ++k)
      state_rows.push_back(
          row_of((force + amplitude * pieces.force[k]) / length, q, D, pieces.edge[k + 1] - pieces.edge[k]));
    for (size_t k = 0; k < P; ++k) {
      const Row &left = state_rows[(k + P - 1) % P], &row = state_rows[k];
      tables.shortest = std::min(tables.shortest, (row.p + row.m) * row.width);
      // Slopes of functions at the edge. rise, fall: of those that are 1 there and 0 at the other end of the piece on
      // the left or right. right, back: of those that are 0 there and 1 at the other end, over the sum.
      const double rise = (left.m + left.p * left.decay()) / left.complement();
      const double fall = (row.p + row.m * row.decay()) / row.complement();
      const double sum = rise + fall;
      const double right = (row.p + row.m) * std::exp(-row.m * row.width) / row.complement() / sum;
      const double back = (left.p + left.m) * std::exp(-left.p * left.width) / left.complement() / sum;
      const double event_left = q / D / sum * excursion(left.p, left.m, left);
      const double event_right = q / D / sum * excursion(row.m, row.p, row);
      const double per_event = amplitude / length / q, pull = per_event * pieces.force[k];
      const double pull_left = per_event * pieces.force[(k + P - 1) % P];
      double* column = &tables.columns[state * P + k];
      const auto add = [&](double number) { *column = number, column += rows; };
      for (const double number :
           {row.p, row.m, 1 / row.p, 1 / row.m, 1 / row.complement(), row.width, pieces.edge[k], right, right + back,
            right + back + event_left, pull, pull_left * event_left + pull * event_right})
        add(number);
      double before = 0;
      for (const double rate : rates) add((before += rate) / q);
      for (const double rate : rates) add(q / rate);
    }
  }
  return tables;
}

}  // namespace bmsim
