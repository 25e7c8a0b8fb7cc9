// Short-time Fourier transforms and their inverses.
#include "fourier.h"

#include <algorithm>
#include <cmath>

namespace xlac {

using namespace frontend;
using ops::FftType;

namespace {

struct Frames {
  int64_t n_fft, hop, window;
  bool normalized, onesided;
};

Frames frames_of(int64_t n_fft, std::optional<int64_t> hop_length,
                 std::optional<int64_t> win_length, bool normalized,
                 bool onesided) {
  Frames frames{n_fft, hop_length.value_or(n_fft / 4),
                win_length.value_or(n_fft), normalized, onesided};
  if (n_fft <= 0)
    raise<ValueError>("expected n_fft > 0, got " + std::to_string(n_fft));
  if (frames.hop <= 0)
    raise<ValueError>("expected hop_length > 0, got " +
                      std::to_string(frames.hop));
  if (frames.window <= 0 || frames.window > n_fft)
    raise<ValueError>("expected 0 < win_length <= n_fft, got " +
                      std::to_string(frames.window));
  return frames;
}

/// Returns the window, or ones, centered in n_fft elements.
Value window_of(const Frames &frames, const Tensor &window, Device device,
                Dtype dtype) {
  ElementType type = lazy::element_type(dtype);
  Value value = build::constant(type, {frames.window}, 1);
  if (window.defined()) {
    if (impl_of(window).sizes != Shape{frames.window})
      raise<ShapeError>("expected a 1D window tensor of size equal to "
                        "win_length=" +
                        std::to_string(frames.window) +
                        ", but got window with size " +
                        to_text(impl_of(window).sizes));
    value = to_type(value_on(window, device), type);
  }
  int64_t left = (frames.n_fft - frames.window) / 2;
  return build::pad(value, build::constant(type, {}, 0), {left},
                    {frames.n_fft - frames.window - left}, {0});
}

/// Pads [batch, length] by `by` elements at both ends.
Value padded(const Value &value, int64_t by, const std::string &mode) {
  int64_t length = value.tensor().dims[1];
  if (mode == "constant")
    return build::pad(value, build::constant(value.tensor().element, {}, 0),
                      {0, by}, {0, by}, {0, 0});
  if (mode == "reflect") {
    if (by >= length)
      raise<ShapeError>("padding size should be less than the corresponding "
                        "input dimension, but got " +
                        std::to_string(by) + " for an input of " +
                        std::to_string(length));
    return build::concatenate(
        {build::reverse(part_of(value, 1, 1, by + 1), {1}), value,
         build::reverse(part_of(value, 1, length - 1 - by, length - 1), {1})},
        1);
  }
  if (mode == "replicate") {
    Shape sizes{value.tensor().dims[0], by};
    return build::concatenate(
        {build::broadcast_to(part_of(value, 1, 0, 1), sizes), value,
         build::broadcast_to(part_of(value, 1, length - 1, length), sizes)},
        1);
  }
  if (mode == "circular")
    return build::concatenate({part_of(value, 1, length - by, length), value,
                               part_of(value, 1, 0, by)},
                              1);
  raise<ValueError>("pad_mode must be constant, reflect, replicate or "
                    "circular, but got " +
                    mode);
}

/// Returns the flat positions [frames, n_fft] of the elements of each frame.
Value frame_places(int64_t count, const Frames &frames) {
  Shape sizes{count, frames.n_fft};
  Value start = build::binary(
      OpKind::Multiply, build::iota(ElementType::I64, sizes, 0),
      build::constant(ElementType::I64, sizes, Scalar(frames.hop)));
  Value place = build::binary(OpKind::Add, start,
                              build::iota(ElementType::I64, sizes, 1));
  return build::reshape(place, {count * frames.n_fft});
}

/// Adds overlapping frames [batch, count, n_fft] to signals [batch, length].
Value overlap(const Value &value, const Frames &frames, int64_t length) {
  const Shape &sizes = value.tensor().dims;
  Value updates = build::reshape(value, {sizes[0], sizes[1] * frames.n_fft});
  ops::ScatterDimensionNumbers numbers;
  numbers.update_window_dims = {0};
  numbers.inserted_window_dims = {1};
  numbers.scatter_dims_to_operand_dims = {1};
  numbers.index_vector_dim = 1;
  return build::scatter(
      OpKind::Add,
      build::constant(value.tensor().element, {sizes[0], length}, 0),
      frame_places(sizes[1], frames), updates, numbers);
}

Value times(const Value &value, const Value &window) {
  const Shape &sizes = value.tensor().dims;
  return build::binary(OpKind::Multiply, value,
                       build::broadcast_to(window, sizes));
}

} // namespace

Tensor stft(const Tensor &self, int64_t n_fft,
            std::optional<int64_t> hop_length,
            std::optional<int64_t> win_length, const Tensor &window,
            bool center, const std::string &pad_mode, bool normalized,
            std::optional<bool> onesided, std::optional<bool> return_complex) {
  XLAC_CALL("stft");
  const TensorImpl &impl = impl_of(self);
  const Shape sizes = impl.sizes;
  if (sizes.empty() || sizes.size() > 2)
    raise<ShapeError>("expected a 1D or 2D tensor of signals, got " +
                      to_text(sizes));
  bool complex = is_complex(impl.dtype) ||
                 (window.defined() && is_complex(impl_of(window).dtype));
  if (!return_complex.value_or(complex))
    raise<ValueError>("requires the return_complex parameter be given as true "
                      "for real inputs");
  Frames frames = frames_of(n_fft, hop_length, win_length, normalized,
                            onesided.value_or(!complex));
  if (complex && frames.onesided)
    raise<ValueError>("Cannot have onesided output if window or input is "
                      "complex");
  Device device = common_device({&self, &window});
  Dtype dtype = transform_dtype(impl.dtype, complex);
  Value signal = to_type(value_on(self, device), lazy::element_type(dtype));
  bool alone = sizes.size() == 1;
  int64_t batch = alone ? 1 : sizes[0];
  signal = build::reshape(signal, {batch, sizes.back()});
  if (center)
    signal = padded(signal, n_fft / 2, pad_mode);
  int64_t length = signal.tensor().dims[1];
  if (n_fft > length)
    raise<ValueError>("expected 0 < n_fft <= " + std::to_string(length) +
                      ", but got n_fft=" + std::to_string(n_fft));
  int64_t count = (length - n_fft) / frames.hop + 1;
  Value pieces =
      build::reshape(build::take(signal, frame_places(count, frames), 1),
                     {batch, count, n_fft});
  pieces = times(pieces, window_of(frames, window, device, dtype));
  Dtype result_dtype = transform_dtype(dtype, true);
  if (!frames.onesided)
    pieces = to_type(pieces, lazy::element_type(result_dtype));
  Value spectra = transform(
      pieces, frames.onesided ? FftType::RFFT : FftType::FFT, 2, n_fft);
  if (normalized)
    spectra = scaled_by(spectra, 1 / std::sqrt(static_cast<double>(n_fft)));
  Value result = build::transpose(spectra, {0, 2, 1});
  if (alone)
    result = build::reshape(result, {result.tensor().dims[1], count});
  return finish(result, device, result_dtype);
}

Tensor istft(const Tensor &self, int64_t n_fft,
             std::optional<int64_t> hop_length,
             std::optional<int64_t> win_length, const Tensor &window,
             bool center, bool normalized, std::optional<bool> onesided,
             std::optional<int64_t> length, bool return_complex) {
  XLAC_CALL("istft");
  const TensorImpl &impl = impl_of(self);
  Shape sizes = impl.sizes;
  if (!is_complex(impl.dtype))
    raise<DtypeError>("requires a complex-valued input tensor matching the "
                      "output from stft with return_complex=True");
  if (sizes.size() < 2 || sizes.size() > 3)
    raise<ShapeError>("expected a tensor with 2 or 3 dimensions, but got " +
                      std::to_string(sizes.size()));
  bool alone = sizes.size() == 2;
  if (alone)
    sizes.insert(sizes.begin(), 1);
  Frames frames =
      frames_of(n_fft, hop_length, win_length, normalized,
                onesided.value_or(sizes[1] != n_fft && !return_complex));
  if (sizes[1] != (frames.onesided ? n_fft / 2 + 1 : n_fft))
    raise<ShapeError>("expected the frequency dimension (3rd to the last) to "
                      "match n_fft, but got " +
                      std::to_string(sizes[1]));
  if (return_complex && frames.onesided)
    raise<ValueError>("cannot have onesided output if window or input is "
                      "complex");
  Device device = common_device({&self, &window});
  Dtype dtype = return_complex ? impl.dtype : real_dtype(impl.dtype);
  Value spectra = build::transpose(
      build::reshape(value_on(self, device), sizes), {0, 2, 1});
  if (normalized)
    spectra = scaled_by(spectra, std::sqrt(static_cast<double>(n_fft)));
  // The first half of the spectrum determines a real signal.
  if (!return_complex)
    spectra = part_of(spectra, 2, 0, n_fft / 2 + 1);
  Value pieces = transform(
      spectra, return_complex ? FftType::IFFT : FftType::IRFFT, 2, n_fft);
  Value weights = window_of(frames, window, device, dtype);
  int64_t count = sizes[2], whole = n_fft + frames.hop * (count - 1);
  Value signal = overlap(times(pieces, weights), frames, whole);
  Value squares = build::binary(OpKind::Multiply, weights, weights);
  Value envelope =
      overlap(build::broadcast_to(squares, {1, count, n_fft}), frames, whole);
  int64_t start = center ? n_fft / 2 : 0;
  int64_t end = length ? start + *length : whole - start;
  int64_t kept = std::min(end, whole);
  signal = build::binary(OpKind::Divide, part_of(signal, 1, start, kept),
                         build::broadcast_to(part_of(envelope, 1, start, kept),
                                             {sizes[0], kept - start}));
  signal = resized(signal, 1, end - start);
  if (alone)
    signal = build::reshape(signal, {end - start});
  return finish(signal, device, dtype);
}

} // namespace xlac
