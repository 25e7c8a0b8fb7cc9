// The devices of tests of sharded values.
#pragma once

#include "xlac/xlac.h"

#include <cstdlib>
#include <numeric>
#include <vector>

namespace xlac::test {

/// Starts SPMD on eight devices. Call it before anything uses a device, for
/// example for a constant. Without `overwrite`, CPU_NUM_DEVICES has precedence.
inline bool use_eight_devices(bool overwrite = true) {
  setenv("CPU_NUM_DEVICES", "8", overwrite);
  xr::use_spmd();
  return true;
}

inline std::vector<int64_t> device_ids(int64_t count) {
  std::vector<int64_t> list(static_cast<size_t>(count));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

} // namespace xlac::test
