// The exceptions of the C++ API, sorted by whose fault a failure is. what()
// starts with the operation, says what it got and what it wanted. Mistakes in
// shapes, dtypes, devices and options are thrown by the call that made them.
#pragma once

#include <stdexcept>
#include <string>

namespace xlac {

/// Every failure that the API throws.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The program asked for something wrong.
class UserError : public Error {
public:
  using Error::Error;
};
/// Wrong kind of argument.
class TypeError : public UserError {
public:
  using UserError::UserError;
};
/// Argument out of its domain.
class ValueError : public UserError {
public:
  using UserError::UserError;
};
/// Dimension or index out of range.
class IndexError : public UserError {
public:
  using UserError::UserError;
};
/// Missing key.
class KeyError : public UserError {
public:
  using UserError::UserError;
};
/// Shapes do not fit.
class ShapeError : public UserError {
public:
  using UserError::UserError;
};
/// Dtypes do not fit.
class DtypeError : public UserError {
public:
  using UserError::UserError;
};
/// Operands on different devices, or no such device.
class DeviceError : public UserError {
public:
  using UserError::UserError;
};

/// Meaningful, but not there.
class UnsupportedError : public Error {
public:
  using Error::Error;
};
using NotImplementedError = UnsupportedError;

/// The machine, the files, the peers.
class RuntimeError : public Error {
public:
  using Error::Error;
};
class OutOfMemoryError : public RuntimeError {
public:
  using RuntimeError::RuntimeError;
};
/// A peer died, timed out or runs another program.
class CollectiveError : public RuntimeError {
public:
  using RuntimeError::RuntimeError;
};

/// A process of xmp::spawn failed.
class ProcessRaisedError : public RuntimeError {
public:
  ProcessRaisedError(int index, const std::string &what)
      : RuntimeError(what), index_(index) {}
  /// Of the process: what its function got.
  int index() const { return index_; }

private:
  int index_;
};

/// xlac's own fault; what() has a command that reproduces it.
class InternalError : public Error {
public:
  InternalError(const std::string &what, std::string stablehlo)
      : Error(what), stablehlo_(std::move(stablehlo)) {}
  /// The offending module; may be empty.
  const std::string &stablehlo() const { return stablehlo_; }

private:
  std::string stablehlo_;
};

} // namespace xlac
