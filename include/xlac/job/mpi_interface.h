// The interface of libxlac_mpi.so: the functions of MPI that a job uses, with
// plain types, so that only this library depends on MPI's headers and on one
// implementation of MPI. MPI itself defines which threads may call them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xlac::job {

/// Changes with every change of this header.
inline constexpr uint32_t kMpiInterface = 1;
inline constexpr const char *kMpiFactorySymbol = "xlac_mpi_interface";

/// Which threads may call MPI, in the order of MPI's levels.
enum class MpiThreads : int32_t { Single, Funneled, Serialized, Multiple };

enum class MpiPhase : int32_t { NotInitialized, Active, Finalized };

/// A handle of MPI; zero means none.
using MpiHandle = uint64_t;

/// The position of this process among all that the launcher started.
struct MpiPlace {
  int32_t rank = 0, size = 1;
  /// The lowest rank with which this process can share memory.
  int32_t node = 0;
  MpiThreads threads = MpiThreads::Single; ///< granted
  /// MPI was initialized by the program, which also finalizes it.
  bool is_shared = false;
};

struct MpiArrival {
  int32_t source = 0;
  size_t bytes = 0;
};

/// All functions but the first two return 0, or an error code of MPI.
struct MpiInterface {
  uint32_t version; ///< kMpiInterface

  /// Null if the loaded MPI is the one that the library was built for. Else a
  /// text that names both.
  const char *(*mismatch)();
  MpiPhase (*phase)();
  void (*error_text)(int code, char *text, size_t size);

  /// Initializes MPI unless it is active. Blocks until all processes call it.
  /// Errors are returned from now on. If the program has initialized MPI
  /// without MpiThreads::Multiple, only the last two members are set.
  /// `finalizing` is called with `context` at the beginning of MPI_Finalize,
  /// on its thread, while MPI can still be used.
  int (*start)(MpiPlace *place, void (*finalizing)(void *context),
               void *context);
  /// Waits for all processes.
  int (*finish)();

  /// Starts to make a communicator of all processes. All must make the same
  /// ones, in the same order.
  int (*duplicate)(MpiHandle *communicator, MpiHandle *request);
  /// Lets MPI work on what was sent before.
  int (*progress)();

  /// Messages of at most INT_MAX bytes. The memory belongs to MPI until test()
  /// sets `done`.
  int (*send)(MpiHandle communicator, const void *data, size_t bytes,
              int32_t target, int32_t tag, MpiHandle *request);
  /// With source -1: from any process.
  int (*receive)(MpiHandle communicator, void *data, size_t bytes,
                 int32_t source, int32_t tag, MpiHandle *request);
  /// `arrival` may be null. A completed request becomes zero.
  int (*test)(MpiHandle *request, bool *done, MpiArrival *arrival);
  /// Cancels a receive; test() completes it.
  int (*cancel)(MpiHandle *request);
};

/// The type of the function kMpiFactorySymbol.
using MpiFactory = const MpiInterface *(*)();

} // namespace xlac::job
