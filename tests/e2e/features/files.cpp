// SL: files of tensors, in one process.
#include "feature_rows.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace xlac;
using namespace xlac::features;

namespace {

namespace fs = std::filesystem;
using Pair = std::tuple<Tensor, Tensor>;

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The resident memory of the process and its peak.
int64_t memory() {
  std::ifstream facts("/proc/self/statm");
  int64_t virtual_pages = 0, pages = 0;
  facts >> virtual_pages >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}
int64_t peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return int64_t{usage.ru_maxrss} * 1024;
}

/// Runs `fn` in another process that has four devices. This process must not
/// have used any.
void with_four_devices(const std::function<void()> &fn) {
  pid_t child = fork();
  if (child == 0) {
    xr::set_num_devices(4);
    fn();
    _exit(testing::Test::HasFailure());
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

} // namespace

FEATURE(SL_01) {
  xu::TmpFolder folder;
  Value::List dtypes;
  for (int i = 0; i <= static_cast<int>(kFloat8_e8m0fnu); ++i)
    dtypes.push_back(tensor({1, 0, 3}, TensorOptions(static_cast<Dtype>(i))));
  Value data = Value::Dict{
      {"d", dtypes}, {"n", Value::Tuple{{1, 2.5, true, None}}}, {"s", "text"}};
  save(data, folder.name() / "a.pt");
  std::ostringstream first, second;
  first << data;
  second << load(folder.name() / "a.pt");
  EXPECT_EQ(first.str(), second.str());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.name()), {}), 1);
}

FEATURE(SL_02) {
  xu::TmpFolder folder;
  Tensor t0 = randn({2, 2}, xlac::device()), t1 = t0 * 2.0;
  save(std::tuple(t0.cpu(), t1.cpu()), folder.name() / "t.pt");
  auto [a, b] = load<Pair>(folder.name() / "t.pt");
  EXPECT_TRUE(a.is_cpu() && b.is_cpu());
  EXPECT_TRUE(equal(a, t0.cpu()) && equal(b, t1.cpu()));
}

FEATURE(SL_03) {
  xu::TmpFolder folder;
  Device dev = xlac::device();
  Tensor t0 = randn({2, 2}, dev), t1 = randn({2, 2}, dev);
  save(std::tuple(t0.cpu(), t1.cpu()), folder.name() / "t.pt");
  auto [c0, c1] = load<Pair>(folder.name() / "t.pt");
  EXPECT_TRUE(c0.is_cpu() && c1.is_cpu());
  EXPECT_TRUE(equal(c0.to(dev), t0) && equal(c1.to(dev), t1));
}

FEATURE(SL_04) {
  xu::TmpFolder folder;
  save(ones({2}, Device("xla:0")), folder.name() / "t.pt");
  Tensor back = load<Tensor>(folder.name() / "t.pt");
  EXPECT_EQ(back.device().str(), "xla:0");
  EXPECT_TRUE(equal(back.cpu(), ones({2})));
}

FEATURE(SL_05) {
  xu::TmpFolder folder;
  Device dev = xlac::device();
  Tensor t0 = randn({2, 2}, dev), t1 = randn({2, 2}, dev);
  save(std::tuple(t0, t1), folder.name() / "x.pt");
  auto [x0, x1] = load<Pair>(folder.name() / "x.pt");
  EXPECT_EQ(x0.device(), dev);
  EXPECT_TRUE(equal(x0, t0) && equal(x1, t1));
}

FEATURE(SL_06) {
  xu::TmpFolder folder;
  Tensor t = ones({4}, xlac::device()), view = t.slice(0, 0, 2);
  EXPECT_CONTAINS(message_of<UserError>([&] {
                    save(std::tuple(t, view), folder.name() / "v.pt");
                  }),
                  "is sharing a view with tensor ID " + std::to_string(t.id()));
  EXPECT_FALSE(fs::exists(folder.name() / "v.pt"));
  save(std::tuple(t, t), folder.name() / "t.pt");
}

FEATURE(SL_07) {
  xu::TmpFolder folder;
  Tensor t = ones({4}, xlac::device()), view = t.slice(0, 0, 2);
  xm::save(std::tuple(t, view), folder.name() / "v.pt");
  auto [a, b] = load<Pair>(folder.name() / "v.pt");
  b.fill_(7);
  EXPECT_TRUE(equal(a, ones({4})));
  EXPECT_FALSE(a.is_alias_of(b));
}

FEATURE(SL_08, "CPU_NUM_DEVICES=4") {
  xu::TmpFolder folder;
  Tensor t = ones({2}, Device("xla:2"));
  save(t, folder.name() / "t.pt");
  EXPECT_EQ(load<Tensor>(folder.name() / "t.pt").device().str(), "xla:2");
}

FEATURE(SL_09, "") {
  xu::TmpFolder folder;
  fs::path path = folder.name() / "t.pt";
  with_four_devices([&] { save(ones({2}, Device("xla:2")), path); });
  EXPECT_CONTAINS(message_of<DeviceError>([&] { load(path); }),
                  "was saved from xla:2, which is not available");
}

FEATURE(SL_10) {
  xu::TmpFolder folder;
  save(std::tuple(ones({2}, xlac::device()), ones({2})),
       folder.name() / "t.pt");
  testing::internal::CaptureStderr();
  auto [a, b] = load<Pair>(folder.name() / "t.pt", {.map_location = kCPU});
  EXPECT_CONTAINS(testing::internal::GetCapturedStderr(), "map_location");
  EXPECT_TRUE(a.is_xla() && b.is_cpu());
}

FEATURE(SL_11, "") {
  xu::TmpFolder folder;
  fs::path path = folder.name() / "t.pt";
  with_four_devices([&] { save(full({2}, 3.5, Device("xla:3")).cpu(), path); });
  Tensor t = load<Tensor>(path);
  EXPECT_TRUE(t.is_cpu());
  EXPECT_FALSE(xr::is_initialized());
  EXPECT_TRUE(equal(t.to(Device("xla:0")), full({2}, 3.5, Device("xla:0"))));
}

FEATURE(SL_12) {
  xu::TmpFolder folder;
  Tensor t = arange(4, xlac::device()), view = t.slice(0, 0, 2);
  xm::save(std::tuple(t, view), folder.name() / "v.pt");
  auto [a, b] = load<Pair>(folder.name() / "v.pt");
  EXPECT_FALSE(a.is_alias_of(b));
  EXPECT_TRUE(equal(b, view.cpu()));
  b = a.slice(0, 0, 2);
  EXPECT_TRUE(a.is_alias_of(b));
}

FEATURE(SL_13) {
  xu::TmpFolder folder;
  Device dev = xlac::device();
  StateDict state;
  for (const char *name : {"a", "b", "c"})
    state[name] = randn({3}, dev) * 2.0;
  met::clear_all();
  xm::save(state, folder.name() / "m.pt");
  EXPECT_EQ(samples("ExecuteTime"), 1);
  auto back = load<StateDict>(folder.name() / "m.pt");
  EXPECT_EQ(back.size(), 3u);
  EXPECT_TRUE(back.at("b").is_cpu());
  EXPECT_TRUE(equal(back.at("b").to(dev), state.at("b")));
}

FEATURE(SL_14) {
  xu::TmpFolder folder;
  Tensor t = ones({2}, xlac::device());
  xm::save(Value::Dict{{"a", t}, {"l", Value::List{t, t}}, {"n", 3}},
           folder.name() / "d.pt");
  Value back = load(folder.name() / "d.pt");
  EXPECT_TRUE(
      back.at("a").to<Tensor>().is_same(back.at("l").at(1).to<Tensor>()));
  EXPECT_EQ(back.at("n").to<int>(), 3);
}

FEATURE(SL_15) {
  xu::TmpFolder folder;
  Tensor t = ones({2}, xlac::device());
  std::ostringstream os;
  xm::save(t, os);
  xm::save(t, folder.name() / "t.pt");
  EXPECT_EQ(os.str(), content(folder.name() / "t.pt"));
}

FEATURE(SL_16, "CPU_NUM_DEVICES=4") {
  xu::TmpFolder folder;
  auto replica = [&](const Device &device) {
    xm::set_replication(device, xlac::devices());
    std::string name = std::to_string(device.index);
    Tensor t = ones({2}, device) * 2.0;
    xm::save(t, folder.name() / ("all" + name), {.master_only = false});
    xm::save(t, folder.name() / ("master" + name));
  };
  std::vector<std::jthread> threads;
  for (const Device &device : xlac::devices())
    threads.emplace_back(replica, device);
  threads.clear();
  for (int i = 0; i < 4; ++i) {
    std::string name = std::to_string(i);
    EXPECT_TRUE(
        equal(load<Tensor>(folder.name() / ("all" + name)), full({2}, 2.0)));
    EXPECT_EQ(fs::exists(folder.name() / ("master" + name)), i == 0);
  }
}

FEATURE(SL_20) {
  xu::TmpFolder folder;
  fs::path path = folder.name() / "m";
  Tensor t = ones({2}, xlac::device());
  xser::save(Value::List{t, t * 2.0, t * 3.0}, path);
  EXPECT_EQ(
      std::distance(fs::directory_iterator(path.string() + ".tensors"), {}), 3);
  xser::save(Value::List{t}, path);
  EXPECT_EQ(
      std::distance(fs::directory_iterator(path.string() + ".tensors"), {}), 1);
}

FEATURE(SL_21) {
  xu::TmpFolder folder;
  fs::path path = folder.name() / "m";
  Device dev = xlac::device();
  nn::Linear model = nn::Linear(3, 2).to(dev), other = nn::Linear(3, 2).to(dev);
  xser::save(model->state_dict(), path);
  auto back = xser::load<StateDict>(path);
  EXPECT_TRUE(back.at("weight").is_cpu());
  other->load_state_dict(back);
  EXPECT_TRUE(equal(other->weight, model->weight));
  EXPECT_TRUE(equal(other->bias, model->bias));
  fs::remove(path.string() + ".tensors/tensor_0.pt");
  EXPECT_CONTAINS(message_of<Error>([&] { xser::load(path); }), "tensor_0.pt");
}

FEATURE(SL_22, "") {
  xu::TmpFolder folder;
  Device dev = xlac::device();
  std::vector<Tensor> tensors;
  for (int i = 0; i < 10; ++i)
    tensors.push_back(full({25, 1 << 20}, i + 0.5, dev));
  xlac::sync(true);
  int64_t before = memory();
  xser::save(tensors, folder.name() / "m");
  EXPECT_LT(peak_memory() - before, int64_t{150} << 20);
}
