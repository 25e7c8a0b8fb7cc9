#include "xlac/formats/zip_file.h"

#include "xlac/support/raise.h"

#include <algorithm>
#include <istream>
#include <memory>
#include <ostream>
#include <zlib.h>

namespace xlac::formats {

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50,
                   kEnd = 0x06054b50, kEnd64 = 0x06064b50,
                   kEnd64Locator = 0x07064b50;
constexpr uint64_t kLocalSize = 30, kCentralSize = 46, kEndSize = 22,
                   kEnd64Size = 56, kLocatorSize = 20;
constexpr uint32_t kFull32 = 0xffffffff;
constexpr uint64_t kAlignment = 64;
constexpr uint16_t kUtf8Flag = 0x0800, kEncryptedFlag = 1;
constexpr uint16_t kPaddingField = 0x4246, kZip64Field = 1;
constexpr uint16_t kStored = 0, kDeflated = 8;
/// The maximum compression ratio of deflate.
constexpr uint64_t kMostBytesPerByte = 1032;
/// The size of blocks passed to zlib, whose sizes have 32 bits.
constexpr uint64_t kBlock = 1 << 20;
constexpr int kNoHeader = -MAX_WBITS; ///< without zlib's header

uint32_t checksum_of(std::string_view bytes, uint32_t before = 0) {
  return static_cast<uint32_t>(crc32_z(
      before, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

template <class T> void put(std::string &bytes, T value) {
  for (size_t i = 0; i < sizeof(T); ++i)
    bytes += static_cast<char>(static_cast<uint64_t>(value) >> (8 * i));
}

template <class T> T get(const std::string &bytes, size_t at) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i)
    value |= static_cast<T>(static_cast<T>(static_cast<uint8_t>(bytes[at + i]))
                            << (8 * i));
  return value;
}

uint32_t fitting32(uint64_t value) {
  return value < kFull32 ? static_cast<uint32_t>(value) : kFull32;
}

[[noreturn]] void damaged_archive(const std::string &what) {
  raise<UserError>("the file is damaged: " + what);
}

} // namespace

//===- Writing ------------------------------------------------------------===//

void ZipWriter::write(std::string_view bytes) {
  os_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  position_ += bytes.size();
}

/// Appends the fields that the local and the central header have in common:
/// from the version needed to the length of the name.
void ZipWriter::put_shared(std::string &header, const Entry &entry) {
  bool is_short = std::max(entry.size, entry.packed_size) < kFull32;
  put<uint16_t>(header, is_short ? 20 : 45);
  put<uint16_t>(header, kUtf8Flag);
  put<uint16_t>(header, entry.is_deflated ? kDeflated : kStored);
  put<uint16_t>(header, 0);    // time
  put<uint16_t>(header, 0x21); // date: 1980-01-01
  put<uint32_t>(header, entry.checksum);
  // Both sizes are in the zip64 field, or neither.
  put<uint32_t>(header, is_short ? fitting32(entry.packed_size) : kFull32);
  put<uint32_t>(header, is_short ? fitting32(entry.size) : kFull32);
  put<uint16_t>(header, entry.name.size());
}

/// Compresses the parts to one raw deflate stream.
static std::string deflated(std::initializer_list<std::string_view> parts) {
  z_stream stream{};
  constexpr int kMemory = 8;
  std::unique_ptr<z_stream, int (*)(z_stream *)> ended(&stream, deflateEnd);
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kNoHeader,
                   kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
    raise<OutOfMemoryError>("there is no memory to compress with");
  std::string packed;
  auto push = [&](std::string_view block, int flush) {
    stream.next_in =
        reinterpret_cast<Bytef *>(const_cast<char *>(block.data()));
    stream.avail_in = static_cast<uInt>(block.size());
    do {
      size_t done = packed.size();
      packed.resize(done + kBlock);
      stream.next_out = reinterpret_cast<Bytef *>(packed.data() + done);
      stream.avail_out = kBlock;
      deflate(&stream, flush);
      packed.resize(packed.size() - stream.avail_out);
    } while (stream.avail_out == 0);
  };
  for (std::string_view part : parts)
    for (size_t at = 0; at < part.size(); at += kBlock)
      push(part.substr(at, kBlock), Z_NO_FLUSH);
  push({}, Z_FINISH);
  return packed;
}

void ZipWriter::add(const std::string &name,
                    std::initializer_list<std::string_view> parts,
                    bool is_deflated) {
  Entry entry{name, 0, 0, position_, 0, is_deflated};
  for (std::string_view part : parts) {
    entry.size += part.size();
    entry.checksum = checksum_of(part, entry.checksum);
  }
  std::string packed;
  if (is_deflated)
    packed = deflated(parts);
  entry.packed_size = is_deflated ? packed.size() : entry.size;
  std::string extra;
  if (std::max(entry.size, entry.packed_size) >= kFull32) {
    put<uint16_t>(extra, kZip64Field);
    put<uint16_t>(extra, 16);
    put<uint64_t>(extra, entry.size);
    put<uint64_t>(extra, entry.packed_size);
  }
  uint64_t start = position_ + kLocalSize + name.size() + extra.size() + 4;
  uint64_t padding = (kAlignment - start % kAlignment) % kAlignment;
  put<uint16_t>(extra, kPaddingField);
  put<uint16_t>(extra, padding);
  extra.append(padding, 'Z');
  std::string header;
  put<uint32_t>(header, kLocalHeader);
  put_shared(header, entry);
  put<uint16_t>(header, extra.size());
  write(header + name + extra);
  if (is_deflated)
    write(packed);
  else
    for (std::string_view part : parts)
      write(part);
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  uint64_t start = position_, count = entries_.size();
  for (const Entry &entry : entries_) {
    std::string extra;
    if (std::max(entry.size, entry.packed_size) >= kFull32) {
      put<uint64_t>(extra, entry.size);
      put<uint64_t>(extra, entry.packed_size);
    }
    if (entry.offset >= kFull32)
      put<uint64_t>(extra, entry.offset);
    std::string header;
    put<uint32_t>(header, kCentralHeader);
    put<uint16_t>(header, 45);
    put_shared(header, entry);
    put<uint16_t>(header, extra.empty() ? 0 : extra.size() + 4);
    put<uint16_t>(header, 0); // comment
    put<uint16_t>(header, 0); // disk
    put<uint16_t>(header, 0); // internal attributes
    put<uint32_t>(header, 0); // external attributes
    put<uint32_t>(header, fitting32(entry.offset));
    header += entry.name;
    if (!extra.empty()) {
      put<uint16_t>(header, kZip64Field);
      put<uint16_t>(header, extra.size());
      header += extra;
    }
    write(header);
  }
  uint64_t size = position_ - start;
  std::string end;
  if (start >= kFull32 || count >= 0xffff) {
    uint64_t end64 = position_;
    put<uint32_t>(end, kEnd64);
    put<uint64_t>(end, kEnd64Size - 12);
    put<uint16_t>(end, 45);
    put<uint16_t>(end, 45);
    put<uint32_t>(end, 0);
    put<uint32_t>(end, 0);
    put<uint64_t>(end, count);
    put<uint64_t>(end, count);
    put<uint64_t>(end, size);
    put<uint64_t>(end, start);
    put<uint32_t>(end, kEnd64Locator);
    put<uint32_t>(end, 0);
    put<uint64_t>(end, end64);
    put<uint32_t>(end, 1);
  }
  put<uint32_t>(end, kEnd);
  put<uint32_t>(end, 0); // disks
  put<uint16_t>(end, std::min<uint64_t>(count, 0xffff));
  put<uint16_t>(end, std::min<uint64_t>(count, 0xffff));
  put<uint32_t>(end, fitting32(size));
  put<uint32_t>(end, fitting32(start));
  put<uint16_t>(end, 0); // comment
  write(end);
}

//===- Reading ------------------------------------------------------------===//

ZipReader::ZipReader(std::istream &is) : is_(is) {
  is_.seekg(0, std::ios::end);
  auto size = is_.tellg();
  if (!is_ || size < 0)
    raise<RuntimeError>("the stream cannot be read");
  file_size_ = static_cast<uint64_t>(size);
  if (file_size_ < kEndSize)
    damaged_archive("it is too short for a zip file");
  // The end record precedes a comment of at most 64 KiB.
  uint64_t tail_size = std::min<uint64_t>(file_size_, kEndSize + 0xffff);
  uint64_t tail_start = file_size_ - tail_size;
  std::string tail = read_at(tail_start, tail_size);
  size_t at = tail_size - kEndSize + 1;
  do {
    if (at == 0)
      damaged_archive("it is not a zip file");
    --at;
  } while (get<uint32_t>(tail, at) != kEnd);
  uint64_t count = get<uint16_t>(tail, at + 10);
  uint64_t length = get<uint32_t>(tail, at + 12);
  uint64_t offset = get<uint32_t>(tail, at + 16);
  uint64_t end_at = tail_start + at;
  if (end_at >= kLocatorSize + kEnd64Size) {
    std::string locator = read_at(end_at - kLocatorSize, kLocatorSize);
    if (get<uint32_t>(locator, 0) == kEnd64Locator) {
      std::string end = read_at(get<uint64_t>(locator, 8), kEnd64Size);
      if (get<uint32_t>(end, 0) != kEnd64)
        damaged_archive("its zip64 end is missing");
      count = get<uint64_t>(end, 32);
      length = get<uint64_t>(end, 40);
      offset = get<uint64_t>(end, 48);
    }
  }
  read_directory(offset, length, count);
}

std::string ZipReader::read_at(uint64_t offset, uint64_t size) {
  if (offset > file_size_ || size > file_size_ - offset)
    damaged_archive("a part is outside");
  std::string bytes(size, '\0');
  is_.clear();
  is_.seekg(static_cast<std::streamoff>(offset));
  is_.read(bytes.data(), static_cast<std::streamsize>(size));
  if (!is_)
    raise<RuntimeError>("the stream cannot be read");
  return bytes;
}

/// Replaces saturated fields by those of the zip64 field, in order.
static void read_zip64(const std::string &extra,
                       std::initializer_list<uint64_t *> fields) {
  for (size_t at = 0; at + 4 <= extra.size();) {
    size_t size = get<uint16_t>(extra, at + 2);
    if (size > extra.size() - at - 4)
      damaged_archive("an extra field is too long");
    if (get<uint16_t>(extra, at) == kZip64Field) {
      size_t from = at + 4;
      for (uint64_t *field : fields)
        if (*field == kFull32) {
          if (from + 8 > at + 4 + size)
            damaged_archive("a zip64 field is too short");
          *field = get<uint64_t>(extra, from);
          from += 8;
        }
      return;
    }
    at += 4 + size;
  }
}

void ZipReader::read_directory(uint64_t offset, uint64_t size, uint64_t count) {
  std::string directory = read_at(offset, size);
  size_t at = 0;
  uint64_t bytes_left = file_size_;
  for (uint64_t i = 0; i < count; ++i) {
    if (size - at < kCentralSize ||
        get<uint32_t>(directory, at) != kCentralHeader)
      damaged_archive("its directory ends early");
    uint16_t flags = get<uint16_t>(directory, at + 8);
    uint16_t method = get<uint16_t>(directory, at + 10);
    Entry entry;
    entry.checksum = get<uint32_t>(directory, at + 16);
    entry.packed_size = get<uint32_t>(directory, at + 20);
    entry.size = get<uint32_t>(directory, at + 24);
    size_t name_size = get<uint16_t>(directory, at + 28);
    size_t extra_size = get<uint16_t>(directory, at + 30);
    size_t comment_size = get<uint16_t>(directory, at + 32);
    entry.offset = get<uint32_t>(directory, at + 42);
    if (size - at - kCentralSize < name_size + extra_size + comment_size)
      damaged_archive("its directory ends early");
    std::string name = directory.substr(at + kCentralSize, name_size);
    read_zip64(directory.substr(at + kCentralSize + name_size, extra_size),
               {&entry.size, &entry.packed_size, &entry.offset});
    if ((method != kStored && method != kDeflated) || (flags & kEncryptedFlag))
      raise<UnsupportedError>("record " + name +
                              " is encrypted, or compressed otherwise "
                              "than by deflate");
    entry.is_deflated = method == kDeflated;
    // Rejects overlapping records, which would let a small file expand to a
    // very large one.
    if (entry.packed_size > bytes_left)
      damaged_archive("its records overlap");
    bytes_left -= entry.packed_size;
    if (entry.is_deflated ? entry.size / kMostBytesPerByte > entry.packed_size
                          : entry.size != entry.packed_size)
      damaged_archive("record " + name + " has sizes that do not fit");
    if (!entries_.emplace(name, entry).second)
      damaged_archive("record " + name + " occurs twice");
    names_.push_back(std::move(name));
    at += kCentralSize + name_size + extra_size + comment_size;
  }
}

/// Decompresses a raw deflate stream to `size` bytes.
static std::string inflated(std::string_view packed, uint64_t size,
                            const std::string &name) {
  z_stream stream{};
  std::unique_ptr<z_stream, int (*)(z_stream *)> ended(&stream, inflateEnd);
  if (inflateInit2(&stream, kNoHeader) != Z_OK)
    raise<OutOfMemoryError>("there is no memory to decompress with");
  std::string bytes;
  int state = Z_OK;
  // Memory grows with the actual output, not with the claimed size.
  while (state == Z_OK) {
    if (stream.avail_in == 0) {
      std::string_view block = packed.substr(0, kBlock);
      packed.remove_prefix(block.size());
      stream.next_in =
          reinterpret_cast<Bytef *>(const_cast<char *>(block.data()));
      stream.avail_in = static_cast<uInt>(block.size());
    }
    size_t done = bytes.size();
    bytes.resize(done + std::min(kBlock, size - done + 1));
    auto available = static_cast<uInt>(bytes.size() - done);
    stream.next_out = reinterpret_cast<Bytef *>(bytes.data() + done);
    stream.avail_out = available;
    state = inflate(&stream, Z_NO_FLUSH);
    bytes.resize(bytes.size() - stream.avail_out);
    if (bytes.size() > size)
      break;
  }
  if (state != Z_STREAM_END || bytes.size() != size)
    damaged_archive("record " + name + " cannot be decompressed");
  return bytes;
}

std::string ZipReader::read(const std::string &name) {
  auto found = entries_.find(name);
  if (found == entries_.end())
    damaged_archive("record " + name + " is missing");
  const Entry &entry = found->second;
  std::string header = read_at(entry.offset, kLocalSize);
  if (get<uint32_t>(header, 0) != kLocalHeader)
    damaged_archive("record " + name + " has no header");
  // The local extra field may be longer than the one in the directory.
  uint64_t start = entry.offset + kLocalSize + get<uint16_t>(header, 26) +
                   get<uint16_t>(header, 28);
  std::string bytes = read_at(start, entry.packed_size);
  if (entry.is_deflated)
    bytes = inflated(bytes, entry.size, name);
  if (checksum_of(bytes) != entry.checksum)
    damaged_archive("record " + name + " has a wrong checksum");
  return bytes;
}

} // namespace xlac::formats
