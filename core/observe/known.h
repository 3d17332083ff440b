// The observables of window.cc and of recorded.cc, as observable.cc lists them.
#pragma once
#include "observe/observable.h"

namespace bmsim {

struct KnownObservable {
  const char* name;
  std::unique_ptr<Observable> (*make)(const ObservableRequest& request);
};

std::span<const KnownObservable> window_observables();
std::span<const KnownObservable> recorded_observables();

}  // namespace bmsim
