// Datasets: types with `E get(size_t) const` and `size_t size() const`, where E
// usually is an Example. map() applies a function to the samples.
#pragma once

#include "xlac/tree.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

namespace xlac::data {

/// A sample, or a batch of them: auto [data, target] = dataset.get(0).
template <class Data = Tensor, class Target = Tensor> struct Example {
  /// The input of the model.
  Data data;
  /// What the model should return.
  Target target;
};

namespace transforms {
/// Stacks samples to batches in libtorch. Data loaders do so for all datasets.
template <class Sample = Example<>> struct Stack {};
} // namespace transforms

template <class Dataset, class Fn> struct Mapped;
/// The dataset whose samples are `fn` of those of `d`.
template <class Dataset, class Fn> Mapped<Dataset, Fn> map(Dataset d, Fn fn);
/// The dataset itself, whose samples are stacked anyway.
template <class Dataset, class Sample>
Dataset map(Dataset d, transforms::Stack<Sample>);

/// A dataset of the rows of two tensors.
class XLAC_API TensorDataset {
public:
  /// Throws ShapeError unless both have the same number of rows.
  explicit TensorDataset(Tensor data, Tensor target);
  /// Reads two arrays of a .npz file by their names. Throws KeyError for a
  /// missing one and otherwise as load_npz.
  static TensorDataset from_npz(const std::filesystem::path &path,
                                const std::string &data,
                                const std::string &target);
  /// Reads the arrays of two .npy files. Throws as load_npy.
  static TensorDataset from_npy(const std::filesystem::path &data,
                                const std::filesystem::path &target);
  /// Throws IndexError past the end.
  Example<> get(size_t index) const;
  /// The number of samples.
  size_t size() const;
  /// Same as data::map.
  template <class Fn> auto map(Fn fn) const {
    return data::map(*this, std::move(fn));
  }

private:
  Tensor data_, target_;
};

namespace datasets {
/// Handwritten digits from the four IDX files in a folder, plain or .gz, with
/// their usual names: {train,t10k}-images-idx3-ubyte, -labels-idx1-ubyte.
/// Copies share the data.
class XLAC_API MNIST {
public:
  /// Throws RuntimeError naming the file that is missing or damaged.
  explicit MNIST(const std::filesystem::path &root, bool train = true);
  /// Returns float32 [1, 28, 28] in [0, 1] and int64 []. Throws IndexError past
  /// the end.
  Example<> get(size_t index) const;
  /// The number of samples.
  size_t size() const;
  /// Same as data::map.
  template <class Fn> auto map(Fn fn) const {
    return data::map(*this, std::move(fn));
  }

private:
  struct Files;
  std::shared_ptr<const Files> files_;
};

/// CIFAR-10's binary version: data_batch_1.bin … data_batch_5.bin and
/// test_batch.bin, plain or .gz, in a folder or its cifar-10-batches-bin.
/// Copies share the data.
class XLAC_API CIFAR10 {
public:
  /// Throws RuntimeError naming the file that is missing or damaged.
  explicit CIFAR10(const std::filesystem::path &root, bool train = true);
  /// Returns float32 [3, 32, 32] in [0, 1] and int64 []. Throws IndexError past
  /// the end.
  Example<> get(size_t index) const;
  /// The number of samples.
  size_t size() const;
  /// Same as data::map.
  template <class Fn> auto map(Fn fn) const {
    return data::map(*this, std::move(fn));
  }

private:
  std::shared_ptr<const Bytes> records_;
};
} // namespace datasets

/// A dataset whose samples are `fn` applied to those of another dataset.
template <class Dataset, class Fn> struct Mapped {
  /// The dataset whose samples are changed.
  Dataset dataset;
  /// What changes a sample.
  Fn fn;
  /// The changed sample.
  auto get(size_t i) const { return fn(dataset.get(i)); }
  /// The number of samples.
  size_t size() const { return dataset.size(); }
  /// The dataset with one more change.
  template <class Next> auto map(Next next) const {
    return data::map(*this, std::move(next));
  }
};
template <class Dataset, class Fn> Mapped<Dataset, Fn> map(Dataset d, Fn fn) {
  return {std::move(d), std::move(fn)};
}
template <class Dataset, class Sample>
Dataset map(Dataset d, transforms::Stack<Sample>) {
  return d;
}

} // namespace xlac::data

/// A tree of data and target, as a tuple.
template <class Data, class Target>
struct xlac::Tree<xlac::data::Example<Data, Target>> {
  using Type = data::Example<Data, Target>;
  using Pair = Tree<std::pair<Data, Target>>;
  static void visit(const Type &tree, const detail::TensorVisitor &visit) {
    Tree<Data>::visit(tree.data, visit);
    Tree<Target>::visit(tree.target, visit);
  }
  static Type map(const Type &tree, const detail::TensorMapper &map) {
    return {Tree<Data>::map(tree.data, map),
            Tree<Target>::map(tree.target, map)};
  }
  static Value to_value(const Type &tree) {
    return Pair::to_value({tree.data, tree.target});
  }
  static Type from_value(const Value &value) {
    auto [data, target] = Pair::from_value(value);
    return {std::move(data), std::move(target)};
  }
};
