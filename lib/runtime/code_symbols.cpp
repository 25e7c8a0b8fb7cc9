#include "code_symbols.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace xlac::runtime {

namespace {

std::string cleaned(std::string text) {
  for (char &c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '.')
      c = '_';
  return text;
}

bool perf_map_wanted() {
  static const bool wanted = flag_setting(SettingId::PerfMap);
  return wanted;
}

/// Appends `count` elements and returns their offset.
template <class T>
size_t append(std::vector<std::byte> &to, const T *from, size_t count) {
  size_t at = to.size();
  to.resize(at + count * sizeof(T));
  if (count > 0)
    std::memcpy(to.data() + at, from, count * sizeof(T));
  return at;
}

} // namespace

std::vector<CodeSymbol> code_symbols(const ExecutableImage &image,
                                     std::span<const std::byte *const> blobs) {
  std::string program = cleaned(image.name.empty() ? "xlac" : image.name) + ".";
  std::map<std::pair<uint32_t, std::string>, const KernelEntry *> kernels;
  for (const KernelEntry &kernel : image.kernels)
    kernels.try_emplace({kernel.blob, kernel.symbol}, &kernel);
  std::vector<CodeSymbol> symbols;
  for (size_t i = 0; i < image.blobs.size() && i < blobs.size(); ++i) {
    for (const BlobSymbol &symbol : image.blobs[i].symbols) {
      std::string name = symbol.name;
      auto found = kernels.find({static_cast<uint32_t>(i), symbol.name});
      if (found != kernels.end() && !found->second->name.empty()) {
        const KernelEntry &kernel = *found->second;
        // GDB strips a numeric suffix after a dot as that of a clone; use "_"
        // instead.
        size_t dot = kernel.symbol.rfind('.');
        name = kernel.name + "." + kernel.kind;
        if (dot != std::string::npos)
          name += "_" + kernel.symbol.substr(dot + 1);
      }
      symbols.push_back({program + cleaned(std::move(name)),
                         reinterpret_cast<uintptr_t>(blobs[i]) + symbol.offset,
                         symbol.size});
    }
  }
  return symbols;
}

void write_perf_map(const std::vector<CodeSymbol> &symbols) {
  if (!perf_map_wanted())
    return;
  std::string path = "/tmp/perf-" + std::to_string(getpid()) + ".map";
  // /tmp is shared: another user may have put a link, a pipe or a file there.
  int file =
      open(path.c_str(),
           O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
           0600);
  if (file < 0)
    return;
  struct stat facts{};
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_uid != geteuid() || facts.st_nlink != 1) {
    close(file);
    return;
  }
  std::string lines;
  char range[64];
  for (const CodeSymbol &symbol : symbols) {
    std::snprintf(range, sizeof range, "%" PRIxPTR " %" PRIx64 " ",
                  symbol.address, symbol.size);
    lines += range + symbol.name + "\n";
  }
  [[maybe_unused]] ssize_t written = write(file, lines.data(), lines.size());
  close(file);
}

std::vector<std::byte> symbol_file(const std::vector<CodeSymbol> &symbols,
                                   const std::byte *code, size_t bytes) {
  enum { kNone, kText, kSymbols, kNames, kSectionNames, kCount };
  static constexpr char kSectionText[] = "\0.text\0.symtab\0.strtab\0.shstrtab";
  std::string names(1, '\0');
  std::vector<Elf64_Sym> table(1);
  for (const CodeSymbol &symbol : symbols) {
    Elf64_Sym &entry = table.emplace_back();
    entry.st_name = static_cast<Elf64_Word>(names.size());
    entry.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    entry.st_shndx = kText;
    entry.st_value = symbol.address;
    entry.st_size = symbol.size;
    names += symbol.name + '\0';
  }
  std::vector<std::byte> file(sizeof(Elf64_Ehdr));
  Elf64_Shdr sections[kCount] = {};
  // The code itself is elsewhere: a section without contents.
  sections[kText] = {1,
                     SHT_NOBITS,
                     SHF_ALLOC | SHF_EXECINSTR,
                     reinterpret_cast<uintptr_t>(code),
                     sizeof(Elf64_Ehdr),
                     bytes,
                     0,
                     0,
                     64,
                     0};
  size_t at = append(file, table.data(), table.size());
  sections[kSymbols] = {
      7, SHT_SYMTAB,       0, 0, at, table.size() * sizeof(Elf64_Sym), kNames,
      1, // the first global one
      8, sizeof(Elf64_Sym)};
  at = append(file, names.data(), names.size());
  sections[kNames] = {15, SHT_STRTAB, 0, 0, at, names.size(), 0, 0, 1, 0};
  at = append(file, kSectionText, sizeof kSectionText);
  sections[kSectionNames] = {23, SHT_STRTAB, 0, 0, at, sizeof kSectionText,
                             0,  0,          1, 0};
  file.resize((file.size() + 7) / 8 * 8);

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = ELFCLASS64;
  header.e_ident[EI_DATA] = ELFDATA2LSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = EM_X86_64;
  header.e_version = EV_CURRENT;
  header.e_ehsize = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = kCount;
  header.e_shstrndx = kSectionNames;
  header.e_shoff = append(file, sections, kCount);
  std::memcpy(file.data(), &header, sizeof header);
  return file;
}

} // namespace xlac::runtime
