// xser: structure and tensors in files of their own, so that one tensor at a
// time is in host memory.
#include "files.h"
#include "pickle.h"

#include "xlac/support/read_file.h"

#include <unistd.h>

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

namespace {

/// A folder beside the one that it is to replace; what is there stays as it is
/// until then.
class NewFolder {
public:
  explicit NewFolder(std::filesystem::path place)
      : place_(std::move(place)), path_(place_) {
    path_ += "." + std::to_string(getpid()) + ".tmp";
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    std::filesystem::create_directory(path_, error);
    check(error);
  }
  NewFolder(const NewFolder &) = delete;
  NewFolder &operator=(const NewFolder &) = delete;
  ~NewFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path &path() const { return path_; }

  void take_place() {
    std::error_code error;
    std::filesystem::remove_all(place_, error);
    if (!error)
      std::filesystem::rename(path_, place_, error);
    check(error);
  }

private:
  void check(const std::error_code &error) const {
    if (error)
      raise<RuntimeError>(place_.string() + ": " + error.message());
  }
  std::filesystem::path place_, path_;
};

} // namespace

void save(const Value &data, const std::filesystem::path &path,
          SaveOptions options) {
  XLAC_CALL("save");
  Computed computed(data);
  if (options.master_only && !lazy::is_master_replica(options.global_master))
    return;
  NewFolder folder(folder_of(path));
  int64_t count = 0;
  PickleOptions pickle;
  pickle.by_number = true;
  pickle.store = [&](const Tensor &tensor) {
    int64_t number = count++;
    write_atomically(folder.path() / file_name(number), [&](std::ostream &os) {
      write_container(tensor, computed, os, /*as_cpu=*/true);
    });
    return StorageName{std::to_string(number), {}};
  };
  std::string structure = write_pickle(data, pickle);
  folder.take_place();
  write_atomically(path, [&](std::ostream &os) { os << structure; });
}

Value load(const std::filesystem::path &path) {
  XLAC_CALL("load");
  Result<std::string> structure = read_file(path.string());
  if (!structure)
    raise<RuntimeError>(structure.error().message);
  if (structure->empty())
    raise<RuntimeError>(path.string() + ": cannot be read");
  UnpickleOptions unpickle;
  unpickle.load = [](const TensorRecord &) -> Tensor {
    raise<UserError>("the file has tensors of its own: xser::save did not "
                     "write it");
  };
  unpickle.load_number = [&](int64_t number) {
    return xlac::load(folder_of(path) / file_name(number)).to<Tensor>();
  };
  return read_pickle(*structure, unpickle);
}

} // namespace xlac::serialization
