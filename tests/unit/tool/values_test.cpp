#include "run/values.h"

#include "run/given_arrays.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace xlac::cli {
namespace {

Type tensor(ElementType element, std::vector<int64_t> dims) {
  TensorType type;
  type.element = element;
  type.dims = std::move(dims);
  return type;
}

TEST(Values, MakesZerosAndRandomNumbersOfEveryType) {
  for (int i = 0; i < kElementTypeCount; ++i) {
    Type type = tensor(static_cast<ElementType>(i), {4, 3});
    for (const char *word : {"zeros", "random:7"}) {
      auto inputs = make_inputs({type}, {word});
      ASSERT_TRUE(inputs) << inputs.error().message;
      EXPECT_EQ(inputs->at(0).bytes.size(),
                static_cast<size_t>(*type.tensor().byte_count()));
    }
  }
}

TEST(Values, RandomNumbersDependOnSeedAndPosition) {
  Type type = tensor(ElementType::F32, {64});
  auto a = make_inputs({type, type}, {"random:1"});
  auto b = make_inputs({type, type}, {"random:1"});
  EXPECT_EQ((*a)[0].bytes, (*b)[0].bytes);
  EXPECT_NE((*a)[0].bytes, (*a)[1].bytes);
}

TEST(Values, ShortensLongDimensions) {
  HostArray array{tensor(ElementType::I8, {9}).tensor(), {}};
  for (int i = 0; i < 9; ++i)
    array.bytes.push_back(std::byte(i));
  EXPECT_EQ(shortened(array), "tensor<9xi8> [0, 1, 2, ..., 6, 7, 8]");
}

} // namespace
} // namespace xlac::cli
