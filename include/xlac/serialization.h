// Files of nested data. save() writes PyTorch's zip container, which torch.load
// reads, and load() reads what torch.save wrote of these kinds of values.
#pragma once

#include "xlac/tree.h"

#include <filesystem>
#include <iosfwd>

namespace xlac {

/// Writes `data`; a path appears with its whole content or not at all. Tensors
/// of xla devices keep their device; UserError for two that share a view. A
/// tensor that occurs twice is stored once and is one after loading.
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

/// UserError where two xla tensors of `data` share a view.
XLAC_API void check_view_sharing(const Value &data);

/// torch_xla.utils.serialization: one tensor in host memory at a time. `path`
/// holds the structure, path + ".tensors/tensor_<i>.pt" the tensors; a folder
/// that is there already is replaced.
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
