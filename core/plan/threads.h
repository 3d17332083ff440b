// The threads that a process may use.
#pragma once

namespace bmsim {

/// Threads of this process where so many were asked for: 0, all cores, is a share of those of the machine among several
/// ranks.
unsigned threads_of_rank(unsigned asked);

}  // namespace bmsim
