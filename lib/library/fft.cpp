#include "xlac/library/routines.h"

#include "fft_plan.h"
#include "routine_list.h"

#include <algorithm>
#include <string>

namespace xlac::library {

namespace {

template <class T> using Complex = std::complex<T>;

struct Shape {
  int64_t batch = 0;
  std::vector<int64_t> lengths;
  int64_t last() const { return lengths.back(); }
  /// Elements of one transform with a last dim of `last`.
  int64_t size(int64_t last) const {
    int64_t size = last;
    for (size_t i = 0; i + 1 < lengths.size(); ++i)
      size *= lengths[i];
    return size;
  }
};

/// Transforms along every dim but the last of one block, whose last dim is
/// `last`; each line is gathered, transformed and put back.
template <class T>
void transform_outer(const Shape &shape, int64_t last, Complex<T> *block,
                     bool inverse) {
  int64_t total = shape.size(last), stride = last;
  for (size_t axis = shape.lengths.size() - 1; axis-- > 0;) {
    int64_t length = shape.lengths[axis];
    auto plan = FftPlan<T>::get(length);
    std::vector<Complex<T>> line(length), work(plan->work_size());
    for (int64_t outer = 0; outer < total; outer += stride * length) {
      for (int64_t inner = 0; inner < stride; ++inner) {
        Complex<T> *start = block + outer + inner;
        for (int64_t k = 0; k < length; ++k)
          line[k] = start[k * stride];
        plan->transform(line.data(), work.data(), inverse);
        for (int64_t k = 0; k < length; ++k)
          start[k * stride] = line[k];
      }
    }
    stride *= length;
  }
}

template <class T>
void transform_last(const Shape &shape, Complex<T> *block, bool inverse) {
  auto plan = FftPlan<T>::get(shape.last());
  std::vector<Complex<T>> work(plan->work_size());
  for (int64_t row = 0; row < shape.size(1); ++row)
    plan->transform(block + row * shape.last(), work.data(), inverse);
}

template <class T>
void complex_fft(const Shape &shape, const Complex<T> *in, Complex<T> *out,
                 bool inverse) {
  int64_t size = shape.size(shape.last());
  T scale = inverse ? T(1) / static_cast<T>(size) : T(1);
  for (int64_t i = 0; i < shape.batch; ++i, in += size, out += size) {
    if (in != out)
      std::copy(in, in + size, out);
    transform_last(shape, out, inverse);
    transform_outer(shape, shape.last(), out, inverse);
    if (inverse)
      for (int64_t k = 0; k < size; ++k)
        out[k] *= scale;
  }
}

template <class T>
void real_fft(const Shape &shape, const T *in, Complex<T> *out) {
  int64_t length = shape.last(), half = length / 2 + 1;
  auto plan = FftPlan<T>::get(length);
  std::vector<Complex<T>> line(length), work(plan->work_size());
  for (int64_t i = 0; i < shape.batch; ++i) {
    for (int64_t row = 0; row < shape.size(1); ++row) {
      std::copy(in + row * length, in + (row + 1) * length, line.begin());
      plan->transform(line.data(), work.data(), false);
      std::copy(line.begin(), line.begin() + half, out + row * half);
    }
    transform_outer(shape, half, out, false);
    in += shape.size(length);
    out += shape.size(half);
  }
}

template <class T>
void inverse_real_fft(const Shape &shape, const Complex<T> *in, T *out) {
  int64_t length = shape.last(), half = length / 2 + 1;
  auto plan = FftPlan<T>::get(length);
  std::vector<Complex<T>> block(shape.size(half)), line(length),
      work(plan->work_size());
  T scale = T(1) / static_cast<T>(shape.size(length));
  for (int64_t i = 0; i < shape.batch; ++i) {
    std::copy(in, in + shape.size(half), block.begin());
    transform_outer(shape, half, block.data(), true);
    for (int64_t row = 0; row < shape.size(1); ++row) {
      const Complex<T> *from = block.data() + row * half;
      // The other half is the mirror; the ends of a real signal are real.
      line[0] = from[0].real();
      for (int64_t k = 1; k < half; ++k) {
        line[k] = from[k];
        line[length - k] = std::conj(from[k]);
      }
      if (length % 2 == 0)
        line[length / 2] = from[length / 2].real();
      plan->transform(line.data(), work.data(), true);
      for (int64_t k = 0; k < length; ++k)
        out[row * length + k] = line[k].real() * scale;
    }
    in += shape.size(half);
    out += shape.size(length);
  }
}

template <class T>
Status run(FftKind kind, const Shape &shape, void *const *buffers) {
  switch (kind) {
  case FftKind::Fft:
  case FftKind::Ifft:
    complex_fft(shape, static_cast<const Complex<T> *>(buffers[0]),
                static_cast<Complex<T> *>(buffers[1]), kind == FftKind::Ifft);
    return {};
  case FftKind::Rfft:
    real_fft(shape, static_cast<const T *>(buffers[0]),
             static_cast<Complex<T> *>(buffers[1]));
    return {};
  case FftKind::Irfft:
    inverse_real_fft(shape, static_cast<const Complex<T> *>(buffers[0]),
                     static_cast<T *>(buffers[1]));
    return {};
  }
  return failure(Fault::Internal, "fft: unknown kind");
}

} // namespace

Status run_fft(void *const *buffers, const int64_t *parameters) {
  auto kind = static_cast<FftKind>(parameters[kFftKind]);
  auto element = static_cast<ElementType>(parameters[kFftElement]);
  int64_t rank = parameters[kFftRank];
  if (rank < 1 || rank > 3)
    return failure(Fault::Internal,
                   "fft: rank " + std::to_string(rank) + ", wants 1 to 3");
  Shape shape;
  shape.batch = parameters[kFftBatch];
  shape.lengths.assign(parameters + kFftLength0,
                       parameters + kFftLength0 + rank);
  for (int64_t length : shape.lengths)
    if (length <= 0)
      return {};
  bool real = kind == FftKind::Rfft;
  if (element == (real ? ElementType::F32 : ElementType::Complex64))
    return run<float>(kind, shape, buffers);
  if (element == (real ? ElementType::F64 : ElementType::Complex128))
    return run<double>(kind, shape, buffers);
  return unsupported_element("fft", parameters[kFftElement]);
}

} // namespace xlac::library
