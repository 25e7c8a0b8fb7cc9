// A cost model of data movement between devices of a hypothetical mesh. Volumes
// follow from the collectives; times follow from latency, bandwidth and
// topology. docs/scaling.md derives the formulas.
#pragma once

#include "xlac/runtime/collective.h"
#include "xlac/support/sharding.h"

#include <map>
#include <string>
#include <vector>

namespace xlac::cli {

/// Devices that differ in one coordinate only, and the links between them.
struct MeshAxis {
  std::string name;
  int64_t size = 1;
  double gbytes = 50;      ///< per second and direction, between neighbors
  double microseconds = 1; ///< latency of the first byte
};

enum class MeshTopology {
  Torus,  ///< each axis is a ring
  Switch, ///< any two devices along an axis are neighbors
};

/// Devices in C order of the axes.
struct DeviceMeshPlan {
  std::vector<MeshAxis> axes;
  MeshTopology topology = MeshTopology::Torus;
  int64_t count() const;
};

/// Returns the axes, by number, along which members of the collective's groups
/// differ. Returns nothing if the groups are not unions of whole axes; then
/// they may contain any devices.
std::vector<size_t> axes_of(const runtime::Collective &what,
                            const DeviceMeshPlan &mesh);

struct CollectiveCost {
  double bytes = 0;        ///< sent by a device
  double microseconds = 0; ///< until all members have their results
};

/// Returns the cost of one run of `what`; zero for copies within a device.
CollectiveCost cost_of(const runtime::Collective &what,
                       const DeviceMeshPlan &mesh);

/// Parses "16x16" and axis names; the default names are x, y, z …. Fails for
/// invalid sizes and for a different number of names.
Result<DeviceMeshPlan> parse_mesh(const std::string &sizes,
                                  const std::vector<std::string> &names);

/// Returns the sharding of a tensor of `rank` dimensions by `spec`. For each
/// dimension `spec` has axis names joined by '+', or '-' for none, separated by
/// commas.
Result<Sharding> parse_spec(const std::string &spec, size_t rank,
                            const DeviceMeshPlan &mesh);

} // namespace xlac::cli
