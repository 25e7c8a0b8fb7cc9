// Layered layout of a directed acyclic graph: edges point down, with few
// crossings and mostly straight edges.
#pragma once

#include <vector>

namespace xlac::cli {

struct Point {
  double x = 0, y = 0;
};

struct LayoutNode {
  double width = 0, height = 0;
  double x = 0, y = 0; ///< upper left corner; output
  /// Place the node in the layer above its first target, without moving that
  /// target down.
  bool near_target = false;
};

struct LayoutEdge {
  int from = 0, to = 0;      ///< numbers of nodes; `from` is less than `to`
  std::vector<Point> points; ///< the points on its path; output
};

struct Layout {
  std::vector<LayoutNode> nodes;
  std::vector<LayoutEdge> edges;
  double width = 0, height = 0; ///< of the whole layout; output
};

/// Computes the layout. `across` and `down` are the least distances within a
/// layer and between layers.
void lay_out(Layout &layout, double across = 18, double down = 34);

} // namespace xlac::cli
