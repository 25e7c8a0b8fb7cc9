// Places the nodes of a directed graph without cycles in layers, edges pointing
// down, with few crossings and mostly straight edges. Knows nothing of what the
// nodes mean.
#pragma once

#include <vector>

namespace xlac::cli {

struct Point {
  double x = 0, y = 0;
};

struct LayoutNode {
  double width = 0, height = 0;
  double x = 0, y = 0; ///< left upper corner; filled in
  /// Goes along with its first target, in the layer above, and does not hold
  /// that back.
  bool near_target = false;
};

struct LayoutEdge {
  int from = 0, to = 0;      ///< numbers of nodes; `from` is less than `to`
  std::vector<Point> points; ///< where it goes through; filled in
};

struct Layout {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutEdge> edges;
  double width = 0, height = 0; ///< of the whole; filled in
};

/// `across` and `down` are the least distances of neighbours in a layer and of
/// layers.
void lay_out(Layout &layout, double across = 18, double down = 34);

} // namespace xlac::cli
