// Transforms of samples, for data::map: of an image [C, H, W], or of the image
// in an Example, whose target is kept. Names are those of torchvision. Random
// transforms use data::random().
#pragma once

#include "xlac/data/datasets.h"

#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

namespace xlac::data {

/// One number for all channels, or one per channel.
struct PerChannel {
  /// One number for all channels, or one for each.
  std::vector<double> values;
  /// One number for all channels, or one for each.
  PerChannel(double value) : values{value} {}
  /// One number for all channels, or one for each.
  PerChannel(std::initializer_list<double> list) : values(list) {}
};

/// (image - mean) / std. Throws ShapeError unless there is one number per
/// channel.
struct XLAC_API Normalize {
  /// Subtracted, and the divisor afterwards.
  PerChannel mean, std;

  /// Applies the transform to an image, or to the image of a sample.
  Tensor operator()(const Tensor &image) const;
  /// Applies the transform to an image, or to the image of a sample.
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// Converts to float32; integers are divided by the maximum of their dtype.
struct XLAC_API ToFloat {
  /// Applies the transform to an image, or to the image of a sample.
  Tensor operator()(const Tensor &image) const;
  /// Applies the transform to an image, or to the image of a sample.
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// Flips horizontally with probability p.
struct XLAC_API RandomHorizontalFlip {
  double p = 0.5; ///< the probability of a change

  /// Applies the transform to an image, or to the image of a sample.
  Tensor operator()(const Tensor &image) const;
  /// Applies the transform to an image, or to the image of a sample.
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// Crops a random window of this height and width, after padding with `padding`
/// rows and columns of `fill`. One size applies to both. Throws ShapeError when
/// the image is too small.
struct XLAC_API RandomCrop {
  /// Height and width of the result.
  Shape size;
  int64_t padding = 0; ///< elements added at all sides before
  double fill = 0;     ///< value of added elements

  /// Applies the transform to an image, or to the image of a sample.
  Tensor operator()(const Tensor &image) const;
  /// Applies the transform to an image, or to the image of a sample.
  template <class Target>
  Example<Tensor, Target> operator()(Example<Tensor, Target> example) const {
    return {(*this)(example.data), std::move(example.target)};
  }
};

/// Applies functions in order: Compose(RandomHorizontalFlip(), Normalize{…}).
template <class... Fns> class Compose {
public:
  /// Applies the transforms in order.
  explicit Compose(Fns... fns) : fns_(std::move(fns)...) {}

  /// Applies the transform to an image, or to the image of a sample.
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

namespace transforms {

/// libtorch's name of data::Normalize.
template <class Target = Tensor> struct Normalize : data::Normalize {
  /// Subtracts the means and divides by the deviations.
  Normalize(PerChannel mean_of_channels, PerChannel std_of_channels)
      : data::Normalize{std::move(mean_of_channels),
                        std::move(std_of_channels)} {}
};

} // namespace transforms
} // namespace xlac::data
