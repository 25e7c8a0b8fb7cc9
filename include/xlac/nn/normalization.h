// Normalization. Options are in PyTorch's argument order, with its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- By statistics of channels ------------------------------------------===//

struct BatchNormOptions {
  static constexpr size_t required = 1;
  int64_t num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1; ///< none: the mean of all batches
  bool affine = true;
  bool track_running_stats = true;
};

/// What BatchNorm and InstanceNorm have in common: weight (ones) and bias
/// (zeros) [C] if affine, and the running statistics if they are tracked.
struct XLAC_API ChannelNormImpl : Module {
  explicit ChannelNormImpl(BatchNormOptions given);
  BatchNormOptions options;
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

protected:
  std::string extra_repr() const override;
  /// ShapeError unless the input has `least` to `most` dimensions.
  void check_rank(const Tensor &input, int64_t least, int64_t most) const;
};

/// Each channel of dimension 1 minus its mean, over its deviation: those of the
/// batch in training, when the running statistics follow it, and where nothing
/// is tracked; else the running ones.
struct XLAC_API BatchNormNdImpl : ChannelNormImpl {
  using Options = BatchNormOptions;
  explicit BatchNormNdImpl(Options given) : ChannelNormImpl(given) {}
  /// Of the input's size.
  Tensor forward(const Tensor &input);

protected:
  virtual void check_input(const Tensor &input) const = 0;
  /// The input by the statistics of its batch, which `mean` and `var` follow
  /// unless they are undefined.
  virtual Tensor by_batch(const Tensor &input, const Tensor &mean,
                          const Tensor &var, double momentum) const;
};

/// Over [N, C] or [N, C, L].
struct XLAC_API BatchNorm1dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm1d);

/// Over [N, C, H, W].
struct XLAC_API BatchNorm2dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm2d);

/// Over [N, C, D, H, W].
struct XLAC_API BatchNorm3dImpl : BatchNormNdImpl {
  using BatchNormNdImpl::BatchNormNdImpl;

protected:
  void check_input(const Tensor &input) const override;
};
XLAC_MODULE(BatchNorm3d);

/// Over [N, C, …], by the statistics of the batches of all replicas together,
/// which may differ in size; each must call it.
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

/// Each channel of each instance by its own statistics; in evaluation by the
/// running ones where they are tracked. Without a batch dimension too.
struct XLAC_API InstanceNormNdImpl : ChannelNormImpl {
  using Options = InstanceNormOptions;
  /// `spatial` dimensions follow the channels.
  InstanceNormNdImpl(Options given, int64_t spatial);
  /// Of the input's size. ValueError if affine and the channels are not
  /// num_features.
  Tensor forward(const Tensor &input);

private:
  Tensor normalized(const Tensor &input);
  int64_t spatial_;
};

/// Over [N, C, L] or [C, L].
struct XLAC_API InstanceNorm1dImpl : InstanceNormNdImpl {
  explicit InstanceNorm1dImpl(Options given) : InstanceNormNdImpl(given, 1) {}
};
XLAC_MODULE(InstanceNorm1d);

/// Over [N, C, H, W] or [C, H, W].
struct XLAC_API InstanceNorm2dImpl : InstanceNormNdImpl {
  explicit InstanceNorm2dImpl(Options given) : InstanceNormNdImpl(given, 2) {}
};
XLAC_MODULE(InstanceNorm2d);

/// Over [N, C, D, H, W] or [C, D, H, W].
struct XLAC_API InstanceNorm3dImpl : InstanceNormNdImpl {
  explicit InstanceNorm3dImpl(Options given) : InstanceNormNdImpl(given, 3) {}
};
XLAC_MODULE(InstanceNorm3d);

//===- By statistics of elements ------------------------------------------===//

struct LayerNormOptions {
  static constexpr size_t required = 1;
  SizeList normalized_shape;
  double eps = 1e-5;
  bool elementwise_affine = true;
  bool bias = true;
};
/// Over the last dimensions, whose sizes are normalized_shape.
struct XLAC_API LayerNormImpl : Module {
  using Options = LayerNormOptions;
  explicit LayerNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight, bias; ///< normalized_shape: ones and zeros at first

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
/// Over the root mean square of the last dimensions.
struct XLAC_API RMSNormImpl : Module {
  using Options = RMSNormOptions;
  explicit RMSNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight; ///< normalized_shape, ones at first

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
/// By the statistics of groups of channels of [N, C, …]. ValueError unless
/// num_channels is divisible by num_groups.
struct XLAC_API GroupNormImpl : Module {
  using Options = GroupNormOptions;
  explicit GroupNormImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight, bias; ///< [C]: ones and zeros at first

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
/// Over (k + alpha · mean of squares of `size` neighbouring channels)^beta.
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
