#include "compile/mesh_plan.h"

#include <gtest/gtest.h>

namespace xlac::cli {
namespace {

/// 2 x 4 devices; 10 GB/s and 1 microsecond along x, 20 GB/s and 2 microseconds
/// along y.
DeviceMeshPlan two_by_four() {
  DeviceMeshPlan mesh = *parse_mesh("2x4", {"x", "y"});
  mesh.axes[0].gbytes = 10;
  mesh.axes[1].gbytes = 20;
  mesh.axes[1].microseconds = 2;
  return mesh;
}

runtime::Collective over(runtime::CollectiveKind kind,
                         std::vector<std::vector<int64_t>> groups,
                         int64_t operands, int64_t results) {
  runtime::Collective what;
  what.kind = kind;
  what.groups = std::move(groups);
  TensorType type;
  type.dims = {operands};
  what.operands = {type};
  type.dims = {results};
  what.results = {type};
  return what;
}

TEST(MeshPlan, ReadsSizesAndNames) {
  auto mesh = parse_mesh("16x16", {});
  ASSERT_TRUE(mesh);
  EXPECT_EQ(mesh->count(), 256);
  EXPECT_EQ(mesh->axes[1].name, "y");
  EXPECT_EQ(parse_mesh("8", {"data"})->axes[0].name, "data");
  for (const char *text : {"", "x", "4x", "0x4", "4y4", "1048576x2", "-1"})
    EXPECT_FALSE(parse_mesh(text, {})) << text;
  EXPECT_FALSE(parse_mesh("4x4", {"data"}));
}

TEST(MeshPlan, FindsTheAxesOfGroups) {
  DeviceMeshPlan mesh = two_by_four();
  auto axes = [&](std::vector<std::vector<int64_t>> groups) {
    return axes_of(
        over(runtime::CollectiveKind::AllReduce, std::move(groups), 1, 1),
        mesh);
  };
  using Axes = std::vector<size_t>;
  EXPECT_EQ(axes({{0, 1, 2, 3}, {4, 5, 6, 7}}), Axes{1});
  EXPECT_EQ(axes({{0, 4}, {1, 5}, {2, 6}, {3, 7}}), Axes{0});
  EXPECT_EQ(axes({{0, 1, 2, 3, 4, 5, 6, 7}}), (Axes{0, 1}));
  EXPECT_EQ(axes({{0, 1}, {2, 3}, {4, 5}, {6, 7}}), Axes{}); // half of y
}

TEST(MeshPlan, CostsFollowFromBytes) {
  DeviceMeshPlan mesh = two_by_four();
  std::vector<std::vector<int64_t>> rows = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  // 4,000,000 bytes at 20 GB/s take 200 microseconds.
  auto gather = cost_of(
      over(runtime::CollectiveKind::AllGather, rows, 250000, 1000000), mesh);
  EXPECT_DOUBLE_EQ(gather.bytes, 3e6);
  EXPECT_DOUBLE_EQ(gather.microseconds, 150 + 3 * 2);
  auto scatter = cost_of(
      over(runtime::CollectiveKind::ReduceScatter, rows, 1000000, 250000),
      mesh);
  EXPECT_DOUBLE_EQ(scatter.microseconds, gather.microseconds);
  auto reduce = cost_of(
      over(runtime::CollectiveKind::AllReduce, rows, 1000000, 1000000), mesh);
  EXPECT_DOUBLE_EQ(reduce.bytes, 6e6);
  EXPECT_DOUBLE_EQ(reduce.microseconds, 2 * gather.microseconds);
  auto permute = cost_of(over(runtime::CollectiveKind::Permute,
                              {{0, 1}, {1, 0}}, 1000000, 1000000),
                         mesh);
  EXPECT_DOUBLE_EQ(permute.microseconds, 200 + 2);
  auto own =
      cost_of(over(runtime::CollectiveKind::PartitionId, {}, 0, 1), mesh);
  EXPECT_EQ(own.bytes, 0);
  EXPECT_EQ(own.microseconds, 0);
}

TEST(MeshPlan, SwitchesTakeFewerRounds) {
  DeviceMeshPlan mesh = *parse_mesh("16", {});
  auto what = over(runtime::CollectiveKind::AllToAll, {}, 1 << 20, 1 << 20);
  double ring = cost_of(what, mesh).microseconds;
  mesh.topology = MeshTopology::Switch;
  double any = cost_of(what, mesh).microseconds;
  double bytes = 4 << 20;
  EXPECT_DOUBLE_EQ(ring, 15 + 2 * bytes / 50e3);
  EXPECT_DOUBLE_EQ(any, 4 + 15 * bytes / 16 / 50e3);
}

TEST(MeshPlan, ShardsByNamesOfAxes) {
  DeviceMeshPlan mesh = two_by_four();
  EXPECT_EQ(parse_spec("x,-", 2, mesh)->str(),
            "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}");
  EXPECT_EQ(parse_spec("y,x", 2, mesh)->str(),
            "{devices=[4,2]0,4,1,5,2,6,3,7}");
  EXPECT_EQ(parse_spec("-,x+y", 2, mesh)->str(),
            "{devices=[1,8]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(parse_spec("-,-", 2, mesh)->str(), "{replicated}");
  EXPECT_FALSE(parse_spec("x", 2, mesh));
  EXPECT_FALSE(parse_spec("x,x", 2, mesh));
  EXPECT_FALSE(parse_spec("z,-", 2, mesh));
}

} // namespace
} // namespace xlac::cli
