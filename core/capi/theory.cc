// bm_theory_*: exact results at the points of a run or a result. bm_run_energy, bm_run_tilt, bm_run_noise_levels: V(x)
// at a point, and what modulates it.
#include "theory/theory.h"

#include <algorithm>
#include <cmath>

#include "capi/objects.h"
#include "model/memoryless.h"

using namespace bmsim;

namespace {

/// Writes the values of a theory at all points, which values_of gives; place(i) describes point i, for messages.
template <class ValuesAt, class Place>
void write_all(const Model& model, size_t points, const char* name, double from, double* out, ValuesAt values_of,
               Place place) {
  const Theory& theory = find_theory(name);
  TheoryOptions options;
  if (!std::isnan(from)) options.from = from;
  for (size_t i = 0; i < points; ++i) {
    check_interruption();
    try {
      const std::vector<double> values = evaluate_theory(theory, model, values_of(i), options);
      out = std::copy(values.begin(), values.end(), out);
    } catch (const Error& error) {
      if (points == 1) throw;
      throw Error(fmt::format("{} (at {})", error.what(), place(i)), error.status());
    }
  }
}

/// The quantities of a theory for a model.
std::string words_of(const Model& model, const char* theory) {
  return fmt::format("{}", fmt::join(quantities_of(find_theory(theory), model), " "));
}

double mean_of(const Component& noise, std::span<const double> values) {
  return noise.plugin->mean(values.data()).value_or(0);
}

/// The values that a noise has in its states; without states one standard deviation on either side of its mean.
std::vector<double> levels_of(const Component& noise, std::span<const double> values) {
  if (const auto states = memoryless(*noise.plugin, values)) return states->force;
  const double D = noise.plugin->intensity(values.data()).value_or(0), tau = noise.plugin->time_scale(values.data());
  const double sigma = std::sqrt(D / tau), mean = mean_of(noise, values);
  return {mean - sigma, mean + sigma};
}
/// The values at a point of a run whose model has one variable.
ModelValues values_of_particle(const bm_run* run, size_t point) {
  const Sweep& sweep = idle(run).sweep;
  if (point >= sweep.points()) fail("run: there are {} points, got number {}", sweep.points(), point + 1);
  if (run->model.is_system()) fail("model: the potential is that of a model of one variable, not of a system");
  return values_at(run->model, sweep, point);
}

}  // namespace

struct bm_linear {
  std::vector<std::string> states;
  theory::LinearLaw law;
};

extern "C" {

const char* bm_theory_name(size_t index) {
  const auto known = theories();
  return index < known.size() ? known[index].name.data() : nullptr;
}

const char* bm_theory_run_quantities(const bm_run* run, const char* theory) {
  return guarded_text([&] { return words_of(idle(run).model, theory); });
}

const char* bm_theory_result_quantities(const bm_result* result, const char* theory) {
  return guarded_text([&] { return words_of(result->plan.model, theory); });
}

bm_status bm_theory_run(const bm_run* run, const char* theory, double from, double* values) {
  return guarded([&] {
    const Sweep& sweep = idle(run).sweep;
    const Interruptible heard(*run->session, "theory");
    write_all(
        run->model, sweep.points(), theory, from, values, [&](size_t i) { return values_at(run->model, sweep, i); },
        [&](size_t i) { return sweep.describe(i); });
  });
}

bm_status bm_theory_result(const bm_result* result, const char* theory, double from, double* values) {
  return guarded([&] {
    const auto& points = result->plan.points;
    const Interruptible heard(*result->session, "theory");
    write_all(
        result->plan.model, points.size(), theory, from, values, [&](size_t i) { return points[i].values; },
        [](size_t i) { return fmt::format("point {}", i + 1); });
  });
}

bm_status bm_run_energy(const bm_run* run, size_t point, double t, const double* x, size_t count, double* energies) {
  return guarded([&] {
    const ModelValues values = values_of_particle(run, point);
    const Plugin& potential = *run->model.potential().plugin;
    const std::vector<bm_numbers> arrays = spans_of(values.arrays(0));
    const double length = values.only().period;
    for (size_t i = 0; i < count; ++i) {
      const double u = length > 0 ? x[i] / length - std::floor(x[i] / length + 0.5) : x[i];
      energies[i] = potential.energy_at(u, t, values.values.front().data(), arrays.data()) - values.only().force * x[i];
    }
  });
}

bm_status bm_run_tilt(const bm_run* run, size_t point, double t, double* period, double* force, double* factor) {
  return guarded([&] {
    const ModelValues values = values_of_particle(run, point);
    const auto& components = run->model.components();
    double sum = 0, product = 1;
    for (size_t k = 0; k < components.size(); ++k) {
      const Plugin& plugin = *components[k].plugin;
      const double time = plugin->kind == BM_DRIVE ? plugin.time_scale(values.values[k].data()) : INFINITY;
      if (!std::isfinite(time) || time <= 0) continue;
      const std::vector<bm_numbers> arrays = spans_of(values.arrays(k));
      const double turns = t / time - std::floor(t / time);
      (components[k].modulates ? product : sum) += plugin.force(turns, values.values[k].data(), arrays.data());
    }
    if (period != nullptr) *period = values.only().period;
    if (force != nullptr) *force = sum;
    if (factor != nullptr) *factor = product;
  });
}

bm_status bm_run_noise_levels(const bm_run* run, size_t point, double* mean, double* levels, size_t capacity,
                              size_t* count) {
  return guarded([&] {
    const ModelValues values = values_of_particle(run, point);
    const auto& components = run->model.components();
    std::vector<double> totals;
    *mean = 0;
    for (size_t k = 0; k < components.size(); ++k) {
      const Plugin& plugin = *components[k].plugin;
      if (plugin->kind != BM_NOISE || !components[k].modulates) continue;
      *mean += mean_of(components[k], values.values[k]);
      std::vector<double> sums;  // of every level so far and every level of this noise
      for (const double total : totals.empty() ? std::vector<double>{0} : totals)
        for (const double level : levels_of(components[k], values.values[k])) sums.push_back(total + level);
      totals = std::move(sums);
    }
    std::ranges::sort(totals);
    totals.erase(std::unique(totals.begin(), totals.end()), totals.end());
    *count = totals.size();
    std::copy_n(totals.begin(), std::min(capacity, totals.size()), levels);
  });
}

bm_linear* bm_linear_new(const bm_run* run) {
  return guarded_pointer([&] {
    const Sweep& sweep = idle(run).sweep;
    if (sweep.points() != 1) fail("theory.linear: it is for one point, got {}", sweep.points());
    const Interruptible heard(*run->session, "theory");
    return new bm_linear{linear_states(run->model), linear_law(run->model, values_at(run->model, sweep, 0))};
  });
}

void bm_linear_free(bm_linear* linear) { delete linear; }

const char* bm_linear_state(const bm_linear* linear, size_t index) {
  return index < linear->states.size() ? linear->states[index].c_str() : nullptr;
}

bm_status bm_linear_correlation(const bm_linear* linear, double t, double* values) {
  return guarded([&] {
    if (!std::isfinite(t)) fail("theory.linear: correlation: t must be finite, got {}", t);
    const Eigen::MatrixXd correlations = linear->law.correlation(t);
    const auto n = static_cast<Eigen::Index>(linear->states.size());
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) *values++ = correlations(i, j);
  });
}

bm_status bm_linear_spectrum(const bm_linear* linear, double f, double* values) {
  return guarded([&] {
    if (!std::isfinite(f)) fail("theory.linear: spectrum: f must be finite, got {}", f);
    const Eigen::VectorXd spectra = linear->law.spectrum(f);
    std::copy_n(spectra.data(), linear->states.size(), values);
  });
}

}  // extern "C"
