// Concurrent execution of programs, one per device.
#include "commands.h"

#include <fmt/format.h>

namespace xlac::cli {

Result<std::vector<std::vector<runtime::BufferRef>>> run_on_grid(
    const std::vector<std::shared_ptr<const runtime::Executable>> &programs,
    const runtime::GridOptions &options,
    const std::vector<std::vector<runtime::BufferRef>> &arguments) {
  auto grid = make_local_grid(options);
  if (!grid)
    return grid.error();
  std::vector<runtime::VirtualDevice *> devices;
  for (size_t i = 0; i < programs.size(); ++i) {
    auto device = runtime::find_device(static_cast<int>(i));
    if (!device)
      return device.error();
    devices.push_back(*device);
  }
  std::vector<std::vector<runtime::BufferRef>> results;
  for (size_t i = 0; i < programs.size(); ++i)
    results.push_back(devices[i]->launch(
        programs[i], arguments[i], {.place = {*grid, static_cast<int>(i)}}));
  Status status;
  for (runtime::VirtualDevice *device : devices)
    if (Status one = device->sync(); !one && status)
      status = one;
  // The first failure caused the others, so it is reported.
  XLAC_RETURN_IF_ERROR((*grid)->status());
  XLAC_RETURN_IF_ERROR(std::move(status));
  return results;
}

} // namespace xlac::cli
