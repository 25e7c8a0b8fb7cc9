// What the programs on digits share: MNIST's four files or synthetic ones, the
// mean of what replicas tell, and the time.
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

inline double mean_of(const std::vector<double> &values) {
  double sum = 0;
  for (double value : values)
    sum += value;
  return sum / static_cast<double>(values.size());
}

inline void tell_graphs() {
  xm::master_print(
      "compiled", met::counter_value("UncachedCompile").value_or(0),
      "graphs, took", met::counter_value("PersistentCacheHit").value_or(0),
      "from the cache");
}

/// The time since it was made.
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
