// Names of compiled code for profilers and debuggers, and their registration.
// Code from the cache is registered like code compiled just now, since both are
// loaded the same way. Private to the component.
#pragma once

#include "xlac/runtime/image.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

/// A function of loaded code.
struct CodeSymbol {
  std::string name; ///< "jit_step.dot_add.8.contraction_0"
  uintptr_t address = 0;
  uint64_t size = 0;
};

/// The functions of an image whose blob i is at `blobs[i]`. A name consists of
/// the program's name, the kernel's name as in `xlac bench --kernels`, its kind
/// and its phase. Names contain only letters, digits, _ and dots.
std::vector<CodeSymbol> code_symbols(const ExecutableImage &image,
                                     std::span<const std::byte *const> blobs);

/// Appends the symbols to /tmp/perf-<pid>.map if XLAC_PERF_MAP=1 was set when
/// the process first loaded code. Failures to write are ignored.
void write_perf_map(const std::vector<CodeSymbol> &symbols);

/// An ELF file in memory that names functions at their addresses and contains
/// no code. Debuggers take it as the symbols of JIT-compiled code.
std::vector<std::byte> symbol_file(const std::vector<CodeSymbol> &symbols,
                                   const std::byte *code, size_t bytes);

/// Registers code with GDB's JIT interface while the object lives.
class DebuggerEntry {
public:
  DebuggerEntry() = default;
  ~DebuggerEntry();
  DebuggerEntry(const DebuggerEntry &) = delete;
  DebuggerEntry &operator=(const DebuggerEntry &) = delete;

  /// Call once per object.
  void show(std::vector<std::byte> symbol_file);

private:
  struct Node;
  Node *node_ = nullptr;
};

} // namespace xlac::runtime
