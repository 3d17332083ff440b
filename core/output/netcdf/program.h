// The two tasks of the program bmsim/netcdf.
#pragma once
#include "output/netcdf/streams.h"

namespace bmsim::netcdf {

/// Sends what the file holds, or its texts alone, as records of wire.h.
void read(const char* file, bool texts_alone, Sender& sender);
/// Receives records, makes a file of them in memory, compressed by so many threads, and sends its bytes.
void write(size_t threads, Receiver& receiver, Sender& sender);

/// Lets this process compute for some more seconds from now on, after which the signal SIGXCPU ends it.
void renew_time();

}  // namespace bmsim::netcdf
