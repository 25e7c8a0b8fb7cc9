// Shared code of the programs on digits: flags, data sets (MNIST's four files
// or synthetic digits), the accuracy over all replicas, and a stopwatch.
#pragma once
#include "mnist.h"

#include <chrono>
#include <filesystem>

inline void write_digits_unless_there(const std::string &folder) {
  std::filesystem::path images =
      std::filesystem::path(folder) / "train-images-idx3-ubyte";
  if (!std::filesystem::exists(images) &&
      !std::filesystem::exists(images.string() + ".gz"))
    data::write_synthetic_digits(folder);
}

/// Returns the flags; the learning rate is for batches of 64. The argument is
/// the folder with the four files; synthetic digits are written to it if it has
/// none.
inline Flags digits_flags(int argc, char **argv) {
  Flags flags{.datadir = argc > 1 ? argv[1] : "mnist-data",
              .batch_size = 64,
              .lr = 0.05,
              .momentum = 0.9};
  write_digits_unless_there(flags.datadir);
  return flags;
}

inline double mean_of(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

/// Returns the percentage of digits that `model` classifies correctly, over all
/// replicas.
inline double accuracy_of(MNIST model, auto &loader) {
  NoGradGuard no_grad;
  model.eval();
  int64_t total = 0;
  Tensor correct = zeros({}, TensorOptions(xlac::device()).dtype(kInt64));
  for (auto &[data, target] : loader) {
    correct += model(data).argmax(1).eq(target).sum();
    total += data.size(0);
  }
  // This is the only wait of the loop.
  double accuracy = 100.0 * static_cast<double>(correct.item<int64_t>()) /
                    static_cast<double>(total);
  return xm::mesh_reduce("accuracy", accuracy, mean_of);
}

inline void tell_graphs() {
  xm::master_print(
      "compiled", met::counter_value("UncachedCompile").value_or(0),
      "graphs, took", met::counter_value("PersistentCacheHit").value_or(0),
      "from the cache");
}

/// Measures the time since its construction.
class Stopwatch {
public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         start_)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};
