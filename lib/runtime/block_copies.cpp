#include "block_copies.h"

#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace xlac::runtime {

/// Smaller copies are not worth waking threads.
static constexpr int64_t kParallelBytes = 1 << 20;
/// Longer contiguous ranges are split, so that threads share them.
static constexpr int64_t kRunBytes = 1 << 20;

void BlockCopies::Block::copy() const {
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < inner; ++j)
      std::memcpy(to + i * to_outer + j * to_inner,
                  from + i * from_outer + j * from_inner, bytes);
}

void BlockCopies::add_strided_bytes(const void *from,
                                    const StridedBytes &source, void *to,
                                    const StridedBytes &target) {
  int64_t total = source.bytes();
  if (total == 0)
    return;
  Block block;
  block.from = static_cast<const std::byte *>(from) + source.offset;
  block.to = static_cast<std::byte *>(to) + target.offset;
  int64_t read = source.contiguous() ? total : source.run;
  int64_t written = target.contiguous() ? total : target.run;
  if (read == total && written == total)
    return add_run(block.from, block.to, total);
  // The shorter rows are contiguous units; several of them make one longer row.
  block.bytes = std::min(read, written);
  block.outer = total / std::max(read, written);
  block.inner = std::max(read, written) / block.bytes;
  assert(source.bytes() == target.bytes() &&
         block.outer * block.inner * block.bytes == total &&
         "runs of one side make whole rows of the other");
  bool reads_longer = read > written;
  block.from_inner = reads_longer ? block.bytes : source.pitch;
  block.from_outer = reads_longer ? source.pitch : block.inner * source.pitch;
  block.to_inner = reads_longer ? target.pitch : block.bytes;
  block.to_outer = reads_longer ? block.inner * target.pitch : target.pitch;
  total_ += total;
  blocks_.push_back(block);
}

void BlockCopies::add_run(const void *from, void *to, int64_t bytes) {
  if (from == to)
    return;
  for (int64_t at = 0; at < bytes; at += kRunBytes) {
    Block block;
    block.bytes = std::min(kRunBytes, bytes - at);
    block.from = static_cast<const std::byte *>(from) + at;
    block.to = static_cast<std::byte *>(to) + at;
    total_ += block.bytes;
    blocks_.push_back(std::move(block));
  }
}

int32_t BlockCopies::copy_blocks(void *blocks, int64_t begin, int64_t end) {
  const auto &all = *static_cast<const std::vector<Block> *>(blocks);
  for (int64_t i = begin; i < end; ++i)
    all[i].copy();
  return 0;
}

void BlockCopies::run(int threads) {
  auto count = static_cast<int64_t>(blocks_.size());
  if (total_ < kParallelBytes)
    copy_blocks(&blocks_, 0, count);
  else
    WorkPool::process().run(copy_blocks, &blocks_, count, 1, threads);
  blocks_.clear();
  total_ = 0;
}

} // namespace xlac::runtime
