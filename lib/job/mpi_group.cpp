#include "mpi_group.h"

#include <algorithm>
#include <cstring>

namespace xlac::job {

using namespace std::chrono_literals;

/// Bytes that are combined at a time if the target is not aligned: a multiple
/// of a reducer's piece.
static constexpr int64_t kCombined = 16 << 10;
/// Alignment of memory that `combine` writes.
static constexpr uintptr_t kWriteAlignment = 64;

//===- Elements -----------------------------------------------------------===//

Result<std::shared_ptr<MpiElements>>
MpiElements::make(const MpiEngine &engine, int64_t bytes, Combine combine) {
  std::shared_ptr<MpiElements> made(
      new MpiElements(engine, bytes, std::move(combine)));
  int code = 0;
  XLAC_RETURN_IF_ERROR(engine.world->call([&] {
    code = engine.world->api().make_type(
        bytes,
        [](void *context, const void *in, void *inout, size_t elements) {
          static_cast<MpiElements *>(context)->reduce(
              static_cast<const std::byte *>(in),
              static_cast<std::byte *>(inout), elements);
        },
        made.get(), &made->type_);
  }));
  if (code != 0)
    return failure(FailureKind::Runtime,
                   "MPI cannot make a type of " + std::to_string(bytes) +
                       " bytes: " + engine.world->error_text(code));
  return made;
}

MpiElements::~MpiElements() {
  if (type_ != 0)
    (void)engine_.world->call(
        [&] { (void)engine_.world->api().free_type(&type_); });
}

void MpiElements::reduce(const std::byte *in, std::byte *inout,
                         size_t elements) {
  std::lock_guard lock(mutex_);
  if (!combine_ || !status_)
    return;
  // Partial sums are the left operand, as in the plan.
  if (reinterpret_cast<uintptr_t>(inout) % kWriteAlignment == 0) {
    status_ = combine_(inout, in, inout, static_cast<int64_t>(elements));
    return;
  }
  int64_t bytes = static_cast<int64_t>(elements) * bytes_;
  int64_t piece = std::max(kCombined / bytes_, int64_t(1)) * bytes_;
  if (result_.capacity() == 0)
    result_ = AlignedBuffer(piece);
  for (int64_t at = 0; at < bytes && status_; at += piece) {
    int64_t some = std::min(piece, bytes - at);
    status_ = combine_(inout + at, in + at, result_.data(), some / bytes_);
    std::memcpy(inout + at, result_.data(), some);
  }
}

Status MpiElements::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

void MpiElements::abandon() {
  std::lock_guard lock(mutex_);
  combine_ = nullptr;
}

//===- Groups -------------------------------------------------------------===//

/// A communicator that another thread makes.
struct MpiGroup::Opening {
  std::vector<int32_t> processes;
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  int code = 0;
  MpiHandle communicator = 0;
};

Status MpiGroup::check(int code) const {
  return code == 0 ? Status()
                   : failure(FailureKind::Runtime,
                             "MPI failed: " + engine_.world->error_text(code));
}

Result<bool> MpiGroup::open() {
  if (is_open())
    return true;
  if (!opening_) {
    opening_ = std::make_shared<Opening>();
    opening_->processes.assign(processes_.begin(), processes_.end());
    constexpr uint64_t kTags = 1 << 15;
    engine_.world->call_apart([opening = opening_, engine = engine_,
                               tag = static_cast<int32_t>(id_ / 2 % kTags)] {
      MpiHandle made = 0;
      int code = engine.world->api().make_group(
          engine.communicator, opening->processes.data(),
          static_cast<int32_t>(opening->processes.size()), tag, &made);
      std::lock_guard lock(opening->mutex);
      opening->code = code;
      opening->communicator = made;
      opening->is_done = true;
      opening->changed.notify_all();
    });
  }
  std::unique_lock lock(opening_->mutex);
  if (!opening_->changed.wait_for(lock, 10ms,
                                  [&] { return opening_->is_done; }))
    return false;
  XLAC_RETURN_IF_ERROR(check(opening_->code));
  communicator_ = opening_->communicator;
  return true;
}

Status MpiGroup::start(MpiOperation &operation, const Begin &begin) {
  int code = 0;
  XLAC_RETURN_IF_ERROR(engine_.world->call([&] {
    code = begin(engine_.world->api(), communicator_, &operation.request);
  }));
  return check(code);
}

Result<bool> MpiGroup::test(MpiOperation &operation) {
  int code = 0;
  bool done = operation.request == 0;
  if (done)
    return true;
  // MPI does a part of its work in each test.
  constexpr int kTests = 16;
  XLAC_RETURN_IF_ERROR(engine_.world->call([&] {
    for (int i = 0; i < kTests && code == 0 && !done; ++i)
      code = engine_.world->api().test(&operation.request, &done, nullptr);
  }));
  XLAC_RETURN_IF_ERROR(check(code));
  return done;
}

void MpiGroup::abandon(std::unique_ptr<MpiOperation> operation) {
  if (operation->elements)
    operation->elements->abandon();
  if (operation->request == 0)
    return;
  engine_.world->mark_failed();
  (void)operation.release();
}

} // namespace xlac::job
