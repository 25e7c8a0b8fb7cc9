// Eigenvalues and singular values with vectors, as compiled for each set of CPU
// features, checked by multiplication in double precision. Bounds are those of
// LAPACK's tests.
#include "dense_reference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

using namespace xlac;
using namespace xlac::library;

namespace {

/// LAPACK's tests accept errors of so many rounding errors times the rows.
constexpr double kRatio = 30;

template <class T> class SpectraTest : public testing::Test {
public:
  using R = decltype(std::real(T()));
  static constexpr bool is_complex = !std::is_floating_point_v<T>;
  static constexpr double epsilon = std::numeric_limits<R>::epsilon();

  template <class Check> void for_each_feature(const Check &check) {
    for (uint64_t features :
         std::initializer_list<uint64_t>{0, kFeatureAvx2, kFeatureAvx512})
      if (host_supports(features)) {
        SCOPED_TRACE("features " + std::to_string(features));
        features_ = features;
        check();
      }
  }

  Complex draw() {
    std::uniform_real_distribution<double> value(-1, 1);
    double real = value(generator_), imaginary = value(generator_);
    return is_complex ? Complex(real, imaginary) : Complex(real);
  }
  Reference draw(int64_t rows, int64_t columns) {
    return generate(rows, columns, [&](int64_t, int64_t) { return draw(); });
  }
  Reference draw_hermitian(int64_t n) {
    Reference a = draw(n, n);
    return generate(n, n, [&](int64_t i, int64_t j) {
      return i == j  ? Complex(a(i, i).real())
             : i > j ? a(i, j)
                     : std::conj(a(j, i));
    });
  }
  /// Orthonormal columns.
  Reference draw_orthonormal(int64_t n) {
    Reference q = draw(n, n);
    for (int64_t j = 0; j < n; ++j)
      for (int pass = 0; pass < 2; ++pass) {
        for (int64_t k = 0; k < j; ++k) {
          Complex dot = 0;
          for (int64_t i = 0; i < n; ++i)
            dot += std::conj(q(i, k)) * q(i, j);
          for (int64_t i = 0; i < n; ++i)
            q(i, j) -= dot * q(i, k);
        }
        double square = 0;
        for (int64_t i = 0; i < n; ++i)
          square += std::norm(q(i, j));
        for (int64_t i = 0; i < n; ++i)
          q(i, j) /= std::sqrt(square);
      }
    return q;
  }
  /// A hermitian matrix with these eigenvalues.
  Reference with_spectrum(const std::vector<double> &values) {
    int64_t n = std::ssize(values);
    Reference q = draw_orthonormal(n);
    Reference scaled = generate(
        n, n, [&](int64_t i, int64_t j) { return q(i, j) * values[j]; });
    Reference a = scaled * adjoint(q);
    return generate(n, n, [&](int64_t i, int64_t j) {
      return i == j  ? Complex(a(i, i).real())
             : i > j ? a(i, j)
                     : std::conj(a(j, i));
    });
  }

  /// Checks the decomposition of `a` times `scale`, with or without vectors.
  void check(const Reference &exact, Order order = Order::Columns,
             bool lower = true, double scale = 1) {
    int64_t n = exact.rows;
    SCOPED_TRACE(std::to_string(n) + " rows");
    Memory<T> given(exact, order), vectors(Reference(n, n), order);
    Reference a = given.read();
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        given.at(i, j) *= static_cast<R>(scale);
        if (lower ? j > i : j < i)
          given.at(i, j) = T(std::numeric_limits<R>::quiet_NaN());
      }
    std::vector<double> values(n), only_values(n);
    ASSERT_TRUE(DenseCalls<T>::find_spectrum(
        read_only(given.view), lower, values.data(), vectors.view, features_));
    ASSERT_TRUE(DenseCalls<T>::find_spectrum(
        read_only(given.view), lower, only_values.data(), {}, features_));
    EXPECT_TRUE(vectors.keeps_rest());
    Reference q = vectors.read();
    Reference product = a * q,
              scaled = generate(n, n, [&](int64_t i, int64_t j) {
                return q(i, j) * (values[j] / scale);
              });
    double norm = std::numeric_limits<double>::min();
    for (double value : values)
      norm = std::max(norm, std::abs(value) / scale);
    double bound = kRatio * epsilon * double(std::max<int64_t>(n, 1));
    EXPECT_LE(largest(product, scaled), bound * norm);
    EXPECT_LE(largest(adjoint(q) * q, Reference::identity(n)), bound);
    for (int64_t i = 0; i < n; ++i) {
      EXPECT_LE(std::abs(values[i] - only_values[i]) / scale, bound * norm);
      if (i > 0) {
        EXPECT_LE(values[i - 1], values[i]);
        EXPECT_LE(only_values[i - 1], only_values[i]);
      }
    }
  }
  /// Checks the singular value decomposition of `exact` times `scale`. The
  /// factors have all columns and rows, or only those with values.
  void check_singular(const Reference &exact, Order order = Order::Columns,
                      bool thin = true, double scale = 1) {
    int64_t m = exact.rows, n = exact.columns, count = std::min(m, n);
    SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(n));
    Memory<T> given(exact, order), left(Reference(m, thin ? count : m), order),
        right(Reference(thin ? count : n, n), order);
    Reference a = given.read();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        given.at(i, j) *= static_cast<R>(scale);
    std::vector<double> values(count), only_values(count);
    ASSERT_TRUE(DenseCalls<T>::find_singular_values(read_only(given.view),
                                                    left.view, values.data(),
                                                    right.view, features_));
    ASSERT_TRUE(DenseCalls<T>::find_singular_values(
        read_only(given.view), {}, only_values.data(), {}, features_));
    EXPECT_TRUE(left.keeps_rest() && right.keeps_rest());
    Reference u = left.read(), vh = right.read();
    Reference scaled = generate(m, vh.rows, [&](int64_t i, int64_t j) {
      return j < count ? u(i, j) * (values[j] / scale) : 0;
    });
    double norm = count > 0 ? values[0] / scale : 0;
    double bound = kRatio * epsilon * double(std::max<int64_t>({m, n, 1}));
    EXPECT_LE(largest(scaled * vh, a), bound * norm);
    EXPECT_LE(largest(adjoint(u) * u, Reference::identity(u.columns)), bound);
    EXPECT_LE(largest(vh * adjoint(vh), Reference::identity(vh.rows)), bound);
    for (int64_t i = 0; i < count; ++i) {
      EXPECT_LE(std::abs(values[i] - only_values[i]) / scale, bound * norm);
      EXPECT_GE(values[i], 0);
      EXPECT_GE(only_values[i], 0);
      if (i > 0) {
        EXPECT_GE(values[i - 1], values[i]);
        EXPECT_GE(only_values[i - 1], only_values[i]);
      }
    }
  }
  static double largest(const Reference &a, const Reference &b) {
    double most = 0;
    for (size_t i = 0; i < a.elements.size(); ++i) {
      double difference = std::abs(a.elements[i] - b.elements[i]);
      // NaN is larger than everything.
      most = difference <= most ? most : difference;
    }
    return most;
  }

  uint64_t features_ = 0;
  std::mt19937 generator_{11};
};
using Elements =
    testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SpectraTest, Elements);

TYPED_TEST(SpectraTest, Sizes) {
  this->for_each_feature([&] {
    for (int64_t n : {0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 34, 64, 65, 100, 130})
      this->check(this->draw_hermitian(n));
  });
}

TYPED_TEST(SpectraTest, StridesAndTriangles) {
  this->for_each_feature([&] {
    for (Order order : {Order::Rows, Order::Columns, Order::Neither})
      for (bool lower : {false, true})
        this->check(this->draw_hermitian(45), order, lower);
  });
}

TYPED_TEST(SpectraTest, RepeatedAndCloseValues) {
  int64_t n = 70;
  std::vector<std::function<double(int64_t)>> spectra = {
      [](int64_t) { return 0.0; },
      [](int64_t) { return -1.0; },
      [](int64_t i) { return i % 3 - 1.0; },
      [](int64_t i) { return i == 0 ? 1.0 : 0.0; },
      [](int64_t i) { return 1 + 1e-9 * double(i); },
      [](int64_t i) { return std::pow(10, -double(i) / 4); },
      [](int64_t i) { return (i % 2 ? 1 : -1) * std::pow(2, -double(i)); }};
  this->for_each_feature([&] {
    for (const auto &spectrum : spectra) {
      std::vector<double> values(n);
      for (int64_t i = 0; i < n; ++i)
        values[i] = spectrum(i);
      this->check(this->with_spectrum(values));
    }
  });
}

TYPED_TEST(SpectraTest, SpecialMatrices) {
  int64_t n = 67;
  auto make = [&](auto element) {
    return generate(n, n, [&](int64_t i, int64_t j) {
      return Complex(element(std::max(i, j), std::min(i, j)));
    });
  };
  this->for_each_feature([&] {
    this->check(Reference(n, n));
    this->check(Reference::identity(n));
    this->check(make([](int64_t, int64_t) { return 1.0; }));
    this->check(make([](int64_t i, int64_t j) { return i == j ? -i : 0.0; }));
    // Laplace's and Wilkinson's matrices; the latter's values are pairs.
    this->check(make([](int64_t i, int64_t j) {
      return i == j ? 2.0 : i == j + 1 ? -1.0 : 0.0;
    }));
    this->check(make([&](int64_t i, int64_t j) {
      return i == j ? std::abs(i - n / 2) : i == j + 1 ? 1.0 : 0.0;
    }));
    // Separate blocks, and elements from large to small.
    this->check(make([](int64_t i, int64_t j) {
      return i / 5 == j / 5 ? 1.0 / double(i + j + 1) : 0.0;
    }));
    this->check(make([](int64_t i, int64_t j) {
      return std::pow(10.0, -double(i + j) / 4);
    }));
    this->check(make([&](int64_t i, int64_t j) {
      return std::pow(10.0, double(i + j - 2 * n) / 4);
    }));
  });
}

TYPED_TEST(SpectraTest, HugeAndTinyElements) {
  using R = typename TestFixture::R;
  this->for_each_feature([&] {
    for (int64_t n : {3, 40}) {
      Reference a = this->draw_hermitian(n);
      double most = std::ldexp(1, std::numeric_limits<R>::max_exponent - 8);
      double least = std::ldexp(1, std::numeric_limits<R>::min_exponent + 4);
      this->check(a, Order::Columns, true, most);
      for (Complex &element : a.elements)
        element = std::ldexp(1, -8) * Complex(std::round(element.real() * 256),
                                              std::round(element.imag() * 256));
      this->check(a, Order::Columns, true, least);
    }
  });
}

TYPED_TEST(SpectraTest, NotFinite) {
  using R = typename TestFixture::R;
  this->for_each_feature([&] {
    for (R bad : {std::numeric_limits<R>::quiet_NaN(),
                  std::numeric_limits<R>::infinity()})
      for (auto [i, j] : {std::pair(0, 0), {39, 39}, {39, 0}, {20, 19}}) {
        Memory<TypeParam> a(this->draw_hermitian(40), Order::Rows);
        a.at(i, j) = bad;
        std::vector<double> values(40);
        EXPECT_FALSE(DenseCalls<TypeParam>::find_spectrum(
            read_only(a.view), true, values.data(), {}, this->features_));
      }
  });
}

TYPED_TEST(SpectraTest, SingularSizes) {
  this->for_each_feature([&] {
    for (auto [m, n] : {std::pair(1, 1),
                        {2, 1},
                        {1, 3},
                        {5, 5},
                        {17, 16},
                        {16, 17},
                        {33, 33},
                        {40, 34},
                        {34, 90},
                        {90, 34},
                        {0, 3},
                        {3, 0},
                        {100, 100}})
      for (bool thin : {true, false})
        this->check_singular(this->draw(m, n), Order::Columns, thin);
    for (Order order : {Order::Rows, Order::Neither}) {
      this->check_singular(this->draw(40, 50), order);
      this->check_singular(this->draw(70, 37), order, false);
    }
  });
}

TYPED_TEST(SpectraTest, SingularSpectra) {
  int64_t n = 70;
  std::vector<std::function<double(int64_t)>> spectra = {
      [](int64_t) { return 1.0; },
      [](int64_t i) { return i % 3; },
      [](int64_t i) { return i < 2; },
      [](int64_t i) { return 1 + 1e-9 * double(i); },
      [](int64_t i) { return std::pow(10, -double(i) / 4); },
      [](int64_t i) { return std::pow(2, -double(i)); }};
  this->for_each_feature([&] {
    for (const auto &spectrum : spectra) {
      Reference u = this->draw_orthonormal(n), v = this->draw_orthonormal(n);
      this->check_singular(generate(n, n,
                                    [&](int64_t i, int64_t j) {
                                      return u(i, j) * spectrum(j);
                                    }) *
                           adjoint(v));
    }
  });
}

TYPED_TEST(SpectraTest, SpecialSingularMatrices) {
  int64_t n = 67;
  std::vector<std::function<double(int64_t, int64_t)>> elements = {
      [](int64_t, int64_t) { return 0.0; },
      [](int64_t, int64_t) { return 1.0; },
      [](int64_t i, int64_t j) { return i == j; },
      [](int64_t i, int64_t j) { return i == j ? -i : 0; },
      [](int64_t i, int64_t j) { return i == j + 1; },
      [](int64_t i, int64_t j) { return i == j       ? 2
                                        : i + 1 == j ? -1
                                                     : 0; },
      // Rows of zeros, separate blocks, and elements of very different sizes.
      [](int64_t i, int64_t j) { return i % 2 ? 0 : double(i * j % 7); },
      [](int64_t i, int64_t j) {
        return i / 5 == j / 5 ? 1.0 / (i + j + 1) : 0;
      },
      [](int64_t i, int64_t j) { return std::pow(10, -double(i + j) / 4); },
      [&](int64_t i, int64_t j) {
        return std::pow(10, double(i + j - 2 * n) / 4);
      },
      [](int64_t i, int64_t j) { return j > i ? -1 : j == i; }};
  this->for_each_feature([&] {
    for (const auto &element : elements)
      this->check_singular(generate(n, n, element));
  });
}

TYPED_TEST(SpectraTest, SingularHugeAndTinyElements) {
  using R = typename TestFixture::R;
  this->for_each_feature([&] {
    Reference a = this->draw(45, 40);
    this->check_singular(
        a, Order::Columns, true,
        std::ldexp(1, std::numeric_limits<R>::max_exponent - 8));
    for (Complex &element : a.elements)
      element = std::ldexp(1, -8) * Complex(std::round(element.real() * 256),
                                            std::round(element.imag() * 256));
    this->check_singular(
        a, Order::Columns, true,
        std::ldexp(1, std::numeric_limits<R>::min_exponent + 4));
    a(20, 10) = NAN;
    Memory<TypeParam> bad(a, Order::Rows);
    std::vector<double> values(40);
    EXPECT_FALSE(DenseCalls<TypeParam>::find_singular_values(
        read_only(bad.view), {}, values.data(), {}, this->features_));
  });
}

// Products have more than one packed block.
TYPED_TEST(SpectraTest, ManyRows) {
  this->for_each_feature([&] {
    this->check(this->draw_hermitian(160));
    this->check_singular(this->draw(150, 140));
  });
}

} // namespace
