// The threads that a process may use.
#pragma once

namespace bmsim {

/// Number of threads of this process if `asked` were asked for. 0 means all cores, or among several ranks an equal
/// share of the machine's.
unsigned threads_of_rank(unsigned asked);

}  // namespace bmsim
