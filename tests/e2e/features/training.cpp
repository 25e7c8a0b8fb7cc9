// NN: optimizers, schedulers, loaders, and the training of digits.
#include "feature_rows.h"
#include "mnist.h"

#include <cmath>
#include <memory>

using namespace xlac;
using namespace xlac::features;

//===- Steps --------------------------------------------------------------===//

FEATURE(NN_05) {
  Device dev = xlac::device();
  struct {
    optim::SGDOptions options;
    double parameter, buffer = 0;
  } cases[] = {{{.lr = 0.1}, 1},
               {{.lr = 0.1, .momentum = 0.9}, 1},
               {{.lr = 0.1, .momentum = 0.9, .dampening = 0.5}, 1},
               {{.lr = 0.1, .weight_decay = 0.2}, 1},
               {{.lr = 0.1, .momentum = 0.9, .nesterov = true}, 1}};
  for (auto &[o, wanted, buffer] : cases) {
    Tensor p = ones({3}, dev).requires_grad_();
    optim::SGD optimizer({p}, o);
    for (int step = 0; step < 3; ++step) {
      // The gradient is that of 1.5 p².
      optimizer.zero_grad();
      (1.5 * p * p).sum().backward();
      optimizer.step();
      xlac::sync();
      double direction = 3 * wanted + o.weight_decay * wanted;
      if (o.momentum != 0) {
        buffer = step == 0
                     ? direction
                     : o.momentum * buffer + (1 - o.dampening) * direction;
        direction = o.nesterov ? direction + o.momentum * buffer : buffer;
      }
      wanted -= o.lr * direction;
      EXPECT_NEAR(p[1].item<double>(), wanted, 1e-6) << step;
    }
    for_each_tensor(optimizer.state_dict(),
                    [&](const Tensor &kept) { EXPECT_EQ(kept.device(), dev); });
  }
}

using MadeOptimizer = std::unique_ptr<optim::Optimizer>;

template <class Kind> static MadeOptimizer make(std::vector<Tensor> params) {
  return std::make_unique<Kind>(std::move(params));
}

FEATURE(NN_06) {
  Device dev = xlac::device();
  const std::vector<MadeOptimizer (*)(std::vector<Tensor>)> kinds = {
      make<optim::SGD>,      make<optim::Adam>,   make<optim::AdamW>,
      make<optim::Adagrad>,  make<optim::Adamax>, make<optim::NAdam>,
      make<optim::Adadelta>, make<optim::RAdam>,  make<optim::RMSprop>,
      make<optim::Rprop>,    make<optim::Lion>};
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    manual_seed(4);
    nn::Linear on_cpu(5, 3);
    nn::Linear on_xla = on_cpu.clone(dev);
    MadeOptimizer first = kinds[kind](on_cpu->parameters());
    MadeOptimizer second = kinds[kind](on_xla->parameters());
    optim::ExponentialLR schedule(*first, 0.9), same(*second, 0.9);
    int64_t known = 0;
    for (int step = 0; step < 10; ++step) {
      Tensor data = randn({6, 5});
      auto run = [&](const nn::Linear &model, optim::Optimizer &optimizer,
                     const Tensor &x) {
        optimizer.zero_grad();
        (model(x) * model(x)).mean().backward();
        optimizer.step();
      };
      run(on_cpu, *first, data);
      run(on_xla, *second, data.to(dev));
      xlac::sync();
      schedule.step();
      same.step();
      if (step > 0) {
        EXPECT_EQ(counter("UncachedCompile"), known) << kind << " " << step;
      }
      known = counter("UncachedCompile");
    }
    EXPECT_LT(same.get_last_lr(),
              0.4 * second->param_groups()[0].options.at("initial_lr"));
    EXPECT_TRUE(allclose(on_xla->weight.cpu(), on_cpu->weight, 1e-4, 1e-5))
        << kind;
  }
}

FEATURE(NN_13) {
  Tensor p = ones({2}, xlac::device()).requires_grad_();
  optim::Adam optimizer({p}, {.lr = 0.5});
  int64_t id = p.id();
  p.sum().backward();
  EXPECT_EQ(optimizer.step(), std::nullopt);
  xlac::sync();
  EXPECT_EQ(p.id(), id);
  EXPECT_TRUE(p.is_leaf());
  EXPECT_NEAR(p[0].item<double>(), 0.5, 1e-6);
  std::optional<Tensor> loss = optimizer.step({.closure = [&] {
    optimizer.zero_grad();
    Tensor value = p.sum();
    value.backward();
    return value;
  }});
  ASSERT_TRUE(loss);
  EXPECT_NEAR(loss->item<double>(), 1, 1e-5);
}

//===- Batches ------------------------------------------------------------===//

template <class Loader> static std::vector<int64_t> sizes_of(Loader &&loader) {
  std::vector<int64_t> sizes;
  for (auto &[data, target] : loader) {
    EXPECT_EQ(data.size(0), target.size(0));
    sizes.push_back(data.size(0));
  }
  return sizes;
}

FEATURE(NN_15) {
  data::Example<> batch{zeros({4, 2}), zeros({4})};
  std::vector<data::Example<>> list = {batch, batch};
  EXPECT_EQ(sizes_of(list), (std::vector<int64_t>{4, 4}));
  xu::SampleGenerator generator(batch, 3);
  EXPECT_EQ(sizes_of(generator), (std::vector<int64_t>{4, 4, 4}));
  data::TensorDataset rows(zeros({10, 2}), zeros({10}));
  data::DataLoader loader(rows, {.batch_size = 4, .num_workers = 1});
  EXPECT_EQ(sizes_of(loader), (std::vector<int64_t>{4, 4, 2}));
}

FEATURE(DL_18) {
  data::TensorDataset rows(arange(60), arange(60));
  data::DataLoader loader(rows, {.batch_size = 16});
  EXPECT_EQ(sizes_of(loader), (std::vector<int64_t>{16, 16, 16, 12}));
  data::DataLoader whole(rows, {.batch_size = 16, .drop_last = true});
  EXPECT_EQ(sizes_of(whole), (std::vector<int64_t>{16, 16, 16}));
  auto order = [&] {
    data::DataLoader shuffled(
        rows, {.batch_size = 60, .shuffle = true, .num_workers = 2, .seed = 3});
    return (*shuffled.begin()).target.to_vector<int64_t>();
  };
  EXPECT_EQ(order(), order());
  EXPECT_NE(order(), arange(60).to_vector<int64_t>());
  std::vector<int64_t> all;
  for (int64_t rank = 0; rank < 3; ++rank) {
    auto sampler = std::make_shared<data::DistributedSampler>(
        60, data::DistributedSamplerOptions{.num_replicas = 3, .rank = rank});
    data::DataLoader part(rows, {.batch_size = 16, .sampler = sampler});
    EXPECT_EQ(sizes_of(part), (std::vector<int64_t>{16, 4}));
    for (auto &[data, target] : part)
      for (int64_t i : target.to_vector<int64_t>())
        all.push_back(i);
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, arange(60).to_vector<int64_t>());
}

//===- Worked examples ----------------------------------------------------===//

namespace {

/// The losses of all steps, and the accuracy on test digits.
struct Trained {
  std::vector<double> losses;
  double accuracy = 0;
};

double accuracy_of(MNIST model, const std::string &folder, Device device) {
  NoGradGuard no_grad;
  model.eval();
  data::DataLoader loader(mnist_dataset({folder}, false), {.batch_size = 100});
  int64_t right = 0, total = 0;
  for (auto &[data, target] : loader) {
    Tensor told = model(data.to(device)).argmax(1);
    right += told.eq(target.to(device)).sum().item<int64_t>();
    total += target.size(0);
  }
  return static_cast<double>(right) / static_cast<double>(total);
}

template <class Step>
Trained train(const std::string &folder, int epochs, Step step) {
  manual_seed(1);
  Device device = xlac::device();
  data::DataLoader loader(
      mnist_dataset({folder}, true),
      {.batch_size = 64, .shuffle = true, .num_workers = 1, .drop_last = true});
  MNIST model = MNIST().train().to(device);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = 0.05, .momentum = 0.9});
  std::vector<Tensor> losses;
  xm::wait_device_ops();
  const int64_t runs = samples("ExecuteTime");
  for (int epoch = 0; epoch < epochs; ++epoch)
    for (auto &[data, target] : loader) {
      int64_t compiled = counter("UncachedCompile");
      optimizer.zero_grad();
      Tensor loss = loss_fn(model(data.to(device)), target.to(device));
      loss.backward();
      step(optimizer);
      losses.push_back(loss.detach());
      if (losses.size() > 2) {
        EXPECT_EQ(counter("UncachedCompile"), compiled);
      }
    }
  xm::wait_device_ops();
  EXPECT_EQ(samples("ExecuteTime") - runs, static_cast<int64_t>(losses.size()));
  Trained trained;
  for (const Tensor &loss : losses)
    trained.losses.push_back(loss.item<double>());
  trained.accuracy = accuracy_of(model, folder, device);
  return trained;
}

double mean_of_last(const std::vector<double> &losses, size_t count) {
  double sum = 0;
  for (size_t i = losses.size() - count; i < losses.size(); ++i)
    sum += losses[i];
  return sum / static_cast<double>(count);
}

} // namespace

FEATURE(NN_18, "") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path());
  Trained trained = train(folder.path(), 2, [](optim::Optimizer &optimizer) {
    optimizer.step();
    xm::mark_step();
  });
  EXPECT_GT(trained.losses[0], 1.5);
  EXPECT_LT(mean_of_last(trained.losses, 20), 0.3);
  EXPECT_GT(trained.accuracy, 0.95);
}

FEATURE(NN_19, "") {
  TemporaryFolder folder;
  data::write_synthetic_digits(folder.path(), {.train_size = 1000});
  Trained plain = train(folder.path(), 1, [](optim::Optimizer &optimizer) {
    optimizer.step();
    xm::mark_step();
  });
  Trained barred = train(folder.path(), 1, [](optim::Optimizer &optimizer) {
    xm::optimizer_step(optimizer, {.barrier = true});
  });
  EXPECT_EQ(barred.losses, plain.losses);
  EXPECT_EQ(barred.accuracy, plain.accuracy);
}
