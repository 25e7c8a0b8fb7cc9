#include "files.h"
#include "pickle.h"
#include "zip_file.h"

#include "xlac/tensor/access.h"

#include <atomic>
#include <fstream>
#include <set>
#include <unistd.h>

namespace xlac::serialize {

using lazy::raise;

void write_atomically(const std::filesystem::path &path,
                      const std::function<void(std::ostream &)> &write) {
  static std::atomic<int> number{0};
  std::filesystem::path temporary = path;
  temporary +=
      "." + std::to_string(getpid()) + "." + std::to_string(number++) + ".tmp";
  std::error_code error;
  try {
    std::ofstream file(temporary, std::ios::binary);
    if (!file)
      raise<RuntimeError>(path.string() + ": cannot be written");
    write(file);
    file.close();
    if (!file)
      raise<RuntimeError>(path.string() + ": cannot be written");
    std::filesystem::rename(temporary, path, error);
    if (error)
      raise<RuntimeError>(path.string() + ": " + error.message());
  } catch (...) {
    std::filesystem::remove(temporary, error);
    throw;
  }
}

/// The tensor's elements, row-major.
static std::string elements_of(const Tensor &tensor) {
  std::string bytes(tensor.nbytes(), '\0');
  xlac::detail::read_elements(tensor, tensor.dtype(), bytes.data());
  return bytes;
}

void write_container(const Value &data, std::ostream &os) {
  // The pickle comes first in the file and is known last, so that the tensors
  // are listed before they are written.
  std::vector<Tensor> tensors;
  PickleOptions options;
  options.store = [&](const Tensor &tensor) {
    tensors.push_back(tensor);
    return StorageName{std::to_string(tensors.size() - 1),
                       tensor.device().str()};
  };
  std::string pickle = write_pickle(data, options);
  ZipWriter zip(os);
  auto add = [&](const std::string &name, const std::string &bytes) {
    zip.add("archive/" + name, bytes.data(), bytes.size());
  };
  add("data.pkl", pickle);
  add("byteorder", "little");
  for (size_t i = 0; i < tensors.size(); ++i)
    add("data/" + std::to_string(i), elements_of(tensors[i]));
  add("version", "3\n");
  zip.finish();
  if (!os)
    raise<RuntimeError>("the stream cannot be written");
}

void compute_all(const Value &data) {
  std::set<int> devices;
  for_each_tensor(data, [&](const Tensor &tensor) {
    if (tensor.is_xla())
      devices.insert(tensor.device().index);
  });
  for (int device : devices)
    lazy::sync(device, /*wait=*/false);
}

} // namespace xlac::serialize

namespace xlac {

using namespace serialize;

void check_view_sharing(const Value &data) {
  std::map<const lazy::Storage *, int64_t> seen;
  for_each_tensor(data, [&](const Tensor &tensor) {
    if (!tensor.is_xla())
      return;
    const lazy::Storage *storage = front::impl_of(tensor).storage.get();
    auto [place, added] = seen.emplace(storage, tensor.id());
    if (!added)
      raise<UserError>("Tensor ID " + std::to_string(tensor.id()) +
                       " is sharing a view with tensor ID " +
                       std::to_string(place->second));
  });
}

void save(const Value &data, std::ostream &os) {
  XLAC_CALL("save");
  check_view_sharing(data);
  compute_all(data);
  write_container(data, os);
}

void save(const Value &data, const std::filesystem::path &path) {
  XLAC_CALL("save");
  check_view_sharing(data);
  compute_all(data);
  write_atomically(path, [&](std::ostream &os) { write_container(data, os); });
}

namespace xla_model {

/// Whether this replica writes. All tensors are computed either way.
static bool prepare(const Value &data, const SaveOptions &options) {
  compute_all(data);
  return !options.master_only || lazy::is_master_replica();
}

static Value on_cpu(const Value &data) {
  return map_tensors(data, [](const Tensor &tensor) { return tensor.cpu(); });
}

void save(const Value &data, const std::filesystem::path &path,
          SaveOptions options) {
  XLAC_CALL("save");
  if (prepare(data, options))
    write_atomically(
        path, [&](std::ostream &os) { write_container(on_cpu(data), os); });
}

void save(const Value &data, std::ostream &os, SaveOptions options) {
  XLAC_CALL("save");
  if (prepare(data, options))
    write_container(on_cpu(data), os);
}

} // namespace xla_model
} // namespace xlac
