// xser: structure and tensors in separate files, so that host memory holds one
// tensor at a time.
#include "files.h"
#include "pickle.h"

#include "xlac/lazy/replication.h"
#include "xlac/support/read_file.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <dirent.h>
#include <fcntl.h>
#include <limits>
#include <memory>
#include <optional>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace xlac::serialization {

using namespace serialize;

static std::filesystem::path folder_of(const std::filesystem::path &path) {
  std::filesystem::path folder = path;
  folder += ".tensors";
  return folder;
}

static std::string file_name(int64_t number) {
  return "tensor_" + std::to_string(number) + ".pt";
}

/// Returns the number in a tensor's file name; nothing for other names.
static std::optional<int64_t> number_of(const std::string &name) {
  constexpr std::string_view kBefore = "tensor_", kAfter = ".pt";
  if (!name.starts_with(kBefore) || !name.ends_with(kAfter) ||
      name.size() <= kBefore.size() + kAfter.size())
    return std::nullopt;
  const char *end = name.data() + name.size() - kAfter.size();
  int64_t number = 0;
  auto parsed = std::from_chars(name.data() + kBefore.size(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number < 0)
    return std::nullopt;
  return number;
}

namespace {

/// The folder of a checkpoint's tensors. New files are written while those of
/// the old checkpoint exist. Without commit() the new files are removed.
class TensorFolder {
public:
  explicit TensorFolder(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code error;
    is_new_ = std::filesystem::create_directory(path_, error);
    check(error);
    handle_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (handle_ < 0)
      check({errno, std::generic_category()});
    try {
      lock();
      list();
    } catch (...) {
      std::error_code ignored;
      if (is_new_)
        std::filesystem::remove(path_, ignored);
      close(handle_);
      throw;
    }
  }
  TensorFolder(const TensorFolder &) = delete;
  TensorFolder &operator=(const TensorFolder &) = delete;
  ~TensorFolder() {
    for (const std::string &name : is_committed_ ? old_ : new_)
      unlinkat(handle_, name.c_str(), 0);
    std::error_code ignored;
    if (is_new_ && !is_committed_)
      std::filesystem::remove(path_, ignored);
    close(handle_);
  }

  /// Returns a number that no file in the folder has.
  int64_t take_number() {
    new_.push_back(file_name(next_));
    return next_++;
  }
  std::filesystem::path place_of(int64_t number) const {
    return path_ / file_name(number);
  }
  /// Syncs the directory entries of the new files and of the folder to disk.
  void synchronise() const {
    std::filesystem::path parent = path_.parent_path();
    int above = open(parent.empty() ? "." : parent.c_str(),
                     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int failed = fsync(handle_) != 0 ? errno : 0;
    if (above >= 0) {
      if (!failed && fsync(above) != 0)
        failed = errno;
      close(above);
    }
    // Some file systems do not support fsync of directories.
    if (failed && failed != EINVAL && failed != ENOTSUP)
      check({failed, std::generic_category()});
  }
  /// From now on the old files are the ones to remove. They are kept unless
  /// `is_durable`, since a power failure may restore the old structure.
  void commit(bool is_durable) {
    is_committed_ = true;
    if (!is_durable)
      old_.clear();
  }

private:
  /// Concurrent saves would remove each other's files. The lock is released
  /// when its holder exits. File systems without locks are used without one.
  void lock() const {
    constexpr std::chrono::minutes kPatience(10);
    auto deadline = std::chrono::steady_clock::now() + kPatience;
    while (flock(handle_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR)
        return;
      if (std::chrono::steady_clock::now() > deadline)
        raise<RuntimeError>(path_.string() +
                            ": another process is saving there");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  /// Uses readdir, since std::filesystem iterators terminate the process when
  /// memory is exhausted.
  void list() {
    auto close = [](DIR *open) { closedir(open); };
    std::unique_ptr<DIR, decltype(close)> entries(opendir(path_.c_str()));
    if (!entries)
      check({errno, std::generic_category()});
    for (errno = 0; const dirent *entry = readdir(entries.get()); errno = 0) {
      std::string name = entry->d_name;
      auto number = number_of(name);
      bool is_temporary = name.starts_with(".xlac-") && name.ends_with(".tmp");
      if (number && *number < std::numeric_limits<int64_t>::max() / 2)
        next_ = std::max(next_, *number + 1);
      if (number || is_temporary)
        old_.push_back(std::move(name));
    }
    check({errno, std::generic_category()});
  }
  void check(const std::error_code &error) const {
    if (error)
      raise<RuntimeError>(path_.string() + ": " + error.message());
  }

  std::filesystem::path path_;
  int handle_ = -1;
  bool is_new_ = false, is_committed_ = false;
  int64_t next_ = 0;
  std::vector<std::string> old_, new_;
};

} // namespace

void save(const Value &data, const std::filesystem::path &path,
          SaveOptions options) {
  XLAC_CALL("save");
  Computed computed(data);
  if (options.master_only && !lazy::is_master_replica(options.global_master))
    return;
  TensorFolder folder(folder_of(path));
  PickleOptions pickle;
  pickle.by_number = true;
  pickle.store = [&](const Tensor &tensor) {
    int64_t number = folder.take_number();
    write_atomically(folder.place_of(number),
                     [&](std::ostream &os) {
                       write_container(tensor, computed, os, /*as_cpu=*/true);
                     },
                     {.sync_folder = false, .model = path});
    return StorageName{std::to_string(number), {}};
  };
  std::string structure = write_pickle(data, pickle);
  folder.synchronise();
  FileWriter writer(path);
  writer.write(structure);
  Status written = writer.finish();
  if (writer.has_replaced())
    folder.commit(/*is_durable=*/bool(written));
  unwrap(written);
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
