// Compiled programs as the compiler returns them and the disk cache stores
// them: position-independent native code and the data needed to run it. Blobs
// have no undefined symbols and no absolute relocations, so that loading them
// needs no linking.
#pragma once

#include "xlac/runtime/collective.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"
#include "xlac/support/shared_bytes.h"
#include "xlac/support/tensor_type.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

struct BlobSymbol {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// What code asks of the services of xlac_ctx.
struct CodeNeeds {
  int64_t scratch_bytes = 0; ///< the largest request for scratch memory
  uint32_t routines = 0; ///< a bit for each xlac_library_routine that it calls

  void add(const CodeNeeds &other) {
    scratch_bytes = std::max(scratch_bytes, other.scratch_bytes);
    routines |= other.routines;
  }
};

/// Machine code with its read-only data, valid at any 64-byte aligned address.
/// It may contain several kernels.
struct Blob {
  std::vector<std::byte> bytes;
  std::vector<BlobSymbol> symbols;
  uint64_t features = 0; ///< CpuFeature bits that the code uses
  CodeNeeds needs;       ///< of all its kernels

  /// The symbol with that name, or null.
  const BlobSymbol *find(std::string_view name) const {
    auto found = std::ranges::find(symbols, name, &BlobSymbol::name);
    return found == symbols.end() ? nullptr : &*found;
  }
};

/// One entry of xlac_ctx::kernels: a phase of a kernel.
struct KernelEntry {
  std::string symbol; ///< in one of the image's blobs
  uint32_t blob = 0;
  std::string kind;       ///< kind of schedule: "loop", "reduction", …
  std::string source_ops; ///< StableHLO ops that it computes, for reports
  int64_t flops = 0, bytes = 0;
  std::string name = {};      ///< as in `xlac compile --emit kernels`
  std::string signature = {}; ///< "(2x3xf32, 3xf32) -> 2x3xf32"
};

/// Values that depend only on invariant arguments, such as packed weights. The
/// entry `xlac_prologue` computes them once per set of buffers. The program
/// receives them after its arguments.
struct Prologue {
  std::vector<uint32_t>
      arguments; ///< indices of the program's arguments that it reads
  std::vector<int64_t> result_bytes;
  int64_t arena_bytes = 0;
  bool empty() const { return result_bytes.empty(); }
};

/// A compiled program. blobs[0] is the driver with the symbol `xlac_entry`, and
/// with `xlac_prologue` if the prologue is not empty.
struct ExecutableImage {
  std::string name;
  std::string target_profile;
  uint64_t features = 0; ///< union over the blobs
  std::vector<Type> arguments, results;
  std::vector<AliasPair> aliases;
  /// Numbers of the arguments that the program's caller gives up, whether or
  /// not a result takes their memory; in ascending order.
  std::vector<uint32_t> donated;
  /// By result the kind of memory that the program asks for, empty for the
  /// default; an empty list if it asks for none.
  std::vector<std::string> memory_kinds;
  /// The memory layouts of arguments and results, if the program's caller
  /// requests some: the dimensions from the major one to the minor one.
  /// `arguments` and `results` have their dimensions in this order. Empty lists
  /// if all are row-major.
  std::vector<std::vector<int64_t>> argument_layouts, result_layouts;
  std::vector<SharedBytes> constants;
  /// Whether each constant is aligned to 64 bytes, and constant_stride() bytes
  /// are readable. An executable then uses its memory, without a copy.
  bool constants_in_place = false;
  std::vector<Blob> blobs;
  std::vector<KernelEntry> kernels;
  /// Collectives, which the driver calls by index.
  std::vector<Collective> collectives;
  /// The grid that the program declares.
  GridShape grid;
  /// Number of programs, one per device, into which the compiler partitioned
  /// the global program. 1: it is not partitioned, and the following sharding
  /// fields are empty.
  int partitions = 1;
  /// Shardings and types of the global program's arguments and results;
  /// `arguments` and `results` above are types of shards. The caller passes
  /// device d the shard that shard_bounds(type, sharding, d) describes, padded
  /// with zeros at the end, and assembles results the same way.
  std::vector<Sharding> argument_shardings, result_shardings;
  std::vector<Type> global_arguments, global_results;
  Prologue prologue;
  int64_t arena_bytes = 0;
  int64_t estimated_nanoseconds = 0; ///< of a run, before one is measured
  CodeNeeds needs;                   ///< of all kernels, with their sizes
};

/// Bytes of temporaries of a run: the larger of the arenas of the program and
/// of its prologue, and the values of the prologue. At most INT64_MAX.
int64_t temporary_bytes(const ExecutableImage &image);

/// Bytes from a constant to the next, where they lie one behind the other. At
/// least 64, so that the address of an empty one may be read too.
inline size_t constant_stride(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + 63) / 64 * 64;
}

/// Serializes to a versioned little-endian format. Deserialization rejects
/// malformed input with FailureKind::Runtime and reads only within `bytes`.
std::vector<std::byte> serialize(const ExecutableImage &image);
Result<ExecutableImage> deserialize_image(std::span<const std::byte> bytes);

/// Where the constants are that serialize_without_constants() leaves out: one
/// behind the other, at distances of constant_stride().
std::vector<std::byte>
serialize_without_constants(const ExecutableImage &image);
/// The inverse. The image's constants are parts of `constants`, which must have
/// the bytes of all of them and no more.
Result<ExecutableImage>
deserialize_image_without_constants(std::span<const std::byte> bytes,
                                    const SharedBytes &constants);
std::vector<std::byte> serialize(const Blob &blob);
Result<Blob> deserialize_blob(std::span<const std::byte> bytes);

} // namespace xlac::runtime
