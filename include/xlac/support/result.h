// Result<T>: a value or a failure, for components that do not throw (runtime,
// cache, ops, compiler.h). `lazy`, `tensor` and the command line convert
// failures to exceptions or exit codes; other components pass them on.
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace xlac {

/// The cause of a failure; each kind has an exception class in xlac/error.h.
enum class FailureKind : uint8_t {
  User,        ///< the program or its data is wrong
  Shape,       ///< User: shapes are incompatible
  Dtype,       ///< User: element types are incompatible
  Index,       ///< User: a dimension or index is out of range
  Device,      ///< User: devices are incompatible or do not exist
  Unsupported, ///< valid, but not implemented
  Runtime,     ///< a failure of the machine, files or peers
  OutOfMemory, ///< Runtime: no memory
  Collective,  ///< Runtime: a peer died, timed out or deviates
  Internal,    ///< a defect of xlac
};

struct Failure {
  FailureKind failure_kind = FailureKind::Runtime;
  std::string message;
};

inline Failure failure(FailureKind failure_kind, std::string message) {
  return Failure{failure_kind, std::move(message)};
}

/// A T or a Failure. Test with operator bool before dereferencing.
template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Failure failure)
      : state_(std::in_place_index<1>, std::move(failure)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T &operator*() & {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  const T &operator*() const & {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  T &&operator*() && {
    assert(*this);
    return std::move(*std::get_if<0>(&state_));
  }
  T *operator->() {
    assert(*this);
    return std::get_if<0>(&state_);
  }
  const T *operator->() const {
    assert(*this);
    return std::get_if<0>(&state_);
  }
  const Failure &error() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }

private:
  std::variant<T, Failure> state_;
};

template <> class [[nodiscard]] Result<void> {
public:
  Result() = default;
  Result(Failure failure) : failed_(true), failure_(std::move(failure)) {}

  explicit operator bool() const { return !failed_; }
  const Failure &error() const {
    assert(failed_);
    return failure_;
  }

private:
  bool failed_ = false;
  Failure failure_;
};

using Status = Result<void>;

} // namespace xlac

/// Returns from the enclosing function if `expression` failed.
#define XLAC_RETURN_IF_ERROR(expression)                                       \
  do {                                                                         \
    if (auto xlac_status = (expression); !xlac_status)                         \
      return xlac_status.error();                                              \
  } while (false)
