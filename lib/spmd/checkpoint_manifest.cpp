#include "checkpoint_manifest.h"

#include "xlac/lazy/dtypes.h"
#include "xlac/serialization.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <set>
#include <system_error>

namespace xlac::distributed_checkpoint {

namespace fs = std::filesystem;

static constexpr const char *kFormat = "xlac distributed checkpoint";
static constexpr int64_t kVersion = 1;

//===- Values -------------------------------------------------------------===//

Value value_of_piece(const Piece &piece) {
  return Value::Dict{{"file", piece.file},
                     {"name", piece.name},
                     {"begin", xlac::to_value(piece.begin)},
                     {"sizes", xlac::to_value(piece.sizes)},
                     {"digest", piece.digest}};
}

Piece piece_from(const Value &value) {
  return {value.at("file").to<std::string>(),
          value.at("name").to<std::string>(),
          from_value<Shape>(value.at("begin")),
          from_value<Shape>(value.at("sizes")),
          value.at("digest").to<std::string>()};
}

static Value value_of(const SavedTensor &tensor) {
  Value::List pieces;
  for (const Piece &piece : tensor.pieces)
    pieces.push_back(value_of_piece(piece));
  return Value::Dict{{"dtype", std::string(element_type_name(
                                   lazy::element_type(tensor.dtype)))},
                     {"sizes", xlac::to_value(tensor.sizes)},
                     {"pieces", std::move(pieces)}};
}

static Dtype dtype_named(const std::string &text) {
  std::optional<ElementType> element = parse_element_type(text);
  std::optional<Dtype> dtype =
      element ? lazy::dtype_of_element(*element) : std::nullopt;
  if (!dtype)
    raise<ValueError>("unknown dtype '" + text + "'");
  return *dtype;
}

static SavedTensor tensor_from(const Value &value) {
  SavedTensor tensor{dtype_named(value.at("dtype").to<std::string>()),
                     from_value<Shape>(value.at("sizes")),
                     {}};
  for (const Value &piece : value.at("pieces").items())
    tensor.pieces.push_back(piece_from(piece));
  return tensor;
}

//===- Checks -------------------------------------------------------------===//

/// Returns the number of elements; nothing for a negative size or an overflow.
static std::optional<int64_t> count_of(const Shape &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    if (size < 0 || __builtin_mul_overflow(count, size, &count))
      return std::nullopt;
  return count;
}

static bool lies_within(const Piece &piece, const Shape &sizes) {
  if (piece.begin.size() != sizes.size() || piece.sizes.size() != sizes.size())
    return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (piece.begin[i] < 0 || piece.sizes[i] < 0 || piece.sizes[i] > sizes[i] ||
        piece.begin[i] > sizes[i] - piece.sizes[i])
      return false;
  return true;
}

/// Throws unless the pieces lie within the tensor and have all its elements.
static void check_pieces(const SavedTensor &tensor) {
  std::optional<int64_t> wanted = count_of(tensor.sizes);
  int64_t got = 0;
  for (const Piece &piece : tensor.pieces) {
    if (!lies_within(piece, tensor.sizes) ||
        fs::path(piece.file).filename() != piece.file)
      raise<ValueError>("a piece is not within its tensor");
    std::optional<int64_t> count = count_of(piece.sizes);
    if (!count || __builtin_add_overflow(got, *count, &got))
      raise<ValueError>("a piece is too large");
  }
  if (!wanted || got != *wanted)
    raise<ValueError>("pieces of a tensor are missing");
}

static Manifest checked(const Value &written) {
  if (written.at("format").to<std::string>() != kFormat)
    raise<ValueError>("it has another format");
  if (int64_t version = written.at("version").to<int64_t>();
      version != kVersion)
    raise<ValueError>("it has version " + std::to_string(version) +
                      ", wanted " + std::to_string(kVersion));
  Manifest manifest{written.at("data"), {}};
  for (const Value &tensor : written.at("tensors").items()) {
    manifest.tensors.push_back(tensor_from(tensor));
    check_pieces(manifest.tensors.back());
  }
  auto count = static_cast<int64_t>(manifest.tensors.size());
  for_each_tensor(manifest.structure, [&](const Tensor &number) {
    if (number.dim() != 0 || number.dtype() != kInt64 ||
        number.item<int64_t>() < 0 || number.item<int64_t>() >= count)
      raise<ValueError>("it names a tensor that is not there");
  });
  return manifest;
}

//===- Files --------------------------------------------------------------===//

void write_manifest(const Manifest &manifest, const fs::path &folder) {
  Value::List tensors;
  for (const SavedTensor &tensor : manifest.tensors)
    tensors.push_back(value_of(tensor));
  xlac::save(Value(Value::Dict{{"format", kFormat},
                               {"version", kVersion},
                               {"data", manifest.structure},
                               {"tensors", std::move(tensors)}}),
             folder / kManifestName);
}

Manifest read_manifest(const fs::path &folder) {
  fs::path path = folder / kManifestName;
  std::error_code error;
  if (!fs::exists(path, error))
    raise<UserError>(folder.string() + ": there is no checkpoint, " +
                     kManifestName + " is missing");
  try {
    return checked(xlac::load(path));
  } catch (const Error &reason) {
    raise<UserError>(path.string() +
                     ": it is damaged, or no manifest of a "
                     "checkpoint: " +
                     plain_message(reason));
  }
}

std::string plain_message(const std::exception &error) {
  std::string text = error.what();
  text = text.substr(0, text.rfind(" (at "));
  size_t name_end = text.find("(): ");
  return name_end == std::string::npos ? text : text.substr(name_end + 4);
}

static constexpr std::string_view kBefore = "elements_",
                                  kAfter = ".safetensors";

std::string element_file_name(int64_t save_number, int process, int part) {
  return std::string(kBefore) + std::to_string(save_number) + "_" +
         std::to_string(process) + "_" + std::to_string(part) +
         std::string(kAfter);
}

static bool is_element_file(const std::string &name) {
  return name.starts_with(kBefore) && name.ends_with(kAfter);
}

static std::vector<std::string> files_in(const fs::path &folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator end, at(folder, error);
  while (!error && at != end) {
    names.push_back(at->path().filename().string());
    at.increment(error);
  }
  return names;
}

int64_t next_save_number(const fs::path &folder) {
  int64_t next = 0;
  for (const std::string &name : files_in(folder)) {
    int64_t number = 0;
    if (!is_element_file(name))
      continue;
    const char *begin = name.data() + kBefore.size();
    auto parsed = std::from_chars(begin, name.data() + name.size(), number);
    if (parsed.ec == std::errc() && number >= 0 && number < INT64_MAX)
      next = std::max(next, number + 1);
  }
  return next;
}

void remove_other_files(const Manifest &manifest, const fs::path &folder) {
  std::set<std::string> used;
  for (const SavedTensor &tensor : manifest.tensors)
    for (const Piece &piece : tensor.pieces)
      used.insert(piece.file);
  for (const std::string &name : files_in(folder)) {
    bool is_temporary = name.starts_with(".xlac-") && name.ends_with(".tmp");
    std::error_code ignored;
    if (is_temporary || (is_element_file(name) && !used.contains(name)))
      fs::remove(folder / name, ignored);
  }
}

} // namespace xlac::distributed_checkpoint
