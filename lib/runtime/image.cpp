#include "xlac/runtime/image.h"

#include "xlac/abi/abi.h"
#include "xlac/library/call_bytes.h"
#include "xlac/support/byte_stream.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace xlac::runtime {

namespace {

constexpr char kImageMagic[] = {'X', 'L', 'A', 'C', 'I', 'M', 'G', 'A'};
constexpr char kBlobMagic[] = {'X', 'L', 'A', 'C', 'B', 'L', 'B', '2'};
/// Limit on nested tuples: deeper than in any program, but safe for the stack.
constexpr int kMaximumTypeDepth = 64;

enum class TypeTag : uint8_t { Tensor, Token, Tuple, Future };

void write_quantization(ByteWriter &out, const Quantization &quantization) {
  out.u8(static_cast<uint8_t>(quantization.storage_type));
  out.u8(static_cast<uint8_t>(quantization.expressed_type));
  out.i64(quantization.storage_min);
  out.i64(quantization.storage_max);
  out.u8(quantization.quantization_dimension.has_value());
  out.i64(quantization.quantization_dimension.value_or(0));
  out.i64s(quantization.block_dimensions);
  out.i64s(quantization.block_sizes);
  out.f64s(quantization.scales);
  out.i64s(quantization.zero_points);
}

bool read_element(ByteReader &in, ElementType &element) {
  uint8_t value = in.u8();
  if (value >= kElementTypeCount)
    return in.reject();
  element = static_cast<ElementType>(value);
  return in.good();
}

bool read_quantization(ByteReader &in, Quantization &quantization) {
  read_element(in, quantization.storage_type);
  read_element(in, quantization.expressed_type);
  quantization.storage_min = in.i64();
  quantization.storage_max = in.i64();
  bool per_axis = in.boolean();
  int64_t dimension = in.i64();
  if (per_axis)
    quantization.quantization_dimension = dimension;
  in.i64s(quantization.block_dimensions);
  in.i64s(quantization.block_sizes);
  in.f64s(quantization.scales);
  in.i64s(quantization.zero_points);
  return in.good();
}

void write_type(ByteWriter &out, const Type &type) {
  if (type.is_tensor()) {
    const TensorType &tensor = type.tensor();
    out.u8(static_cast<uint8_t>(TypeTag::Tensor));
    out.u8(static_cast<uint8_t>(tensor.element));
    out.i64s(tensor.dims);
    out.i64s(tensor.bounds);
    out.u8(tensor.quantization != nullptr);
    if (tensor.quantization)
      write_quantization(out, *tensor.quantization);
    return;
  }
  if (type.is_token()) {
    out.u8(static_cast<uint8_t>(TypeTag::Token));
    return;
  }
  out.u8(
      static_cast<uint8_t>(type.is_tuple() ? TypeTag::Tuple : TypeTag::Future));
  out.u64(type.elements().size());
  for (const Type &element : type.elements())
    write_type(out, element);
}

bool read_type(ByteReader &in, Type &type, int depth = 0) {
  if (depth > kMaximumTypeDepth)
    return in.reject();
  uint8_t tag = in.u8();
  if (tag == static_cast<uint8_t>(TypeTag::Token)) {
    type = TokenType{};
    return in.good();
  }
  if (tag == static_cast<uint8_t>(TypeTag::Tensor)) {
    TensorType tensor;
    read_element(in, tensor.element);
    in.i64s(tensor.dims);
    in.i64s(tensor.bounds);
    if (in.boolean()) {
      auto quantization = std::make_shared<Quantization>();
      read_quantization(in, *quantization);
      tensor.quantization = std::move(quantization);
    }
    for (int64_t dim : tensor.dims)
      if (dim < 0 && dim != kDynamic)
        return in.reject();
    type = std::move(tensor);
    return in.good();
  }
  if (tag > static_cast<uint8_t>(TypeTag::Future))
    return in.reject();
  std::vector<Type> elements(in.count(1));
  for (Type &element : elements)
    if (!read_type(in, element, depth + 1))
      return false;
  type = tag == static_cast<uint8_t>(TypeTag::Tuple)
             ? Type::tuple(std::move(elements))
             : Type::future(std::move(elements));
  return in.good();
}

void write_types(ByteWriter &out, const std::vector<Type> &types) {
  out.u64(types.size());
  for (const Type &type : types)
    write_type(out, type);
}

void read_types(ByteReader &in, std::vector<Type> &types) {
  types.resize(in.count(1));
  for (Type &type : types)
    if (!read_type(in, type))
      return;
}

void write_tensors(ByteWriter &out, const std::vector<TensorType> &types) {
  write_types(out, {types.begin(), types.end()});
}

void read_tensors(ByteReader &in, std::vector<TensorType> &tensors) {
  std::vector<Type> types;
  read_types(in, types);
  for (const Type &type : types) {
    if (!type.is_tensor() || !type.tensor().byte_count()) {
      in.reject();
      return;
    }
    tensors.push_back(type.tensor());
  }
}

void write_dictionary(ByteWriter &out, const CustomCallDictionary &entries) {
  out.u64(entries.size());
  for (const auto &[name, value] : entries) {
    out.text(name);
    out.u8(static_cast<uint8_t>(value.kind));
    out.text(value.element_type);
    out.i64(value.count);
    out.text(value.bytes);
    write_dictionary(out, value.entries);
  }
}

/// Whether an attribute has as many bytes as its type says.
bool has_matching_size(const CustomCallAttribute &attribute) {
  using Kind = CustomCallAttribute::Kind;
  if (attribute.kind == Kind::Text || attribute.kind == Kind::Dictionary)
    return true;
  auto type = parse_element_type(attribute.element_type);
  if (!type || attribute.count < 0 ||
      (attribute.kind == Kind::Scalar && attribute.count != 1))
    return false;
  size_t bytes = byte_size(*type);
  return attribute.bytes.size() % bytes == 0 &&
         attribute.bytes.size() / bytes == static_cast<size_t>(attribute.count);
}

void read_dictionary(ByteReader &in, CustomCallDictionary &entries,
                     int depth = 0) {
  if (depth > kMaximumTypeDepth) {
    in.reject();
    return;
  }
  entries.resize(in.count(41));
  for (auto &[name, value] : entries) {
    in.text(name);
    uint8_t kind = in.u8();
    value.kind = static_cast<CustomCallAttribute::Kind>(kind);
    in.text(value.element_type);
    value.count = in.i64();
    in.text(value.bytes);
    read_dictionary(in, value.entries, depth + 1);
    if (kind > static_cast<uint8_t>(CustomCallAttribute::Kind::Dictionary) ||
        !has_matching_size(value))
      in.reject();
    if (!in.good())
      return;
  }
}

void write_function(ByteWriter &out, const HostFunction &function) {
  out.text(function.target);
  out.text(function.source);
  library::write_attributes(out, function.attributes);
  out.u64(function.layouts.size());
  for (const std::vector<int64_t> &layout : function.layouts)
    out.i64s(layout);
  write_dictionary(out, function.exact);
  out.i64s(function.operand_tokens);
  out.i64s(function.result_tokens);
  out.i64s(function.result_aliases);
  out.i64(function.only_partition);
}

void read_function(ByteReader &in, HostFunction &function) {
  in.text(function.target);
  in.text(function.source);
  library::read_attributes(in, function.attributes);
  function.layouts.resize(in.count(8));
  for (std::vector<int64_t> &layout : function.layouts)
    in.i64s(layout);
  read_dictionary(in, function.exact);
  in.i64s(function.operand_tokens);
  in.i64s(function.result_tokens);
  in.i64s(function.result_aliases);
  function.only_partition = in.i64();
}

void write_collective(ByteWriter &out, const Collective &what) {
  out.u8(static_cast<uint8_t>(what.kind));
  out.u8(static_cast<uint8_t>(what.grouping));
  out.i64(what.channel);
  out.u64(what.groups.size());
  for (const std::vector<int64_t> &group : what.groups)
    out.i64s(group);
  out.i64(what.dimension);
  out.i64(what.concat_dimension);
  out.u8(what.dynamic_root);
  out.u8(what.host);
  out.i64s(what.fill);
  out.u64(what.body);
  write_tensors(out, what.operands);
  write_tensors(out, what.results);
  out.u64(what.reducers.size());
  for (const CollectiveReducer &reducer : what.reducers) {
    out.u32(reducer.kernel);
    out.i64s(reducer.tasks);
    out.i64(reducer.elements);
  }
  write_function(out, what.function);
}

void read_collective(ByteReader &in, Collective &what) {
  uint8_t kind = in.u8(), grouping = in.u8();
  if (kind >= kCollectiveKindCount || grouping >= kProcessGroupingCount) {
    in.reject();
    return;
  }
  what.kind = static_cast<CollectiveKind>(kind);
  what.grouping = static_cast<ProcessGrouping>(grouping);
  what.channel = in.i64();
  what.groups.resize(in.count(8));
  for (std::vector<int64_t> &group : what.groups)
    in.i64s(group);
  what.dimension = in.i64();
  what.concat_dimension = in.i64();
  what.dynamic_root = in.boolean();
  what.host = in.boolean();
  in.i64s(what.fill);
  what.body = in.u64();
  read_tensors(in, what.operands);
  read_tensors(in, what.results);
  what.reducers.resize(in.count(20));
  for (CollectiveReducer &reducer : what.reducers) {
    reducer.kernel = in.u32();
    in.i64s(reducer.tasks);
    reducer.elements = in.i64();
  }
  read_function(in, what.function);
}

void write_needs(ByteWriter &out, const CodeNeeds &needs) {
  out.i64(needs.scratch_bytes);
  out.u32(needs.routines);
}

void read_needs(ByteReader &in, CodeNeeds &needs) {
  needs.scratch_bytes = in.i64();
  needs.routines = in.u32();
  if (needs.scratch_bytes < 0)
    in.reject();
}

void write_blob(ByteWriter &out, const Blob &blob) {
  out.u64(blob.features);
  write_needs(out, blob.needs);
  out.bytes(blob.bytes);
  out.u64(blob.symbols.size());
  for (const BlobSymbol &symbol : blob.symbols) {
    out.text(symbol.name);
    out.u64(symbol.offset);
    out.u64(symbol.size);
  }
}

bool read_blob(ByteReader &in, Blob &blob) {
  blob.features = in.u64();
  read_needs(in, blob.needs);
  in.bytes(blob.bytes);
  blob.symbols.resize(in.count(24));
  for (BlobSymbol &symbol : blob.symbols) {
    in.text(symbol.name);
    symbol.offset = in.u64();
    symbol.size = in.u64();
    if (symbol.offset > blob.bytes.size() ||
        symbol.size > blob.bytes.size() - symbol.offset)
      return in.reject();
  }
  return in.good();
}

void write_prologue(ByteWriter &out, const Prologue &prologue) {
  out.u32s(prologue.arguments);
  out.i64s(prologue.result_bytes);
  out.i64(prologue.arena_bytes);
}

void read_prologue(ByteReader &in, Prologue &prologue) {
  in.u32s(prologue.arguments);
  in.i64s(prologue.result_bytes);
  prologue.arena_bytes = in.i64();
}

void write_shardings(ByteWriter &out, const std::vector<Sharding> &shardings) {
  out.u64(shardings.size());
  for (const Sharding &sharding : shardings)
    out.text(sharding.str());
}

void read_shardings(ByteReader &in, std::vector<Sharding> &shardings) {
  shardings.resize(in.count(8));
  for (Sharding &sharding : shardings) {
    std::string text;
    in.text(text);
    auto parsed = parse_sharding(text);
    if (!parsed) {
      in.reject();
      return;
    }
    sharding = std::move(*parsed);
  }
}

void write_partitions(ByteWriter &out, const ExecutableImage &image) {
  out.u32(static_cast<uint32_t>(image.partitions));
  write_shardings(out, image.argument_shardings);
  write_shardings(out, image.result_shardings);
  write_types(out, image.global_arguments);
  write_types(out, image.global_results);
}

void read_partitions(ByteReader &in, ExecutableImage &image) {
  image.partitions = static_cast<int>(in.u32());
  read_shardings(in, image.argument_shardings);
  read_shardings(in, image.result_shardings);
  read_types(in, image.global_arguments);
  read_types(in, image.global_results);
}

void write_layouts(ByteWriter &out,
                   const std::vector<std::vector<int64_t>> &layouts) {
  out.u64(layouts.size());
  for (const std::vector<int64_t> &layout : layouts)
    out.i64s(layout);
}

void read_layouts(ByteReader &in, std::vector<std::vector<int64_t>> &layouts) {
  layouts.resize(in.count(8));
  for (std::vector<int64_t> &layout : layouts)
    in.i64s(layout);
}

/// Whether there is no layout, or one for each type.
bool are_permutations(const std::vector<std::vector<int64_t>> &layouts,
                      const std::vector<Type> &types) {
  if (layouts.empty())
    return true;
  if (layouts.size() != types.size())
    return false;
  for (size_t i = 0; i < layouts.size(); ++i) {
    std::vector<int64_t> order = layouts[i];
    std::ranges::sort(order);
    std::vector<int64_t> all(types[i].is_tensor() ? types[i].tensor().rank()
                                                  : 0);
    std::iota(all.begin(), all.end(), 0);
    if (order != all)
      return false;
  }
  return true;
}

/// Writes the constants, or only their sizes.
void write_constants(ByteWriter &out, const ExecutableImage &image,
                     bool are_elsewhere) {
  out.u8(are_elsewhere);
  out.u64(image.constants.size());
  for (const SharedBytes &constant : image.constants)
    if (are_elsewhere)
      out.u64(constant.size());
    else
      out.bytes(constant);
}

/// Reads the constants. Null for `elsewhere`: they are a part of the input.
void read_constants(ByteReader &in, ExecutableImage &image,
                    const SharedBytes *elsewhere) {
  if (in.boolean() != (elsewhere != nullptr)) {
    in.reject();
    return;
  }
  image.constants.resize(in.count(8));
  if (!elsewhere) {
    for (SharedBytes &constant : image.constants) {
      std::vector<std::byte> bytes;
      in.bytes(bytes);
      constant = SharedBytes(std::move(bytes));
    }
    return;
  }
  std::span<const std::byte> rest = *elsewhere;
  for (SharedBytes &constant : image.constants) {
    uint64_t size = in.u64();
    if (size > rest.size() || constant_stride(size) > rest.size()) {
      in.reject();
      return;
    }
    constant = SharedBytes(rest.first(size), elsewhere->owner());
    rest = rest.subspan(constant_stride(size));
  }
  if (!rest.empty())
    in.reject();
  image.constants_in_place =
      reinterpret_cast<uintptr_t>(elsewhere->data()) % XLAC_ALIGNMENT == 0;
}

void read_body(ByteReader &in, ExecutableImage &image,
               const SharedBytes *elsewhere) {
  in.text(image.name);
  in.text(image.target_profile);
  image.features = in.u64();
  read_types(in, image.arguments);
  read_types(in, image.results);
  image.aliases.resize(in.count(8));
  for (AliasPair &pair : image.aliases) {
    pair.result = in.u32();
    pair.argument = in.u32();
  }
  image.donated.resize(in.count(4));
  for (uint32_t &argument : image.donated)
    argument = in.u32();
  image.memory_kinds.resize(in.count(8));
  for (std::string &kind : image.memory_kinds)
    in.text(kind);
  read_layouts(in, image.argument_layouts);
  read_layouts(in, image.result_layouts);
  read_constants(in, image, elsewhere);
  image.blobs.resize(in.count(36));
  for (Blob &blob : image.blobs)
    read_blob(in, blob);
  image.kernels.resize(in.count(60));
  for (KernelEntry &kernel : image.kernels) {
    in.text(kernel.symbol);
    kernel.blob = in.u32();
    in.text(kernel.kind);
    in.text(kernel.source_ops);
    kernel.flops = in.i64();
    kernel.bytes = in.i64();
    in.text(kernel.name);
    in.text(kernel.signature);
  }
  image.collectives.resize(in.count(40));
  for (Collective &what : image.collectives)
    read_collective(in, what);
  image.grid.replicas = static_cast<int>(in.u32());
  image.grid.partitions = static_cast<int>(in.u32());
  read_partitions(in, image);
  read_prologue(in, image.prologue);
  image.arena_bytes = in.i64();
  image.estimated_nanoseconds = in.i64();
  read_needs(in, image.needs);
}

/// Whether `shards` are the shard types of global values with the types
/// `whole`.
bool are_shards(const std::vector<Type> &shards, const std::vector<Type> &whole,
                const std::vector<Sharding> &shardings) {
  if (shards.size() != whole.size() || shards.size() != shardings.size())
    return false;
  for (size_t i = 0; i < shards.size(); ++i) {
    if (!shardings[i].is_tiled()) {
      if (!(shards[i] == whole[i]))
        return false;
      continue;
    }
    if (!shards[i].is_tensor() || !whole[i].is_tensor() ||
        whole[i].tensor().dims.size() != shardings[i].tiles.size() ||
        !whole[i].tensor().is_static() ||
        shards[i].tensor().dims !=
            shard_dims(whole[i].tensor().dims, shardings[i]))
      return false;
  }
  return true;
}

bool are_consistent_partitions(const ExecutableImage &image) {
  if (image.partitions <= 1)
    return image.partitions == 1 && image.argument_shardings.empty() &&
           image.result_shardings.empty() && image.global_arguments.empty() &&
           image.global_results.empty();
  return image.partitions == image.grid.partitions &&
         are_shards(image.arguments, image.global_arguments,
                    image.argument_shardings) &&
         are_shards(image.results, image.global_results,
                    image.result_shardings);
}

/// Checks indices into other tables of the image, and sizes.
bool is_consistent(const ExecutableImage &image) {
  auto is_size = [](int64_t bytes) { return bytes >= 0; };
  for (AliasPair pair : image.aliases)
    if (pair.result >= image.results.size() ||
        pair.argument >= image.arguments.size())
      return false;
  for (uint32_t argument : image.donated)
    if (argument >= image.arguments.size())
      return false;
  if (!image.memory_kinds.empty() &&
      image.memory_kinds.size() != image.results.size())
    return false;
  if (!are_permutations(image.argument_layouts, image.arguments) ||
      !are_permutations(image.result_layouts, image.results))
    return false;
  for (const KernelEntry &kernel : image.kernels)
    if (kernel.blob >= image.blobs.size())
      return false;
  for (uint32_t argument : image.prologue.arguments)
    if (argument >= image.arguments.size())
      return false;
  if (image.grid.replicas < 1 || image.grid.partitions < 1)
    return false;
  if (!are_consistent_partitions(image))
    return false;
  for (const Collective &what : image.collectives)
    if (!is_complete(what, image.kernels.size()))
      return false;
  return is_size(image.arena_bytes) && is_size(image.prologue.arena_bytes) &&
         std::all_of(image.prologue.result_bytes.begin(),
                     image.prologue.result_bytes.end(), is_size);
}

std::vector<std::byte> write_image(const ExecutableImage &image,
                                   bool without_constants) {
  ByteWriter out;
  out.magic(kImageMagic);
  out.text(image.name);
  out.text(image.target_profile);
  out.u64(image.features);
  write_types(out, image.arguments);
  write_types(out, image.results);
  out.u64(image.aliases.size());
  for (AliasPair pair : image.aliases) {
    out.u32(pair.result);
    out.u32(pair.argument);
  }
  out.u64(image.donated.size());
  for (uint32_t argument : image.donated)
    out.u32(argument);
  out.u64(image.memory_kinds.size());
  for (const std::string &kind : image.memory_kinds)
    out.text(kind);
  write_layouts(out, image.argument_layouts);
  write_layouts(out, image.result_layouts);
  write_constants(out, image, without_constants);
  out.u64(image.blobs.size());
  for (const Blob &blob : image.blobs)
    write_blob(out, blob);
  out.u64(image.kernels.size());
  for (const KernelEntry &kernel : image.kernels) {
    out.text(kernel.symbol);
    out.u32(kernel.blob);
    out.text(kernel.kind);
    out.text(kernel.source_ops);
    out.i64(kernel.flops);
    out.i64(kernel.bytes);
    out.text(kernel.name);
    out.text(kernel.signature);
  }
  out.u64(image.collectives.size());
  for (const Collective &what : image.collectives)
    write_collective(out, what);
  out.u32(static_cast<uint32_t>(image.grid.replicas));
  out.u32(static_cast<uint32_t>(image.grid.partitions));
  write_partitions(out, image);
  write_prologue(out, image.prologue);
  out.i64(image.arena_bytes);
  out.i64(image.estimated_nanoseconds);
  write_needs(out, image.needs);
  return out.take();
}

Result<ExecutableImage> read_image(std::span<const std::byte> bytes,
                                   const SharedBytes *constants) {
  ByteReader in(bytes);
  ExecutableImage image;
  if (!in.magic(kImageMagic))
    return failure(FailureKind::Runtime,
                   "not an executable image of this version of xlac");
  read_body(in, image, constants);
  if (!in.finished() || !is_consistent(image))
    return failure(FailureKind::Runtime, "malformed executable image");
  return image;
}

} // namespace

int64_t temporary_bytes(const ExecutableImage &image) {
  const Prologue &prologue = image.prologue;
  // The sizes in a hostile image may be any that are not negative.
  int64_t total = std::max(image.arena_bytes, prologue.arena_bytes);
  for (int64_t bytes : prologue.result_bytes)
    if (__builtin_add_overflow(total, bytes, &total))
      return INT64_MAX;
  return total;
}

std::vector<std::byte> serialize(const ExecutableImage &image) {
  return write_image(image, false);
}

Result<ExecutableImage> deserialize_image(std::span<const std::byte> bytes) {
  return read_image(bytes, nullptr);
}

std::vector<std::byte>
serialize_without_constants(const ExecutableImage &image) {
  return write_image(image, true);
}

Result<ExecutableImage>
deserialize_image_without_constants(std::span<const std::byte> bytes,
                                    const SharedBytes &constants) {
  return read_image(bytes, &constants);
}

std::vector<std::byte> serialize(const Blob &blob) {
  ByteWriter out;
  out.magic(kBlobMagic);
  write_blob(out, blob);
  return out.take();
}

Result<Blob> deserialize_blob(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  Blob blob;
  if (!in.magic(kBlobMagic))
    return failure(FailureKind::Runtime,
                   "not a kernel of this version of xlac");
  if (!read_blob(in, blob) || !in.finished())
    return failure(FailureKind::Runtime, "malformed kernel");
  return blob;
}

} // namespace xlac::runtime
