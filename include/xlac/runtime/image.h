// What the compiler hands out and the disk cache keeps: native code as
// position-independent blobs, and everything needed to run it. Loading is map,
// check, jump: a blob has no undefined symbols and no absolute relocations.
#pragma once

#include "xlac/runtime/collective.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"
#include "xlac/support/tensor_type.h"

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

/// Machine code with its own read-only data, valid at any 64-byte aligned
/// address. May hold several kernels.
struct Blob {
  std::vector<std::byte> bytes;
  std::vector<BlobSymbol> symbols;
  uint64_t features = 0; ///< CpuFeature bits that the code really uses

  /// The symbol of that name or null.
  const BlobSymbol *find(std::string_view name) const;
};

/// One entry of xlac_ctx::kernels: a phase of a kernel.
struct KernelEntry {
  std::string symbol; ///< in one of the image's blobs
  uint32_t blob = 0;
  std::string kind;       ///< "loop", "reduction", …: of its schedule
  std::string source_ops; ///< StableHLO ops it computes, for reports
  int64_t flops = 0, bytes = 0;
  std::string name = {};      ///< as `xlac compile --emit kernels` has it
  std::string signature = {}; ///< "(2x3xf32, 3xf32) -> 2x3xf32"
};

/// Values that depend on invariant arguments only (packed or re-laid weights):
/// computed once per set of buffers by the entry `xlac_prologue`, passed to the
/// program behind its arguments.
struct Prologue {
  std::vector<uint32_t>
      arguments; ///< which of the program's arguments it reads
  std::vector<int64_t> result_bytes;
  int64_t arena_bytes = 0;
  bool empty() const { return result_bytes.empty(); }
};

/// A compiled program. blobs[0] is the driver with the symbol `xlac_entry` (and
/// `xlac_prologue` when the prologue is not empty).
struct ExecutableImage {
  std::string name;
  std::string target_profile;
  uint64_t features = 0; ///< union over the blobs
  std::vector<Type> arguments, results;
  std::vector<AliasPair> aliases;
  std::vector<std::vector<std::byte>> constants;
  std::vector<Blob> blobs;
  std::vector<KernelEntry> kernels;
  /// What the driver asks for by number.
  std::vector<Collective> collectives;
  /// The grid that the program says it is made for.
  GridShape grid;
  /// Into how many programs the compiler cut the whole one, each for a device;
  /// 1: it is whole, and the fields about shards are empty.
  int partitions = 1;
  /// The shardings of the arguments and results of the whole program, and
  /// their types; those above are the shards'. The caller gives device d
  /// the part of each argument that shard_bounds(type, sharding, d) names,
  /// padded with zeros at the end, and puts results together likewise.
  std::vector<Sharding> argument_shardings, result_shardings;
  std::vector<Type> global_arguments, global_results;
  Prologue prologue;
  int64_t arena_bytes = 0;
  int64_t estimated_nanoseconds = 0; ///< under 20 µs runs inline on the caller
};

/// Little-endian, versioned; the inverse refuses anything malformed with
/// FailureKind::Runtime and reads no further than `bytes`.
std::vector<std::byte> serialize(const ExecutableImage &image);
Result<ExecutableImage> deserialize_image(std::span<const std::byte> bytes);
/// True if `bytes` begin as a serialized image does.
bool is_image(std::span<const std::byte> bytes);
std::vector<std::byte> serialize(const Blob &blob);
Result<Blob> deserialize_blob(std::span<const std::byte> bytes);

} // namespace xlac::runtime
