// The symbols of loaded code that profilers and debuggers see.
#include "code_symbols.h"
#include "test_image.h"

#include <gtest/gtest.h>

#include <elf.h>

using namespace xlac;
using namespace xlac::test;

/// As declared by debuggers.
struct DebuggedCode {
  DebuggedCode *next, *previous;
  const char *symbol_file;
  uint64_t symbol_bytes;
};
struct DebuggedList {
  uint32_t version, action;
  DebuggedCode *relevant, *first;
};
extern "C" DebuggedList __jit_debug_descriptor;

namespace {

int32_t nothing(const xlac_ctx *, const void *const *, void *const *, void *) {
  return 0;
}

runtime::ExecutableImage image() {
  runtime::ExecutableImage made = make_image(nothing, 0, 0);
  made.name = "a step!";
  made.blobs.emplace_back();
  add_jump(made.blobs[1], "k12.0", nothing);
  add_jump(made.blobs[1], "k12.1", nothing);
  add_jump(made.blobs[1], "other", nothing);
  made.kernels = {{"k12.0", 1, "reduction", "", 0, 0, "reduce_add.3", ""},
                  {"k12.1", 1, "reduction", "", 0, 0, "reduce_add.3", ""}};
  return made;
}

size_t listed() {
  size_t count = 0;
  const DebuggedCode *previous = nullptr;
  for (const DebuggedCode *one = __jit_debug_descriptor.first; one;
       previous = one, one = one->next, ++count)
    EXPECT_EQ(one->previous, previous);
  return count;
}

} // namespace

TEST(CodeSymbols, NameProgramKernelKindAndPhase) {
  runtime::ExecutableImage made = image();
  std::byte memory[64];
  const std::byte *blobs[] = {memory, memory + 16};
  std::vector<runtime::CodeSymbol> symbols = code_symbols(made, blobs);
  ASSERT_EQ(symbols.size(), 4u);
  EXPECT_EQ(symbols[0].name, "a_step_.xlac_entry");
  EXPECT_EQ(symbols[0].address, reinterpret_cast<uintptr_t>(memory));
  EXPECT_EQ(symbols[1].name, "a_step_.reduce_add.3.reduction_0");
  EXPECT_EQ(symbols[2].name, "a_step_.reduce_add.3.reduction_1");
  EXPECT_EQ(symbols[2].address, reinterpret_cast<uintptr_t>(memory + 32));
  EXPECT_EQ(symbols[2].size, 16u);
  EXPECT_EQ(symbols[3].name, "a_step_.other");
}

TEST(CodeSymbols, SymbolFilesAreElf) {
  std::byte code[256];
  auto base = reinterpret_cast<uintptr_t>(code);
  std::vector<std::byte> file = runtime::symbol_file(
      {{"first", base, 16}, {"second", base + 64, 100}}, code, 256);
  Elf64_Ehdr header;
  ASSERT_GE(file.size(), sizeof header);
  std::memcpy(&header, file.data(), sizeof header);
  EXPECT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(header.e_machine, EM_X86_64);
  ASSERT_EQ(header.e_shoff % alignof(Elf64_Shdr), 0u);
  ASSERT_EQ(header.e_shoff + header.e_shnum * sizeof(Elf64_Shdr), file.size());
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  std::memcpy(sections.data(), file.data() + header.e_shoff,
              sections.size() * sizeof(Elf64_Shdr));
  auto text = [&](const Elf64_Shdr &table, size_t at) {
    return std::string(
        reinterpret_cast<const char *>(file.data() + table.sh_offset + at));
  };
  std::vector<std::string> names;
  for (const Elf64_Shdr &section : sections) {
    names.push_back(text(sections[header.e_shstrndx], section.sh_name));
    if (names.back() == ".text") {
      EXPECT_EQ(section.sh_addr, base);
      EXPECT_EQ(section.sh_size, 256u);
    }
    if (names.back() != ".symtab")
      continue;
    std::vector<Elf64_Sym> symbols(section.sh_size / sizeof(Elf64_Sym));
    ASSERT_EQ(symbols.size(), 3u);
    std::memcpy(symbols.data(), file.data() + section.sh_offset,
                section.sh_size);
    EXPECT_EQ(text(sections[section.sh_link], symbols[2].st_name), "second");
    EXPECT_EQ(symbols[2].st_value, base + 64);
    EXPECT_EQ(symbols[2].st_size, 100u);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"", ".text", ".symtab", ".strtab",
                                             ".shstrtab"}));
}

/// Symbols are listed while a program is loaded, in any order of unloading.
TEST(CodeSymbols, DebuggersSeeWhatIsLoaded) {
  size_t before = listed();
  auto first = load(image()), second = load(image()), third = load(image());
  EXPECT_EQ(listed(), before + 3);
  second.reset();
  EXPECT_EQ(listed(), before + 2);
  third.reset();
  const DebuggedCode *entry = __jit_debug_descriptor.first;
  ASSERT_TRUE(entry);
  EXPECT_EQ(std::memcmp(entry->symbol_file, ELFMAG, SELFMAG), 0);
  EXPECT_GT(entry->symbol_bytes, sizeof(Elf64_Ehdr));
  first.reset();
  EXPECT_EQ(listed(), before);
  EXPECT_EQ(__jit_debug_descriptor.version, 1u);
}
