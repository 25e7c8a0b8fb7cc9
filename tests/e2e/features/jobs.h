// Helpers for rows with several processes: their results are passed to the
// test's process through files. A process reports a failure by REQUIRE, whose
// exception fails the spawn and thereby the test.
#pragma once

#include "feature_rows.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(condition)                                                     \
  do {                                                                         \
    if (!(condition))                                                          \
      throw ::xlac::Error(std::string(__FILE__) + ":" +                        \
                          std::to_string(__LINE__) + ": " #condition);         \
  } while (false)

namespace xlac::features {

/// Texts by number, written by several processes.
class Notes {
public:
  void write(int number, const std::string &text) const {
    std::ofstream(path(number)) << text;
  }
  std::string read(int number) const {
    std::ostringstream text;
    text << std::ifstream(path(number)).rdbuf();
    return text.str();
  }
  /// Returns those of 0 to count - 1.
  std::vector<std::string> read_all(int count) const {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i)
      all.push_back(read(i));
    return all;
  }
  /// Returns how many numbers have a text.
  int count() const {
    return static_cast<int>(
        std::distance(std::filesystem::directory_iterator(folder_.path()), {}));
  }

private:
  std::string path(int number) const {
    return folder_.path() + "/" + std::to_string(number);
  }
  TemporaryFolder folder_;
};

/// Returns fn(ordinal) of each process of a spawn with CPU_NUM_DEVICES = count,
/// by ordinal.
inline std::vector<std::string>
in_processes(int count, const std::function<std::string(int)> &fn,
             xmp::SpawnOptions options = {}) {
  Notes notes;
  xmp::spawn([&](int index) { notes.write(index, fn(index)); }, options);
  EXPECT_EQ(notes.count(), count);
  return notes.read_all(count);
}

/// Returns the elements as text, for comparisons.
inline std::string text_of(const Tensor &tensor) {
  std::ostringstream text;
  for (double value : tensor.cpu().to(kFloat64).to_vector<double>())
    text << value << " ";
  return text.str();
}

/// Forks processes that simulate hosts. Each runs `fn` with the environment
/// variables of its host. Returns their exit statuses: 0 if fn returned, 1 if
/// it threw.
inline std::vector<int> on_hosts(int count, int port,
                                 const std::function<void(int)> &fn) {
  std::vector<pid_t> pids;
  for (int host = 0; host < count; ++host) {
    std::fflush(nullptr);
    pid_t pid = fork();
    if (pid == 0) {
      setenv("XLAC_NUM_HOSTS", std::to_string(count).c_str(), 1);
      setenv("XLAC_HOST_INDEX", std::to_string(host).c_str(), 1);
      setenv("MASTER_PORT", std::to_string(port).c_str(), 1);
      int status = 0;
      try {
        fn(host);
      } catch (const std::exception &error) {
        std::fprintf(stderr, "host %d: %s\n", host, error.what());
        status = 1;
      }
      std::fflush(nullptr);
      _exit(status);
    }
    pids.push_back(pid);
  }
  std::vector<int> statuses;
  for (pid_t pid : pids) {
    int status = 0;
    waitpid(pid, &status, 0);
    statuses.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return statuses;
}

} // namespace xlac::features
