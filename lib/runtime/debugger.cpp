// GDB's JIT interface: a list that GDB finds by its name, and a function, also
// found by its name, at which it stops to read the list.
#include "code_symbols.h"

#include "xlac/support/fork.h"

#include <mutex>

namespace {

/// The layout is that of GDB's jit_code_entry.
struct CodeEntry {
  CodeEntry *next, *previous;
  const char *symbol_file;
  uint64_t symbol_bytes;
};

enum Action : uint32_t { kNothing = 0, kRegister = 1, kUnregister = 2 };

struct Descriptor {
  uint32_t version;
  uint32_t action;
  CodeEntry *relevant;
  CodeEntry *first;
};

} // namespace

extern "C" {
__attribute__((visibility("default"),
               used)) Descriptor __jit_debug_descriptor = {1, kNothing, nullptr,
                                                           nullptr};

__attribute__((visibility("default"), used, noinline)) void
__jit_debug_register_code() {
  // Prevents the compiler from removing the call: GDB sets a breakpoint here.
  asm volatile("" : : : "memory");
}
}

namespace xlac::runtime {

namespace {

ForkMutex &list_mutex() {
  static auto *mutex = new ForkMutex; // outlives static destructors
  return *mutex;
}

void tell(Action action, CodeEntry &entry) {
  __jit_debug_descriptor.action = action;
  __jit_debug_descriptor.relevant = &entry;
  __jit_debug_register_code();
  __jit_debug_descriptor.action = kNothing;
  __jit_debug_descriptor.relevant = nullptr;
}

} // namespace

struct DebuggerEntry::Node {
  CodeEntry entry;
  std::vector<std::byte> file;
};

void DebuggerEntry::show(std::vector<std::byte> symbol_file) {
  node_ = new Node{{}, std::move(symbol_file)};
  CodeEntry &entry = node_->entry;
  entry.symbol_file = reinterpret_cast<const char *>(node_->file.data());
  entry.symbol_bytes = node_->file.size();
  std::lock_guard lock(list_mutex());
  entry.next = __jit_debug_descriptor.first;
  if (entry.next)
    entry.next->previous = &entry;
  __jit_debug_descriptor.first = &entry;
  tell(kRegister, entry);
}

DebuggerEntry::~DebuggerEntry() {
  if (!node_)
    return;
  CodeEntry &entry = node_->entry;
  {
    std::lock_guard lock(list_mutex());
    if (entry.next)
      entry.next->previous = entry.previous;
    if (entry.previous)
      entry.previous->next = entry.next;
    else
      __jit_debug_descriptor.first = entry.next;
    tell(kUnregister, entry);
  }
  delete node_;
}

} // namespace xlac::runtime
