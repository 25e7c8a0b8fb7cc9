// Errors, and settings of the process.
#include "process.h"

#include "handles.h"

#include "xlac/support/element_type.h"
#include "xlac/support/log_output.h"
#include "xlac/support/settings.h"
#include "xlac/version.h"

#include <atomic>
#include <optional>

namespace xlac::capi {

namespace {

thread_local std::string last_message;
std::atomic<int> thread_count{0};

/// The disk cache; nothing until it is asked for.
struct CacheState {
  ForkMutex mutex;
  std::optional<std::shared_ptr<cache::Store>> store;
};

CacheState &cache_state() {
  static auto *instance = new CacheState; // outlives static destructors
  return *instance;
}

/// The folder that the environment names.
std::optional<std::string> folder_of_environment() {
  auto path = text_setting(SettingId::PersistentCachePath);
  return path ? path : text_setting(SettingId::CacheDir);
}

} // namespace

const std::shared_ptr<runtime::Allocator> &allocator() {
  static auto *instance = new std::shared_ptr<runtime::Allocator>(
      std::make_shared<runtime::Allocator>()); // outlives static destructors
  return *instance;
}

int thread_limit() { return thread_count.load(); }

std::shared_ptr<cache::Store> disk_cache() {
  CacheState &state = cache_state();
  std::lock_guard lock(state.mutex);
  if (!state.store) {
    state.store.emplace();
    auto path = folder_of_environment();
    if (path && !cache::is_switched_off()) {
      if (auto opened = cache::Store::open(*path))
        *state.store = std::move(*opened);
      else
        write_line(LogLevel::Warning,
                   "running without a cache: " + opened.error().message);
    }
  }
  return *state.store;
}

xlac_status fail(xlac_status status, std::string message) {
  last_message = std::move(message);
  return status;
}

static xlac_status status_of(FailureKind kind) {
  switch (kind) {
  case FailureKind::User:
  case FailureKind::Shape:
  case FailureKind::Dtype:
  case FailureKind::Index:
  case FailureKind::Device:
    return XLAC_INVALID_PROGRAM;
  case FailureKind::Unsupported:
    return XLAC_UNSUPPORTED;
  case FailureKind::Runtime:
  case FailureKind::Collective:
    return XLAC_RUNTIME_ERROR;
  case FailureKind::OutOfMemory:
    return XLAC_OUT_OF_MEMORY;
  case FailureKind::Internal:
    return XLAC_INTERNAL_ERROR;
  }
  return XLAC_INTERNAL_ERROR;
}

xlac_status fail(const Failure &failure) {
  return fail(status_of(failure.failure_kind), failure.message);
}

xlac_status fail_as(xlac_status status, const Failure &failure) {
  xlac_status own = status_of(failure.failure_kind);
  bool is_general = own == XLAC_INVALID_PROGRAM || own == XLAC_RUNTIME_ERROR;
  return fail(is_general ? status : own, failure.message);
}

} // namespace xlac::capi

using namespace xlac;
using namespace xlac::capi;

int32_t xlac_c_api_version(void) { return XLAC_C_API_VERSION; }

const char *xlac_version(void) { return XLAC_VERSION_STRING; }

const char *xlac_status_name(int32_t status) {
  switch (status) {
#define XLAC_NAME(constant)                                                    \
  case constant:                                                               \
    return #constant
    XLAC_NAME(XLAC_OK);
    XLAC_NAME(XLAC_INVALID_ARGUMENT);
    XLAC_NAME(XLAC_INVALID_PROGRAM);
    XLAC_NAME(XLAC_UNSUPPORTED);
    XLAC_NAME(XLAC_RUNTIME_ERROR);
    XLAC_NAME(XLAC_OUT_OF_MEMORY);
    XLAC_NAME(XLAC_INTERNAL_ERROR);
#undef XLAC_NAME
  }
  return "unknown status";
}

const char *xlac_error_message(void) { return last_message.c_str(); }

xlac_status xlac_set_logger(xlac_logger logger, void *data) {
  return guarded([&] {
    if (!logger) {
      set_log_sink({});
      return XLAC_OK;
    }
    set_log_sink([logger, data](LogLevel level, std::string_view text) {
      logger(data, static_cast<xlac_log_level>(level),
             std::string(text).c_str());
    });
    return XLAC_OK;
  });
}

xlac_status xlac_set_thread_count(int32_t threads) {
  return guarded([&] {
    constexpr int32_t kMost = 4096;
    if (threads < 0 || threads > kMost)
      return fail(XLAC_INVALID_ARGUMENT,
                  "expected 0 to 4096 threads, got " + std::to_string(threads));
    thread_count = threads;
    return XLAC_OK;
  });
}

xlac_status xlac_set_cache_folder(const char *path) {
  return guarded([&] {
    std::shared_ptr<cache::Store> store;
    if (path && !*path)
      return fail(XLAC_INVALID_ARGUMENT, "the path of the cache is empty");
    if (path && !cache::is_switched_off()) {
      auto opened = cache::Store::open(path);
      if (!opened)
        return fail_as(XLAC_RUNTIME_ERROR, opened.error());
      store = std::move(*opened);
    }
    CacheState &state = cache_state();
    std::lock_guard lock(state.mutex);
    state.store = std::move(store);
    return XLAC_OK;
  });
}

/// The element type; nothing for other numbers.
static std::optional<ElementType> element_of(int32_t dtype) {
  static_assert(static_cast<int>(ElementType::I1) + 1 == XLAC_DTYPE_I1);
  static_assert(static_cast<int>(ElementType::F32) + 1 == XLAC_DTYPE_F32);
  static_assert(kElementTypeCount == XLAC_DTYPE_COMPLEX128);
  if (dtype < 1 || dtype > kElementTypeCount)
    return std::nullopt;
  return static_cast<ElementType>(dtype - 1);
}

const char *xlac_dtype_name(int32_t dtype) {
  if (dtype == XLAC_DTYPE_NONE)
    return "token";
  auto element = element_of(dtype);
  // The names are literals, which end with a zero byte.
  return element ? element_type_name(*element).data() : "unknown type";
}

size_t xlac_dtype_bytes(int32_t dtype) {
  auto element = element_of(dtype);
  return element ? static_cast<size_t>(byte_size(*element)) : 0;
}
