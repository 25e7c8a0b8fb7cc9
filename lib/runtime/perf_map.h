// Names of compiled code for perf: lines in /tmp/perf-<pid>.map.
#pragma once

#include "xlac/runtime/image.h"

namespace xlac {

/// XLAC_PERF_MAP=1 was set when the process first asked.
bool perf_map_wanted();

/// Appends the symbols of a blob that lies at `address`. Failures to write are
/// nobody's concern.
void write_perf_map(const Blob &blob, const void *address);

} // namespace xlac
