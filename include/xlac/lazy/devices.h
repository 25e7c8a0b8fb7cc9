// How many xla devices there are, and which one a thread is on.
#pragma once

#include "xlac/types.h"

#include <optional>
#include <string>
#include <string_view>

namespace xlac::lazy {

/// The device type: what was set, else PJRT_DEVICE, else "CPU"; nothing with
/// PJRT_SELECT_DEFAULT_DEVICE=0.
std::optional<std::string> device_type();
/// UserError once the runtime has started.
void set_device_type(std::string_view type);
/// What CPU_NUM_DEVICES may be at most.
inline constexpr int kMaxDevices = 4096;

/// Number of xla devices: set_device_count, else CPU_NUM_DEVICES, else 1; under
/// SPMD one that stands for all. Asking settles it.
int device_count();
/// The devices themselves, also under SPMD.
int runtime_device_count();
/// What runtime_device_count() would be; starts nothing.
int planned_device_count();
/// UserError once the runtime has started.
void set_device_count(int count);
bool runtime_started();
/// This process has `devices` devices and is one of `processes` that share the
/// host's memory and cores alike. UserError once the runtime has started with
/// another number.
void share_host(int devices, int processes);
/// As long as is_suspended() is true, which is asked whenever the runtime would
/// start, it does not: UserError.
void suspend_runtime(bool (*is_suspended)());
/// Types and counts that were set, and this thread's current device, are again
/// as in a new process; for one whose runtime has not started.
void reset_device_settings();
/// This thread's current xla device.
int current_device();
/// IndexError when there is no such device.
void set_current_device(int index);
/// `device` with its index filled in; IndexError when there is no such one.
Device resolve(Device device);

} // namespace xlac::lazy
