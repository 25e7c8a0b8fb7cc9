// Starts the ranks of job_mpi_rank with mpirun on this machine and divides them
// into hosts. Tests with these fixtures skip where MPI or mpirun is absent.
#pragma once

#include "xlac/job/job.h"
#include "xlac/support/clock.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace xlac::test {

inline constexpr int kRanks = 4;
inline constexpr int kVictim = 1;
/// A hang, even on a loaded machine.
inline constexpr int kHangSeconds = 300;
/// The deadline of cases in which a rank fails, and of others.
inline constexpr const char *kShort = "2000", *kLong = "120000";

struct Ranks {
  int code = -1;                  ///< of mpirun
  double seconds = 0;             ///< until it ended
  std::string text;               ///< that all wrote
  std::vector<std::string> ranks; ///< what each reported; empty: nothing
};

/// Whether a process has mapped a file with this name.
inline bool is_mapped(const std::string &name) {
  std::error_code error;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream file(entry.path() / "maps");
    for (std::string line; std::getline(file, line);)
      if (line.find(name) != std::string::npos)
        return true;
  }
  return false;
}

/// The number of segments of shared memory that Open MPI has named here and
/// that no process uses. Those of jobs beside this one are in use.
inline int named_segments() {
  int count = 0;
  std::error_code error;
  for (const auto &entry :
       std::filesystem::directory_iterator("/dev/shm", error)) {
    std::string name = entry.path().filename().string();
    count += name.starts_with("vader_segment") && !is_mapped(name);
  }
  return count;
}

/// Whether a process of this run is left.
inline bool is_left(const std::string &mark) {
  std::error_code error;
  for (const auto &entry :
       std::filesystem::directory_iterator("/proc", error)) {
    std::ifstream file(entry.path() / "environ", std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (text.find(mark) != std::string::npos)
      return true;
  }
  return false;
}

class MpiJob : public testing::Test {
protected:
  void SetUp() override {
    if (std::system("mpirun --version > /dev/null 2>&1") != 0)
      GTEST_SKIP() << "there is no mpirun here: jobs over MPI are not tested";
    if (Status status = job::check_mpi(); !status)
      GTEST_SKIP() << status.error().message
                   << ": jobs over MPI are not tested";
    // Open MPI otherwise refuses root, and more ranks than cores.
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 1);
  }

  /// Runs a case in all ranks. `variables` are set in the environment.
  static Ranks run(const std::string &name, int hosts, const char *deadline,
                   const std::string &variables = "",
                   const std::string &launcher = "mpirun", int ranks = kRanks) {
    static int count = 0;
    std::string mark = "XLAC_TEST_RUN=" + std::to_string(getpid()) + "-" +
                       std::to_string(++count);
    auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::string command =
        "env " + mark + " " + variables + " timeout -k 10 " +
        std::to_string(kHangSeconds) + " " + launcher + " -n " +
        std::to_string(ranks) + " " + (folder / "job_mpi_rank").string() + " " +
        name + " " + std::to_string(hosts) + " " + deadline + " 2>&1";
    int before = named_segments();
    auto start = Clock::now();
    Ranks result;
    result.ranks.resize(ranks);
    FILE *pipe = popen(command.c_str(), "r");
    char line[4096];
    while (pipe && std::fgets(line, sizeof line, pipe)) {
      std::string text = line;
      result.text += text;
      size_t colon = text.find(": ");
      if (!text.starts_with("rank ") || colon == std::string::npos)
        continue;
      if (int rank = std::atoi(text.c_str() + 5); rank >= 0 && rank < ranks)
        result.ranks[rank] = text.substr(colon + 2, text.size() - colon - 3);
    }
    int status = pipe ? pclose(pipe) : -1;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    result.seconds = milliseconds_since(start) / 1000;
    EXPECT_LT(result.seconds, kHangSeconds) << result.text;
    auto leaves = [&] { return is_left(mark) || named_segments() > before; };
    for (int i = 0; i < 100 && leaves(); ++i)
      usleep(100'000);
    EXPECT_FALSE(leaves()) << "a process or its memory is left of " << name;
    return result;
  }

  static void expect_well(const Ranks &result) {
    EXPECT_EQ(result.code, 0) << result.text;
    for (const std::string &text : result.ranks)
      EXPECT_EQ(text, "ok") << result.text;
  }

  /// Each rank that reports anything contains `part`, except `victim`.
  static void expect_all(const Ranks &result, const std::string &part,
                         int victim = -1) {
    EXPECT_NE(result.code, 0) << result.text;
    bool some = false;
    for (size_t rank = 0; rank < result.ranks.size(); ++rank) {
      const std::string &text = result.ranks[rank];
      if (static_cast<int>(rank) == victim || text.empty())
        continue;
      some = true;
      EXPECT_NE(text.find(part), std::string::npos) << result.text;
    }
    EXPECT_TRUE(some) << result.text;
  }

  /// The launcher or the failure of a rank has ended the job.
  static void expect_named(const Ranks &result, const std::string &why,
                           int victim = kVictim) {
    EXPECT_NE(result.code, 0) << result.text;
    for (size_t rank = 0; rank < result.ranks.size(); ++rank) {
      const std::string &text = result.ranks[rank];
      EXPECT_NE(text, "ok") << result.text;
      if (static_cast<int>(rank) != victim && !text.empty())
        EXPECT_TRUE(text.find("process " + std::to_string(victim) + ",") !=
                        std::string::npos ||
                    text.find(why) != std::string::npos)
            << result.text;
    }
  }
};

/// Two machines with two ranks each, made by two_machines.sh: network
/// namespaces with a link between them.
class TwoMachines : public MpiJob {
protected:
  void SetUp() override {
    MpiJob::SetUp();
    if (IsSkipped())
      return;
    char name[] = "/tmp/xlac_machines_XXXXXX";
    folder_ = mkdtemp(name);
    launcher_ = folder_ + "/mpirun";
    if (!call(XLAC_TEST_TWO_MACHINES " make " + machines() + " " + folder_))
      GTEST_SKIP() << "no network namespaces with Open MPI here: jobs over "
                      "several machines are not tested";
  }
  void TearDown() override {
    call(XLAC_TEST_TWO_MACHINES " remove " + machines());
    if (!folder_.empty())
      std::filesystem::remove_all(folder_);
  }

  static bool call(const std::string &command) {
    return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
  }
  static std::string machines() { return "xlac-" + std::to_string(getpid()); }

  std::string launcher_, folder_;
};

} // namespace xlac::test
