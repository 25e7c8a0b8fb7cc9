// State dicts of ResNet-18 and GPT-2 saved by PyTorch, loaded into the models
// of docs/examples. The outputs must equal PyTorch's. Files of narrow models
// are checked in; those of full size are made if Python has torch.
#include "python.h"

#include "gpt2.h"
#include "resnet.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-4;

fs::path seed(const std::string &name) {
  return fs::path(XLAC_COMPAT_FOLDER) / name;
}

/// The contents of a model's file: its state, an input, and the output for it.
struct Case {
  StateDict state;
  Tensor input, output;

  explicit Case(const fs::path &path) {
    Value data = load(path);
    state = from_value<StateDict>(data.at("state_dict"));
    input = data.at("input").to<Tensor>();
    output = data.at("output").to<Tensor>();
  }
};

std::vector<std::string> names_of(const StateDict &state) {
  std::vector<std::string> names;
  for (const auto &[name, tensor] : state)
    names.push_back(name);
  return names;
}

/// The greatest difference relative to the greatest expected number.
double error_of(const Tensor &got, const Tensor &wanted) {
  return ((got.cpu() - wanted).abs().max() / wanted.abs().max()).item<double>();
}

template <class Model>
void expect_same_outputs(Model model, const Case &one, Device device) {
  NoGradGuard no_grad;
  EXPECT_EQ(names_of(model->state_dict()), names_of(one.state));
  model->load_state_dict(one.state);
  model.eval().to(device);
  EXPECT_LT(error_of(model(one.input.to(device)), one.output), kTolerance)
      << device;
}

#ifndef XLAC_FULL_SIZE
ResNet18 narrow_resnet18() {
  return ResNet18(ResNetOptions{.num_classes = 5, .width = 2});
}
const GPT2Options kNarrowGPT2{
    .vocab_size = 31, .context = 16, .width = 12, .layers = 2, .heads = 3};

TEST(TorchModels, ResNet18) {
  Case one(seed("torch_resnet18_narrow.pt"));
  for (Device device : {Device(kCPU), Device("xla:0")})
    expect_same_outputs(narrow_resnet18(), one, device);
}

TEST(TorchModels, GPT2) {
  Case one(seed("torch_gpt2_narrow.pt"));
  for (Device device : {Device(kCPU), Device("xla:0")})
    expect_same_outputs(GPT2(kNarrowGPT2), one, device);
}

/// One token at a time gives the same scores as the whole sequence, with one
/// program.
TEST(TorchModels, GPT2TokenByToken) {
  Case one(seed("torch_gpt2_narrow.pt"));
  NoGradGuard no_grad;
  Device device("xla:0");
  GPT2 model = GPT2(kNarrowGPT2).eval();
  model->load_state_dict(one.state);
  model.to(device);
  KVCache cache(kNarrowGPT2, one.input.size(0), device);
  xlac::sync();
  auto decode = xlac::compile(
      [&](const Tensor &token) { return model->forward_one(token, cache); },
      {.full_graph = true, .name = "decode", .max_different_graphs = 1});
  std::vector<Tensor> scores;
  for (int64_t i = 0; i < one.input.size(1); ++i)
    scores.push_back(decode(one.input.narrow(1, i, 1).to(device)));
  EXPECT_LT(error_of(stack(scores, 1), one.output), kTolerance);
}

#else
/// Checks a model of full size from PyTorch, and PyTorch with the file that is
/// saved here.
template <class Model> void check_with_torch(const std::string &name) {
  std::string python = serialize::python_with("torch");
  if (python.empty())
    GTEST_SKIP() << "python3, or XLAC_TORCH_PYTHON, has no torch";
  xu::TmpFolder folder;
  auto run = [&](const std::string &command, const std::string &saved) {
    std::string line = python + " " + seed("torch_models.py").string() + " " +
                       command + " " + name + " " +
                       (folder.name() / "case.pt").string() + " " + saved;
    ASSERT_EQ(std::system(line.c_str()), 0) << line;
  };
  run("make", "");
  Case one(folder.name() / "case.pt");
  Device device("xla:0");
  expect_same_outputs(Model(), one, device);
  Model model;
  model->load_state_dict(one.state);
  model.to(device);
  xm::save(model->state_dict(), folder.name() / "saved.pt");
  run("check", (folder.name() / "saved.pt").string());
  if (!serialize::python_with("safetensors").empty()) {
    save_safetensors(model->state_dict(), folder.name() / "saved.safetensors");
    run("check", (folder.name() / "saved.safetensors").string());
  }
}

TEST(TorchModels, FullResNet18) { check_with_torch<ResNet18>("resnet18"); }
TEST(TorchModels, FullGPT2) { check_with_torch<GPT2>("gpt2"); }
#endif

} // namespace
} // namespace xlac
