// xser: structure and tensors in files of their own, so that one tensor at a
// time is in host memory.
#include "files.h"
#include "pickle.h"

#include <fstream>

namespace xlac::serialization {

using lazy::raise;
using namespace serialize;

static std::filesystem::path folder_of(const std::filesystem::path &path) {
  std::filesystem::path folder = path;
  folder += ".tensors";
  return folder;
}

static std::string file_name(int64_t number) {
  return "tensor_" + std::to_string(number) + ".pt";
}

void save(const Value &data, const std::filesystem::path &path,
          SaveOptions options) {
  XLAC_CALL("save");
  Computed computed(data);
  if (options.master_only && !lazy::is_master_replica())
    return;
  std::filesystem::path folder = folder_of(path);
  std::error_code error;
  std::filesystem::remove_all(folder, error);
  if (!error)
    std::filesystem::create_directory(folder, error);
  if (error)
    raise<RuntimeError>(folder.string() + ": " + error.message());
  int64_t count = 0;
  PickleOptions pickle;
  pickle.by_number = true;
  pickle.store = [&](const Tensor &tensor) {
    int64_t number = count++;
    write_atomically(folder / file_name(number), [&](std::ostream &os) {
      write_container(tensor, computed, os, /*as_cpu=*/true);
    });
    return StorageName{std::to_string(number), {}};
  };
  std::string structure = write_pickle(data, pickle);
  write_atomically(path, [&](std::ostream &os) { os << structure; });
}

Value load(const std::filesystem::path &path) {
  XLAC_CALL("load");
  std::ifstream file(path, std::ios::binary);
  std::string structure(std::istreambuf_iterator<char>(file), {});
  if (!file || structure.empty())
    raise<RuntimeError>(path.string() + ": cannot be read");
  UnpickleOptions unpickle;
  unpickle.load = [](const TensorRecord &) -> Tensor {
    raise<UserError>("the file has tensors of its own: xser::save did not "
                     "write it");
  };
  unpickle.load_number = [&](int64_t number) {
    return xlac::load(folder_of(path) / file_name(number)).to<Tensor>();
  };
  return read_pickle(structure, unpickle);
}

} // namespace xlac::serialization
