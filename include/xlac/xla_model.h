// torch_xla.core.xla_model, for one process.
#pragma once

#include "xlac/lazy.h"
#include "xlac/runtime.h"

#include <iostream>
#include <tuple>

namespace xlac::xla_model {

/// xlac::device(n); `devkind` must be "CPU".
XLAC_API Device xla_device(std::optional<int> n = {},
                           std::optional<std::string> devkind = {});
XLAC_API std::vector<Device>
get_xla_supported_devices(std::optional<std::string> devkind = {},
                          std::optional<int> max_devices = {});
/// "CPU".
XLAC_API std::string xla_device_hw(Device device);
/// All of this process when `devices` is empty.
XLAC_API std::vector<std::string>
xla_real_devices(std::vector<Device> devices = {});
XLAC_API bool is_xla_tensor(const Tensor &tensor);

XLAC_API int get_ordinal(int defval = 0);
XLAC_API int get_local_ordinal(int defval = 0);
XLAC_API int xrt_world_size(int defval = 1);
XLAC_API bool is_master_ordinal(bool local = true);
/// Space separated, newline; on the master only.
template <class... A> void master_print(const A &...args) {
  if (!is_master_ordinal())
    return;
  const char *separator = "";
  ((std::cout << separator << args, separator = " "), ...);
  std::cout << "\n";
}

/// sync().
XLAC_API void mark_step(bool wait = false);
/// All local devices if empty.
XLAC_API void wait_device_ops(std::vector<Device> devices = {});
/// Runs closure(args…) at the end of this thread's next sync.
template <class Fn, class... A>
void add_step_closure(Fn closure, std::tuple<A...> args = {}) {
  detail::add_step_closure(
      [closure = std::move(closure), args = std::move(args)]() mutable {
        std::apply(closure, args);
      });
}

/// StableHLO of what the tensors wait for, or all live ones of the current
/// device.
XLAC_API std::string get_stablehlo(const std::vector<Tensor> &tensors = {});
/// The same as a portable artifact of the current version.
XLAC_API Bytes get_stablehlo_bytecode(const std::vector<Tensor> &tensors = {});

/// The state of the device's random numbers, of the current xla device unless
/// one is named; operations recorded from now on use it.
XLAC_API void set_rng_state(int64_t seed, std::optional<Device> device = {});
/// 101 at the start of a process; every random operation changes it.
XLAC_API int64_t get_rng_state(std::optional<Device> device = {});
/// Restores the device's random state when it goes out of scope.
class [[nodiscard]] XLAC_API ForkRng {
public:
  explicit ForkRng(std::optional<Device> device = {});
  ~ForkRng();
  ForkRng(const ForkRng &) = delete;
  ForkRng &operator=(const ForkRng &) = delete;

private:
  Device device_;
  int64_t state_;
};

struct MemoryInfo {
  int64_t bytes_used, bytes_limit, peak_bytes_used;
};
XLAC_API MemoryInfo get_memory_info(std::optional<Device> device = {});

} // namespace xlac::xla_model

namespace xlac {
namespace xm = xla_model;
}
