// Damaged images whose checksums match, as an author with bad intent writes
// them.
#include "fuzz/hostile.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/loader/image_loader.h"

#include <cstring>
#include <unistd.h>

namespace xlac::fuzz {

namespace {

using Bytes = std::vector<std::byte>;

/// A program with all sections. Its code cannot be loaded with a call, which
/// nothing implements, but the description of the call can be damaged.
std::string program_text(bool has_call) {
  return std::string(R"(
func.func @main(%a: tensor<?xf32> loc("a"), %b: tensor<8xf32>) -> (tensor<?xf32> {jax.result_info = "r"}, tensor<8xf32>) {
  %w = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %p = stablehlo.add %b, %w : tensor<8xf32>
  %r = stablehlo.add %a, %a : tensor<?xf32>
)") +
         (has_call
              ? "  %q = stablehlo.custom_call @somewhere(%p) {backend_config "
                "= \"x\"} : (tensor<8xf32>) -> tensor<8xf32>\n"
              : "  %q = stablehlo.negate %p : tensor<8xf32>\n") +
         "  return %r, %q : tensor<?xf32>, tensor<8xf32>\n}\n";
}

/// Places in a file: see docs/internals/images.md.
constexpr size_t kHeader = 64, kEntry = 64, kHeaderDigest = 32,
                 kEntryDigest = 32;

uint64_t number_at(const Bytes &bytes, size_t at) {
  uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

void put_digest(Bytes &bytes, size_t at,
                std::initializer_list<std::span<const std::byte>> parts) {
  Hasher hasher;
  for (std::span<const std::byte> part : parts)
    hasher.update_plain(part);
  Digest digest = hasher.finish();
  std::memcpy(bytes.data() + at, digest.data(), digest.size());
}

/// Makes the checksums of a file match its contents, where they have places.
void seal(Bytes &bytes) {
  if (bytes.size() < kHeader)
    return;
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 12, sizeof count);
  if (count > 16 || bytes.size() < kHeader + count * kEntry)
    return;
  std::span<const std::byte> all = bytes;
  for (size_t i = 0; i < count; ++i) {
    size_t entry = kHeader + i * kEntry;
    uint64_t offset = number_at(bytes, entry + 8),
             size = number_at(bytes, entry + 16);
    if (offset <= bytes.size() && size <= bytes.size() - offset)
      put_digest(bytes, entry + kEntryDigest, {all.subspan(offset, size)});
  }
  put_digest(bytes, kHeaderDigest,
             {all.first(kHeaderDigest), all.subspan(kHeader, count * kEntry)});
}

void damage(Bytes &bytes, size_t first, size_t size, Random &random) {
  if (size == 0)
    return;
  for (uint32_t i = 1 + random.below(4); i-- > 0;) {
    std::byte &byte = bytes[first + random.below(static_cast<uint32_t>(size))];
    byte = static_cast<std::byte>(random.chance(50)
                                      ? random.below(256)
                                      : uint32_t(byte) ^ 1U << random.below(8));
  }
}

/// Changes one section, the header with the table, or the end of a file.
Bytes damaged_file(const runtime::ImageFile &file, Random &random) {
  Bytes bytes = runtime::image_file_bytes(file);
  uint32_t count = 0;
  std::memcpy(&count, bytes.data() + 12, sizeof count);
  uint32_t chosen = random.below(count + 2);
  if (chosen < count) {
    size_t entry = kHeader + chosen * kEntry;
    damage(bytes, number_at(bytes, entry + 8), number_at(bytes, entry + 16),
           random);
  } else if (chosen == count) {
    damage(bytes, 8, kHeader - 8 + count * kEntry, random);
  } else {
    bytes.resize(random.below(static_cast<uint32_t>(bytes.size())));
    uint64_t size = bytes.size();
    if (bytes.size() >= kHeader)
      std::memcpy(bytes.data() + 16, &size, sizeof size);
  }
  seal(bytes);
  return bytes;
}

/// Changes the program inside, and asks for a processor that does not exist.
Status damage_program(runtime::ImageFile &file, Random &random) {
  auto artifact = runtime::unpack_artifact(*file.program);
  if (!artifact)
    return artifact.error();
  auto text = std::as_bytes(std::span(*artifact));
  Bytes bytes(text.begin(), text.end());
  damage(bytes, 0, bytes.size(), random);
  file.image.features |= uint64_t(1) << 40;
  return runtime::pack_artifact(
      {reinterpret_cast<const char *>(bytes.data()), bytes.size()},
      *file.program);
}

Outcome load(Result<runtime::ImageFile> file, const CompilerOptions &options) {
  if (!file)
    return refused(file.error());
  ProgramLoadOptions load;
  load.compile = options;
  load.keep_in_memory = false;
  auto loaded = load_image(std::move(*file), "image.xlax", load);
  return loaded ? Outcome{} : refused(loaded.error());
}

Result<runtime::ImageFile> make_file(const std::string &text,
                                     const CompilerOptions &options) {
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  Source source{text, "image.mlir", "main"};
  auto image = (*compiler)->compile(source, options);
  if (!image)
    return image.error();
  runtime::ImageFile file{std::move(*image), {}, {}, {}};
  XLAC_RETURN_IF_ERROR(
      describe_image(source, options, ImageExtras::NamesAndProgram, file));
  return file;
}

} // namespace

Outcome load_damaged_image(Random &random, const CompilerOptions &given) {
  ::alarm(kPatience);
  CompilerOptions options = given;
  options.argument_sizes = {{0, {4}}, {1, {8}}};
  auto file = make_file(program_text(random.chance(50)), options);
  if (!file)
    return {CaseResult::Mismatch, file.error().message};
  Outcome outcome;
  if (random.chance(20)) {
    if (auto damaged = damage_program(*file, random); !damaged)
      return {CaseResult::Mismatch, damaged.error().message};
    outcome = load(std::move(file), options);
  } else {
    outcome =
        load(runtime::read_image_file(damaged_file(*file, random)), options);
  }
  ::alarm(0);
  return outcome;
}

} // namespace xlac::fuzz
