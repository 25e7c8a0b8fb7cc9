// Runs every writer of files with a failure or a kill at each of its calls. The
// file must have its old or its new content, failures must be reported, and no
// temporary file may be left.
#include "file_calls.h"

#include "xlac/cache/store.h"
#include "xlac/support/file_writer.h"
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace xlac {
namespace {

namespace fs = std::filesystem;
using file_calls::FailureKind;

#ifdef XLAC_MANY_FAULTS
constexpr int64_t kElements = 1 << 20;
constexpr int kRounds = 20;
#else
constexpr int64_t kElements = 30000;
constexpr int kRounds = 1;
#endif

constexpr int kVersions = 20;

/// The data of a version; versions differ in content and number of tensors.
/// Made once, before forking, since a forked process lacks the worker threads.
const StateDict &state(int version) {
  static const std::vector<StateDict> all = [] {
    std::vector<StateDict> states(kVersions);
    for (int i = 0; i < kVersions; ++i) {
      states[i]["a"] = full({kElements}, i, kFloat32);
      for (int j = 0; j <= i % 3; ++j)
        states[i]["b" + std::to_string(j)] = full({3}, i, kInt64);
    }
    return states;
  }();
  return all[version];
}

bool is_state(const StateDict &tensors, int version) {
  const StateDict &wanted = state(version);
  bool same = tensors.size() == wanted.size();
  for (const auto &[name, tensor] : wanted)
    same = same && tensors.contains(name) && equal(tensors.at(name), tensor);
  return same;
}

struct Writer {
  std::string name;
  /// Writes; returns whether it reported success.
  std::function<bool(const fs::path &, int version)> write;
  std::function<bool(const fs::path &, int version)> has;
  /// The number of files of a version.
  std::function<size_t(int version)> files = [](int) { return 1; };
};

/// A writer that throws RuntimeError on failure.
template <class Write> auto throwing(Write write) {
  return [write](const fs::path &path, int version) {
    try {
      write(path, version);
      return true;
    } catch (const RuntimeError &) {
      return false;
    }
  };
}

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string text_of(int version) {
  return std::string(100000, static_cast<char>('a' + version));
}

std::unique_ptr<cache::Store> store_at(const fs::path &path) {
  auto store = cache::Store::open(path);
  return store ? std::move(*store) : nullptr;
}

bool put_entry(const fs::path &path, int version) {
  std::string text = text_of(version);
  auto store = store_at(path);
  return store && store->put(cache::Kind::Executable, "0123456789",
                             std::as_bytes(std::span(text)));
}

bool has_entry(const fs::path &path, int version) {
  std::string text = text_of(version);
  auto bytes = store_at(path)->get(cache::Kind::Executable, "0123456789");
  return bytes && bytes->size() == text.size() &&
         std::memcmp(bytes->data(), text.data(), text.size()) == 0;
}

std::vector<Writer> writers() {
  auto of_torch = [](const fs::path &path, int version) {
    return is_state(load<StateDict>(path), version);
  };
  return {{"save", throwing([](const fs::path &path, int version) {
             save(to_value(state(version)), path);
           }),
           of_torch},
          {"xm_save", throwing([](const fs::path &path, int version) {
             xm::save(to_value(state(version)), path);
           }),
           of_torch},
          {"xser_save", throwing([](const fs::path &path, int version) {
             xser::save(to_value(state(version)), path);
           }),
           [](const fs::path &path, int version) {
             return is_state(xser::load<StateDict>(path), version);
           },
           [](int version) { return 1 + state(version).size(); }},
          {"safetensors", throwing([](const fs::path &path, int version) {
             save_safetensors(state(version), path);
           }),
           [](const fs::path &path, int version) {
             return is_state(load_safetensors(path), version);
           }},
          {"npy", throwing([](const fs::path &path, int version) {
             save_npy(state(version).at("a"), path);
           }),
           [](const fs::path &path, int version) {
             return equal(load_npy(path), state(version).at("a"));
           }},
          {"npz", throwing([](const fs::path &path, int version) {
             save_npz(state(version), path);
           }),
           [](const fs::path &path, int version) {
             return is_state(load_npz(path), version);
           }},
          {"whole_file",
           [](const fs::path &path, int version) {
             return bool(write_whole_file(path, text_of(version)));
           },
           [](const fs::path &path, int version) {
             return content(path) == text_of(version);
           }},
          // The usage file next to the entry.
          {"cache", put_entry, has_entry, [](int) { return 2; }}};
}

class FileFaults : public testing::TestWithParam<Writer> {
protected:
  size_t count() const {
    size_t files = 0;
    for (const auto &entry : fs::recursive_directory_iterator(folder_.name()))
      files += entry.is_regular_file();
    return files;
  }
  xu::TmpFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(All, FileFaults, testing::ValuesIn(writers()),
                         [](const auto &one) { return one.param.name; });

TEST_P(FileFaults, LeaveOldOrNewAndAreReported) {
  const Writer &writer = GetParam();
  int injected = 0, reported = 0;
  for (int round = 0; round < kRounds; ++round)
    for (FailureKind failure_kind :
         {FailureKind::One, FailureKind::All, FailureKind::Short}) {
      int version = 0;
      fs::path path =
          fs::path(folder_.name()) /
          std::to_string(round * 10 + static_cast<int>(failure_kind));
      ASSERT_TRUE(writer.write(path, version));
      size_t others = count() - writer.files(version);
      for (int number = 1;; ++number) {
        int next = (version + 1) % kVersions;
        file_calls::arm(failure_kind, number);
        bool wrote = writer.write(path, next);
        int failed = file_calls::disarm();
        SCOPED_TRACE("call " + std::to_string(number) + ", " +
                     file_calls::failed_call());
        bool has_old = writer.has(path, version);
        bool has_new = writer.has(path, next);
        ASSERT_TRUE(has_old != has_new);
        if (wrote) {
          ASSERT_TRUE(has_new) << "a failure was not reported";
        } else {
          // Only the fsync of the folder follows the last rename.
          ASSERT_TRUE(has_old || file_calls::failed_call() == "fsync");
          ++reported;
        }
        injected += failed;
        if (has_new)
          version = next;
        // Two checkpoints are kept while a power failure may restore the old
        // one; the next save removes it.
        if (has_new && !wrote) {
          ASSERT_TRUE(writer.write(path, version = (version + 1) % kVersions));
        }
        ASSERT_EQ(count(), others + writer.files(version));
        if (failed == 0)
          break;
      }
      for (const auto &entry : fs::directory_iterator(folder_.name()))
        fs::remove_all(entry);
    }
  EXPECT_GT(injected, 10 * kRounds);
  EXPECT_GT(reported, 5 * kRounds);
  RecordProperty("injected", injected);
}

TEST_P(FileFaults, KillsLeaveOldOrNew) {
  const Writer &writer = GetParam();
  int killed = 0;
  for (int round = 0; round < kRounds; ++round)
    for (FailureKind failure_kind :
         {FailureKind::KillAt, FailureKind::KillAfter}) {
      int version = 0;
      fs::path path =
          fs::path(folder_.name()) /
          std::to_string(round * 10 + static_cast<int>(failure_kind));
      ASSERT_TRUE(writer.write(path, version));
      for (int number = 1, status = -1; status != 0; ++number) {
        SCOPED_TRACE("call " + std::to_string(number));
        int next = (version + 1) % kVersions;
        pid_t child = fork();
        if (child == 0) {
          file_calls::arm(failure_kind, number);
          _exit(writer.write(path, next) ? 0 : 1);
        }
        ASSERT_EQ(waitpid(child, &status, 0), child);
        ASSERT_TRUE(status == 0 ||
                    (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
        killed += status != 0;
        bool has_old = writer.has(path, version);
        bool has_new = writer.has(path, next);
        ASSERT_TRUE(has_old != has_new);
        ASSERT_TRUE(has_new || status != 0);
        version = has_new ? next : version;
      }
    }
  EXPECT_GT(killed, 10 * kRounds);
  RecordProperty("killed", killed);
}

} // namespace
} // namespace xlac
