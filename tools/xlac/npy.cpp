#include "npy.h"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace xlac::tool {
namespace {

constexpr char kMagic[] = "\x93NUMPY";
constexpr size_t kMagicSize = 6;

Failure bad_file(const std::filesystem::path &path, std::string_view what) {
  return failure(Fault::User, fmt::format("{}: {}", path.string(), what));
}

std::optional<ElementType> element_of_descriptor(std::string_view text) {
  if (text.size() < 3 || text[0] == '>')
    return std::nullopt;
  std::string_view kind = text.substr(1);
  if (kind == "b1")
    return ElementType::I1;
  if (kind == "i1")
    return ElementType::I8;
  if (kind == "i2")
    return ElementType::I16;
  if (kind == "i4")
    return ElementType::I32;
  if (kind == "i8")
    return ElementType::I64;
  if (kind == "u1")
    return ElementType::UI8;
  if (kind == "u2")
    return ElementType::UI16;
  if (kind == "u4")
    return ElementType::UI32;
  if (kind == "u8")
    return ElementType::UI64;
  if (kind == "f2")
    return ElementType::F16;
  if (kind == "f4")
    return ElementType::F32;
  if (kind == "f8")
    return ElementType::F64;
  if (kind == "c8")
    return ElementType::Complex64;
  if (kind == "c16")
    return ElementType::Complex128;
  return std::nullopt;
}

std::string_view descriptor_of(ElementType type) {
  switch (type) {
  case ElementType::I1:
    return "|b1";
  case ElementType::I2:
  case ElementType::I4:
  case ElementType::I8:
    return "|i1";
  case ElementType::I16:
    return "<i2";
  case ElementType::I32:
    return "<i4";
  case ElementType::I64:
    return "<i8";
  case ElementType::UI16:
  case ElementType::BF16:
    return "<u2";
  case ElementType::UI32:
    return "<u4";
  case ElementType::UI64:
    return "<u8";
  case ElementType::F16:
    return "<f2";
  case ElementType::F32:
    return "<f4";
  case ElementType::F64:
    return "<f8";
  case ElementType::Complex64:
    return "<c8";
  case ElementType::Complex128:
    return "<c16";
  default:
    return "|u1"; // ui2, ui4, ui8 and the bit patterns of f4 to f8
  }
}

/// What follows `key` and a colon in the header's Python dictionary.
std::optional<std::string_view> field(std::string_view header,
                                      std::string_view key) {
  size_t at = header.find(key);
  if (at == std::string_view::npos)
    return std::nullopt;
  at = header.find(':', at);
  if (at == std::string_view::npos)
    return std::nullopt;
  at = header.find_first_not_of(' ', at + 1);
  if (at == std::string_view::npos)
    return std::nullopt;
  return header.substr(at);
}

std::optional<std::vector<int64_t>> parse_shape(std::string_view text) {
  if (text.empty() || text[0] != '(')
    return std::nullopt;
  size_t close = text.find(')');
  if (close == std::string_view::npos)
    return std::nullopt;
  std::vector<int64_t> dims;
  const char *at = text.data() + 1, *end = text.data() + close;
  while (at < end) {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    int64_t size = 0;
    auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc() || size < 0)
      return std::nullopt;
    dims.push_back(size);
    at = next;
  }
  return dims;
}

Result<TensorType> parse_header(const std::filesystem::path &path,
                                std::string_view header) {
  auto descriptor = field(header, "'descr'");
  auto fortran = field(header, "'fortran_order'");
  auto shape = field(header, "'shape'");
  if (!descriptor || !fortran || !shape)
    return bad_file(path, "not a .npy header: 'descr', 'fortran_order' or "
                          "'shape' is missing");
  if (fortran->starts_with("True"))
    return bad_file(path, "is in Fortran order; save it with "
                          "numpy.ascontiguousarray");
  std::string_view quoted = *descriptor;
  size_t close = quoted.size() > 1 ? quoted.find('\'', 1) : quoted.npos;
  if (quoted.empty() || quoted[0] != '\'' || close == quoted.npos)
    return bad_file(path, "holds records; expected an array of numbers");
  std::string_view text = quoted.substr(1, close - 1);
  auto element = element_of_descriptor(text);
  if (!element)
    return bad_file(path, fmt::format("has dtype '{}'; expected a "
                                      "little-endian number",
                                      text));
  auto dims = parse_shape(*shape);
  if (!dims)
    return bad_file(path, "has a malformed shape");
  TensorType type;
  type.element = *element;
  type.dims = std::move(*dims);
  if (!type.byte_count())
    return bad_file(path, "has a shape with more than 2^63 bytes");
  return type;
}

} // namespace

Result<HostArray> read_npy(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return bad_file(path,
                    fmt::format("cannot be opened: {}", std::strerror(errno)));
  char magic[kMagicSize + 2] = {};
  file.read(magic, sizeof magic);
  if (file.gcount() != sizeof magic ||
      std::memcmp(magic, kMagic, kMagicSize) != 0)
    return bad_file(path, "is not a .npy file");
  bool wide = magic[kMagicSize] >= 2;
  unsigned char length[4] = {};
  file.read(reinterpret_cast<char *>(length), wide ? 4 : 2);
  uint32_t size = length[0] | length[1] << 8 | length[2] << 16 |
                  static_cast<uint32_t>(length[3]) << 24;
  if (!file || size > 1u << 20)
    return bad_file(path, "has a damaged header");
  std::string header(size, '\0');
  file.read(header.data(), size);
  if (!file)
    return bad_file(path, "ends inside its header");
  auto type = parse_header(path, header);
  if (!type)
    return type.error();

  HostArray array{std::move(*type), {}};
  auto wanted = static_cast<uint64_t>(*array.type.byte_count());
  auto here = file.tellg();
  file.seekg(0, std::ios::end);
  auto available = static_cast<uint64_t>(file.tellg() - here);
  if (available < wanted)
    return bad_file(path,
                    fmt::format("is truncated: {} needs {} bytes, the "
                                "file holds {}",
                                to_string(array.type), wanted, available));
  file.seekg(here);
  array.bytes.resize(wanted);
  file.read(reinterpret_cast<char *>(array.bytes.data()),
            static_cast<std::streamsize>(wanted));
  if (!file)
    return bad_file(path, "cannot be read");
  return array;
}

Status write_npy(const std::filesystem::path &path, const TensorType &type,
                 std::span<const std::byte> bytes) {
  std::string shape = "(";
  for (int64_t dim : type.dims)
    shape += fmt::format("{}, ", dim);
  if (type.rank() > 1)
    shape.resize(shape.size() - 2);
  else if (type.rank() == 1)
    shape.pop_back();
  shape += ')';
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                  descriptor_of(type.element), shape);
  size_t before = kMagicSize + 4;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';

  std::filesystem::path temporary =
      path.string() + fmt::format(".{}.tmp", ::getpid());
  std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
  file.write(kMagic, kMagicSize);
  const char rest[] = {1, 0, static_cast<char>(header.size() & 0xff),
                       static_cast<char>(header.size() >> 8)};
  file.write(rest, sizeof rest);
  file.write(header.data(), static_cast<std::streamsize>(header.size()));
  file.write(reinterpret_cast<const char *>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  file.close();
  std::error_code error;
  if (file)
    std::filesystem::rename(temporary, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return failure(Fault::Runtime,
                   fmt::format("{}: cannot be written: {}", path.string(),
                               error ? error.message() : std::strerror(errno)));
  }
  return {};
}

} // namespace xlac::tool
