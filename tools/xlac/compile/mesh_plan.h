// What moving data between devices costs on a mesh that is not there: volumes
// follow from the collectives, times from latency, bandwidth and topology.
// docs/scaling.md derives the formulas.
#pragma once

#include "xlac/runtime/collective.h"
#include "xlac/support/sharding.h"

#include <map>
#include <string>
#include <vector>

namespace xlac::cli {

/// Devices that differ in their place on one axis alone, and what joins them.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
  double gbytes = 50;      ///< a second, each way, between neighbours
  double microseconds = 1; ///< until the first byte arrives
};

enum class MeshTopology {
  Torus,  ///< each axis a ring
  Switch, ///< along each axis any two are neighbours
};

/// Devices in C order of the axes.
struct DeviceMeshPlan {
  std::vector<MeshAxis> axes;
  MeshTopology topology = MeshTopology::Torus;
  int64_t count() const;
};

/// The axes along which members of the collective's groups differ, by number.
/// Nothing where groups are none of whole axes: then any device may be in them.
std::vector<size_t> axes_of(const runtime::Collective &what,
                            const DeviceMeshPlan &mesh);

struct CollectiveCost {
  double bytes = 0;        ///< that a device sends
  double microseconds = 0; ///< until all have what they need
};

/// The cost of one run of `what`; none for what stays on a device.
CollectiveCost cost_of(const runtime::Collective &what,
                       const DeviceMeshPlan &mesh);

/// "16x16" and names as axes, x, y, z … where `names` is empty. Fails for sizes
/// that are none and for another number of names.
Result<DeviceMeshPlan> parse_mesh(const std::string &sizes,
                                  const std::vector<std::string> &names);

/// How a tensor of `rank` dimensions lies if axes cut it as `spec` says: for
/// each dimension names joined by '+', or '-' for none, with commas between.
Result<Sharding> parse_spec(const std::string &spec, size_t rank,
                            const DeviceMeshPlan &mesh);

} // namespace xlac::cli
