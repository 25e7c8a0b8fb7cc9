// Normalization. Options have PyTorch's order of arguments and its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- Channel statistics -------------------------------------------------===//

struct BatchNormOptions {
  static constexpr size_t required = 1;
  int64_t num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1; ///< none: the mean over all batches
  bool affine = true;
  bool track_running_stats = true;
};

/// Common part of BatchNorm and InstanceNorm: weight (ones) and bias (zeros)
/// [C] if affine, and the running statistics if they are tracked.
struct XLAC_API ChannelNormImpl : Module {
  explicit ChannelNormImpl(BatchNormOptions given);
  BatchNormOptions options;
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
  virtual void check_input(const Tensor &input) const = 0;
  /// Normalizes the input by the statistics of its batch. Updates `mean` and
  /// `var` unless they are undefined.
  virtual Tensor by_batch(const Tensor &input, const Tensor &mean,
                          const Tensor &var, double momentum) const;
};

/// BatchNorm of [N, C] or [N, C, L].
struct XLAC_API BatchNorm1dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm1d);

/// BatchNorm of [N, C, H, W].
struct XLAC_API BatchNorm2dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm2d);

/// BatchNorm of [N, C, D, H, W].
struct XLAC_API BatchNorm3dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm3d);

/// BatchNorm of [N, C, …] by the statistics over the batches of all replicas.
/// The batches may differ in size; all replicas must call it.
struct XLAC_API SyncBatchNormImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
  Tensor by_batch(const Tensor &input, const Tensor &mean, const Tensor &var,
                  double momentum) const override;
};
XLAC_MODULE(SyncBatchNorm);

struct InstanceNormOptions {
  static constexpr size_t required = 1;
  int64_t num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1;
  bool affine = false;
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

struct LayerNormOptions {
  static constexpr size_t required = 1;
  SizeList normalized_shape;
  double eps = 1e-5;
  bool elementwise_affine = true;
  bool bias = true;
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

struct RMSNormOptions {
  static constexpr size_t required = 1;
  SizeList normalized_shape;
  std::optional<double> eps = {}; ///< none: the epsilon of the input's dtype
  bool elementwise_affine = true;
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

struct GroupNormOptions {
  static constexpr size_t required = 2;
  int64_t num_groups, num_channels;
  double eps = 1e-5;
  bool affine = true;
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

struct LocalResponseNormOptions {
  static constexpr size_t required = 1;
  int64_t size;
  double alpha = 1e-4;
  double beta = 0.75;
  double k = 1;
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
