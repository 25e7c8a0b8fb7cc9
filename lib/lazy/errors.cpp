#include "xlac/lazy/errors.h"

namespace xlac::lazy {

std::string with_call_name(const std::string &message) {
  const char *name = CallScope::name();
  return name ? std::string(name) + "(): " + message : message;
}

void raise(const Failure &failure) {
  std::string message = with_call_name(failure.message);
  switch (failure.fault) {
  case Fault::User:
    throw UserError(message);
  case Fault::Shape:
    throw ShapeError(message);
  case Fault::Dtype:
    throw DtypeError(message);
  case Fault::Index:
    throw IndexError(message);
  case Fault::Device:
    throw DeviceError(message);
  case Fault::Unsupported:
    throw UnsupportedError(message);
  case Fault::Runtime:
    throw RuntimeError(message);
  case Fault::OutOfMemory:
    throw OutOfMemoryError(message);
  case Fault::Internal:
    break;
  }
  throw InternalError(message, {});
}

} // namespace xlac::lazy
