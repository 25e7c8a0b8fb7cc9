// MP and POD: training in several processes, as in the examples.
#include "digits.h"
#include "jobs.h"
#include "resnet.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>

using namespace xlac::features;

namespace {

/// Returns the bits of all parameters.
std::string bits_of(const nn::Module &module) {
  std::string bits;
  for (const Tensor &parameter : module.parameters()) {
    Floats values = parameter.detach().cpu().to_vector<float>();
    bits.append(reinterpret_cast<const char *>(values.data()),
                values.size() * sizeof(float));
  }
  return bits;
}

void expect_equal(const std::vector<std::string> &texts) {
  EXPECT_FALSE(texts[0].empty());
  for (size_t i = 1; i < texts.size(); ++i)
    EXPECT_EQ(texts[i] == texts[0], true) << "replica " << i << " differs";
}

/// MNIST of the examples without its BatchNorm layers, since these depend on
/// the size of a replica's batch.
struct PlainImpl : nn::Module {
  nn::Conv2d conv1 = register_module("conv1", nn::Conv2d(1, 10, 5));
  nn::Conv2d conv2 = register_module("conv2", nn::Conv2d(10, 20, 5));
  nn::Linear fc1 = register_module("fc1", nn::Linear(320, 50));
  nn::Linear fc2 = register_module("fc2", nn::Linear(50, 10));

  Tensor forward(Tensor x) {
    x = F::relu(F::max_pool2d(conv1(x), {2}));
    x = F::relu(F::max_pool2d(conv2(x), {2}));
    x = F::relu(fc1(flatten(x, 1)));
    return F::log_softmax(fc2(x), 1);
  }
};
XLAC_MODULE(Plain);

constexpr optim::SGDOptions kDescent{.lr = 0.05, .momentum = 0.9};

/// Returns the samples in order, in batches of all replicas together.
auto batches_of(const std::string &folder, bool train, int64_t batch_size) {
  auto digits = mnist_dataset({folder}, train);
  auto sampler = std::make_shared<data::DistributedSampler>(
      digits.size(), data::DistributedSamplerOptions{.shuffle = false});
  return data::DataLoader(digits, {.batch_size = batch_size / xr::world_size(),
                                   .sampler = sampler,
                                   .num_workers = 1,
                                   .drop_last = true});
}

/// Returns the mean losses of the steps over the replicas.
template <class Model>
std::vector<double> train(Model &model, const std::string &folder, int epochs,
                          int64_t batch_size, optim::SGDOptions descent) {
  Device device = xm::xla_device();
  auto loader = batches_of(folder, true, batch_size);
  pl::MpDeviceLoader batches(loader, device);
  model->to(device);
  model->train();
  xm::broadcast_master_param(model);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), descent);
  std::vector<Tensor> losses;
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (auto &[data, target] : batches) {
      optimizer.zero_grad();
      Tensor loss = loss_fn(model(data), target);
      loss.backward();
      xm::optimizer_step(optimizer);
      losses.push_back(loss.detach());
    }
  std::vector<double> means;
  for (const Tensor &loss : losses)
    means.push_back(xm::mesh_reduce("loss", loss.item<double>(), mean_of));
  return means;
}

template <class Model> double test(Model &model, const std::string &folder) {
  Device device = xm::xla_device();
  NoGradGuard no_grad;
  model->eval();
  auto loader = batches_of(folder, false, 100);
  pl::MpDeviceLoader batches(loader, device);
  Tensor right = zeros({}, TensorOptions(device).dtype(kInt64));
  int64_t total = 0;
  for (auto &[data, target] : batches) {
    right += model(data).argmax(1).eq(target).sum();
    total += target.size(0);
  }
  double accuracy = 100.0 * static_cast<double>(right.item<int64_t>()) /
                    static_cast<double>(total);
  return xm::mesh_reduce("accuracy", accuracy, mean_of);
}

std::vector<double> numbers_of(const std::string &text) {
  std::istringstream stream(text);
  std::vector<double> numbers;
  for (double number; stream >> number;)
    numbers.push_back(number);
  return numbers;
}
std::string text_of(const std::vector<double> &numbers) {
  std::ostringstream stream;
  stream.precision(17);
  for (double number : numbers)
    stream << number << " ";
  return stream.str();
}

} // namespace

FEATURE(MP_11, "CPU_NUM_DEVICES=4") {
  // As examples/train_mnist_mp_parallel_loader.cpp, with different images in
  // each replica.
  expect_equal(in_processes(4, [](int index) {
    Device device = xm::xla_device();
    manual_seed(100 + index);
    xu::SampleGenerator train_loader(
        data::Example<>{randn({8, 1, 28, 28}), full({8}, index)}, 6);
    manual_seed(1);
    MNIST model = MNIST().train().to(device);
    nn::NLLLoss loss_fn;
    optim::SGD optimizer(model->parameters(), {.lr = 0.01, .momentum = 0.5});
    std::string before = bits_of(*model);
    for (int epoch = 0; epoch < 2; ++epoch) {
      pl::ParallelLoader para_loader(train_loader, {device});
      for (auto &[data, target] : para_loader.per_device_loader(device)) {
        optimizer.zero_grad();
        loss_fn(model(data), target).backward();
        xm::optimizer_step(optimizer);
      }
    }
    REQUIRE(bits_of(*model) != before);
    return bits_of(*model);
  }));
}

FEATURE(MP_12, "CPU_NUM_DEVICES=4") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path(),
                               {.train_size = 1280, .test_size = 1});
  // Each replica has its own weights; the broadcast makes them equal.
  expect_equal(in_processes(4, [&](int index) {
    manual_seed(index);
    MNIST model;
    train(model, folder.path(), 1, 64, kDescent);
    return bits_of(*model);
  }));
  // The example's options for four replicas, with a learning rate that is low
  // enough that rounding errors do not grow.
  constexpr optim::SGDOptions slow{.lr = 0.04, .momentum = 0.5};
  std::vector<double> together = numbers_of(in_processes(4, [&](int index) {
    manual_seed(index);
    Plain model;
    return text_of(train(model, folder.path(), 2, 64, slow));
  })[0]);
  manual_seed(0);
  Plain model;
  std::vector<double> alone = train(model, folder.path(), 2, 64, slow);
  ASSERT_EQ(together.size(), alone.size());
  ASSERT_EQ(alone.size(), 40u);
  EXPECT_LT(alone[39], 0.8 * alone[0]);
  for (size_t i = 0; i < alone.size(); ++i)
    EXPECT_NEAR(together[i], alone[i], 1e-4) << "step " << i;
}

FEATURE(MP_13, "CPU_NUM_DEVICES=2") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path(),
                               {.train_size = 8000, .test_size = 2000});
  auto accuracy = [&] {
    manual_seed(1);
    MNIST model;
    train(model, folder.path(), 2, 64, kDescent);
    return test(model, folder.path());
  };
  std::vector<std::string> together =
      in_processes(2, [&](int) { return text_of(std::vector{accuracy()}); });
  EXPECT_EQ(together[0], together[1]);
  double alone = accuracy();
  EXPECT_GT(alone, 96);
  EXPECT_NEAR(numbers_of(together[0])[0], alone, 1);
}

FEATURE(POD_10, "CPU_NUM_DEVICES=2") {
  // As examples/train_resnet50_fake.cpp, with fewer channels and smaller
  // images.
  Notes notes;
  auto train = [&](int index) {
    Device device = xm::xla_device();
    xu::SampleGenerator pictures(
        data::Example<>{zeros({2, 3, 32, 32}), zeros({2}, kInt64)}, 3);
    pl::MpDeviceLoader loader(pictures, device);
    ResNet50 model = ResNet50(ResNetOptions{.width = 4}).train().to(device);
    xm::broadcast_master_param(model);
    nn::CrossEntropyLoss loss_fn;
    optim::SGD optimizer(model->parameters(), {.lr = 0.1, .momentum = 0.9});
    std::vector<double> losses;
    for (auto &[data, target] : loader) {
      optimizer.zero_grad();
      Tensor loss = loss_fn(model(data), target);
      loss.backward();
      xm::optimizer_step(optimizer);
      losses.push_back(loss.item<double>());
    }
    REQUIRE(losses.size() == 3 && xr::world_size() == 4);
    notes.write(index, text_of(losses));
  };
  EXPECT_EQ(on_hosts(2, 13431, [&](int) { xmp::spawn(train); }),
            (std::vector{0, 0}));
  std::vector<std::string> losses = notes.read_all(4);
  expect_equal(losses);
  for (double loss : numbers_of(losses[0]))
    EXPECT_TRUE(std::isfinite(loss)) << loss;
}

//===- The two programs ---------------------------------------------------===//

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string &example) {
  std::ifstream file(std::string(XLAC_EXAMPLES) + "/" + example);
  Lines lines;
  for (std::string line; std::getline(file, line);)
    lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << example;
  return lines;
}

/// Returns the lines of both that are not in their longest common subsequence.
std::pair<Lines, Lines> difference(const Lines &a, const Lines &b) {
  std::vector<std::vector<int>> common(a.size() + 1,
                                       std::vector<int>(b.size() + 1));
  for (size_t i = a.size(); i-- > 0;)
    for (size_t j = b.size(); j-- > 0;)
      common[i][j] = a[i] == b[j]
                         ? common[i + 1][j + 1] + 1
                         : std::max(common[i + 1][j], common[i][j + 1]);
  std::pair<Lines, Lines> left;
  size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (i < a.size() && j < b.size() && a[i] == b[j]) {
      ++i;
      ++j;
    } else if (j == b.size() ||
               (i < a.size() && common[i + 1][j] >= common[i][j + 1])) {
      left.first.push_back(a[i++]);
    } else {
      left.second.push_back(b[j++]);
    }
  }
  return left;
}

} // namespace

FEATURE(MP_14) {
  auto [alone, together] =
      difference(lines_of("train_digits.cpp"), lines_of("train_digits_mp.cpp"));
  // Comments, the loader and its sampler, the broadcast, the step, the spawn.
  std::regex allowed("^ *//.*|.*(batch_size|ampler|shuffle = |DataLoader|"
                     "broadcast_master_param|optimizer\\.step|optimizer_step|"
                     "train\\(0, flags\\)|xmp::spawn).*");
  EXPECT_LE(alone.size(), 10u);
  EXPECT_LE(together.size(), 18u);
  for (const Lines *lines : {&alone, &together})
    for (const std::string &line : *lines)
      EXPECT_TRUE(std::regex_match(line, allowed)) << line;
  for (const char *wanted :
       {"broadcast_master_param", "xm::optimizer_step", "xmp::spawn", "ampler"})
    EXPECT_TRUE(std::any_of(together.begin(), together.end(),
                            [&](const std::string &line) {
                              return line.find(wanted) != std::string::npos;
                            }))
        << wanted;
}
