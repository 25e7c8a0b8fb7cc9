// NumPy's files of one array and of several.
#include "files.h"
#include "mapped_file.h"
#include "zip_file.h"

#include "xlac/support/npy_header.h"

#include <algorithm>
#include <fstream>

namespace xlac {

using lazy::raise;
using namespace serialize;

namespace {

constexpr std::string_view kSuffix = ".npy";

/// The header of a file of `tensor`. DtypeError for a dtype that NumPy lacks.
std::string header_of(const Tensor &tensor, const std::string &name) {
  TensorType type{lazy::element_type(tensor.dtype()), tensor.sizes(), {}, {}};
  std::string header = make_npy_header(type);
  // A dtype that NumPy lacks would be written as another.
  Result<NpyHeader> back = parse_npy_header(header);
  if (!back || back->type.element != type.element)
    raise<DtypeError>((name.empty() ? "" : name + ": ") +
                      "NumPy's files have no torch." +
                      std::string(xlac::name(tensor.dtype())));
  return header;
}

/// Turns the numbers of `size` bytes each around.
void swap_bytes(char *bytes, uint64_t count, int64_t size) {
  for (uint64_t i = 0; i < count; ++i, bytes += size)
    std::reverse(bytes, bytes + size);
}

/// The array of a whole .npy file in memory that `owner` keeps alive and that
/// may be written.
Tensor read_array(std::shared_ptr<void> owner, char *bytes, uint64_t size,
                  const std::string &name) {
  Result<NpyHeader> header = parse_npy_header({bytes, size});
  if (!header)
    raise<UserError>(name + ": " + header.error().message);
  const TensorType &type = header->type;
  uint64_t wanted = static_cast<uint64_t>(*type.byte_count());
  if (size - header->size != wanted)
    raise<UserError>(name + ": " + to_string(type) + " needs " +
                     std::to_string(wanted) + " bytes, the file holds " +
                     std::to_string(size - header->size));
  constexpr int64_t kMaxRank = 64; // NumPy's own
  if (type.rank() > kMaxRank)
    raise<UnsupportedError>(name + ": has " + std::to_string(type.rank()) +
                            " dimensions");
  char *elements = bytes + header->size;
  if (header->is_big_endian) {
    int64_t part = byte_size(real_part_type(type.element));
    swap_bytes(elements, wanted / static_cast<uint64_t>(part), part);
  }
  Dtype dtype = lazy::dtype_of_element(type.element).value();
  if (!header->is_column_major || type.rank() < 2)
    return tensor_over(std::move(owner), elements, dtype, type.dims);
  // The other way round the elements are those of the transpose.
  Shape reversed(type.dims.rbegin(), type.dims.rend()), order;
  for (int64_t i = type.rank(); i-- > 0;)
    order.push_back(i);
  return tensor_over(std::move(owner), elements, dtype, reversed)
      .permute(order)
      .contiguous();
}

} // namespace

void save_npy(const Tensor &tensor, const std::filesystem::path &path) {
  XLAC_CALL("save_npy");
  std::string header = header_of(tensor, "");
  host::Literal elements = front::elements_of(tensor);
  write_atomically(
      path, [&](std::ostream &os) { os << header << bytes_of(elements); });
}

Tensor load_npy(const std::filesystem::path &path, LoadOptions options) {
  XLAC_CALL("load_npy");
  auto file = std::make_shared<MappedFile>(path);
  return placed(read_array(file, file->data(), file->size(), path.string()),
                options);
}

void save_npz(const StateDict &arrays, const std::filesystem::path &path,
              bool compressed) {
  XLAC_CALL("save_npz");
  std::vector<std::string> headers;
  for (const auto &[name, tensor] : arrays) {
    if (!tensor.defined())
      raise<ValueError>(name + " is undefined");
    headers.push_back(header_of(tensor, name));
  }
  Computed computed(to_value(arrays));
  write_atomically(path, [&](std::ostream &os) {
    ZipWriter zip(os);
    auto header = headers.begin();
    for (const auto &[name, tensor] : arrays) {
      host::Literal elements = computed.elements_of(tensor);
      zip.add(name + std::string(kSuffix), {*header++, bytes_of(elements)},
              compressed);
    }
    zip.finish();
  });
}

StateDict load_npz(const std::filesystem::path &path, LoadOptions options) {
  XLAC_CALL("load_npz");
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    raise<RuntimeError>(path.string() + ": cannot be read");
  ZipReader zip(file);
  StateDict arrays;
  for (const std::string &record : zip.names()) {
    std::string name = record;
    if (name.ends_with(kSuffix))
      name.resize(name.size() - kSuffix.size());
    if (arrays.contains(name))
      raise<UserError>(path.string() + ": array " + name + " occurs twice");
    auto bytes = std::make_shared<std::string>(zip.read(record));
    arrays[name] = placed(
        read_array(bytes, bytes->data(), bytes->size(), record), options);
  }
  return arrays;
}

} // namespace xlac
