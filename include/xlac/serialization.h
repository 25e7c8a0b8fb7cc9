// Files of nested data. save() writes PyTorch's zip container, which torch.load
// reads, and load() reads what torch.save wrote of these kinds of values. Named
// tensors alone also go to and from safetensors and NumPy's files.
#pragma once

#include "xlac/tree.h"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>

namespace xlac {

/// Writes `data`. Here and below a plain file appears with its whole content,
/// on the disk, or stays as it was: a new file is renamed over it, which keeps
/// its permissions and the symbolic links that lead to it. Devices and pipes
/// take the bytes in place. RuntimeError where that fails. Tensors of xla
/// devices keep their device; UserError for two that share a view. A tensor
/// that occurs twice is stored once and is one after loading.
XLAC_API void save(const Value &data, const std::filesystem::path &path);
XLAC_API void save(const Value &data, std::ostream &os);
template <class T> void save(const T &data, const std::filesystem::path &path) {
  save(to_value(data), path);
}
template <class T> void save(const T &data, std::ostream &os) {
  save(to_value(data), os);
}

struct LoadOptions {
  /// Where cpu tensors go; ignored, with a warning, for tensors of xla devices.
  std::optional<Device> map_location = {};
  /// load_npy and load_safetensors alone: cpu tensors show the file's own
  /// pages, without a copy where they are aligned, so that only what is used is
  /// read. Writing to such a tensor never changes the file. The risk: while a
  /// tensor lives, the file must not change. What is written to it may show
  /// in the tensor, and where it is cut short, access ends the process
  /// (SIGBUS). To replace the file, as saving does, or to remove it is fine.
  bool map = false;
};
/// Every tensor has memory of its own, also where the file has one storage for
/// several. Tensors of xla devices return to theirs: DeviceError when it is not
/// there. UserError for a file that is damaged or asks for anything but data.
XLAC_API Value load(const std::filesystem::path &path,
                    LoadOptions options = {});
XLAC_API Value load(std::istream &is, LoadOptions options = {});
template <class T>
T load(const std::filesystem::path &path, LoadOptions options = {}) {
  return from_value<T>(load(path, options));
}
template <class T> T load(std::istream &is, LoadOptions options = {}) {
  return from_value<T>(load(is, options));
}

//===- Safetensors --------------------------------------------------------===//

/// Writes tensors, and texts beside them, as the safetensors library reads
/// them; files as save() says. The format knows
/// no sharing: a tensor under two names is written twice. DtypeError for
/// complex128, ValueError for names that are not UTF-8.
XLAC_API void
save_safetensors(const StateDict &tensors, const std::filesystem::path &path,
                 const std::map<std::string, std::string> &metadata = {});
/// The tensors of a file, in its header's order, on the cpu or on
/// `map_location`, each a copy in memory of its own unless `map` is set.
/// UserError for a file that breaks any rule of the format, UnsupportedError
/// for a dtype that tensors do not have.
XLAC_API StateDict load_safetensors(const std::filesystem::path &path,
                                    LoadOptions options = {});
/// The texts beside a file's tensors; errors as of load_safetensors.
XLAC_API std::map<std::string, std::string>
safetensors_metadata(const std::filesystem::path &path);

//===- NumPy --------------------------------------------------------------===//

/// Writes what numpy.load reads; files as save() says. DtypeError for a dtype
/// that NumPy does not have: bfloat16.
XLAC_API void save_npy(const Tensor &tensor, const std::filesystem::path &path);
/// The array of a .npy file of any byte order, row- or column-major, on the cpu
/// or on `map_location`: a copy unless `map` is set. UserError for a damaged
/// file and for one of records, texts or Python objects.
XLAC_API Tensor load_npy(const std::filesystem::path &path,
                         LoadOptions options = {});
/// As numpy.savez, or numpy.savez_compressed, with the names as keywords.
XLAC_API void save_npz(const StateDict &arrays,
                       const std::filesystem::path &path,
                       bool compressed = false);
/// The arrays of a .npz file in its order; errors as of load_npy.
XLAC_API StateDict load_npz(const std::filesystem::path &path,
                            LoadOptions options = {});

//===- Checks -------------------------------------------------------------===//

/// UserError where two xla tensors of `data` share a view.
XLAC_API void check_view_sharing(const Value &data);

/// torch_xla.utils.serialization: one tensor in host memory at a time. `path`
/// holds the structure, path + ".tensors/tensor_<i>.pt" the tensors.
///
/// Saving over a checkpoint never loses it. The new tensors get numbers that
/// the old ones do not have, and are on the disk before one rename puts the new
/// structure in the place of the old; then the old tensors are removed. At
/// every moment, also after a kill or a power cut, `path` names tensors that
/// are all there: the old ones or the new. What a killed save leaves in the
/// folder is removed by the next. A load that runs beside a save may find its
/// tensors gone (RuntimeError); the next load succeeds. Several saves to one
/// path wait for one another.
namespace serialization {

/// Who writes: the master of each host, or with `global_master` the job's; with
/// `master_only` off everybody.
struct SaveOptions {
  bool master_only = true;
  bool global_master = false;
};
XLAC_API void save(const Value &data, const std::filesystem::path &path,
                   SaveOptions options = {});
template <class T>
void save(const T &data, const std::filesystem::path &path,
          SaveOptions options = {}) {
  save(to_value(data), path, options);
}
/// Tensors are on the cpu. RuntimeError naming a tensor's file that is missing.
XLAC_API Value load(const std::filesystem::path &path);
template <class T> T load(const std::filesystem::path &path) {
  return from_value<T>(load(path));
}

} // namespace serialization
namespace xser = serialization;

namespace xla_model {

/// As serialization::SaveOptions; `sync` waits until the file is there.
struct SaveOptions {
  bool master_only = true;
  bool global_master = false;
  bool sync = false;
};
/// Computes all tensors in one execution and writes them as cpu tensors, each
/// independent of the others.
XLAC_API void save(const Value &data, const std::filesystem::path &path,
                   SaveOptions options = {});
XLAC_API void save(const Value &data, std::ostream &os,
                   SaveOptions options = {});
template <class T>
void save(const T &data, const std::filesystem::path &path,
          SaveOptions options = {}) {
  save(to_value(data), path, options);
}
template <class T>
void save(const T &data, std::ostream &os, SaveOptions options = {}) {
  save(to_value(data), os, options);
}

} // namespace xla_model
} // namespace xlac
