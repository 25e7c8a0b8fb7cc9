// Processes of a launcher. Each test forks them, so that no runtime starts in
// the test's process.
#include "xlac/xlac.h"

#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace xlac;

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

/// Runs `fn` in a process with these variables; it passes if fn returns true.
pid_t start(const Variables &variables, const std::function<bool()> &fn) {
  std::fflush(nullptr);
  pid_t pid = fork();
  if (pid != 0)
    return pid;
  for (const auto &[name, value] : variables)
    setenv(name.c_str(), value.c_str(), 1);
  bool passed = false;
  try {
    passed = fn();
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  std::fflush(nullptr);
  _exit(passed ? 0 : 1);
}

bool has_passed(pid_t pid) {
  int status = -1;
  waitpid(pid, &status, 0);
  return status == 0;
}

/// Processes 0 and 1 of two on one host, with a launcher's variables.
void expect_pair(const std::array<const char *, 4> &names,
                 const std::string &port, const std::function<bool(int)> &fn) {
  std::vector<pid_t> pids;
  for (std::string rank : {"0", "1"})
    pids.push_back(start({{names[0], rank},
                          {names[1], rank},
                          {names[2], "2"},
                          {names[3], "2"},
                          {"MASTER_PORT", port}},
                         [&] {
                           int parent = getpid(), index = -1;
                           bool passed = false;
                           launch([&](int i) {
                             index = i;
                             passed = getpid() == parent && fn(i);
                           });
                           return passed && std::to_string(index) == rank;
                         }));
  for (pid_t pid : pids)
    EXPECT_TRUE(has_passed(pid));
}

bool sums_up(int index) {
  Tensor x = full({1}, index + 1.0, xm::xla_device());
  return xr::world_size() == 2 && xr::global_ordinal() == index &&
         xm::all_reduce(xm::REDUCE_SUM, x).item<double>() == 3;
}

} // namespace

TEST(Launch, JoinsTheJobOfTorchrun) {
  expect_pair({"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"}, "13501",
              sums_up);
}

TEST(Launch, JoinsTheJobOfMpirun) {
  expect_pair({"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
               "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
              "13502", sums_up);
  expect_pair({"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "MPI_LOCALNRANKS"},
              "13503", sums_up);
}

TEST(Launch, SpawnJoinsItToo) {
  std::vector<pid_t> pids;
  for (std::string rank : {"0", "1"})
    pids.push_back(start({{"RANK", rank},
                          {"LOCAL_RANK", rank},
                          {"WORLD_SIZE", "2"},
                          {"MASTER_PORT", "13504"}},
                         [] {
                           int parent = getpid();
                           bool passed = false;
                           xmp::spawn([&](int i) {
                             passed = getpid() == parent && sums_up(i);
                           });
                           return passed;
                         }));
  for (pid_t pid : pids)
    EXPECT_TRUE(has_passed(pid));
}

/// An exception of launch is rethrown unchanged, and the other process is
/// notified.
TEST(Launch, Failures) {
  auto run = [](const char *rank, auto fn) {
    return start({{"RANK", rank},
                  {"LOCAL_RANK", rank},
                  {"WORLD_SIZE", "2"},
                  {"XLAC_COLLECTIVE_TIMEOUT", "20"},
                  {"MASTER_PORT", "13505"}},
                 fn);
  };
  pid_t failing = run("0", [] {
    try {
      launch([](int) { throw std::out_of_range("boom"); });
    } catch (const std::out_of_range &error) {
      return std::string(error.what()) == "boom";
    }
    return false;
  });
  pid_t waiting = run("1", [] {
    try {
      launch([](int) {
        xm::all_reduce(xm::REDUCE_SUM, ones({1}, xm::xla_device())).cpu();
      });
    } catch (const CollectiveError &error) {
      return std::string(error.what()).find("boom") != std::string::npos;
    }
    return false;
  });
  EXPECT_TRUE(has_passed(failing));
  EXPECT_TRUE(has_passed(waiting));
}

TEST(Launch, ContradictingVariables) {
  for (const Variables &variables : std::vector<Variables>{
           {{"RANK", "2"}, {"LOCAL_RANK", "0"}, {"WORLD_SIZE", "2"}},
           {{"RANK", "0"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "2"}},
           {{"RANK", "one"}, {"LOCAL_RANK", "1"}, {"WORLD_SIZE", "2"}},
           {{"RANK", "0"},
            {"LOCAL_RANK", "0"},
            {"WORLD_SIZE", "3"},
            {"LOCAL_WORLD_SIZE", "2"}}})
    EXPECT_TRUE(has_passed(start(variables, [] {
      try {
        launch([](int) {});
      } catch (const ValueError &) {
        return true;
      }
      return false;
    })));
}

TEST(Launch, AloneWithoutAJob) {
  EXPECT_TRUE(has_passed(
      start({{"RANK", "0"}, {"LOCAL_RANK", "0"}, {"WORLD_SIZE", "1"}}, [] {
        bool passed = false;
        launch([&](int i) { passed = i == 0 && xr::world_size() == 1; });
        return passed;
      })));
  int calls = 0;
  launch([&](int i) { calls += i == 0; }, {.debug_single_process = true});
  EXPECT_EQ(calls, 1);
}

TEST(Launch, SpawnsWithoutALauncher) {
  EXPECT_TRUE(has_passed(start({{"CPU_NUM_DEVICES", "2"}}, [] {
    int parent = getpid();
    launch([parent](int) {
      if (getpid() == parent || xr::process_count() != 2)
        throw Error("not spawned");
    });
    return true;
  })));
}

TEST(Spawn, RefusesHostsThatAreNotThere) {
  for (const Variables &variables : std::vector<Variables>{
           {{"XLAC_NUM_HOSTS", "2"}, {"XLAC_HOST_INDEX", "2"}},
           {{"XLAC_NUM_HOSTS", "0"}},
           {{"MASTER_PORT", "none"}}})
    EXPECT_TRUE(has_passed(start(variables, [] {
      try {
        xmp::spawn([](int) {});
      } catch (const ValueError &) {
        return true;
      }
      return false;
    })));
}
