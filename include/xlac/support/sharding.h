// Shardings of tensors over the devices of a mesh, as plain data. Programs
// declare them, the compiler partitions by them, and launches split arguments
// by them. Meshes with named axes are not part of this header.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// The sharding of a tensor over devices: HLO's OpSharding, whose text
/// `mhlo.sharding` attributes contain.
struct Sharding {
  enum class Kind : uint8_t {
    Replicated, ///< every device has the whole tensor
    Maximal,    ///< one device has the whole tensor
    Tiled,      ///< split into equal shards
    Manual,     ///< the program defines the contents of each device
    Tuple,      ///< of a tuple: `elements` has one sharding per element
    Unknown,    ///< to be chosen by the partitioner
  };
  Kind kind = Kind::Replicated;
  /// Tiled: number of shards along each dimension (rank entries).
  std::vector<int64_t> tiles = {};
  /// Tiled: number of devices per shard (last_tile_dim_replicate if above 1).
  int64_t copies = 1;
  /// Tiled: number of devices that hold addends of one shard
  /// (last_tile_dims={unreduced} if more than 1).
  int64_t summands = 1;
  /// Tiled: devices in row-major order of tiles × copies × summands; Maximal:
  /// the device.
  std::vector<int64_t> devices = {};
  std::vector<Sharding> elements = {}; ///< Tuple: one sharding per element

  bool operator==(const Sharding &) const = default;
  bool is_replicated() const { return kind == Kind::Replicated; }
  bool is_tiled() const { return kind == Kind::Tiled; }
  /// Returns whether devices hold addends instead of values.
  bool is_unreduced() const { return summands > 1; }
  /// Number of devices of a Tiled or Maximal sharding; 0 for other kinds.
  int64_t device_count() const;
  /// The HLO text: "{devices=[4,1]0,1,2,3}", "{devices=[2,1,4]0,1,…
  /// last_tile_dim_replicate}", "{replicated}", "{maximal device=3}",
  /// "{manual}", "{unknown}", and for tuples "{{replicated}, {manual}}".
  std::string str() const;
};

/// Parses the text of str(), the iota forms `devices=[4,2]<=[8]` and
/// `devices=[4,2]<=[2,4]T(1,0)`, and `last_tile_dims={replicated}`,
/// `{unreduced}` and `{replicated, unreduced}`. A tiled sharding with one tile
/// and no addends is Replicated. FailureKind::User for other text, for device
/// numbers that are not distinct, and for more than 2^20 devices.
/// FailureKind::Unsupported for subgroups of other kinds.
Result<Sharding> parse_sharding(std::string_view text);

/// Sizes of one shard of a tensor with sizes `dims`, padded: ceil(dim / tiles).
/// Returns `dims` if nothing is split.
std::vector<int64_t> shard_dims(std::span<const int64_t> dims,
                                const Sharding &sharding);

/// The shard of a tensor on one device, without padding.
struct ShardBounds {
  /// Position and size in the global tensor. The size is 0 for a shard past the
  /// end of a dimension, and for a device that the sharding does not include.
  std::vector<int64_t> begin, size;
  /// Index among the devices with the same shard.
  int64_t copy = 0;
};

/// The shard of `device` for a tensor with sizes `dims`.
ShardBounds shard_bounds(std::span<const int64_t> dims,
                         const Sharding &sharding, int64_t device);

} // namespace xlac
