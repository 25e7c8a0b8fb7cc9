// The interface of libxlac_mpi.so: the functions of MPI that a job uses, with
// plain types, so that only this library depends on MPI's headers and on one
// implementation of MPI. MPI itself defines which threads may call them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace xlac::job {

/// Changes with every change of this header.
inline constexpr uint32_t kMpiInterface = 2;
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
  /// The number of such ranks, with this one.
  int32_t ranks_on_node = 1;
  MpiThreads threads = MpiThreads::Single; ///< granted
  /// MPI was initialized by the program, which also finalizes it.
  bool is_shared = false;
};

/// Combines elements of `in` into `inout`, in any order. MPI calls it inside of
/// other functions of the interface.
using MpiCombine = void (*)(void *context, const void *in, void *inout,
                            size_t elements);

/// Bytes for, or from, each process of a communicator.
struct MpiParts {
  const int32_t *counts = nullptr, *offsets = nullptr;
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

  /// Makes a communicator of some processes of `parent`, in this order. Blocks
  /// until all of them call it with the same `tag`, from 0 to 32767.
  int (*make_group)(MpiHandle parent, const int32_t *processes, int32_t count,
                    int32_t tag, MpiHandle *communicator);
  /// Makes a type of elements that reductions combine by `combine`.
  int (*make_type)(size_t bytes, MpiCombine combine, void *context,
                   MpiHandle *type);
  /// No reduction may use the type any more.
  int (*free_type)(MpiHandle *type);

  /// The collectives below do not block. All processes of the communicator must
  /// begin them in the same order, with the same sizes. Memory and counts
  /// belong to MPI until test() sets `done`. The maxima of two numbers.
  int (*maxima)(MpiHandle communicator, const uint64_t *from, uint64_t *to,
                MpiHandle *request);
  /// Reduces in place.
  int (*all_reduce)(MpiHandle communicator, void *data, int32_t elements,
                    MpiHandle type, MpiHandle *request);
  /// `counts` are the elements that each process receives.
  int (*reduce_scatter)(MpiHandle communicator, const void *from, void *to,
                        const int32_t *counts, MpiHandle type,
                        MpiHandle *request);
  int (*all_gather)(MpiHandle communicator, const void *from, int32_t bytes,
                    void *to, MpiParts parts, MpiHandle *request);
  int (*all_to_all)(MpiHandle communicator, const void *from, MpiParts sent,
                    void *to, MpiParts received, MpiHandle *request);
  int (*broadcast)(MpiHandle communicator, void *data, int32_t bytes,
                   int32_t root, MpiHandle *request);
};

/// The type of the function kMpiFactorySymbol.
using MpiFactory = const MpiInterface *(*)();

} // namespace xlac::job
