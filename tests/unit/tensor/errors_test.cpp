#include "xlac/custom_call.h"
#include "xlac/library/custom_calls.h"
#include "xlac/ops.h"

#include <cmath>
#include <gtest/gtest.h>

namespace xlac {
namespace {

/// Runs `call` and checks the exception's class, the start of its message, and
/// a part of it.
template <class E, class F>
void expect_error(F call, const std::string &start, const std::string &part) {
  try {
    call();
    FAIL() << "nothing was thrown, wanted " << part;
  } catch (const E &error) {
    std::string what = error.what();
    EXPECT_EQ(what.find(start), 0u) << what;
    EXPECT_NE(what.find(part), std::string::npos) << what;
  }
}

TEST(Errors, Messages) {
  Tensor m = ones({2, 3});
  expect_error<ShapeError>([&] { ones({2, 2, 4, 4}) + ones({2, 2}); }, "add():",
                           "Shapes are not compatible for broadcasting: "
                           "f32[2,2,4,4] vs. f32[2,2]");
  expect_error<ShapeError>([&] { m.mm(ones({4, 5})); }, "mm():",
                           "mat1 and mat2 shapes cannot be multiplied (2x3 and "
                           "4x5)");
  expect_error<ShapeError>([&] { cat({ones({5, 1}), ones({2, 2})}); }, "cat():",
                           "cannot concatenate tensors of shape f32[5,1] with "
                           "f32[2,2] at dimension 0");
  expect_error<ShapeError>([&] { ones({12}).view({3, 5}); }, "view():",
                           "shape '[3, 5]' is invalid for input of size 12");
  for (double place : {-0.5, 1.5, std::nan("")})
    expect_error<ValueError>([&] { m.quantile(full({}, place)); },
                             "quantile():", "q values must be in the range");
  expect_error<IndexError>([&] { m.sum({3}); }, "sum():",
                           "Dimension out of range (expected to be in range of "
                           "[-2, 1], but got 3)");
  expect_error<IndexError>([&] { ones({3})[5]; }, "select():",
                           "index 5 is out of bounds for dimension 0 with size "
                           "3");
  expect_error<ValueError>([&] { ones({4}).item(); }, "item():",
                           "a Tensor with 4 elements cannot be converted to "
                           "Scalar");
  expect_error<DtypeError>([&] { tensor({1, 2}) += tensor({0.5}); }, "add_():",
                           "result type Float can't be cast to the desired "
                           "output type Long");
  expect_error<ValueError>([&] { Tensor() + m; },
                           "add():", "tensor is undefined");
  expect_error<ValueError>([&] { Device("gpu"); }, "Invalid device", "gpu");
  expect_error<ValueError>([&] { arange(-5, NAN); },
                           "arange():", "unsupported range: -5 -> nan");
  expect_error<ShapeError>([&] { zeros({-1}); }, "zeros():", "negative");
  expect_error<ShapeError>([&] { zeros({int64_t{1} << 62, 8}); },
                           "zeros():", "too large");
}

TEST(Errors, RegisteredFunctionsHaveNamesOfTheirOwn) {
  auto nothing = [](const CustomCall &) {};
  expect_error<ValueError>([&] { register_custom_call("", nothing); },
                           "register_custom_call():", "needs a name");
  EXPECT_EQ(library::find_custom_call("test.public"), nullptr);
  register_custom_call("test.public", nothing);
  EXPECT_NE(library::find_custom_call("test.public"), nullptr);
  expect_error<ValueError>(
      [&] { register_custom_call("test.public", nothing); },
      "register_custom_call():", "'test.public'");
}

} // namespace
} // namespace xlac
