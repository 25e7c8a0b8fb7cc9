// Collation of samples to batches.
#pragma once

#include "xlac/data/datasets.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace xlac::data {

namespace detail {
/// Stacks tensors along a new first dimension. Throws ShapeError unless all
/// have the same shape.
XLAC_API Tensor stack_samples(const std::vector<Tensor> &samples);
/// During its lifetime, batches that this thread stacks are marked as having
/// another size: of `full` samples, or `last` in the last batch (mark_dynamic).
/// Does nothing if the numbers are equal or one is 0.
class XLAC_API BatchSizes {
public:
  BatchSizes(size_t full, size_t last);
  ~BatchSizes();
  BatchSizes(const BatchSizes &) = delete;
  BatchSizes &operator=(const BatchSizes &) = delete;

private:
  std::pair<int64_t, int64_t> before_;
};
/// Marks the first dimension of a batch as BatchSizes specifies.
XLAC_API Tensor mark_batch(Tensor batch);
/// Throws ShapeError for samples of different structure.
[[noreturn]] XLAC_API void throw_uneven(const char *what, size_t first,
                                        size_t other);
} // namespace detail

/// Customization point: the batch type of a list of T, and how it is made.
/// Tensors are stacked. Numbers become a tensor, and strings a list. Pairs,
/// tuples, examples, vectors, arrays and maps are collated element by element.
/// A struct with XLAC_TREE keeps its type: its tensors are stacked, and its
/// other fields are those of the first sample. `stack` may move from the
/// samples; there is at least one.
template <class T> struct Collate {
  /// The type of a batch.
  using Batch = T;
  /// A batch of the samples.
  static T stack(std::vector<T> &samples) {
    std::vector<std::vector<Tensor>> found(samples.size());
    for (size_t i = 0; i < samples.size(); ++i)
      Tree<T>::visit(samples[i],
                     [&](const Tensor &tensor) { found[i].push_back(tensor); });
    size_t place = 0;
    return Tree<T>::map(samples[0], [&](const Tensor &first) {
      std::vector<Tensor> column;
      for (const std::vector<Tensor> &tensors : found) {
        if (tensors.size() != found[0].size())
          detail::throw_uneven("tensors", found[0].size(), tensors.size());
        column.push_back(tensors[place]);
      }
      ++place;
      return first.defined() ? detail::stack_samples(column) : first;
    });
  }
};

template <> struct Collate<Tensor> {
  using Batch = Tensor;
  static Tensor stack(std::vector<Tensor> &samples) {
    return detail::stack_samples(samples);
  }
};

/// Tensors are stacked, numbers become a tensor, strings a list; lists, tuples
/// and dicts are collated element by element. Throws TypeError for bytes, sets,
/// and samples of different types at one position.
template <> struct XLAC_API Collate<Value> {
  using Batch = Value;
  static Value stack(std::vector<Value> &samples);
};

template <class T>
  requires std::is_arithmetic_v<T>
struct Collate<T> {
  using Batch = Tensor;
  static Tensor stack(std::vector<T> &samples) {
    return detail::mark_batch(tensor(samples, TensorOptions(kCPU)));
  }
};

template <> struct Collate<std::string> {
  using Batch = std::vector<std::string>;
  static Batch stack(std::vector<std::string> &samples) {
    return std::move(samples);
  }
};

namespace detail {
/// Collates one part of each sample.
template <class Sample, class Part>
auto stack_part(std::vector<Sample> &samples, Part part) {
  using Type = std::decay_t<decltype(part(samples[0]))>;
  std::vector<Type> column;
  column.reserve(samples.size());
  for (Sample &sample : samples)
    column.push_back(std::move(part(sample)));
  return Collate<Type>::stack(column);
}
} // namespace detail

template <class Data, class Target> struct Collate<Example<Data, Target>> {
  using Sample = Example<Data, Target>;
  using Batch =
      Example<typename Collate<Data>::Batch, typename Collate<Target>::Batch>;
  static Batch stack(std::vector<Sample> &samples) {
    return {
        detail::stack_part(samples, [](Sample &s) -> Data & { return s.data; }),
        detail::stack_part(samples,
                           [](Sample &s) -> Target & { return s.target; })};
  }
};

template <class A, class B> struct Collate<std::pair<A, B>> {
  using Sample = std::pair<A, B>;
  using Batch =
      std::pair<typename Collate<A>::Batch, typename Collate<B>::Batch>;
  static Batch stack(std::vector<Sample> &samples) {
    return {
        detail::stack_part(samples, [](Sample &s) -> A & { return s.first; }),
        detail::stack_part(samples, [](Sample &s) -> B & { return s.second; })};
  }
};

template <class... T> struct Collate<std::tuple<T...>> {
  using Sample = std::tuple<T...>;
  using Batch = std::tuple<typename Collate<T>::Batch...>;
  static Batch stack(std::vector<Sample> &samples) {
    return stack_parts(samples, std::index_sequence_for<T...>());
  }

private:
  template <size_t... I>
  static Batch stack_parts(std::vector<Sample> &samples,
                           std::index_sequence<I...>) {
    return Batch{detail::stack_part(
        samples, [](Sample &s) -> auto & { return std::get<I>(s); })...};
  }
};

template <class T> struct Collate<std::vector<T>> {
  using Sample = std::vector<T>;
  using Batch = std::vector<typename Collate<T>::Batch>;
  static Batch stack(std::vector<Sample> &samples) {
    for (const Sample &sample : samples)
      if (sample.size() != samples[0].size())
        detail::throw_uneven("items", samples[0].size(), sample.size());
    Batch batch;
    for (size_t i = 0; i < samples[0].size(); ++i)
      batch.push_back(
          detail::stack_part(samples, [i](Sample &s) -> T & { return s[i]; }));
    return batch;
  }
};

template <class T, size_t N> struct Collate<std::array<T, N>> {
  using Sample = std::array<T, N>;
  using Batch = std::array<typename Collate<T>::Batch, N>;
  static Batch stack(std::vector<Sample> &samples) {
    Batch batch;
    for (size_t i = 0; i < N; ++i)
      batch[i] =
          detail::stack_part(samples, [i](Sample &s) -> T & { return s[i]; });
    return batch;
  }
};

template <class K, class T> struct Collate<std::map<K, T>> {
  using Sample = std::map<K, T>;
  using Batch = std::map<K, typename Collate<T>::Batch>;
  /// Uses the keys of the first sample. Throws KeyError if another sample lacks
  /// one.
  static Batch stack(std::vector<Sample> &samples) {
    Batch batch;
    std::vector<K> keys;
    for (const auto &[key, value] : samples[0])
      keys.push_back(key);
    for (const K &key : keys)
      batch.emplace(key, detail::stack_part(samples, [&](Sample &s) -> T & {
                      auto found = s.find(key);
                      if (found == s.end())
                        throw KeyError("DataLoader: a sample lacks a key that "
                                       "the batch's first one has");
                      return found->second;
                    }));
    return batch;
  }
};

} // namespace xlac::data
