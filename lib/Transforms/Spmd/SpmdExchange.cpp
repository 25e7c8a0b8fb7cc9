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

void ExchangePlan::add(const NeededRows &needed, const SourceRows &part,
                       int64_t base) {
  assert(int64_t(needed.starts.size()) == targets && needed.length == length &&
         "every device has a buffer of that length");
  ++parts;
  for (int64_t target = 0; target < targets; ++target) {
    int64_t start = needed.starts[target];
    int64_t low = std::max({start, needed.first, int64_t(0)});
    int64_t high = std::min({start + length, needed.limit, part.size});
    if (low >= high)
      continue;
    if (part.pieces == 1) {
      all.push_back({target, target, base + low, low - start, high - low});
      continue;
    }
    for (int64_t piece = low / part.shard; piece * part.shard < high; ++piece) {
      int64_t from = std::max(low, piece * part.shard);
      int64_t to = std::min(high, (piece + 1) * part.shard);
      int64_t holder = piece * part.copies + target % part.copies;
      all.push_back({target, holder, base + from - piece * part.shard,
                     from - start, to - from});
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

/// Distributes transfers of one size over as many rounds as the busiest device
/// has transfers: the edges of a bipartite graph have a coloring with the
/// largest degree (König). Each new edge takes a color that is free at its
/// source, and alternates two colors on the path that has it at the target.
void ExchangePlan::spreadEqual() {
  std::vector<RowTransfer> moved;
  for (const RowTransfer &transfer : all)
    if (transfer.source != transfer.target)
      moved.push_back(transfer);
  llvm::SmallVector<int64_t> sent(targets, 0), got(targets, 0);
  int64_t most = 0;
  for (const RowTransfer &transfer : moved) {
    if (transfer.size != moved.front().size || transfer.source >= targets)
      return;
    most = std::max({most, ++sent[transfer.source], ++got[transfer.target]});
  }
  int64_t now = llvm::count_if(
      rounds, [](const ExchangeRound &round) { return !round.isLocal; });
  if (now <= most)
    return;
  std::vector<int64_t> from(targets * most, -1), to(targets * most, -1);
  auto freeAt = [&](const std::vector<int64_t> &edges, int64_t device) {
    auto first = edges.begin() + device * most;
    return std::find(first, first + most, -1) - first;
  };
  std::vector<int64_t> color(moved.size(), -1);
  auto paint = [&](int64_t edge, int64_t with) {
    color[edge] = with;
    from[moved[edge].source * most + with] = edge;
    to[moved[edge].target * most + with] = edge;
  };
  for (size_t edge = 0; edge < moved.size(); ++edge) {
    int64_t wanted = freeAt(from, moved[edge].source);
    int64_t other = freeAt(to, moved[edge].target);
    llvm::SmallVector<int64_t> path;
    int64_t next = to[moved[edge].target * most + wanted];
    for (bool atSource = true; next >= 0; atSource = !atSource) {
      path.push_back(next);
      next = atSource ? from[moved[next].source * most + other]
                      : to[moved[next].target * most + wanted];
    }
    for (int64_t one : path) {
      from[moved[one].source * most + color[one]] = -1;
      to[moved[one].target * most + color[one]] = -1;
    }
    for (int64_t one : path)
      paint(one, color[one] == wanted ? other : wanted);
    paint(int64_t(edge), wanted);
  }
  llvm::erase_if(rounds,
                 [](const ExchangeRound &round) { return !round.isLocal; });
  size_t first = rounds.size();
  rounds.resize(first + most);
  for (auto [transfer, one] : llvm::zip_equal(moved, color)) {
    rounds[first + one].size = transfer.size;
    rounds[first + one].transfers.push_back(transfer);
  }
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
  for (const RowTransfer &transfer : all) {
    if (rounds.size() > mixed.size())
      break;
    place(transfer, 2);
  }
  if (rounds.size() > mixed.size() || !isUniform() ||
      rowsReceivedIn(rounds) > rowsReceivedIn(mixed))
    rounds = std::move(mixed);
  spreadEqual();
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
