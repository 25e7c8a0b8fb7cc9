// The exceptions of the C++ API, by cause of the failure. what() starts with
// the operation and states the value it got and the value it expected. Errors
// in shapes, dtypes, devices and options are thrown by the call that made them.
#pragma once

#include "xlac/export.h"

#include <stdexcept>
#include <string>

namespace xlac {

/// Base class of all exceptions of the API.
class XLAC_API Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The caller passed invalid arguments or called in an invalid state.
class XLAC_API UserError : public Error {
public:
  using Error::Error;
};
/// An argument has the wrong type.
class XLAC_API TypeError : public UserError {
public:
  using UserError::UserError;
};
/// An argument is outside its domain.
class XLAC_API ValueError : public UserError {
public:
  using UserError::UserError;
};
/// A dimension or index is out of range.
class XLAC_API IndexError : public UserError {
public:
  using UserError::UserError;
};
/// A key is missing.
class XLAC_API KeyError : public UserError {
public:
  using UserError::UserError;
};
/// Shapes are incompatible.
class XLAC_API ShapeError : public UserError {
public:
  using UserError::UserError;
};
/// Dtypes are incompatible.
class XLAC_API DtypeError : public UserError {
public:
  using UserError::UserError;
};
/// Operands are on different devices, or a device does not exist.
class XLAC_API DeviceError : public UserError {
public:
  using UserError::UserError;
};

/// Valid, but not implemented.
class XLAC_API UnsupportedError : public Error {
public:
  using Error::Error;
};
/// PyTorch's name of UnsupportedError.
using NotImplementedError = UnsupportedError;

/// A failure of the machine, of files or of peers.
class XLAC_API RuntimeError : public Error {
public:
  using Error::Error;
};
/// No memory, or a memory limit is exceeded.
class XLAC_API OutOfMemoryError : public RuntimeError {
public:
  using RuntimeError::RuntimeError;
};
/// A peer died, timed out or runs another program.
class XLAC_API CollectiveError : public RuntimeError {
public:
  using RuntimeError::RuntimeError;
};

/// A process of xmp::spawn failed.
class XLAC_API ProcessRaisedError : public RuntimeError {
public:
  /// The error of the process with that index.
  ProcessRaisedError(int index, const std::string &what)
      : RuntimeError(what), index_(index) {}
  /// Index of the process: the argument of its function.
  int index() const { return index_; }

private:
  int index_;
};

/// A defect of xlac; what() contains a command that reproduces it.
class XLAC_API InternalError : public Error {
public:
  /// A defect, with the program that shows it.
  InternalError(const std::string &what, std::string stablehlo)
      : Error(what), stablehlo_(std::move(stablehlo)) {}
  /// The module that failed; may be empty.
  const std::string &stablehlo() const { return stablehlo_; }

private:
  std::string stablehlo_;
};

} // namespace xlac
