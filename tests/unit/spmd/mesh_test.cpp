// Meshes and partition specs: errors, and the resulting shardings.
#include "xlac/ops.h"
#include "xlac/runtime.h"
#include "xlac/spmd/sharding_of.h"

#include "../thrown.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>

namespace xlac::spmd {
namespace {

const bool kEightDevices = setenv("CPU_NUM_DEVICES", "8", 1) == 0;

std::vector<int64_t> ids(int64_t count) {
  std::vector<int64_t> list(count);
  std::iota(list.begin(), list.end(), 0);
  return list;
}

std::string text_of(const Mesh &mesh, const PartitionSpec &spec) {
  return sharding_of(mesh, spec, spec.size()).str();
}

TEST(Mesh, SaysWhatItIs) {
  Mesh mesh(ids(8), {4, 2}, {"x", "y"});
  EXPECT_EQ(mesh.size(), 8);
  EXPECT_EQ(mesh.shape(),
            (std::vector<std::pair<std::string, int64_t>>{{"x", 4}, {"y", 2}}));
  EXPECT_TRUE(
      equal(mesh.get_logical_mesh(), tensor({{0, 1}, {2, 3}, {4, 5}, {6, 7}})));
  EXPECT_EQ(mesh.get_axis_name_idx("y"), 1);
  EXPECT_EQ(mesh.get_axis_name_idx("z"), std::nullopt);
  EXPECT_EQ(Mesh(ids(8), {8}).shape()[0].first, "0");
}

TEST(Mesh, RefusesWhatDoesNotFit) {
  struct Case {
    std::vector<int64_t> ids;
    Shape shape;
    std::vector<std::string> names;
    const char *message;
  };
  for (const Case &c : std::vector<Case>{
           {ids(4),
            {4, 2},
            {},
            "Mesh(): Number of device IDs (4) must match mesh size (8)"},
           {ids(4),
            {4},
            {},
            "Mesh(): Number of device IDs (4) must match the global number of "
            "devices (8)"},
           {{0, 1, 2, 3, 4, 5, 6, 6},
            {8},
            {},
            "Mesh(): Device IDs must be unique"},
           {{0, 1, 2, 3, 4, 5, 6, 8},
            {8},
            {},
            "Mesh(): Device ID 8 is out of range, there are 8 devices"},
           {ids(8), {4, 2}, {"x", "x"}, "Mesh(): Axis names must be unique"},
           {ids(8),
            {4, 2},
            {"x", "y", "z"},
            "Mesh(): Number of axis names (3) must match mesh dimensions (2)"},
           {ids(8),
            {-4, -2},
            {},
            "Mesh(): mesh_shape is [-4, -2], wanted positive sizes"}})
    EXPECT_EQ(message_of<ValueError>([&] { Mesh(c.ids, c.shape, c.names); }),
              c.message);
}

TEST(Mesh, OfOneDimensionHasAllDevices) {
  EXPECT_EQ(get_1d_mesh("data").shape(),
            (std::vector<std::pair<std::string, int64_t>>{{"data", 8}}));
  EXPECT_TRUE(get_1d_mesh().axis_names().empty());
}

TEST(Mesh, OfTheProcessIsKept) {
  EXPECT_FALSE(get_global_mesh());
  set_global_mesh(Mesh(ids(8), {2, 4}));
  EXPECT_EQ(get_global_mesh()->mesh_shape(), (Shape{2, 4}));
}

TEST(HybridMesh, PutsSlicesOutside) {
  setenv("XLAC_NUM_SLICES", "2", 1);
  HybridMesh mesh({.ici_mesh_shape = {2, 2}, .dcn_mesh_shape = {2, 1}});
  EXPECT_TRUE(
      equal(mesh.get_logical_mesh(), tensor({{0, 1}, {2, 3}, {4, 5}, {6, 7}})));
  HybridMesh columns({.ici_mesh_shape = {2, 2}, .dcn_mesh_shape = {1, 2}});
  EXPECT_TRUE(
      equal(columns.get_logical_mesh(), tensor({{0, 1, 4, 5}, {2, 3, 6, 7}})));
  EXPECT_NE(message_of<ValueError>([] {
              HybridMesh({.ici_mesh_shape = {2, 4}});
            }).find("Provide dcn_mesh_shape"),
            std::string::npos);
  EXPECT_NE(message_of<ValueError>([] {
              HybridMesh({.ici_mesh_shape = {2, 4}, .dcn_mesh_shape = {2}});
            }).find("the same number of dimensions"),
            std::string::npos);
  unsetenv("XLAC_NUM_SLICES");
  EXPECT_NE(message_of<ValueError>([] {
              HybridMesh({.ici_mesh_shape = {2, 2}, .dcn_mesh_shape = {2, 1}});
            }).find("Invalid dcn_mesh_shape for single slice mesh"),
            std::string::npos);
  EXPECT_EQ(HybridMesh({.ici_mesh_shape = {2, 4}}).mesh_shape(), (Shape{2, 4}));
}

TEST(PartitionSpec, GivesShardings) {
  Mesh grid(ids(8), {2, 4}, {"x", "y"});
  EXPECT_EQ(text_of(grid, {0, 1}), "{devices=[2,4]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(text_of(grid, {1, 0}), "{devices=[4,2]0,4,1,5,2,6,3,7}");
  EXPECT_EQ(text_of(grid, {"x", None}),
            "{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}");
  EXPECT_EQ(text_of(grid, {"x", None}), text_of(grid, {0, None}));
  EXPECT_EQ(text_of(grid, {None, "y"}),
            "{devices=[1,4,2]0,4,1,5,2,6,3,7 last_tile_dim_replicate}");
  EXPECT_EQ(text_of(grid, {None, None}), "{replicated}");
  EXPECT_EQ(text_of(grid, {}), "{replicated}");
  EXPECT_EQ(text_of(grid, {{0, 1}}), "{devices=[8]0,1,2,3,4,5,6,7}");
  EXPECT_EQ(text_of(grid, {{"y", "x"}, None}),
            "{devices=[8,1]0,4,1,5,2,6,3,7}");
  EXPECT_EQ(text_of(Mesh({7, 6, 5, 4, 3, 2, 1, 0}, {1, 8}), {0, 1}),
            "{devices=[1,8]7,6,5,4,3,2,1,0}");
  // An axis of one device shards nothing.
  EXPECT_EQ(text_of(Mesh(ids(8), {1, 8}), {0, None}), "{replicated}");
}

TEST(PartitionSpec, RefusesWhatTheMeshLacks) {
  Mesh grid(ids(8), {2, 4}, {"x", "y"});
  auto message = [&](const PartitionSpec &spec) {
    return message_of<ValueError>(
        [&] { sharding_of(grid, spec, spec.size()); });
  };
  EXPECT_EQ(message({"z", None}),
            "Axis name z is not defined in the given mesh");
  EXPECT_EQ(message({2}),
            "Mesh axis 2 is out of range, the mesh has 2 dimensions");
  EXPECT_EQ(message({-1}),
            "Mesh axis -1 is out of range, the mesh has 2 dimensions");
  EXPECT_EQ(message({0, "x"}),
            "Mesh axis x is used more than once in the partition spec");
  EXPECT_EQ(message_of<ValueError>([&] { sharding_of(grid, {0, None}, 3); }),
            "Partition spec length (2) should be equal to the input rank (3)");
}

TEST(ShardingType, TellsPartialFromTiled) {
  Mesh grid(ids(8), {2, 4});
  EXPECT_EQ(type_of(sharding_of(grid, {0, None}, 2)), ShardingType::Partial);
  EXPECT_EQ(type_of(sharding_of(grid, {0, 1}, 2)), ShardingType::Tiled);
  EXPECT_EQ(type_of(sharding_of(grid, {None}, 1)), ShardingType::Replicated);
  for (auto [text, type] : std::vector<std::pair<const char *, ShardingType>>{
           {"{maximal device=1}", ShardingType::Maximal},
           {"{manual}", ShardingType::Manual},
           {"{unknown}", ShardingType::Unknown},
           {"{{manual}, {replicated}}", ShardingType::Tuple}})
    EXPECT_EQ(type_of(*parse_sharding(text)), type) << text;
}

} // namespace
} // namespace xlac::spmd
