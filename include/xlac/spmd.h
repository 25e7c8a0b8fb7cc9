// torch_xla.distributed.spmd: one program over all devices of a mesh. Meshes
// and specs are plain data; what touches tensors wants xr::use_spmd() first.
#pragma once

#include "xlac/tensor.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace xlac::spmd {

class Mesh;

//===- Specs --------------------------------------------------------------===//

/// A mesh axis, by position or by name.
class XLAC_API AxisRef {
public:
  AxisRef(int position) : v_(int64_t{position}) {}
  AxisRef(int64_t position) : v_(position) {}
  AxisRef(const char *name) : v_(std::string(name)) {}
  AxisRef(std::string name) : v_(std::move(name)) {}
  /// Its position in `mesh`; ValueError when the mesh has no such axis.
  int64_t position(const Mesh &mesh) const;

private:
  std::variant<int64_t, std::string> v_;
};

/// How one dimension of a tensor is cut: not at all (None), over a mesh axis,
/// or over several, of which the first is the slowest.
class XLAC_API SpecEntry {
public:
  SpecEntry(None_t) {}
  SpecEntry(int axis) : axes_{axis} {}
  SpecEntry(int64_t axis) : axes_{axis} {}
  SpecEntry(const char *axis) : axes_{axis} {}
  SpecEntry(std::string axis) : axes_{std::move(axis)} {}
  SpecEntry(std::initializer_list<AxisRef> axes) : axes_(axes) {}
  const std::vector<AxisRef> &axes() const { return axes_; }

private:
  std::vector<AxisRef> axes_;
};

/// One entry for each dimension of a tensor: {"data", None}, {{"x", "y"},
/// None}.
class XLAC_API PartitionSpec {
public:
  PartitionSpec(std::initializer_list<SpecEntry> entries) : entries_(entries) {}
  size_t size() const { return entries_.size(); }
  const std::vector<SpecEntry> &entries() const { return entries_; }

private:
  std::vector<SpecEntry> entries_;
};

//===- Meshes -------------------------------------------------------------===//

/// All devices of the job in a grid whose axes may have names.
class XLAC_API Mesh {
public:
  /// `device_ids` fill the grid in C order. ValueError unless they are all
  /// devices of the job, each once, as many as `mesh_shape` has places, and
  /// there are no axis names or one for each dimension, none twice.
  Mesh(std::vector<int64_t> device_ids, Shape mesh_shape,
       std::vector<std::string> axis_names = {});
  const std::vector<int64_t> &device_ids() const { return device_ids_; }
  const Shape &mesh_shape() const { return mesh_shape_; }
  const std::vector<std::string> &axis_names() const { return axis_names_; }
  /// Devices.
  int64_t size() const { return static_cast<int64_t>(device_ids_.size()); }
  /// Names and sizes of the axes in order; axes without names are "0", "1", …
  std::vector<std::pair<std::string, int64_t>> shape() const;
  /// The ids as an i64 tensor of shape mesh_shape() on the cpu.
  Tensor get_logical_mesh() const;
  /// The position of the axis of that name; nothing when there is none.
  std::optional<int64_t> get_axis_name_idx(std::string_view name) const;

private:
  std::vector<int64_t> device_ids_;
  Shape mesh_shape_;
  std::vector<std::string> axis_names_;
};

struct HybridMeshOptions {
  Shape ici_mesh_shape;      ///< of each slice
  Shape dcn_mesh_shape = {}; ///< of the slices; ones if empty
  std::vector<std::string> axis_names = {};
};
/// A mesh over several slices: hosts, or XLAC_NUM_SLICES equal parts of the
/// job. Each dimension is the product of those of the two shapes; the slices
/// are its outer blocks. ValueError unless dcn_mesh_shape has as many places as
/// there are slices, and the shapes have equally many dimensions.
class XLAC_API HybridMesh : public Mesh {
public:
  explicit HybridMesh(HybridMeshOptions options);
};

/// All devices in a row.
XLAC_API Mesh get_1d_mesh(std::optional<std::string> axis_name = {});
/// The process's mesh.
XLAC_API void set_global_mesh(Mesh mesh);
XLAC_API std::optional<Mesh> get_global_mesh();

/// Of a sharding; Partial is tiled with several devices for each tile.
enum class ShardingType {
  Replicated = 0,
  Maximal = 1,
  Tuple = 2,
  Tiled = 3,
  Manual = 4,
  Partial = 5,
  Unknown = 6
};

//===- Sharded tensors ----------------------------------------------------===//

/// What one device holds of a tensor: a copy.
struct XLAC_API XLAShard {
  Tensor data; ///< cpu, padded with zeros to the shard's shape
  /// Where it lies in the whole, without padding; empty when every device has
  /// all of it.
  std::vector<Slice> indices;
  std::string shard_device; ///< "CPU:2"
  /// Which of the devices with the same shard; the device's own number where
  /// all have the whole.
  int64_t replica_id = 0;
  /// The part of `data` that is in the whole.
  Tensor unpadded_data() const;
};

/// An annotated tensor, for looking at its shards.
class XLAC_API XLAShardedTensor {
public:
  XLAShardedTensor(Tensor global_tensor, Shape mesh_shape)
      : global_(std::move(global_tensor)), mesh_shape_(std::move(mesh_shape)) {}
  const Tensor &global_tensor() const { return global_; }
  operator const Tensor &() const { return global_; }
  Shape mesh_shape() const { return mesh_shape_; }
  /// As get_sharding_spec().
  std::string sharding_spec() const;
  /// Unknown without an annotation.
  ShardingType sharding_type() const;
  /// Of the devices of this process, in their order. Runs what the tensor waits
  /// for.
  std::vector<XLAShard> local_shards() const;
  /// Writes what local_shards() gives into the tensor, each shard where its
  /// `shard_device` has it; their order does not matter. UserError for a tensor
  /// that is not cut, and unless each device of this process has one shard;
  /// ShapeError and DtypeError unless each has the padded shape and the dtype.
  void load_local_shards_(const std::vector<XLAShard> &shards);

private:
  Tensor global_;
  Shape mesh_shape_;
};

/// Annotates `t`, a tensor of xla:0 under SPMD, in place: it lies on `mesh` as
/// `spec` says, one entry a dimension, now if it is computed, and after each
/// write. Clones take the annotation along. Another annotation than it has is
/// refused, as UserError, unless that is replicated: clear_sharding() first.
/// ValueError as Mesh and PartitionSpec have it. There is no dynamo:
/// `use_dynamo_custom_op` makes no difference.
XLAC_API XLAShardedTensor mark_sharding(const Tensor &t, const Mesh &mesh,
                                        PartitionSpec spec,
                                        bool use_dynamo_custom_op = false);
/// A tensor like `t`, which stays as it is, that is annotated, and whose
/// gradient is too.
XLAC_API Tensor mark_sharding_with_gradients(const Tensor &t, const Mesh &mesh,
                                             PartitionSpec spec);
/// Takes the annotation away, after which every device has all of `t`; a cpu
/// copy of the whole.
XLAC_API Tensor clear_sharding(const Tensor &t);
/// "{devices=[4,1]0,1,2,3}", "{replicated}": how `t` is annotated, else how it
/// came out of its program where that has cut it; "" without either.
XLAC_API std::string get_sharding_spec(const Tensor &t);

/// How loaders and xm::send_cpu_data_to_device shard what they upload.
struct XLAC_API ShardingSpec {
  Mesh mesh;
  PartitionSpec partition_spec;
  /// Each process's batch is a part of the global one; its size must divide by
  /// the devices of the process.
  bool minibatch = false;
  /// The ranks agree.
  bool can_apply(const Tensor &t) const;
  /// mark_sharding().
  void apply(const Tensor &t) const;
};
/// The cpu tensor `t` as a tensor of xla:0 that lies as `spec` says; replicated
/// where the ranks differ. UserError for a minibatch that does not divide.
XLAC_API Tensor send_sharded(const Tensor &t, const ShardingSpec &spec);

//===- Looking at shardings -----------------------------------------------===//

struct VisualizeOptions {
  bool use_color = true; ///< a background for each device, by ANSI sequences
  double scale = 1.0;    ///< rows of text to a column's width
  int min_width = 9;     ///< of a cell, in characters
  int max_width = 80;    ///< of the table
};
/// A table of which devices hold which part of a tensor of rank 1 or 2, drawn
/// in proportion to its sizes: cells name devices, "CPU 0". ValueError for
/// other ranks, UserError without an annotation.
XLAC_API std::string visualize_tensor_sharding(const Tensor &t,
                                               VisualizeOptions options = {});
/// The same for HLO's text of a sharding that tiles one or two dimensions.
XLAC_API std::string visualize_sharding(std::string_view sharding,
                                        VisualizeOptions options = {});

} // namespace xlac::spmd

namespace xlac {
namespace xs = spmd;
}
