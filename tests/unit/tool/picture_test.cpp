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

/// A chain of wide nodes. Each has an input and, after two others, one from the
/// chain, as the blocks of a residual network.
TEST(LayeredLayout, KeepsALongChainInAColumn) {
  Layout layout;
  std::vector<int> chain;
  for (int i = 0; i < 60; ++i) {
    int node = static_cast<int>(layout.nodes.size());
    layout.nodes.push_back({90, 40});
    layout.nodes.push_back({250, 120});
    layout.edges.push_back({node, node + 1, {}});
    if (i > 0)
      layout.edges.push_back({chain.back(), node + 1, {}});
    if (i >= 3 && i % 3 == 0)
      layout.edges.push_back({chain[i - 3], node + 1, {}});
    chain.push_back(node + 1);
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

/// One node that all nodes of a chain read: its edges share a line.
TEST(LayeredLayout, BundlesEdgesFromOneNode) {
  Layout layout;
  layout.nodes.push_back({60, 20});
  for (int i = 1; i <= 40; ++i) {
    layout.nodes.push_back({100, 40});
    layout.edges.push_back({0, i, {}});
    if (i > 1)
      layout.edges.push_back({i - 1, i, {}});
  }
  lay_out(layout);
  expect_no_overlap(layout);
  EXPECT_LT(layout.width, 250);
}

TEST(LayeredLayout, StaysWithinTheWidth) {
  std::mt19937 random(11);
  for (int turn = 0; turn < 20; ++turn) {
    Layout layout;
    int count = 20 + static_cast<int>(random() % 40);
    for (int i = 0; i < count; ++i)
      layout.nodes.push_back({60.0 + random() % 90, 20});
    for (int i = 1; i < count; ++i)
      layout.edges.push_back({static_cast<int>(random() % i / 2), i, {}});
    lay_out(layout, 500);
    expect_no_overlap(layout);
    EXPECT_LE(layout.width, 500 + 1e-6);
    for (const LayoutEdge &edge : layout.edges)
      EXPECT_LT(layout.nodes[edge.from].y + layout.nodes[edge.from].height,
                layout.nodes[edge.to].y);
  }
}

/// A node that is wider than the layout gets the width that it needs.
TEST(LayeredLayout, GrowsWithItsWidestNode) {
  Layout layout;
  layout.nodes = {{900, 20}, {50, 20}, {50, 20}};
  layout.edges = {{0, 1, {}}, {0, 2, {}}};
  lay_out(layout, 300);
  expect_no_overlap(layout);
  EXPECT_NEAR(layout.width, 900, 1e-6);
}

/// Edges end at the axis of a node, which is not its middle.
TEST(LayeredLayout, LeadsEdgesToTheAxis) {
  Layout layout;
  layout.nodes = {{50, 20}, {200, 20, 0, 0, 40}};
  layout.edges = {{0, 1, {}}};
  lay_out(layout);
  expect_no_overlap(layout);
  EXPECT_DOUBLE_EQ(layout.edges[0].points.back().x, layout.nodes[1].x + 40);
  EXPECT_NEAR(layout.nodes[0].x + 25, layout.nodes[1].x + 40, 0.5);
}

TEST(LayeredLayout, PutsTargetsBelowAndNothingOnTop) {
  std::mt19937 random(7);
  for (int turn = 0; turn < 20; ++turn) {
    Layout layout;
    int count = 2 + static_cast<int>(random() % 40);
    for (int i = 0; i < count; ++i)
      layout.nodes.push_back({10.0 + random() % 90, 8.0 + random() % 40});
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

TEST(LayeredLayout, TakesNothing) {
  Layout layout;
  lay_out(layout);
  EXPECT_EQ(layout.width, 0);
  EXPECT_EQ(layout.height, 0);
}

TEST(StepGraph, LeadsFromTheLastWriterOfEachByte) {
  ProgramPicture picture = program();
  StepGraph graph = graph_of(picture, picture.steps);
  std::vector<std::string> titles;
  for (const StepNode &node : graph.nodes)
    titles.push_back(title_of(picture, picture.steps[node.steps.at(0)]));
  EXPECT_EQ(titles, (std::vector<std::string>{"add_multiply.0", "copy", "while",
                                              "add_multiply.0"}));
  auto bytes = [&](size_t from, size_t to) -> int64_t {
    for (const StepEdge &edge : graph.edges)
      if (edge.from == from && edge.to == to)
        return edge.bytes;
    return -1;
  };
  EXPECT_EQ(bytes(0, 1), 32); // the copy reads half of the launch's buffer
  EXPECT_EQ(bytes(0, 2), 32); // the loop reads the other half
  EXPECT_EQ(bytes(2, 3), 32); // which the last launch gets from the loop
  EXPECT_EQ(bytes(0, 3), 64); // and the rest from the first launch
  EXPECT_EQ(bytes(1, 2), -1);
  EXPECT_EQ(graph.edges.size(), 4u);
}

TEST(StepGraph, NamesArgumentsAndResults) {
  ProgramPicture picture = program();
  StepGraph graph = graph_of(picture, picture.steps);
  auto inputs = [&](size_t node) {
    return inputs_of(picture, picture.steps, graph.nodes[node]);
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(inputs(0), (Names{"argument 0", "argument 1"}));
  EXPECT_EQ(inputs(1), Names{});
  EXPECT_EQ(inputs(2), Names{"constant 2"});
  picture.argument_names = {"", "weight"};
  picture.result_names = {"loss"};
  EXPECT_EQ(inputs(0), (Names{"argument 0", "weight"}));
  EXPECT_EQ(results_of(picture, picture.steps, graph.nodes[1]), Names{"loss"});
  EXPECT_EQ(results_of(picture, picture.steps, graph.nodes[3]),
            Names{"result 1"});
}

namespace {

/// `layers` times two launches. The first reads the value before it, a weight
/// and a mask, which a launch at the front made; the second the first and a
/// small kernel on another weight.
ProgramPicture network(int layers) {
  ProgramPicture made;
  made.kernels = {{"dot.0", "contraction", "", "", 0, 4096, {}},
                  {"add.1", "loop", "", "", 0, 4096, {}},
                  {"rsqrt.2", "loop", "", "", 0, 16, {}},
                  {"iota.3", "loop", "", "", 0, 1024, {}}};
  auto add = [&](Buffer::Kind kind, int64_t number, int64_t bytes) {
    made.buffers.push_back({kind, number, bytes, ""});
    return static_cast<uint32_t>(made.buffers.size() - 1);
  };
  int64_t arena = 0;
  auto value = [&](int64_t bytes) {
    arena += bytes;
    return add(Buffer::Kind::Arena, arena - bytes, bytes);
  };
  uint32_t before = value(1024), mask = value(1024);
  made.steps.push_back({Step::Kind::Launch,
                        3,
                        "",
                        {add(Buffer::Kind::Argument, 0, 1024)},
                        {before},
                        {}});
  for (int i = 0; i < layers; ++i) {
    // The mask is made when the first layer needs it.
    uint32_t weight = add(Buffer::Kind::Argument, 1 + 2 * i, 4096);
    uint32_t scale = add(Buffer::Kind::Argument, 2 + 2 * i, 16);
    uint32_t prepared = value(16), product = value(1024), next = value(1024);
    made.steps.push_back({Step::Kind::Launch, 2, "", {scale}, {prepared}, {}});
    if (i == 0)
      made.steps.push_back({Step::Kind::Launch, 3, "", {}, {mask}, {}});
    made.steps.push_back(
        {Step::Kind::Launch, 0, "", {before, weight, mask}, {product}, {}});
    made.steps.push_back(
        {Step::Kind::Launch, 1, "", {product, prepared, before}, {next}, {}});
    made.argument_names.resize(3 + 2 * i);
    made.argument_names[1 + 2 * i] = "w" + std::to_string(i);
    before = next;
  }
  made.steps.push_back({Step::Kind::Copy,
                        0,
                        "",
                        {before},
                        {add(Buffer::Kind::Result, 0, 1024)},
                        {}});
  return made;
}

} // namespace

TEST(CompactGraph, DrawsEqualLayersOnce) {
  ProgramPicture picture = network(5);
  StepGraph graph = compact_graph_of(picture, picture.steps);
  // The two launches at the front, the layers, and the copy.
  ASSERT_EQ(graph.nodes.size(), 4u);
  const StepNode &layers = graph.nodes[2];
  ASSERT_EQ(layers.kind, StepNode::Kind::Repetition);
  EXPECT_EQ(layers.times, 5u);
  const StepGraph &body = layers.body.at(0);
  ASSERT_EQ(body.nodes.size(), 4u);
  EXPECT_EQ(body.nodes[0].kind, StepNode::Kind::Entry);
  EXPECT_EQ(body.nodes[3].kind, StepNode::Kind::Exit);
  EXPECT_EQ(inputs_of(picture, picture.steps, body.nodes[1]),
            std::vector<std::string>{"w0 … w4"});
  ASSERT_EQ(body.nodes[2].preparations.size(), 1u);
  EXPECT_EQ(inputs_of(picture, picture.steps, body.nodes[2].preparations[0]),
            std::vector<std::string>{"argument 2 … argument 10"});
  // From outside to both launches, between them, and from the last one out.
  std::vector<std::pair<size_t, size_t>> ends;
  for (const StepEdge &edge : body.edges)
    ends.emplace_back(edge.from, edge.to);
  EXPECT_EQ(ends, (std::vector<std::pair<size_t, size_t>>{
                      {0, 1}, {0, 2}, {1, 2}, {2, 3}}));
  // The mask and the input lead in; one repetition gives the bytes.
  ASSERT_EQ(graph.edges.size(), 3u);
  EXPECT_EQ(graph.edges[2].from, 2u);
  EXPECT_EQ(graph.edges[2].to, 3u);
  EXPECT_EQ(graph.edges[2].bytes, 1024);
}

/// A layer with another kernel, or with operands from elsewhere, is not equal.
TEST(CompactGraph, DrawsDifferentLayersApart) {
  auto times = [](const ProgramPicture &picture) {
    std::vector<size_t> all;
    for (const StepNode &node : compact_graph_of(picture, picture.steps).nodes)
      if (node.kind == StepNode::Kind::Repetition)
        all.push_back(node.times);
    return all;
  };
  ProgramPicture picture = network(6);
  EXPECT_EQ(times(picture), std::vector<size_t>{6});
  // Steps of layer i begin at 1 + 3 i, from the second layer on one later.
  ProgramPicture kernel = picture;
  kernel.steps[2 + 3 * 3 + 1].kernel = 1;
  EXPECT_EQ(times(kernel), (std::vector<size_t>{3, 2}));
  ProgramPicture source = picture;
  // The fourth layer reads the first one's product instead of its own.
  source.steps[2 + 3 * 3 + 2].reads[0] = source.steps[3].writes[0];
  EXPECT_EQ(times(source), (std::vector<size_t>{3, 2}));
  EXPECT_TRUE(times(network(1)).empty());
  ProgramPicture two = network(2);
  EXPECT_EQ(times(two), std::vector<size_t>{2});
  // The second layer adds the mask instead of its input.
  two.steps[7].reads[2] = two.steps[2].writes[0];
  EXPECT_TRUE(times(two).empty());
}

/// Without another operand, a small launch on arguments is a step of its own.
TEST(CompactGraph, KeepsTheBeginningOfAChain) {
  ProgramPicture picture = program();
  picture.steps = {{Step::Kind::Launch, 0, "", {0}, {3}, {}},
                   {Step::Kind::Launch, 1, "", {3}, {6}, {}}};
  picture.kernels[1].bytes = 1 << 20;
  EXPECT_EQ(compact_graph_of(picture, picture.steps).nodes.size(), 2u);
}

TEST(ProgramPicture, SvgShowsKernelsOpsAndPlaces) {
  ProgramPicture picture = program();
  picture.argument_names = {"", "<weight>"};
  std::string svg = svg_of(picture, {{"add_multiply.0", {"1.5 ms, 60%", 0.6}}});
  for (const char *wanted :
       {"data-kernel=\"add_multiply.0\"", "data-kernel=\"reduce_add.1\"",
        "<tspan class=\"kind\">  loop</tspan>", "add multiply</text>",
        "→ 8xf32</text>", "add 8xf32  model.mlir:3", "1.5 ms, 60%", "while",
        "in  argument 0, &lt;weight&gt;</text>", "in  constant 2", "32 B",
        "loop or branches", "large share of the time"})
    EXPECT_NE(svg.find(wanted), std::string::npos) << wanted << svg;
  // Both launches of the kernel have the same color.
  std::string colour = kernel_colour(0);
  size_t first = svg.find(colour);
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(svg.find(colour, first + 1), std::string::npos);
  EXPECT_EQ(svg.find("<up>"), std::string::npos);
  // The legend explains only what the picture has.
  EXPECT_EQ(svg.find("equal steps, drawn once"), std::string::npos);
}

TEST(ProgramPicture, SvgDrawsEqualLayersOnceUnlessExpanded) {
  ProgramPicture picture = network(5);
  std::string once = svg_of(picture);
  for (const char *wanted :
       {"5 times", "equal steps, drawn once", "in  w0 … w4</text>",
        "in  argument 2 … 10</text>", "in  w3\n"})
    EXPECT_NE(once.find(wanted), std::string::npos) << wanted << once;
  std::string all = svg_of(picture, {}, /*compact=*/false);
  EXPECT_EQ(all.find("5 times"), std::string::npos);
  EXPECT_NE(all.find("in  w3</text>"), std::string::npos);
}

TEST(ProgramPicture, DotHasTheSameGraph) {
  std::string dot = dot_of(program());
  for (const char *wanted :
       {"digraph",
        "add_multiply.0: loop\\ladd 8xf32\\lmultiply 8xf32\\lin argument 0\\l",
        "subgraph cluster_n2_1", "n0 -> n1 [tooltip=\"32 B\"]",
        "n2_1_0 [label=\"reduce_add.1: reduction"})
    EXPECT_NE(dot.find(wanted), std::string::npos) << wanted << "\n" << dot;
  std::string layers = dot_of(network(5));
  for (const char *wanted : {"n2 [label=\"5 times\"]", "subgraph cluster_n2 {",
                             "n2_2p0 -> n2_2", "n2_0 [shape=point]"})
    EXPECT_NE(layers.find(wanted), std::string::npos) << wanted << layers;
}

TEST(ProgramPicture, PagesEscapeWhatTheyShow) {
  std::string picture = page_of(program());
  EXPECT_NE(picture.find("made &lt;up&gt;"), std::string::npos);
  EXPECT_NE(picture.find("<input type=\"search\""), std::string::npos);
  // The page loads nothing.
  for (const char *unwanted : {"src=", "href=", "@import", "fetch("})
    EXPECT_EQ(picture.find(unwanted), std::string::npos) << unwanted;
  RunProfile profile;
  profile.run_ms = 2;
  KernelTime time;
  time.name = "add_multiply.0";
  time.kind = "loop";
  time.source_ops = "add multiply";
  time.ms = 1;
  time.launches = 2;
  profile.kernels = {time};
  std::string page =
      report_page({"made <up>", {{"run", "2 ms"}}}, profile, {}, program());
  for (const char *wanted :
       {"<tr data-kernel=\"add_multiply.0\">", "50.0%", "<i>model.mlir:3</i>",
        "1.000 ms, 50.0% in 2 launches", "made &lt;up&gt;", "<svg"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted;
  EXPECT_EQ(page.find("<up>"), std::string::npos);
}

TEST(ProgramPicture, WritesNumbersShortly) {
  EXPECT_EQ(bytes_text(12), "12 B");
  EXPECT_EQ(bytes_text(1536), "1.5 KiB");
  EXPECT_EQ(bytes_text(3.0 * (1 << 30)), "3.0 GiB");
  EXPECT_EQ(xml_text("a<b>&\"\x01"), "a&lt;b&gt;&amp;&quot;");
}
