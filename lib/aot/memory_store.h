// Kernels that one request has compiled. Private to the component.
#pragma once

#include "xlac/compiler.h"

#include <map>
#include <mutex>

namespace xlac::aot {

/// Keeps kernels and templates as long as it lives.
class MemoryStore final : public KernelStore {
public:
  std::optional<runtime::Blob> find(std::string_view hash) override {
    std::lock_guard lock(mutex_);
    auto found = blobs_.find(hash);
    if (found == blobs_.end())
      return std::nullopt;
    return found->second;
  }
  void put(std::string_view hash, const runtime::Blob &blob) override {
    std::lock_guard lock(mutex_);
    blobs_.insert_or_assign(std::string(hash), blob);
  }
  std::vector<std::byte> find_templates(std::string_view family) override {
    std::lock_guard lock(mutex_);
    auto found = templates_.find(family);
    return found == templates_.end() ? std::vector<std::byte>() : found->second;
  }
  void put_templates(std::string_view family,
                     std::span<const std::byte> bytes) override {
    std::lock_guard lock(mutex_);
    templates_.insert_or_assign(
        std::string(family),
        std::vector<std::byte>(bytes.begin(), bytes.end()));
  }

private:
  std::mutex mutex_;
  std::map<std::string, runtime::Blob, std::less<>> blobs_;
  std::map<std::string, std::vector<std::byte>, std::less<>> templates_;
};

} // namespace xlac::aot
