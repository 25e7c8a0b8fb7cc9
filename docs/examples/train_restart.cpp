// Trains in a job of any number of processes and saves the state every few
// steps. After a failure, the same command resumes from the last save, also
// with another number of processes:
//
//   mpirun -n 4 train_restart FOLDER STEPS
//   mpirun -n 2 train_restart FOLDER STEPS
//
// Each process keeps and saves only its shard of the parameters' momentum.
#include <xlac/xlac.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <sys/file.h>

using namespace xlac;
namespace fs = std::filesystem;

namespace {

constexpr int64_t kInputs = 16, kHidden = 64, kBatch = 96, kSaveEvery = 5;
constexpr int64_t kParameters = kInputs * kHidden + kHidden;

/// All values of the network and the optimizer in one dimension, padded so that
/// they divide among the processes.
int64_t padded(int64_t processes) {
  return (kParameters + processes - 1) / processes * processes;
}

Tensor pad_to(const Tensor &values, int64_t size) {
  return cat({values, zeros({size - values.size(0)}, values.device())}, 0);
}

struct State {
  int64_t step = 0;
  Tensor parameters; ///< all of them, in every process
  Tensor momentum;   ///< the shard of this process
};

/// Two jobs that save in one folder would overwrite each other's state. The
/// lock ends with the process.
void lock_folder(const fs::path &folder) {
  int file =
      open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  if (file < 0 || flock(file, LOCK_EX | LOCK_NB) != 0)
    throw RuntimeError(folder.string() + " is used by another job");
}

fs::path shard_file(const fs::path &folder, int64_t step, int64_t shard) {
  return folder / ("step-" + std::to_string(step) + "-shard-" +
                   std::to_string(shard) + ".pt");
}

/// Every process writes its shard. When all are on the disk, the first process
/// names them in the file `last`, so that no incomplete state is resumed.
void save_state(const State &state, const fs::path &folder) {
  int rank = xr::global_ordinal();
  // All processes run the program of the step, with its collectives, at once.
  xm::mark_step();
  StateDict shard;
  shard["momentum"] = state.momentum.cpu();
  if (rank == 0)
    shard["parameters"] = state.parameters.cpu();
  save(shard, shard_file(folder, state.step, rank));
  xm::rendezvous("shards are written");
  if (rank == 0) {
    std::ofstream(folder / "last.new")
        << state.step << " " << xr::world_size() << "\n";
    fs::rename(folder / "last.new", folder / "last");
  }
}

/// Loads the last save of any number of processes and divides it anew.
State load_state(const fs::path &folder, Device device) {
  State state;
  int64_t processes = xr::world_size(), rank = xr::global_ordinal(), shards = 0;
  std::ifstream last(folder / "last");
  Tensor momentum = zeros({kParameters});
  if (last >> state.step >> shards) {
    std::vector<Tensor> parts;
    for (int64_t i = 0; i < shards; ++i) {
      auto shard = load<StateDict>(shard_file(folder, state.step, i));
      parts.push_back(shard.at("momentum"));
      if (i == 0)
        state.parameters = shard.at("parameters").to(device);
    }
    momentum = cat(parts, 0).slice(0, 0, kParameters);
    xm::master_print("resumes at step", state.step, "of", shards, "shards");
  } else {
    manual_seed(1);
    state.parameters = (randn({kParameters}) * 0.1).to(device);
  }
  int64_t size = padded(processes) / processes;
  state.momentum = pad_to(momentum, padded(processes))
                       .slice(0, rank * size, (rank + 1) * size)
                       .clone()
                       .to(device);
  return state;
}

/// The rows of this process of a step's batch.
Tensor inputs_of(int64_t step, Device device) {
  manual_seed(1000 + step);
  int64_t rows = kBatch / xr::world_size();
  int64_t first = rows * xr::global_ordinal();
  return randn({kBatch, kInputs}).slice(0, first, first + rows).to(device);
}

/// The loss of all processes; updates the state.
float train_step(State &state, Device device) {
  int64_t processes = xr::world_size(), rank = xr::global_ordinal();
  Tensor x = inputs_of(state.step, device);
  Tensor y = x.sum({1}, true).sin();
  Tensor parameters = state.parameters.detach().requires_grad_(true);
  Tensor hidden =
      parameters.slice(0, 0, kInputs * kHidden).reshape({kInputs, kHidden});
  Tensor last =
      parameters.slice(0, kInputs * kHidden, kParameters).reshape({kHidden, 1});
  Tensor loss = (x.mm(hidden).tanh().mm(last) - y).square().mean();
  loss.backward();
  // Each process gets the sum of its shard, updates it, and gives it to all.
  int64_t size = padded(processes) / processes;
  Tensor gradient = xm::reduce_scatter(
      xm::REDUCE_SUM, pad_to(parameters.grad(), padded(processes)),
      1.0 / static_cast<double>(processes), 0, processes);
  state.momentum = state.momentum * 0.9 + gradient;
  Tensor own = pad_to(state.parameters, padded(processes))
                   .slice(0, rank * size, (rank + 1) * size) -
               state.momentum * 0.02;
  state.parameters = xm::all_gather(own, 0).slice(0, 0, kParameters);
  ++state.step;
  Tensor total = xm::all_reduce(xm::REDUCE_SUM, loss.detach(),
                                1.0 / static_cast<double>(processes));
  return total.item<float>();
}

void train(const fs::path &folder, int64_t steps) {
  if (kBatch % xr::world_size() != 0)
    throw ValueError("the number of processes must divide " +
                     std::to_string(kBatch));
  if (xm::is_master_ordinal(false))
    lock_folder(folder);
  Device device = xm::xla_device();
  State state = load_state(folder, device);
  while (state.step < steps) {
    float loss = train_step(state, device);
    if (state.step % kSaveEvery == 0)
      save_state(state, folder);
    xm::master_print("step", state.step, "loss", loss);
    std::cout.flush();
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3 || std::atoll(argv[2]) < 1) {
    std::cerr << "usage: train_restart FOLDER STEPS\n";
    return 2;
  }
  fs::path folder = argv[1];
  fs::create_directories(folder);
  xlac::launch([&](int) { train(folder, std::atoll(argv[2])); });
}
