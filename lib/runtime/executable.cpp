#include "xlac/runtime/executable.h"

#include "code_symbols.h"
#include "host_call.h"
#include "native_call.h"
#include "services.h"
#include "started_collectives.h"
#include "timed_run.h"

#include "xlac/library/custom_calls.h"
#include "xlac/runtime/float_mode.h"
#include "xlac/support/program_names.h"
#include "xlac/support/target_profile.h"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace xlac::runtime {

namespace {

size_t aligned(size_t bytes) {
  return (bytes + XLAC_ALIGNMENT - 1) / XLAC_ALIGNMENT * XLAC_ALIGNMENT;
}

/// Whether the operation may wait although the program runs alone.
bool may_block_alone(const Collective &what) {
  switch (what.kind) {
  case CollectiveKind::Send:
  case CollectiveKind::Recv:
  case CollectiveKind::Infeed:
  case CollectiveKind::Outfeed:
    return true;
  case CollectiveKind::CustomCall:
    return !library::is_built_in_call(what.function.target);
  default:
    return false;
  }
}

/// Size of a buffer of that type; empty for types that buffers cannot hold.
std::optional<int64_t> bytes_of(const Type &type) {
  if (type.is_token())
    return 0;
  if (!type.is_tensor())
    return std::nullopt;
  return type.tensor().byte_count();
}

} // namespace

std::string missing_features(const ExecutableImage &image) {
  static constexpr std::pair<uint64_t, const char *> kNames[] = {
      {kFeatureAvx2, "AVX2"},
      {kFeatureAvxVnni, "AVX-VNNI"},
      {kFeatureAvx512, "AVX-512"},
      {kFeatureAvx512Vnni, "VNNI"},
      {kFeatureAvx512Bf16, "AVX512-BF16"},
      {kFeatureAvx512Fp16, "AVX512-FP16"},
      {kFeatureAmxTile, "AMX-TILE"},
      {kFeatureAmxInt8, "AMX-INT8"},
      {kFeatureAmxBf16, "AMX-BF16"}};
  uint64_t features = image.features;
  for (const Blob &blob : image.blobs)
    features |= blob.features;
  if (host_supports(features))
    return {};
  std::string text;
  for (auto [bit, name] : kNames) {
    if (!(features & bit) || host_supports(bit))
      continue;
    if (!text.empty())
      text += ", ";
    text += name;
  }
  return text.empty() ? "an unknown feature" : text;
}

RunContext::RunContext(std::shared_ptr<Allocator> allocator, int threads)
    : allocator_(std::move(allocator)), threads_(threads) {}

RunContext::~RunContext() {
  if (arena_)
    allocator_->release(arena_, arena_bytes_);
}

Result<std::byte *> RunContext::arena(int64_t bytes) {
  if (lent_arena_ && bytes <= lent_bytes_)
    return lent_arena_;
  if (arena_ && bytes <= arena_bytes_)
    return arena_;
  // Frees the old arena first: there may not be enough memory for both.
  if (arena_)
    allocator_->release(arena_, arena_bytes_);
  arena_ = nullptr;
  arena_bytes_ = 0;
  Result<std::byte *> grown = allocator_->allocate(bytes);
  if (!grown)
    return grown.error();
  arena_ = *grown;
  arena_bytes_ = bytes;
  return arena_;
}

Status RunContext::ensure_grid() {
  if (grid_rank_.grid)
    return {};
  Result<std::shared_ptr<Communicator>> own = make_local_grid({});
  if (!own)
    return own.error();
  (*own)->enter(0);
  grid_rank_ = {std::move(*own), 0};
  return {};
}

Result<std::shared_ptr<const Executable>>
Executable::load(ExecutableImage image, CallCheck check) {
  static std::atomic<uint64_t> last_id{0};
  std::shared_ptr<Executable> executable(new Executable());
  executable->id_ = ++last_id;
  executable->image_ = std::move(image);
  executable->record_run(executable->image_.estimated_nanoseconds);
  XLAC_RETURN_IF_ERROR(executable->check_types());
  XLAC_RETURN_IF_ERROR(executable->map_code());
  XLAC_RETURN_IF_ERROR(executable->find_entries());
  XLAC_RETURN_IF_ERROR(executable->find_host_calls(check));
  XLAC_RETURN_IF_ERROR(executable->place_constants());
  executable->show_symbols();
  // Frees the data that was copied.
  for (Blob &blob : executable->image_.blobs)
    std::vector<std::byte>().swap(blob.bytes);
  return std::shared_ptr<const Executable>(std::move(executable));
}

ExecutableImage Executable::whole_image() const {
  ExecutableImage image = image_;
  for (size_t i = 0; i < image.blobs.size(); ++i) {
    const std::byte *from = code_ + blob_offsets_[i];
    image.blobs[i].bytes.assign(from, from + blob_sizes_[i]);
  }
  return image;
}

Executable::Executable() = default;

Executable::~Executable() {
  debugger_.reset(); // before the code is unmapped
  if (code_)
    munmap(code_, code_bytes_);
}

Status Executable::check_types() {
  auto measure = [](const std::vector<Type> &types, const char *what,
                    std::vector<int64_t> &sizes) -> Status {
    for (size_t i = 0; i < types.size(); ++i) {
      std::optional<int64_t> bytes = bytes_of(types[i]);
      if (!bytes)
        return failure(FailureKind::Unsupported,
                       std::string(what) + " " + std::to_string(i) +
                           " has the type " + to_string(types[i]) +
                           ", which no buffer can hold");
      sizes.push_back(*bytes);
    }
    return {};
  };
  XLAC_RETURN_IF_ERROR(measure(image_.arguments, "argument", argument_bytes_));
  XLAC_RETURN_IF_ERROR(measure(image_.results, "result", result_bytes_));
  for (const Collective &what : image_.collectives) {
    may_block_alone_ |= may_block_alone(what);
    has_collectives_ |= what.kind != CollectiveKind::PartitionId &&
                        what.kind != CollectiveKind::ReplicaId;
  }
  for (AliasPair pair : image_.aliases) {
    if (pair.result >= result_bytes_.size() ||
        pair.argument >= argument_bytes_.size() ||
        result_bytes_[pair.result] != argument_bytes_[pair.argument])
      return failure(FailureKind::Internal,
                     "the program's alias pair (" +
                         std::to_string(pair.result) + ", " +
                         std::to_string(pair.argument) + ") does not fit");
  }
  std::vector<bool> takes_over(result_bytes_.size());
  for (AliasPair pair : image_.aliases)
    takes_over[pair.result] = true;
  for (size_t i = 0; i < result_bytes_.size(); ++i)
    if (!takes_over[i])
      new_bytes_.push_back(result_bytes_[i]);
  return {};
}

Status Executable::map_code() {
  size_t total = 0;
  for (const Blob &blob : image_.blobs) {
    blob_offsets_.push_back(total);
    blob_sizes_.push_back(blob.bytes.size());
    total += aligned(blob.bytes.size());
  }
  if (std::string missing = missing_features(image_); !missing.empty())
    return failure(FailureKind::Runtime,
                   "the program was compiled for '" + image_.target_profile +
                       "'; this machine lacks " + missing);
  if (total == 0)
    return failure(FailureKind::Runtime, "the executable image holds no code");
  void *memory = mmap(nullptr, total, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return failure(FailureKind::OutOfMemory,
                   "no memory for " + std::to_string(total) + " bytes of code");
  code_ = static_cast<std::byte *>(memory);
  code_bytes_ = total;
  assert(blob_offsets_.size() == image_.blobs.size() &&
         "every blob has a place");
  for (size_t i = 0; i < image_.blobs.size(); ++i)
    if (!image_.blobs[i].bytes.empty())
      std::memcpy(code_ + blob_offsets_[i], image_.blobs[i].bytes.data(),
                  image_.blobs[i].bytes.size());
  if (mprotect(code_, code_bytes_, PROT_READ | PROT_EXEC) != 0)
    return failure(FailureKind::Runtime,
                   std::string("cannot make code executable: ") +
                       std::strerror(errno));
  return {};
}

Result<const void *> Executable::address_of(uint32_t blob,
                                            const std::string &name) const {
  const BlobSymbol *symbol =
      blob < image_.blobs.size() ? image_.blobs[blob].find(name) : nullptr;
  if (!symbol || symbol->offset >= image_.blobs[blob].bytes.size())
    return failure(FailureKind::Runtime,
                   "the executable image has no function '" + name + "'");
  return static_cast<const void *>(code_ + blob_offsets_[blob] +
                                   symbol->offset);
}

Status Executable::find_entries() {
  auto function = [](const void *address) {
    return const_cast<void *>(address);
  };
  Result<const void *> entry = address_of(0, names::kEntrySymbol);
  if (!entry)
    return entry.error();
  entry_ = reinterpret_cast<xlac_entry_fn>(function(*entry));
  if (!image_.prologue.empty()) {
    Result<const void *> prologue = address_of(0, names::kPrologueSymbol);
    if (!prologue)
      return prologue.error();
    prologue_ = reinterpret_cast<xlac_entry_fn>(function(*prologue));
  }
  for (const KernelEntry &kernel : image_.kernels) {
    Result<const void *> address = address_of(kernel.blob, kernel.symbol);
    if (!address)
      return address.error();
    kernels_.push_back(reinterpret_cast<xlac_kernel_fn>(function(*address)));
  }
  for (const Collective &what : image_.collectives)
    if (!is_complete(what, kernels_.size()))
      return failure(FailureKind::User,
                     describe(what) + ": operands and results do not fit");
  return {};
}

void Executable::show_symbols() {
  std::vector<const std::byte *> blobs;
  for (size_t offset : blob_offsets_)
    blobs.push_back(code_ + offset);
  std::vector<CodeSymbol> symbols = code_symbols(image_, blobs);
  write_perf_map(symbols);
  debugger_ = std::make_unique<DebuggerEntry>();
  debugger_->show(symbol_file(symbols, code_, code_bytes_));
}

Status Executable::find_host_calls(CallCheck check) {
  for (const Collective &what : image_.collectives) {
    host_calls_.emplace_back();
    if (what.kind != CollectiveKind::CustomCall)
      continue;
    Result<std::shared_ptr<const HostCall>> call = HostCall::find(what, check);
    if (!call)
      return call.error();
    host_calls_.back() = std::move(*call);
  }
  return {};
}

/// Copies constants to memory with the alignment and padding that code needs.
static Status align_constants(ExecutableImage &image) {
  size_t total = 0;
  for (const SharedBytes &constant : image.constants)
    total += constant_stride(constant.size());
  std::shared_ptr<std::byte> memory(
      static_cast<std::byte *>(std::aligned_alloc(XLAC_ALIGNMENT, total)),
      std::free);
  if (!memory)
    return failure(FailureKind::OutOfMemory, "no memory for " +
                                                 std::to_string(total) +
                                                 " bytes of constants");
  std::byte *to = memory.get();
  for (SharedBytes &constant : image.constants) {
    if (!constant.empty())
      std::memcpy(to, constant.data(), constant.size());
    size_t size = constant.size();
    constant = SharedBytes({to, size}, memory);
    to += constant_stride(size);
    assert(to <= memory.get() + total && "constants fit their memory");
  }
  image.constants_in_place = true;
  return {};
}

Status Executable::place_constants() {
  if (!image_.constants.empty() && !image_.constants_in_place)
    XLAC_RETURN_IF_ERROR(align_constants(image_));
  for (const SharedBytes &constant : image_.constants) {
    constants_.push_back(constant.data());
    constant_bytes_ += static_cast<int64_t>(constant_stride(constant.size()));
  }
  return {};
}

XLAC_CALLS_NATIVE_CODE
Status Executable::call(RunContext &context, xlac_entry_fn entry,
                        int64_t arena_bytes, const void *const *arguments,
                        std::span<void *const> results) const {
  for (void *result : results)
    if (reinterpret_cast<uintptr_t>(result) % XLAC_ALIGNMENT != 0)
      return failure(FailureKind::Internal, "a result's memory is not aligned");
  Result<std::byte *> arena = context.arena(arena_bytes);
  if (!arena)
    return arena.error();
  RunState state(context, image_, host_calls_, context.threads());
  xlac_ctx ctx{&runtime_services(), kernels_.data(), constants_.data(), &state};
  FloatMode mode(program_float_mode());
  bool alone = !context.place().grid;
  int32_t status = 0;
  if (LaunchRecorder *recorder = context.recorder())
    XLAC_RETURN_IF_ERROR(
        TimedRun(*recorder, ctx, kernels_.size())
            .run(entry, arguments, results.data(), *arena, status));
  else
    status = entry(&ctx, arguments, results.data(), *arena);
  // Peers may access this run's memory until then.
  if (state.started())
    state.started()->finish();
  if (alone)
    context.set_grid_rank({}); // the next run may have another grid
  if (status != 0)
    return failure(state.failure_kind(), image_.name + ": " + state.message());
  return {};
}

Status Executable::run_prologue(RunContext &context,
                                std::span<const void *const> arguments,
                                std::span<void *const> values) const {
  const Prologue &prologue = image_.prologue;
  if (arguments.size() != image_.arguments.size() ||
      values.size() != prologue.result_bytes.size())
    return failure(FailureKind::Internal, "wrong number of prologue buffers");
  if (!prologue_)
    return {};
  // The prologue is a separate program over the arguments that it reads.
  std::vector<const void *> read;
  for (uint32_t argument : prologue.arguments) {
    if (argument >= arguments.size())
      return failure(FailureKind::Internal,
                     "the prologue reads no such argument");
    read.push_back(arguments[argument]);
  }
  return call(context, prologue_, prologue.arena_bytes, read.data(), values);
}

Status Executable::run(RunContext &context,
                       std::span<const void *const> arguments,
                       std::span<void *const> results) const {
  size_t wanted = argument_bytes_.size() + image_.prologue.result_bytes.size();
  if (arguments.size() != wanted || results.size() != result_bytes_.size())
    return failure(FailureKind::User,
                   image_.name + ": got " + std::to_string(arguments.size()) +
                       " arguments and " + std::to_string(results.size()) +
                       " results, expected " + std::to_string(wanted) +
                       " and " + std::to_string(result_bytes_.size()));
  return call(context, entry_, image_.arena_bytes, arguments.data(), results);
}

} // namespace xlac::runtime
