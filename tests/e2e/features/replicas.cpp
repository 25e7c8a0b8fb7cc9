// RT and XRT: the identity of a replica among threads, processes and hosts.
#include "jobs.h"

#include <atomic>
#include <set>
#include <thread>

using namespace xlac;
using namespace xlac::features;

using Texts = std::vector<std::string>;

/// Returns fn's texts from two hosts with two processes each, by global
/// ordinal.
static Texts on_two_hosts(int port, const std::function<std::string()> &fn) {
  Notes notes;
  EXPECT_EQ(on_hosts(2, port,
                     [&](int) {
                       xmp::spawn([&](int index) { notes.write(index, fn()); });
                     }),
            (std::vector<int>{0, 0}));
  EXPECT_EQ(notes.count(), 4);
  return notes.read_all(4);
}

/// Runs fn on one thread per device of this process, each a replica.
static void on_threads(const std::function<void(Device)> &fn) {
  std::vector<std::thread> threads;
  for (Device device : xlac::devices())
    threads.emplace_back([&fn, device] {
      xm::set_replication(device, xlac::devices());
      fn(device);
      xm::set_replication(device, {});
    });
  for (std::thread &thread : threads)
    thread.join();
}

FEATURE(RT_04, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xr::local_process_count(), 1);
  EXPECT_EQ(
      in_processes(
          4, [](int) { return std::to_string(xr::local_process_count()); }),
      Texts(4, "4"));
}

FEATURE(RT_05, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(
      in_processes(
          4, [](int) { return std::to_string(xr::local_device_count()); }),
      Texts(4, "4"));
}

FEATURE(RT_06_child, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(
      in_processes(
          4,
          [](int) { return std::to_string(xr::addressable_device_count()); }),
      Texts(4, "1"));
  EXPECT_EQ(xr::addressable_device_count(), 4);
}

FEATURE(RT_07, "CPU_NUM_DEVICES=2") {
  EXPECT_EQ(on_two_hosts(13407,
                         [] {
                           return std::to_string(xr::global_device_count()) +
                                  std::to_string(xr::local_device_count());
                         }),
            Texts(4, "42"));
}

FEATURE(RT_08, "CPU_NUM_DEVICES=8") {
  EXPECT_EQ(xr::global_runtime_device_count(), 8);
}

FEATURE(RT_09, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xr::world_size(), 1);
  EXPECT_EQ(
      in_processes(4, [](int) { return std::to_string(xr::world_size()); }),
      Texts(4, "4"));
  std::atomic<int> right{0};
  on_threads([&](Device) { right += xr::world_size() == 4; });
  EXPECT_EQ(right, 4);
  EXPECT_EQ(xr::world_size(), 1);
}

FEATURE(RT_10, "CPU_NUM_DEVICES=4") {
  std::set<std::string> distinct;
  for (const std::string &ordinal : in_processes(
           4, [](int) { return std::to_string(xr::global_ordinal()); }))
    distinct.insert(ordinal);
  EXPECT_EQ(distinct, (std::set<std::string>{"0", "1", "2", "3"}));
}

FEATURE(RT_11, "CPU_NUM_DEVICES=2") {
  Texts got = on_two_hosts(13411, [] {
    return std::to_string(xr::host_index()) + ":" +
           std::to_string(xr::local_ordinal()) + " " +
           std::to_string(xr::process_index()) + "/" +
           std::to_string(xr::process_count());
  });
  EXPECT_EQ(got, (Texts{"0:0 0/4", "0:1 1/4", "1:0 2/4", "1:1 3/4"}));
}

FEATURE(RT_12_hosts, "CPU_NUM_DEVICES=1", "MASTER_ADDR=localhost") {
  EXPECT_EQ(xr::get_master_ip(), "127.0.0.1");
  Notes notes;
  on_hosts(2, 13412, [&](int host) {
    xmp::spawn([&](int) { notes.write(host, xr::get_master_ip()); });
  });
  EXPECT_EQ(notes.read_all(2), Texts(2, "127.0.0.1"));
}

FEATURE(XRT_01, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xm::xrt_world_size(), 1);
  EXPECT_EQ(xm::xrt_world_size(7), 7);
  EXPECT_EQ(in_processes(
                4, [](int) { return std::to_string(xm::xrt_world_size(7)); }),
            Texts(4, "4"));
}

FEATURE(XRT_02, "CPU_NUM_DEVICES=4") {
  EXPECT_EQ(xm::get_ordinal(9), 9);
  EXPECT_EQ(
      in_processes(4, [](int) { return std::to_string(xm::get_ordinal(9)); }),
      (Texts{"0", "1", "2", "3"}));
}

FEATURE(XRT_03, "CPU_NUM_DEVICES=2") {
  EXPECT_EQ(xm::get_local_ordinal(9), 9);
  EXPECT_EQ(on_two_hosts(
                13403, [] { return std::to_string(xm::get_local_ordinal(9)); }),
            (Texts{"0", "1", "0", "1"}));
}

FEATURE(XRT_04, "CPU_NUM_DEVICES=4") {
  std::atomic<int> right{0};
  on_threads([&](Device device) {
    Tensor own = full({1}, xr::global_ordinal(), device);
    right += text_of(xm::all_reduce(xm::REDUCE_SUM, own)) == "6 ";
  });
  EXPECT_EQ(right, 4);
  std::vector<Device> few = {Device("xla:0"), Device("xla:1")};
  EXPECT_CONTAINS(message_of<Error>([&] { xm::set_replication(few[0], few); }),
                  "Cannot replicate if number of devices");
  EXPECT_EQ(xr::world_size(), 1);
}

FEATURE(XRT_05_processes, "CPU_NUM_DEVICES=4") {
  in_processes(4, [](int) {
    REQUIRE(xm::xla_replication_devices(xlac::devices()) ==
            Texts({"CPU:0", "CPU:1", "CPU:2", "CPU:3"}));
    return "";
  });
}

FEATURE(XRT_07, "CPU_NUM_DEVICES=2", "XRT_MESH_SERVICE_ADDRESS=nowhere:1",
        "XRT_LOCAL_WORKER=none:9", "XRT_SHARD_WORLD_SIZE=5") {
  in_processes(2, [](int) {
    REQUIRE(xm::rendezvous("no server").size() == 2);
    REQUIRE(xm::xrt_world_size() == 2);
    return "";
  });
}

/// Six batches, of which the fifth has another size.
static std::vector<Tensor> uneven_batches() {
  std::vector<Tensor> batches;
  for (int64_t rows : {4, 4, 4, 4, 3, 4})
    batches.push_back(ones({rows, 2}));
  return batches;
}

FEATURE(XRT_08, "CPU_NUM_DEVICES=2") {
  std::vector<Tensor> batches = uneven_batches();
  Device device = xlac::device();
  auto count = [](auto &loader) {
    int total = 0;
    for (const Tensor &batch : loader)
      total += batch.size(0) == 4;
    return total;
  };
  pl::ParallelLoader loader(batches, {device}, {.fixed_batch_size = true});
  auto alone = loader.per_device_loader(device);
  EXPECT_EQ(count(alone), 4);
  dp::DataParallel model([] { return nn::Linear(2, 2); });
  auto loop = [&](nn::Linear &, auto &own, Device, dp::Context &) {
    return count(own);
  };
  EXPECT_EQ(model(loop, batches, /*fixed_batch_size=*/true),
            (std::vector<int>{2, 2}));
}

FEATURE(CC_21, "CPU_NUM_DEVICES=2") {
  EXPECT_TRUE(xm::is_master_ordinal() && xm::is_master_ordinal(false));
  EXPECT_EQ(on_two_hosts(13421,
                         [] {
                           return std::to_string(xm::is_master_ordinal()) +
                                  std::to_string(xm::is_master_ordinal(false));
                         }),
            (Texts{"11", "00", "10", "00"}));
}
