// GetPjrtApi, and the wrapper of every function of the table.
#include "arguments.h"
#include "custom_partitioner.h"
#include "errors.h"
#include "extensions.h"
#include "ffi_extension.h"
#include "functions.h"

namespace xlac::pjrt {
namespace {

/// Calls the function on a copy of the arguments in this version's size. Fields
/// that the host's version lacks are zero, and are not written back. Converts
/// exceptions to errors.
template <class Arguments> Return<Arguments> enter(Arguments *args) {
  if constexpr (std::is_void_v<Return<Arguments>>) {
    Arguments own = full_copy(*args);
    call(own);
    std::memcpy(static_cast<void *>(args), &own, common_size(*args));
  } else {
    return error_of([&] {
      if (!args)
        throw_invalid("the arguments are missing");
      Arguments own = full_copy(*args);
      call(own);
      std::memcpy(static_cast<void *>(args), &own, common_size(*args));
    });
  }
}

PJRT_Api make_table() {
  PJRT_Api table = {};
  table.struct_size = sizeof(PJRT_Api);
  table.extension_start = ffi_extensions(custom_partitioner_extension(
      layouts_extension(memory_descriptions_extension(nullptr))));
  table.pjrt_api_version.struct_size = sizeof(PJRT_Api_Version);
  table.pjrt_api_version.major_version = kPjrtMajor;
  table.pjrt_api_version.minor_version = kPjrtMinor;
#define XLAC_PJRT(name) table.PJRT_##name = enter<PJRT_##name##_Args>;
#include "c_api_functions.inc"
#undef XLAC_PJRT
  return table;
}

} // namespace
} // namespace xlac::pjrt

extern "C" __attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi() {
  static const PJRT_Api table = xlac::pjrt::make_table();
  return &table;
}
