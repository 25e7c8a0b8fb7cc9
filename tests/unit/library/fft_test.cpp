// Compares transforms of many lengths with the sum of the definition, in long
// double.
#include "fft_plan.h"
#include "scratch_block.h"

#include "xlac/abi/abi.h"
#include "xlac/abi/fft.h"
#include "xlac/library/routines.h"
#include "xlac/support/element_type.h"
#include "xlac/support/target_profile.h"

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

Status run(int64_t kind, ElementType element, const Case &shape, const void *in,
           void *out, void *in_imag = nullptr, void *out_imag = nullptr,
           int64_t planar = 0) {
  int64_t parameters[XLAC_FFT_PARAMETERS] = {
      0,
      0,
      0,
      kind,
      static_cast<int64_t>(element),
      shape.batch,
      static_cast<int64_t>(shape.lengths.size()),
      planar};
  std::copy(shape.lengths.begin(), shape.lengths.end(),
            parameters + XLAC_FFT_AT_LENGTH);
  bool is_double =
      element == ElementType::F64 || element == ElementType::Complex128;
  xlac_fft_pass passes[XLAC_FFT_MOST_PASSES] = {};
  int count = 1;
  if (shape.size() > 0)
    count = xlac_fft_passes(kind, is_double ? 8 : 4, shape.batch,
                            shape.lengths.size(), shape.lengths.data(), passes);
  EXPECT_LE(count, XLAC_FFT_MOST_PASSES);
  std::vector<char> workspace(
      xlac_fft_workspace(passes, count, is_double ? 8 : 4));
  void *buffers[] = {const_cast<void *>(in), out, workspace.data(), in_imag,
                     out_imag};
  for (int pass = 0; pass < count; ++pass) {
    parameters[XLAC_FFT_AT_PASS] = pass;
    // Runs tasks in reverse, since their order must not matter.
    for (int64_t task = passes[pass].tasks; task-- > 0;) {
      parameters[XLAC_FFT_AT_FIRST] = task;
      parameters[XLAC_FFT_AT_LAST] = task + 1;
      if (Status status = run_routine(XLAC_LIBRARY_FFT, buffers, parameters);
          !status)
        return status;
    }
    if (passes[pass].tasks == 0)
      if (Status status = run_routine(XLAC_LIBRARY_FFT, buffers, parameters);
          !status)
        return status;
  }
  return {};
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
  ASSERT_TRUE(run(XLAC_FFT, Names<T>::complex, shape, in.data(), out.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(distance(out[i], wanted[i]), bound) << i;
  ASSERT_TRUE(
      run(XLAC_IFFT, Names<T>::complex, shape, out.data(), back.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(distance(back[i], exact[i]), bound) << i;

  std::vector<T> real(size), real_back(size);
  for (T &x : real)
    x = value(random);
  wanted = plain({real.begin(), real.end()}, shape.batch, shape.lengths, false);
  std::vector<std::complex<T>> spectrum(shape.rows() * half);
  ASSERT_TRUE(
      run(XLAC_RFFT, Names<T>::real, shape, real.data(), spectrum.data()));
  for (int64_t row = 0; row < shape.rows(); ++row)
    for (int64_t k = 0; k < half; ++k)
      ASSERT_LE(distance(spectrum[row * half + k], wanted[row * last + k]),
                bound);
  ASSERT_TRUE(run(XLAC_IRFFT, Names<T>::complex, shape, spectrum.data(),
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

/// Whole blocks of lanes, and a remainder.
TEST(Fft, ManyRows) {
  check<float>({35, {48}});
  check<double>({19, {30}});
  check<float>({17, {101}});
  check<float>({2, {20, 40}});
  check<double>({1, {12, 9, 21}});
}

/// A few long rows are split into two passes.
TEST(Fft, SplitRows) {
  check<float>({1, {1024}});
  check<double>({3, {600}});
  check<float>({2, {1155}});
  check<float>({1, {8 * 101}});
  check<double>({1, {3, 512}});
}

/// Real signals that are too long for the sum of the definition: beside the
/// transform of complex numbers, and back.
template <class T> void check_real(const Case &shape) {
  SCOPED_TRACE(testing::Message() << "last " << shape.last());
  std::mt19937 random(5);
  std::uniform_real_distribution<T> value(-1, 1);
  int64_t size = shape.size(), last = shape.last(), half = last / 2 + 1;
  std::vector<T> real(size), back(size);
  std::vector<std::complex<T>> complex(size), wanted(size),
      spectrum(shape.rows() * half);
  for (int64_t i = 0; i < size; ++i)
    complex[i] = real[i] = value(random);
  T bound = std::numeric_limits<T>::epsilon() *
            std::sqrt(static_cast<T>(shape.last())) * 20;
  ASSERT_TRUE(
      run(XLAC_FFT, Names<T>::complex, shape, complex.data(), wanted.data()));
  ASSERT_TRUE(
      run(XLAC_RFFT, Names<T>::real, shape, real.data(), spectrum.data()));
  for (int64_t row = 0; row < shape.rows(); ++row)
    for (int64_t k = 0; k < half; ++k)
      ASSERT_LE(std::abs(spectrum[row * half + k] - wanted[row * last + k]),
                bound)
          << k;
  ASSERT_TRUE(
      run(XLAC_IRFFT, Names<T>::complex, shape, spectrum.data(), back.data()));
  for (int64_t i = 0; i < size; ++i)
    ASSERT_LE(std::abs(back[i] - real[i]), bound) << i;
}

/// Among them lengths whose half is odd, prime, or not split, and several
/// tasks of pairs.
TEST(Fft, LongRealSignals) {
  check_real<float>({1, {1 << 15}});
  check_real<double>({3, {2 * 3 * 5 * 7 * 11 * 13}});
  check_real<float>({2, {20000}});
  check_real<double>({1, {2 * 4099}});
  check_real<float>({20, {1 << 14}});
  check_real<float>({20, {12346}});
}

/// The first and the last element of a real signal's spectrum are real: their
/// imaginary parts do not count.
TEST(Fft, EndsOfSpectraAreReal) {
  for (int64_t n : {2, 5, 6, 48, 1024}) {
    Case shape{2, {n}};
    int64_t half = n / 2 + 1;
    std::mt19937 random(5);
    std::vector<float> in(2 * 2 * half), out(2 * n), again(2 * n);
    for (float &x : in)
      x = std::uniform_real_distribution<float>(-1, 1)(random);
    ASSERT_TRUE(
        run(XLAC_IRFFT, ElementType::Complex64, shape, in.data(), out.data()));
    for (int64_t row = 0; row < 2; ++row) {
      in[2 * row * half + 1] += 3;
      if (n % 2 == 0)
        in[2 * (row * half + n / 2) + 1] = std::nanf("");
    }
    ASSERT_TRUE(run(XLAC_IRFFT, ElementType::Complex64, shape, in.data(),
                    again.data()));
    EXPECT_EQ(out, again) << n;
  }
}

/// Code for all CPU features gives the same bits, for butterflies and
/// convolutions.
TEST(Fft, SameBitsForAllFeatures) {
  if (!host_supports(kFeatureAvx2))
    GTEST_SKIP() << "only the baseline runs here";
  for (int64_t n : {2 * 3 * 4 * 5 * 7, 88, 13 * 8, 17})
    for (int pairs = XLAC_FFT_NO_PAIRS; pairs <= XLAC_FFT_ONLY_SEPARATE;
         ++pairs) {
      auto plan = FftPlan<float>::get(n);
      auto roots = FftTwiddles<float>::get(2 * n, 2);
      xlac_fft_pass pass = xlac_fft_axis(n, 16, 1, 0, 1);
      pass.pairs = pairs;
      pass.from.lane_step = pass.to.lane_step = n + 1;
      std::vector<float> in(2 * 16 * (n + 1)), plain(in.size()),
          wide(in.size());
      std::mt19937 random(7);
      for (float &x : in)
        x = std::uniform_real_distribution<float>(-1, 1)(random);
      ScratchBlock scratch(fft_scratch(plan->tables()));
      FftWork<float> work{.pass = &pass,
                          .tables = &plan->tables(),
                          .pair_roots = roots->data() + n,
                          .from = in.data(),
                          .to = plain.data(),
                          .scratch = scratch.data(),
                          .last = xlac_fft_tasks(&pass, 4)};
      baseline::run_fft_pass(work);
      work.to = wide.data();
      avx2::run_fft_pass(work);
      EXPECT_EQ(plain, wide) << n << " " << pairs;
      if (!host_supports(kFeatureAvx512))
        continue;
      avx512::run_fft_pass(work);
      EXPECT_EQ(plain, wide) << n << " " << pairs;
    }
}

/// Real and imaginary parts in separate arrays give the same bits as
/// interleaved ones.
TEST(Fft, PartsApart) {
  for (int64_t kind : {XLAC_FFT, XLAC_IFFT, XLAC_RFFT, XLAC_IRFFT})
    for (const Case &shape :
         {Case{1, {32, 32}}, Case{35, {48}}, Case{1, {1024}}, Case{3, {5, 7}},
          Case{2, {16, 101}}, Case{2, {9000}}}) {
      int64_t half = shape.rows() * (shape.last() / 2 + 1);
      int64_t from = kind == XLAC_IRFFT ? half : shape.size();
      int64_t to = kind == XLAC_RFFT ? half : shape.size();
      bool apart_from = kind != XLAC_RFFT, apart_to = kind != XLAC_IRFFT;
      std::mt19937 random(3);
      std::vector<float> in(2 * from), out(2 * to), re(from), im(from);
      for (float &x : in)
        x = std::uniform_real_distribution<float>(-1, 1)(random);
      for (int64_t i = 0; i < from; ++i) {
        re[i] = in[2 * i];
        im[i] = in[2 * i + 1];
      }
      ElementType element =
          kind == XLAC_RFFT ? ElementType::F32 : ElementType::Complex64;
      ASSERT_TRUE(run(kind, element, shape, in.data(), out.data()));
      std::vector<float> to_re(to), to_im(to);
      ASSERT_TRUE(run(kind, element, shape, apart_from ? re.data() : in.data(),
                      to_re.data(), im.data(), to_im.data(),
                      apart_from | apart_to << 1));
      for (int64_t i = 0; i < to; ++i) {
        ASSERT_EQ(to_re[i], out[apart_to ? 2 * i : i]) << kind << " " << i;
        if (apart_to)
          ASSERT_EQ(to_im[i], out[2 * i + 1]) << kind << " " << i;
      }
    }
}

TEST(Fft, NothingToDo) {
  char byte = 0;
  EXPECT_TRUE(run(XLAC_FFT, ElementType::Complex64, {0, {8}}, &byte, &byte));
  EXPECT_TRUE(run(XLAC_FFT, ElementType::Complex64, {3, {0}}, &byte, &byte));
}

TEST(Fft, Refusals) {
  char byte = 0;
  Status status = run(XLAC_FFT, ElementType::BF16, {1, {1}}, &byte, &byte);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().failure_kind, FailureKind::Unsupported);
  EXPECT_NE(status.error().message.find("bf16"), std::string::npos);
  int64_t rank[XLAC_FFT_PARAMETERS] = {
      0, 0, 0, 0, static_cast<int64_t>(ElementType::Complex64), 1, 4};
  void *buffers[] = {&byte, &byte};
  EXPECT_FALSE(run_routine(XLAC_LIBRARY_FFT, buffers, rank));
  EXPECT_FALSE(run_routine(99, buffers, rank));
}
