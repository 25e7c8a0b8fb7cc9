#include "call_place.h"

#include "xlac/support/call_scope.h"
#include "xlac/support/fork.h"
#include "xlac/support/settings.h"
#include "xlac/support/symbolizer.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fstream>
#include <link.h>
#include <map>
#include <mutex>
#include <span>
#include <sys/mman.h>

namespace xlac {
namespace {

constinit std::atomic<Symbolizer> installed_symbolizer{nullptr};

/// The object that contains the call returning to `address`; null if there is
/// none.
const link_map *object_at(uintptr_t address) {
  Dl_info info;
  link_map *object = nullptr;
  // A return address points after the call; one byte before it is inside the
  // call.
  if (!dladdr1(reinterpret_cast<void *>(address - 1), &info,
               reinterpret_cast<void **>(&object), RTLD_DL_LINKMAP))
    return nullptr;
  return object;
}

bool is_main_program(const link_map &object) {
  return !object.l_name || !*object.l_name;
}

template <class T> bool read_at(std::ifstream &file, uint64_t at, T &into) {
  file.seekg(static_cast<std::streamoff>(at));
  file.read(reinterpret_cast<char *>(&into), sizeof into);
  return static_cast<bool>(file);
}

/// Whether the ELF file has a section with line numbers.
bool has_line_table(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  Elf64_Shdr names{}, section{};
  if (!read_at(file, 0, header) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_shentsize != sizeof section ||
      !read_at(file,
               header.e_shoff + header.e_shstrndx * uint64_t{sizeof section},
               names))
    return false;
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    char name[sizeof ".debug_line"] = {};
    if (!read_at(file, header.e_shoff + i * sizeof section, section))
      return false;
    if (read_at(file, names.sh_offset + section.sh_name, name) &&
        std::memcmp(name, ".debug_line", sizeof name) == 0)
      return true;
    file.clear(); // names may extend to the end of the file
  }
  return false;
}

/// The same for a loaded object, cached by path.
bool has_line_table(const link_map &object) {
  static std::mutex mutex;
  static auto *known = new std::map<std::string, bool>;
  std::string path = is_main_program(object) ? "/proc/self/exe" : object.l_name;
  std::lock_guard lock(mutex);
  auto [found, added] = known->try_emplace(path, false);
  if (added)
    found->second = has_line_table(path);
  return found->second;
}

/// The frames outside the running public call; all frames if no call runs.
/// Needed if the library is linked into the program, which then shares its
/// object.
std::span<void *const> frames_outside(std::span<void *const> frames) {
  auto caller = std::find(frames.begin(), frames.end(),
                          reinterpret_cast<void *>(CallScope::origin()));
  return caller == frames.end() ? frames
                                : frames.subspan(caller - frames.begin());
}

/// The reader of debug information aborts the process if memory is short.
bool has_memory_to_spare() {
  constexpr size_t bytes = 64 << 20;
  void *probe = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return probe != MAP_FAILED && munmap(probe, bytes) == 0;
}

std::optional<std::string> symbolize(uintptr_t address) {
  Symbolizer symbolizer = installed_symbolizer;
  return symbolizer ? symbolizer(address) : std::nullopt;
}

} // namespace

void set_symbolizer(Symbolizer symbolizer) {
  installed_symbolizer = symbolizer;
}

std::string call_place() {
  if (!flag_setting(SettingId::ErrorPlaces, true))
    return "";
  // The loader and the reader of debug information have their own locks.
  ForkSection whole;
  void *addresses[128];
  int count = backtrace(addresses, std::size(addresses));
  std::span<void *const> frames(addresses, static_cast<size_t>(count));
  const link_map *own = object_at(reinterpret_cast<uintptr_t>(&call_place) + 1);
  if (!own || is_main_program(*own))
    frames = frames_outside(frames);
  for (void *frame : frames) {
    auto address = reinterpret_cast<uintptr_t>(frame);
    const link_map *object = object_at(address);
    if (!object || (object == own && !is_main_program(*own)) ||
        !has_line_table(*object))
      continue;
    if (!has_memory_to_spare())
      return "";
    std::optional<std::string> place = symbolize(address);
    if (!place)
      return "";
    if (!place->empty())
      return *place;
  }
  return "";
}

} // namespace xlac
