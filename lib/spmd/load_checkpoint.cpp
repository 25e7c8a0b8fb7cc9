// Reading of distributed checkpoints.
#include "checkpoint_manifest.h"

#include "xlac/host/boxes.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/sharded_values.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/tensor_layout.h"
#include "xlac/serialization.h"
#include "xlac/spmd/distributed_checkpoint.h"
#include "xlac/support/hash.h"
#include "xlac/tensor/access.h"

#include <cstring>
#include <map>
#include <set>
#include <system_error>

namespace xlac::distributed_checkpoint {

using frontend::elements_of;
using frontend::impl_of;
using frontend::TensorAccess;
using frontend::TensorImpl;
using frontend::to_text;
namespace fs = std::filesystem;

namespace {

//===- Elements -----------------------------------------------------------===//

/// Reads elements of a checkpoint's tensors. Files are opened once, and each
/// piece is verified on first use.
class Reader {
public:
  explicit Reader(fs::path folder)
      : folder_(std::move(folder)), manifest_(read_manifest(folder_)) {}

  const Manifest &manifest() const { return manifest_; }
  const SavedTensor &saved(const Tensor &number) const {
    return manifest_.tensors[static_cast<size_t>(number.item<int64_t>())];
  }

  /// Returns the elements of `box`, padded at the end to `dims` with zeros.
  host::Literal read(const SavedTensor &saved, const host::Box &box,
                     const Shape &dims) {
    ElementType element = lazy::element_type(saved.dtype);
    host::Literal made =
        unwrap(host::Literal::allocate({element, dims, {}, {}}));
    if (made.byte_count() > 0)
      std::memset(made.mutable_data(), 0,
                  static_cast<size_t>(made.byte_count()));
    for (const Piece &piece : saved.pieces)
      if (host::overlap({piece.begin, piece.sizes}, box))
        host::copy_common(made.mutable_data(), dims, box,
                          elements(piece, saved).data(), piece.sizes,
                          {piece.begin, piece.sizes}, byte_size(element));
    return made;
  }

private:
  std::string path_of(const std::string &file) const {
    return (folder_ / file).string();
  }

  const StateDict &open(const std::string &file) {
    auto known = files_.find(file);
    if (known != files_.end())
      return known->second;
    std::error_code error;
    if (!fs::exists(folder_ / file, error))
      raise<UserError>(path_of(file) + ": this file of the checkpoint is "
                                       "missing");
    try {
      return files_[file] = load_safetensors(folder_ / file, {.map = true});
    } catch (const Error &reason) {
      raise<UserError>(path_of(file) +
                       ": this file of the checkpoint is "
                       "damaged: " +
                       plain_message(reason));
    }
  }

  host::Literal elements(const Piece &piece, const SavedTensor &saved) {
    const StateDict &tensors = open(piece.file);
    auto damaged = [&](const std::string &what) {
      raise<UserError>(path_of(piece.file) +
                       ": this file of the checkpoint "
                       "is damaged: " +
                       what + " '" + piece.name + "'");
    };
    if (!tensors.contains(piece.name))
      damaged("it has no piece");
    host::Literal literal = elements_of(tensors.at(piece.name));
    int64_t count = 1;
    for (int64_t size : piece.sizes)
      count *= size;
    if (literal.byte_count() !=
        count * byte_size(lazy::element_type(saved.dtype)))
      damaged("wrong size of piece");
    if (verified_.insert(piece.file + "/" + piece.name).second) {
      Hasher hasher;
      hasher.update_plain(
          std::span(literal.data(), static_cast<size_t>(literal.byte_count())));
      if (to_hex(hasher.finish()) != piece.digest)
        damaged("wrong checksum of piece");
    }
    return literal;
  }

  fs::path folder_;
  Manifest manifest_;
  std::map<std::string, StateDict> files_;
  std::set<std::string> verified_;
};

} // namespace

//===- Tensors ------------------------------------------------------------===//

static Tensor tensor_of(graph::Value value, Device device,
                        const SavedTensor &saved) {
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(device, std::move(value)), saved.dtype, saved.sizes));
}

static Tensor whole(Reader &reader, const SavedTensor &saved) {
  host::Box box{Shape(saved.sizes.size(), 0), saved.sizes};
  return tensor_of(lazy::host_value(reader.read(saved, box, saved.sizes)),
                   Device(kCPU), saved);
}

/// Returns the saved tensor with the device and layout of `like`, which has the
/// same sizes.
static Tensor placed_like(Reader &reader, const SavedTensor &saved,
                          const Tensor &like) {
  TensorImpl &impl = impl_of(like);
  Device device = impl.device();
  lazy::Layout layout =
      device.type == kXLA && lazy::is_partitioned(device.index)
          ? lazy::requested_layout(impl)
          : nullptr;
  if (!layout || !layout->is_tiled())
    return whole(reader, saved).to(device);
  Shape dims = shard_dims(saved.sizes, *layout);
  std::map<Shape, host::Literal> made; // devices with equal shards share one
  std::vector<host::Literal> shards;
  int first = lazy::first_partition();
  for (int i = 0; i < lazy::runtime_device_count(); ++i) {
    ShardBounds bounds = shard_bounds(saved.sizes, *layout, first + i);
    auto [place, is_new] = made.try_emplace(bounds.begin);
    if (is_new)
      place->second = reader.read(saved, {bounds.begin, bounds.size}, dims);
    shards.push_back(place->second);
  }
  TensorType type{lazy::element_type(saved.dtype), saved.sizes, {}, {}};
  Tensor tensor =
      tensor_of(lazy::value_of_shards(type, layout, shards), device, saved);
  lazy::request_layout(impl_of(tensor), layout);
  return tensor;
}

//===- Trees --------------------------------------------------------------===//

/// Adds the tensors of `value` with their paths: ['model']['fc.weight'].
static void list_paths(const Value &value, const std::string &path,
                       std::map<std::string, Tensor> &into) {
  auto below = [&](const Value &item, const std::string &key) {
    list_paths(item, path + "[" + key + "]", into);
  };
  if (const auto *tensor = value.get_if<Tensor>()) {
    if (tensor->defined())
      into[path] = *tensor;
  } else if (const auto *dict = value.get_if<Value::Dict>()) {
    for (const auto &[key, item] : *dict)
      below(item, key.is<std::string>() ? "'" + key.to<std::string>() + "'"
                  : key.is<int64_t>()   ? std::to_string(key.to<int64_t>())
                                        : "?");
  } else if (value.is<Value::List>() || value.is<Value::Tuple>() ||
             value.is<Value::Set>()) {
    int64_t index = 0;
    for (const Value &item : value.items())
      below(item, std::to_string(index++));
  }
}

/// A tensor to write, and what to write.
using Writes = std::vector<std::pair<Tensor, Tensor>>;

/// Reads the values for the tensors of `target`.
static Writes read_values(Reader &reader, const Value &target,
                          const Value &structure) {
  std::map<std::string, Tensor> wanted, numbers;
  list_paths(target, "", wanted);
  list_paths(structure, "", numbers);
  for (const auto &[path, tensor] : wanted) {
    auto number = numbers.find(path);
    if (number == numbers.end())
      raise<KeyError>("the checkpoint has no tensor " + path);
    const SavedTensor &saved = reader.saved(number->second);
    if (saved.sizes != tensor.sizes())
      raise<ShapeError>("the checkpoint's tensor " + path + " has sizes " +
                        to_text(saved.sizes) + ", wanted " +
                        to_text(tensor.sizes()));
  }
  Writes writes;
  for (const auto &[path, tensor] : wanted)
    writes.emplace_back(
        tensor, placed_like(reader, reader.saved(numbers.at(path)), tensor));
  return writes;
}

/// Waits until all processes have read. Throws in each if one has failed.
template <class Read> static void read_together(const Read &read) {
  std::string failure;
  std::exception_ptr own;
  try {
    read();
  } catch (const std::exception &error) {
    failure = plain_message(error);
    own = std::current_exception();
  }
  std::vector<std::string> all =
      lazy::meet_partition_processes("load checkpoint", failure);
  if (own)
    std::rethrow_exception(own);
  for (const std::string &other : all)
    if (!other.empty())
      raise<RuntimeError>(other);
}

static void write(const Writes &writes) {
  for (const auto &[target, value] : writes) {
    Tensor place = target;
    place.detach().copy_(value);
  }
}

/// Returns the state of an optimizer with tensors that are placed as the
/// parameters that they belong to.
static Value read_optimizer(Reader &reader, const Value &structure,
                            const std::vector<Tensor> &parameters) {
  Value::Dict read;
  for (const auto &[key, part] : structure.to<Value::Dict>()) {
    if (!key.is<std::string>() || key.to<std::string>() != "state") {
      read.emplace_back(key, part);
      continue;
    }
    Value::Dict states;
    for (const auto &[number, state] : part.to<Value::Dict>()) {
      auto index = number.is<int64_t>() ? number.to<int64_t>() : -1;
      bool is_known =
          index >= 0 && index < static_cast<int64_t>(parameters.size());
      states.emplace_back(
          number, map_tensors(state, [&](const Tensor &place) {
            const SavedTensor &saved = reader.saved(place);
            bool fits =
                is_known &&
                parameters[static_cast<size_t>(index)].sizes() == saved.sizes;
            return fits ? placed_like(reader, saved,
                                      parameters[static_cast<size_t>(index)])
                        : whole(reader, saved);
          }));
    }
    read.emplace_back(key, std::move(states));
  }
  return read;
}

//===- Loading ------------------------------------------------------------===//

Value load(const fs::path &folder) {
  XLAC_CALL("load");
  Value read;
  read_together([&] {
    Reader reader(folder);
    read = map_tensors(reader.manifest().structure, [&](const Tensor &number) {
      return whole(reader, reader.saved(number));
    });
  });
  return read;
}

void load_into(const Value &target, const fs::path &folder) {
  XLAC_CALL("load_into");
  NoGradGuard guard;
  Writes writes;
  read_together([&] {
    Reader reader(folder);
    writes = read_values(reader, target, reader.manifest().structure);
  });
  write(writes);
}

void load(nn::Module &module, optim::Optimizer &optimizer,
          const fs::path &folder) {
  XLAC_CALL("load");
  NoGradGuard guard;
  std::vector<Tensor> parameters;
  for (const optim::ParamGroup &group : optimizer.param_groups())
    parameters.insert(parameters.end(), group.params.begin(),
                      group.params.end());
  Writes writes;
  Value state;
  read_together([&] {
    Reader reader(folder);
    const Value &structure = reader.manifest().structure;
    writes = read_values(reader, xlac::to_value(module.state_dict()),
                         structure.at("model"));
    state = read_optimizer(reader, structure.at("optimizer"), parameters);
  });
  optimizer.load_state_dict(state); // changes nothing if it throws
  write(writes);
}

} // namespace xlac::distributed_checkpoint
