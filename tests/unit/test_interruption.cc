// Interruptions: who asks in which thread, and what hears them.
#include "interruption.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "backend/samples.h"
#include "error.h"
#include "observe/jackknife.h"

using namespace bmsim;

namespace {
InterruptionCheck always() {
  return [] { throw Interruption("over"); };
}
InterruptionCheck never() {
  return [] {};
}
}  // namespace

TEST_CASE("the innermost scope of a thread asks") {
  CHECK_NOTHROW(check_interruption());
  const InterruptionScope outer(always());
  CHECK_THROWS_AS(check_interruption(), Interruption);
  {
    const InterruptionScope inner(never());
    CHECK_NOTHROW(check_interruption());
  }
  CHECK_THROWS_AS(check_interruption(), Interruption);
  bool alone = false, inherited = false;
  std::thread([&, check = interruption_check()] {
    check_interruption();
    alone = true;
    const InterruptionScope scope(check);
    try {
      check_interruption();
    } catch (const Interruption&) {
      inherited = true;
    }
  }).join();
  CHECK((alone && inherited));
}

TEST_CASE("handlers of errors let an interruption pass") {
  const InterruptionScope scope(always());
  const auto handled = [] {
    try {
      check_interruption();
    } catch (const Error&) {
    }
  };
  CHECK_THROWS_AS(handled(), Interruption);
}

TEST_CASE("sums over recordings and jackknives hear interruptions") {
  std::vector<double> numbers(64, 1.0);
  const HostSamples samples(numbers.data(), 16, 16);
  const Samples::Rows rows = {0, 1, 2, 3};
  const Bins bins{0, 1, 4, 0};
  const InterruptionScope scope(always());
  CHECK_THROWS_AS(samples.powers(rows, {}, std::vector<double>(4), 1), Interruption);
  CHECK_THROWS_AS(samples.absolute(rows, 0, 1.5), Interruption);
  CHECK_THROWS_AS(samples.products(rows, 0, 2), Interruption);
  CHECK_THROWS_AS(samples.crossings(rows, 2), Interruption);
  CHECK_THROWS_AS(samples.histogram(rows, bins, {}, {}, 1, no_row), Interruption);
  CHECK_THROWS_AS(jackknife(2, [](size_t) { return std::vector<double>{1}; }), Interruption);
}
