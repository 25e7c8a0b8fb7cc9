#include "array_file.h"

#include "xlac/error.h"
#include "xlac/formats/safetensors_header.h"
#include "xlac/formats/zip_file.h"
#include "xlac/support/npy_header.h"

#include <fmt/format.h>

#include <cstring>
#include <istream>
#include <sstream>

namespace xlac::cli {

namespace {

constexpr std::string_view kNpySuffix = ".npy";
constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::string_view kZipMagic = "PK\x03\x04",
                           kEmptyZipMagic = "PK\x05\x06";
constexpr uint64_t kLengthSize = 8;

Failure bad(const std::string &path, const std::string &what) {
  return failure(FailureKind::User, path + ": " + what);
}

/// Calls `read`, whose exceptions become failures that begin with the path.
template <class F>
auto guarded(const std::string &path, F read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error &problem) {
    return bad(path, problem.what());
  }
}

} // namespace

ArrayFile::ArrayFile(std::string path, std::unique_ptr<std::istream> stream)
    : path_(std::move(path)), stream_(std::move(stream)) {}

ArrayFile::~ArrayFile() = default;

Result<std::shared_ptr<ArrayFile>> ArrayFile::open(const std::string &path) {
  auto stream = open_stream(path);
  if (!stream)
    return stream.error();
  std::shared_ptr<ArrayFile> file(
      new ArrayFile(path == "-" ? "standard input" : path, std::move(*stream)));
  XLAC_RETURN_IF_ERROR(
      guarded(file->path_, [&] { return file->read_directory(); }));
  return file;
}

Status ArrayFile::read_directory() {
  std::string start(kLengthSize + 1, '\0');
  stream_->read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(stream_->gcount()));
  stream_->clear();
  stream_->seekg(0);
  if (start.empty())
    return bad(path_, "is empty");
  if (start.starts_with(kZipMagic) || start.starts_with(kEmptyZipMagic)) {
    format_ = Format::Npz;
    zip_ = std::make_unique<formats::ZipReader>(*stream_);
    for (std::string name : zip_->names()) {
      if (name.ends_with(kNpySuffix))
        name.resize(name.size() - kNpySuffix.size());
      names_.push_back(std::move(name));
    }
    return {};
  }
  if (start.size() > kLengthSize && start.back() == '{' &&
      !start.starts_with(kNpyMagic)) {
    format_ = Format::Safetensors;
    return read_safetensors_directory();
  }
  if (!start.starts_with(kNpyMagic))
    return bad(path_, "is not a file of arrays: expected .npy, .npz or "
                      ".safetensors");
  names_.emplace_back();
  return {};
}

Status ArrayFile::read_safetensors_directory() {
  stream_->seekg(0, std::ios::end);
  auto size = static_cast<uint64_t>(stream_->tellg());
  stream_->seekg(0);
  uint64_t length = 0;
  stream_->read(reinterpret_cast<char *>(&length), kLengthSize);
  if (length > formats::kMaxSafetensorsHeader)
    return bad(path_,
               fmt::format("its header of {} bytes is too long", length));
  if (length > size - kLengthSize)
    return bad(path_, "it ends inside its header");
  std::string json(length, '\0');
  stream_->read(json.data(), static_cast<std::streamsize>(length));
  if (!*stream_)
    return bad(path_, "cannot be read");
  uint64_t data = kLengthSize + length;
  auto header = formats::read_safetensors_header(json, size - data);
  for (formats::SafetensorsEntry &entry : header.entries) {
    names_.push_back(std::move(entry.name));
    types_.push_back({entry.element, std::move(entry.sizes), {}, {}});
    offsets_.push_back(data + entry.begin);
  }
  return {};
}

bool ArrayFile::is_numbered() const {
  for (size_t i = 0; i < names_.size(); ++i)
    if (names_[i] != fmt::format("arr_{}", i))
      return false;
  return format_ == Format::Npz;
}

std::string ArrayFile::name_of(size_t i) const {
  return is_single() ? path_ : path_ + ": " + names_[i];
}

Result<TensorType> ArrayFile::type(size_t i) {
  if (format_ == Format::Safetensors)
    return types_[i];
  return guarded(path_, [&]() -> Result<TensorType> {
    std::istringstream record;
    if (zip_)
      record.str(zip_->read(zip_->names()[i]));
    else
      stream_->seekg(0);
    auto header = read_npy_header(zip_ ? record : *stream_, name_of(i));
    if (!header)
      return header.error();
    return std::move(header->type);
  });
}

Result<HostArray> ArrayFile::read_safetensors(size_t i) {
  HostArray array{types_[i], make_bytes(*types_[i].byte_count())};
  stream_->clear();
  stream_->seekg(static_cast<std::streamoff>(offsets_[i]));
  stream_->read(reinterpret_cast<char *>(array.bytes.data()),
                static_cast<std::streamsize>(array.bytes.size()));
  if (!*stream_)
    return bad(path_, "cannot be read");
  return in_native_order({array.type}, std::move(array.bytes));
}

Result<HostArray> ArrayFile::read(size_t i) {
  if (format_ == Format::Safetensors)
    return read_safetensors(i);
  return guarded(path_, [&]() -> Result<HostArray> {
    stream_->clear();
    if (zip_) {
      std::istringstream record(zip_->read(zip_->names()[i]));
      return read_npy(record, name_of(i));
    }
    stream_->seekg(0);
    return read_npy(*stream_, path_);
  });
}

} // namespace xlac::cli
