// Plain scalar programs of systems, that bmsim's speed is quoted against: Heun's method, one thread, one trajectory at
// a time, three-point increments, single precision.
#pragma once

namespace bmsim::reference {

enum class PlainSystem { active_particle, fitzhugh_nagumo, dimer, landauer, two_junctions, ring, kuramoto };

/// Steps per second of a run of at least `seconds`, on the calling thread.
double plain_system_rate(PlainSystem system, double seconds = 0.3);

}  // namespace bmsim::reference
