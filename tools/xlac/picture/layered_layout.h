// Layered layout of a directed acyclic graph: edges point down, with few
// crossings and mostly straight edges. Edges from one node share a line as long
// as they lead through the same layers.
#pragma once

#include <vector>

namespace xlac::cli {

struct Point {
  double x = 0, y = 0;
};

struct LayoutNode {
  double width = 0, height = 0;
  double x = 0, y = 0; ///< upper left corner; output
  /// Distance from the left side at which edges begin and end; negative for the
  /// middle.
  double axis = -1;
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
/// layer and between layers. Nodes of a layer that do not fit in `width` become
/// several layers. The layout is wider only if a node is, or if so many edges
/// lead past the nodes of a layer.
void lay_out(Layout &layout, double width = 1e9, double across = 18,
             double down = 34);

} // namespace xlac::cli
