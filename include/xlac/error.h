// The exceptions of the C++ API, sorted by whose fault a failure is. what()
// starts with the operation, says what it got and what it wanted. Mistakes in
// shapes, dtypes, devices and options are thrown by the call that made them.
#pragma once

#include "xlac/export.h"

#include <stdexcept>
#include <string>

namespace xlac {

/// Every failure that the API throws.
class XLAC_API Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// The program asked for something wrong.
class XLAC_API UserError : public Error {
public:
  using Error::Error;
};
/// Wrong kind of argument.
class XLAC_API TypeError : public UserError {
public:
  using UserError::UserError;
};
/// Argument out of its domain.
class XLAC_API ValueError : public UserError {
public:
  using UserError::UserError;
};
/// Dimension or index out of range.
class XLAC_API IndexError : public UserError {
public:
  using UserError::UserError;
};
/// Missing key.
class XLAC_API KeyError : public UserError {
public:
  using UserError::UserError;
};
/// Shapes do not fit.
class XLAC_API ShapeError : public UserError {
public:
  using UserError::UserError;
};
/// Dtypes do not fit.
class XLAC_API DtypeError : public UserError {
public:
  using UserError::UserError;
};
/// Operands on different devices, or no such device.
class XLAC_API DeviceError : public UserError {
public:
  using UserError::UserError;
};

/// Meaningful, but not there.
class XLAC_API UnsupportedError : public Error {
public:
  using Error::Error;
};
using NotImplementedError = UnsupportedError;

/// The machine, the files, the peers.
class XLAC_API RuntimeError : public Error {
public:
  using Error::Error;
};
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
  ProcessRaisedError(int index, const std::string &what)
      : RuntimeError(what), index_(index) {}
  /// Of the process: what its function got.
  int index() const { return index_; }

private:
  int index_;
};

/// xlac's own fault; what() has a command that reproduces it.
class XLAC_API InternalError : public Error {
public:
  InternalError(const std::string &what, std::string stablehlo)
      : Error(what), stablehlo_(std::move(stablehlo)) {}
  /// The offending module; may be empty.
  const std::string &stablehlo() const { return stablehlo_; }

private:
  std::string stablehlo_;
};

} // namespace xlac
