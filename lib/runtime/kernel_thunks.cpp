#include "kernel_thunks.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace xlac::runtime {

namespace {

constexpr size_t kThunkBytes = 32;
/// Thunks are allocated by the page.
constexpr size_t kLeastThunks = 4096 / kThunkBytes;

/// A kernel takes five arguments in registers; the sixth register is free:
///   mov r9d, number; movabs rax, target; jmp rax
void write_thunk(std::byte *to, uint32_t number, KernelThunks::Target target) {
  uint8_t code[kThunkBytes] = {0x41, 0xb9, 0, 0, 0, 0, 0x48, 0xb8, 0,   0,
                               0,    0,    0, 0, 0, 0, 0xff, 0xe0, 0xcc};
  auto address = reinterpret_cast<uint64_t>(target);
  std::memcpy(code + 2, &number, sizeof number);
  std::memcpy(code + 8, &address, sizeof address);
  std::memcpy(to, code, sizeof code);
}

} // namespace

KernelThunks::~KernelThunks() {
  for (const Block &block : blocks_)
    munmap(block.code, block.bytes);
}

Status KernelThunks::reserve(size_t count) {
  if (count <= table_.size())
    return {};
  size_t first = table_.size();
  size_t more =
      (count - first + kLeastThunks - 1) / kLeastThunks * kLeastThunks;
  size_t bytes = more * kThunkBytes;
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return failure(FailureKind::OutOfMemory,
                   "no memory to record launches with");
  auto *code = static_cast<std::byte *>(memory);
  for (size_t i = 0; i < more; ++i)
    write_thunk(code + i * kThunkBytes, static_cast<uint32_t>(first + i),
                target_);
  if (mprotect(memory, bytes, PROT_READ | PROT_EXEC) != 0) {
    int error = errno;
    munmap(memory, bytes);
    return failure(FailureKind::Runtime,
                   std::string("cannot record launches: ") +
                       std::strerror(error));
  }
  blocks_.push_back({code, bytes, static_cast<uint32_t>(first)});
  for (size_t i = 0; i < more; ++i)
    table_.push_back(reinterpret_cast<xlac_kernel_fn>(code + i * kThunkBytes));
  return {};
}

std::optional<uint32_t> KernelThunks::number_of(xlac_kernel_fn function) const {
  auto address = reinterpret_cast<uintptr_t>(function);
  for (const Block &block : blocks_) {
    auto start = reinterpret_cast<uintptr_t>(block.code);
    if (address >= start && address < start + block.bytes)
      return block.first +
             static_cast<uint32_t>((address - start) / kThunkBytes);
  }
  return std::nullopt;
}

} // namespace xlac::runtime
