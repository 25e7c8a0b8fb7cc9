#include "BuildId.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Alignment.h"

#include <elf.h>
#include <link.h>

#include <cstring>

using llvm::StringRef;

namespace xlac::compiler {

/// Callback of dl_iterate_phdr: finds the note of the object that contains this
/// code.
static int findNote(dl_phdr_info *info, size_t, void *data) {
  auto here = reinterpret_cast<uintptr_t>(&findNote);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &segment = info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + segment.p_vaddr;
    ours |= segment.p_type == PT_LOAD && here >= start &&
            here < start + segment.p_memsz;
  }
  if (!ours)
    return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE)
      continue;
    const char *at =
        reinterpret_cast<const char *>(info->dlpi_addr + segment.p_vaddr);
    const char *end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char *payload = at + sizeof note + llvm::alignTo(note.n_namesz, 4);
      if (note.n_type == NT_GNU_BUILD_ID && payload + note.n_descsz <= end) {
        *static_cast<std::string *>(data) =
            llvm::toHex(StringRef(payload, note.n_descsz), true);
        return 1;
      }
      at = payload + llvm::alignTo(note.n_descsz, 4);
    }
  }
  return 1;
}

std::string ownBuildId() {
  static const std::string id = [] {
    std::string hex;
    dl_iterate_phdr(findNote, &hex);
    return hex + "-" LLVM_VERSION_STRING;
  }();
  return id;
}

} // namespace xlac::compiler
