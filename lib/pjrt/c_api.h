// The table that a PJRT plugin hands out: GetPjrtApi() returns it. The types of
// its arguments are in the headers included here.
#pragma once

#include "c_api_buffer.h"
#include "c_api_client.h"
#include "c_api_executable.h"

#include <type_traits>

namespace xlac::pjrt {

/// What a function with these arguments returns: an error, which is null for
/// success and belongs to the caller; of two functions nothing.
template <class Arguments>
using Return =
    std::conditional_t<std::is_same_v<Arguments, PJRT_Error_Destroy_Args> ||
                           std::is_same_v<Arguments, PJRT_Error_Message_Args>,
                       void, PJRT_Error *>;

} // namespace xlac::pjrt

struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Api_Version pjrt_api_version;
#define XLAC_PJRT(name)                                                        \
  xlac::pjrt::Return<PJRT_##name##_Args> (*PJRT_##name)(PJRT_##name##_Args *);
#include "c_api_functions.inc"
#undef XLAC_PJRT
};

/// The one symbol of the plugin. The table lives as long as the process.
extern "C" const PJRT_Api *GetPjrtApi();
