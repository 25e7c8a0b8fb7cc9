#include "xlac/loader/compiler_library.h"

#include "xlac/support/fork.h"
#include "xlac/support/library_path.h"
#include "xlac/support/logging.h"
#include "xlac/support/settings.h"
#include "xlac/support/symbolizer.h"

#include <fmt/format.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <mutex>
#include <vector>

namespace xlac {
namespace {

constexpr const char *kLibrary = "libxlac_compiler.so";
std::atomic<bool> opened = false;

size_t padded(size_t size) { return (size + 3) & ~size_t{3}; }

/// The contents of the build-id note in a note segment, as hexadecimal text.
std::string id_in_notes(const std::vector<char> &notes) {
  size_t at = 0;
  while (at + sizeof(Elf64_Nhdr) <= notes.size()) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    size_t payload = at + sizeof note + padded(note.n_namesz);
    if (payload + note.n_descsz > notes.size())
      break;
    if (note.n_type == NT_GNU_BUILD_ID) {
      std::string hex;
      for (size_t i = 0; i < note.n_descsz; ++i)
        hex += fmt::format("{:02x}",
                           static_cast<unsigned char>(notes[payload + i]));
      return hex;
    }
    at = payload + padded(note.n_descsz);
  }
  return {};
}

Result<std::string> read_build_id(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return failure(FailureKind::Runtime,
                   fmt::format("{}: cannot be opened: {}", path.string(),
                               std::strerror(errno)));
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char *>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
    return failure(FailureKind::Runtime,
                   fmt::format("{}: is not an ELF library", path.string()));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(
        static_cast<std::streamoff>(header.e_phoff + i * sizeof(Elf64_Phdr)));
    file.read(reinterpret_cast<char *>(&segment), sizeof segment);
    if (!file || segment.p_type != PT_NOTE || segment.p_filesz > 1u << 16)
      continue;
    std::vector<char> notes(segment.p_filesz);
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(notes.data(), static_cast<std::streamsize>(notes.size()));
    if (std::string id = id_in_notes(notes); !id.empty())
      return id;
  }
  return failure(FailureKind::Runtime,
                 fmt::format("{}: has no build id", path.string()));
}

Result<Compiler *> load_library() {
  auto path = find_compiler_library();
  if (!path)
    return path.error();
  auto id = compiler_build_id();
  if (!id)
    return id.error();
  void *library = dlopen(path->c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return failure(FailureKind::Runtime,
                   fmt::format("cannot open the compiler: {}", dlerror()));
  auto create =
      reinterpret_cast<CompilerFactory>(dlsym(library, kCompilerFactorySymbol));
  Compiler *compiler = create ? create(kCompilerInterface) : nullptr;
  if (!compiler)
    return failure(
        FailureKind::Runtime,
        fmt::format("{}: belongs to another version of xlac", path->string()));
  if (!compiler->build_id().starts_with(*id))
    return failure(
        FailureKind::Runtime,
        fmt::format("{}: was replaced while this process ran", path->string()));
  if (auto set_log = reinterpret_cast<CompilerLogSetter>(
          dlsym(library, kCompilerLogSymbol)))
    set_log([](int level, const char *text, size_t size) {
      log_message(static_cast<LogLevel>(level), {text, size});
    });
  opened = true;
  return compiler;
}

} // namespace

Result<std::filesystem::path> find_compiler_library() {
  if (auto named = text_setting(SettingId::CompilerLibrary))
    return std::filesystem::path(*named);
  auto path = find_own_library(kLibrary);
  if (!path)
    return failure(path.error().failure_kind,
                   path.error().message + "; set XLAC_COMPILER_LIBRARY");
  return path;
}

Result<std::string> compiler_build_id() {
  static const Result<std::string> id = []() -> Result<std::string> {
    auto path = find_compiler_library();
    if (!path)
      return path.error();
    return read_build_id(*path);
  }();
  return id;
}

Result<Compiler *> open_compiler() {
  ForkSection section;
  static const Result<Compiler *> compiler = load_library();
  return compiler;
}

bool compiler_is_open() { return opened; }

/// Reads debug information with the compiler, for source lines in errors.
static std::optional<std::string> symbolize_with_compiler(uintptr_t address) {
  Result<Compiler *> compiler = open_compiler();
  if (!compiler)
    return std::nullopt;
  return (*compiler)->symbolize(address);
}

[[maybe_unused]] static const bool symbolizer_is_set =
    (set_symbolizer(symbolize_with_compiler), true);

} // namespace xlac
