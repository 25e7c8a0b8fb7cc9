// NumPy's file formats: .npy with one array and .npz with several.
#include "file_bytes.h"
#include "files.h"
#include "xlac/formats/zip_file.h"

#include "xlac/support/npy_header.h"

#include <algorithm>
#include <fstream>

namespace xlac {

using namespace formats;
using namespace serialize;

namespace {

constexpr std::string_view kSuffix = ".npy";

/// Returns the header of a file of `tensor`. Throws DtypeError for a dtype that
/// NumPy lacks.
std::string header_of(const Tensor &tensor, const std::string &name) {
  TensorType type{lazy::element_type(tensor.dtype()), tensor.sizes(), {}, {}};
  std::string header = make_npy_header(type);
  // make_npy_header would write a dtype that NumPy lacks as another one.
  Result<NpyHeader> back = parse_npy_header(header);
  if (!back || back->type.element != type.element)
    raise<DtypeError>((name.empty() ? "" : name + ": ") +
                      "NumPy's files have no torch." +
                      std::string(xlac::name(tensor.dtype())));
  return header;
}

/// Makes a tensor of the row-major elements at `offset`. The last argument is
/// the size of big-endian numbers, or 0.
using ReadElements =
    std::function<Tensor(uint64_t offset, Dtype, const Shape &, int64_t)>;

/// Reads the array of a .npy file of `size` bytes that begins with `start`.
Tensor read_array(std::string_view start, uint64_t size,
                  const std::string &name, const ReadElements &read) {
  Result<NpyHeader> header = parse_npy_header(start);
  if (!header)
    raise<UserError>(name + ": " + header.error().message);
  const TensorType &type = header->type;
  uint64_t wanted = static_cast<uint64_t>(*type.byte_count());
  if (size - header->size != wanted)
    raise<UserError>(name + ": " + to_string(type) + " needs " +
                     std::to_string(wanted) + " bytes, the file holds " +
                     std::to_string(size - header->size));
  constexpr int64_t kMaxRank = 64; // NumPy's limit
  if (type.rank() > kMaxRank)
    raise<UnsupportedError>(name + ": has " + std::to_string(type.rank()) +
                            " dimensions");
  int64_t swapped =
      header->is_big_endian ? byte_size(real_part_type(type.element)) : 0;
  Dtype dtype = lazy::dtype_of_element(type.element).value();
  if (!header->is_column_major || type.rank() < 2)
    return read(header->size, dtype, type.dims, swapped);
  // Elements in column-major order are those of the transpose.
  Shape reversed(type.dims.rbegin(), type.dims.rend()), order;
  for (int64_t i = type.rank(); i-- > 0;)
    order.push_back(i);
  return read(header->size, dtype, reversed, swapped)
      .permute(order)
      .contiguous();
}

} // namespace

void save_npy(const Tensor &tensor, const std::filesystem::path &path) {
  XLAC_CALL("save_npy");
  std::string header = header_of(tensor, "");
  host::Literal elements = frontend::elements_of(tensor);
  write_atomically(
      path, [&](std::ostream &os) { os << header << bytes_of(elements); });
}

Tensor load_npy(const std::filesystem::path &path, LoadOptions options) {
  XLAC_CALL("load_npy");
  InputFile file(path);
  auto map = options.map ? std::make_shared<FileMap>(file) : nullptr;
  return placed(read_array(file.read_at_most(0, kMaxNpyHeaderSize), file.size(),
                           path.string(),
                           [&](uint64_t offset, Dtype dtype, const Shape &sizes,
                               int64_t swapped) {
                             return tensor_of_file(file, map, offset, dtype,
                                                   sizes, swapped);
                           }),
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
        read_array(*bytes, bytes->size(), record,
                   [&](uint64_t offset, Dtype dtype, const Shape &sizes,
                       int64_t swapped) {
                     char *elements = bytes->data() + offset;
                     swap_bytes(elements, bytes->size() - offset, swapped);
                     return tensor_over(bytes, elements, dtype, sizes);
                   }),
        options);
  }
  return arrays;
}

} // namespace xlac
