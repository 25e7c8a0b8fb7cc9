// Transforms of many lengths against the plain sum, in long double.
#include "xlac/abi/abi.h"
#include "xlac/library/routines.h"
#include "xlac/support/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <vector>

using namespace xlac;
using namespace xlac::library;

namespace {

using Exact = std::complex<long double>;

/// The transform along one axis of [outer, length, inner], by definition.
void plain_axis(std::vector<Exact> &data, int64_t outer, int64_t length,
                int64_t inner, bool inverse) {
  std::vector<Exact> line(length);
  long double sign = inverse ? 1 : -1;
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      Exact *start = data.data() + o * length * inner + i;
      for (int64_t k = 0; k < length; ++k) {
        line[k] = 0;
        for (int64_t j = 0; j < length; ++j) {
          long double angle = sign * 2 * std::numbers::pi_v<long double> *
                              static_cast<long double>(j * k % length) / length;
          line[k] += start[j * inner] * Exact(std::cos(angle), std::sin(angle));
        }
      }
      for (int64_t k = 0; k < length; ++k)
        start[k * inner] = line[k];
    }
}

std::vector<Exact> plain(std::vector<Exact> data, int64_t batch,
                         const std::vector<int64_t> &lengths, bool inverse) {
  int64_t size = 1;
  for (int64_t length : lengths)
    size *= length;
  int64_t outer = batch, inner = size;
  for (int64_t length : lengths) {
    inner /= length;
    plain_axis(data, outer, length, inner, inverse);
    outer *= length;
  }
  return data;
}

struct Case {
  int64_t batch;
  std::vector<int64_t> lengths;
  int64_t last() const { return lengths.back(); }
  int64_t rows() const {
    int64_t rows = batch;
    for (size_t i = 0; i + 1 < lengths.size(); ++i)
      rows *= lengths[i];
    return rows;
  }
  int64_t size() const { return rows() * last(); }
};

Status run(FftKind kind, ElementType element, const Case &shape, const void *in,
           void *out) {
  int64_t parameters[kFftParameterCount] = {
      static_cast<int64_t>(kind), static_cast<int64_t>(element), shape.batch,
      static_cast<int64_t>(shape.lengths.size())};
  std::copy(shape.lengths.begin(), shape.lengths.end(),
            parameters + kFftLength0);
  void *buffers[] = {const_cast<void *>(in), out};
  return run_routine(XLAC_LIBRARY_FFT, buffers, parameters);
}

template <class T> struct Names;
template <> struct Names<float> {
  static constexpr ElementType real = ElementType::F32;
  static constexpr ElementType complex = ElementType::Complex64;
};
template <> struct Names<double> {
  static constexpr ElementType real = ElementType::F64;
  static constexpr ElementType complex = ElementType::Complex128;
};

template <class T>
long double distance(const std::complex<T> &a, const Exact &b) {
  return std::abs(Exact(a.real(), a.imag()) - b);
}

template <class T> void check(const Case &shape) {
  SCOPED_TRACE(testing::Message()
               << "batch " << shape.batch << " last " << shape.last()
               << " rank " << shape.lengths.size());
  std::mt19937 random(static_cast<unsigned>(shape.size()));
  std::uniform_real_distribution<T> value(-1, 1);
  int64_t size = shape.size(), last = shape.last(), half = last / 2 + 1;
  std::vector<std::complex<T>> in(size), out(size), back(size);
  for (auto &x : in)
    x = {value(random), value(random)};
  std::vector<Exact> exact(in.begin(), in.end());
  std::vector<Exact> wanted = plain(exact, shape.batch, shape.lengths, false);
  long double bound = std::numeric_limits<T>::epsilon() * 6.0L *
                      std::sqrt(static_cast<long double>(size)) *
                      (1 + std::log2(static_cast<long double>(size + 1)));
  ASSERT_TRUE(
      run(FftKind::Fft, Names<T>::complex, shape, in.data(), out.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(distance(out[i], wanted[i]), bound) << i;
  ASSERT_TRUE(
      run(FftKind::Ifft, Names<T>::complex, shape, out.data(), back.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(distance(back[i], exact[i]), bound) << i;

  std::vector<T> real(size), real_back(size);
  for (T &x : real)
    x = value(random);
  wanted = plain({real.begin(), real.end()}, shape.batch, shape.lengths, false);
  std::vector<std::complex<T>> spectrum(shape.rows() * half);
  ASSERT_TRUE(
      run(FftKind::Rfft, Names<T>::real, shape, real.data(), spectrum.data()));
  for (int64_t row = 0; row < shape.rows(); ++row)
    for (int64_t k = 0; k < half; ++k)
      ASSERT_LE(distance(spectrum[row * half + k], wanted[row * last + k]),
                bound);
  ASSERT_TRUE(run(FftKind::Irfft, Names<T>::complex, shape, spectrum.data(),
                  real_back.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(std::abs(real_back[i] - real[i]), bound) << i;
}

} // namespace

TEST(Fft, EveryLengthTo70) {
  for (int64_t n = 1; n <= 70; ++n) {
    check<float>({2, {n}});
    check<double>({1, {n}});
  }
}

TEST(Fft, LongerLengths) {
  for (int64_t n : {97, 128, 210, 221, 256, 343, 509}) {
    check<float>({1, {n}});
    check<double>({1, {n}});
  }
}

TEST(Fft, SeveralDims) {
  check<float>({3, {4, 6}});
  check<double>({2, {17, 5}});
  check<float>({1, {3, 4, 5}});
  check<double>({2, {2, 19, 7}});
  check<double>({2, {1, 1, 1}});
}

TEST(Fft, NothingToDo) {
  char byte = 0;
  EXPECT_TRUE(
      run(FftKind::Fft, ElementType::Complex64, {0, {8}}, &byte, &byte));
  EXPECT_TRUE(
      run(FftKind::Fft, ElementType::Complex64, {3, {0}}, &byte, &byte));
}

TEST(Fft, Refusals) {
  char byte = 0;
  Status status = run(FftKind::Fft, ElementType::BF16, {1, {1}}, &byte, &byte);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().fault, Fault::Unsupported);
  EXPECT_NE(status.error().message.find("bf16"), std::string::npos);
  int64_t rank[kFftParameterCount] = {
      0, static_cast<int64_t>(ElementType::Complex64), 1, 4};
  void *buffers[] = {&byte, &byte};
  EXPECT_FALSE(run_routine(XLAC_LIBRARY_FFT, buffers, rank));
  EXPECT_FALSE(run_routine(99, buffers, rank));
}
