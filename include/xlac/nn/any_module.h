// AnyModule: type erasure of module handles, for containers of different
// modules.
#pragma once

#include "xlac/nn/module.h"

#include <any>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace xlac::nn {

/// A function of one tensor as a module.
struct XLAC_API FunctionalImpl : Module {
  explicit FunctionalImpl(std::function<Tensor(const Tensor &)> function)
      : function_(std::move(function)) {}
  Tensor forward(const Tensor &input) { return function_(input); }

private:
  std::function<Tensor(const Tensor &)> function_;
};
XLAC_MODULE(Functional);

namespace detail {

/// A function of other types as a module, such as one that selects from a
/// tuple.
template <class R, class... A> struct TypedFunctionalImpl : Module {
  explicit TypedFunctionalImpl(std::function<R(A...)> function)
      : function_(std::move(function)) {}
  R forward(A... args) { return function_(std::forward<A>(args)...); }
  std::string name() const override { return "Functional"; }

private:
  std::function<R(A...)> function_;
};
template <class R, class... A>
class TypedFunctional : public ModuleHolder<TypedFunctional<R, A...>,
                                            TypedFunctionalImpl<R, A...>> {
public:
  using ModuleHolder<TypedFunctional,
                     TypedFunctionalImpl<R, A...>>::ModuleHolder;
};
template <class R, class... A>
TypedFunctional<R, A...> as_module(std::function<R(A...)> function) {
  return TypedFunctional<R, A...>(std::move(function));
}

/// A function that takes a tensor and returns one; it may be overloaded.
template <class F>
concept TensorFunction =
    !std::derived_from<std::decay_t<F>, ModuleHolderBase> &&
    std::is_invocable_r_v<Tensor, std::decay_t<F> &, const Tensor &>;
/// A function whose argument and result types can be deduced.
template <class F>
concept DeclaredFunction =
    !std::derived_from<std::decay_t<F>, ModuleHolderBase> &&
    !TensorFunction<F> &&
    requires(const std::decay_t<F> &function) { std::function(function); };

template <size_t> using TensorAt = Tensor;
/// Whether a handle can be called with this number of tensors.
template <class Holder, size_t... I>
constexpr bool takes_tensors(std::index_sequence<I...>) {
  return std::is_invocable_v<const Holder &, const TensorAt<I> &...>;
}

template <class F> std::any any_result(F call) {
  using Result = std::decay_t<std::invoke_result_t<F>>;
  if constexpr (std::is_void_v<Result>) {
    call();
    return {};
  } else {
    return std::any(Result(call()));
  }
}

/// Calls the module if all arguments are tensors and it accepts their number.
/// Returns whether it did.
template <class Holder, size_t... I>
bool call_with_tensors(const Holder &module, std::vector<std::any> &arguments,
                       std::any &result, std::index_sequence<I...> places) {
  if constexpr (takes_tensors<Holder>(places)) {
    if (arguments.size() != sizeof...(I) ||
        !(std::any_cast<Tensor>(&arguments[I]) && ...))
      return false;
    result = any_result(
        [&] { return module(std::any_cast<const Tensor &>(arguments[I])...); });
    return true;
  } else {
    return false;
  }
}

/// Calls the module if the arguments have the types of its only forward
/// function. Returns whether it did.
template <class Holder, class... P, size_t... I>
bool call_as_declared(const Holder &module, std::vector<std::any> &arguments,
                      std::any &result, std::index_sequence<I...>) {
  if constexpr ((std::copy_constructible<std::decay_t<P>> && ...)) {
    if (arguments.size() != sizeof...(P) ||
        !(std::any_cast<std::decay_t<P>>(&arguments[I]) && ...))
      return false;
    result = any_result([&] {
      return module(*std::any_cast<std::decay_t<P>>(&arguments[I])...);
    });
    return true;
  } else {
    return false;
  }
}
template <class Holder, class R, class C, class... P>
bool call_as_declared(const Holder &module, std::vector<std::any> &arguments,
                      std::any &result, R (C::*)(P...)) {
  return call_as_declared<Holder, P...>(module, arguments, result,
                                        std::index_sequence_for<P...>());
}
template <class Holder, class R, class C, class... P>
bool call_as_declared(const Holder &module, std::vector<std::any> &arguments,
                      std::any &result, R (C::*)(P...) const) {
  return call_as_declared<Holder, P...>(module, arguments, result,
                                        std::index_sequence_for<P...>());
}

/// Throw TypeErrors that name the module's class, and the types of its
/// arguments or result.
[[noreturn]] XLAC_API void
throw_not_callable(const Module &module,
                   const std::vector<std::any> &arguments);
[[noreturn]] XLAC_API void throw_other_result(const std::any &result,
                                              const std::type_info &wanted);
[[noreturn]] XLAC_API void throw_other_module(const Module &module,
                                              const std::type_info &wanted);

/// Returns `result` as a T; throws TypeError if it has another type.
template <class T> T result_as(std::any result) {
  if constexpr (!std::is_void_v<T>) {
    if (T *value = std::any_cast<T>(&result))
      return std::move(*value);
    throw_other_result(result, typeid(T));
  }
}

} // namespace detail

/// A handle on a module of any class. It can be made from another handle, from
/// a function of one tensor, as in AnyModule(relu), and from other functions
/// that are not overloaded.
class XLAC_API AnyModule : public ModuleHolderBase {
public:
  /// Holds a module, or a function as one.
  template <class Holder>
    requires std::derived_from<Holder, ModuleHolderBase> &&
             (!std::same_as<Holder, AnyModule>)
  AnyModule(Holder module)
      : held_(std::make_shared<TypedHolder<Holder>>(std::move(module))) {}
  /// Holds a module, or a function as one.
  template <detail::TensorFunction F>
  AnyModule(F &&function) : AnyModule(Functional(std::forward<F>(function))) {}
  /// Holds a module, or a function as one.
  template <detail::DeclaredFunction F>
  AnyModule(F &&function)
      : AnyModule(detail::as_module(std::function(std::forward<F>(function)))) {
  }

  /// Calls the module with up to four tensors, or else with exactly the types
  /// that its forward declares. Throws TypeError when neither matches, or when
  /// the result is not an R.
  template <class R = Tensor, class... A> R forward(const A &...args) const {
    return detail::result_as<R>(call({std::any(std::decay_t<A>(args))...}));
  }
  /// Calls forward; an error if the arguments do not fit.
  template <class... A> Tensor operator()(const A &...args) const {
    return forward(args...);
  }
  /// As forward, for arguments that hold values of these types.
  std::any call(std::vector<std::any> arguments) const {
    return held_->call(std::move(arguments));
  }

  /// Returns the handle that this one was made from. Throws TypeError if it has
  /// another class.
  template <class Holder> Holder get() const {
    if (const auto *held =
            dynamic_cast<const TypedHolder<Holder> *>(held_.get()))
      return held->module;
    detail::throw_other_module(*ptr(), typeid(Holder));
  }
  Module *operator->() const { return ptr().get(); }
  /// The module.
  std::shared_ptr<Module> ptr() const { return held_->ptr(); }
  /// Clones the module as the original handle does.
  AnyModule clone(std::optional<Device> device = {}) const {
    return held_->clone(device);
  }

private:
  struct HolderBase {
    virtual ~HolderBase() = default;
    virtual std::any call(std::vector<std::any> arguments) const = 0;
    /// The module.
    virtual std::shared_ptr<Module> ptr() const = 0;
    virtual AnyModule clone(std::optional<Device> device) const = 0;
  };
  template <class Holder> struct TypedHolder final : HolderBase {
    explicit TypedHolder(Holder given) : module(std::move(given)) {}
    std::any call(std::vector<std::any> arguments) const override;
    std::shared_ptr<Module> ptr() const override { return module.ptr(); }
    AnyModule clone(std::optional<Device> device) const override {
      return module.clone(device);
    }
    Holder module;
  };

  std::shared_ptr<const HolderBase> held_;
};

template <class Holder>
std::any
AnyModule::TypedHolder<Holder>::call(std::vector<std::any> arguments) const {
  using Impl = typename Holder::Contained;
  std::any result;
  bool called = [&]<size_t... N>(std::index_sequence<N...>) {
    return (detail::call_with_tensors(module, arguments, result,
                                      std::make_index_sequence<N>()) ||
            ...);
  }(std::make_index_sequence<5>());
  if constexpr (requires { &Impl::forward; })
    called = called || detail::call_as_declared(module, arguments, result,
                                                &Impl::forward);
  if (!called)
    detail::throw_not_callable(*ptr(), arguments);
  return result;
}

} // namespace xlac::nn
