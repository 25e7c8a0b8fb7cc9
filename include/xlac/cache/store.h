// The disk cache: byte strings under 256-bit keys, in files that only their
// owner can write. A damaged entry is a miss; a disk error makes put() do
// nothing. Anyone who can write to the directory can run code as its user.
// Therefore it has mode 0700, owners are checked, and symbolic links are not
// followed.
#pragma once

#include "xlac/cache/kind.h"
#include "xlac/support/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::cache {

inline constexpr int64_t kDefaultLimit = int64_t(4) << 30;

/// What determines the size limit of a store.
enum class LimitOrigin : uint8_t {
  Default,     ///< kDefaultLimit
  Directory,   ///< Store::set_limit
  Environment, ///< XLAC_CACHE_LIMIT
  Caller,      ///< the argument of Store::open
};
std::string_view to_string(LimitOrigin origin);

/// The limit of a store in bytes.
struct Limit {
  int64_t bytes = kDefaultLimit;
  LimitOrigin origin = LimitOrigin::Default;
};

/// XLAC_CACHE_LIMIT, else the limit that the open directory `root` has, else
/// the default. -1 stands for no directory.
Limit find_limit(int root);

/// Whether XLAC_CACHE=off, which overrides all other settings.
bool is_switched_off();

/// XLAC_CACHE_DIR, else $XDG_CACHE_HOME/xlac, else ~/.cache/xlac. Without a
/// home directory it is /tmp/xlac-cache-UID.
std::filesystem::path default_directory();

/// An exclusive lock on a key among all processes. The destructor releases it,
/// and so does the end of the process.
class Claim {
public:
  Claim() = default;
  Claim(Claim &&other) noexcept;
  Claim &operator=(Claim &&other) noexcept;
  ~Claim();

  /// False if the deadline passed or the lock cannot be made. The caller then
  /// continues; the work may be done twice.
  bool is_held() const { return file_ >= 0; }
  /// Another process held it before, so the entry may exist now.
  bool has_waited() const { return waited_; }
  void release();

private:
  friend class Store;
  int folder_ = -1; ///< the directory of claims; owned
  int file_ = -1;
  bool waited_ = false;
  std::string name_;
};

struct EntryInfo {
  Kind kind = Kind::Executable;
  std::string key;
  int64_t bytes = 0;     ///< of the file
  int64_t last_used = 0; ///< in nanoseconds since 1970
};

struct StoreStats {
  int64_t entries = 0, bytes = 0;
  Limit limit;
  int64_t temporary_bytes = 0;  ///< of writers that have not finished
  int64_t hits = 0, misses = 0; ///< of this Store
};

struct VerifyResult {
  int64_t sound = 0;
  std::vector<std::string> damaged; ///< "kind/key"; verify() removed them
};

/// Thread-safe, and safe with other processes on the same directory.
class Store {
public:
  /// Opens the directory, and creates it with mode 0700 if needed. Fails if it
  /// is not accessible or others could write to it; callers then run without a
  /// cache. Without `limit`, find_limit gives the limit in bytes.
  static Result<std::unique_ptr<Store>> open(std::filesystem::path directory,
                                             std::optional<int64_t> limit = {});
  /// Opens the directory for reading only: nothing is created, written, touched
  /// or removed. Fails like open(), and if the directory is missing.
  static Result<std::unique_ptr<Store>>
  open_readonly(std::filesystem::path directory);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  const std::filesystem::path &directory() const { return directory_; }

  /// The contents of the entry, verified by checksum. For an entry that is
  /// damaged, or that others could have written, it returns nothing and warns
  /// once on stderr.
  std::optional<std::vector<std::byte>> get(Kind kind, std::string_view key);

  /// Stores `bytes` and replaces an existing entry. Beyond the limit, the least
  /// recently used entries are removed. Returns false, with at most one
  /// warning, if the entry could not be stored. `features` are the CpuFeature
  /// bits that a reader must have. Without `sync`, a power failure may damage
  /// the entry, which is then a miss.
  bool put(Kind kind, std::string_view key, std::span<const std::byte> bytes,
           uint64_t features = 0, bool sync = true);

  /// Locks a key among all processes and waits no longer than `patience`.
  Claim claim(std::string_view key, std::chrono::milliseconds patience);

  /// Also removes temporary files of killed writers.
  StoreStats stats();
  /// All entries, most recently used first.
  std::vector<EntryInfo> list();
  /// Reads every entry and removes damaged ones.
  VerifyResult verify();
  /// Removes the least recently used entries until at most `bytes` remain.
  Status prune(int64_t bytes);
  /// Makes `bytes` the limit of all stores that are opened on the directory
  /// from now on, and prunes to it. XLAC_CACHE_LIMIT has precedence.
  Status set_limit(int64_t bytes);
  /// Removes all entries.
  Status clear();

private:
  Store(std::filesystem::path directory, Limit limit, int root, int usage,
        bool readonly);
  /// A failure if the store is read-only, else ok.
  Status check_writable() const;
  enum class Outcome { Hit, Miss, Damaged };
  Outcome read(Kind kind, std::string_view key, std::vector<std::byte> &bytes,
               std::string &reason);
  bool read_entry(int file, int64_t size, Kind kind, std::string_view key,
                  std::vector<std::byte> &contents, std::string &reason);
  int open_folder(Kind kind, std::string_view key, bool create);
  static bool write_entry(int folder, const std::string &name,
                          std::span<const std::byte> contents, bool sync);
  void account(int64_t bytes);
  int64_t evict_locked(int64_t bytes, int64_t others);
  int64_t sweep_temporaries();
  void write_counter(int64_t total);
  void warn_once(const std::string &what, const std::string &message);

  const std::filesystem::path directory_;
  const Limit limit_;
  const int root_;  ///< descriptor of the directory
  const int usage_; ///< descriptor of the file that counts bytes, or -1
  const bool readonly_;
  std::mutex usage_mutex_;      ///< held with the lock on the usage file
  bool is_usage_stuck_ = false; ///< the last attempt to lock it failed
  int64_t unaccounted_ = 0;     ///< bytes stored while it could not be taken
  std::mutex mutex_;            ///< guards the following members
  std::set<std::string> warned_;
  int64_t hits_ = 0, misses_ = 0;
};

} // namespace xlac::cache
