// Distributed checkpoints: written on eight devices, read on others. Each
// number of devices needs a process of its own, so that tests run this program
// again with a test of DISABLED_Child and variables of the environment.
#include "eight_devices.h"
#include "spmd_models.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace xlac {
namespace {

namespace fs = std::filesystem;

/// Tests of DISABLED_Child get the folder of their checkpoint.
const char *child_folder() { return std::getenv("CHECKPOINT_FOLDER"); }

const bool kDevices = test::use_eight_devices(/*overwrite=*/false);

Device xla() { return Device("xla:0"); }

xs::Mesh row() {
  int64_t count = xr::global_runtime_device_count();
  return xs::Mesh(test::device_ids(count), {count}, {"fsdp"});
}

class Folder {
public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "xlac-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  operator fs::path() const { return path_ / "checkpoint"; }
  fs::path operator/(const char *name) const { return path_ / name; }

private:
  fs::path path_;
};

pid_t start_child(
    const char *test, const fs::path &folder,
    const std::vector<std::pair<const char *, std::string>> &env) {
  pid_t child = fork();
  if (child != 0)
    return child;
  setenv("CHECKPOINT_FOLDER", folder.c_str(), 1);
  for (const auto &[name, value] : env)
    setenv(name, value.c_str(), 1);
  std::string filter = std::string("--gtest_filter=DISABLED_Child.") + test;
  execl("/proc/self/exe", "checkpoint_test", filter.c_str(),
        "--gtest_also_run_disabled_tests", nullptr);
  _exit(127);
}

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// A model, its optimizer and a step of training.
struct Training {
  test::Convnet net = test::Convnet().to(xla());
  xs::SpmdFullyShardedDataParallel<test::Convnet> sharded{net, {.mesh = row()}};
  optim::SGD optimizer{net->parameters(), {.lr = 0.1, .momentum = 0.9}};

  void step() {
    Tensor images = arange(16 * 3 * 8 * 8).to(kFloat32).view({16, 3, 8, 8});
    optimizer.zero_grad();
    sharded((images / 3000.0).sin().to(xla())).square().mean().backward();
    optimizer.step();
    xm::mark_step();
  }
};

void expect_close(const StateDict &got, const StateDict &wanted) {
  for (const auto &[name, tensor] : wanted)
    EXPECT_TRUE(allclose(got.at(name).cpu(), tensor.cpu(), 1e-4, 1e-6)) << name;
}

//===- Other meshes -------------------------------------------------------===//

TEST(DISABLED_Child, ContinuesTraining) {
  fs::path folder = child_folder();
  manual_seed(7); // the values of the checkpoint replace these
  Training training;
  dist_cp::load(*training.net, training.optimizer, folder);
  for (const Tensor &parameter : training.net->parameters())
    EXPECT_EQ(parameter.device(), xla());
  training.step();
  expect_close(training.net->state_dict(),
               load<StateDict>(folder.parent_path() / "wanted.pt"));
}

TEST(Checkpoint, ContinuesOnOtherMeshes) {
  Folder folder;
  manual_seed(1);
  Training training;
  training.step();
  dist_cp::save(*training.net, training.optimizer, folder);
  training.step();
  save(training.net->state_dict(), folder / "wanted.pt");
  for (const char *devices : {"4", "3", "2", "1"}) {
    pid_t child = start_child("ContinuesTraining", folder,
                              {{"CPU_NUM_DEVICES", devices}});
    EXPECT_EQ(status_of(child), 0) << devices << " devices";
  }
}

TEST(DISABLED_Child, SavesAsOneOfTwoProcesses) {
  Tensor t = arange(26).to(kFloat32).view({13, 2}).to(xla());
  Tensor whole = arange(5).to(xla());
  xs::mark_sharding(t, row(), {"fsdp", None});
  StateDict state;
  state["t"] = t;
  state["whole"] = whole;
  dist_cp::save(state, child_folder());
  t.zero_();
  whole.zero_();
  dist_cp::load_into(state, child_folder());
  auto shards = xs::XLAShardedTensor(t, {8}).local_shards();
  ASSERT_EQ(shards.size(), 4u);
  for (const xs::XLAShard &shard : shards)
    if (shard.unpadded_data().numel() > 0) {
      EXPECT_EQ(shard.data[0][0].item<float>(),
                2.0f * static_cast<float>(*shard.indices[0].start));
    }
  EXPECT_TRUE(equal(whole.cpu(), arange(5)));
}

TEST(Checkpoint, EachProcessWritesItsShards) {
  Folder folder;
  std::string port = std::to_string(20000 + getpid() % 20000);
  std::vector<pid_t> children;
  for (const char *host : {"0", "1"})
    children.push_back(start_child("SavesAsOneOfTwoProcesses", folder,
                                   {{"CPU_NUM_DEVICES", "4"},
                                    {"XLAC_NUM_HOSTS", "2"},
                                    {"XLAC_HOST_INDEX", host},
                                    {"XLAC_COLLECTIVE_TIMEOUT", "60"},
                                    {"MASTER_PORT", port}}));
  for (pid_t child : children)
    EXPECT_EQ(status_of(child), 0);
  EXPECT_TRUE(fs::exists(fs::path(folder) / "elements_0_0_0.safetensors"));
  EXPECT_TRUE(fs::exists(fs::path(folder) / "elements_0_1_0.safetensors"));
  auto read = dist_cp::load(folder);
  EXPECT_TRUE(
      equal(read.at("t").to<Tensor>(), arange(26).to(kFloat32).view({13, 2})));
}

//===- Values -------------------------------------------------------------===//

/// Tensors of many dtypes and shapes, and other data.
Value many_values() {
  Value::List tensors;
  for (Dtype dtype : {kFloat32, kFloat64, kFloat16, kBFloat16, kInt64, kInt32,
                      kInt16, kInt8, kUInt8, kBool, kComplex64, kComplex128})
    for (const Shape &sizes : {Shape{}, Shape{0, 3}, Shape{19}, Shape{9, 2, 3}})
      tensors.emplace_back((randn(sizes) * 5.0).to(dtype));
  return Value::Dict{{"tensors", std::move(tensors)},
                     {"step", 3},
                     {"name", "a"},
                     {"nothing", None}};
}

TEST(Checkpoint, KeepsDtypesSizesAndOtherData) {
  Folder folder;
  Value wanted = many_values();
  Value sharded = map_tensors(wanted, [](const Tensor &tensor) {
    Tensor moved = tensor.to(xla());
    if (tensor.dim() > 0)
      xs::mark_sharding(moved, row(), xs::PartitionSpec([&] {
                          std::vector<xs::SpecEntry> entries(
                              static_cast<size_t>(tensor.dim()), None);
                          entries[0] = "fsdp";
                          return entries;
                        }()));
    return moved;
  });
  for (const Value &data : {wanted, sharded}) {
    dist_cp::save(data, folder);
    Value got = dist_cp::load(folder);
    EXPECT_EQ(got.at("step").to<int>(), 3);
    EXPECT_EQ(got.at("name").to<std::string>(), "a");
    EXPECT_TRUE(got.at("nothing").is<None_t>());
    for (size_t i = 0; i < wanted.at("tensors").size(); ++i) {
      auto a = wanted.at("tensors").at(i).to<Tensor>();
      auto b = got.at("tensors").at(i).to<Tensor>();
      EXPECT_EQ(a.dtype(), b.dtype());
      EXPECT_EQ(a.sizes(), b.sizes());
      EXPECT_TRUE(equal(a, b)) << i;
    }
  }
}

TEST(Checkpoint, LoadsInPlaceWithAnotherShardingAndDtype) {
  Folder folder;
  Tensor whole = arange(70).to(kFloat32).view({10, 7});
  Tensor saved = whole.to(xla());
  xs::mark_sharding(saved, row(), {"fsdp", None});
  dist_cp::save(std::map<std::string, Tensor>{{"t", saved}}, folder);
  xs::Mesh grid(test::device_ids(8), {4, 2}, {"x", "y"});
  Tensor columns = zeros({10, 7}, TensorOptions(kFloat64).device(xla()));
  xs::mark_sharding(columns, grid, {"y", "x"});
  std::string spec = xs::get_sharding_spec(columns);
  dist_cp::load_into(std::map<std::string, Tensor>{{"t", columns}}, folder);
  EXPECT_EQ(xs::get_sharding_spec(columns), spec);
  EXPECT_TRUE(equal(columns.cpu(), whole.to(kFloat64)));
}

//===- Errors -------------------------------------------------------------===//

std::map<std::string, Tensor> two_tensors(double value) {
  return {{"a", full({30}, value)}, {"b", full({3, 4}, value)}};
}

/// The message of load(), without the folder.
std::string failure_of(const fs::path &folder) {
  std::string text = message_of<UserError>([&] { dist_cp::load(folder); });
  size_t at = text.find(folder.string());
  return at == std::string::npos ? text
                                 : text.substr(at + folder.string().size());
}

void flip_byte(const fs::path &path, int64_t from_end) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-from_end, std::ios::end);
  char byte = static_cast<char>(file.get());
  file.seekp(-from_end, std::ios::end);
  file.put(static_cast<char>(byte ^ 1));
}

TEST(Checkpoint, ReportsDamagedAndMissingFiles) {
  Folder folder;
  fs::path path = folder, elements = path / "elements_0_0_0.safetensors";
  EXPECT_EQ(failure_of(path),
            ": there is no checkpoint, manifest.pt is missing");
  dist_cp::save(two_tensors(1), path);
  flip_byte(elements, 1);
  EXPECT_EQ(failure_of(path), "/elements_0_0_0.safetensors: this file of the "
                              "checkpoint is damaged: wrong checksum of piece "
                              "'1_0_0'");
  fs::resize_file(elements, fs::file_size(elements) - 4);
  EXPECT_TRUE(
      failure_of(path).starts_with("/elements_0_0_0.safetensors: this "
                                   "file of the checkpoint is damaged"));
  fs::remove(elements);
  EXPECT_EQ(failure_of(path), "/elements_0_0_0.safetensors: this file of the "
                              "checkpoint is missing");
  for (int64_t from_end : {1, 60, 300, 700}) {
    dist_cp::save(two_tensors(1), path);
    flip_byte(path / "manifest.pt", from_end);
    std::string failure = failure_of(path);
    if (failure != "nothing thrown") { // bytes of padding do not matter
      EXPECT_TRUE(failure.starts_with("/manifest.pt: it is damaged"))
          << failure;
    }
  }
  save(Value(Value::Dict{{"a", 1}}), path / "manifest.pt");
  EXPECT_TRUE(failure_of(path).starts_with("/manifest.pt: it is damaged, or no "
                                           "manifest of a checkpoint"));
}

TEST(Checkpoint, ChangesNothingOnErrors) {
  Folder folder;
  dist_cp::save(two_tensors(1), folder);
  auto target = two_tensors(2);
  auto expect_unchanged = [&] {
    for (const auto &[name, tensor] : two_tensors(2))
      EXPECT_TRUE(equal(target.at(name), tensor)) << name;
  };
  target["c"] = zeros({2});
  EXPECT_EQ(message_of<KeyError>([&] { dist_cp::load_into(target, folder); }),
            "load_into(): the checkpoint has no tensor ['c']");
  expect_unchanged();
  target["c"] = target["a"];
  target.erase("c");
  fs::path elements = fs::path(folder) / "elements_0_0_0.safetensors";
  flip_byte(elements, 1);
  EXPECT_THROW(dist_cp::load_into(target, folder), UserError);
  expect_unchanged();
  target["b"] = zeros({4, 3});
  EXPECT_EQ(message_of<ShapeError>([&] { dist_cp::load_into(target, folder); }),
            "load_into(): the checkpoint's tensor ['b'] has sizes [3, 4], "
            "wanted [4, 3]");
}

TEST(Checkpoint, ReportsFoldersThatCannotBeWritten) {
  Folder folder;
  std::ofstream(fs::path(folder)) << "a file";
  EXPECT_THROW(dist_cp::save(two_tensors(1), folder), RuntimeError);
}

//===- Interrupted saves --------------------------------------------------===//

TEST(DISABLED_Child, SavesForever) {
  for (double value = 0;; ++value)
    dist_cp::save(two_tensors(value), child_folder());
}

TEST(Checkpoint, IsWholeAfterAKill) {
  Folder folder;
  fs::path path = folder;
  dist_cp::save(two_tensors(0), path);
  for (int round = 0; round < 4; ++round) {
    auto before = fs::last_write_time(path / "manifest.pt");
    pid_t child = start_child("SavesForever", path, {});
    while (fs::last_write_time(path / "manifest.pt") == before)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::this_thread::sleep_for(std::chrono::microseconds(1700 * round));
    kill(child, SIGKILL);
    status_of(child);
    auto read = from_value<std::map<std::string, Tensor>>(dist_cp::load(path));
    double value = read.at("a")[0].item<double>();
    for (const auto &[name, tensor] : two_tensors(value))
      EXPECT_TRUE(equal(read.at(name), tensor)) << name;
  }
  dist_cp::save(two_tensors(1), path);
  EXPECT_EQ(std::distance(fs::directory_iterator(path), {}), 2);
}

} // namespace
} // namespace xlac
