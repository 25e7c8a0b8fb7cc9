// Meshes of devices with named axes.
#include "xlac/spmd.h"

#include "xlac/lazy/partitions.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/support/fork.h"
#include "xlac/support/settings.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

namespace xlac::spmd {

using namespace frontend;

namespace {

int64_t product(const Shape &sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t{1},
                         std::multiplies<>());
}

std::vector<int64_t> all_devices() {
  std::vector<int64_t> ids(lazy::devices_of_job());
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

void check_ids(const std::vector<int64_t> &ids, const Shape &mesh_shape) {
  for (int64_t size : mesh_shape)
    if (size < 1)
      raise<ValueError>("mesh_shape is " + to_text(mesh_shape) +
                        ", wanted positive sizes");
  if (static_cast<int64_t>(ids.size()) != product(mesh_shape))
    raise<ValueError>("Number of device IDs (" + std::to_string(ids.size()) +
                      ") must match mesh size (" +
                      std::to_string(product(mesh_shape)) + ")");
  if (std::set<int64_t>(ids.begin(), ids.end()).size() != ids.size())
    raise<ValueError>("Device IDs must be unique");
  auto count = static_cast<int64_t>(lazy::devices_of_job());
  if (static_cast<int64_t>(ids.size()) != count)
    raise<ValueError>("Number of device IDs (" + std::to_string(ids.size()) +
                      ") must match the global number of devices (" +
                      std::to_string(count) + ")");
  for (int64_t id : ids)
    if (id < 0 || id >= count)
      raise<ValueError>("Device ID " + std::to_string(id) +
                        " is out of range, there are " + std::to_string(count) +
                        " devices");
}

void check_names(const std::vector<std::string> &names,
                 const Shape &mesh_shape) {
  if (names.empty())
    return;
  if (names.size() != mesh_shape.size())
    raise<ValueError>("Number of axis names (" + std::to_string(names.size()) +
                      ") must match mesh dimensions (" +
                      std::to_string(mesh_shape.size()) + ")");
  if (std::set<std::string>(names.begin(), names.end()).size() != names.size())
    raise<ValueError>("Axis names must be unique");
}

int64_t slice_count() {
  auto count = lazy::checked_setting(read_integer(SettingId::NumSlices));
  if (!count)
    count = lazy::checked_setting(read_integer(SettingId::NumHosts));
  return count.value_or(1);
}

/// Returns the shape of the whole mesh. Throws unless both shapes fit the job.
Shape hybrid_shape(const Shape &ici, const Shape &dcn) {
  if (ici.size() != dcn.size())
    raise<ValueError>("ici_mesh_shape " + to_text(ici) +
                      " and dcn_mesh_shape " + to_text(dcn) +
                      " must have the same number of dimensions");
  int64_t slices = slice_count();
  if (slices == 1 && product(dcn) != 1)
    raise<ValueError>("Invalid dcn_mesh_shape for single slice mesh");
  if (product(dcn) != slices)
    raise<ValueError>("Provide dcn_mesh_shape to create a mesh for multislice: "
                      "its size (" +
                      std::to_string(product(dcn)) +
                      ") must match the number of slices (" +
                      std::to_string(slices) + ")");
  Shape whole(ici.size());
  for (size_t i = 0; i < whole.size(); ++i)
    whole[i] = ici[i] * dcn[i];
  return whole;
}

/// Returns the device at each position: slices are the outer blocks, and the
/// devices of one slice fill its block in C order.
std::vector<int64_t> hybrid_ids(const Shape &ici, const Shape &dcn,
                                const Shape &whole) {
  std::vector<int64_t> ids;
  Shape place(whole.size(), 0);
  for (int64_t n = product(whole); n > 0; --n) {
    int64_t slice = 0, inside = 0;
    for (size_t i = 0; i < whole.size(); ++i) {
      slice = slice * dcn[i] + place[i] / ici[i];
      inside = inside * ici[i] + place[i] % ici[i];
    }
    ids.push_back(slice * product(ici) + inside);
    for (size_t i = whole.size(); i-- > 0;) {
      if (++place[i] < whole[i])
        break;
      place[i] = 0;
    }
  }
  return ids;
}

Mesh hybrid_mesh(HybridMeshOptions options) {
  XLAC_CALL("HybridMesh");
  if (options.dcn_mesh_shape.empty())
    options.dcn_mesh_shape.assign(options.ici_mesh_shape.size(), 1);
  Shape whole = hybrid_shape(options.ici_mesh_shape, options.dcn_mesh_shape);
  return Mesh(hybrid_ids(options.ici_mesh_shape, options.dcn_mesh_shape, whole),
              whole, std::move(options.axis_names));
}

ForkMutex &global_mutex() {
  static ForkMutex mutex;
  return mutex;
}

std::optional<Mesh> &global_mesh() {
  static auto *mesh = new std::optional<Mesh>; // outlives static destructors
  return *mesh;
}

} // namespace

Mesh::Mesh(std::vector<int64_t> device_ids, Shape mesh_shape,
           std::vector<std::string> axis_names)
    : device_ids_(std::move(device_ids)), mesh_shape_(std::move(mesh_shape)),
      axis_names_(std::move(axis_names)) {
  XLAC_CALL("Mesh");
  check_names(axis_names_, mesh_shape_);
  check_ids(device_ids_, mesh_shape_);
}

std::vector<std::pair<std::string, int64_t>> Mesh::shape() const {
  std::vector<std::pair<std::string, int64_t>> axes;
  for (size_t i = 0; i < mesh_shape_.size(); ++i)
    axes.emplace_back(axis_names_.empty() ? std::to_string(i) : axis_names_[i],
                      mesh_shape_[i]);
  return axes;
}

Tensor Mesh::get_logical_mesh() const {
  XLAC_CALL("get_logical_mesh");
  return from_data(device_ids_.data(), mesh_shape_, Device(kCPU));
}

std::optional<int64_t> Mesh::get_axis_name_idx(std::string_view name) const {
  auto found = std::find(axis_names_.begin(), axis_names_.end(), name);
  if (found == axis_names_.end())
    return std::nullopt;
  return found - axis_names_.begin();
}

HybridMesh::HybridMesh(HybridMeshOptions options)
    : Mesh(hybrid_mesh(std::move(options))) {}

Mesh get_1d_mesh(std::optional<std::string> axis_name) {
  XLAC_CALL("get_1d_mesh");
  std::vector<int64_t> ids = all_devices();
  Shape mesh_shape{static_cast<int64_t>(ids.size())};
  std::vector<std::string> names;
  if (axis_name)
    names.push_back(std::move(*axis_name));
  return Mesh(std::move(ids), std::move(mesh_shape), std::move(names));
}

void set_global_mesh(Mesh mesh) {
  std::lock_guard lock(global_mutex());
  global_mesh() = std::move(mesh);
}

std::optional<Mesh> get_global_mesh() {
  std::lock_guard lock(global_mutex());
  return global_mesh();
}

} // namespace xlac::spmd
