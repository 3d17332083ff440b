// The two works of the program bmsim/netcdf.
#pragma once
#include "output/netcdf/streams.h"

namespace bmsim::netcdf {

/// Sends what the file holds, of wire.h's records; or its texts alone.
void read(const char* file, bool texts_alone, Sender& sender);
/// Receives records, makes a file of them in memory, compressed by so many threads, and sends its bytes.
void write(size_t threads, Receiver& receiver, Sender& sender);

/// From now on this process may compute for some seconds; the signal SIGXCPU ends it after them.
void renew_time();

}  // namespace bmsim::netcdf
