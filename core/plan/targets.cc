#include "plan/targets.h"

#include <algorithm>

#include "error.h"

namespace bmsim {

void check_targets(const Plan& plan) {
  for (const Target& target : plan.options.targets) {
    size_t column = plan.column(target.column), i = 0;
    for (; column >= plan.observables[i]->columns().size(); ++i) column -= plan.observables[i]->columns().size();
    const Observable& observable = *plan.observables[i];
    double fewest = std::max(64.0, observable.fewest_paths());
    for (const Point& point : plan.points)
      fewest =
          std::max(fewest, point.facts.of(observable.variable()).fewest_for_order(observable.order(target.column)));
    if (plan.together()) {
      if (plan.replicas < default_replicas)
        fail("run: target: {} needs replicas >= {}, whose scatter is its error; got {}", target.column,
             default_replicas, plan.replicas);
    } else if (static_cast<double>(plan.paths) < fewest)
      fail("run: target: {} needs paths >= {}, since a smaller ensemble does not know its error; got {}", target.column,
           fewest, plan.paths);
  }
}

}  // namespace bmsim
