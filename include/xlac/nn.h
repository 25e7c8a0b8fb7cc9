// Modules: trees of parameters with a forward function, in PyTorch's names,
// defaults and initialization. A module `Net` is a struct NetImpl : nn::Module
// and the handle that XLAC_MODULE(Net) makes of it.
#pragma once

#include "xlac/autograd.h"
#include "xlac/nn_functional.h"
#include "xlac/ops.h"
#include "xlac/tree.h"

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

/// A node of the tree: parameters, buffers and submodules by name. Copies of a
/// tensor handle name one tensor, so members and the tree show the same.
class XLAC_API Module {
public:
  Module();
  virtual ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  // For constructors. ValueError for a name that is empty, has a dot or is
  // taken. What they return is to be kept as a member.
  template <class M> M register_module(std::string name, M module) {
    add_module(std::move(name), module.ptr());
    return module;
  }
  /// An undefined tensor keeps the name without a parameter.
  Tensor &register_parameter(std::string name, Tensor tensor,
                             bool requires_grad = true);
  /// Buffers that are not persistent stay out of state_dict().
  Tensor &register_buffer(std::string name, Tensor tensor,
                          bool persistent = true);

  // In registration order, each tensor and module once.
  std::vector<Tensor> parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  std::vector<std::pair<std::string, Tensor>>
  named_parameters(bool recurse = true) const;
  std::vector<std::pair<std::string, Tensor>>
  named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  /// This module first; it is left out if it is owned by no handle.
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;

  void train(bool on = true);
  void eval() { train(false); }
  bool is_training() const { return training_; }
  /// Moves parameters and buffers in place: they keep their ids, and optimizers
  /// made before still work. A dtype applies to floating ones.
  void to(const TensorOptions &options);
  void zero_grad(bool set_to_none = true);
  void requires_grad_(bool on = true);
  /// `fn` on each module, children first.
  void apply(const std::function<void(Module &)> &fn);

  /// The live tensors, not copies, under PyTorch's names.
  StateDict state_dict() const;
  struct IncompatibleKeys {
    std::vector<std::string> missing, unexpected;
  };
  /// Copies values in, whatever devices they are on. ShapeError on sizes that
  /// differ; when strict, KeyError naming missing and unexpected keys. Nothing
  /// is copied when it throws.
  IncompatibleKeys load_state_dict(const StateDict &state, bool strict = true);

  /// PyTorch's repr of the tree.
  std::string str() const;
  /// The class's name as str() shows it.
  virtual std::string name() const;

protected:
  /// What str() shows between the parentheses.
  virtual std::string extra_repr() const { return ""; }

private:
  template <class Holder, class Impl> friend class ModuleHolder;
  struct Parts;
  void add_module(std::string name, std::shared_ptr<Module> module);
  void collect_modules(std::vector<Module *> &into) const;
  void copy_values(const Module &from, std::optional<Device> device);

  std::unique_ptr<Parts> parts_;
  std::weak_ptr<Module> self_;
  bool training_ = true;
};

/// What all handles have in common.
class ModuleHolderBase {};

/// A copyable handle on a module; `net(x)` calls forward.
template <class Holder, class Impl>
class ModuleHolder : public ModuleHolderBase {
public:
  using Contained = Impl;

  /// Makes the module with these arguments, which clone() uses again.
  template <class... A>
    requires std::is_constructible_v<Impl, A...>
  explicit ModuleHolder(A &&...args) {
    if constexpr ((std::copy_constructible<std::decay_t<A>> && ...) &&
                  std::is_constructible_v<Impl, std::decay_t<A> &...>)
      remake_ = [... kept = std::decay_t<A>(args)]() mutable {
        return std::apply(
            [](auto... again) { return std::make_shared<Impl>(again...); },
            std::make_tuple(copy_argument(kept)...));
      };
    adopt(std::make_shared<Impl>(std::forward<A>(args)...));
  }
  /// A member that is filled in later.
  ModuleHolder(std::nullptr_t) {}

  Impl *operator->() const { return impl_.get(); }
  Impl &operator*() const { return *impl_; }
  explicit operator bool() const { return impl_ != nullptr; }

  template <class... A>
  auto operator()(A &&...args) const
      -> decltype(std::declval<Impl &>().forward(std::forward<A>(args)...)) {
    return impl_->forward(std::forward<A>(args)...);
  }

  Holder train(bool on = true) const {
    impl_->train(on);
    return self();
  }
  Holder eval() const { return train(false); }
  Holder to(const TensorOptions &options) const {
    impl_->to(options);
    return self();
  }
  Holder cpu() const { return to(Device(kCPU)); }
  /// A module made with the same arguments, with new tensors of the same
  /// values, on `device` if given. UnsupportedError for arguments that cannot
  /// be copied.
  Holder clone(std::optional<Device> device = {}) const {
    if (!remake_)
      throw UnsupportedError("clone(): the module's arguments cannot be "
                             "copied");
    Holder copy{nullptr};
    copy.remake_ = remake_;
    copy.adopt(remake_());
    copy.impl_->copy_values(*impl_, device);
    return copy;
  }
  std::shared_ptr<Module> ptr() const { return impl_; }

private:
  Holder self() const { return static_cast<const Holder &>(*this); }
  void adopt(std::shared_ptr<Impl> impl) {
    impl_ = std::move(impl);
    impl_->self_ = impl_;
  }
  template <class T> static T copy_argument(const T &argument) {
    if constexpr (std::derived_from<T, ModuleHolderBase>)
      return argument.clone();
    else if constexpr (std::same_as<T, Tensor>)
      return argument.defined() ? argument.detach().clone() : argument;
    else
      return argument;
  }

  std::shared_ptr<Impl> impl_;
  std::function<std::shared_ptr<Impl>()> remake_;
};

/// Defines the handle class `Name` of struct `NameImpl`.
#define XLAC_MODULE(Name)                                                      \
  class Name : public ::xlac::nn::ModuleHolder<Name, Name##Impl> {             \
  public:                                                                      \
    using ::xlac::nn::ModuleHolder<Name, Name##Impl>::ModuleHolder;            \
  }

//===- Modules ------------------------------------------------------------===//
// Options are in PyTorch's argument order, with its defaults.

struct LinearOptions {
  int64_t in_features, out_features;
  bool bias = true;
};
/// input · weightᵀ + bias; both are uniform in ±1/√in_features at first.
struct XLAC_API LinearImpl : Module {
  LinearImpl(int64_t in_features, int64_t out_features, bool bias = true);
  explicit LinearImpl(LinearOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias; ///< [out, in], [out]

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(Linear);

struct Conv2dOptions {
  int64_t in_channels, out_channels;
  Shape kernel_size;
  Shape stride = {1};
  Shape padding = {0};
  Shape dilation = {1};
  int64_t groups = 1;
  bool bias = true;
  std::string padding_mode = "zeros";
};
/// padding_mode is "zeros", "reflect", "replicate" or "circular".
struct XLAC_API Conv2dImpl : Module {
  Conv2dImpl(int64_t in_channels, int64_t out_channels, int64_t kernel_size);
  explicit Conv2dImpl(Conv2dOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias; ///< [out, in / groups, height, width], [out]

protected:
  std::string extra_repr() const override;

private:
  Conv2dOptions options_;
};
XLAC_MODULE(Conv2d);

struct BatchNormOptions {
  int64_t num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1; ///< none: the mean of all batches
  bool affine = true;
  bool track_running_stats = true;
};
struct XLAC_API BatchNorm2dImpl : Module {
  explicit BatchNorm2dImpl(int64_t num_features);
  explicit BatchNorm2dImpl(BatchNormOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

protected:
  std::string extra_repr() const override;

private:
  BatchNormOptions options_;
};
XLAC_MODULE(BatchNorm2d);

struct NLLLossOptions {
  Tensor weight = {};
  int64_t ignore_index = -100;
  std::string reduction = "mean";
};
struct XLAC_API NLLLossImpl : Module {
  explicit NLLLossImpl(NLLLossOptions options = {});
  Tensor forward(const Tensor &input, const Tensor &target);

private:
  Tensor weight_;
  int64_t ignore_index_;
  std::string reduction_;
};
XLAC_MODULE(NLLLoss);

//===- Initialization -----------------------------------------------------===//

/// In place and without gradient; each returns its tensor.
namespace init {
XLAC_API Tensor uniform_(Tensor tensor, double a = 0, double b = 1);
XLAC_API Tensor normal_(Tensor tensor, double mean = 0, double std = 1);
XLAC_API Tensor constant_(Tensor tensor, double value);
XLAC_API Tensor ones_(Tensor tensor);
XLAC_API Tensor zeros_(Tensor tensor);
/// Of a matrix.
XLAC_API Tensor eye_(Tensor tensor);
XLAC_API Tensor xavier_uniform_(Tensor tensor, double gain = 1);
XLAC_API Tensor xavier_normal_(Tensor tensor, double gain = 1);
/// mode is "fan_in" or "fan_out"; a is the slope of leaky_relu.
XLAC_API Tensor kaiming_uniform_(Tensor tensor, double a = 0,
                                 std::string_view mode = "fan_in",
                                 std::string_view nonlinearity = "leaky_relu");
XLAC_API Tensor kaiming_normal_(Tensor tensor, double a = 0,
                                std::string_view mode = "fan_in",
                                std::string_view nonlinearity = "leaky_relu");
/// Normal numbers, none outside of [a, b].
XLAC_API Tensor trunc_normal_(Tensor tensor, double mean = 0, double std = 1,
                              double a = -2, double b = 2);
/// Rows, or columns where there are fewer, are orthonormal, times `gain`; the
/// dimensions after the first are one. ValueError for fewer than 2.
XLAC_API Tensor orthogonal_(Tensor tensor, double gain = 1);
/// PyTorch's recommended gain for what follows a layer: "linear", "conv2d",
/// "sigmoid", "tanh", "relu", "leaky_relu", "selu".
XLAC_API double calculate_gain(std::string_view nonlinearity,
                               double param = 0.01);
} // namespace init

//===- Utilities ----------------------------------------------------------===//

namespace utils {
/// Scales gradients so that their common norm is at most `max_norm`; gives the
/// norm before, on the device. With error_if_nonfinite, which waits for the
/// norm, RuntimeError when it is not finite.
XLAC_API Tensor clip_grad_norm_(const std::vector<Tensor> &parameters,
                                double max_norm, double norm_type = 2,
                                bool error_if_nonfinite = false);
/// Gradients are clamped to ±clip_value.
XLAC_API void clip_grad_value_(const std::vector<Tensor> &parameters,
                               double clip_value);
/// All elements in one row.
XLAC_API Tensor parameters_to_vector(const std::vector<Tensor> &parameters);
/// Writes consecutive parts of `vector` to the parameters.
XLAC_API void vector_to_parameters(const Tensor &vector,
                                   const std::vector<Tensor> &parameters);
namespace rnn {
/// Sequences of several lengths without padding: the rows of time 0 of all,
/// longest sequence first, then those of time 1, …
struct PackedSequence {
  Tensor data;
  Tensor batch_sizes; ///< sequences that last to each time; int64, on the cpu
  Tensor sorted_indices, unsorted_indices; ///< undefined when sorted already
};
/// `input` is [T, N, …], or [N, T, …] if batch_first. With enforce_sorted,
/// ValueError unless lengths decrease.
XLAC_API PackedSequence pack_padded_sequence(const Tensor &input,
                                             const Tensor &lengths,
                                             bool batch_first = false,
                                             bool enforce_sorted = true);
/// The padded sequences and their lengths; `total_length` times if given.
XLAC_API std::tuple<Tensor, Tensor>
pad_packed_sequence(const PackedSequence &sequence, bool batch_first = false,
                    double padding_value = 0,
                    std::optional<int64_t> total_length = {});
} // namespace rnn
} // namespace utils

} // namespace xlac::nn
