// The disk cache: bytes under 256-bit keys, in files that only their owner can
// write. Whatever is wrong with an entry makes it a miss; whatever is wrong
// with the disk makes a put do nothing. Who can write the directory can run
// code as its user, hence 0700, owner checks and no symbolic links.
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

/// XLAC_CACHE=off: no cache, whatever else is said.
bool is_switched_off();

/// XLAC_CACHE_DIR, else $XDG_CACHE_HOME/xlac, else ~/.cache/xlac.
std::filesystem::path default_directory();

/// The right to do what no other process is doing meanwhile. Given up when
/// destroyed, also by a process that dies.
class Claim {
public:
  Claim() = default;
  Claim(Claim &&other) noexcept;
  Claim &operator=(Claim &&other) noexcept;
  ~Claim();

  /// False when the deadline passed, or where no claim can be made: go on all
  /// the same; the work may be done twice.
  bool is_held() const { return file_ >= 0; }
  /// Another process held it before: the entry may be there now.
  bool has_waited() const { return waited_; }
  void release();

private:
  friend class Store;
  int folder_ = -1; ///< the claims folder, of our own
  int file_ = -1;
  bool waited_ = false;
  std::string name_;
};

struct EntryInfo {
  Kind kind = Kind::Executable;
  std::string key;
  int64_t bytes = 0;     ///< of the file
  int64_t last_used = 0; ///< nanoseconds since 1970
};

struct StoreStats {
  int64_t entries = 0, bytes = 0, limit = 0;
  int64_t temporary_bytes = 0;  ///< of writers that have not finished
  int64_t hits = 0, misses = 0; ///< of this Store
};

struct VerifyResult {
  int64_t sound = 0;
  std::vector<std::string> damaged; ///< "kind/key", removed by verify()
};

/// Safe from several threads, and with other processes on the same directory.
class Store {
public:
  /// Makes the directory (0700) if need be. Fails when it cannot be had or
  /// could be written by others; callers then go without a cache.
  static Result<std::unique_ptr<Store>> open(std::filesystem::path directory,
                                             int64_t limit = kDefaultLimit);
  /// Reads only: nothing is made, written, stamped or removed. Fails where open
  /// does, and when the directory is missing.
  static Result<std::unique_ptr<Store>>
  open_readonly(std::filesystem::path directory);
  ~Store();
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;

  const std::filesystem::path &directory() const { return directory_; }

  /// What was put, checked to the last bit. Nothing, and one warning on stderr,
  /// for an entry that is damaged or that others could have written.
  std::optional<std::vector<std::byte>> get(Kind kind, std::string_view key);

  /// Keeps `bytes`, in place of what was there; the least recently used
  /// entries go when the limit is passed. False, and at most one warning, if
  /// they could not be kept. `features` are the CpuFeature bits that a reader
  /// must have.
  bool put(Kind kind, std::string_view key, std::span<const std::byte> bytes,
           uint64_t features = 0);

  /// Claims a key among all processes, waiting no longer than `patience`.
  Claim claim(std::string_view key, std::chrono::milliseconds patience);

  /// Also removes what killed writers left.
  StoreStats stats();
  /// All entries, the most recently used first.
  std::vector<EntryInfo> list();
  /// Reads every entry; removes the damaged ones.
  VerifyResult verify();
  /// Removes the least recently used entries until `bytes` remain at most.
  Status prune(int64_t bytes);
  /// Removes all entries.
  Status clear();

private:
  Store(std::filesystem::path directory, int64_t limit, int root, int usage,
        bool readonly);
  /// The failure of a change to a store that is read only, else ok.
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
  const int64_t limit_;
  const int root_;  ///< the directory
  const int usage_; ///< the file that counts bytes, or -1
  const bool readonly_;
  std::mutex usage_mutex_;      ///< with the lock on the counting file
  bool is_usage_stuck_ = false; ///< that lock was not to be had
  int64_t unaccounted_ = 0;     ///< bytes put while it was not
  std::mutex mutex_;            ///< for what follows
  std::set<std::string> warned_;
  int64_t hits_ = 0, misses_ = 0;
};

} // namespace xlac::cache
