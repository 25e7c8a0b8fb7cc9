#include "inspect_sharding.h"

#include "c_api_custom_partitioner.h"
#include "errors.h"
#include "op_sharding.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <memory>

namespace xlac::pjrt {
namespace {

/// Returns whether this process has memory at `address` that it may read and,
/// for code, execute.
bool is_mapped(uintptr_t address, bool is_code) {
  std::unique_ptr<FILE, int (*)(FILE *)> maps(
      std::fopen("/proc/self/maps", "r"), std::fclose);
  if (!maps)
    return true; // cannot be checked
  char line[1024];
  bool at_start = true; // long lines are read in several parts
  while (std::fgets(line, sizeof line, maps.get())) {
    uintptr_t begin = 0, end = 0;
    char permissions[5] = {};
    if (at_start &&
        std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &begin, &end,
                    permissions) == 3 &&
        begin <= address && address < end)
      return is_code ? permissions[2] == 'x' : permissions[0] == 'r';
    at_start = std::strchr(line, '\n') != nullptr;
  }
  return false;
}

} // namespace

void inspect_sharding(std::string_view config, const Sharding &sharding) {
  JAX_InspectSharding_Callback callback;
  if (config.size() != sizeof callback)
    throw_invalid("custom_call @InspectSharding has a backend_config of " +
                  std::to_string(config.size()) + " bytes, expected " +
                  std::to_string(sizeof callback));
  std::memcpy(&callback, config.data(), sizeof callback);
  if (!is_mapped(reinterpret_cast<uintptr_t>(callback.call), true) ||
      (callback.data &&
       !is_mapped(reinterpret_cast<uintptr_t>(callback.data), false)))
    throw_invalid("custom_call @InspectSharding names a callback that this "
                  "process does not have; the program was created by another "
                  "process");
  std::string bytes = serialize_sharding(sharding);
  JAX_InspectSharding_Callback_Args args = {};
  args.sharding_spec = bytes.data();
  args.sharding_spec_size = bytes.size();
  callback.call(callback.data, &args);
  if (!args.error_txt)
    return;
  std::string message = args.error_txt;
  if (args.free_error)
    args.free_error(&args);
  throw Error(PJRT_Error_Code_INTERNAL,
              "the callback of custom_call @InspectSharding failed: " +
                  message);
}

} // namespace xlac::pjrt
