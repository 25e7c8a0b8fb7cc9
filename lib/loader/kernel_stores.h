// Where the compiler's kernels are kept for other programs: in the disk cache,
// or in this process if there is none.
#pragma once

#include "xlac/cache/store.h"
#include "xlac/compiler.h"

namespace xlac {

/// Keeps kernels in the disk cache.
class StoredKernels final : public KernelStore {
public:
  explicit StoredKernels(cache::Store &store) : store_(store) {}
  std::optional<runtime::Blob> find(std::string_view hash) override;
  void put(std::string_view hash, const runtime::Blob &blob) override;
  std::vector<std::byte> find_templates(std::string_view family) override;
  void put_templates(std::string_view family,
                     std::span<const std::byte> bytes) override;

private:
  cache::Store &store_;
};

/// Keeps the most recently used kernels of this process.
KernelStore &kernels_in_memory();

} // namespace xlac
