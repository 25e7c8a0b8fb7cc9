#include "step_graph.h"

#include "program_picture.h"

#include <algorithm>
#include <map>
#include <set>

namespace xlac::cli {
namespace {

using Buffer = ProgramPicture::Buffer;
using Step = ProgramPicture::Step;

class GraphMaker {
public:
  explicit GraphMaker(const ProgramPicture &picture) : picture_(picture) {}

  void add(const Step &step, size_t number) {
    size_t node = graph_.nodes.size();
    graph_.nodes.push_back({StepNode::Kind::Step, {number}, {}, 1, {}});
    for (auto [source, bytes] : sources_of(step))
      graph_.edges.push_back({source, node, bytes});
    for (uint32_t buffer : std::set(step.writes.begin(), step.writes.end()))
      writes_.push_back({range_of(buffer), node});
  }

  StepGraph take() { return std::move(graph_); }

private:
  /// The range of a buffer among those of its kind.
  struct Range {
    Buffer::Kind kind;
    int64_t begin, end;
  };
  struct Write {
    Range range;
    size_t node;
  };

  Range range_of(uint32_t buffer) const {
    const Buffer &what = picture_.buffers[buffer];
    int64_t size = what.kind == Buffer::Kind::Arena ? what.bytes : 1;
    return {what.kind, what.number, what.number + size};
  }

  /// Returns the nodes that wrote the step's operands, with their bytes. A
  /// value that was written in parts has several.
  std::map<size_t, int64_t> sources_of(const Step &step) const {
    std::map<size_t, int64_t> sources;
    for (uint32_t buffer : std::set(step.reads.begin(), step.reads.end())) {
      Range range = range_of(buffer);
      for (size_t i = writes_.size(); i-- > 0;) {
        const auto &[written, node] = writes_[i];
        if (written.kind != range.kind || written.end <= range.begin ||
            range.end <= written.begin)
          continue;
        bool whole = written.begin <= range.begin && range.end <= written.end;
        sources[node] += whole ? picture_.buffers[buffer].bytes
                               : std::min(written.end, range.end) -
                                     std::max(written.begin, range.begin);
        if (whole)
          break;
      }
    }
    return sources;
  }

  const ProgramPicture &picture_;
  StepGraph graph_;
  std::vector<Write> writes_;
};

/// Returns the name of an argument, constant or result; empty for others.
std::string name_of(const ProgramPicture &picture, const Buffer &buffer) {
  auto named = [&](const char *kind, const std::vector<std::string> &names) {
    auto number = static_cast<size_t>(buffer.number);
    return number < names.size() && !names[number].empty()
               ? names[number]
               : kind + std::to_string(buffer.number);
  };
  switch (buffer.kind) {
  case Buffer::Kind::Argument:
    return named("argument ", picture.argument_names);
  case Buffer::Kind::Result:
    return named("result ", picture.result_names);
  case Buffer::Kind::Constant:
    return "constant " + std::to_string(buffer.number);
  case Buffer::Kind::Arena:
    break;
  }
  return {};
}

/// Returns the names of the buffers of the listed kinds in a list of each of
/// the steps. The steps of a node have lists of the same kinds.
std::vector<std::string> names_of(const ProgramPicture &picture,
                                  const std::vector<Step> &steps,
                                  const StepNode &node,
                                  std::vector<uint32_t> Step::*list,
                                  std::initializer_list<Buffer::Kind> kinds) {
  std::vector<std::string> names;
  if (node.steps.empty())
    return names;
  const std::vector<uint32_t> &first = steps[node.steps.front()].*list;
  const std::vector<uint32_t> &last = steps[node.steps.back()].*list;
  for (size_t i = 0; i < first.size() && i < last.size(); ++i) {
    const Buffer &buffer = picture.buffers[first[i]];
    if (std::ranges::find(kinds, buffer.kind) == kinds.end())
      continue;
    std::string name = name_of(picture, buffer);
    std::string other = name_of(picture, picture.buffers[last[i]]);
    if (other != name)
      name += " … " + other;
    if (std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  }
  return names;
}

} // namespace

std::vector<std::string> inputs_of(const ProgramPicture &picture,
                                   const std::vector<Step> &steps,
                                   const StepNode &node) {
  return names_of(picture, steps, node, &Step::reads,
                  {Buffer::Kind::Argument, Buffer::Kind::Constant});
}

std::vector<std::string> results_of(const ProgramPicture &picture,
                                    const std::vector<Step> &steps,
                                    const StepNode &node) {
  return names_of(picture, steps, node, &Step::writes, {Buffer::Kind::Result});
}

StepGraph graph_of(const ProgramPicture &picture,
                   const std::vector<Step> &steps) {
  GraphMaker maker(picture);
  for (size_t i = 0; i < steps.size(); ++i)
    maker.add(steps[i], i);
  return maker.take();
}

std::string title_of(const ProgramPicture &picture, const Step &step) {
  switch (step.kind) {
  case Step::Kind::Launch:
    return picture.kernels[step.kernel].name;
  case Step::Kind::Copy:
    return "copy";
  case Step::Kind::Collective:
    return step.label;
  case Step::Kind::While:
    return "while";
  case Step::Kind::Case:
    return "case";
  }
  return {};
}

std::string body_title(const Step &step, size_t body) {
  if (step.kind == Step::Kind::While)
    return body == 0 ? "condition" : "do";
  return "branch " + std::to_string(body);
}

} // namespace xlac::cli
