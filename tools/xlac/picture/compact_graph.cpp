// Makes the graph of a program smaller: preparations of parameters become parts
// of their readers, and repeated sequences of steps become one node.
#include "step_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace xlac::cli {
namespace {

using Step = ProgramPicture::Step;
using Edges = std::vector<std::vector<StepEdge>>;

/// Limit on the length of a repeated sequence. It bounds the time that a search
/// takes.
constexpr size_t kLongestSequence = 400;
/// A preparation is small: its reader moves at least this many times its bytes.
constexpr int64_t kPreparationRatio = 8;

Edges edges_into(const StepGraph &graph) {
  Edges into(graph.nodes.size());
  for (const StepEdge &edge : graph.edges)
    into[edge.to].push_back(edge);
  return into;
}

/// Renumbers the nodes: node order[i] becomes node i. Nodes that are not in
/// `order` are removed with their edges.
StepGraph rearranged(StepGraph graph, const std::vector<size_t> &order) {
  constexpr size_t removed = SIZE_MAX;
  std::vector<size_t> number(graph.nodes.size(), removed);
  StepGraph result;
  for (size_t node : order) {
    number[node] = result.nodes.size();
    result.nodes.push_back(std::move(graph.nodes[node]));
  }
  for (const StepEdge &edge : graph.edges)
    if (number[edge.from] != removed && number[edge.to] != removed)
      result.edges.push_back({number[edge.from], number[edge.to], edge.bytes});
  return result;
}

class Compactor {
public:
  Compactor(const ProgramPicture &picture, const std::vector<Step> &steps)
      : picture_(picture), steps_(steps), graph_(graph_of(picture, steps)) {}

  StepGraph run() {
    attach_preparations();
    raise_shared_sources();
    collapse_repetitions();
    return std::move(graph_);
  }

private:
  /// Consecutive equal sequences of nodes.
  struct Repetition {
    size_t begin = 0, length = 0, times = 1;
    size_t saved() const { return (times - 1) * length; }
    size_t end() const { return begin + length * times; }
  };

  bool is_preparation(size_t node, const Edges &into, const Edges &from) const;
  void attach_preparations();
  void raise_shared_sources();
  std::string key_of(const StepNode &node) const;
  std::vector<size_t> sources_of(size_t node) const;
  bool has_equal_sources(const Repetition &sequence, size_t turn) const;
  Repetition longest_from(size_t begin) const;
  void collapse_repetitions();
  StepNode node_of(const Repetition &sequence);

  const ProgramPicture &picture_;
  const std::vector<Step> &steps_;
  StepGraph graph_;
  Edges into_;
  std::vector<int> keys_; ///< equal for nodes that look the same
  /// For a node in a sequence that is collapsed, its node in the first
  /// repetition; otherwise the node itself.
  std::vector<size_t> shown_;
};

/// Returns true for a small launch on arguments and constants with one reader
/// that also has a larger operand.
bool Compactor::is_preparation(size_t node, const Edges &into,
                               const Edges &from) const {
  const Step &step = steps_[graph_.nodes[node].steps.front()];
  if (step.kind != Step::Kind::Launch || !into[node].empty() ||
      from[node].size() != 1 ||
      !results_of(picture_, steps_, graph_.nodes[node]).empty())
    return false;
  const StepEdge &edge = from[node].front();
  const Step &reader = steps_[graph_.nodes[edge.to].steps.front()];
  return reader.kind == Step::Kind::Launch &&
         edge.bytes * kPreparationRatio <=
             picture_.kernels[reader.kernel].bytes &&
         std::ranges::any_of(into[edge.to], [&](const StepEdge &other) {
           return other.bytes > edge.bytes;
         });
}

void Compactor::attach_preparations() {
  Edges into = edges_into(graph_), from(graph_.nodes.size());
  for (const StepEdge &edge : graph_.edges)
    from[edge.from].push_back(edge);
  std::vector<size_t> rest;
  for (size_t i = 0; i < graph_.nodes.size(); ++i) {
    if (!is_preparation(i, into, from))
      rest.push_back(i);
    else
      graph_.nodes[from[i].front().to].preparations.push_back(graph_.nodes[i]);
  }
  graph_ = rearranged(std::move(graph_), rest);
}

/// Moves nodes without sources that several others read to the front. They may
/// otherwise stand within the first of several equal sequences, such as a mask
/// of attention in the first layer.
void Compactor::raise_shared_sources() {
  std::vector<size_t> sources(graph_.nodes.size()), readers = sources;
  for (const StepEdge &edge : graph_.edges)
    ++sources[edge.to], ++readers[edge.from];
  std::vector<size_t> order;
  for (bool raised : {true, false})
    for (size_t i = 0; i < graph_.nodes.size(); ++i)
      if ((sources[i] == 0 && readers[i] > 1) == raised)
        order.push_back(i);
  graph_ = rearranged(std::move(graph_), order);
}

/// Describes what a node shows, apart from the names of arguments and results.
std::string Compactor::key_of(const StepNode &node) const {
  const Step &step = steps_[node.steps.front()];
  std::string key = fmt::format("{} {} {}", static_cast<int>(step.kind),
                                step.kernel, step.label);
  for (const auto *list : {&step.reads, &step.writes}) {
    key += '|';
    for (uint32_t buffer : *list)
      key += static_cast<char>('0' +
                               static_cast<int>(picture_.buffers[buffer].kind));
  }
  if (step.kind == Step::Kind::Copy)
    key += fmt::format(" {}", picture_.buffers[step.writes.front()].bytes);
  // Blocks are never equal.
  if (!step.bodies.empty())
    key += fmt::format(" block {}", node.steps.front());
  for (const StepNode &preparation : node.preparations)
    key += "; " + key_of(preparation);
  return key;
}

/// Returns the sources of a node as shown, ascending.
std::vector<size_t> Compactor::sources_of(size_t node) const {
  std::vector<size_t> sources;
  for (const StepEdge &edge : into_[node])
    sources.push_back(shown_[edge.from]);
  std::ranges::sort(sources);
  return sources;
}

/// Returns true if the nodes of a repetition read what those of the first or
/// second one read: values of the same repetition, of the one before, and from
/// outside. The first repetition has other values from outside instead of those
/// of the one before.
bool Compactor::has_equal_sources(const Repetition &sequence,
                                  size_t turn) const {
  size_t earlier = turn == 1 ? 0 : 1;
  size_t begin = sequence.begin + turn * sequence.length;
  size_t shift = (turn - earlier) * sequence.length;
  for (size_t i = 0; i < sequence.length; ++i) {
    std::vector<size_t> now = sources_of(begin + i);
    std::vector<size_t> then = sources_of(begin + i - shift);
    if (now.size() != then.size())
      return false;
    if (turn == 1) {
      // The second repetition may read values of the first one, which has
      // others in their place. What both read from outside must be the same.
      for (size_t node : now)
        if (node < sequence.begin && !std::ranges::binary_search(then, node))
          return false;
      size_t first = begin - sequence.length;
      std::erase_if(now, [&](size_t node) { return node < begin; });
      std::erase_if(then, [&](size_t node) { return node < first; });
    }
    for (size_t &node : now)
      if (node >= sequence.begin)
        node -= std::min(node, shift);
    std::ranges::sort(now);
    if (now != then)
      return false;
  }
  return true;
}

/// Returns the repetition of which most nodes are left out; with length 0 if
/// there is none.
Compactor::Repetition Compactor::longest_from(size_t begin) const {
  size_t count = graph_.nodes.size();
  Repetition best{begin, 0, 1};
  for (size_t length = 1;
       length <= kLongestSequence && begin + 2 * length <= count; ++length) {
    Repetition one{begin, length, 1};
    auto equals_first = [&](size_t turn) {
      for (size_t i = 0; i < length; ++i)
        if (keys_[begin + i] != keys_[begin + turn * length + i])
          return false;
      return has_equal_sources(one, turn);
    };
    while (begin + (one.times + 1) * length <= count && equals_first(one.times))
      ++one.times;
    // A frame around one node pays off from three of them.
    if (one.saved() >= 2 && one.saved() > best.saved())
      best = one;
  }
  return best;
}

void Compactor::collapse_repetitions() {
  size_t count = graph_.nodes.size();
  into_ = edges_into(graph_);
  std::map<std::string, int> numbers;
  for (const StepNode &node : graph_.nodes)
    keys_.push_back(
        numbers.emplace(key_of(node), static_cast<int>(numbers.size()))
            .first->second);
  for (size_t i = 0; i < count; ++i)
    shown_.push_back(i);
  StepGraph result;
  std::vector<size_t> number(count); // in the result
  std::vector<size_t> turn(count);   // of the repetition
  for (size_t i = 0; i < count;) {
    Repetition found = longest_from(i);
    if (found.length == 0) {
      number[i] = result.nodes.size();
      result.nodes.push_back(graph_.nodes[i++]);
      continue;
    }
    for (size_t j = i; j < found.end(); ++j) {
      shown_[j] = i + (j - i) % found.length;
      turn[j] = (j - i) / found.length;
      number[j] = result.nodes.size();
    }
    result.nodes.push_back(node_of(found));
    i = found.end();
  }
  // Bytes of an edge are those of one repetition.
  using Pair = std::pair<size_t, size_t>;
  std::map<Pair, std::map<Pair, int64_t>> bytes;
  for (const StepEdge &edge : graph_.edges)
    if (number[edge.from] != number[edge.to])
      bytes[{number[edge.from], number[edge.to]}]
           [{turn[edge.from], turn[edge.to]}] += edge.bytes;
  for (const auto &[ends, of_turns] : bytes) {
    int64_t most = 0;
    for (const auto &[turns, sum] : of_turns)
      most = std::max(most, sum);
    result.edges.push_back({ends.first, ends.second, most});
  }
  graph_ = std::move(result);
}

/// Makes the node whose body is the first repetition, with an entry and an exit
/// if values come from outside or are read there.
StepNode Compactor::node_of(const Repetition &sequence) {
  StepNode node{StepNode::Kind::Repetition, {}, {}, sequence.times, {}};
  StepGraph &body = node.body.emplace_back();
  body.nodes.push_back({StepNode::Kind::Entry, {}, {}, 1, {}});
  for (size_t i = 0; i < sequence.length; ++i) {
    StepNode inner = graph_.nodes[sequence.begin + i];
    for (size_t turn = 1; turn < sequence.times; ++turn) {
      const StepNode &again =
          graph_.nodes[sequence.begin + turn * sequence.length + i];
      inner.steps.push_back(again.steps.front());
      for (size_t j = 0; j < inner.preparations.size(); ++j)
        inner.preparations[j].steps.push_back(
            again.preparations[j].steps.front());
    }
    body.nodes.push_back(std::move(inner));
  }
  size_t exit = body.nodes.size();
  body.nodes.push_back({StepNode::Kind::Exit, {}, {}, 1, {}});
  auto turn_of = [&](size_t one) {
    return one < sequence.begin || one >= sequence.end()
               ? SIZE_MAX
               : (one - sequence.begin) / sequence.length;
  };
  auto place_of = [&](size_t one) {
    return 1 + (one - sequence.begin) % sequence.length;
  };
  std::map<std::pair<size_t, size_t>, int64_t> edges;
  for (const StepEdge &edge : graph_.edges) {
    size_t from = turn_of(edge.from), to = turn_of(edge.to);
    if (from == SIZE_MAX && to == SIZE_MAX)
      continue;
    if (from == to) {
      edges[{place_of(edge.from), place_of(edge.to)}] = edge.bytes;
      continue;
    }
    if (from != SIZE_MAX)
      edges[{place_of(edge.from), exit}] = edge.bytes;
    if (to != SIZE_MAX)
      edges[{0, place_of(edge.to)}] = edge.bytes;
  }
  for (const auto &[ends, bytes] : edges)
    body.edges.push_back({ends.first, ends.second, bytes});
  return node;
}

} // namespace

StepGraph compact_graph_of(const ProgramPicture &picture,
                           const std::vector<Step> &steps) {
  return Compactor(picture, steps).run();
}

} // namespace xlac::cli
