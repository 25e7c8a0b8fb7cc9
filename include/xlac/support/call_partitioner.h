// How an embedder of the compiler partitions custom calls. The compiler knows
// the shardings of a call's operands and results, and the embedder knows the
// function: it chooses shardings, and returns the program of one device. Plain
// data and one abstract class; see `CompilerOptions::call_partitioner`.
#pragma once

#include "xlac/support/element_type.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"

#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// An operand or a result of a custom call. The sizes are those of the global
/// value. The sharding is Manual where the program itself defines what each
/// device has; the sizes are then those of the device's value.
struct CallValue {
  ElementType element = ElementType::F32;
  std::vector<int64_t> dims;
  Sharding sharding;
};

/// A custom call in a program of several partitions.
struct CallSite {
  std::string target; ///< call_target_name
  std::string config; ///< backend_config if that is a string, else empty
  std::vector<CallValue> operands, results;
};

/// What replaces a custom call on each device.
struct PartitionedCall {
  /// A StableHLO module, as text or bytecode. Its function `main` takes the
  /// shards of the operands and returns those of the results. If it is empty,
  /// the results are the operands.
  std::string module;
  /// The shardings that `main` requires of operands and gives to results.
  std::vector<Sharding> operands, results;
};

/// Partitions custom calls. Its functions are called on threads of the
/// compiler, from several compilations at a time, and do not throw.
class CallPartitioner {
public:
  virtual ~CallPartitioner() = default;

  /// Returns whether calls of `target` are partitioned by this object.
  virtual bool handles(std::string_view target) const = 0;

  /// Returns the shardings of results that follow from those of operands;
  /// Unknown where none follows. Only calls without a sharding rule are asked.
  virtual Result<std::vector<Sharding>>
  infer_results(const CallSite &site) const = 0;

  /// Returns the shardings that results are to have if the ops that use them
  /// request those of the site. Only calls without a sharding rule are asked.
  virtual Result<std::vector<Sharding>>
  adapt_results(const CallSite &site) const = 0;

  /// Returns the program of one device. Called once for each call.
  virtual Result<PartitionedCall> partition(const CallSite &site) const = 0;
};

} // namespace xlac
