// Dense factorizations, as compiled for each set of CPU features, checked by
// multiplication. Sizes lie around those of blocks and tiles; strides are those
// of rows, of columns, and of neither.
#include "dense_reference.h"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

using namespace xlac;
using namespace xlac::library;

namespace {

template <class T> class Checks {
public:
  explicit Checks(uint64_t features) : features_(features) {}

  Reference draw(int64_t rows, int64_t columns) {
    std::uniform_real_distribution<double> value(-1, 1);
    return generate(rows, columns, [&](int64_t, int64_t) {
      double real = value(generator_), imaginary = value(generator_);
      return std::is_floating_point_v<T> ? Complex(real)
                                         : Complex(real, imaginary);
    });
  }

  void cholesky(int64_t n, Order order) {
    Reference g = draw(n, std::min<int64_t>(n, 5)), a = g * adjoint(g);
    for (int64_t i = 0; i < n; ++i)
      a(i, i) += 1;
    // The upper triangle is neither read nor written.
    Reference given = generate(n, n, [&](int64_t i, int64_t j) {
      return j > i ? Complex(NAN) : a(i, j);
    });
    Memory<T> memory(given, order);
    EXPECT_EQ(calls(n).factor_cholesky(memory.view), 0);
    Reference l = generate(n, n, [&](int64_t i, int64_t j) {
      EXPECT_TRUE(j <= i || std::isnan(std::real(memory.at(i, j))));
      return j > i ? Complex(0) : Complex(memory.at(i, j));
    });
    Reference some = draw(n, 4);
    EXPECT_LT(distance(l * (adjoint(l) * some), a * some), bound());
    EXPECT_TRUE(memory.keeps_rest());
  }

  void bad_minor(int64_t n, int64_t bad, double pivot) {
    Reference a = Reference::identity(n);
    a(bad - 1, bad - 1) = pivot;
    Memory<T> memory(a, Order::Rows);
    EXPECT_EQ(calls(n).factor_cholesky(memory.view), bad);
  }

  void solve(int64_t n, int64_t others, Order order) {
    for (int kind = 0; kind < 16; ++kind) {
      bool lower = kind & 1, unit = kind & 2, conjugate = kind & 4,
           left = kind & 8;
      Reference a = draw(n, n);
      for (Complex &element : a.elements)
        element /= double(n);
      for (int64_t i = 0; i < n; ++i)
        a(i, i) += 2;
      auto used = generate(n, n, [&](int64_t i, int64_t j) {
        if (lower ? j > i : j < i)
          return Complex(0);
        Complex value = i == j && unit ? Complex(1) : a(i, j);
        return conjugate ? std::conj(value) : value;
      });
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
          if ((lower ? j > i : j < i) || (i == j && unit))
            a(i, j) = NAN;
      Reference b = left ? draw(n, others) : draw(others, n);
      Memory<T> matrix(a, order), x(b, order);
      calls(std::max(n, others))
          .solve_triangle(read_only(matrix.view), {lower, unit, conjugate},
                          left, x.view);
      Reference y = x.read();
      EXPECT_LT(distance(left ? used * y : y * used, b), bound());
      EXPECT_TRUE(x.keeps_rest());
    }
  }

  void lu(int64_t m, int64_t n, Order order) {
    Reference a = draw(m, n);
    Memory<T> memory(a, order);
    int64_t count = std::min(m, n);
    std::vector<int32_t> pivots(count);
    EXPECT_EQ(calls(std::max(m, n)).factor_lu(memory.view, pivots.data()), 0);
    Reference l = generate(m, count, [&](int64_t i, int64_t j) {
      if (j < i) {
        Complex value(memory.at(i, j));
        EXPECT_LT(std::abs(value.real()) + std::abs(value.imag()), 2 + bound());
      }
      return j > i ? Complex(0) : j == i ? 1 : Complex(memory.at(i, j));
    });
    Reference u = generate(count, n, [&](int64_t i, int64_t j) {
      return j < i ? Complex(0) : Complex(memory.at(i, j));
    });
    for (int64_t k = 0; k < count; ++k)
      for (int64_t j = 0; j < n; ++j)
        std::swap(a(k, j), a(pivots[k], j));
    EXPECT_LT(distance(l * u, a), bound());
    EXPECT_TRUE(memory.keeps_rest());
  }

  void singular_lu(int64_t n, int64_t zero) {
    Reference a = draw(n, n);
    for (int64_t i = 0; i < n; ++i)
      a(i, zero) = 0;
    Memory<T> memory(a, Order::Rows);
    std::vector<int32_t> pivots(n);
    EXPECT_EQ(calls(n).factor_lu(memory.view, pivots.data()), zero + 1);
  }

  void qr(int64_t m, int64_t n, Order order) {
    Reference a = draw(m, n);
    Memory<T> memory(a, order);
    int64_t count = std::min(m, n);
    std::vector<T> taus(count);
    DenseCalls<T> all = calls(std::max(m, n));
    all.factor_qr(memory.view, taus.data());
    Reference r = generate(m, n, [&](int64_t i, int64_t j) {
      return j < i ? Complex(0) : Complex(memory.at(i, j));
    });
    for (int64_t i = 0; i < count; ++i)
      EXPECT_EQ(r(i, i).imag(), 0);
    auto multiply = [&](Reference c, bool left, bool takes_adjoint) {
      Memory<T> result(c, order);
      all.apply_reflections(read_only(memory.view), taus.data(), count, left,
                            takes_adjoint, result.view);
      EXPECT_TRUE(result.keeps_rest());
      return result.read();
    };
    Reference q = multiply(Reference::identity(m), true, false);
    EXPECT_LT(distance(q * r, a), bound());
    EXPECT_LT(distance(adjoint(q) * q, Reference::identity(m)), bound());
    EXPECT_LT(distance(multiply(a, true, true), r), bound());
    Reference wide = draw(n, m);
    EXPECT_LT(distance(multiply(wide, false, false), wide * q), bound());
    EXPECT_LT(distance(multiply(wide, false, true), wide * adjoint(q)),
              bound());
  }

private:
  static constexpr double bound() {
    return sizeof(decltype(std::real(T()))) == 4 ? 4e-4 : 1e-11;
  }
  DenseCalls<T> calls(int64_t most) { return DenseCalls<T>(most, features_); }

  uint64_t features_;
  std::mt19937 generator_{7};
};

template <class T> class DenseTest : public testing::Test {
public:
  template <class Check> void for_each_feature(const Check &check) {
    for (uint64_t features :
         std::initializer_list<uint64_t>{0, kFeatureAvx2, kFeatureAvx512})
      if (host_supports(features)) {
        SCOPED_TRACE("features " + std::to_string(features));
        Checks<T> checks(features);
        for (Order order : {Order::Rows, Order::Columns, Order::Neither})
          check(checks, order);
      }
  }
};
using Elements =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(DenseTest, Elements);

TYPED_TEST(DenseTest, Cholesky) {
  this->for_each_feature([](auto &checks, Order order) {
    for (int64_t n : {0, 1, 2, 15, 16, 17, 33, 100})
      checks.cholesky(n, order);
  });
}

TYPED_TEST(DenseTest, CholeskyNamesTheFirstBadMinor) {
  this->for_each_feature([](auto &checks, Order) {
    for (int64_t bad : {1, 16, 17, 40})
      for (double pivot : {0.0, -1.0, double(NAN)})
        checks.bad_minor(40, bad, pivot);
  });
}

TYPED_TEST(DenseTest, TriangularSolve) {
  this->for_each_feature([](auto &checks, Order order) {
    for (int64_t n : {1, 3, 16, 17, 50})
      for (int64_t others : {0, 1, 5, 33})
        checks.solve(n, others, order);
  });
}

TYPED_TEST(DenseTest, Lu) {
  this->for_each_feature([](auto &checks, Order order) {
    for (auto [m, n] : {std::pair(1, 1),
                        {3, 2},
                        {2, 5},
                        {17, 17},
                        {33, 20},
                        {20, 47},
                        {100, 70},
                        {5, 100},
                        {0, 3},
                        {3, 0}})
      checks.lu(m, n, order);
  });
}

TYPED_TEST(DenseTest, LuNamesTheFirstZeroPivot) {
  this->for_each_feature([](auto &checks, Order) {
    for (int64_t zero : {0, 15, 16, 39})
      checks.singular_lu(40, zero);
  });
}

TYPED_TEST(DenseTest, Qr) {
  this->for_each_feature([](auto &checks, Order order) {
    for (auto [m, n] : {std::pair(1, 1),
                        {3, 2},
                        {2, 5},
                        {33, 33},
                        {70, 40},
                        {40, 70},
                        {100, 5}})
      checks.qr(m, n, order);
  });
}

// The depth or the columns of a product exceed one packed block.
TYPED_TEST(DenseTest, LargeProducts) {
  this->for_each_feature([](auto &checks, Order order) {
    if (order == Order::Rows) {
      checks.cholesky(530, order);
      checks.solve(20, 530, order);
    }
  });
}

} // namespace
