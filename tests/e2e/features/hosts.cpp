// POD: jobs of several hosts, simulated by processes of this machine.
#include "jobs.h"

#include <chrono>
#include <cmath>
#include <set>

using namespace xlac;
using namespace xlac::features;

using Texts = std::vector<std::string>;

/// Returns fn(ordinal) of two hosts with two processes each, by ordinal.
static Texts on_two_hosts(int port, const std::function<std::string(int)> &fn) {
  Notes notes;
  EXPECT_EQ(on_hosts(2, port,
                     [&](int) {
                       xmp::spawn(
                           [&](int index) { notes.write(index, fn(index)); });
                     }),
            (std::vector<int>{0, 0}));
  EXPECT_EQ(notes.count(), 4);
  return notes.read_all(4);
}

FEATURE(POD_01, "CPU_NUM_DEVICES=2", "MASTER_ADDR=127.0.0.2") {
  EXPECT_EQ(on_two_hosts(13601,
                         [](int i) {
                           REQUIRE(xr::world_size() == 4);
                           Tensor x = full({3}, i, xm::xla_device());
                           return text_of(xm::all_reduce(xm::REDUCE_SUM, x));
                         }),
            Texts(4, "6 6 6 "));
}

FEATURE(POD_02, "CPU_NUM_DEVICES=2", "PJRT_DEVICE=CPU") {
  EXPECT_EQ(in_processes(2, [](int) { return xm::xla_device().str(); }),
            Texts(2, "xla:0"));
}

FEATURE(POD_02_tpu, "CPU_NUM_DEVICES=2", "PJRT_DEVICE=TPU") {
  EXPECT_CONTAINS(message_of<DeviceError>([] { xmp::spawn([](int) {}); }),
                  "PJRT_DEVICE=TPU: only CPU devices are available");
}

/// Host 1 starts three seconds before host 0.
FEATURE(POD_04, "CPU_NUM_DEVICES=1") {
  auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(on_hosts(2, 13604,
                     [](int host) {
                       if (host == 0)
                         sleep(3);
                       xmp::spawn([](int) {
                         REQUIRE(xm::rendezvous("there").size() == 2);
                       });
                     }),
            (std::vector<int>{0, 0}));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

/// The error names a process that does not join.
FEATURE(POD_04_missing, "CPU_NUM_DEVICES=1", "XLAC_COLLECTIVE_TIMEOUT=1") {
  EXPECT_EQ(on_hosts(2, 13614,
                     [](int host) {
                       if (host == 1)
                         return;
                       std::string problem = message_of<ProcessRaisedError>(
                           [] { xmp::spawn([](int) {}); });
                       REQUIRE(problem.find("host 1") != std::string::npos);
                     }),
            (std::vector<int>{0, 0}));
}

FEATURE(POD_08, "CPU_NUM_DEVICES=2") {
  Texts got = on_two_hosts(13608, [](int i) {
    REQUIRE(xr::global_ordinal() == i);
    REQUIRE(xr::world_size() == 4 && xr::process_count() == 4);
    REQUIRE(xr::global_device_count() == 4 && xr::local_device_count() == 2);
    REQUIRE(xr::local_process_count() == 2);
    REQUIRE(xr::addressable_device_count() == 1);
    REQUIRE(xm::xla_replication_devices(xlac::devices()) ==
            Texts({"CPU:0", "CPU:1", "CPU:2", "CPU:3"}));
    std::vector<xr::Attributes> all = xr::global_runtime_device_attributes();
    REQUIRE(all.size() == 4);
    xr::Attributes own = xr::runtime_device_attributes(xm::xla_device());
    REQUIRE(own == all[static_cast<size_t>(i)]);
    REQUIRE(own["host"] == std::to_string(xr::host_index()));
    REQUIRE(own["process"] == std::to_string(xr::process_index()));
    return std::to_string(xr::host_index()) + "." +
           std::to_string(xr::local_ordinal());
  });
  EXPECT_EQ(got, (Texts{"0.0", "0.1", "1.0", "1.1"}));
}

/// The bits of a sum that depends on the order of its addends.
static std::string sum_of_draws(int i) {
  manual_seed(i);
  Tensor x = randn({1000}, xm::xla_device()) * std::pow(10.0, i);
  Tensor bits = xm::all_reduce(xm::REDUCE_SUM, x).view(kInt32);
  return text_of(bits);
}

FEATURE(POD_09, "CPU_NUM_DEVICES=2") {
  Texts apart = on_two_hosts(13609, sum_of_draws);
  setenv("CPU_NUM_DEVICES", "4", 1);
  EXPECT_EQ(apart, in_processes(4, sum_of_draws));
  EXPECT_EQ(std::set<std::string>(apart.begin(), apart.end()).size(), 1u);
}

//===- xlac launch --------------------------------------------------------===//

namespace {

struct Output {
  int status;
  std::string text; ///< of both streams
};

/// Runs `xlac launch` with these shell words.
Output launched(const std::string &words) {
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  std::string tool = self.substr(0, self.rfind('/')) + "/xlac";
  FILE *pipe = popen((tool + " launch " + words + " 2>&1").c_str(), "r");
  Output output{-1, {}};
  char bytes[4096];
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
    output.text.append(bytes, got);
  int status = pclose(pipe);
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return output;
}

/// A script that replaces ssh: it takes a host and a command line, and runs the
/// line locally.
class RemoteShell {
public:
  explicit RemoteShell(const std::string &before = "") {
    std::ofstream(path()) << "#!/bin/sh\n"
                          << before << "shift\nexec sh -c \"$*\"\n";
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  std::string path() const { return folder_.path() + "/remote"; }
  const std::string &folder() const { return folder_.path(); }

private:
  TemporaryFolder folder_;
};

} // namespace

FEATURE(POD_03, "") {
  RemoteShell shell("if [ $1 = 127.0.0.3 ]; then shift; exec sh -c "
                    "\"$(echo \"$*\" | sed s,/here,/there,)\"; fi\n");
  std::ofstream(shell.folder() + "/here") << "#!/bin/sh\nsleep 60\n";
  std::filesystem::permissions(shell.folder() + "/here",
                               std::filesystem::perms::owner_all);
  Output output = launched("--hosts 127.0.0.2,127.0.0.3 --rsh " + shell.path() +
                           " -- " + shell.folder() + "/here");
  EXPECT_NE(output.status, 0);
  EXPECT_CONTAINS(output.text, "127.0.0.3: ");
  EXPECT_CONTAINS(output.text, "/there");
}

/// The code of each process of POD-05's job, which is a separate job in other
/// processes.
FEATURE(POD_05_member, "") {
  xlac::launch([](int i) {
    int world = xr::world_size();
    Tensor x = full({1}, i + 1.0, xm::xla_device());
    REQUIRE(xm::all_reduce(xm::REDUCE_SUM, x).item<double>() ==
            world * (world + 1) / 2.0);
    std::cout << "member " << i << " of " << world << " on host "
              << xr::host_index() << std::endl;
  });
}

FEATURE(POD_05, "") {
  RemoteShell shell;
  setenv("FEATURE_ROW", "POD_05_member", 1);
  std::string self = std::filesystem::read_symlink("/proc/self/exe");
  Output output = launched("--hosts 127.0.0.2,127.0.0.3 --master-port 13605 "
                           "--nproc 2 --rsh " +
                           shell.path() + " -- " + self +
                           " --gtest_filter=Feature.POD_05_member");
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_CONTAINS(output.text, "127.0.0.2: member 0 of 4 on host 0");
  EXPECT_CONTAINS(output.text, "127.0.0.2: member 1 of 4 on host 0");
  EXPECT_CONTAINS(output.text, "127.0.0.3: member 2 of 4 on host 1");
  EXPECT_CONTAINS(output.text, "127.0.0.3: member 3 of 4 on host 1");
}

FEATURE(POD_05_failure, "") {
  RemoteShell shell("[ $1 = 127.0.0.3 ] && exit 9\n");
  Output output = launched("--hosts 127.0.0.2,127.0.0.3 --rsh " + shell.path() +
                           " -- sleep 60");
  EXPECT_EQ(output.status, 9);
  EXPECT_CONTAINS(output.text, "127.0.0.3");
}

/// The launching machine is not one of the hosts and has no devices.
FEATURE(POD_06, "PJRT_DEVICE=TPU") {
  RemoteShell shell("unset PJRT_DEVICE\n");
  std::filesystem::current_path(shell.folder());
  Output output = launched("--hosts 127.0.0.2,127.0.0.3 --rsh " + shell.path() +
                           " -- echo there");
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_CONTAINS(output.text, "127.0.0.2: there");
  EXPECT_CONTAINS(output.text, "127.0.0.3: there");
}

/// One program runs in processes of one host and of two.
FEATURE(POD_07, "CPU_NUM_DEVICES=2") {
  auto program = [](int i) {
    manual_seed(i);
    nn::Linear net = nn::Linear(3, 2).to(xm::xla_device());
    xm::broadcast_master_param(net);
    optim::SGD sgd(net->parameters(), {.lr = 0.1});
    Tensor data = full({2, 3}, 1.0 + i, xm::xla_device());
    for (int step = 0; step < 3; ++step) {
      sgd.zero_grad();
      net(data).pow(2).mean().backward();
      xm::optimizer_step(sgd, {.barrier = true});
    }
    return text_of(net->weight.detach());
  };
  Texts apart = on_two_hosts(13607, program);
  setenv("CPU_NUM_DEVICES", "4", 1);
  EXPECT_EQ(apart, in_processes(4, program));
}
