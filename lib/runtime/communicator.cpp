#include "xlac/runtime/communicator.h"

#include <algorithm>
#include <string>

namespace xlac::runtime {

void TransferQueue::push(Transfer transfer) {
  std::lock_guard lock(mutex_);
  transfers_.push_back(std::move(transfer));
  arrived_.notify_one();
}

Result<Transfer> TransferQueue::pop(std::chrono::milliseconds deadline,
                                    const std::function<Status()> &alive) {
  constexpr std::chrono::milliseconds kSlice(20);
  auto end = std::chrono::steady_clock::now() + deadline;
  std::unique_lock lock(mutex_);
  while (transfers_.empty()) {
    if (alive) {
      lock.unlock();
      Status status = alive();
      lock.lock();
      if (!status)
        return status.error();
    }
    if (!transfers_.empty())
      break;
    if (std::chrono::steady_clock::now() >= end)
      return failure(FailureKind::Runtime,
                     "nothing came within " + std::to_string(deadline.count()) +
                         " ms");
    arrived_.wait_for(lock, std::min(deadline, kSlice));
  }
  Transfer transfer = std::move(transfers_.front());
  transfers_.pop_front();
  return transfer;
}

size_t TransferQueue::size() const {
  std::lock_guard lock(mutex_);
  return transfers_.size();
}

} // namespace xlac::runtime
