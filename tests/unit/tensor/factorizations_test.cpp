// Factorizations whose signs and phases are not unique: checks the product of
// their factors, and the errors for matrices without a factorization.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

class Factorizations : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
  Tensor matrix() const {
    return tensor({{1.0, 2.0, 0.5}, {0.0, 2.5, 1.0}, {3.0, -1.0, 0.75}},
                  kFloat64)
        .to(device());
  }
  Tensor tall() const {
    return tensor({{1.0, 2.0}, {0.5, -1.0}, {2.0, 0.25}}, kFloat64)
        .to(device());
  }
  static Tensor columns_times(const Tensor &a, const Tensor &values) {
    return a * unsqueeze(values, -2);
  }
  static void expect_close(const Tensor &a, const Tensor &b) {
    EXPECT_TRUE(allclose(a, b, 1e-9, 1e-9)) << a << "\n" << b;
  }
};

TEST_P(Factorizations, Svd) {
  for (const Tensor &a : {matrix(), tall(), tall().t()}) {
    auto [u, values, vh] = linalg::svd(a, false);
    expect_close(matmul(columns_times(u, values), vh), a);
    expect_close(values, linalg::svdvals(a));
    auto [full, same, right] = linalg::svd(a);
    EXPECT_EQ(full.sizes(), (Shape{a.size(0), a.size(0)}));
    EXPECT_EQ(right.sizes(), (Shape{a.size(1), a.size(1)}));
  }
}

TEST_P(Factorizations, Eigh) {
  Tensor a = matrix() + matrix().t();
  auto [values, vectors] = linalg::eigh(a);
  expect_close(matmul(columns_times(vectors, values), vectors.t()), a);
  expect_close(values, linalg::eigvalsh(a, "U"));
}

TEST_P(Factorizations, Eig) {
  Tensor a = matrix();
  auto [values, vectors] = linalg::eig(a);
  EXPECT_EQ(values.dtype(), kComplex128);
  expect_close(matmul(a.to(kComplex128), vectors),
               columns_times(vectors, values));
}

TEST_P(Factorizations, SingularMatricesFailWhenValuesAreAskedFor) {
  Tensor a = tensor({{1.0, 2.0}, {2.0, 4.0}}).to(device());
  auto message = [](auto call) {
    try {
      call();
    } catch (const Error &error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_NE(message([&] {
              linalg::inv(a).cpu();
            }).find("linalg.inv(): the matrix is singular"),
            std::string::npos);
  EXPECT_NE(message([&] {
              linalg::solve(a, a).cpu();
            }).find("linalg.solve(): the matrix is singular"),
            std::string::npos);
  EXPECT_NE(message([&] { linalg::cholesky(a - 3.0).cpu(); })
                .find("linalg.cholesky(): the input is not "
                      "positive-definite"),
            std::string::npos);
}

TEST_P(Factorizations, GradientsOfWhatDoesNotDependOnSigns) {
  Tensor a = matrix().requires_grad_();
  auto [u, values, vh] = linalg::svd(a);
  // u diag(values) vᴴ is a.
  Tensor back = matmul(columns_times(u, values), vh);
  sum(back * matrix()).backward();
  expect_close(a.grad(), matrix());
  Tensor b = matrix().requires_grad_();
  auto [spectrum, vectors] = linalg::eigh(b + b.t());
  Tensor twice = matmul(columns_times(vectors, spectrum), vectors.t());
  sum(twice * (matrix() + matrix().t())).backward();
  expect_close(b.grad(), 2 * (matrix() + matrix().t()));
}

INSTANTIATE_TEST_SUITE_P(Devices, Factorizations,
                         testing::Values("cpu", "xla:0"));

} // namespace
} // namespace xlac
