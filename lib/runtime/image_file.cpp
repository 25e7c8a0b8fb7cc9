#include "xlac/runtime/image_file.h"

#include "xlac/abi/abi.h"
#include "xlac/support/byte_stream.h"
#include "xlac/support/file_writer.h"

#include <array>
#include <cstdlib>
#include <cstring>

namespace xlac::runtime {

namespace {

constexpr std::string_view kMagic = "XLACFILE";
constexpr uint32_t kVersion = 2;
/// Constants of a page or more begin at a page, so that they share none with
/// other sections.
constexpr uint64_t kPage = 4096;

/// In the order of the file.
enum class SectionKind : uint32_t {
  Image = 1, ///< serialize_without_constants()
  Names = 2,
  Options = 3, ///< of the compilation
  Artifact = 4,
  Constants = 5,
};
constexpr uint32_t kLastKind = 5;

struct Header {
  char magic[8];
  uint32_t version;
  uint32_t sections;
  uint64_t file_bytes;
  uint64_t reserved; ///< 0
  /// Of the preceding members and the table.
  uint8_t checksum[sizeof(Digest)];
};
static_assert(sizeof(Header) == 64, "the header has no padding");
constexpr size_t kCheckedHeader = offsetof(Header, checksum);

struct Section {
  uint32_t kind;
  uint32_t reserved; ///< 0
  uint64_t offset, bytes;
  uint64_t raw_bytes; ///< of an artifact, when it is unpacked; else `bytes`
  uint8_t checksum[sizeof(Digest)];
};
static_assert(sizeof(Section) == 64, "the table has no padding");

using Bytes = std::span<const std::byte>;

Digest checksum(std::initializer_list<Bytes> parts) {
  Hasher hasher;
  for (Bytes part : parts)
    hasher.update_plain(part);
  return hasher.finish();
}

bool equals(const uint8_t (&left)[sizeof(Digest)], const Digest &right) {
  return std::memcmp(left, right.data(), right.size()) == 0;
}

uint64_t next_multiple(uint64_t offset, uint64_t unit = XLAC_ALIGNMENT) {
  return (offset + unit - 1) / unit * unit;
}

/// The offset of a section of that kind and size behind `offset`.
uint64_t offset_of(uint32_t kind, uint64_t bytes, uint64_t offset) {
  bool is_paged =
      kind == static_cast<uint32_t>(SectionKind::Constants) && bytes >= kPage;
  return next_multiple(offset, is_paged ? kPage : XLAC_ALIGNMENT);
}

Failure rejected_image(std::string why) {
  return failure(FailureKind::Runtime, std::move(why));
}

Failure damaged_image() {
  return rejected_image(
      "the executable image is damaged: its checksum is wrong");
}

//===- Writing ------------------------------------------------------------===//

/// A section as a list of parts.
struct Content {
  SectionKind kind;
  std::vector<Bytes> parts;
  uint64_t raw_bytes = 0; ///< of an artifact

  uint64_t bytes() const {
    uint64_t sum = 0;
    for (Bytes part : parts)
      sum += part.size();
    return sum;
  }
};

std::vector<std::byte> names_of(const ImageFile &file) {
  ByteWriter out;
  for (const auto *names : {&file.argument_names, &file.result_names}) {
    out.u64(names->size());
    for (const std::string &name : *names)
      out.text(name);
  }
  return out.take();
}

std::vector<std::byte> options_of(const ImageProgram &program) {
  ByteWriter out;
  out.text(program.entry);
  out.u32s(program.invariant_arguments);
  out.u64(program.argument_sizes.size());
  for (const auto &[argument, sizes] : program.argument_sizes) {
    out.u32(argument);
    out.i64s(sizes);
  }
  out.u8(program.ignore_callbacks);
  return out.take();
}

/// The sections of a file, with the bytes that exist only in the file.
class Layout {
public:
  explicit Layout(const ImageFile &file)
      : image_(serialize_without_constants(file.image)), names_(names_of(file)),
        options_(file.program ? options_of(*file.program)
                              : std::vector<std::byte>()) {
    add({SectionKind::Image, {image_}});
    if (!file.argument_names.empty() || !file.result_names.empty())
      add({SectionKind::Names, {names_}});
    if (file.program) {
      add({SectionKind::Options, {options_}});
      add({SectionKind::Artifact,
           {file.program->packed},
           file.program->artifact_bytes});
    }
    if (!file.image.constants.empty())
      add_constants(file.image);
    finish();
  }

  /// Calls `take` with the parts of the file in order.
  template <class Take> void write(Take take) const {
    take(std::as_bytes(std::span(&header_, 1)));
    take(std::as_bytes(std::span(table_)));
    uint64_t at = sizeof(Header) + table_.size() * sizeof(Section);
    for (size_t i = 0; i < table_.size(); ++i) {
      take(zeros(table_[i].offset - at));
      for (Bytes part : contents_[i].parts)
        take(part);
      at = table_[i].offset + table_[i].bytes;
    }
  }

  uint64_t bytes() const { return header_.file_bytes; }

private:
  static Bytes zeros(uint64_t count) {
    static constexpr std::array<std::byte, kPage> kZeros{};
    return Bytes(kZeros).first(count);
  }

  void add(Content content) { contents_.push_back(std::move(content)); }

  void add_constants(const ExecutableImage &image) {
    Content all{SectionKind::Constants, {}};
    for (const SharedBytes &constant : image.constants) {
      all.parts.push_back(constant);
      all.parts.push_back(
          zeros(constant_stride(constant.size()) - constant.size()));
    }
    add(std::move(all));
  }

  void finish() {
    uint64_t at = sizeof(Header) + contents_.size() * sizeof(Section);
    for (const Content &content : contents_) {
      Section section{};
      section.kind = static_cast<uint32_t>(content.kind);
      section.bytes = content.bytes();
      section.offset = offset_of(section.kind, section.bytes, at);
      section.raw_bytes = content.kind == SectionKind::Artifact
                              ? content.raw_bytes
                              : section.bytes;
      Hasher hasher;
      for (Bytes part : content.parts)
        hasher.update_plain(part);
      Digest digest = hasher.finish();
      std::memcpy(section.checksum, digest.data(), digest.size());
      at = section.offset + section.bytes;
      table_.push_back(section);
    }
    std::memcpy(header_.magic, kMagic.data(), sizeof header_.magic);
    header_.version = kVersion;
    header_.sections = static_cast<uint32_t>(table_.size());
    header_.file_bytes = at;
    Digest digest =
        checksum({std::as_bytes(std::span(&header_, 1)).first(kCheckedHeader),
                  std::as_bytes(std::span(table_))});
    std::memcpy(header_.checksum, digest.data(), digest.size());
  }

  std::vector<std::byte> image_, names_, options_;
  std::vector<Content> contents_;
  std::vector<Section> table_;
  Header header_{};
};

//===- Reading ------------------------------------------------------------===//

/// Checks the header, the table and all other bytes. Returns the table.
Result<std::vector<Section>> check(Bytes bytes) {
  Header header;
  if (!is_image_file(bytes))
    return rejected_image("not an executable image of xlac");
  if (bytes.size() < sizeof header)
    return rejected_image("the executable image is incomplete");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kVersion)
    return rejected_image(
        "the executable image has version " + std::to_string(header.version) +
        " of the format, and this version of xlac reads version " +
        std::to_string(kVersion) + ": compile its program again");
  if (bytes.size() < header.file_bytes)
    return rejected_image("the executable image is incomplete");
  if (bytes.size() > header.file_bytes)
    return rejected_image("more bytes follow the executable image");
  if (header.sections > kLastKind ||
      bytes.size() < sizeof header + header.sections * sizeof(Section))
    return damaged_image();
  Bytes listed =
      bytes.subspan(sizeof header, header.sections * sizeof(Section));
  if (!equals(header.checksum, checksum({bytes.first(kCheckedHeader), listed})))
    return damaged_image();
  std::vector<Section> table(header.sections);
  if (!table.empty())
    std::memcpy(table.data(), listed.data(), listed.size());
  uint64_t at = sizeof header + listed.size();
  uint32_t last = 0;
  for (const Section &section : table) {
    if (section.kind <= last || section.kind > kLastKind ||
        section.offset != offset_of(section.kind, section.bytes, at) ||
        section.offset > bytes.size() ||
        section.bytes > bytes.size() - section.offset)
      return rejected_image("malformed executable image");
    for (std::byte padding : bytes.subspan(at, section.offset - at))
      if (padding != std::byte(0))
        return damaged_image();
    if (!equals(section.checksum,
                checksum({bytes.subspan(section.offset, section.bytes)})))
      return damaged_image();
    last = section.kind;
    at = section.offset + section.bytes;
  }
  if (at != bytes.size())
    return rejected_image("malformed executable image");
  return table;
}

/// A copy that is aligned as constants have to be.
SharedBytes aligned_copy(Bytes bytes) {
  if (bytes.empty())
    return {};
  std::shared_ptr<void> memory(
      std::aligned_alloc(XLAC_ALIGNMENT, next_multiple(bytes.size())),
      std::free);
  if (!memory)
    throw std::bad_alloc();
  std::memcpy(memory.get(), bytes.data(), bytes.size());
  return {{static_cast<const std::byte *>(memory.get()), bytes.size()}, memory};
}

bool read_names(Bytes bytes, ImageFile &file) {
  ByteReader in(bytes);
  for (auto *names : {&file.argument_names, &file.result_names}) {
    names->resize(in.count(8));
    for (std::string &name : *names)
      in.text(name);
  }
  const ExecutableImage &image = file.image;
  return in.finished() &&
         (file.argument_names.empty() ||
          file.argument_names.size() == image.arguments.size()) &&
         (file.result_names.empty() ||
          file.result_names.size() == image.results.size());
}

bool read_options(Bytes bytes, ImageProgram &program) {
  ByteReader in(bytes);
  in.text(program.entry);
  in.u32s(program.invariant_arguments);
  program.argument_sizes.resize(in.count(12));
  for (auto &[argument, sizes] : program.argument_sizes) {
    argument = in.u32();
    in.i64s(sizes);
  }
  program.ignore_callbacks = in.boolean();
  return in.finished();
}

/// The sections of a verified file.
class Sections {
public:
  Sections(Bytes bytes, const std::vector<Section> &table,
           std::shared_ptr<const void> owner)
      : bytes_(bytes), table_(table), owner_(std::move(owner)) {}

  const Section *find(SectionKind kind) const {
    for (const Section &section : table_)
      if (section.kind == static_cast<uint32_t>(kind))
        return &section;
    return nullptr;
  }
  Bytes bytes(SectionKind kind) const {
    const Section *section = find(kind);
    return section ? bytes_.subspan(section->offset, section->bytes) : Bytes();
  }
  SharedBytes keep(SectionKind kind) const {
    return owner_ ? SharedBytes(bytes(kind), owner_)
                  : aligned_copy(bytes(kind));
  }

private:
  Bytes bytes_;
  const std::vector<Section> &table_;
  std::shared_ptr<const void> owner_;
};

Result<ImageFile> read(const Sections &sections) {
  ImageFile file;
  auto image = deserialize_image_without_constants(
      sections.bytes(SectionKind::Image),
      sections.keep(SectionKind::Constants));
  if (!image)
    return image.error();
  file.image = std::move(*image);
  if (sections.find(SectionKind::Names) &&
      !read_names(sections.bytes(SectionKind::Names), file))
    return rejected_image("malformed executable image");
  const Section *artifact = sections.find(SectionKind::Artifact);
  if (!artifact)
    return file;
  ImageProgram program;
  if (!read_options(sections.bytes(SectionKind::Options), program))
    return rejected_image("malformed executable image");
  program.packed = sections.keep(SectionKind::Artifact);
  program.artifact_bytes = artifact->raw_bytes;
  file.program = std::move(program);
  return file;
}

} // namespace

Status write_image_file(const std::filesystem::path &path,
                        const ImageFile &file) {
  FileWriter writer(path == "-" ? "/dev/stdout" : path);
  Layout(file).write([&](Bytes part) {
    writer.write({reinterpret_cast<const char *>(part.data()), part.size()});
  });
  return writer.finish();
}

std::vector<std::byte> image_file_bytes(const ImageFile &file) {
  Layout layout(file);
  std::vector<std::byte> all;
  all.reserve(layout.bytes());
  layout.write(
      [&](Bytes part) { all.insert(all.end(), part.begin(), part.end()); });
  return all;
}

Result<ImageFile> read_image_file(Bytes bytes,
                                  std::shared_ptr<const void> owner) try {
  auto table = check(bytes);
  if (!table)
    return table.error();
  return read(Sections(bytes, *table, std::move(owner)));
} catch (const std::bad_alloc &) {
  return failure(FailureKind::OutOfMemory,
                 "no memory for the executable image");
}

bool is_image_file(Bytes bytes) {
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

Digest image_digest(Bytes bytes) { return checksum({bytes}); }

Status check_image_digest(Bytes bytes, std::string_view hex) {
  if (hex.empty())
    return {};
  auto wanted = parse_digest(hex);
  if (!wanted)
    return failure(FailureKind::User, "the digest '" + std::string(hex) +
                                          "' does not have 64 hexadecimal "
                                          "digits");
  Digest found = image_digest(bytes);
  if (found != *wanted)
    return failure(FailureKind::User, "has the digest " + to_hex(found) +
                                          ", not the required one");
  return {};
}

} // namespace xlac::runtime
