// Reports of what the partition pass decides, and what it assumes of devices.
#pragma once

#include "xlac/support/sharding.h"

#include <cstdint>
#include <string>
#include <vector>

namespace xlac {

/// How an op, or an argument, of a partitioned program is sharded.
struct OpSharding {
  std::string op;         ///< name and type of the first result
  std::string location;   ///< in the source, as MLIR prints it
  std::string sharding;   ///< of the first result, in HLO's form
  std::string decided_by; ///< "annotation", "cost", "nothing", or an op
  double bytes = 0;       ///< that a device receives for one run of the op
};

/// What devices and their links do in a second, for estimates of time.
struct DeviceRates {
  double gflops = 1000;         ///< 10^9 operations of products, of f32
  double memory_gbytes = 200;   ///< GB to and from a device's memory
  double link_gbytes = 50;      ///< GB to a neighbour, in each direction
  double link_microseconds = 1; ///< latency of a message
  bool operator==(const DeviceRates &) const = default;
};

/// Shardings of all arguments, of a search, with estimates for one device.
struct ArgumentPlan {
  std::vector<int64_t> mesh;       ///< the sizes of its axes
  std::vector<Sharding> arguments; ///< one per argument
  double milliseconds = 0;         ///< of one run
  double bytes_received = 0;       ///< from other devices
  double rounds = 0;               ///< of messages, one after the other
  double argument_bytes = 0;       ///< of the shards of arguments
};

} // namespace xlac
