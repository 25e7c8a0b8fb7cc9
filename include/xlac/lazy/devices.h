// The number of xla devices and the current device of a thread.
#pragma once

#include "xlac/types.h"

#include <optional>
#include <string>
#include <string_view>

namespace xlac::lazy {

/// The device type: as set, else PJRT_DEVICE, else "CPU"; empty if
/// PJRT_SELECT_DEFAULT_DEVICE=0 and none is configured.
std::optional<std::string> device_type();
/// UserError once the runtime has started.
void set_device_type(std::string_view type);
/// Upper limit of CPU_NUM_DEVICES.
inline constexpr int kMaxDevices = 4096;

/// Number of xla devices: from set_device_count, else CPU_NUM_DEVICES, else 1.
/// Under SPMD it is 1, because xla:0 stands for all devices. The first call
/// fixes it.
int device_count();
/// Number of devices, not affected by SPMD.
int runtime_device_count();
/// Threads for a program that runs while the other devices of this process
/// have nothing to do: XLAC_NUM_THREADS, else this process's part of the cores.
int threads_of_process();
/// The result that runtime_device_count() would have; does not start the
/// runtime.
int planned_device_count();
/// UserError once the runtime has started.
void set_device_count(int count);
bool runtime_started();
/// Declares that this process has `devices` devices and shares the host's
/// memory and cores equally with `processes` processes. UserError if the
/// runtime has started with another number of devices.
void share_host(int devices, int processes);
/// Prevents the start of the runtime while is_suspended() is true: starting it
/// is a UserError. is_suspended is called at each start.
void suspend_runtime(bool (*is_suspended)());
/// Resets types, counts and this thread's current device to those of a new
/// process. Only for a process whose runtime has not started.
void reset_device_settings();
/// This thread's current xla device.
int current_device();
/// IndexError if the device does not exist.
void set_current_device(int index);
/// `device` with its index filled in; IndexError if it does not exist.
Device resolve(Device device);

} // namespace xlac::lazy
