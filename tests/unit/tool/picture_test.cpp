// Pictures of synthetic programs: positions of nodes, and edges.
#include "picture/layered_layout.h"
#include "picture/program_picture.h"
#include "picture/report_page.h"
#include "picture/step_graph.h"

#include <gtest/gtest.h>

#include <random>

using namespace xlac;
using namespace xlac::cli;
using Buffer = ProgramPicture::Buffer;
using Step = ProgramPicture::Step;

namespace {

void expect_no_overlap(const Layout &layout) {
  for (size_t i = 0; i < layout.nodes.size(); ++i) {
    const LayoutNode &a = layout.nodes[i];
    EXPECT_GE(a.x, -1e-6);
    EXPECT_LE(a.x + a.width, layout.width + 1e-6);
    EXPECT_LE(a.y + a.height, layout.height + 1e-6);
    for (size_t j = 0; j < i; ++j) {
      const LayoutNode &b = layout.nodes[j];
      bool apart = a.x + a.width <= b.x + 1e-6 || b.x + b.width <= a.x + 1e-6 ||
                   a.y + a.height <= b.y + 1e-6 || b.y + b.height <= a.y + 1e-6;
      EXPECT_TRUE(apart) << i << " over " << j;
    }
  }
}

/// Two arguments, a launch that writes to the arena, a copy of half of it to a
/// result, a loop over the rest, and another launch of the first kernel.
ProgramPicture program() {
  ProgramPicture made;
  made.name = "made <up>";
  made.kernels = {
      {"add_multiply.0",
       "loop",
       "8xf32 -> 8xf32",
       "tasks 1",
       8,
       64,
       {{"add", "8xf32", "model.mlir:3"}, {"multiply", "8xf32", ""}}},
      {"reduce_add.1", "reduction", "8xf32 -> f32", "", 8, 36, {}}};
  made.buffers = {{Buffer::Kind::Argument, 0, 32, "8xf32"},
                  {Buffer::Kind::Argument, 1, 32, "8xf32"},
                  {Buffer::Kind::Arena, 0, 64, ""},
                  {Buffer::Kind::Arena, 0, 32, ""},
                  {Buffer::Kind::Arena, 32, 32, ""},
                  {Buffer::Kind::Result, 0, 32, "8xf32"},
                  {Buffer::Kind::Result, 1, 4, "f32"},
                  {Buffer::Kind::Constant, 2, 4, "f32"}};
  Step inner{Step::Kind::Launch, 1, "", {4, 7}, {4}, {}};
  made.steps = {{Step::Kind::Launch, 0, "", {0, 1}, {2}, {}},
                {Step::Kind::Copy, 0, "", {3}, {5}, {}},
                {Step::Kind::While, 0, "", {4, 4, 7}, {4}, {{}, {inner}}},
                {Step::Kind::Launch, 0, "", {2}, {6}, {}}};
  return made;
}

} // namespace

/// A chain of wide nodes. Each has two narrow inputs and, after two others, one
/// from the chain, as the blocks of a residual network.
TEST(LayeredLayout, KeepsALongChainInAColumn) {
  Layout layout;
  std::vector<int> chain;
  for (int i = 0; i < 60; ++i) {
    int node = static_cast<int>(layout.nodes.size());
    layout.nodes.push_back({100, 14, 0, 0, true});
    layout.nodes.push_back({90, 40, 0, 0, false});
    layout.nodes.push_back({250, 120, 0, 0, false});
    layout.edges.push_back({node, node + 2, {}});
    layout.edges.push_back({node + 1, node + 2, {}});
    if (i > 0)
      layout.edges.push_back({chain.back(), node + 2, {}});
    if (i >= 3 && i % 3 == 0)
      layout.edges.push_back({chain[i - 3], node + 2, {}});
    chain.push_back(node + 2);
  }
  lay_out(layout);
  expect_no_overlap(layout);
  // One column with its inputs on both sides.
  EXPECT_LT(layout.width, 1000);
  for (size_t i = 1; i < chain.size(); ++i)
    EXPECT_LT(std::abs(layout.nodes[chain[i]].x - layout.nodes[chain[i - 1]].x),
              125)
        << i;
}

TEST(LayeredLayout, PutsTargetsBelowAndNothingOnTop) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 20; ++turn) {
    Layout layout;
    int count = 2 + static_cast<int>(random() % 40);
    for (int i = 0; i < count; ++i)
      layout.nodes.push_back(
          {10.0 + random() % 90, 8.0 + random() % 40, 0, 0, random() % 5 == 0});
    for (int i = 0; i < 2 * count; ++i) {
      int from = static_cast<int>(random() % (count - 1));
      int to = from + 1 + static_cast<int>(random() % (count - 1 - from));
      layout.edges.push_back({from, to, {}});
    }
    lay_out(layout);
    expect_no_overlap(layout);
    for (const LayoutEdge &edge : layout.edges) {
      const LayoutNode &from = layout.nodes[edge.from];
      const LayoutNode &to = layout.nodes[edge.to];
      EXPECT_LT(from.y + from.height, to.y);
      ASSERT_GE(edge.points.size(), 2u);
      EXPECT_DOUBLE_EQ(edge.points.front().y, from.y + from.height);
      EXPECT_DOUBLE_EQ(edge.points.back().y, to.y);
      for (size_t i = 1; i < edge.points.size(); ++i)
        EXPECT_LE(edge.points[i - 1].y, edge.points[i].y + 1e-9);
    }
  }
}

/// Two parallel chains: each stays in its column.
TEST(LayeredLayout, KeepsChainsStraight) {
  Layout layout;
  for (int i = 0; i < 8; ++i)
    layout.nodes.push_back({50, 20});
  for (int i = 0; i + 2 < 8; ++i)
    layout.edges.push_back({i, i + 2, {}});
  lay_out(layout);
  expect_no_overlap(layout);
  for (int i = 0; i + 2 < 8; ++i)
    EXPECT_NEAR(layout.nodes[i].x, layout.nodes[i + 2].x, 0.5);
}

/// A node whose only source is its label is placed next to its target.
TEST(LayeredLayout, PutsPreparationsWhereTheyAreNeeded) {
  Layout layout;
  for (int i = 0; i < 5; ++i) // a chain
    layout.nodes.push_back({50, 20});
  layout.nodes.push_back({30, 20, 0, 0, true}); // 5, the label of
  layout.nodes.push_back({40, 20});             // 6, an input of
  layout.nodes.push_back({50, 20});             // 7, the end of the chain
  for (int i = 0; i < 4; ++i)
    layout.edges.push_back({i, i + 1, {}});
  layout.edges.push_back({4, 7, {}});
  layout.edges.push_back({5, 6, {}});
  layout.edges.push_back({6, 7, {}});
  lay_out(layout);
  expect_no_overlap(layout);
  EXPECT_DOUBLE_EQ(layout.nodes[6].y, layout.nodes[4].y);
  EXPECT_DOUBLE_EQ(layout.nodes[5].y, layout.nodes[3].y);
}

TEST(LayeredLayout, TakesNothing) {
  Layout layout;
  lay_out(layout);
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

TEST(StepGraph, LeadsFromTheLastWriterOfEachByte) {
  ProgramPicture picture = program();
  StepGraph graph = graph_of(picture, picture.steps);
  std::vector<std::string> labels;
  for (const StepNode &node : graph.nodes)
    labels.push_back(node.kind == StepNode::Kind::Step
                         ? title_of(picture, picture.steps[node.step])
                         : node.label);
  EXPECT_EQ(labels, (std::vector<std::string>{
                        "arguments 0, 1", "add_multiply.0", "copy", "result 0",
                        "constant 2", "while", "add_multiply.0", "result 1"}));
  auto bytes = [&](size_t from, size_t to) -> int64_t {
    for (const StepEdge &edge : graph.edges)
      if (edge.from == from && edge.to == to)
        return edge.bytes;
    return -1;
  };
  EXPECT_EQ(bytes(0, 1), 0);  // arguments
  EXPECT_EQ(bytes(1, 2), 32); // the copy reads half of the launch's buffer
  EXPECT_EQ(bytes(1, 5), 32); // the loop reads the other half
  EXPECT_EQ(bytes(5, 6), 32); // which the last launch gets from the loop
  EXPECT_EQ(bytes(1, 6), 64); // and the rest from the first launch
  EXPECT_EQ(bytes(2, 5), -1);
  EXPECT_EQ(graph.edges.size(), 8u);
}

TEST(ProgramPicture, SvgShowsKernelsOpsAndPlaces) {
  std::string svg =
      svg_of(program(), {{"add_multiply.0", {"1.5 ms, 60%", 0.6}}});
  for (const char *wanted :
       {"data-kernel=\"add_multiply.0\"", "data-kernel=\"reduce_add.1\"",
        "multiply 8xf32", "add 8xf32  model.mlir:3", "1.5 ms, 60%", "while",
        "arguments 0, 1", "constant 2", "32 B"})
    EXPECT_NE(svg.find(wanted), std::string::npos) << wanted;
  // Both launches of the kernel have the same color.
  std::string colour = kernel_colour(0);
  size_t first = svg.find(colour);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(svg.find(colour, first + 1), std::string::npos);
  EXPECT_EQ(svg.find("<up>"), std::string::npos);
}

TEST(ProgramPicture, DotHasTheSameGraph) {
  std::string dot = dot_of(program());
  for (const char *wanted :
       {"digraph", "add_multiply.0: loop\\ladd 8xf32\\l",
        "subgraph cluster_n5_1", "n1 -> n2 [tooltip=\"32 B\"]",
        "n5_1_1 [label=\"reduce_add.1: reduction"})
    EXPECT_NE(dot.find(wanted), std::string::npos) << wanted << "\n" << dot;
}

TEST(ProgramPicture, PagesEscapeWhatTheyShow) {
  EXPECT_NE(page_of(program()).find("made &lt;up&gt;"), std::string::npos);
  RunProfile profile;
  profile.run_ms = 2;
  KernelTime time;
  time.name = "add_multiply.0";
  time.kind = "loop";
  time.source_ops = "add multiply";
  time.ms = 1;
  profile.kernels = {time};
  std::string page =
      report_page({"made <up>", {{"run", "2 ms"}}}, profile, {}, program());
  for (const char *wanted :
       {"<tr data-kernel=\"add_multiply.0\">", "50.0%", "<i>model.mlir:3</i>",
        "1.000 ms, 50.0%", "made &lt;up&gt;", "<svg"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted;
  EXPECT_EQ(page.find("<up>"), std::string::npos);
}

TEST(ProgramPicture, WritesNumbersShortly) {
  EXPECT_EQ(ranges_text({}), "");
  EXPECT_EQ(ranges_text({3}), "3");
  EXPECT_EQ(ranges_text({0, 1, 4, 5, 6, 9}), "0, 1, 4-6, 9");
  EXPECT_EQ(bytes_text(12), "12 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(3.0 * (1 << 30)), "3.0 GiB");
  EXPECT_EQ(xml_text("a<b>&\"\x01"), "a&lt;b&gt;&amp;&quot;");
}
