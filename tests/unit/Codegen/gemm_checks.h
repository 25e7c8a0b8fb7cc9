// Compares a planned GEMM with a plain loop over its strides, as native code.
#ifndef XLAC_TESTS_UNIT_CODEGEN_GEMM_CHECKS_H
#define XLAC_TESTS_UNIT_CODEGEN_GEMM_CHECKS_H

#include "compiled_gemm.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

namespace gemm_checks {

using namespace llvm;
using namespace xlac;
using namespace xlac::codegen;

/// The offsets in A, B and C of every index of some dimensions.
struct Offsets {
  std::vector<int64_t> a = {0}, b = {0}, c = {0};

  explicit Offsets(ArrayRef<GemmDim> dims) {
    for (const GemmDim &dim : dims) {
      extend(a, dim.size, dim.a);
      extend(b, dim.size, dim.b);
      extend(c, dim.size, dim.c);
    }
  }

private:
  /// Adds an inner dimension.
  static void extend(std::vector<int64_t> &offsets, int64_t size,
                     int64_t stride) {
    std::vector<int64_t> outer = std::move(offsets);
    offsets.clear();
    for (int64_t offset : outer)
      for (int64_t i = 0; i < size; ++i)
        offsets.push_back(offset + i * stride);
  }
};

inline int64_t extent(ArrayRef<ArrayRef<GemmDim>> lists,
                      int64_t GemmDim::*stride) {
  int64_t last = 0;
  for (ArrayRef<GemmDim> dims : lists)
    for (const GemmDim &dim : dims)
      last += (dim.size - 1) * (dim.*stride);
  return last + 1;
}

/// A bf16 as its bits.
struct Brain {
  uint16_t bits = 0;
  Brain(float value = 0) {
    uint32_t word;
    memcpy(&word, &value, 4);
    bits = word >> 16;
  }
  operator float() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
  }
};

/// Returns a small number, or any value of a narrow integer type, whose sums
/// are exact. Every other one of these is an extreme value.
template <class T> T randomValue(std::mt19937 &random) {
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) {
    using Limits = std::numeric_limits<T>;
    return random() % 2   ? T(random())
           : random() % 2 ? Limits::max()
                          : Limits::min();
  } else {
    return T(int(random() % 17) - 8);
  }
}

/// Random operands of types `T` and `U` and their product with accumulators of
/// type `Sum`. Sums of integers wrap.
template <class T, class U, class Sum> struct Example {
  std::vector<T> a;
  std::vector<U> b;
  std::vector<Sum> untouched, expected;

  explicit Example(const Gemm &gemm) {
    std::array<ArrayRef<GemmDim>, 4> lists = {gemm.batch, gemm.m, gemm.n,
                                              gemm.k};
    std::mt19937 random(7);
    a.resize(extent(lists, &GemmDim::a));
    b.resize(extent(lists, &GemmDim::b));
    std::generate(a.begin(), a.end(), [&] { return randomValue<T>(random); });
    std::generate(b.begin(), b.end(), [&] { return randomValue<U>(random); });
    untouched.assign(extent(lists, &GemmDim::c), Sum(-777));
    expected = untouched;
    multiply(gemm);
  }

private:
  void multiply(const Gemm &gemm) {
    using Wide = std::conditional_t<std::is_integral_v<Sum>, int64_t, Sum>;
    Offsets batch(gemm.batch), m(gemm.m), n(gemm.n), k(gemm.k);
    std::vector<Wide> sums(n.b.size());
    for (size_t i = 0; i < batch.a.size(); ++i)
      for (size_t row = 0; row < m.a.size(); ++row) {
        std::fill(sums.begin(), sums.end(), Wide(0));
        for (size_t term = 0; term < k.a.size(); ++term) {
          Wide factor = Wide(a[batch.a[i] + m.a[row] + k.a[term]]);
          const U *from = b.data() + batch.b[i] + k.b[term];
          for (size_t column = 0; column < sums.size(); ++column)
            sums[column] += factor * Wide(from[n.b[column]]);
        }
        for (size_t column = 0; column < sums.size(); ++column)
          expected[batch.c[i] + m.c[row] + n.c[column]] = Sum(sums[column]);
      }
  }
};

/// Checks that the code of a plan computes the product of the example.
template <class T, class U, class Sum>
void checkPlan(const Gemm &original, const Example<T, U, Sum> &example,
               const ContractionPlan &plan, const TargetProfile &profile) {
  const auto &[a, b, untouched, expected] = example;
  std::vector<Sum> c = untouched;
  CompiledProduct code(plan, profile);
  ASSERT_TRUE(code.multiply) << code.error;
  auto aligned = [](int64_t bytes) {
    return aligned_alloc(64, (bytes + 127) / 64 * 64);
  };
  void *shared = aligned(code.sharedBytes()),
       *scratch = aligned(plan.scratchBytes());
  // Filled with NaN, so that reads of uninitialized memory show.
  memset(shared, 0xff, code.sharedBytes());
  memset(scratch, 0xff, plan.scratchBytes());
  for (int64_t task = code.packTasks(); task-- > 0;)
    code.pack(a.data(), b.data(), c.data(), shared, scratch, task, task + 1);
  for (int64_t task = plan.tasks(); task-- > 0;)
    code.multiply(a.data(), b.data(), c.data(), shared, scratch, task,
                  task + 1);
  for (int64_t task = plan.sumTasks(); task-- > 0;)
    code.sum(a.data(), b.data(), c.data(), shared, scratch, task, task + 1);
  EXPECT_EQ(c, expected) << "M " << original.mSize() << " N "
                         << original.nSize() << " K " << original.kSize()
                         << " any size " << plan.anySize << " direct "
                         << plan.directC << " packA " << plan.packA << " packB "
                         << plan.packB << " dots " << plan.dots << " shareB "
                         << plan.shareB << " pairs " << int(plan.pairsA) << ' '
                         << int(plan.pairsB) << " cells " << int(plan.cells)
                         << " parts " << plan.parts;
  free(shared);
  free(scratch);
}

template <class T> NumberFormat formatOf() {
  if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 1   ? NumberFormat::I8
           : sizeof(T) == 2 ? NumberFormat::I16
                            : NumberFormat::Plain;
  return std::is_same_v<T, Brain> ? NumberFormat::BF16 : NumberFormat::Plain;
}

/// Checks the plan for these sizes and those for any size.
template <class T, class Sum = T, class U = T>
void check(Gemm gemm, const TargetProfile &profile) {
  gemm.isDouble = sizeof(Sum) == 8;
  gemm.isInteger = std::is_integral_v<Sum>;
  gemm.a = formatOf<T>();
  gemm.b = formatOf<U>();
  gemm.unsignedA = std::is_unsigned_v<T>;
  gemm.unsignedB = std::is_unsigned_v<U>;
  gemm.mayUsePairs = true;
  Example<T, U, Sum> example(gemm);
  checkPlan(gemm, example, planContraction(gemm, profile), profile);
  ContractionPlan any = planContraction(gemm, profile, /*anySize=*/true);
  if (any.anySize)
    checkPlan(gemm, example, any, profile);
  if (any.forFewRows)
    checkPlan(gemm, example, *any.forFewRows, profile);
}

inline Gemm matrices(int64_t m, int64_t n, int64_t k, bool aT, bool bT,
                     bool plain) {
  Gemm gemm;
  gemm.m = {{m, aT ? 1 : k, 0, n}};
  gemm.n = {{n, 0, bT ? k : 1, 1}};
  gemm.k = {{k, aT ? m : 1, bT ? 1 : n, 0}};
  gemm.plainResult = plain;
  return gemm;
}

inline const TargetProfile kAvx2{"avx2", kFeatureAvx2, 256};

/// Returns the vector profiles that this machine supports.
inline std::vector<TargetProfile> vectorProfiles() {
  std::vector<TargetProfile> profiles = {kAvx2};
  if (TargetProfile wide = *find_profile("avx512");
      host_supports(wide.features))
    profiles.push_back(wide);
  else
    std::puts("not all profiles run on this machine");
  return profiles;
}

/// An image [b][ci][h][w] with weights [co][ci][kh][kw], as strides.
inline Gemm convolution(int64_t b, int64_t ci, int64_t co, int64_t h, int64_t w,
                        int64_t kh, int64_t kw, int64_t stride) {
  int64_t oh = (h - kh) / stride + 1, ow = (w - kw) / stride + 1;
  Gemm gemm;
  gemm.batch = {{b, 0, ci * h * w, co * oh * ow}};
  gemm.m = {{co, ci * kh * kw, 0, oh * ow}};
  gemm.n = {{oh, 0, w * stride, ow}, {ow, 0, stride, 1}};
  gemm.k = {{ci, kh * kw, h * w, 0}, {kh, kw, w, 0}, {kw, 1, 1, 0}};
  gemm.plainResult = true;
  return gemm;
}

inline Gemm nhwcConvolution(int64_t h, int64_t ci, int64_t co, int64_t k) {
  int64_t oh = h - k + 1;
  Gemm gemm;
  gemm.m = {{2, h * h * ci, 0, oh * oh * co},
            {oh, h * ci, 0, oh * co},
            {oh, ci, 0, co}};
  gemm.n = {{co, 0, 1, 1}};
  gemm.k = {{k, h * ci, k * ci * co, 0}, {k, ci, ci * co, 0}, {ci, 1, co, 0}};
  return gemm;
}

/// The gradient [co][ci][k][k] of a convolution's weights, from images
/// [batch][ci][h][h] and the gradient [batch][co][h - k + 1][h - k + 1] of its
/// result.
inline Gemm weightGradient(int64_t batch, int64_t co, int64_t ci, int64_t h,
                           int64_t k) {
  int64_t oh = h - k + 1;
  Gemm gemm;
  gemm.m = {{co, oh * oh, 0, ci * k * k}};
  gemm.n = {{ci, 0, h * h, k * k}, {k, 0, h, k}, {k, 0, 1, 1}};
  gemm.k = {
      {batch, co * oh * oh, ci * h * h, 0}, {oh, oh, h, 0}, {oh, 1, 1, 0}};
  return gemm;
}

} // namespace gemm_checks

#endif
