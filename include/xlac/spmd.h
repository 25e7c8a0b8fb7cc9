// torch_xla.distributed.spmd: one program over all devices of a mesh. Meshes
// and specs are plain data; functions on tensors require xr::use_spmd() first.
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
  /// The axis at that position or of that name.
  AxisRef(int position) : v_(int64_t{position}) {}
  /// The axis at that position or of that name.
  AxisRef(int64_t position) : v_(position) {}
  /// The axis at that position or of that name.
  AxisRef(const char *name) : v_(std::string(name)) {}
  /// The axis at that position or of that name.
  AxisRef(std::string name) : v_(std::move(name)) {}
  /// The position of the axis in `mesh`; ValueError if the mesh has no such
  /// axis.
  int64_t position(const Mesh &mesh) const;

private:
  std::variant<int64_t, std::string> v_;
};

/// Sharding of one dimension of a tensor: None (not sharded), over one mesh
/// axis, or over several axes, major axis first.
class XLAC_API SpecEntry {
public:
  /// Not sharded, or sharded over these axes.
  SpecEntry(None_t) {}
  /// Not sharded, or sharded over these axes.
  SpecEntry(int axis) : axes_{axis} {}
  /// Not sharded, or sharded over these axes.
  SpecEntry(int64_t axis) : axes_{axis} {}
  /// Not sharded, or sharded over these axes.
  SpecEntry(const char *axis) : axes_{axis} {}
  /// Not sharded, or sharded over these axes.
  SpecEntry(std::string axis) : axes_{std::move(axis)} {}
  /// Not sharded, or sharded over these axes.
  SpecEntry(std::initializer_list<AxisRef> axes) : axes_(axes) {}
  /// The axes, major axis first.
  const std::vector<AxisRef> &axes() const { return axes_; }

private:
  std::vector<AxisRef> axes_;
};

/// One entry per dimension of a tensor: {"data", None}, {{"x", "y"}, None}.
class XLAC_API PartitionSpec {
public:
  /// One entry per dimension.
  PartitionSpec(std::initializer_list<SpecEntry> entries) : entries_(entries) {}
  /// One entry per dimension.
  explicit PartitionSpec(std::vector<SpecEntry> entries)
      : entries_(std::move(entries)) {}
  /// The number of dimensions.
  size_t size() const { return entries_.size(); }
  /// The entry of each dimension.
  const std::vector<SpecEntry> &entries() const { return entries_; }

private:
  std::vector<SpecEntry> entries_;
};

//===- Meshes -------------------------------------------------------------===//

/// A grid of all devices of the job, whose axes may have names.
class XLAC_API Mesh {
public:
  /// `device_ids` fill the grid in row-major order. ValueError unless they are
  /// all devices of the job, each once, and `mesh_shape` has as many elements.
  /// ValueError unless `axis_names` is empty or has one distinct name per
  /// dimension.
  Mesh(std::vector<int64_t> device_ids, Shape mesh_shape,
       std::vector<std::string> axis_names = {});
  /// The devices in row-major order.
  const std::vector<int64_t> &device_ids() const { return device_ids_; }
  /// The sizes of the axes.
  const Shape &mesh_shape() const { return mesh_shape_; }
  /// The names of the axes; empty if they have none.
  const std::vector<std::string> &axis_names() const { return axis_names_; }
  /// Number of devices.
  int64_t size() const { return static_cast<int64_t>(device_ids_.size()); }
  /// Names and sizes of the axes in order; unnamed axes are "0", "1", …
  std::vector<std::pair<std::string, int64_t>> shape() const;
  /// The ids as an i64 tensor of shape mesh_shape() on the cpu.
  Tensor get_logical_mesh() const;
  /// The position of the axis with that name; empty if there is none.
  std::optional<int64_t> get_axis_name_idx(std::string_view name) const;

private:
  std::vector<int64_t> device_ids_;
  Shape mesh_shape_;
  std::vector<std::string> axis_names_;
};

/// Options of HybridMesh.
struct HybridMeshOptions {
  Shape ici_mesh_shape;      ///< within a slice
  Shape dcn_mesh_shape = {}; ///< across slices; all ones if empty
  std::vector<std::string> axis_names = {}; ///< one per dimension, or none
};
/// A mesh over several slices: hosts, or XLAC_NUM_SLICES equal parts of the
/// job. Each dimension is the product of the two shapes' dimensions, with the
/// slices as outer blocks. ValueError unless the product of dcn_mesh_shape is
/// the number of slices and both shapes have the same rank.
class XLAC_API HybridMesh : public Mesh {
public:
  /// Throws as Mesh does.
  explicit HybridMesh(HybridMeshOptions options);
};

/// A mesh of all devices with one axis.
XLAC_API Mesh get_1d_mesh(std::optional<std::string> axis_name = {});
/// Sets the mesh of the process.
XLAC_API void set_global_mesh(Mesh mesh);
/// The mesh of the process; empty if it is not set.
XLAC_API std::optional<Mesh> get_global_mesh();

/// Kind of a sharding. Partial is tiled with several devices per tile.
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

/// A copy of one device's shard of a tensor.
struct XLAC_API XLAShard {
  Tensor data; ///< on the cpu, padded with zeros to the shard's shape
  /// Position of the shard in the global tensor, without padding; empty if the
  /// tensor is replicated.
  std::vector<Slice> indices;
  std::string shard_device; ///< "CPU:2"
  /// Index among the devices with the same shard; the device's ordinal if the
  /// tensor is replicated.
  int64_t replica_id = 0;
  /// `data` without padding.
  Tensor unpadded_data() const;
};

/// An annotated tensor, for access to its shards.
class XLAC_API XLAShardedTensor {
public:
  /// A tensor with a sharding over a mesh of that shape.
  XLAShardedTensor(Tensor global_tensor, Shape mesh_shape)
      : global_(std::move(global_tensor)), mesh_shape_(std::move(mesh_shape)) {}
  /// The tensor as a whole.
  const Tensor &global_tensor() const { return global_; }
  /// The tensor as a whole.
  operator const Tensor &() const { return global_; }
  /// The sizes of the axes of the mesh.
  Shape mesh_shape() const { return mesh_shape_; }
  /// Same as get_sharding_spec().
  std::string sharding_spec() const;
  /// Unknown if the tensor has no annotation.
  ShardingType sharding_type() const;
  /// Shards of the devices of this process, in device order. Executes the
  /// tensor's pending graph.
  std::vector<XLAShard> local_shards() const;
  /// Writes shards in the form of local_shards() into the tensor.
  /// `shard_device` selects the device of each; their order does not matter.
  /// UserError if the tensor is not tiled, or unless each device of this
  /// process has one shard. ShapeError or DtypeError unless each has the padded
  /// shape and the dtype.
  void load_local_shards_(const std::vector<XLAShard> &shards);

private:
  Tensor global_;
  Shape mesh_shape_;
};

/// Annotates `t`, a tensor of xla:0 under SPMD, in place with the sharding
/// `spec` on `mesh`, one entry per dimension. The sharding applies at once if
/// `t` is computed, and after each write. Clones inherit the annotation.
///
/// UserError if `t` has a different annotation that is not replicated; call
/// clear_sharding() first. ValueError as for Mesh and PartitionSpec.
/// `use_dynamo_custom_op` has no effect.
XLAC_API XLAShardedTensor mark_sharding(const Tensor &t, const Mesh &mesh,
                                        PartitionSpec spec,
                                        bool use_dynamo_custom_op = false);
/// Returns a tensor equal to `t` that is annotated, and whose gradient is
/// annotated too. `t` does not change.
XLAC_API Tensor mark_sharding_with_gradients(const Tensor &t, const Mesh &mesh,
                                             PartitionSpec spec);
/// Removes the annotation, which replicates `t`. Returns a cpu copy of the
/// global tensor.
XLAC_API Tensor clear_sharding(const Tensor &t);
/// "{devices=[4,1]0,1,2,3}", "{replicated}": the annotation of `t`, or the
/// sharding that its program gave it; "" without either.
XLAC_API std::string get_sharding_spec(const Tensor &t);

/// The sharding of uploads by loaders and xm::send_cpu_data_to_device.
struct XLAC_API ShardingSpec {
  /// The mesh.
  Mesh mesh;
  /// An entry per dimension.
  PartitionSpec partition_spec;
  /// Each process's batch is a shard of the global batch. Its size must be a
  /// multiple of the process's device count.
  bool minibatch = false;
  /// Whether `t` has the rank of the spec.
  bool can_apply(const Tensor &t) const;
  /// Annotates `t`, as mark_sharding().
  void apply(const Tensor &t) const;
};
/// Uploads the cpu tensor `t` to xla:0 with the sharding `spec`, replicated if
/// the ranks differ. UserError for a minibatch whose size is not a multiple of
/// the process's device count.
XLAC_API Tensor send_sharded(const Tensor &t, const ShardingSpec &spec);

//===- Visualization of shardings -----------------------------------------===//

/// Options of the pictures of shardings.
struct VisualizeOptions {
  bool use_color = true; ///< device colours, by ANSI sequences
  double scale = 1.0;    ///< rows of text per column width
  int min_width = 9;     ///< of a cell, in characters
  int max_width = 80;    ///< of the table, in characters
};
/// A table of the devices that hold each shard of a tensor of rank 1 or 2,
/// drawn in proportion to its sizes. Cells name devices: "CPU 0". ValueError
/// for other ranks, UserError without an annotation.
XLAC_API std::string visualize_tensor_sharding(const Tensor &t,
                                               VisualizeOptions options = {});
/// The same for the HLO text of a sharding that tiles one or two dimensions.
XLAC_API std::string visualize_sharding(std::string_view sharding,
                                        VisualizeOptions options = {});

} // namespace xlac::spmd

namespace xlac {
namespace xs = spmd;
}
