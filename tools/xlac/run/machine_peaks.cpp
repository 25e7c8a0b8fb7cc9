#include "machine_peaks.h"

#include "xlac/runtime/work_pool.h"
#include "xlac/support/clock.h"

#include <algorithm>
#include <functional>
#include <immintrin.h>
#include <memory>
#include <new>

namespace xlac::cli {
namespace {

/// Each number is the best of repetitions within this time.
constexpr double kMillisecondsEach = 8;

/// Rates above these, per thread, mean that the compiler removed a loop.
constexpr double kMostGbytes = 1200, kMostGflops = 20000;

/// The number of repetitions of `step` on `count` independent accumulators.
constexpr int kRounds = 2000;

#define XLAC_KEEP(value) asm volatile("" : "+v"(value))
/// Accumulators stay in registers only if loops over them are unrolled, which
/// g++ does not do by itself.
#define XLAC_UNROLL _Pragma("GCC unroll 20")

double multiply_sse() {
  __m128 sums[12];
  XLAC_UNROLL
  for (__m128 &sum : sums)
    sum = _mm_setzero_ps();
  __m128 factor = _mm_set1_ps(0.999f);
  for (int i = 0; i < kRounds; ++i) {
    XLAC_UNROLL
    for (__m128 &sum : sums) {
      sum = _mm_add_ps(_mm_mul_ps(sum, factor), factor);
      asm volatile("" : "+x"(sum));
    }
  }
  return 2.0 * 4 * 12 * kRounds;
}

__attribute__((target("avx2,fma"))) double multiply_avx2() {
  __m256 sums[12];
  XLAC_UNROLL
  for (__m256 &sum : sums)
    sum = _mm256_setzero_ps();
  __m256 factor = _mm256_set1_ps(0.999f);
  for (int i = 0; i < kRounds; ++i) {
    XLAC_UNROLL
    for (__m256 &sum : sums) {
      sum = _mm256_fmadd_ps(sum, factor, factor);
      asm volatile("" : "+x"(sum));
    }
  }
  return 2.0 * 8 * 12 * kRounds;
}

__attribute__((target("avx512f"))) double multiply_avx512() {
  __m512 sums[20];
  XLAC_UNROLL
  for (__m512 &sum : sums)
    sum = _mm512_setzero_ps();
  __m512 factor = _mm512_set1_ps(0.999f);
  for (int i = 0; i < kRounds; ++i) {
    XLAC_UNROLL
    for (__m512 &sum : sums) {
      sum = _mm512_fmadd_ps(sum, factor, factor);
      XLAC_KEEP(sum);
    }
  }
  return 2.0 * 16 * 20 * kRounds;
}

__attribute__((target("avx512f,avx512bf16"))) double multiply_bf16() {
  __m512 sums[20];
  XLAC_UNROLL
  for (__m512 &sum : sums)
    sum = _mm512_setzero_ps();
  __m512bh factor =
      _mm512_cvtne2ps_pbh(_mm512_set1_ps(0.5f), _mm512_set1_ps(0.5f));
  for (int i = 0; i < kRounds; ++i) {
    XLAC_UNROLL
    for (__m512 &sum : sums) {
      sum = _mm512_dpbf16_ps(sum, factor, factor);
      XLAC_KEEP(sum);
    }
  }
  return 2.0 * 32 * 20 * kRounds;
}

struct alignas(64) TileShape {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

__attribute__((target("amx-tile,amx-bf16"))) double multiply_tiles() {
  alignas(64) static const uint16_t values[16 * 32] = {};
  // In static memory: g++ 12 assumes that the intrinsic reads only 8 bytes of
  // it, and would omit the stores of the others on the stack.
  static const TileShape shape;
  _tile_loadconfig(&shape);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_loadd(4, values, 64);
  _tile_loadd(5, values, 64);
  _tile_loadd(6, values, 64);
  _tile_loadd(7, values, 64);
  for (int i = 0; i < kRounds; ++i) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  _tile_release();
  return 2.0 * 16 * 16 * 32 * 4 * kRounds;
}

/// Returns the best rate of all threads together, in 1e9 per second. `work`
/// performs and returns its share of the work.
double best_rate(int threads, const std::function<double(int)> &work) {
  struct Turn {
    const std::function<double(int)> *work;
    std::vector<double> done;
  } turn{&work, std::vector<double>(threads)};
  auto piece = [](void *state, int64_t begin, int64_t) -> int32_t {
    Turn &mine = *static_cast<Turn *>(state);
    mine.done[begin] = (*mine.work)(static_cast<int>(begin));
    return 0;
  };
  double best = 0;
  auto start = Clock::now();
  do {
    auto turn_start = Clock::now();
    runtime::WorkPool::process().run(piece, &turn, threads, 1);
    double ms = milliseconds_since(turn_start);
    double done = 0;
    for (double one : turn.done)
      done += one;
    best = std::max(best, done / std::max(ms, 1e-6) * 1e-6);
  } while (milliseconds_since(start) < kMillisecondsEach);
  return best;
}

double gflops(int threads, double (*multiply)()) {
  double rate = best_rate(threads, [=](int) {
    double done = 0;
    for (int i = 0; i < 10; ++i)
      done += multiply();
    return done;
  });
  return rate > kMostGflops * threads ? 0 : rate;
}

/// Two arrays of which each thread reads and writes a part.
class Arrays {
public:
  static constexpr size_t kBytes = size_t(128) << 20;

  Arrays() {
    for (auto *array : {&from_, &to_})
      array->reset(static_cast<float *>(
          ::operator new(kBytes, std::align_val_t(64), std::nothrow)));
  }
  explicit operator bool() const { return from_ && to_; }

  /// Returns a pointer that the optimizer cannot analyze.
  const float *from(size_t at) const { return opaque(from_.get()) + at; }
  float *to(size_t at) const { return opaque(to_.get()) + at; }

private:
  struct Free {
    void operator()(float *data) const {
      ::operator delete(data, std::align_val_t(64));
    }
  };
  static float *opaque(float *data) {
    asm volatile("" : "+r"(data) : : "memory");
    return data;
  }
  std::unique_ptr<float, Free> from_, to_;
};

void read_part(const float *from, size_t count) {
  __m128 sums[8];
  XLAC_UNROLL
  for (__m128 &sum : sums)
    sum = _mm_setzero_ps();
  for (size_t i = 0; i + 32 <= count; i += 32) {
    XLAC_UNROLL
    for (int j = 0; j < 8; ++j)
      sums[j] = _mm_add_ps(sums[j], _mm_load_ps(from + i + 4 * j));
  }
  XLAC_UNROLL
  for (__m128 &sum : sums)
    asm volatile("" : "+x"(sum));
}

__attribute__((target("avx512f"))) void read_part_avx512(const float *from,
                                                         size_t count) {
  __m512 sums[8];
  XLAC_UNROLL
  for (__m512 &sum : sums)
    sum = _mm512_setzero_ps();
  size_t i = 0;
  for (; i + 128 <= count; i += 128) {
    XLAC_UNROLL
    for (int j = 0; j < 8; ++j)
      sums[j] = _mm512_add_ps(sums[j], _mm512_load_ps(from + i + 16 * j));
  }
  XLAC_UNROLL
  for (__m512 &sum : sums)
    XLAC_KEEP(sum);
}

__attribute__((target("avx2"))) void read_part_avx2(const float *from,
                                                    size_t count) {
  __m256 sums[8];
  XLAC_UNROLL
  for (__m256 &sum : sums)
    sum = _mm256_setzero_ps();
  for (size_t i = 0; i + 64 <= count; i += 64) {
    XLAC_UNROLL
    for (int j = 0; j < 8; ++j)
      sums[j] = _mm256_add_ps(sums[j], _mm256_load_ps(from + i + 8 * j));
  }
  XLAC_UNROLL
  for (__m256 &sum : sums)
    asm volatile("" : "+x"(sum));
}

/// Copies with non-temporal stores, as large results of programs are written.
void copy_past_caches(const float *from, float *to, size_t count) {
  for (size_t i = 0; i + 16 <= count; i += 16) {
    XLAC_UNROLL
    for (int j = 0; j < 16; j += 4)
      _mm_stream_ps(to + i + j, _mm_load_ps(from + i + j));
  }
  _mm_sfence();
}

#undef XLAC_KEEP
#undef XLAC_UNROLL

/// Returns the GB/s of the fastest access to `bytes` of data that the threads
/// share.
double bandwidth_at(const Arrays &arrays, int64_t bytes, int threads,
                    void (*read)(const float *, size_t)) {
  size_t share = bytes / sizeof(float) / threads / 256 * 256;
  int repeats = static_cast<int>(std::max<int64_t>(1, (1 << 20) / bytes));
  double reading = best_rate(threads, [&](int id) {
    for (int i = 0; i < repeats; ++i)
      read(arrays.from(id * share), share);
    return static_cast<double>(share * sizeof(float)) * repeats;
  });
  if (bytes < (32 << 20))
    return reading;
  double copying = best_rate(threads, [&](int id) {
    size_t half = share / 2;
    copy_past_caches(arrays.from(id * half), arrays.to(id * half), half);
    return static_cast<double>(half * sizeof(float)) * 2;
  });
  return std::max(reading, copying);
}

} // namespace

double MachinePeaks::gbytes_for(int64_t bytes) const {
  for (const auto &[size, rate] : bandwidth)
    if (bytes <= size)
      return rate;
  return bandwidth.empty() ? 0 : bandwidth.back().second;
}

double MachinePeaks::bound_ms(double flops, double bytes, bool is_bf16) const {
  double peak = is_bf16 && bf16_gflops > 0 ? bf16_gflops : f32_gflops;
  double rate = gbytes_for(static_cast<int64_t>(bytes));
  return std::max(peak > 0 ? flops / peak * 1e-6 : 0,
                  rate > 0 ? bytes / rate * 1e-6 : 0);
}

MachinePeaks measure_peaks(const TargetProfile &profile) {
  MachinePeaks peaks;
  peaks.threads = runtime::WorkPool::process().size();
  bool has_avx512 = profile.features & kFeatureAvx512;
  bool has_avx2 = profile.features & kFeatureAvx2;
  peaks.f32_gflops = gflops(peaks.threads, has_avx512 ? multiply_avx512
                                           : has_avx2 ? multiply_avx2
                                                      : multiply_sse);
  if (profile.features & kFeatureAmxBf16)
    peaks.bf16_gflops = gflops(peaks.threads, multiply_tiles);
  else if (profile.features & kFeatureAvx512Bf16)
    peaks.bf16_gflops = gflops(peaks.threads, multiply_bf16);

  Arrays arrays;
  if (!arrays)
    return peaks;
  std::fill_n(arrays.to(0), Arrays::kBytes / sizeof(float), 1.0f);
  std::fill_n(const_cast<float *>(arrays.from(0)),
              Arrays::kBytes / sizeof(float), 1.0f);
  auto read = has_avx512 ? read_part_avx512
              : has_avx2 ? read_part_avx2
                         : read_part;
  for (int64_t bytes : {int64_t(32) << 10, int64_t(256) << 10, int64_t(1) << 20,
                        int64_t(4) << 20, int64_t(16) << 20, int64_t(64) << 20,
                        int64_t(128) << 20}) {
    double rate = bandwidth_at(arrays, bytes, peaks.threads, read);
    if (rate < kMostGbytes * peaks.threads)
      peaks.bandwidth.emplace_back(bytes, rate);
  }
  // A disturbed measurement of a size is at least as fast as that of a larger
  // size.
  for (size_t i = peaks.bandwidth.size(); i-- > 1;)
    peaks.bandwidth[i - 1].second =
        std::max(peaks.bandwidth[i - 1].second, peaks.bandwidth[i].second);
  return peaks;
}

} // namespace xlac::cli
