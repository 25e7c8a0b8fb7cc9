// Impossible sizes for every function that takes sizes: an xlac error must be
// thrown before anything is computed or allocated.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <functional>
#include <unistd.h>

namespace xlac {
namespace {

// three times this number wraps to 2
constexpr int64_t kThird = 6148914691236517206;
constexpr int64_t kSizes[] = {INT64_MAX, INT64_MAX - 10, int64_t(1) << 62,
                              kThird, (int64_t(1) << 56) + 1};

struct Call {
  const char *name;
  std::function<Tensor(Device device, int64_t n)> make;
};

/// Functions that make a tensor of n or more elements.
const Call kMakers[] = {
    {"full", [](Device d, int64_t n) { return full({n}, 1.0, d); }},
    {"zeros", [](Device d, int64_t n) { return zeros({3, n}, d); }},
    {"empty", [](Device d, int64_t n) { return empty({n, 0}, d); }},
    {"rand", [](Device d, int64_t n) { return rand({n}, d); }},
    {"randn", [](Device d, int64_t n) { return randn({2, n}, d); }},
    {"randint", [](Device d, int64_t n) { return randint(9, {n}, d); }},
    {"randperm", [](Device d, int64_t n) { return randperm(n, d); }},
    {"eye", [](Device d, int64_t n) { return eye(n, d); }},
    {"eye of 3 rows", [](Device d, int64_t n) { return eye(3, n, d); }},
    {"arange", [](Device d, int64_t n) { return arange(n, d); }},
    {"linspace", [](Device d, int64_t n) { return linspace(0, 1, n, d); }},
    {"logspace", [](Device d, int64_t n) { return logspace(0, 1, n, 10, d); }},
    {"tril_indices",
     [](Device d, int64_t n) { return tril_indices(n, n, 0, d); }},
    {"hann_window",
     [](Device d, int64_t n) { return hann_window(n, true, d); }},
    {"kaiser_window",
     [](Device d, int64_t n) { return kaiser_window(n, true, 12, d); }},
    {"one_hot",
     [](Device d, int64_t n) {
       return one_hot(zeros({3}, TensorOptions(d).dtype(kInt64)), n);
     }},
    {"expand", [](Device d, int64_t n) { return ones({1}, d).expand({3, n}); }},
    {"broadcast_to",
     [](Device d, int64_t n) { return broadcast_to(ones({1}, d), {n}); }},
    {"repeat", [](Device d, int64_t n) { return ones({3}, d).repeat({n}); }},
    {"tile", [](Device d, int64_t n) { return tile(ones({3}, d), {n, n}); }},
    {"repeat_interleave",
     [](Device d, int64_t n) { return repeat_interleave(ones({4}, d), n); }},
    {"pad", [](Device d, int64_t n) { return F::pad(ones({3}, d), {n, 5}); }},
    {"replicate",
     [](Device d, int64_t n) {
       return F::pad(ones({1, 1, 3}, d), {n, 11}, "replicate");
     }},
    {"interpolate",
     [](Device d, int64_t n) {
       return F::interpolate(ones({1, 1, 4}, d), IntArrayRef{n});
     }},
    {"interpolate linear",
     [](Device d, int64_t n) {
       return F::interpolate(ones({1, 1, 4}, d), IntArrayRef{n}, {}, "linear");
     }},
    {"interpolate area",
     [](Device d, int64_t n) {
       return F::interpolate(ones({1, 1, 4}, d), IntArrayRef{n}, {}, "area");
     }},
    {"interpolate by a factor",
     [](Device d, int64_t n) {
       return F::interpolate(ones({1, 1, 4}, d), {}, {static_cast<double>(n)});
     }},
    {"conv2d, padding",
     [](Device d, int64_t n) {
       return F::conv2d(ones({1, 1, 4, 4}, d), ones({1, 1, 2, 2}, d), {}, 1,
                        {n / 4, n / 4});
     }},
    {"conv2d, dilation",
     [](Device d, int64_t n) {
       return F::conv2d(ones({1, 1, 4, 4}, d), ones({1, 1, 2, 2}, d), {}, 1, 0,
                        {n, n});
     }},
    {"conv_transpose2d, stride",
     [](Device d, int64_t n) {
       return F::conv_transpose2d(ones({1, 1, 4, 4}, d), ones({1, 1, 2, 2}, d),
                                  {}, {n / 3, n / 3});
     }},
    {"conv_transpose2d, dilation",
     [](Device d, int64_t n) {
       return F::conv_transpose2d(ones({1, 1, 4, 4}, d), ones({1, 1, 2, 2}, d),
                                  {}, 1, 0, 0, 1, {n, n});
     }},
    {"max_pool2d",
     [](Device d, int64_t n) {
       return F::max_pool2d(ones({1, 1, 4, 4}, d), n);
     }},
    {"avg_pool2d, padding",
     [](Device d, int64_t n) {
       return F::avg_pool2d(ones({1, 1, 4, 4}, d), 2, 2, n);
     }},
    {"adaptive_avg_pool2d",
     [](Device d, int64_t n) {
       return F::adaptive_avg_pool2d(ones({1, 1, 4, 4}, d), {n, n});
     }},
    {"reshape",
     [](Device d, int64_t n) { return ones({2}, d).reshape({3, n}); }},
    {"view", [](Device d, int64_t n) { return ones({2}, d).view({3, n}); }},
    {"as_strided",
     [](Device d, int64_t n) { return ones({4}, d).as_strided({n}, {0}); }},
    {"as_strided, strides",
     [](Device d, int64_t n) { return ones({4}, d).as_strided({3}, {n}); }},
    {"as_strided, offset",
     [](Device d, int64_t n) { return ones({4}, d).as_strided({3}, {1}, n); }},
    {"unfold",
     [](Device d, int64_t n) { return ones({4}, d).unfold(0, n, 1); }},
    {"narrow",
     [](Device d, int64_t n) { return ones({4}, d).narrow(0, 1, n); }},
    {"diag_embed",
     [](Device d, int64_t n) { return diag_embed(ones({4}, d), n); }},
    {"unflatten",
     [](Device d, int64_t n) { return ones({2}, d).unflatten(0, {3, n}); }},
    {"histc", [](Device d, int64_t n) { return histc(ones({4}, d), n); }},
    {"topk",
     [](Device d, int64_t n) { return std::get<0>(topk(ones({4}, d), n)); }},
    {"kthvalue",
     [](Device d, int64_t n) {
       return std::get<0>(kthvalue(ones({4}, d), n));
     }},
    {"pixel_shuffle",
     [](Device d, int64_t n) {
       return pixel_shuffle(ones({1, 4, 2, 2}, d), n);
     }},
    {"fft", [](Device d, int64_t n) { return fft::fft(ones({4}, d), n); }},
    {"irfft", [](Device d, int64_t n) { return fft::irfft(ones({4}, d), n); }},
    {"cat",
     [](Device d, int64_t n) {
       Tensor half = ones({1}, d).expand({int64_t(1) << 55});
       return cat({half, half, half}, n ? 0 : 1);
     }},
    {"stack",
     [](Device d, int64_t) {
       Tensor half = ones({1}, d).expand({int64_t(1) << 55});
       return stack({half, half, half});
     }},
};

void expect_errors(Device device) {
  for (const Call &call : kMakers)
    for (int64_t n : kSizes) {
      SCOPED_TRACE(std::string(call.name) + " of " + std::to_string(n));
      // A computation with such a size would not end.
      alarm(20);
      EXPECT_THROW(call.make(device, n), xlac::Error);
      alarm(0);
    }
}

TEST(HostileSizes, AreErrorsOnTheCpu) { expect_errors(kCPU); }

TEST(HostileSizes, AreErrorsOnXla) { expect_errors(xlac::device()); }

TEST(HostileSizes, OfProductsAreErrors) {
  for (int exponent : {29, 31, 33}) {
    Tensor column =
        ones({1, 1}, xlac::device()).expand({int64_t(1) << exponent, 1});
    EXPECT_THROW(matmul(column, column.t()), OutOfMemoryError);
    EXPECT_THROW(column + column.t(), OutOfMemoryError);
    EXPECT_THROW(outer(column.squeeze(1), column.squeeze(1)), OutOfMemoryError);
  }
}

TEST(HostileSizes, LeaveTrianglesThatAreSmall) {
  constexpr int64_t far = int64_t(1) << 60;
  for (Device device : {Device(kCPU), xlac::device()}) {
    EXPECT_EQ(tril_indices(far, 2, 1 - far, device).to_vector<int64_t>(),
              (std::vector<int64_t>{far - 1, 0}));
    EXPECT_EQ(triu_indices(2, far, far - 2, device).to_vector<int64_t>(),
              (std::vector<int64_t>{0, 0, 1, far - 2, far - 1, far - 1}));
    EXPECT_EQ(tril_indices(2, 2, INT64_MIN, device).numel(), 0);
    EXPECT_EQ(triu_indices(2, 2, INT64_MIN, device).numel(), 8);
    EXPECT_EQ(triu_indices(2, 2, INT64_MAX, device).numel(), 0);
    EXPECT_EQ(tril_indices(0, 5, 2, device).numel(), 0);
  }
}

TEST(HostileSizes, SayHowManyElementsThereMayBe) {
  for (Device device : {Device(kCPU), xlac::device()})
    try {
      ones({1}, device).expand({3, kThird});
      ADD_FAILURE();
    } catch (const OutOfMemoryError &error) {
      EXPECT_EQ(std::string(error.what()),
                "expand(): cannot hold f32[3,6148914691236517206]: a tensor "
                "has at most 2^56 elements");
    }
}

TEST(HostileSizes, OfWindowsAreNamed) {
  auto said = [](const std::function<void()> &call) -> std::string {
    try {
      call();
    } catch (const ShapeError &error) {
      return error.what();
    }
    return "no error";
  };
  for (Device device : {Device(kCPU), xlac::device()}) {
    Tensor x = ones({1, 1, 4, 4}, device), kernel = ones({1, 1, 2, 2}, device);
    EXPECT_EQ(said([&] { F::conv2d(x, kernel, {}, 1, 0, INT64_MAX); }),
              "conv2d(): dilation has 9223372036854775807, which is beyond "
              "2^31");
    EXPECT_EQ(said([&] { F::conv_transpose2d(x, kernel, {}, kThird); }),
              "conv_transpose2d(): stride has 6148914691236517206, which is "
              "beyond 2^31");
    EXPECT_EQ(said([&] { F::max_pool2d(x, 3, 1, 0, int64_t(1) << 62); }),
              "max_pool2d(): dilation has 4611686018427387904, which is beyond "
              "2^31");
  }
}

TEST(HostileSizes, MayBeStridesOfNothing) {
  // Steps and shifts of any size are valid.
  for (Device device : {Device(kCPU), xlac::device()}) {
    EXPECT_EQ(arange(4, device).slice(0, 0, INT64_MAX, INT64_MAX).sizes(),
              Shape{1});
    EXPECT_EQ(ones({4, 0}, device).tril(INT64_MAX).numel(), 0);
    EXPECT_EQ(roll(arange(4, device), INT64_MAX).sum().item<int64_t>(), 6);
    EXPECT_EQ(triu(ones({3, 3}, device), INT64_MAX).sum().item<float>(), 0);
    EXPECT_EQ(tril(ones({3, 3}, device), INT64_MIN).sum().item<float>(), 0);
  }
}

} // namespace
} // namespace xlac
