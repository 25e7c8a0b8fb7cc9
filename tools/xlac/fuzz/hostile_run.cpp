// Compiles invalid programs and runs them on buffers between guard pages.
#include "fuzz/hostile.h"

#include "xlac/loader/compiler_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace xlac::fuzz {

namespace {

/// Limits of the programs that are run.
constexpr int64_t kMostNanoseconds = 500'000'000;
constexpr int64_t kMostBytes = int64_t(64) << 20;
constexpr int64_t kAlignment = 64;

/// Bytes directly before an inaccessible page, except for padding for
/// alignment. The page before them is inaccessible, too.
class GuardedBytes {
public:
  explicit GuardedBytes(int64_t bytes) : bytes_(bytes) {
    int64_t page = ::sysconf(_SC_PAGESIZE);
    int64_t padded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    pages_ = (std::max<int64_t>(padded, 1) + page - 1) / page * page;
    mapped_ = pages_ + 2 * page;
    void *memory =
        ::mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    base_ = static_cast<std::byte *>(memory);
    inner_ = base_ + page;
    ::mprotect(inner_, pages_, PROT_READ | PROT_WRITE);
    data_ = inner_ + pages_ - padded;
  }
  ~GuardedBytes() {
    if (base_)
      ::munmap(base_, mapped_);
  }
  GuardedBytes(const GuardedBytes &) = delete;
  GuardedBytes &operator=(const GuardedBytes &) = delete;

  bool is_there() const { return base_ != nullptr; }
  std::byte *data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  /// Fills the bytes and the padding around them.
  void fill(int value) {
    fill_ = static_cast<std::byte>(value);
    std::memset(inner_, value, pages_);
  }
  void make_read_only() { ::mprotect(inner_, pages_, PROT_READ); }
  /// True if the padding was not written since fill().
  bool is_whole() const {
    auto same = [&](std::byte byte) { return byte == fill_; };
    return std::all_of(inner_, data_, same) &&
           std::all_of(data_ + bytes_, inner_ + pages_, same);
  }

private:
  int64_t bytes_, pages_ = 0, mapped_ = 0;
  std::byte *base_ = nullptr, *inner_ = nullptr, *data_ = nullptr;
  std::byte fill_{};
};

using Buffers = std::vector<std::unique_ptr<GuardedBytes>>;

/// Fills the buffer with small numbers of the type, and sometimes with special
/// ones.
void draw(GuardedBytes &buffer, ElementType element, Random &random) {
  buffer.fill(0);
  std::byte *at = buffer.data(), *end = at + buffer.bytes();
  ElementType part = real_part_type(element);
  int size = byte_size(part);
  for (; at < end; at += size) {
    int64_t number = random.between(-4, 8);
    if (part == ElementType::F32 || part == ElementType::F64) {
      double value =
          random.chance(1) ? 1e300 * 1e300 : static_cast<double>(number) / 3;
      auto narrow = static_cast<float>(value);
      std::memcpy(at,
                  size == 4 ? static_cast<void *>(&narrow)
                            : static_cast<void *>(&value),
                  static_cast<size_t>(size));
    } else {
      number = is_boolean(part) ? number & 1 : std::max<int64_t>(number, 0);
      std::memcpy(at, &number, static_cast<size_t>(std::min(size, 8)));
    }
  }
}

/// Returns the reason for not running the program; empty if it is run.
std::string reason_not_to_run(const runtime::Executable &executable,
                              const std::string &text) {
  const runtime::ExecutableImage &image = executable.image();
  int64_t bytes = image.arena_bytes;
  for (const auto *list :
       {&executable.argument_bytes(), &executable.result_bytes()})
    for (int64_t size : *list)
      bytes += std::min(size, kMostBytes);
  if (bytes > kMostBytes || image.estimated_nanoseconds > kMostNanoseconds)
    return "large";
  // The condition of a mutated loop may never become false.
  if (text.find("while") != std::string::npos)
    return "loops";
  if (image.grid.count() != 1 || image.partitions != 1)
    return "a grid";
  for (const runtime::Collective &what : image.collectives)
    if (what.kind != runtime::CollectiveKind::CustomCall)
      return "waits for others";
  return {};
}

Outcome mismatch(std::string what) {
  return {CaseResult::Mismatch, std::move(what)};
}

/// Runs once, with results and heap filled with `fill`.
Status run_once(const runtime::Executable &executable, const Buffers &arguments,
                const Buffers &results, int fill) {
  ::mallopt(M_PERTURB, fill);
  std::vector<const void *> in;
  std::vector<void *> out;
  for (const auto &argument : arguments)
    in.push_back(argument->data());
  for (const auto &result : results) {
    result->fill(fill);
    out.push_back(result->data());
  }
  runtime::RunContext context;
  return executable.run(context, in, out);
}

Outcome run_twice(const runtime::Executable &executable) {
  Random random(7);
  Buffers arguments, first, second;
  auto add = [](Buffers &to, int64_t bytes) {
    to.push_back(std::make_unique<GuardedBytes>(bytes));
    return to.back()->is_there();
  };
  const runtime::ExecutableImage &image = executable.image();
  for (size_t i = 0; i < image.arguments.size(); ++i) {
    if (!add(arguments, executable.argument_bytes()[i]))
      return mismatch("no memory for guarded buffers");
    if (image.arguments[i].is_tensor())
      draw(*arguments[i], image.arguments[i].tensor().element, random);
    arguments[i]->make_read_only();
  }
  for (int64_t bytes : executable.result_bytes())
    if (!add(first, bytes) || !add(second, bytes))
      return mismatch("no memory for guarded buffers");
  Status one = run_once(executable, arguments, first, 0xA5);
  Status other = run_once(executable, arguments, second, 0x5A);
  if (!one != !other)
    return mismatch("fails in one run of two");
  if (!one)
    return one.error().message.empty() ? mismatch("fails without a reason")
                                       : Outcome{};
  for (size_t i = 0; i < first.size(); ++i) {
    if (!first[i]->is_whole() || !second[i]->is_whole())
      return mismatch(fmt::format("writes outside of result {}", i));
    if (std::memcmp(first[i]->data(), second[i]->data(),
                    static_cast<size_t>(first[i]->bytes())) != 0)
      return mismatch(fmt::format("result {} is not written whole, or is "
                                  "another in each run",
                                  i));
  }
  return {};
}

} // namespace

Outcome refused(const Failure &failure) {
  if (failure.message.empty())
    return mismatch("rejected without a reason");
  if (failure.failure_kind == FailureKind::Internal)
    return mismatch("internal error: " + failure.message);
  return {};
}

Outcome run_hostile(const HostileProgram &program, CompilerOptions options) {
  ::alarm(kPatience);
  options.argument_sizes = program.sizes;
  auto loaded = load_or_compile(Source{program.text, "hostile.mlir", "main"},
                                ProgramLoadOptions{options, nullptr, false});
  Outcome outcome;
  if (!loaded)
    outcome = refused(loaded.error());
  else if (reason_not_to_run(*loaded->executable, program.text).empty())
    outcome = run_twice(*loaded->executable);
  ::alarm(0);
  return outcome;
}

} // namespace xlac::fuzz
