// Saving and loading of objects in place, as in libtorch: save(net, path) and
// load(net, path). The files are those of xlac/serialization.h.
#pragma once

#include "xlac/nn.h"
#include "xlac/optim.h"
#include "xlac/serialization.h"

#include <concepts>
#include <filesystem>
#include <memory>

namespace xlac {
namespace detail {

template <class T>
concept ModuleHandle =
    std::derived_from<T, nn::ModuleHolderBase> || requires(const T &handle) {
      requires std::derived_from<typename T::element_type, nn::Module>;
      { handle.get() } -> std::convertible_to<nn::Module *>;
    };
template <class T>
concept OptimizerType = std::derived_from<T, optim::Optimizer>;

} // namespace detail

/// Saves the state dict of a module, given by a handle or a shared pointer.
/// torch.load reads it as a dictionary for load_state_dict.
template <detail::ModuleHandle T>
void save(const T &module, const std::filesystem::path &path) {
  save(module->state_dict(), path);
}
/// Loads a state dict into a module; errors are those of load() and
/// Module::load_state_dict. Parameters keep their devices.
template <detail::ModuleHandle T>
void load(T &module, const std::filesystem::path &path,
          LoadOptions options = {}) {
  module->load_state_dict(load<StateDict>(path, options));
}

/// Saves and loads the state of an optimizer.
template <detail::OptimizerType T>
void save(const T &optimizer, const std::filesystem::path &path) {
  save(optimizer.state_dict(), path);
}
template <detail::OptimizerType T>
void load(T &optimizer, const std::filesystem::path &path,
          LoadOptions options = {}) {
  optimizer.load_state_dict(load(path, options));
}

/// Loads a tensor, or a tree of tensors, into `target`.
template <class T>
  requires(!detail::ModuleHandle<T> && !detail::OptimizerType<T> &&
           !std::convertible_to<T &, std::filesystem::path>)
void load(T &target, const std::filesystem::path &path,
          LoadOptions options = {}) {
  target = load<T>(path, options);
}

} // namespace xlac
