/* The library through which bmsim uses MPI. It is opened at run time under MPI's launcher, so that one program serves
 * machines with any MPI and with none. core/world/world.cc is the other side.
 *
 * To build it against a cluster's own MPI: cmake -S share/bmsim/mpi -B build && cmake --build build. Then set BMSIM_MPI
 * to the file libbmsim_mpi.so, or put it beside libbmsim.so. */
#include <limits.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

/* The version of the interface between this file and world.cc. */
EXPORT int bmsim_mpi_interface(void) { return 2; }

EXPORT int bmsim_mpi_begin(int* rank, int* size, int* local_rank, int* local_size) {
  int provided = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  if (MPI_Comm_rank(MPI_COMM_WORLD, rank) != MPI_SUCCESS || MPI_Comm_size(MPI_COMM_WORLD, size) != MPI_SUCCESS)
    return 1;
  MPI_Comm node;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, *rank, MPI_INFO_NULL, &node) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(node, local_rank);
  MPI_Comm_size(node, local_size);
  MPI_Comm_free(&node);
  return 0;
}

/* The bytes of all ranks in their order, in memory for free(); null without memory. counts[rank]: how many it has. */
EXPORT char* bmsim_mpi_gather(const char* own, uint64_t bytes, uint64_t* counts) {
  int size = 0, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allgather(&bytes, 1, MPI_UINT64_T, counts, 1, MPI_UINT64_T, MPI_COMM_WORLD);
  uint64_t total = 0;
  for (int i = 0; i < size; ++i) total += counts[i];
  char* gathered = malloc(total > 0 ? total : 1);
  int* numbers = malloc(2 * sizeof(int) * (size_t)size);
  if (gathered == NULL || numbers == NULL) {
    free(gathered);
    free(numbers);
    return NULL;
  }
  if (total <= INT_MAX) {
    int at = 0;
    for (int i = 0; i < size; ++i) {
      numbers[i] = (int)counts[i];
      numbers[size + i] = at;
      at += (int)counts[i];
    }
    MPI_Allgatherv(own, (int)bytes, MPI_CHAR, gathered, numbers, numbers + size, MPI_CHAR, MPI_COMM_WORLD);
  } else { /* more than MPI counts at once */
    const uint64_t most = 1 << 30;
    char* to = gathered;
    for (int i = 0; i < size; ++i) {
      if (i == rank && bytes > 0) memcpy(to, own, bytes);
      for (uint64_t done = 0; done < counts[i]; done += most) {
        const uint64_t rest = counts[i] - done;
        MPI_Bcast(to + done, (int)(rest < most ? rest : most), MPI_CHAR, i, MPI_COMM_WORLD);
      }
      to += counts[i];
    }
  }
  free(numbers);
  return gathered;
}

/* Whether all ranks have called this. Each calls it until it is true. */
EXPORT int bmsim_mpi_all_here(void) {
  static MPI_Request meeting = MPI_REQUEST_NULL;
  int all_here = 0;
  if (meeting == MPI_REQUEST_NULL) MPI_Ibarrier(MPI_COMM_WORLD, &meeting);
  MPI_Test(&meeting, &all_here, MPI_STATUS_IGNORE);
  return all_here;
}

enum { tidings_tag = 1, tidings_size = 3 };
static MPI_Request sent = MPI_REQUEST_NULL;

/* Sends three numbers to rank 0. Messages of this size are on their way at once, so that nobody waits. */
EXPORT void bmsim_mpi_tell(const double* numbers) {
  static double on_their_way[tidings_size];
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
  memcpy(on_their_way, numbers, sizeof on_their_way);
  MPI_Isend(on_their_way, tidings_size, MPI_DOUBLE, 0, tidings_tag, MPI_COMM_WORLD, &sent);
}

/* On rank 0: replaces the three numbers of each rank that has sent newer ones. */
EXPORT void bmsim_mpi_hear(double* numbers) {
  for (;;) {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, tidings_tag, MPI_COMM_WORLD, &there, &status);
    if (!there) return;
    MPI_Recv(numbers + tidings_size * status.MPI_SOURCE, tidings_size, MPI_DOUBLE, status.MPI_SOURCE, tidings_tag,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

/* Rank 0 receives what is still on its way, until each other rank has sent its last message, without numbers. */
static void take_tidings(void) {
  int rank = 0, left = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &left);
  if (rank > 0) {
    MPI_Send(NULL, 0, MPI_DOUBLE, 0, tidings_tag, MPI_COMM_WORLD);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    return;
  }
  while (--left > 0)
    for (int count = tidings_size; count > 0;) {
      double numbers[tidings_size];
      MPI_Status status;
      MPI_Recv(numbers, tidings_size, MPI_DOUBLE, MPI_ANY_SOURCE, tidings_tag, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_DOUBLE, &count);
    }
}

EXPORT const char* bmsim_mpi_version(void) {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

/* MPICH's launcher loses what it has not read from the ranks when one of them aborts, so give it time to read. */
EXPORT void bmsim_mpi_abort(int status) {
  const struct timespec while_it_reads = {.tv_sec = 0, .tv_nsec = 200 * 1000 * 1000};
  fflush(stdout);
  fflush(stderr);
  nanosleep(&while_it_reads, NULL);
  MPI_Abort(MPI_COMM_WORLD, status);
}
EXPORT void bmsim_mpi_end(void) {
  take_tidings();
  MPI_Finalize();
}
