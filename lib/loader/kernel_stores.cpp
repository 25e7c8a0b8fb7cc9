#include "kernel_stores.h"

#include "xlac/support/recently_used.h"

#include <memory>
#include <string>

namespace xlac {

std::optional<runtime::Blob> StoredKernels::find(std::string_view hash) {
  auto bytes = store_.get(cache::Kind::Kernel, hash);
  if (!bytes)
    return std::nullopt;
  auto blob = runtime::deserialize_blob(*bytes);
  if (!blob)
    return std::nullopt;
  return std::move(*blob);
}

// Kernels and templates are not synced. A program has many, and an fsync for
// each costs more than recompiling those that a power failure damages.
void StoredKernels::put(std::string_view hash, const runtime::Blob &blob) {
  (void)store_.put(cache::Kind::Kernel, hash, serialize(blob), 0,
                   /*sync=*/false);
}

std::vector<std::byte> StoredKernels::find_templates(std::string_view family) {
  auto bytes = store_.get(cache::Kind::Templates, family);
  if (!bytes)
    return {};
  return {bytes->begin(), bytes->end()};
}

void StoredKernels::put_templates(std::string_view family,
                                  std::span<const std::byte> bytes) {
  (void)store_.put(cache::Kind::Templates, family, bytes, 0, /*sync=*/false);
}

namespace {

class KernelsInMemory final : public KernelStore {
public:
  std::optional<runtime::Blob> find(std::string_view hash) override {
    auto blob = blobs_.find(std::string(hash));
    return blob ? std::optional(*blob) : std::nullopt;
  }
  void put(std::string_view hash, const runtime::Blob &blob) override {
    blobs_.keep(std::string(hash), std::make_shared<runtime::Blob>(blob));
  }
  std::vector<std::byte> find_templates(std::string_view family) override {
    auto bytes = templates_.find(std::string(family));
    return bytes ? *bytes : std::vector<std::byte>();
  }
  void put_templates(std::string_view family,
                     std::span<const std::byte> bytes) override {
    templates_.replace(
        std::string(family),
        std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end()));
  }

private:
  RecentlyUsed<std::string, std::shared_ptr<const runtime::Blob>> blobs_{2048};
  RecentlyUsed<std::string, std::shared_ptr<const std::vector<std::byte>>>
      templates_{128};
};

} // namespace

KernelStore &kernels_in_memory() {
  // Outlives static destructors.
  static auto *instance = new KernelsInMemory;
  return *instance;
}

} // namespace xlac
