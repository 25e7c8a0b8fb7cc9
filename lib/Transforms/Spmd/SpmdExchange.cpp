#include "SpmdExchange.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace xlac::transforms {

ExchangePlan::ExchangePlan(SourceRows source, const NeededRows &needed)
    : ExchangePlan(source, int64_t(needed.starts.size()), needed.length) {
  add(needed);
  schedule();
}

void ExchangePlan::add(const NeededRows &needed) {
  assert(int64_t(needed.starts.size()) == targets && needed.length == length &&
         "every device has a buffer of that length");
  ++parts;
  for (int64_t target = 0; target < targets; ++target) {
    int64_t start = needed.starts[target];
    int64_t low = std::max({start, needed.first, int64_t(0)});
    int64_t high = std::min({start + length, needed.limit, source.size});
    if (low >= high)
      continue;
    if (source.pieces == 1) {
      all.push_back({target, target, low, low - start, high - low});
      continue;
    }
    for (int64_t piece = low / source.shard; piece * source.shard < high;
         ++piece) {
      int64_t from = std::max(low, piece * source.shard);
      int64_t to = std::min(high, (piece + 1) * source.shard);
      int64_t holder = piece * source.copies + target % source.copies;
      all.push_back({target, holder, from - piece * source.shard, from - start,
                     to - from});
    }
  }
}

void ExchangePlan::place(const RowTransfer &transfer, int leastFit) {
  bool isLocal = transfer.source == transfer.target;
  ExchangeRound *found = nullptr;
  int best = leastFit - 1;
  for (ExchangeRound &round : rounds) {
    bool isFree = llvm::all_of(round.transfers, [&](const RowTransfer &other) {
      return other.source != transfer.source && other.target != transfer.target;
    });
    if (!isFree || round.isLocal != isLocal)
      continue;
    // Equal offsets need no table; then neighbours at the same distance.
    const RowTransfer &first = round.transfers.front();
    int fit = first.from == transfer.from && first.to == transfer.to ? 2
              : first.target - first.source == transfer.target - transfer.source
                  ? 1
                  : 0;
    if (fit > best) {
      best = fit;
      found = &round;
    }
  }
  if (!found) {
    found = &rounds.emplace_back();
    found->isLocal = isLocal;
  }
  found->size = std::max(found->size, transfer.size);
  found->transfers.push_back(transfer);
}

static int64_t rowsReceivedIn(llvm::ArrayRef<ExchangeRound> rounds) {
  int64_t rows = 0;
  for (const ExchangeRound &round : rounds)
    rows += round.isLocal ? 0 : round.size;
  return rows;
}

void ExchangePlan::schedule() {
  // Rounds of similar sizes move the fewest rows in vain.
  llvm::stable_sort(all, [](const RowTransfer &a, const RowTransfer &b) {
    return a.size > b.size;
  });
  for (const RowTransfer &transfer : all)
    place(transfer, 0);
  // Halos of equal shards also fit into rounds of one direction each, which
  // need no tables.
  llvm::SmallVector<ExchangeRound> mixed = std::exchange(rounds, {});
  for (const RowTransfer &transfer : all)
    place(transfer, 2);
  if (!isUniform() || rounds.size() > mixed.size() ||
      rowsReceivedIn(rounds) > rowsReceivedIn(mixed))
    rounds = std::move(mixed);
  llvm::stable_sort(rounds, [](const ExchangeRound &a, const ExchangeRound &b) {
    return a.isLocal > b.isLocal;
  });
}

int64_t ExchangePlan::rowsReceived() const { return rowsReceivedIn(rounds); }

std::pair<int64_t, int64_t> ExchangePlan::filled(int64_t target) const {
  assert(parts <= 1 && "the rows of one part are adjacent");
  int64_t first = length, limit = 0;
  for (const RowTransfer &transfer : all)
    if (transfer.target == target) {
      first = std::min(first, transfer.to);
      limit = std::max(limit, transfer.to + transfer.size);
    }
  return first < limit ? std::pair(first, limit)
                       : std::pair<int64_t, int64_t>();
}

bool ExchangePlan::fillsAll() const {
  for (int64_t target = 0; target < targets; ++target)
    if (filled(target) != std::pair<int64_t, int64_t>(0, length))
      return false;
  return true;
}

bool ExchangePlan::leavesZeros() const {
  if (isIdentity())
    return fillsAll();
  return llvm::all_of(rounds, [&](const ExchangeRound &round) {
    // A device that takes no row of its own has some in the buffer.
    bool isPadded = round.isLocal && int64_t(round.transfers.size()) < targets;
    return !isPadded &&
           llvm::all_of(round.transfers, [&](const RowTransfer &transfer) {
             return transfer.size == round.size;
           });
  });
}

bool ExchangePlan::isIdentity() const {
  return length == source.shard &&
         llvm::all_of(all, [](const RowTransfer &transfer) {
           return transfer.source == transfer.target &&
                  transfer.from == transfer.to;
         });
}

bool ExchangePlan::isUniform() const {
  llvm::SmallVector<std::pair<int64_t, int64_t>> ranges;
  for (const ExchangeRound &round : rounds) {
    const RowTransfer &first = round.transfers.front();
    if (!llvm::all_of(round.transfers, [&](const RowTransfer &transfer) {
          return transfer.from == first.from && transfer.to == first.to;
        }))
      return false;
    ranges.push_back({first.to, first.to + round.size});
  }
  llvm::sort(ranges);
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].first < ranges[i - 1].second)
      return false;
  return ranges.empty() || ranges.back().second <= length;
}

} // namespace xlac::transforms
