#include "errors.h"

#include "functions.h"

#include <new>

namespace xlac::pjrt {

Error::Error(const Failure &failure)
    : code_(code_of(failure.failure_kind)), message_(failure.message) {}

PJRT_Error_Code code_of(FailureKind kind) {
  switch (kind) {
  case FailureKind::User:
  case FailureKind::Shape:
  case FailureKind::Dtype:
  case FailureKind::Index:
  case FailureKind::Device:
    return PJRT_Error_Code_INVALID_ARGUMENT;
  case FailureKind::Unsupported:
    return PJRT_Error_Code_UNIMPLEMENTED;
  case FailureKind::OutOfMemory:
    return PJRT_Error_Code_RESOURCE_EXHAUSTED;
  case FailureKind::Runtime:
  case FailureKind::Collective:
  case FailureKind::Internal:
    return PJRT_Error_Code_INTERNAL;
  }
  return PJRT_Error_Code_UNKNOWN;
}

FailureKind kind_of(PJRT_Error_Code code) {
  switch (code) {
  case PJRT_Error_Code_INVALID_ARGUMENT:
  case PJRT_Error_Code_OUT_OF_RANGE:
  case PJRT_Error_Code_FAILED_PRECONDITION:
    return FailureKind::User;
  case PJRT_Error_Code_UNIMPLEMENTED:
    return FailureKind::Unsupported;
  case PJRT_Error_Code_RESOURCE_EXHAUSTED:
    return FailureKind::OutOfMemory;
  default:
    return FailureKind::Runtime;
  }
}

/// Returned if an error cannot be allocated. Never destroyed.
static PJRT_Error &no_memory() {
  static PJRT_Error error{PJRT_Error_Code_RESOURCE_EXHAUSTED, "out of memory"};
  return error;
}

PJRT_Error *make_error(PJRT_Error_Code code,
                       std::string_view message) noexcept {
  try {
    return new PJRT_Error{code, std::string(message)};
  } catch (const std::bad_alloc &) {
    return &no_memory();
  }
}

PJRT_Error *make_error(const Status &status) noexcept {
  if (status)
    return nullptr;
  return make_error(code_of(status.error().failure_kind),
                    status.error().message);
}

PJRT_Error *error_of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error &error) {
    return make_error(error.code(), error.message());
  } catch (const std::bad_alloc &) {
    return &no_memory();
  } catch (const std::exception &error) {
    return make_error(PJRT_Error_Code_INTERNAL, error.what());
  } catch (...) {
    return make_error(PJRT_Error_Code_INTERNAL, "unknown exception");
  }
}

void throw_invalid(std::string message) {
  throw Error(PJRT_Error_Code_INVALID_ARGUMENT, std::move(message));
}

void throw_unimplemented(std::string message) {
  throw Error(PJRT_Error_Code_UNIMPLEMENTED, std::move(message));
}

void call(PJRT_Error_Destroy_Args &args) {
  if (args.error != &no_memory())
    delete args.error;
}

void call(PJRT_Error_Message_Args &args) {
  args.message = args.error->message.c_str();
  args.message_size = args.error->message.size();
}

void call(PJRT_Error_GetCode_Args &args) { args.code = args.error->code; }

} // namespace xlac::pjrt
