// torch_xla.experimental.distributed_checkpoint: checkpoints of sharded
// tensors. Every process writes the shards of its own devices, and any other
// mesh, or a single device, reads them.
#pragma once

#include "xlac/optim.h"
#include "xlac/tree.h"

#include <filesystem>

namespace xlac::distributed_checkpoint {

/// Writes `data` into `folder`, which is created if missing. All processes of
/// an SPMD job call it with the same structure, and see the same folder. In a
/// job of replicas, only the master writes.
///
/// The elements are in safetensors files. manifest.pt, a file of save(), has
/// the structure, and for each tensor its dtype, sizes and pieces with their
/// checksums. It is written last and renamed over the old one: a reader finds
/// the old checkpoint or the new one, whole, even if a process is killed. The
/// files of the old one are then removed. Two saves into one folder must not
/// run at the same time.
///
/// Host memory holds up to 256 MiB of the elements of this process at a time,
/// or one shard if that is larger. RuntimeError in all processes if one of them
/// cannot write.
XLAC_API void save(const Value &data, const std::filesystem::path &folder);
/// The same for data that has a Tree, such as a state dict.
template <class T>
void save(const T &data, const std::filesystem::path &folder) {
  distributed_checkpoint::save(to_value(data), folder);
}
/// Writes {"model": module.state_dict(), "optimizer": optimizer.state_dict()}.
XLAC_API void save(const nn::Module &module, const optim::Optimizer &optimizer,
                   const std::filesystem::path &folder);

/// Reads everything, with whole tensors on the cpu. UserError if there is no
/// checkpoint, if a file is missing, or if one is damaged; it names the file.
XLAC_API Value load(const std::filesystem::path &folder);
/// Reads the elements of the tensors of `target` in place. They keep device,
/// dtype and sharding, whatever those of the saved tensors are. A device gets
/// the pieces that its shard overlaps. Tensors of the checkpoint that `target`
/// lacks are not read.
///
/// KeyError for a tensor that the checkpoint lacks, ShapeError for other sizes,
/// else as load() of a folder. No tensor changes if it throws.
XLAC_API void load_into(const Value &target,
                        const std::filesystem::path &folder);
/// The same for data that has a Tree, such as a state dict.
template <class T>
void load_into(const T &target, const std::filesystem::path &folder) {
  distributed_checkpoint::load_into(to_value(target), folder);
}
/// Reads what save() of a module and an optimizer wrote. The optimizer needs no
/// state before: it gets that of the checkpoint, laid out as its parameters.
/// Errors are those of load_into() and of the two load_state_dict().
XLAC_API void load(nn::Module &module, optim::Optimizer &optimizer,
                   const std::filesystem::path &folder);

} // namespace xlac::distributed_checkpoint

namespace xlac {
namespace dist_cp = distributed_checkpoint;
}
