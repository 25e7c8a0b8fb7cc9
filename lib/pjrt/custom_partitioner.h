// The PJRT extension by which hosts partition custom calls. The registry
// belongs to the process, because hosts register before they create a client.
// All functions are thread-safe.
#pragma once

#include "c_api_custom_partitioner.h"

#include "xlac/support/call_partitioner.h"

#include <string>
#include <vector>

namespace xlac::pjrt {

/// Returns the extension, followed by `next` in the list. It lives as long as
/// the process. Called once.
PJRT_Extension_Base *custom_partitioner_extension(PJRT_Extension_Base *next);

/// Partitions the custom calls of registered targets by the host's functions,
/// and calls the callbacks of "InspectSharding".
class HostPartitioner final : public CallPartitioner {
public:
  /// With `uses_shardy`, the host's functions are not asked for shardings of
  /// results. Without `calls_host` no function is called, and programs with
  /// such calls fail.
  HostPartitioner(bool uses_shardy, bool calls_host)
      : uses_shardy_(uses_shardy), calls_host_(calls_host) {}

  bool handles(std::string_view target) const override;
  Result<std::vector<Sharding>>
  infer_results(const CallSite &site) const override;
  Result<std::vector<Sharding>>
  adapt_results(const CallSite &site) const override;
  Result<PartitionedCall> partition(const CallSite &site) const override;

private:
  bool uses_shardy_, calls_host_;
};

/// The targets that are registered as partitionable along their batch
/// dimensions, in alphabetical order.
std::vector<std::string> batch_targets();

} // namespace xlac::pjrt
