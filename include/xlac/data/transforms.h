// Functions of samples, for data::map: of an image [C, H, W] or of the image of
// an example, whose target stays. Names are torchvision's. The random ones draw
// from data::random().
#pragma once

#include "xlac/data/datasets.h"

#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

namespace xlac::data {

/// A number for all channels, or one for each.
struct PerChannel {
  std::vector<double> values;
  PerChannel(double value) : values{value} {}
  PerChannel(std::initializer_list<double> list) : values(list) {}
};

/// (image - mean) / std. ShapeError unless there is a number for each channel.
struct XLAC_API Normalize {
  PerChannel mean, std;

  Tensor operator()(const Tensor &image) const;
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// As float32; whole numbers are divided by the greatest of their dtype.
struct XLAC_API ToFloat {
  Tensor operator()(const Tensor &image) const;
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// Left and right change places with probability p.
struct XLAC_API RandomHorizontalFlip {
  double p = 0.5;

  Tensor operator()(const Tensor &image) const;
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// A part of this height and width from anywhere, after `padding` rows and
/// columns of `fill` were put around. One size stands for both. ShapeError
/// when the image is too small.
struct XLAC_API RandomCrop {
  Shape size;
  int64_t padding = 0;
  double fill = 0;

  Tensor operator()(const Tensor &image) const;
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// One function after the other: Compose(RandomHorizontalFlip(), Normalize{…}).
template <class... Fns> class Compose {
public:
  explicit Compose(Fns... fns) : fns_(std::move(fns)...) {}

  template <class Sample> auto operator()(Sample sample) const {
    return apply<0>(std::move(sample));
  }

private:
  template <size_t I, class Sample> auto apply(Sample sample) const {
    if constexpr (I == sizeof...(Fns))
      return sample;
    else
      return apply<I + 1>(std::get<I>(fns_)(std::move(sample)));
  }

  std::tuple<Fns...> fns_;
};

} // namespace xlac::data
