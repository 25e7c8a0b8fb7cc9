// The file of shared functions that is built into the compiler's library: for
// each function its name and its ELF object. Private to the component.
#ifndef XLAC_LIB_COMPILER_SHAREDOBJECTSFILE_H
#define XLAC_LIB_COMPILER_SHAREDOBJECTSFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

#include <cassert>
#include <cstdint>

namespace xlac::compiler {

/// Objects begin at multiples of this, as LLVM's reader of ELF files needs it.
inline constexpr uint64_t kSharedObjectAlignment = 16;

/// Appends a function. `out` must be at a multiple of the alignment.
inline void writeSharedObject(llvm::raw_ostream &out, llvm::StringRef name,
                              llvm::ArrayRef<char> code) {
  auto pad = [&] {
    out.write_zeros(llvm::offsetToAlignment(
        out.tell(), llvm::Align(kSharedObjectAlignment)));
  };
  for (uint64_t size : {name.size(), code.size()}) {
    char bytes[sizeof size];
    llvm::support::endian::write64le(bytes, size);
    out.write(bytes, sizeof bytes);
  }
  out << name;
  pad();
  out.write(code.data(), code.size());
  pad();
}

/// Calls `use` with each function of the file.
inline void readSharedObjects(
    llvm::ArrayRef<char> file,
    llvm::function_ref<void(llvm::StringRef name, llvm::ArrayRef<char> code)>
        use) {
  auto take = [&](uint64_t size) {
    assert(size <= file.size() && "the build wrote the file");
    llvm::ArrayRef<char> taken = file.take_front(size);
    file = file.drop_front(llvm::alignTo(size, kSharedObjectAlignment));
    return taken;
  };
  while (!file.empty()) {
    llvm::ArrayRef<char> sizes = take(2 * sizeof(uint64_t));
    uint64_t nameSize = llvm::support::endian::read64le(sizes.data());
    uint64_t codeSize = llvm::support::endian::read64le(sizes.data() + 8);
    llvm::ArrayRef<char> name = take(nameSize);
    use({name.data(), name.size()}, take(codeSize));
  }
}

} // namespace xlac::compiler

#endif
