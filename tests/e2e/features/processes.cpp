// MP: processes, one per device; SL: which of them write files.
#include "jobs.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <sys/mman.h>
#include <thread>

using namespace xlac;
using namespace xlac::features;

using Texts = std::vector<std::string>;

static const char kStarted[] =
    "Runtime is already initialized. Do not use the XLA device before calling "
    "xmp.spawn.";

static bool is_alive(int pid) { return kill(pid, 0) == 0; }

/// Waits until the process has ended; returns false after ten seconds.
static bool has_ended(int pid) {
  for (int i = 0; i < 1000 && is_alive(pid); ++i)
    usleep(10000);
  return !is_alive(pid);
}

FEATURE(MP_01, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(in_processes(4, [](int i) { return std::to_string(i); }),
            (Texts{"0", "1", "2", "3"}));
  xm::xla_device();
  EXPECT_CONTAINS(message_of<UserError>([] { xmp::spawn([](int) {}); }),
                  kStarted);
}

FEATURE(MP_02, "CPU_NUM_DEVICES=4") {
  Notes notes;
  xmp::spawn(
      [&](int index, const std::string &word, double number) {
        notes.write(index, std::to_string(xr::global_ordinal()) + word +
                               std::to_string(number == 0.5));
      },
      std::tuple(std::string("word"), 0.5));
  EXPECT_EQ(notes.read_all(4), (Texts{"0word1", "1word1", "2word1", "3word1"}));
}

FEATURE(MP_03, "CPU_NUM_DEVICES=4") {
  for (std::optional<int> count : {std::optional<int>(), std::optional(4)})
    in_processes(4, [](int) { return ""; }, {.nprocs = count});
  EXPECT_CONTAINS(
      message_of<ValueError>([] { xmp::spawn([](int) {}, {.nprocs = 3}); }),
      "Unsupported nprocs (3)");
  in_processes(1, [](int) { return ""; }, {.nprocs = 1});
}

FEATURE(MP_04, "CPU_NUM_DEVICES=4") {
  Notes notes;
  try {
    xmp::spawn([&](int i) {
      notes.write(i, std::to_string(getpid()));
      xm::rendezvous("all there");
      if (i == 2)
        throw std::runtime_error("boom");
      sleep(60);
    });
    ADD_FAILURE() << "nothing thrown";
  } catch (const ProcessRaisedError &error) {
    EXPECT_EQ(error.index(), 2);
    EXPECT_CONTAINS(error.what(), "boom");
  }
  ASSERT_EQ(notes.count(), 4);
  for (const std::string &pid : notes.read_all(4))
    EXPECT_FALSE(is_alive(std::stoi(pid)));
}

/// The error names the original failure, not its consequences in other
/// processes.
FEATURE(MP_04_collective, "CPU_NUM_DEVICES=4") {
  try {
    xmp::spawn([&](int i) {
      xm::xla_device();
      if (i == 1)
        throw std::runtime_error("boom");
      xm::all_reduce(xm::REDUCE_SUM, ones({2}, xm::xla_device())).cpu();
    });
    ADD_FAILURE() << "nothing thrown";
  } catch (const ProcessRaisedError &error) {
    EXPECT_EQ(error.index(), 1);
    EXPECT_CONTAINS(error.what(), "boom");
  }
}

FEATURE(MP_04_killed, "CPU_NUM_DEVICES=2") {
  try {
    xmp::spawn([&](int i) {
      xm::rendezvous("all there");
      if (i == 1)
        raise(SIGKILL);
      sleep(60);
    });
    ADD_FAILURE() << "nothing thrown";
  } catch (const ProcessRaisedError &error) {
    EXPECT_EQ(error.index(), 1);
    EXPECT_CONTAINS(error.what(), "signal 9");
  }
}

/// Other processes name a process that hangs, and it is terminated.
FEATURE(MP_04_stopped, "CPU_NUM_DEVICES=2", "XLAC_COLLECTIVE_TIMEOUT=1") {
  Notes notes;
  auto start = std::chrono::steady_clock::now();
  try {
    xmp::spawn([&](int i) {
      notes.write(i, std::to_string(getpid()));
      Tensor x = ones({2}, xm::xla_device());
      if (i == 1)
        raise(SIGSTOP);
      xm::all_reduce(xm::REDUCE_SUM, x).cpu();
    });
    ADD_FAILURE() << "nothing thrown";
  } catch (const ProcessRaisedError &error) {
    EXPECT_EQ(error.index(), 0);
    EXPECT_CONTAINS(error.what(), "all_reduce");
    EXPECT_CONTAINS(error.what(), "replica 1");
  }
  // One second of timeout, one second for the process to end, and additional
  // time for a busy machine.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(8));
  for (const std::string &pid : notes.read_all(2))
    EXPECT_FALSE(is_alive(std::stoi(pid)));
}

FEATURE(MP_04_context, "CPU_NUM_DEVICES=2") {
  auto start = std::chrono::steady_clock::now();
  auto context = xmp::spawn([](int) { usleep(700000); }, {.join = false});
  ASSERT_TRUE(context);
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::milliseconds(500));
  EXPECT_EQ(context->pids().size(), 2u);
  EXPECT_NE(context->pids()[0], context->pids()[1]);
  EXPECT_FALSE(context->join(0.01));
  EXPECT_TRUE(context->join());
  for (int pid : context->pids())
    EXPECT_FALSE(is_alive(pid));
}

/// Runs `parent` in a separate process, which reports the pids of its children
/// and then ends by `end`.
static std::vector<int> pids_of_parent(xmp::SpawnOptions options,
                                       const std::function<void()> &end) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  std::fflush(nullptr);
  pid_t parent = fork();
  if (parent == 0) {
    options.join = false;
    auto context = xmp::spawn([](int) { sleep(60); }, options);
    for (int pid : context->pids())
      if (write(ends[1], &pid, sizeof pid) != sizeof pid)
        _exit(1);
    end();
    _exit(1);
  }
  close(ends[1]);
  std::vector<int> pids;
  for (int pid; read(ends[0], &pid, sizeof pid) == sizeof pid;) {
    pids.push_back(pid);
    if (pids.size() == 2)
      break;
  }
  close(ends[0]);
  waitpid(parent, nullptr, 0);
  return pids;
}

FEATURE(MP_05, "CPU_NUM_DEVICES=2") {
  std::vector<int> daemons =
      pids_of_parent({.daemon = true}, [] { std::exit(0); });
  ASSERT_EQ(daemons.size(), 2u);
  for (int pid : daemons)
    EXPECT_TRUE(has_ended(pid));
  std::vector<int> others = pids_of_parent({}, [] { raise(SIGKILL); });
  ASSERT_EQ(others.size(), 2u);
  for (int pid : others)
    EXPECT_TRUE(has_ended(pid));
}

FEATURE(MP_05_no_children, "CPU_NUM_DEVICES=2") {
  xmp::spawn(
      [](int) {
        REQUIRE(message_of<UserError>([] {
                  xmp::spawn([](int) {});
                }).find("not allowed to have children") != std::string::npos);
      },
      {.daemon = true});
}

FEATURE(MP_06, "CPU_NUM_DEVICES=2") {
  met::add_to_counter("FromParent");
  set_default_dtype(kFloat64);
  manual_seed(5);
  std::string here = text_of(randn({2}, kFloat64));
  manual_seed(5);
  auto state = [](int) {
    return std::to_string(counter("FromParent")) +
           std::string(name(get_default_dtype())) + " " +
           text_of(randn({2}, kFloat64));
  };
  for (const std::string &text :
       in_processes(2, state, {.start_method = "spawn"})) {
    EXPECT_EQ(text.substr(0, 1), "0");
    EXPECT_CONTAINS(text, name(kFloat32));
    EXPECT_LACKS(text, here);
  }
  for (const std::string &text :
       in_processes(2, state, {.start_method = "fork"})) {
    EXPECT_EQ(text.substr(0, 1), "1");
    EXPECT_CONTAINS(text, name(kFloat64));
    EXPECT_CONTAINS(text, here);
  }
  set_default_dtype(kFloat32);
  EXPECT_THROW(xmp::spawn([](int) {}, {.start_method = "forkserver"}),
               ValueError);
}

FEATURE(MP_07, "CPU_NUM_DEVICES=2") {
  std::string parent = std::to_string(getpid());
  auto pid = [](int) { return std::to_string(getpid()); };
  for (const std::string &each : in_processes(2, pid))
    EXPECT_NE(each, parent);
  EXPECT_EQ(in_processes(1, pid, {.nprocs = 1}), (Texts{parent}));
  EXPECT_FALSE(xmp::spawn([](int) {}, {.nprocs = 1}));
  EXPECT_FALSE(xmp::spawn([](int) {}));
}

FEATURE(MP_08, "CPU_NUM_DEVICES=4") {
  Texts got = in_processes(4, [](int) {
    REQUIRE(xlac::device_count() == 1);
    REQUIRE(xlac::devices().size() == 1);
    REQUIRE(xlac::real_devices() == xm::xla_real_devices());
    return xm::xla_device().str() + " " + xm::xla_real_devices()[0];
  });
  EXPECT_EQ(
      got, (Texts{"xla:0 CPU:0", "xla:0 CPU:1", "xla:0 CPU:2", "xla:0 CPU:3"}));
}

FEATURE(MP_09, "CPU_NUM_DEVICES=4", "XLAC_DEVICES_PER_PROCESS=2") {
  Texts got = in_processes(4, [](int i) {
    REQUIRE(xr::global_ordinal() == i);
    REQUIRE(xr::world_size() == 4);
    REQUIRE(xlac::device_count() == 2);
    Tensor sum = xm::all_reduce(xm::REDUCE_SUM, full({1}, i, xm::xla_device()));
    return xm::xla_device().str() + " " + text_of(sum) +
           std::to_string(getpid());
  });
  for (int i = 0; i < 4; ++i)
    EXPECT_CONTAINS(got[static_cast<size_t>(i)],
                    "xla:" + std::to_string(i % 2) + " 6 ");
  EXPECT_EQ(got[0].substr(8), got[1].substr(8));
  EXPECT_NE(got[1].substr(8), got[2].substr(8));
}

FEATURE(MP_09_divides, "CPU_NUM_DEVICES=4", "XLAC_DEVICES_PER_PROCESS=3") {
  EXPECT_CONTAINS(message_of<ValueError>([] { xmp::spawn([](int) {}); }),
                  "XLAC_DEVICES_PER_PROCESS (3) must divide");
}

FEATURE(MP_10, "CPU_NUM_DEVICES=2") {
  auto context = xmp::spawn([](int) { usleep(300000); }, {.join = false});
  EXPECT_CONTAINS(message_of<UserError>([] { ones({2}, "xla:0"); }),
                  "XLA devices are owned by the processes of xmp.spawn");
  context->join();
  EXPECT_EQ(text_of(ones({2}, "xla:1")), "1 1 ");
  EXPECT_CONTAINS(message_of<UserError>([] { xmp::spawn([](int) {}); }),
                  kStarted);
}

//===- Models and serial execution ----------------------------------------===//

FEATURE(MP_15, "CPU_NUM_DEVICES=4") {
  xmp::MpModelWrapper<nn::Linear> wrapper(nn::Linear(4, 3));
  Texts got = in_processes(4,
                           [&](int) {
                             nn::Linear model = wrapper.to(xm::xla_device());
                             REQUIRE(model->weight.device().str() == "xla:0");
                             return text_of(model->weight.detach());
                           },
                           {.start_method = "fork"});
  for (const std::string &each : got)
    EXPECT_EQ(each, got[0]);
}

/// Returns the process's memory in kilobytes without its device's, with its
/// proportional share of shared memory.
static int64_t host_kilobytes() {
  std::ifstream file("/proc/self/smaps_rollup");
  int64_t total = 0;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("Pss:"))
      total = std::stoll(line.substr(line.find(':') + 1));
  return total - xm::get_memory_info().bytes_used / 1024;
}

FEATURE(MP_15_memory, "CPU_NUM_DEVICES=4") {
  constexpr int64_t kWide = 3000, kModel = kWide * kWide * 4 / 1024;
  xmp::MpModelWrapper<nn::Linear> wrapper(nn::Linear(kWide, kWide));
  Texts got = in_processes(4,
                           [&](int) {
                             Tensor warm = ones({2}, xm::xla_device()) + 1.0;
                             text_of(warm);
                             int64_t before = host_kilobytes();
                             nn::Linear model = wrapper.to(xm::xla_device());
                             text_of(model->weight.detach()[0]);
                             return std::to_string(host_kilobytes() - before);
                           },
                           {.start_method = "fork"});
  int64_t grown = 0;
  for (const std::string &each : got)
    grown += std::stoll(each);
  EXPECT_LT(grown, 4 * kModel);
}

FEATURE(MP_16, "CPU_NUM_DEVICES=4") {
  xmp::MpSerialExecutor turns;
  auto *inside = static_cast<std::atomic<int> *>(
      mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void *>(inside), MAP_FAILED);
  new (inside) std::atomic<int>(0);
  Texts got = in_processes(4, [&](int i) {
    return turns.run([&] {
      REQUIRE(inside->fetch_add(1) == 0);
      usleep(20000);
      REQUIRE(inside->fetch_sub(1) == 1);
      return std::to_string(10 * i);
    });
  });
  EXPECT_EQ(got, (Texts{"0", "10", "20", "30"}));
}

/// A process that dies while holding the lock releases it.
FEATURE(MP_16_death, "CPU_NUM_DEVICES=2") {
  xmp::MpSerialExecutor turns;
  EXPECT_THROW(xmp::spawn([&](int) { turns.run([] { raise(SIGKILL); }); }),
               ProcessRaisedError);
  EXPECT_EQ(turns.run([] { return 3; }), 3);
}

//===- Files --------------------------------------------------------------===//

static int file_count(const std::string &folder) {
  return static_cast<int>(
      std::distance(std::filesystem::directory_iterator(folder), {}));
}

FEATURE(SL_17, "CPU_NUM_DEVICES=2") {
  TemporaryFolder local, global;
  EXPECT_EQ(on_hosts(2, 13417,
                     [&](int host) {
                       xmp::spawn([&](int) {
                         Tensor t = ones({2}, xm::xla_device());
                         std::string name = "/" + std::to_string(host);
                         xm::save(t, local.path() + name);
                         xm::save(t, global.path() + name,
                                  {.global_master = true});
                       });
                     }),
            (std::vector<int>{0, 0}));
  EXPECT_EQ(file_count(local.path()), 2);
  EXPECT_EQ(file_count(global.path()), 1);
}

FEATURE(SL_18, "CPU_NUM_DEVICES=4") {
  TemporaryFolder folder;
  std::string path = folder.path() + "/t.pt";
  in_processes(4, [&](int i) {
    if (i == 0)
      usleep(200000);
    xm::save(ones({2}, xm::xla_device()), path, {.sync = true});
    REQUIRE(text_of(load<Tensor>(path)) == "1 1 ");
    return "";
  });
}

FEATURE(SL_19, "CPU_NUM_DEVICES=4") {
  TemporaryFolder folder;
  in_processes(4, [&](int) {
    xm::save(ones({2}, xm::xla_device()),
             folder.path() + "/" + std::to_string(getpid()));
    return "";
  });
  EXPECT_EQ(file_count(folder.path()), 1);
}
