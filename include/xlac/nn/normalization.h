// Normalization. Options have PyTorch's order of arguments and its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- Channel statistics -------------------------------------------------===//

/// Options of BatchNorm.
struct BatchNormOptions {
  static constexpr size_t required = 1;
  int64_t num_features;                 ///< channels of the input
  double eps = 1e-5;                    ///< added to the variance
  std::optional<double> momentum = 0.1; ///< none: the mean over all batches
  bool affine = true; ///< learned scale and offset per channel
  /// Keeps running mean and variance for evaluation.
  bool track_running_stats = true;
};

/// Common part of BatchNorm and InstanceNorm: weight (ones) and bias (zeros)
/// [C] if affine, and the running statistics if they are tracked.
struct XLAC_API ChannelNormImpl : Module {
  explicit ChannelNormImpl(BatchNormOptions given);
  BatchNormOptions options;
  /// The scale and offset, and the running values; undefined if the options
  /// omit them.
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

protected:
  std::string extra_repr() const override;
  /// Throws ShapeError unless the input has `least` to `most` dimensions.
  void check_rank(const Tensor &input, int64_t least, int64_t most) const;
};

/// Normalizes each channel (dimension 1) by its mean and standard deviation. In
/// training, or without tracked statistics, they are those of the batch;
/// training also updates the running statistics. Otherwise the running
/// statistics are used.
struct XLAC_API BatchNormNdImpl : ChannelNormImpl {
  using Options = BatchNormOptions;
  explicit BatchNormNdImpl(Options given) : ChannelNormImpl(given) {}
  /// Returns a tensor of the input's size.
  Tensor forward(const Tensor &input);

protected:
  /// ShapeError for an input of the wrong rank or number of channels.
  virtual void check_input(const Tensor &input) const = 0;
  /// Normalizes the input by the statistics of its batch. Updates `mean` and
  /// `var` unless they are undefined.
  virtual Tensor by_batch(const Tensor &input, const Tensor &mean,
                          const Tensor &var, double momentum) const;
};

/// BatchNorm of [N, C] or [N, C, L].
struct XLAC_API BatchNorm1dImpl : BatchNormNdImpl {
  /// Constructors as in the base.
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm1d);

/// BatchNorm of [N, C, H, W].
struct XLAC_API BatchNorm2dImpl : BatchNormNdImpl {
  /// Constructors as in the base.
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm2d);

/// BatchNorm of [N, C, D, H, W].
struct XLAC_API BatchNorm3dImpl : BatchNormNdImpl {
  /// Constructors as in the base.
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm3d);

/// BatchNorm of [N, C, …] by the statistics over the batches of all replicas.
/// The batches may differ in size; all replicas must call it.
struct XLAC_API SyncBatchNormImpl : BatchNormNdImpl {
  /// Constructors as in the base.
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
  Tensor by_batch(const Tensor &input, const Tensor &mean, const Tensor &var,
                  double momentum) const override;
};
XLAC_MODULE(SyncBatchNorm);

/// Options of InstanceNorm.
struct InstanceNormOptions {
  static constexpr size_t required = 1;
  int64_t num_features; ///< channels of the input
  double eps = 1e-5;    ///< added to the variance
  /// Weight of a batch in the running values.
  std::optional<double> momentum = 0.1;
  bool affine = false; ///< learned scale and offset per channel
  /// Keeps running mean and variance for evaluation.
  bool track_running_stats = false;
};

/// Normalizes each channel of each instance by its own statistics; in
/// evaluation by the running ones if they are tracked. The batch dimension is
/// optional.
struct XLAC_API InstanceNormNdImpl : ChannelNormImpl {
  using Options = InstanceNormOptions;
  /// `spatial` is the number of dimensions after the channels.
  InstanceNormNdImpl(Options given, int64_t spatial);
  /// Returns a tensor of the input's size. Throws ValueError if affine and the
  /// number of channels is not num_features.
  Tensor forward(const Tensor &input);

private:
  Tensor normalized(const Tensor &input);
  int64_t spatial_;
};

/// InstanceNorm of [N, C, L] or [C, L].
struct XLAC_API InstanceNorm1dImpl : InstanceNormNdImpl {
  explicit InstanceNorm1dImpl(Options given) : InstanceNormNdImpl(given, 1) {}
};
XLAC_MODULE(InstanceNorm1d);

/// InstanceNorm of [N, C, H, W] or [C, H, W].
struct XLAC_API InstanceNorm2dImpl : InstanceNormNdImpl {
  explicit InstanceNorm2dImpl(Options given) : InstanceNormNdImpl(given, 2) {}
};
XLAC_MODULE(InstanceNorm2d);

/// InstanceNorm of [N, C, D, H, W] or [C, D, H, W].
struct XLAC_API InstanceNorm3dImpl : InstanceNormNdImpl {
  explicit InstanceNorm3dImpl(Options given) : InstanceNormNdImpl(given, 3) {}
};
XLAC_MODULE(InstanceNorm3d);

//===- Element statistics -------------------------------------------------===//

/// Options of LayerNorm.
struct LayerNormOptions {
  static constexpr size_t required = 1;
  SizeList normalized_shape;      ///< trailing dimensions to normalize over
  double eps = 1e-5;              ///< added to the variance
  bool elementwise_affine = true; ///< learned scale (and offset) per element
  bool bias = true;               ///< whether there is a learned bias
};
/// Normalizes over the last dimensions, whose sizes are normalized_shape.
struct XLAC_API LayerNormImpl : Module {
  using Options = LayerNormOptions;
  explicit LayerNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight, bias; ///< normalized_shape; initially ones and zeros

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(LayerNorm);

/// Options of RMSNorm.
struct RMSNormOptions {
  static constexpr size_t required = 1;
  SizeList normalized_shape;      ///< trailing dimensions to normalize over
  std::optional<double> eps = {}; ///< none: the epsilon of the input's dtype
  bool elementwise_affine = true; ///< learned scale (and offset) per element
};
/// Divides by the root mean square over the last dimensions.
struct XLAC_API RMSNormImpl : Module {
  using Options = RMSNormOptions;
  explicit RMSNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight; ///< normalized_shape, initially ones

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(RMSNorm);

/// Options of GroupNorm.
struct GroupNormOptions {
  static constexpr size_t required = 2;
  int64_t num_groups, num_channels; ///< groups, and channels of the input
  double eps = 1e-5;                ///< added to the variance
  bool affine = true;               ///< learned scale and offset per channel
};
/// Normalizes groups of channels of [N, C, …]. Throws ValueError unless
/// num_channels is divisible by num_groups.
struct XLAC_API GroupNormImpl : Module {
  using Options = GroupNormOptions;
  explicit GroupNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight, bias; ///< [C]; initially ones and zeros

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(GroupNorm);

/// Options of LocalResponseNorm.
struct LocalResponseNormOptions {
  static constexpr size_t required = 1;
  int64_t size;        ///< channels of a neighbourhood
  double alpha = 1e-4; ///< factor of the sum of squares
  double beta = 0.75;  ///< exponent of the divisor
  double k = 1;        ///< constant term of the divisor
};
/// Divides by (k + alpha · mean of squares of `size` adjacent channels)^beta.
struct XLAC_API LocalResponseNormImpl : Module {
  using Options = LocalResponseNormOptions;
  explicit LocalResponseNormImpl(Options given) : options(given) {}
  Tensor forward(const Tensor &input);
  Options options;

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(LocalResponseNorm);

} // namespace xlac::nn
