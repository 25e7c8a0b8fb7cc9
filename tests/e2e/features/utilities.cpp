// UT.
#include "feature_rows.h"

#include <filesystem>

using namespace xlac;
using namespace xlac::features;

namespace {
struct PackedBatch {
  Tensor data, indices;
  std::vector<int64_t> batch_sizes;
};
} // namespace
XLAC_TREE(PackedBatch, data, indices, batch_sizes);

FEATURE(UT_01) {
  Tensor x = zeros({4, 3}), y = ones({4});
  xu::SampleGenerator loader(std::pair(x, y), 5);
  EXPECT_EQ(loader.size(), 5u);
  for (int pass = 0; pass < 2; ++pass) {
    int count = 0;
    for (auto &[data, target] : loader) {
      EXPECT_TRUE(data.is_same(x) && target.is_same(y));
      ++count;
    }
    EXPECT_EQ(count, 5);
  }
}

FEATURE(UT_02) {
  Device dev = xlac::device();
  PackedBatch batch{ones({4}), zeros({4}), {3, 1}};
  PackedBatch moved =
      map_tensors(batch, [&](const Tensor &t) { return t.to(dev); });
  EXPECT_TRUE(moved.data.is_xla() && moved.indices.is_xla());
  EXPECT_EQ(moved.batch_sizes, (std::vector<int64_t>{3, 1}));
}

FEATURE(UT_03) {
  std::vector<std::function<int()>> work;
  for (int i = 0; i < 10; ++i)
    work.emplace_back([i] { return i * i; });
  std::vector<int> squares = xu::parallel_work(3, work);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(squares[i], i * i);
  work[3] = []() -> int { throw ValueError("third"); };
  EXPECT_THROW(xu::parallel_work(3, work), ValueError);
}

FEATURE(UT_04) {
  Device dev = xlac::device();
  Tensor shared = ones({2});
  Value tree = Value::Dict{{"a", shared}, {"l", Value::List{shared, 3}}};
  int visits = 0;
  for_each_tensor(tree, [&](const Tensor &) { ++visits; });
  EXPECT_EQ(visits, 1);
  Value moved = map_tensors(tree, [&](const Tensor &t) { return t.to(dev); });
  EXPECT_TRUE(
      moved.at("a").to<Tensor>().is_same(moved.at("l").at(0).to<Tensor>()));
  EXPECT_EQ(moved.at("l").at(1).to<int>(), 3);
  std::filesystem::path name;
  {
    xu::TmpFolder folder;
    name = folder.name();
    EXPECT_TRUE(std::filesystem::exists(name));
  }
  EXPECT_FALSE(std::filesystem::exists(name));
  testing::internal::CaptureStderr();
  {
    xu::TimedScope scope("Step: ");
  }
  EXPECT_CONTAINS(testing::internal::GetCapturedStderr(), "Step: ");
  EXPECT_EQ(xu::get_free_tcp_ports(3).size(), 3u);
  EXPECT_EQ(xu::getenv_as("XLAC_NO_SUCH_VARIABLE", 4), 4);
  xu::FnDataGenerator pairs([](const Tensor &x) { return x.sum(); }, 2, {3}, 4);
  for (auto &[x, y] : pairs)
    EXPECT_NEAR(x.sum().item<float>(), y.item<float>(), 1e-6);
}
