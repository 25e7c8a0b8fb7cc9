#include "layered_layout.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

namespace xlac::cli {
namespace {

constexpr int kOrderSweeps = 12, kPlacingSweeps = 60, kWidthTrials = 16;
/// Straight long edges are more important than centered nodes.
constexpr double kBendWeight = 8;
/// The weight of an edge that feeds a column, relative to one that continues
/// it.
constexpr double kSideWeight = 0.02;

double axis_of(const LayoutNode &node) {
  return node.axis < 0 ? node.width / 2 : node.axis;
}

/// A slot of an adjacent layer, and the weight for a vertical edge to it.
struct Neighbour {
  int place = 0;
  double weight = 1;
};

/// A node, or the crossing of a long edge with a layer.
struct LayerSlot {
  int node = -1;              ///< of the layout; -1 for an edge
  double left = 0, right = 0; ///< extent on both sides of x
  double x = 0;
  std::vector<Neighbour> above, below;
};

class Layering {
public:
  Layering(Layout &layout, double width, double across, double down)
      : layout_(layout), width_(width), across_(across), down_(down) {}

  void run() {
    // Edges that cross a layer need room there as well. It is known only when
    // the layers are.
    double nodes = width_;
    for (int i = 0; i < kWidthTrials; ++i) {
      choose_layers();
      split_wide_layers(nodes);
      make_places();
      double excess = least_width() - width_;
      if (excess <= 0)
        break;
      nodes -= std::max(excess, across_);
    }
    width_ = std::max(width_, least_width());
    for (int i = 0; i < kOrderSweeps; ++i)
      order(i % 2 == 0);
    first_positions();
    follow_heaviest_edges();
    for (int i = 0; i < kPlacingSweeps; ++i)
      straighten(i % 2 == 0);
    make_vertical();
    write_back();
  }

private:
  void choose_layers();
  void split_wide_layers(double width);
  void make_places();
  void connect(int above, int below, double weight);
  double least_width() const;
  void order(bool from_above);
  void first_positions();
  std::vector<double> edge_weights() const;
  void follow_heaviest_edges();
  void straighten(bool from_above);
  void make_vertical();
  void put_apart(const std::vector<int> &layer,
                 const std::vector<double> &wanted);
  void write_back();

  Layout &layout_;
  double width_; ///< within which all slots are placed
  const double across_, down_;
  std::vector<int> layer_of_; ///< of nodes
  std::vector<LayerSlot>
      places_; ///< those of the nodes in their order, then the others
  std::vector<std::vector<int>> layers_;
  std::vector<std::vector<int>> paths_; ///< the slots of each edge
};

/// Puts nodes as high as their sources allow. Then moves nodes with more
/// targets than sources down to their targets, which shortens edges. Edges lead
/// from lower to higher numbers, so one pass in each direction suffices.
void Layering::choose_layers() {
  size_t count = layout_.nodes.size();
  layer_of_.assign(count, 0);
  std::vector<std::vector<int>> targets(count);
  std::vector<size_t> sources(count);
  for (const LayoutEdge &edge : layout_.edges) {
    targets[edge.from].push_back(edge.to);
    ++sources[edge.to];
  }
  for (size_t i = 0; i < count; ++i)
    for (int target : targets[i])
      layer_of_[target] = std::max(layer_of_[target], layer_of_[i] + 1);
  for (size_t i = count; i-- > 0;) {
    if (targets[i].size() <= sources[i])
      continue;
    int least = layer_of_[targets[i].front()];
    for (int target : targets[i])
      least = std::min(least, layer_of_[target]);
    layer_of_[i] = least - 1;
  }
}

/// Moves nodes to further layers until the nodes of each layer fit in `width`,
/// then removes empty layers.
void Layering::split_wide_layers(double width) {
  size_t count = layout_.nodes.size();
  std::vector<const LayoutEdge *> edges;
  for (const LayoutEdge &edge : layout_.edges)
    edges.push_back(&edge);
  std::ranges::sort(edges, {}, &LayoutEdge::to);
  std::vector<double> used;
  auto edge = edges.begin();
  for (size_t i = 0; i < count; ++i) {
    int &layer = layer_of_[i];
    for (; edge != edges.end() && (*edge)->to == static_cast<int>(i); ++edge)
      layer = std::max(layer, layer_of_[(*edge)->from] + 1);
    double needed = layout_.nodes[i].width + across_;
    auto room = [&] {
      if (used.size() <= static_cast<size_t>(layer))
        used.resize(layer + 1);
      return used[layer] == 0 || used[layer] + needed <= width + across_;
    };
    while (!room())
      ++layer;
    used[layer] += needed;
  }
  std::vector<int> number(used.size());
  for (size_t i = 1; i < used.size(); ++i)
    number[i] = number[i - 1] + (used[i - 1] > 0);
  for (int &layer : layer_of_)
    layer = number[layer];
}

/// Returns the weight of each edge for being vertical. It is greatest for edges
/// on the longest path into their target and on the longest path out of their
/// source. These edges form columns; other inputs of a column are placed beside
/// it.
std::vector<double> Layering::edge_weights() const {
  size_t count = layout_.nodes.size();
  std::vector<int> above(count), below(count);
  std::vector<const LayoutEdge *> edges;
  for (const LayoutEdge &edge : layout_.edges)
    edges.push_back(&edge);
  std::ranges::sort(edges, {}, &LayoutEdge::from);
  for (const LayoutEdge *edge : edges)
    above[edge->to] = std::max(above[edge->to], above[edge->from] + 1);
  for (const LayoutEdge *edge : std::views::reverse(edges))
    below[edge->from] = std::max(below[edge->from], below[edge->to] + 1);
  std::vector<double> weights;
  for (const LayoutEdge &edge : layout_.edges) {
    bool is_main_source = above[edge.to] == above[edge.from] + 1;
    bool is_main_target = below[edge.from] == below[edge.to] + 1;
    weights.push_back(is_main_source && is_main_target ? 1 : kSideWeight);
  }
  return weights;
}

void Layering::make_places() {
  int depth = 0;
  for (int layer : layer_of_)
    depth = std::max(depth, layer + 1);
  layers_.assign(depth, {});
  places_.clear();
  paths_.clear();
  for (size_t i = 0; i < layout_.nodes.size(); ++i) {
    const LayoutNode &node = layout_.nodes[i];
    double axis = axis_of(node);
    places_.push_back(
        {static_cast<int>(i), axis, node.width - axis, 0, {}, {}});
    layers_[layer_of_[i]].push_back(static_cast<int>(i));
  }
  std::vector<double> weights = edge_weights();
  // The slot in which the edges of a node cross a layer.
  std::map<std::pair<int, int>, int> crossings;
  for (size_t number = 0; number < layout_.edges.size(); ++number) {
    const LayoutEdge &edge = layout_.edges[number];
    std::vector<int> path{edge.from};
    for (int layer = layer_of_[edge.from] + 1; layer < layer_of_[edge.to];
         ++layer) {
      auto [crossing, fresh] = crossings.try_emplace(
          {edge.from, layer}, static_cast<int>(places_.size()));
      path.push_back(crossing->second);
      if (!fresh)
        continue;
      layers_[layer].push_back(path.back());
      places_.push_back({-1, 1, 1, 0, {}, {}});
    }
    path.push_back(edge.to);
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      bool is_inner = i > 0 && i + 2 < path.size();
      connect(path[i], path[i + 1],
              weights[number] * (is_inner ? kBendWeight : 1));
    }
    paths_.push_back(std::move(path));
  }
}

/// Connects two slots of adjacent layers; edges that share a line connect them
/// once, with the greatest weight.
void Layering::connect(int above, int below, double weight) {
  auto add = [&](std::vector<Neighbour> &list, int place) {
    auto found = std::ranges::find(list, place, &Neighbour::place);
    if (found == list.end())
      list.push_back({place, weight});
    else
      found->weight = std::max(found->weight, weight);
  };
  add(places_[above].below, below);
  add(places_[below].above, above);
}

/// Returns the width of the widest layer.
double Layering::least_width() const {
  double width = 0;
  for (const std::vector<int> &layer : layers_) {
    double least = -across_;
    for (int place : layer)
      least += places_[place].left + places_[place].right + across_;
    width = std::max(width, least);
  }
  return width;
}

/// Sorts each layer by the mean position of neighbors in the previous layer.
void Layering::order(bool from_above) {
  std::vector<double> position(places_.size());
  for (const std::vector<int> &layer : layers_)
    for (size_t i = 0; i < layer.size(); ++i)
      position[layer[i]] = static_cast<double>(i);
  int count = static_cast<int>(layers_.size());
  for (int step = 1; step < count; ++step) {
    std::vector<int> &layer = layers_[from_above ? step : count - 1 - step];
    std::vector<std::pair<double, int>> keyed;
    for (int place : layer) {
      const std::vector<Neighbour> &near =
          from_above ? places_[place].above : places_[place].below;
      double key = position[place];
      if (!near.empty()) {
        key = 0;
        for (const Neighbour &other : near)
          key += position[other.place];
        key /= static_cast<double>(near.size());
      }
      keyed.emplace_back(key, static_cast<int>(keyed.size()));
    }
    std::sort(keyed.begin(), keyed.end());
    std::vector<int> sorted;
    for (const auto &[key, index] : keyed)
      sorted.push_back(layer[index]);
    layer = std::move(sorted);
    for (size_t i = 0; i < layer.size(); ++i)
      position[layer[i]] = static_cast<double>(i);
  }
}

void Layering::first_positions() {
  for (const std::vector<int> &layer : layers_) {
    double x = 0;
    for (int place : layer) {
      places_[place].x = x + places_[place].left;
      x += places_[place].left + places_[place].right + across_;
    }
  }
}

/// Puts each slot below the one above it on the longest path.
void Layering::follow_heaviest_edges() {
  for (const std::vector<int> &layer : layers_) {
    std::vector<double> wanted;
    for (int place : layer) {
      const std::vector<Neighbour> &above = places_[place].above;
      auto heaviest = std::ranges::max_element(above, {}, &Neighbour::weight);
      wanted.push_back(heaviest == above.end() ? places_[place].x
                                               : places_[heaviest->place].x);
    }
    put_apart(layer, wanted);
  }
}

/// Moves each slot to the mean of its neighbors in both directions, layer by
/// layer. With one direction only, layers would accumulate the drift of
/// previous layers.
void Layering::straighten(bool from_above) {
  int count = static_cast<int>(layers_.size());
  for (int step = 0; step < count; ++step) {
    const std::vector<int> &layer =
        layers_[from_above ? step : count - 1 - step];
    std::vector<double> wanted;
    for (int place : layer) {
      double sum = 0, weight = 0;
      for (const auto *near : {&places_[place].above, &places_[place].below})
        for (const Neighbour &other : *near) {
          sum += other.weight * places_[other.place].x;
          weight += other.weight;
        }
      wanted.push_back(weight > 0 ? sum / weight : places_[place].x);
    }
    put_apart(layer, wanted);
  }
}

/// Finds the positions with the least squared distances from `wanted` that keep
/// the order and distances in the layer. Neighbors that would overlap are
/// merged into blocks, which are placed at the mean of their members' wanted
/// positions. Positions beyond the width are moved to its border, which is
/// nearest to them.
void Layering::put_apart(const std::vector<int> &layer,
                         const std::vector<double> &wanted) {
  struct Block {
    double sum, weight;
    size_t members;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  std::vector<double> offsets;
  double offset = 0;
  for (size_t i = 0; i < layer.size(); ++i) {
    const LayerSlot &place = places_[layer[i]];
    if (i > 0)
      offset += places_[layer[i - 1]].right + place.left + across_;
    offsets.push_back(offset);
    double weight = 1e-6;
    for (const auto *near : {&place.above, &place.below})
      for (const Neighbour &other : *near)
        weight += other.weight;
    blocks.push_back({(wanted[i] - offset) * weight, weight, 1});
    while (blocks.size() > 1 &&
           blocks[blocks.size() - 2].mean() >= blocks.back().mean()) {
      Block last = blocks.back();
      blocks.pop_back();
      blocks.back().sum += last.sum;
      blocks.back().weight += last.weight;
      blocks.back().members += last.members;
    }
  }
  if (layer.empty())
    return;
  double least = places_[layer.front()].left;
  double most = width_ - places_[layer.back()].right - offsets.back();
  size_t i = 0;
  for (const Block &block : blocks)
    for (size_t member = 0; member < block.members; ++member, ++i)
      places_[layer[i]].x =
          std::clamp(block.mean(), least, std::max(least, most)) + offsets[i];
}

/// Moves the crossings of long edges above their lower ends as far as their
/// neighbors allow. straighten() leaves them on a slope, with a bend in each
/// layer.
void Layering::make_vertical() {
  for (size_t number = layers_.size(); number-- > 0;) {
    const std::vector<int> &layer = layers_[number];
    for (size_t i = 0; i < layer.size(); ++i) {
      LayerSlot &slot = places_[layer[i]];
      if (slot.node >= 0 || slot.below.empty())
        continue;
      double least = slot.left, most = width_ - slot.right;
      if (i > 0) {
        const LayerSlot &before = places_[layer[i - 1]];
        least = before.x + before.right + across_ + slot.left;
      }
      if (i + 1 < layer.size()) {
        const LayerSlot &after = places_[layer[i + 1]];
        most = after.x - after.left - across_ - slot.right;
      }
      // A shared line follows its longest edge.
      auto below = std::ranges::find_if(slot.below, [&](const Neighbour &one) {
        return places_[one.place].node < 0;
      });
      if (below == slot.below.end())
        below = slot.below.begin();
      slot.x = std::max(least, std::min(places_[below->place].x, most));
    }
  }
}

void Layering::write_back() {
  double left = 0, right = 0;
  bool first = true;
  for (const LayerSlot &place : places_) {
    double from = place.x - place.left, to = place.x + place.right;
    left = first ? from : std::min(left, from);
    right = first ? to : std::max(right, to);
    first = false;
  }
  layout_.width = right - left;
  std::vector<double> top(layers_.size()), bottom(layers_.size());
  double y = 0;
  for (size_t i = 0; i < layers_.size(); ++i) {
    double height = 0;
    for (int place : layers_[i])
      if (int node = places_[place].node; node >= 0)
        height = std::max(height, layout_.nodes[node].height);
    top[i] = y;
    bottom[i] = y + height;
    y += height + down_;
  }
  layout_.height = layers_.empty() ? 0 : y - down_;
  for (size_t i = 0; i < layout_.nodes.size(); ++i) {
    LayoutNode &node = layout_.nodes[i];
    node.x = places_[i].x - places_[i].left - left;
    node.y = top[layer_of_[i]] +
             (bottom[layer_of_[i]] - top[layer_of_[i]] - node.height) / 2;
  }
  for (size_t i = 0; i < layout_.edges.size(); ++i) {
    LayoutEdge &edge = layout_.edges[i];
    const LayoutNode &from = layout_.nodes[edge.from];
    const LayoutNode &to = layout_.nodes[edge.to];
    double start = from.x + axis_of(from), end = to.x + axis_of(to);
    edge.points = {{start, from.y + from.height}};
    int layer = layer_of_[edge.from];
    edge.points.push_back({start, bottom[layer]});
    for (size_t step = 1; step + 1 < paths_[i].size(); ++step) {
      double x = places_[paths_[i][step]].x - left;
      ++layer;
      edge.points.push_back({x, top[layer]});
      edge.points.push_back({x, bottom[layer]});
    }
    edge.points.push_back({end, top[layer_of_[edge.to]]});
    edge.points.push_back({end, to.y});
  }
}

} // namespace

void lay_out(Layout &layout, double width, double across, double down) {
  Layering(layout, width, across, down).run();
}

} // namespace xlac::cli
