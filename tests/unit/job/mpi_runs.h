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

/// Two machines: network namespaces with a link between them and names of their
/// own. mpirun runs on the first one and starts its agent on the second.
class TwoMachines : public MpiJob {
protected:
  void SetUp() override {
    MpiJob::SetUp();
    if (IsSkipped())
      return;
    char name[] = "/tmp/xlac_machines_XXXXXX";
    folder_ = mkdtemp(name);
    write("agent", "host=$1; shift\n"
                   "case $host in 10.78.0.1) n=1;; *) n=2;; esac\n"
                   "exec ip netns exec " +
                       space("$n") +
                       " unshare -u sh -c \"hostname xlac-test-$n; $*\"\n");
    write("launch", "hostname xlac-test-1\n"
                    "only=10.78.0.0/24\n"
                    "exec mpirun --mca plm_rsh_agent " +
                        folder_ +
                        "/agent --mca oob_tcp_if_include $only "
                        "--mca btl_tcp_if_include $only "
                        "--host 10.78.0.1:2,10.78.0.2:2 \"$@\"\n");
    bool made = call("ip netns add " + space("1")) &&
                call("ip netns add " + space("2")) &&
                call("ip link add xlv1 netns " + space("1") +
                     " type veth peer name xlv2 netns " + space("2"));
    for (std::string n : {"1", "2"})
      made = made &&
             call("ip -n " + space(n) + " addr add 10.78.0." + n +
                  "/24 dev xlv" + n) &&
             call("ip -n " + space(n) + " link set xlv" + n + " up") &&
             call("ip -n " + space(n) + " link set lo up");
    launcher_ =
        "ip netns exec " + space("1") + " unshare -u " + folder_ + "/launch";
    if (!made || !call("ip netns exec " + space("1") + " unshare -u true") ||
        !call(launcher_ + " -n 4 true"))
      GTEST_SKIP() << "no network namespaces with Open MPI here: jobs over "
                      "several machines are not tested";
  }
  void TearDown() override {
    call("ip netns del " + space("1"));
    call("ip netns del " + space("2"));
    if (!folder_.empty())
      std::filesystem::remove_all(folder_);
  }

  static bool call(const std::string &command) {
    return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
  }
  static std::string space(const std::string &n) {
    return "xlac-" + std::to_string(getpid()) + "-" + n;
  }

  std::string launcher_, folder_;

private:
  void write(const std::string &name, const std::string &text) const {
    std::string path = folder_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\n" << text;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
};

} // namespace xlac::test
