// torch_xla.utils.utils: synthetic data and helpers for training programs.
#pragma once

#include "xlac/ops.h"
#include "xlac/tree.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::utils {

/// Yields `data` sample_count times, in place of a loader. Each begin()
/// restarts.
template <class T> class SampleGenerator {
public:
  /// Yields the data that often.
  SampleGenerator(T data, int64_t sample_count)
      : data_(std::make_shared<T>(std::move(data))), count_(sample_count) {}

  /// Iterates over the batches, once.
  class iterator {
  public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    iterator(std::shared_ptr<T> data, int64_t left)
        : data_(std::move(data)), left_(left) {}
    T &operator*() const { return *data_; }
    iterator &operator++() {
      --left_;
      return *this;
    }
    void operator++(int) { --left_; }
    bool operator==(std::default_sentinel_t) const { return left_ <= 0; }

  private:
    std::shared_ptr<T> data_;
    int64_t left_;
  };

  iterator begin() const { return {data_, count_}; }
  std::default_sentinel_t end() const { return {}; }
  /// The number of batches.
  size_t size() const {
    return static_cast<size_t>(std::max<int64_t>(count_, 0));
  }

private:
  std::shared_ptr<T> data_;
  int64_t count_;
};

/// Yields `count` pairs (x, fn(x)), where x is a new normal sample of shape
/// [batch_size, dims…].
template <class Fn> class FnDataGenerator {
public:
  /// Calls the function for each batch.
  FnDataGenerator(Fn fn, int64_t batch_size, Shape dims = {}, int64_t count = 1)
      : fn_(std::move(fn)), sizes_(std::move(dims)), count_(count) {
    sizes_.insert(sizes_.begin(), batch_size);
  }
  /// What the function returns.
  using Result = std::invoke_result_t<const Fn &, const Tensor &>;

  /// Iterates over the batches, once.
  class iterator {
  public:
    using value_type = std::pair<Tensor, Result>;
    using difference_type = std::ptrdiff_t;
    iterator(const FnDataGenerator *generator, int64_t left)
        : generator_(generator), left_(left) {
      draw();
    }
    value_type &operator*() const { return *value_; }
    iterator &operator++() {
      --left_;
      draw();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return left_ <= 0; }

  private:
    void draw() {
      if (left_ <= 0)
        return;
      Tensor x = randn(generator_->sizes_);
      value_ = std::make_shared<value_type>(x, generator_->fn_(x));
    }
    const FnDataGenerator *generator_;
    int64_t left_;
    std::shared_ptr<value_type> value_;
  };

  /// The generator must outlive its iterators.
  iterator begin() const { return {this, count_}; }
  std::default_sentinel_t end() const { return {}; }
  /// The number of batches.
  size_t size() const {
    return static_cast<size_t>(std::max<int64_t>(count_, 0));
  }

private:
  Fn fn_;
  Shape sizes_;
  int64_t count_;
};

namespace detail {
/// The result of enumerate().
template <class Range> class Enumerated {
public:
  explicit Enumerated(Range &range) : range_(range) {}
  /// Iterates over the batches, once.
  class iterator {
  public:
    using Inner = std::ranges::iterator_t<Range>;
    using value_type = std::pair<int64_t, decltype(*std::declval<Inner &>())>;
    using difference_type = std::ptrdiff_t;
    explicit iterator(Inner inner) : inner_(std::move(inner)) {}
    value_type operator*() const { return {index_, *inner_}; }
    iterator &operator++() {
      ++inner_;
      ++index_;
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(const std::ranges::sentinel_t<Range> &end) const {
      return inner_ == end;
    }

  private:
    Inner inner_;
    int64_t index_ = 0;
  };
  iterator begin() const { return iterator(std::ranges::begin(range_)); }
  auto end() const { return std::ranges::end(range_); }

private:
  Range &range_;
};
} // namespace detail

/// Pairs of index and element; the range must outlive the result.
template <class Range> auto enumerate(Range &range) {
  return detail::Enumerated<Range>(range);
}

namespace detail {
/// ValueError unless num_workers is positive.
XLAC_API void check_workers(int num_workers);
} // namespace detail

/// Computes the results of all of `work`, in order, on up to num_workers
/// threads. Rethrows the first exception in that order. ValueError unless
/// num_workers is positive.
template <class R>
std::vector<R> parallel_work(int num_workers,
                             const std::vector<std::function<R()>> &work) {
  detail::check_workers(num_workers);
  std::vector<std::optional<R>> results(work.size());
  std::vector<std::exception_ptr> failures(work.size());
  std::atomic<size_t> next{0};
  auto run = [&] {
    for (size_t i = next++; i < work.size(); i = next++)
      try {
        results[i].emplace(work[i]());
      } catch (...) {
        failures[i] = std::current_exception();
      }
  };
  {
    std::vector<std::jthread> threads;
    size_t count = std::min(static_cast<size_t>(num_workers), work.size());
    for (size_t i = 0; i < count; ++i)
      threads.emplace_back(run);
  }
  std::vector<R> list;
  list.reserve(work.size());
  for (size_t i = 0; i < work.size(); ++i) {
    if (failures[i])
      std::rethrow_exception(failures[i]);
    list.push_back(std::move(*results[i]));
  }
  return list;
}

/// A unique directory for temporary files; the destructor removes it.
class XLAC_API TmpFolder {
public:
  /// Creates the folder.
  TmpFolder();
  ~TmpFolder();
  TmpFolder(const TmpFolder &) = delete;
  TmpFolder &operator=(const TmpFolder &) = delete;
  /// The path of the folder.
  const std::filesystem::path &name() const { return name_; }

private:
  std::filesystem::path name_;
};

/// Logs its lifetime when it ends: "Step: 1.234ms" for the text "Step: ".
class XLAC_API TimedScope {
public:
  /// Starts the clock.
  explicit TimedScope(std::string msg = "");
  ~TimedScope();
  TimedScope(const TimedScope &) = delete;
  TimedScope &operator=(const TimedScope &) = delete;

private:
  std::string msg_;
  std::chrono::steady_clock::time_point start_;
};

/// `n` different ports on which no process listens at present; ValueError for
/// negative n.
XLAC_API std::vector<int> get_free_tcp_ports(int n = 1);

namespace detail {
[[noreturn]] XLAC_API void throw_bad_variable(const char *name,
                                              const char *value);
} // namespace detail

/// The environment variable as a bool ("1" or "true", "0" or "false"), number
/// or string; empty if it is not set. ValueError if it cannot be parsed as a T.
template <class T> std::optional<T> getenv_as(const char *name) {
  const char *value = std::getenv(name);
  if (!value)
    return {};
  std::string_view text(value);
  if constexpr (std::is_same_v<T, bool>) {
    bool is_on = text == "1" || text == "true";
    if (!is_on && text != "0" && text != "false")
      detail::throw_bad_variable(name, value);
    return is_on;
  } else if constexpr (std::is_arithmetic_v<T>) {
    T number{};
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size())
      detail::throw_bad_variable(name, value);
    return number;
  } else {
    return T(text);
  }
}
/// The same; `defval` if the variable is not set.
template <class T> T getenv_as(const char *name, T defval) {
  std::optional<T> value = getenv_as<T>(name);
  return value ? *value : defval;
}

} // namespace xlac::utils

namespace xlac {
namespace xu = utils;
}
