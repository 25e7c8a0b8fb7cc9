// torch_xla.distributed.xla_multiprocessing: a process for each device, all
// running one function, and programs that a launcher has started as such
// processes.
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

struct SpawnOptions {
  /// Nothing or the number of this host's devices: all of them. 1: one, in the
  /// calling process. ValueError for another number.
  std::optional<int> nprocs = {};
  bool join = true;
  /// The processes cannot spawn, and are killed when this one ends; others are
  /// waited for.
  bool daemon = false;
  /// "spawn": metrics, seeds, defaults and caches are in a process as in a new
  /// one. "fork": it inherits them. Else ValueError.
  std::string start_method = "spawn";
};

/// The processes of a spawn that does not join. Copies are the same processes.
class XLAC_API ProcessContext {
public:
  class XLAC_LOCAL Children;
  explicit ProcessContext(std::shared_ptr<Children> children)
      : children_(std::move(children)) {}

  /// Waits for them, at most `timeout` seconds; true when all have ended. If
  /// one fails the others are ended, and this throws ProcessRaisedError.
  bool join(std::optional<double> timeout = {});
  std::vector<int> pids() const;

private:
  std::shared_ptr<Children> children_;
};

/// Runs fn(ordinal) in a process for each device of this host, or in one for
/// each XLAC_DEVICES_PER_PROCESS of them on a thread a device. In a process the
/// devices are xla:0 … alone, and everything in `fn` arrives as it is here.
/// All processes of the job (on XLAC_NUM_HOSTS hosts) meet before any runs.
/// UserError once the runtime has started, which must not start here as long
/// as processes run. They end when the calling thread or process dies. With
/// `join` waits for them: one that throws or dies ends the others, and
/// ProcessRaisedError tells its ordinal and message. With one process that
/// `nprocs` asks for, and in a process of a launched job (see launch), `fn`
/// runs in the calling process and its exceptions come as they are.
XLAC_API std::optional<ProcessContext> spawn(std::function<void(int)> fn,
                                             SpawnOptions options = {});
/// fn(ordinal, args…).
template <class Fn, class... A>
std::optional<ProcessContext> spawn(Fn fn, std::tuple<A...> args,
                                    SpawnOptions options = {}) {
  return spawn(
      [fn, args](int index) {
        std::apply([&](const A &...a) { fn(index, a...); }, args);
      },
      std::move(options));
}

struct LaunchOptions {
  std::string start_method = "spawn"; ///< of the spawn
  bool debug_single_process = false;  ///< fn(0), here and alone
};
/// In a process that a launcher has started (RANK, LOCAL_RANK and WORLD_SIZE
/// are set, as torchrun does, or their names of Open MPI or MPICH's Hydra):
/// joins its job and runs fn(ordinal) here. ValueError when the variables
/// contradict each other. Else spawn(fn).
XLAC_API void launch(std::function<void(int)> fn, LaunchOptions options = {});

/// Lets the processes of a spawn, and their threads, do something one after
/// another. Made before the spawn; copies are the same. What runs must not wait
/// for the others.
class XLAC_API MpSerialExecutor {
public:
  MpSerialExecutor();

  /// fn(), while no other thread is in a run.
  template <class Fn> auto run(Fn &&fn) -> decltype(fn()) {
    Turn turn(*this);
    return fn();
  }

private:
  class XLAC_API Turn {
  public:
    explicit Turn(const MpSerialExecutor &executor);
    ~Turn();
    Turn(const Turn &) = delete;
    Turn &operator=(const Turn &) = delete;

  private:
    void *lock_;
  };

  std::shared_ptr<void> lock_; ///< in memory that processes share
};

/// A model that is made once, before the spawn, and moved to each process's
/// device in turn, so that the host never has many copies of it.
template <class Holder> class MpModelWrapper {
public:
  explicit MpModelWrapper(Holder model) : model_(std::move(model)) {}
  /// The model on `device`, in place.
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
