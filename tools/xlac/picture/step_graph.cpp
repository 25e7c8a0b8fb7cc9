#include "step_graph.h"

#include "program_picture.h"

#include <algorithm>
#include <map>
#include <set>

namespace xlac::cli {
namespace {

using Buffer = ProgramPicture::Buffer;
using Step = ProgramPicture::Step;

std::string numbered(const char *one, const std::set<int64_t> &numbers) {
  if (numbers.empty())
    return {};
  return std::string(one) + (numbers.size() > 1 ? "s " : " ") +
         ranges_text({numbers.begin(), numbers.end()});
}

/// Returns the numbers of the buffers of one kind in `list`.
std::set<int64_t> of_kind(const ProgramPicture &picture,
                          const std::vector<uint32_t> &list,
                          Buffer::Kind kind) {
  std::set<int64_t> numbers;
  for (uint32_t buffer : list)
    if (picture.buffers[buffer].kind == kind)
      numbers.insert(picture.buffers[buffer].number);
  return numbers;
}

class GraphMaker {
public:
  explicit GraphMaker(const ProgramPicture &picture) : picture_(picture) {}

  void add(const Step &step, size_t number) {
    std::string from = numbered(
        "argument", of_kind(picture_, step.reads, Buffer::Kind::Argument));
    std::string constants = numbered(
        "constant", of_kind(picture_, step.reads, Buffer::Kind::Constant));
    if (!constants.empty())
      from += (from.empty() ? "" : ", ") + constants;
    if (!from.empty())
      graph_.nodes.push_back({StepNode::Kind::Inputs, number, from});
    size_t node = graph_.nodes.size();
    graph_.nodes.push_back({StepNode::Kind::Step, number, {}});
    if (!from.empty())
      graph_.edges.push_back({node - 1, node, 0});
    for (auto [source, bytes] : sources_of(step))
      graph_.edges.push_back({source, node, bytes});
    for (uint32_t buffer : std::set(step.writes.begin(), step.writes.end()))
      writes_.push_back({range_of(buffer), node});
    std::string to = numbered(
        "result", of_kind(picture_, step.writes, Buffer::Kind::Result));
    if (!to.empty()) {
      graph_.edges.push_back({node, graph_.nodes.size(), 0});
      graph_.nodes.push_back({StepNode::Kind::Results, number, to});
    }
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

} // namespace

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

std::string ranges_text(const std::vector<int64_t> &numbers) {
  std::string text;
  for (size_t i = 0; i < numbers.size();) {
    size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
      ++last;
    if (!text.empty())
      text += ", ";
    text += std::to_string(numbers[i]);
    if (last > i)
      text += (last > i + 1 ? "-" : ", ") + std::to_string(numbers[last]);
    i = last + 1;
  }
  return text;
}

} // namespace xlac::cli
