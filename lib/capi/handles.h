// The objects behind the handles of xlac/c_api.h, and the border that C++
// failures do not cross.
#pragma once

#include "xlac/c_api.h"
#include "xlac/runtime/buffer.h"
#include "xlac/runtime/executable.h"
#include "xlac/runtime/image_program.h"
#include "xlac/support/fork.h"
#include "xlac/support/result.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace xlac::capi {

/// The kind of a handle, in its first bytes.
enum class HandleTag : uint64_t {
  Program = 0x786c61632d707267,
  Context = 0x786c61632d637478,
  Buffer = 0x786c61632d627566,
  Destroyed = 0,
};

/// Memory for temporaries and values, of which all contexts have a part.
const std::shared_ptr<runtime::Allocator> &allocator();

/// The limit of xlac_set_thread_count, or 0.
int thread_limit();

/// Keeps the message for xlac_error_message() and returns `status`.
xlac_status fail(xlac_status status, std::string message);
/// The status of the failure's kind, with its message.
xlac_status fail(const Failure &failure);
/// As fail(failure), with `status` for failures of users and machines; out of
/// memory, unsupported and internal ones keep their own.
xlac_status fail_as(xlac_status status, const Failure &failure);

/// Calls `body`, which returns an xlac_status. Exceptions become failures.
template <class F> xlac_status guarded(F body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return fail(XLAC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception &problem) {
    return fail(XLAC_INTERNAL_ERROR, problem.what());
  } catch (...) {
    return fail(XLAC_INTERNAL_ERROR, "an unknown exception");
  }
}

/// Copies the members that the caller's struct has; the others are zero. Fails
/// if struct_size is impossible, or if members that this version lacks are set.
template <class T> xlac_status read_struct(const T *given, T &to) {
  to = {};
  to.struct_size = sizeof(T);
  if (!given)
    return XLAC_OK;
  size_t size = given->struct_size;
  if (size < sizeof(size_t) || size > (size_t(1) << 16))
    return fail(XLAC_INVALID_ARGUMENT, "struct_size is " +
                                           std::to_string(size) +
                                           "; set it to sizeof the struct");
  auto bytes = reinterpret_cast<const unsigned char *>(given);
  for (size_t i = sizeof(T); i < size; ++i)
    if (bytes[i])
      return fail(XLAC_INVALID_ARGUMENT,
                  "a member of the struct is set that this version of the "
                  "library does not have");
  std::memcpy(&to, given, std::min(size, sizeof(T)));
  to.struct_size = sizeof(T);
  return XLAC_OK;
}

/// Copies the members that the caller's struct has; those that this version
/// lacks become zero.
template <class T> xlac_status write_struct(const T &from, T *to) {
  if (!to)
    return fail(XLAC_INVALID_ARGUMENT, "info is null");
  size_t size = to->struct_size;
  if (size < sizeof(size_t) || size > (size_t(1) << 16))
    return fail(XLAC_INVALID_ARGUMENT, "struct_size is " +
                                           std::to_string(size) +
                                           "; set it to sizeof the struct");
  std::memset(to, 0, size);
  std::memcpy(to, &from, std::min(size, sizeof(T)));
  to->struct_size = size;
  return XLAC_OK;
}

} // namespace xlac::capi

struct xlac_context {
  xlac::capi::HandleTag tag = xlac::capi::HandleTag::Context;
  xlac::runtime::RunContext run{xlac::capi::allocator()};
  /// The values that a program computed from its invariant arguments.
  struct Invariants {
    uint64_t version = 0; ///< 0: to be computed
    std::vector<xlac::runtime::BufferRef> values;
  };
  std::map<uint64_t, Invariants> invariants; ///< by the executable's id
  std::mutex in_use;
};

struct xlac_buffer {
  xlac::capi::HandleTag tag = xlac::capi::HandleTag::Buffer;
  std::byte *data = nullptr;
  size_t bytes = 0;
};

/// An argument or a result of a program.
struct ValueFacts {
  std::string name;
  xlac::Type type;
  int32_t alias = -1;
  bool is_invariant = false;
};

struct xlac_program {
  xlac::capi::HandleTag tag = xlac::capi::HandleTag::Program;
  std::shared_ptr<const xlac::runtime::Executable> executable;
  std::string entry; ///< the one that was compiled
  std::vector<std::string> entries;
  bool from_cache = false;
  /// What it was compiled from, if it is kept.
  std::optional<xlac::runtime::ImageProgram> program;
  std::vector<ValueFacts> arguments, results;
  mutable xlac::ForkMutex mutex; ///< guards `contexts`
  mutable std::vector<std::unique_ptr<xlac_context>> contexts;
};

namespace xlac::capi {

/// Whether the handle is one of this kind.
template <class T> bool is_handle(const T *handle, HandleTag tag) {
  return handle && handle->tag == tag;
}

} // namespace xlac::capi
