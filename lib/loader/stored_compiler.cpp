#include "stored_compiler.h"

#include "xlac/abi/abi.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/support/hash.h"
#include "xlac/version.h"

#include <algorithm>
#include <span>

namespace xlac {

/// The entry for compilers whose code this version of xlac can run.
static std::string entry_name() {
  Hasher hasher;
  hasher.update("compiler of " XLAC_VERSION_STRING);
  hasher.update(static_cast<uint64_t>(XLAC_ABI_VERSION));
  hasher.update(static_cast<uint64_t>(kCompilerInterface));
  return to_hex(hasher.finish());
}

static std::string noted_compiler(cache::Store &store) {
  auto entry = store.get(cache::Kind::Alias, entry_name());
  if (!entry)
    return {};
  return {reinterpret_cast<const char *>(entry->data()), entry->size()};
}

Result<std::string> compiler_id_for(cache::Store *store) {
  auto id = compiler_build_id();
  if (id || !store)
    return id;
  std::string noted = noted_compiler(*store);
  return noted.empty() ? id : Result<std::string>(std::move(noted));
}

void note_compiler(cache::Store &store) {
  auto id = compiler_build_id();
  if (!id || noted_compiler(store) == *id)
    return;
  // Without the note, the store serves only machines with the library.
  (void)store.put(cache::Kind::Alias, entry_name(),
                  std::as_bytes(std::span(id->data(), id->size())), 0,
                  /*sync=*/false);
}

} // namespace xlac
