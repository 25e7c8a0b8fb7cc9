#include "layered_layout.h"

#include <algorithm>
#include <cmath>
#include <ranges>

namespace xlac::cli {
namespace {

constexpr int kOrderSweeps = 12, kPlacingSweeps = 60;
/// Straight long edges are more important than centered nodes.
constexpr double kBendWeight = 8;
/// The weight of an edge that feeds a column, relative to one that continues
/// it.
constexpr double kSideWeight = 0.02;

/// A slot of an adjacent layer, and the weight for a vertical edge to it.
struct Neighbour {
  int place = 0;
  double weight = 1;
};

/// A node, or the crossing of a long edge with a layer.
struct LayerSlot {
  int node = -1; ///< of the layout; -1 for an edge
  double width = 0, x = 0;
  std::vector<Neighbour> above, below;
};

class Layering {
public:
  Layering(Layout &layout, double across, double down)
      : layout_(layout), across_(across), down_(down) {}

  void run() {
    choose_layers();
    make_places();
    for (int i = 0; i < kOrderSweeps; ++i)
      order(i % 2 == 0);
    first_positions();
    follow_heaviest_edges();
    for (int i = 0; i < kPlacingSweeps; ++i)
      straighten(i % 2 == 0);
    write_back();
  }

private:
  void choose_layers();
  void make_places();
  void order(bool from_above);
  void first_positions();
  std::vector<double> edge_weights() const;
  void follow_heaviest_edges();
  void straighten(bool from_above);
  void put_apart(const std::vector<int> &layer,
                 const std::vector<double> &wanted);
  void write_back();

  Layout &layout_;
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
    sources[edge.to] += !layout_.nodes[edge.from].near_target;
  }
  for (size_t i = 0; i < count; ++i)
    for (int target : targets[i])
      layer_of_[target] = std::max(layer_of_[target], layer_of_[i] + 1);
  for (size_t i = count; i-- > 0;) {
    bool moves = layout_.nodes[i].near_target || targets[i].size() > sources[i];
    if (!moves || targets[i].empty())
      continue;
    int least = layer_of_[targets[i].front()];
    for (int target : targets[i])
      least = std::min(least, layer_of_[target]);
    layer_of_[i] = least - 1;
  }
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
  layers_.resize(depth);
  for (size_t i = 0; i < layout_.nodes.size(); ++i) {
    places_.push_back({static_cast<int>(i), layout_.nodes[i].width, 0, {}, {}});
    layers_[layer_of_[i]].push_back(static_cast<int>(i));
  }
  std::vector<double> weights = edge_weights();
  for (size_t number = 0; number < layout_.edges.size(); ++number) {
    const LayoutEdge &edge = layout_.edges[number];
    std::vector<int> path{edge.from};
    for (int layer = layer_of_[edge.from] + 1; layer < layer_of_[edge.to];
         ++layer) {
      path.push_back(static_cast<int>(places_.size()));
      layers_[layer].push_back(path.back());
      places_.push_back({-1, 2, 0, {}, {}});
    }
    path.push_back(edge.to);
    for (size_t i = 0; i + 1 < path.size(); ++i) {
      bool is_inner = i > 0 && i + 2 < path.size();
      double weight = weights[number] * (is_inner ? kBendWeight : 1);
      places_[path[i]].below.push_back({path[i + 1], weight});
      places_[path[i + 1]].above.push_back({path[i], weight});
    }
    paths_.push_back(std::move(path));
  }
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
      places_[place].x = x + places_[place].width / 2;
      x += places_[place].width + across_;
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
/// positions.
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
      offset += (places_[layer[i - 1]].width + place.width) / 2 + across_;
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
  size_t i = 0;
  for (const Block &block : blocks)
    for (size_t member = 0; member < block.members; ++member, ++i)
      places_[layer[i]].x = block.mean() + offsets[i];
}

void Layering::write_back() {
  double left = 0, right = 0;
  bool first = true;
  for (const LayerSlot &place : places_) {
    double from = place.x - place.width / 2, to = place.x + place.width / 2;
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
    node.x = places_[i].x - node.width / 2 - left;
    node.y = top[layer_of_[i]] +
             (bottom[layer_of_[i]] - top[layer_of_[i]] - node.height) / 2;
  }
  for (size_t i = 0; i < layout_.edges.size(); ++i) {
    LayoutEdge &edge = layout_.edges[i];
    const LayoutNode &from = layout_.nodes[edge.from];
    const LayoutNode &to = layout_.nodes[edge.to];
    edge.points = {{from.x + from.width / 2, from.y + from.height}};
    int layer = layer_of_[edge.from];
    edge.points.push_back({from.x + from.width / 2, bottom[layer]});
    for (size_t step = 1; step + 1 < paths_[i].size(); ++step) {
      double x = places_[paths_[i][step]].x - left;
      ++layer;
      edge.points.push_back({x, top[layer]});
      edge.points.push_back({x, bottom[layer]});
    }
    edge.points.push_back({to.x + to.width / 2, top[layer_of_[edge.to]]});
    edge.points.push_back({to.x + to.width / 2, to.y});
  }
}

} // namespace

void lay_out(Layout &layout, double across, double down) {
  Layering(layout, across, down).run();
}

} // namespace xlac::cli
