// Files of nested data. save() writes PyTorch's zip container, which torch.load
// reads. load() reads files of torch.save that contain these kinds of values.
// Named tensors can also be stored as safetensors and NumPy files.
#pragma once

#include "xlac/tree.h"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>

namespace xlac {

/// Writes `data`. All functions that write files here replace a regular file
/// atomically: they write a new file to the disk and rename it over the old
/// one. A failure leaves the old file unchanged. Permissions and symbolic links
/// are kept. Devices and pipes are written in place.
///
/// RuntimeError if writing fails. Tensors of xla devices keep their device; two
/// of them that share a view are a UserError. A tensor that occurs twice is
/// stored once and is one tensor after loading.
XLAC_API void save(const Value &data, const std::filesystem::path &path);
/// Writes the same bytes to a stream; errors are those of save() to a file.
XLAC_API void save(const Value &data, std::ostream &os);
template <class T> void save(const T &data, const std::filesystem::path &path) {
  save(to_value(data), path);
}
/// Writes the data in PyTorch's format, or as the function of a path does.
template <class T> void save(const T &data, std::ostream &os) {
  save(to_value(data), os);
}

/// Options of load().
struct LoadOptions {
  /// Device for cpu tensors. Ignored, with a warning, for tensors of xla
  /// devices.
  std::optional<Device> map_location = {};
  /// Only for load_npy and load_safetensors: maps the file instead of reading
  /// it. Aligned cpu tensors use the file's pages without a copy, so that only
  /// accessed pages are read. Writing to such a tensor never changes the file.
  ///
  /// The file must not be modified while a tensor lives. Changes to the file
  /// may show in the tensor, and access after truncation kills the process
  /// (SIGBUS). Replacing the file, as saving does, or removing it is safe.
  bool map = false;
};
/// Loads a file. Every tensor gets its own memory, even if several share one
/// storage in the file. Tensors of xla devices return to their device:
/// DeviceError if it does not exist. UserError for a file that is damaged or
/// contains anything but data.
XLAC_API Value load(const std::filesystem::path &path,
                    LoadOptions options = {});
/// Loads from a stream that can seek; errors are those of load() of a file.
XLAC_API Value load(std::istream &is, LoadOptions options = {});
/// Reads data of that type; errors as for a path.
template <class T>
T load(const std::filesystem::path &path, LoadOptions options = {}) {
  return from_value<T>(load(path, options));
}
/// Reads data of that type; errors as for a path.
template <class T> T load(std::istream &is, LoadOptions options = {}) {
  return from_value<T>(load(is, options));
}

//===- Safetensors --------------------------------------------------------===//

/// Writes tensors, and metadata texts, in the safetensors format; file handling
/// as in save(). The format does not support sharing: a tensor with two names
/// is written twice. DtypeError for complex128, ValueError for names that are
/// not UTF-8.
XLAC_API void
save_safetensors(const StateDict &tensors, const std::filesystem::path &path,
                 const std::map<std::string, std::string> &metadata = {});
/// Loads the tensors of a file in the order of its header, on the cpu or on
/// `map_location`. Each is a copy in its own memory unless `map` is set.
/// UserError for an invalid file, UnsupportedError for a dtype that xlac does
/// not have.
XLAC_API StateDict load_safetensors(const std::filesystem::path &path,
                                    LoadOptions options = {});
/// The metadata texts of a file; errors as in load_safetensors.
XLAC_API std::map<std::string, std::string>
safetensors_metadata(const std::filesystem::path &path);

//===- NumPy --------------------------------------------------------------===//

/// Writes a .npy file; file handling as in save(). DtypeError for bfloat16,
/// which NumPy does not have.
XLAC_API void save_npy(const Tensor &tensor, const std::filesystem::path &path);
/// Loads the array of a .npy file, of any byte order and row- or column-major,
/// on the cpu or on `map_location`. It is a copy unless `map` is set. UserError
/// for a damaged file and for arrays of records, texts or Python objects.
XLAC_API Tensor load_npy(const std::filesystem::path &path,
                         LoadOptions options = {});
/// Same as numpy.savez, or numpy.savez_compressed, with the names as keywords.
XLAC_API void save_npz(const StateDict &arrays,
                       const std::filesystem::path &path,
                       bool compressed = false);
/// Loads the arrays of a .npz file in file order; errors as in load_npy.
XLAC_API StateDict load_npz(const std::filesystem::path &path,
                            LoadOptions options = {});

//===- Checks -------------------------------------------------------------===//

/// UserError if two xla tensors of `data` share a view.
XLAC_API void check_view_sharing(const Value &data);

/// torch_xla.utils.serialization: holds one tensor in host memory at a time.
/// `path` contains the structure, path + ".tensors/tensor_<i>.pt" the tensors.
///
/// Saving over a checkpoint is atomic. The new tensors get unused numbers and
/// are written to the disk first. One rename then replaces the structure, and
/// the old tensors are removed. After a kill or a power failure, `path` refers
/// to complete tensors: the old ones or the new ones. The next save removes
/// files that an interrupted save left behind.
///
/// A load that runs during a save may fail with RuntimeError because its
/// tensors were removed; the next load succeeds. Concurrent saves to one path
/// wait for one another.
namespace serialization {

/// Selects the replicas that write: the master of each host, or the master of
/// the job with `global_master`. Without `master_only`, all replicas write.
struct SaveOptions {
  bool master_only = true;    ///< only the master writes
  bool global_master = false; ///< one master of the job, not one of each host
};
/// Writes `data` on the replicas that `options` select; the others only compute
/// its tensors. RuntimeError if writing fails.
XLAC_API void save(const Value &data, const std::filesystem::path &path,
                   SaveOptions options = {});
/// Writes the data in PyTorch's format, or as the function of a path does.
template <class T>
void save(const T &data, const std::filesystem::path &path,
          SaveOptions options = {}) {
  save(to_value(data), path, options);
}
/// Loads all tensors to the cpu. RuntimeError names a tensor file that is
/// missing.
XLAC_API Value load(const std::filesystem::path &path);
/// Reads data of that type; errors as for a path.
template <class T> T load(const std::filesystem::path &path) {
  return from_value<T>(load(path));
}

} // namespace serialization
namespace xser = serialization;

namespace xla_model {

/// Same as serialization::SaveOptions. `sync` waits until the file is written.
struct SaveOptions {
  bool master_only = true;    ///< only the master writes
  bool global_master = false; ///< one master of the job, not one of each host
  bool sync = false;          ///< waits until the file is written
};
/// Computes all tensors in one execution and writes them as independent cpu
/// tensors.
XLAC_API void save(const Value &data, const std::filesystem::path &path,
                   SaveOptions options = {});
/// Writes the same bytes to a stream, on the replicas that `options` select.
XLAC_API void save(const Value &data, std::ostream &os,
                   SaveOptions options = {});
/// Writes the data in PyTorch's format, or as the function of a path does.
template <class T>
void save(const T &data, const std::filesystem::path &path,
          SaveOptions options = {}) {
  save(to_value(data), path, options);
}
/// Writes the data in PyTorch's format, or as the function of a path does.
template <class T>
void save(const T &data, std::ostream &os, SaveOptions options = {}) {
  save(to_value(data), os, options);
}

} // namespace xla_model
} // namespace xlac
