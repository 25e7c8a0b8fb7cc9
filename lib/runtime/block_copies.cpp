#include "block_copies.h"

#include "xlac/runtime/work_pool.h"

#include <algorithm>
#include <cstring>

namespace xlac {

/// Below this, waking threads costs more than they save.
static constexpr int64_t kParallelBytes = 1 << 20;
/// Long runs are cut, so that threads share them.
static constexpr int64_t kRunBytes = 1 << 20;

/// Bytes between neighbours of each dimension, rows last.
static std::vector<int64_t> strides_of(const std::vector<int64_t> &dims,
                                       int64_t element_bytes) {
  std::vector<int64_t> strides(dims.size());
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = element_bytes;
    element_bytes *= dims[d];
  }
  return strides;
}

void BlockCopies::Block::copy(const std::byte *source, std::byte *target,
                              size_t d) const {
  if (d == shape.size()) {
    std::memcpy(target, source, bytes);
    return;
  }
  for (int64_t i = 0; i < shape[d]; ++i)
    copy(source + i * from_strides[d], target + i * to_strides[d], d + 1);
}

void BlockCopies::add_box(const std::vector<int64_t> &shape,
                          int64_t element_bytes, const void *from,
                          BoxPlace from_place, void *to, BoxPlace to_place) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return;
  Block block{shape,
              strides_of(from_place.dims, element_bytes),
              strides_of(to_place.dims, element_bytes),
              element_bytes,
              static_cast<const std::byte *>(from),
              static_cast<std::byte *>(to)};
  // Nothing was added to a scalar's place.
  if (!shape.empty()) {
    block.from += from_place.at * block.from_strides[from_place.dim];
    block.to += to_place.at * block.to_strides[to_place.dim];
  }
  // Dimensions that are whole rows in both arrays make one run.
  while (!block.shape.empty() && block.from_strides.back() == block.bytes &&
         block.to_strides.back() == block.bytes) {
    block.bytes *= block.shape.back();
    block.shape.pop_back();
    block.from_strides.pop_back();
    block.to_strides.pop_back();
  }
  if (block.shape.empty())
    return add_run(block.from, block.to, block.bytes);
  int64_t size = block.bytes;
  for (int64_t extent : block.shape)
    size *= extent;
  total_ += size;
  blocks_.push_back(std::move(block));
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
    all[i].copy(all[i].from, all[i].to, 0);
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

} // namespace xlac
