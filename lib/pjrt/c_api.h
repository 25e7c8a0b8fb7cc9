// The function table of a PJRT plugin. The headers included here declare the
// types of its arguments.
#pragma once

#include "c_api_buffer.h"
#include "c_api_client.h"
#include "c_api_executable.h"

#include <type_traits>

namespace xlac::pjrt {

/// The return type of the function with these arguments. PJRT_Error_Destroy and
/// PJRT_Error_Message return nothing. The others return an error, which is null
/// for success and which the caller destroys.
template <class Arguments>
using Return =
    std::conditional_t<std::is_same_v<Arguments, PJRT_Error_Destroy_Args> ||
                           std::is_same_v<Arguments, PJRT_Error_Message_Args>,
                       void, PJRT_Error *>;

} // namespace xlac::pjrt

/// The functions, in the order of c_api_functions.inc.
struct PJRT_Api {
  size_t struct_size;
  PJRT_Extension_Base *extension_start;
  PJRT_Api_Version pjrt_api_version;
#define XLAC_PJRT(name)                                                        \
  xlac::pjrt::Return<PJRT_##name##_Args> (*PJRT_##name)(PJRT_##name##_Args *);
#include "c_api_functions.inc"
#undef XLAC_PJRT
};

/// Returns the table, which lives as long as the process. The library exports
/// only this symbol.
extern "C" const PJRT_Api *GetPjrtApi();
