// Trains the networks of docs/examples in one process, or as a rank of a
// launcher:
//
//   job_training digits STEPS FOLDER    MNIST's network, data parallel
//   job_training char_gpt STEPS         GPT-2 on characters, data parallel
//   job_training transformer STEPS      GPT-2 over a mesh of all devices
//
// FOLDER contains MNIST's four files. The first process prints a line for each
// step: "step NUMBER loss LOSS bits BITS". The loss is the mean over replicas.
#include "digits.h"
#include "gpt2.h"
#include "training.h"

#include <bit>
#include <mutex>
#include <optional>

namespace {

struct Options {
  std::string program, folder;
  int64_t steps = 0;
};

void print_losses(const std::vector<Tensor> &losses) {
  for (size_t i = 0; i < losses.size(); ++i) {
    auto loss = losses[i].item<float>();
    std::printf("step %zu loss %.9g bits %d\n", i, loss,
                std::bit_cast<int32_t>(loss));
  }
  std::fflush(stdout);
}

/// Replicas that are threads of a process share the generators. They draw their
/// parameters one after the other, before any of them draws other numbers.
template <class Model> Model made_alike(const std::function<Model()> &make) {
  static std::mutex mutex;
  std::optional<Model> model;
  {
    std::lock_guard lock(mutex);
    manual_seed(1);
    model = make();
  }
  xm::rendezvous("all models are made");
  return *model;
}

/// The mean of a loss over all replicas, added in the order of replicas.
Tensor mean_over_replicas(const Tensor &loss) {
  return xm::all_reduce(xm::REDUCE_SUM, loss.detach(),
                        1.0 / static_cast<double>(xr::world_size()));
}

//===- Data parallel ------------------------------------------------------===//

constexpr int64_t kBatch = 64;

void train_digits(const Options &options) {
  Device device = xm::xla_device();
  auto digits = mnist_dataset({options.folder}, true);
  auto sampler = std::make_shared<data::DistributedSampler>(digits.size());
  data::DataLoader loader(digits, {.batch_size = kBatch / xr::world_size(),
                                   .sampler = sampler,
                                   .num_workers = 1,
                                   .drop_last = true});
  pl::MpDeviceLoader batches(loader, device);
  MNIST model = made_alike<MNIST>([] { return MNIST(); }).train().to(device);
  xm::broadcast_master_param(model);
  nn::NLLLoss loss_fn;
  optim::SGD optimizer(model->parameters(), {.lr = 0.05, .momentum = 0.9});
  std::vector<Tensor> losses;
  for (int epoch = 0; std::ssize(losses) < options.steps; ++epoch) {
    sampler->set_epoch(epoch);
    for (auto &[data, target] : batches) {
      if (std::ssize(losses) == options.steps)
        break;
      optimizer.zero_grad();
      Tensor loss = loss_fn(model(data), target);
      loss.backward();
      xm::optimizer_step(optimizer);
      losses.push_back(mean_over_replicas(loss));
    }
  }
  if (xm::is_master_ordinal(false))
    print_losses(losses);
}

GPT2Options small_gpt2(const Text &text) {
  return {.vocab_size = text.vocabulary(),
          .context = 32,
          .width = 64,
          .layers = 2,
          .heads = 4};
}

Tensor loss_of(GPT2 &model, const Text::Batch &batch) {
  return F::cross_entropy(
      model(batch.inputs).view({-1, model->options.vocab_size}),
      batch.targets.view({-1}));
}

void train_char_gpt(const Options &options) {
  Device device = xm::xla_device();
  Text text(XLAC_EXAMPLE_TEXT);
  GPT2Options sizes = small_gpt2(text);
  std::mt19937 random(1);
  GPT2 model = made_alike<GPT2>([&] { return GPT2(sizes); }).train().to(device);
  optim::AdamW optimizer(model->parameters(), {.lr = 1e-3});
  int64_t rows = 16 / xr::world_size(), first = rows * xr::global_ordinal();
  std::vector<Tensor> losses;
  for (int64_t step = 0; step < options.steps; ++step) {
    // Each replica takes its rows of the batch of all.
    Text::Batch all = text.batch(16, sizes.context, random, kCPU);
    Text::Batch own = {
        all.inputs.slice(0, first, first + rows).clone().to(device),
        all.targets.slice(0, first, first + rows).clone().to(device)};
    optimizer.zero_grad();
    Tensor loss = loss_of(model, own);
    loss.backward();
    xm::optimizer_step(optimizer);
    losses.push_back(mean_over_replicas(loss));
    xm::mark_step();
  }
  if (xm::is_master_ordinal(false))
    print_losses(losses);
}

//===- Over a mesh --------------------------------------------------------===//

/// Batches are sharded over the slices of the job, heads and hidden units over
/// the devices of a slice.
xs::HybridMesh mesh_of_job() {
  int64_t devices = xr::global_runtime_device_count();
  return xs::HybridMesh({.ici_mesh_shape = {1, devices / 2},
                         .dcn_mesh_shape = {2, 1},
                         .axis_names = {"data", "model"}});
}

/// Weights are [in, out] here.
void shard(GPT2 &model, const xs::Mesh &mesh) {
  for (GPT2Block &block : model->transformer->blocks) {
    xs::mark_sharding(block->attn->c_attn->weight, mesh, {None, "model"});
    xs::mark_sharding(block->attn->c_proj->weight, mesh, {"model", None});
    xs::mark_sharding(block->mlp->c_fc->weight, mesh, {None, "model"});
    xs::mark_sharding(block->mlp->c_proj->weight, mesh, {"model", None});
  }
}

void train_transformer(const Options &options) {
  xr::use_spmd();
  Device device = xm::xla_device();
  xs::HybridMesh mesh = mesh_of_job();
  Text text(XLAC_EXAMPLE_TEXT);
  std::mt19937 random(1);
  manual_seed(1);
  GPT2 model = GPT2(small_gpt2(text)).train().to(device);
  shard(model, mesh);
  optim::AdamW optimizer(model->parameters(), {.lr = 1e-3});
  std::vector<Tensor> losses;
  for (int64_t step = 0; step < options.steps; ++step) {
    Text::Batch batch = text.batch(16, model->options.context, random, device);
    xs::mark_sharding(batch.inputs, mesh, {"data", None});
    xs::mark_sharding(batch.targets, mesh, {"data", None});
    optimizer.zero_grad();
    Tensor loss = loss_of(model, batch);
    loss.backward();
    optimizer.step();
    losses.push_back(loss.detach());
    xm::mark_step();
  }
  std::vector<Tensor> here;
  for (const Tensor &loss : losses)
    here.push_back(loss.cpu());
  if (xr::process_index() == 0)
    print_losses(here);
}

} // namespace

int main(int argc, char **argv) {
  Options options{.program = argc > 1 ? argv[1] : "",
                  .folder = argc > 3 ? argv[3] : "",
                  .steps = argc > 2 ? std::atoll(argv[2]) : 0};
  if (options.program == "digits" && argc == 4)
    xmp::spawn([&](int) { train_digits(options); });
  else if (options.program == "char_gpt" && argc == 3)
    xmp::spawn([&](int) { train_char_gpt(options); });
  else if (options.program == "transformer" && argc == 3)
    train_transformer(options);
  else {
    std::fprintf(stderr, "usage: job_training PROGRAM STEPS [FOLDER]\n");
    return 2;
  }
}
