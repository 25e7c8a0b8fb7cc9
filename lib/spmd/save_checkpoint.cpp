// Writing of distributed checkpoints.
#include "checkpoint_manifest.h"

#include "xlac/lazy/partitions.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/serialization.h"
#include "xlac/spmd.h"
#include "xlac/spmd/distributed_checkpoint.h"
#include "xlac/support/hash.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <sstream>
#include <system_error>

namespace xlac::distributed_checkpoint {

using frontend::computed_values;
using frontend::elements_of;
namespace fs = std::filesystem;

namespace {

//===- Messages between processes -----------------------------------------===//

/// What a process tells the others: that it failed, or a value.
struct Message {
  std::string failure;
  Value value;
};

std::vector<Message> meet(std::string_view tag, const Message &own) {
  std::ostringstream text;
  xlac::save(Value(Value::Tuple{{own.failure, own.value}}), text);
  std::vector<Message> all;
  for (const std::string &payload :
       lazy::meet_partition_processes(tag, text.str())) {
    std::istringstream stream(payload);
    Value pair = xlac::load(stream);
    all.push_back({pair.at(size_t{0}).to<std::string>(), pair.at(1)});
  }
  return all;
}

/// Runs `work` and waits for the other processes. Returns the values of all of
/// them. Throws RuntimeError in each if it failed in one.
template <class Work>
std::vector<Value> together(std::string_view tag, const Work &work) {
  Message own;
  try {
    own.value = work();
  } catch (const std::exception &error) {
    own.failure = plain_message(error);
  }
  std::vector<Value> values;
  for (Message &message : meet(tag, own)) {
    if (!message.failure.empty())
      raise<RuntimeError>(message.failure);
    values.push_back(std::move(message.value));
  }
  return values;
}

//===- Pieces -------------------------------------------------------------===//

/// Elements of a tensor of `data` that this process writes.
struct Part {
  size_t tensor;
  Tensor elements; ///< on the cpu
  Shape begin;
};

std::string digest_of(const Tensor &elements) {
  host::Literal literal = elements_of(elements);
  Hasher hasher;
  hasher.update_plain(
      std::span(literal.data(), static_cast<size_t>(literal.byte_count())));
  return to_hex(hasher.finish());
}

/// Writes files of elements, a new one whenever there are enough of them.
class ElementWriter {
public:
  ElementWriter(fs::path folder, int64_t save_number)
      : folder_(std::move(folder)), save_number_(save_number) {}

  void add(const Part &part) {
    if (part.elements.numel() == 0)
      return;
    constexpr int64_t kMaxBytes = int64_t{256} << 20;
    int64_t bytes = part.elements.numel() * part.elements.element_size();
    if (!tensors_.empty() && bytes_ + bytes > kMaxBytes)
      flush();
    bytes_ += bytes;
    Piece piece{file_name(), std::to_string(part.tensor), part.begin,
                part.elements.sizes(), digest_of(part.elements)};
    for (int64_t begin : part.begin)
      piece.name += "_" + std::to_string(begin);
    // The format lacks pairs of f64.
    tensors_.emplace_back(piece.name, part.elements.dtype() == kComplex128
                                          ? view_as_real(part.elements)
                                          : part.elements);
    pieces_.push_back(Value::Tuple{
        {static_cast<int64_t>(part.tensor), value_of_piece(piece)}});
  }
  void flush() {
    if (tensors_.empty())
      return;
    StateDict entries;
    for (auto &[name, elements] : tensors_)
      entries[name] = elements;
    save_safetensors(entries, folder_ / file_name());
    tensors_.clear();
    bytes_ = 0;
    ++part_;
  }
  /// The written pieces, each with the index of its tensor.
  Value pieces() const { return pieces_; }

private:
  std::string file_name() const {
    return element_file_name(save_number_, lazy::partition_process(), part_);
  }

  fs::path folder_;
  int64_t save_number_;
  int part_ = 0;
  int64_t bytes_ = 0;
  std::vector<std::pair<std::string, Tensor>> tensors_;
  Value::List pieces_;
};

bool is_sharded(const Tensor &tensor) {
  return tensor.device().type == kXLA &&
         lazy::is_partitioned(tensor.device().index);
}

/// Adds the parts of a tensor that this process writes: of each shard one copy,
/// and all of a tensor that is not tiled in one process.
void add_parts(ElementWriter &writer, const Tensor &tensor, size_t number) {
  bool is_own =
      static_cast<int64_t>(number) % lazy::partition_process_count() ==
      lazy::partition_process();
  Shape start(tensor.sizes().size(), 0);
  if (!is_sharded(tensor)) {
    if (is_own)
      writer.add({number, tensor.detach().cpu(), start});
    return;
  }
  bool is_first = true;
  for (const spmd::XLAShard &shard :
       spmd::XLAShardedTensor(tensor, {}).local_shards()) {
    if (shard.indices.empty()) {
      if (is_own && is_first)
        writer.add({number, shard.data, start});
    } else if (shard.replica_id == 0) {
      Shape begin;
      for (const Slice &index : shard.indices)
        begin.push_back(*index.start);
      writer.add({number, shard.unpadded_data(), begin});
    }
    is_first = false;
  }
}

//===- Saving -------------------------------------------------------------===//

void compute(const std::vector<Tensor> &tensors) {
  std::vector<Tensor> sharded;
  std::copy_if(tensors.begin(), tensors.end(), std::back_inserter(sharded),
               is_sharded);
  if (!sharded.empty())
    computed_values(0, sharded);
}

/// Returns the number of the new save, which process 0 chooses.
int64_t begin_save(const fs::path &folder) {
  return together("begin checkpoint",
                  [&]() -> Value {
                    if (lazy::partition_process() != 0)
                      return {};
                    std::error_code error;
                    fs::create_directories(folder, error);
                    if (error)
                      raise<RuntimeError>(folder.string() + ": " +
                                          error.message());
                    return next_save_number(folder);
                  })
      .at(0)
      .to<int64_t>();
}

Value write_elements(const std::vector<Tensor> &tensors, const fs::path &folder,
                     int64_t save_number) {
  ElementWriter writer(folder, save_number);
  for (size_t i = 0; i < tensors.size(); ++i)
    add_parts(writer, tensors[i], i);
  writer.flush();
  return writer.pieces();
}

Manifest manifest_of(const Value &data, std::vector<Tensor> &tensors) {
  Manifest manifest;
  manifest.structure = map_tensors(data, [&](const Tensor &tensor) {
    tensors.push_back(tensor);
    manifest.tensors.push_back({tensor.dtype(), tensor.sizes(), {}});
    return xlac::tensor(static_cast<int64_t>(tensors.size()) - 1,
                        TensorOptions(kInt64).device(kCPU));
  });
  return manifest;
}

} // namespace

void save(const Value &data, const fs::path &folder) {
  XLAC_CALL("save");
  NoGradGuard guard;
  std::vector<Tensor> tensors;
  Manifest manifest = manifest_of(data, tensors);
  if (!lazy::is_spmd() && !lazy::is_master_replica(/*of_the_job=*/true))
    return;
  int64_t save_number = begin_save(folder);
  std::vector<Value> written = together("write checkpoint", [&] {
    compute(tensors);
    return write_elements(tensors, folder, save_number);
  });
  for (const Value &of_process : written)
    for (const Value &entry : of_process.items())
      manifest.tensors
          .at(static_cast<size_t>(entry.at(size_t{0}).to<int64_t>()))
          .pieces.push_back(piece_from(entry.at(1)));
  together("end checkpoint", [&]() -> Value {
    if (lazy::partition_process() == 0) {
      write_manifest(manifest, folder);
      remove_other_files(manifest, folder);
    }
    return {};
  });
}

void save(const nn::Module &module, const optim::Optimizer &optimizer,
          const fs::path &folder) {
  distributed_checkpoint::save(
      Value(Value::Dict{{"model", xlac::to_value(module.state_dict())},
                        {"optimizer", optimizer.state_dict()}}),
      folder);
}

} // namespace xlac::distributed_checkpoint
