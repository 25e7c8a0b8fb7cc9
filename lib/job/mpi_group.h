// The collectives of MPI for the processes of one group: its communicator,
// which is made at the first use, and operations that MPI carries out. They use
// memory of their own, because MPI may access it after a failure.
#pragma once

#include "mpi_world.h"
#include "received_data.h"

#include <functional>
#include <memory>
#include <vector>

namespace xlac::job {

/// MPI for the collectives of a job.
struct MpiEngine {
  MpiWorld *world = nullptr;
  MpiHandle communicator = 0; ///< of all processes of the job
  /// Held while a communicator is made.
  std::shared_ptr<std::mutex> making = std::make_shared<std::mutex>();
  /// Memory for operations.
  std::shared_ptr<ReceivedData> memory = std::make_shared<ReceivedData>();
};

/// The elements that an operation reduces.
class MpiElements {
public:
  using Combine = std::function<Status(const void *left, const void *right,
                                       void *result, int64_t elements)>;

  /// `combine` may be called by several threads, one at a time, until the end
  /// of this object.
  static Result<std::shared_ptr<MpiElements>>
  make(const MpiEngine &engine, int64_t bytes, Combine combine);
  ~MpiElements();
  MpiElements(const MpiElements &) = delete;

  MpiHandle type() const { return type_; }
  /// The first failure of `combine`.
  Status status() const;
  /// `combine` is not called any more, and MPI may keep the type.
  void abandon();

private:
  MpiElements(const MpiEngine &engine, int64_t bytes, Combine combine)
      : engine_(engine), bytes_(bytes), combine_(std::move(combine)) {}
  void reduce(const std::byte *in, std::byte *inout, size_t elements);

  const MpiEngine engine_;
  const int64_t bytes_;
  MpiHandle type_ = 0;
  mutable std::mutex mutex_;
  Combine combine_; ///< empty after abandon()
  AlignedBuffer result_;
  Status status_;
};

/// An operation and the memory that it uses.
struct MpiOperation {
  AlignedBuffer from, to;
  /// The bytes or elements for and from each process.
  std::vector<int32_t> sent, sent_offsets, received, received_offsets;
  uint64_t own[2] = {}, maxima[2] = {};
  MpiHandle request = 0;
  std::shared_ptr<MpiElements> elements;
};

class MpiGroup {
public:
  /// `processes` in ascending order; `id` is the same in all of them and
  /// differs from those of other groups.
  MpiGroup(const MpiEngine &engine, std::vector<int> processes, uint64_t id)
      : engine_(engine), processes_(std::move(processes)), id_(id) {}

  const MpiEngine &engine() const { return engine_; }
  bool is_open() const { return communicator_ != 0; }
  /// Whether the communicator exists; begins to make it if needed. Returns when
  /// the other processes have called it too, or false after a short time.
  Result<bool> open();

  using Begin = std::function<int(const MpiInterface &api,
                                  MpiHandle communicator, MpiHandle *request)>;
  /// Calls `begin`, which starts the operation.
  Status start(MpiOperation &operation, const Begin &begin);
  /// Whether the operation has completed.
  Result<bool> test(MpiOperation &operation);
  /// Keeps the memory of an operation that may never complete.
  void abandon(std::unique_ptr<MpiOperation> operation);
  /// The communicator may never be made.
  void give_up() { engine_.world->give_up(); }

private:
  struct Opening;

  Status check(int code) const;

  const MpiEngine engine_;
  const std::vector<int> processes_;
  const uint64_t id_;
  MpiHandle communicator_ = 0;
  std::shared_ptr<Opening> opening_;
};

} // namespace xlac::job
