// Time of a training step of a small GPT whose parameters and batch are sharded
// (FSDP) over devices of this process, and the number of programs compiled. One
// device is the plain model:
//
//   fsdp_bench DEVICES [FILE [LAYERS]]
//
// FILE gets the program of the step as StableHLO, for `xlac explain`.
#include "gpt2.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <numeric>

namespace {

struct Task {
  GPT2 model;
  std::function<Tensor(const Tensor &)> logits_of;
  optim::Adam optimizer;
  Tensor tokens, targets;

  /// One step, not run yet. Returns the loss.
  Tensor record() {
    optimizer.zero_grad();
    Tensor logits = logits_of(tokens);
    Tensor loss =
        F::cross_entropy(logits.view({-1, logits.size(2)}), targets.view({-1}));
    loss.backward();
    optimizer.step();
    return loss;
  }
};

Task make_task(int64_t devices, int64_t layers) {
  GPT2Options options{.vocab_size = 1024,
                      .context = 64,
                      .width = 256,
                      .layers = layers,
                      .heads = 8};
  GPT2 model = GPT2(options).train().to(xlac::device());
  std::function<Tensor(const Tensor &)> logits_of =
      [model](const Tensor &tokens) { return model(tokens); };
  if (devices > 1) {
    std::vector<int64_t> ids(static_cast<size_t>(devices));
    std::iota(ids.begin(), ids.end(), 0);
    xs::SpmdFullyShardedDataParallel sharded(
        model,
        {.mesh = xs::Mesh(ids, {devices}, {"fsdp"}),
         .auto_wrap_policy = xs::transformer_auto_wrap_policy<GPT2Block>()});
    logits_of = [sharded](const Tensor &tokens) { return sharded(tokens); };
  }
  Tensor tokens = randint(0, options.vocab_size, {8, options.context}, kInt64)
                      .to(xlac::device());
  return {model, logits_of, optim::Adam(model->parameters(), {.lr = 1e-3}),
          tokens, roll(tokens, {-1}, {1})};
}

double milliseconds_of_step(Task &task) {
  auto start = std::chrono::steady_clock::now();
  Tensor loss = task.record();
  xlac::sync();
  loss.item<float>();
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start;
  return time.count();
}

} // namespace

int main(int argc, char **argv) {
  int64_t devices = argc > 1 ? std::atoll(argv[1]) : 0;
  int64_t layers = argc > 3 ? std::atoll(argv[3]) : 4;
  if (devices < 1 || layers < 1 || argc > 4) {
    std::cerr << "usage: fsdp_bench DEVICES [FILE [LAYERS]]\n";
    return 2;
  }
  xr::set_num_devices(static_cast<int>(devices));
  if (devices > 1)
    xr::use_spmd();
  Task task = make_task(devices, layers);
  xlac::sync();
  auto compiled = [] {
    return met::counter_value("UncachedCompile").value_or(0) +
           met::counter_value("PersistentCacheHit").value_or(0);
  };
  int64_t before = compiled();
  if (argc > 2) {
    Tensor loss = task.record();
    std::vector<Tensor> results = task.model->parameters();
    results.push_back(loss);
    std::ofstream(argv[2]) << xm::get_stablehlo(results);
    xlac::sync();
  }
  double least = milliseconds_of_step(task);
  for (int step = 0; step < 20; ++step)
    least = std::min(least, milliseconds_of_step(task));
  std::cout << devices << " devices: " << least << " ms per step, "
            << compiled() - before << " programs\n";
}
