#include "ffi_registry.h"

#include "errors.h"

#include "xlac/support/fork.h"

#include <cstring>
#include <map>
#include <mutex>

namespace xlac::pjrt {
namespace {

struct FfiType {
  std::string name;
  FfiDeleter deleter = nullptr;
};

struct FfiRegistry {
  ForkMutex mutex;
  std::map<std::string, int64_t, std::less<>> ids;
  std::map<int64_t, FfiType> types;
  std::map<std::string, XLA_FFI_Handler_Bundle, std::less<>> handlers;
};

FfiRegistry &ffi_registry() {
  // Never destroyed: programs may still run while the process exits.
  static FfiRegistry *one = new FfiRegistry();
  return *one;
}

} // namespace

int64_t register_ffi_type(std::string_view name, int64_t id,
                          FfiDeleter deleter) {
  // Large, to differ from the ids that other registries in this process assign.
  constexpr int64_t kFirstId = int64_t(1) << 32;
  FfiRegistry &all = ffi_registry();
  std::lock_guard lock(all.mutex);
  if (auto known = all.ids.find(name); known != all.ids.end()) {
    if (id != 0 && id != known->second)
      throw_invalid("the type '" + std::string(name) + "' has the id " +
                    std::to_string(known->second) + ", not " +
                    std::to_string(id));
    return known->second;
  }
  if (id == 0)
    id = kFirstId + static_cast<int64_t>(all.types.size());
  auto [place, added] =
      all.types.try_emplace(id, FfiType{std::string(name), deleter});
  if (!added)
    throw_invalid("the id " + std::to_string(id) + " of the type '" +
                  std::string(name) + "' is that of '" + place->second.name +
                  "'");
  all.ids.emplace(name, id);
  return id;
}

std::string ffi_type_name(int64_t id) {
  FfiRegistry &all = ffi_registry();
  std::lock_guard lock(all.mutex);
  auto found = all.types.find(id);
  return found == all.types.end() ? std::string() : found->second.name;
}

FfiDeleter ffi_deleter(int64_t id) {
  FfiRegistry &all = ffi_registry();
  std::lock_guard lock(all.mutex);
  auto found = all.types.find(id);
  return found == all.types.end() ? nullptr : found->second.deleter;
}

bool add_ffi_handlers(std::string_view target,
                      const XLA_FFI_Handler_Bundle &handlers) {
  FfiRegistry &all = ffi_registry();
  std::lock_guard lock(all.mutex);
  auto [place, added] = all.handlers.try_emplace(std::string(target), handlers);
  if (!added && std::memcmp(&place->second, &handlers, sizeof handlers) != 0)
    throw Error(PJRT_Error_Code_ALREADY_EXISTS,
                "the foreign function '" + std::string(target) +
                    "' has been registered with another handler");
  return added;
}

std::optional<XLA_FFI_Handler_Bundle> find_ffi_handlers(std::string_view name) {
  FfiRegistry &all = ffi_registry();
  std::lock_guard lock(all.mutex);
  auto found = all.handlers.find(name);
  if (found == all.handlers.end())
    return std::nullopt;
  return found->second;
}

} // namespace xlac::pjrt
