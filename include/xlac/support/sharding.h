// How tensors lie on the devices of a mesh, as plain data: what annotations of
// programs say, what the compiler cuts programs by and what runs them cuts
// arguments by. Knows nothing of meshes with named axes.
#pragma once

#include "xlac/support/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// How a tensor lies on the devices of a mesh; HLO's OpSharding, whose text
/// `mhlo.sharding` attributes hold.
struct Sharding {
  enum class Kind : uint8_t {
    Replicated, ///< every device has all of it
    Maximal,    ///< one device has all of it
    Tiled,      ///< cut into equal pieces
    Manual,     ///< the program says itself what each device has
    Tuple,      ///< of a tuple: each element lies as `elements` says
    Unknown,    ///< for others to choose
  };
  Kind kind = Kind::Replicated;
  /// Of Tiled: into how many pieces each dimension is cut (rank entries).
  std::vector<int64_t> tiles = {};
  /// Of Tiled: devices that hold the same shard (last_tile_dim_replicate when
  /// more than 1).
  int64_t copies = 1;
  /// Of Tiled: in C order of tiles × copies; of Maximal the one device.
  std::vector<int64_t> devices = {};
  std::vector<Sharding> elements = {}; ///< of Tuple

  bool operator==(const Sharding &) const = default;
  bool is_replicated() const { return kind == Kind::Replicated; }
  bool is_tiled() const { return kind == Kind::Tiled; }
  /// Devices that a Tiled or Maximal one names; 0 for the other kinds.
  int64_t device_count() const;
  /// "{devices=[4,1]0,1,2,3}", "{devices=[2,1,4]0,1,…
  /// last_tile_dim_replicate}",
  /// "{replicated}", "{maximal device=3}", "{manual}", "{unknown}", and of
  /// tuples "{{replicated}, {manual}}".
  std::string str() const;
};

/// The sharding that `text` spells: what str() gives, the iota forms
/// `devices=[4,2]<=[8]` and `devices=[4,2]<=[2,4]T(1,0)`, and
/// `last_tile_dims={replicated}`. A tiled one that cuts nothing is Replicated.
/// FailureKind::User for other text, for device numbers that are no permutation
/// of distinct ones, and for more than 2^20 devices; FailureKind::Unsupported
/// for subgroups of other kinds.
Result<Sharding> parse_sharding(std::string_view text);

/// Sizes of one shard of a tensor of sizes `dims`, each padded up:
/// ceil(dim / tiles). `dims` itself where nothing is cut.
std::vector<int64_t> shard_dims(std::span<const int64_t> dims,
                                const Sharding &sharding);

/// Which part of a tensor a device holds, without padding.
struct ShardBounds {
  /// Of the part in the whole tensor; a device past the end of a dimension that
  /// does not divide, or of none of the sharding's devices, has a size of 0.
  std::vector<int64_t> begin, size;
  /// Which of the devices with the same part it is.
  int64_t copy = 0;
};

/// The part that `device` holds of a tensor of sizes `dims`.
ShardBounds shard_bounds(std::span<const int64_t> dims,
                         const Sharding &sharding, int64_t device);

} // namespace xlac
