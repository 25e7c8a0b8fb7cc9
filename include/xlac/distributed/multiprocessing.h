// torch_xla.distributed.xla_multiprocessing: runs a function in one process per
// device, and in processes that a launcher has started.
#pragma once

#include "xlac/nn.h"
#include "xlac/types.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace xlac::distributed {

/// Options of spawn().
struct SpawnOptions {
  /// The number of processes. Default, or the number of this host's devices:
  /// one per device. 1: runs in the calling process on one device. Throws
  /// ValueError for another number.
  std::optional<int> nprocs = {};
  bool join = true; ///< waits until all processes have ended
  /// Daemon processes cannot spawn, and are killed when this process ends;
  /// others are waited for.
  bool daemon = false;
  /// "spawn": metrics, seeds, defaults and caches are reset in each process.
  /// "fork": processes inherit them. Otherwise throws ValueError.
  std::string start_method = "spawn";
};

/// The processes of a spawn with join = false. Copies refer to the same
/// processes.
class XLAC_API ProcessContext {
public:
  class XLAC_LOCAL Children;
  /// Takes over started processes.
  explicit ProcessContext(std::shared_ptr<Children> children)
      : children_(std::move(children)) {}

  /// Waits for the processes, at most `timeout` seconds. Returns true when all
  /// have ended. If one fails, terminates the others and throws
  /// ProcessRaisedError.
  bool join(std::optional<double> timeout = {});
  /// The ids of the processes.
  std::vector<int> pids() const;

private:
  std::shared_ptr<Children> children_;
};

/// Runs fn(ordinal) in one process per device of this host. With
/// XLAC_DEVICES_PER_PROCESS each process has that many devices and runs one
/// thread per device. In a process only its own devices exist, as xla:0 …; `fn`
/// is copied by fork. All processes of the job (on XLAC_NUM_HOSTS hosts)
/// synchronize before any runs `fn`. Throws UserError once the runtime has
/// started; it must not start in this process while the processes run. The
/// processes end when the calling thread or process ends. With `join` it waits
/// for them: if one throws or dies, the others are terminated, and
/// ProcessRaisedError has its ordinal and message. With nprocs = 1, and in a
/// process of a launched job (see launch), `fn` runs in the calling process and
/// its exceptions propagate unchanged.
XLAC_API std::optional<ProcessContext> spawn(std::function<void(int)> fn,
                                             SpawnOptions options = {});
/// As above; calls fn(ordinal, args…).
template <class Fn, class... A>
std::optional<ProcessContext> spawn(Fn fn, std::tuple<A...> args,
                                    SpawnOptions options = {}) {
  return spawn(
      [fn, args](int index) {
        std::apply([&](const A &...a) { fn(index, a...); }, args);
      },
      std::move(options));
}

/// Options of launch().
struct LaunchOptions {
  std::string start_method = "spawn"; ///< as in SpawnOptions
  bool debug_single_process = false;  ///< calls fn(0) in this process
};
/// In a process that a launcher has started, joins its job and runs fn(ordinal)
/// here. Such a process has RANK, LOCAL_RANK and WORLD_SIZE set, as by
/// torchrun, or the variables of Open MPI or MPICH's Hydra. Throws ValueError
/// when the variables contradict each other. From then on, an Error that the
/// program does not catch ends the process with exit code 1, and one rank
/// prints it. In other processes launch() calls spawn(fn).
XLAC_API void launch(std::function<void(int)> fn, LaunchOptions options = {});

/// Runs a function in the processes of a spawn, and their threads, one after
/// another. It must be made before the spawn; copies are equivalent. The
/// function must not wait for other processes.
class XLAC_API MpSerialExecutor {
public:
  /// To be made before spawn().
  MpSerialExecutor();

  /// Calls fn() while no other thread is inside of run().
  template <class Fn> auto run(Fn &&fn) -> decltype(fn()) {
    Turn turn(*this);
    return fn();
  }

private:
  /// The turn of one process.
  class XLAC_API Turn {
  public:
    /// Waits for the turn.
    explicit Turn(const MpSerialExecutor &executor);
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    void *lock_;
  };

  std::shared_ptr<void> lock_; ///< in memory that the processes share
};

/// A model that is made once, before the spawn, and moved to each process's
/// device in turn. So the host never has many copies of it.
template <class Holder> class MpModelWrapper {
public:
  /// Shares the parameters of the model.
  explicit MpModelWrapper(Holder model) : model_(std::move(model)) {}
  /// Moves the model to `device`, in place.
  Holder to(Device device) {
    return turns_.run([&] { return model_.to(device); });
  }

private:
  Holder model_;
  MpSerialExecutor turns_;
};

} // namespace xlac::distributed

namespace xlac {
namespace xmp = distributed;
using distributed::launch;
} // namespace xlac
