#include "xlac/data.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <set>

namespace xlac::data {
namespace {

Tensor counted_image(int64_t channels, int64_t side) {
  return arange(channels * side * side)
      .to(kFloat32)
      .view({channels, side, side});
}

TEST(Transforms, NormalizeByChannel) {
  Tensor image = ones({3, 2, 2});
  EXPECT_TRUE(equal(Normalize{0.5, 0.25}(image), full({3, 2, 2}, 2.0)));
  Tensor each = Normalize{{0, 0.5, 1}, {1, 0.5, 4}}(image);
  EXPECT_EQ(each.select(2, 0).select(1, 0).to_vector<float>(),
            (std::vector<float>{1, 1, 0}));
  // The direct computation in memory equals that by operations.
  Tensor turned = counted_image(3, 4).transpose(1, 2);
  Normalize normalize{{1, 2, 3}, 7};
  for (const Tensor &plain : {turned, stack({turned, turned + 1})})
    EXPECT_TRUE(equal(normalize(plain),
                      normalize(plain.clone().requires_grad_()).detach()));
  EXPECT_EQ(normalize(turned.to(kFloat64)).dtype(), kFloat64);
  EXPECT_EQ(normalize(ones({3, 0, 2})).numel(), 0);
  EXPECT_THROW((Normalize{{0, 1}, {1, 1}}(image)), ShapeError);
  EXPECT_THROW((Normalize{0, 1}(ones({1, 2, 2}, kUInt8))), DtypeError);
  Example<Tensor, int> example{image, 4};
  EXPECT_EQ((Normalize{0, 1}(example).target), 4);
}

TEST(Transforms, ToFloatDividesWholeNumbers) {
  Tensor bytes = tensor({0, 51, 255}, kUInt8);
  EXPECT_EQ(ToFloat()(bytes).to_vector<float>(),
            (std::vector<float>{0, 0.2f, 1}));
  EXPECT_TRUE(equal(ToFloat()(tensor({0.5}, kFloat64)), tensor({0.5f})));
  Example<> example{bytes, tensor(3)};
  EXPECT_EQ(ToFloat()(example).target.dtype(), kInt64);
}

TEST(Transforms, FlipHalfOfTheTime) {
  Tensor image = counted_image(1, 3), flipped = flip(image, {-1});
  EXPECT_TRUE(equal(RandomHorizontalFlip{0}(image), image));
  EXPECT_TRUE(equal(RandomHorizontalFlip{1}(image), flipped));
  int times = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    SampleScope scope(1, i);
    Tensor result = RandomHorizontalFlip()(image);
    bool is_flipped = equal(result, flipped);
    EXPECT_TRUE(is_flipped || equal(result, image));
    times += is_flipped;
  }
  EXPECT_NEAR(times, 200, 50);
}

TEST(Transforms, CropAnywhere) {
  Tensor image = counted_image(2, 4);
  std::set<float> corners;
  for (uint64_t i = 0; i < 200; ++i) {
    SampleScope scope(1, i);
    Tensor part = RandomCrop{{3, 2}}(image);
    EXPECT_EQ(part.sizes(), (Shape{2, 3, 2}));
    EXPECT_TRUE(part.is_contiguous());
    float corner = part[0][0][0].item<float>();
    corners.insert(corner);
    EXPECT_EQ(part[1][2][1].item<float>(), corner + 16 + 8 + 1);
  }
  EXPECT_EQ(corners, (std::set<float>{0, 1, 2, 4, 5, 6}));
  SampleScope scope(1, 0);
  Tensor padded = RandomCrop{{8}, 2, -1}(image);
  EXPECT_EQ(padded.sizes(), (Shape{2, 8, 8}));
  EXPECT_EQ(padded[0][1][3].item<float>(), -1);
  EXPECT_TRUE(equal(padded.narrow(1, 2, 4).narrow(2, 2, 4), image));
  EXPECT_THROW((RandomCrop{{5}}(image)), ShapeError);
  EXPECT_THROW((RandomCrop{{}}(image)), ValueError);
}

TEST(Transforms, Compose) {
  Compose both(ToFloat(), Normalize{0.5, 0.5});
  auto dataset =
      map(TensorDataset(tensor({{0, 255}, {255, 0}}, kUInt8), arange(2)), both);
  auto [data, target] = dataset.get(1);
  EXPECT_EQ(data.to_vector<float>(), (std::vector<float>{1, -1}));
  EXPECT_EQ(target.item<int64_t>(), 1);
  EXPECT_EQ(Compose()(7), 7);
}

} // namespace
} // namespace xlac::data
