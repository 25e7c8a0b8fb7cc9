// What compiled code is called in front of people: names for profilers and
// debuggers, and how each of them is told. Code from the cache shows as well as
// code compiled just now, since both are loaded alike. Private to the
// component.
#pragma once

#include "xlac/runtime/image.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace xlac::runtime {

/// A function of loaded code.
struct CodeSymbol {
  std::string name; ///< "jit_step.kernel_8.contraction_0"
  uintptr_t address = 0;
  uint64_t size = 0;
};

/// The image's functions once blob i lies at `blobs[i]`: the program's name,
/// the kernel's as `xlac bench --kernels` has it, its kind and phase. Letters,
/// digits and _ . alone.
std::vector<CodeSymbol> code_symbols(const ExecutableImage &image,
                                     std::span<const std::byte *const> blobs);

/// Appends the symbols to /tmp/perf-<pid>.map if XLAC_PERF_MAP=1 was set when
/// the process first loaded code. Failures to write are ignored.
void write_perf_map(const std::vector<CodeSymbol> &symbols);

/// An ELF file in memory that names functions at their addresses and holds no
/// code; what debuggers take as the symbols of code made at run time.
std::vector<std::byte> symbol_file(const std::vector<CodeSymbol> &symbols,
                                   const std::byte *code, size_t bytes);

/// Shows code to GDB, through its interface for code made at run time, for as
/// long as the object lives.
class DebuggerEntry {
public:
  DebuggerEntry() = default;
  ~DebuggerEntry();
  DebuggerEntry(const DebuggerEntry &) = delete;
  DebuggerEntry &operator=(const DebuggerEntry &) = delete;

  /// Once an object.
  void show(std::vector<std::byte> symbol_file);

private:
  struct Node;
  Node *node_ = nullptr;
};

} // namespace xlac::runtime
