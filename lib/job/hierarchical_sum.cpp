#include "hierarchical_sum.h"

#include "xlac/job/reduction_cost.h"
#include "xlac/support/element_type.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace xlac::job {

namespace {

/// The places of a group's processes by host, in ascending order.
using Hosts = std::vector<std::vector<size_t>>;

Hosts hosts_of(const GroupChannel &channel) {
  std::map<int, std::vector<size_t>> by_host;
  for (size_t place = 0; place < channel.count(); ++place)
    by_host[channel.host_of(place)].push_back(place);
  Hosts hosts;
  for (auto &[host, places] : by_host)
    hosts.push_back(std::move(places));
  return hosts;
}

/// Bytes of a result.
struct Range {
  int64_t begin = 0, end = 0;
  int64_t bytes() const { return end - begin; }
};

/// A column is the processes with the same position on each host. In each
/// round, a column adds one share of the result, and each of its processes adds
/// one piece of the share for all hosts.
class HierarchicalSum {
public:
  HierarchicalSum(GroupChannel &channel, const runtime::Rendezvous &meeting,
                  const runtime::CollectiveCall &leader, size_t number,
                  const runtime::GroupReduction &fold);
  ~HierarchicalSum() { channel_.keep_until_end(std::move(partial_)); }

  Status run();

private:
  size_t columns() const { return hosts_[0].size(); }
  size_t place(size_t host, size_t column) const {
    return hosts_[host][column];
  }
  Range share_of(int64_t round, size_t column) const;
  Range piece_of(Range share, size_t host) const;
  int64_t elements(int64_t bytes) const { return bytes / element_; }

  Status contribute(int64_t round);
  Status add_host(Range share);
  Status exchange_pieces(Range share);
  Status gather(int64_t round);
  void unpack_to_results(const std::byte *from, Range bytes);
  std::byte *partial(int64_t at) { return partial_.data() + at; }

  GroupChannel &channel_;
  const runtime::Rendezvous &meeting_;
  const runtime::CollectiveCall &leader_;
  const size_t number_;
  const runtime::GroupReduction &fold_;
  const MemberPlaces where_;
  const Hosts hosts_;
  size_t host_ = 0, column_ = 0; ///< of this process
  int64_t element_ = 1, chunk_ = 0, rounds_ = 0;
  int64_t kept_ = 0; ///< where the round's share begins in partial_
  /// This column's sums of the host, for all rounds, because they are sent
  /// without a copy.
  AlignedBuffer partial_;
  AlignedBuffer left_, right_; ///< contiguous copies of operands
};

HierarchicalSum::HierarchicalSum(GroupChannel &channel,
                                 const runtime::Rendezvous &meeting,
                                 const runtime::CollectiveCall &leader,
                                 size_t number,
                                 const runtime::GroupReduction &fold)
    : channel_(channel), meeting_(meeting), leader_(leader), number_(number),
      fold_(fold), where_(channel.places_of(meeting.members)),
      hosts_(hosts_of(channel)) {
  for (size_t host = 0; host < hosts_.size(); ++host)
    for (size_t column = 0; column < columns(); ++column)
      if (place(host, column) == channel.self()) {
        host_ = host;
        column_ = column;
      }
  element_ =
      std::max<int64_t>(byte_size(leader.what.results[number].element), 1);
  size_t most_members = 1;
  for (const std::vector<size_t> &members : where_.members)
    most_members = std::max(most_members, members.size());
  // A message contains the parts of all members of a process. Parts are
  // multiples of a reducer's piece if they fit.
  constexpr int64_t kPiece = 16 << 10;
  auto most = static_cast<int64_t>(channel.message_bytes() / most_members);
  int64_t step = most >= kPiece ? kPiece : GroupChannel::kAlignment;
  int64_t bytes = fold.from.bytes(),
          each = (bytes + int64_t(columns()) - 1) / int64_t(columns());
  chunk_ = std::min(std::max(most / step, int64_t(1)) * step,
                    (each + step - 1) / step * step);
  rounds_ = (each + chunk_ - 1) / chunk_;
  partial_ = AlignedBuffer(rounds_ * chunk_);
  left_ = AlignedBuffer(chunk_);
  right_ = AlignedBuffer(chunk_);
}

Range HierarchicalSum::share_of(int64_t round, size_t column) const {
  int64_t bytes = fold_.from.bytes();
  int64_t begin = (round * int64_t(columns()) + int64_t(column)) * chunk_;
  return {std::min(begin, bytes), std::min(begin + chunk_, bytes)};
}

Range HierarchicalSum::piece_of(Range share, size_t host) const {
  constexpr int64_t kStep = GroupChannel::kAlignment;
  int64_t hosts = std::ssize(hosts_);
  int64_t each =
      ((share.bytes() + hosts - 1) / hosts + kStep - 1) / kStep * kStep;
  int64_t begin = share.begin + int64_t(host) * each;
  return {std::min(begin, share.end), std::min(begin + each, share.end)};
}

/// Sends this process's operands of the other columns' shares.
Status HierarchicalSum::contribute(int64_t round) {
  for (size_t i = 1; i < columns(); ++i) {
    size_t column = (column_ + i) % columns();
    Range share = share_of(round, column);
    if (share.bytes() == 0)
      continue;
    std::vector<Part> parts;
    for (size_t member : where_.members[channel_.self()])
      parts.push_back({meeting_.calls[member]->operands[number_], fold_.from,
                       share.begin, share.end});
    XLAC_RETURN_IF_ERROR(channel_.send(place(host_, column), parts));
  }
  return {};
}

/// Adds the operands of this host's members, in the order of the group.
Status HierarchicalSum::add_host(Range share) {
  std::vector<ReceivedMessage> arrivals(channel_.count());
  for (size_t at : hosts_[host_])
    if (at != channel_.self())
      XLAC_RETURN_IF_ERROR(channel_.take(at, false, arrivals[at]));
  std::vector<int64_t> seen(channel_.count());
  auto part_of = [&](size_t member, AlignedBuffer &copy) -> const std::byte * {
    size_t at = where_.places[member];
    if (at != channel_.self())
      return arrivals[at].data +
             seen[at]++ * GroupChannel::aligned(share.bytes());
    const void *from = meeting_.calls[member]->operands[number_];
    if (fold_.from.contiguous())
      return static_cast<const std::byte *>(from) + fold_.from.offset +
             share.begin;
    pack(from, fold_.from, share.begin, share.end, copy.data());
    return copy.data();
  };
  const std::byte *sum = nullptr;
  for (size_t member = 0; member < where_.places.size(); ++member) {
    if (channel_.host_of(where_.places[member]) !=
        channel_.host_of(channel_.self()))
      continue;
    const std::byte *part = part_of(member, sum ? right_ : left_);
    if (sum)
      XLAC_RETURN_IF_ERROR(leader_.reduce(number_, sum, part, partial(kept_),
                                          elements(share.bytes())));
    sum = sum ? partial(kept_) : part;
  }
  if (sum != partial(kept_))
    std::memcpy(partial(kept_), sum, share.bytes());
  for (size_t at : hosts_[host_])
    if (at != channel_.self())
      channel_.release(arrivals[at]);
  return {};
}

/// Adds this process's piece of the sums of all hosts, and sends the total to
/// the other processes of the column.
Status HierarchicalSum::exchange_pieces(Range share) {
  auto part_of = [&](Range piece) {
    runtime::StridedBytes whole{0, rounds_ * chunk_, rounds_ * chunk_, 1};
    int64_t begin = kept_ + piece.begin - share.begin;
    return Part{partial_.data(), whole, begin, begin + piece.bytes()};
  };
  auto others = [&](auto use) -> Status {
    for (size_t i = 1; i < hosts_.size(); ++i)
      XLAC_RETURN_IF_ERROR(use((host_ + i) % hosts_.size()));
    return {};
  };
  XLAC_RETURN_IF_ERROR(others([&](size_t host) -> Status {
    Part part = part_of(piece_of(share, host));
    return part.bytes() == 0 ? Status()
                             : channel_.send(place(host, column_), {&part, 1});
  }));
  Range own = piece_of(share, host_);
  if (own.bytes() == 0)
    return {};
  std::vector<ReceivedMessage> arrivals(hosts_.size());
  XLAC_RETURN_IF_ERROR(others([&](size_t host) {
    return channel_.take(place(host, column_), false, arrivals[host]);
  }));
  Part total = part_of(own);
  std::byte *here = partial(total.begin);
  // Where the host's own sum is not the first one, the total replaces it at the
  // end.
  std::byte *to = host_ == 0 ? here : left_.data();
  const std::byte *sum = nullptr;
  for (size_t host = 0; host < hosts_.size(); ++host) {
    const std::byte *part = host == host_ ? here : arrivals[host].data;
    if (sum)
      XLAC_RETURN_IF_ERROR(
          leader_.reduce(number_, sum, part, to, elements(own.bytes())));
    sum = sum ? to : part;
  }
  if (to != here)
    std::memcpy(here, to, own.bytes());
  for (size_t host = 0; host < hosts_.size(); ++host)
    if (host != host_)
      channel_.release(arrivals[host]);
  return others([&](size_t host) {
    return channel_.send(place(host, column_), {&total, 1});
  });
}

void HierarchicalSum::unpack_to_results(const std::byte *from, Range bytes) {
  int64_t whole = fold_.from.bytes();
  for (size_t member : where_.members[channel_.self()])
    runtime::unpack(from, bytes.begin, bytes.end,
                    meeting_.calls[member]->results[number_],
                    {0, whole, whole, 1});
}

/// Receives the totals of this column from other hosts, passes them on to the
/// host, and receives those of the other columns.
Status HierarchicalSum::gather(int64_t round) {
  Range share = share_of(round, column_);
  if (share.bytes() > 0) {
    std::byte *slot = nullptr;
    XLAC_RETURN_IF_ERROR(channel_.claim(slot));
    for (size_t i = 0; i < hosts_.size(); ++i) {
      size_t host = (host_ + hosts_.size() - i) % hosts_.size();
      Range piece = piece_of(share, host);
      if (piece.bytes() == 0)
        continue;
      ReceivedMessage arrival;
      const std::byte *from = partial(kept_ + piece.begin - share.begin);
      if (host != host_) {
        XLAC_RETURN_IF_ERROR(
            channel_.take(place(host, column_), false, arrival));
        from = arrival.data;
      }
      std::memcpy(slot + (piece.begin - share.begin), from, piece.bytes());
      unpack_to_results(from, piece);
      if (host != host_)
        channel_.release(arrival);
    }
    channel_.share_claimed(share.bytes());
  }
  for (size_t i = 1; i < columns(); ++i) {
    size_t column = (column_ + i) % columns();
    Range theirs = share_of(round, column);
    if (theirs.bytes() == 0)
      continue;
    ReceivedMessage arrival;
    XLAC_RETURN_IF_ERROR(channel_.take(place(host_, column), true, arrival));
    unpack_to_results(arrival.data, theirs);
    channel_.release(arrival);
  }
  return {};
}

Status HierarchicalSum::run() {
  // Operands are sent one round ahead, so that columns need not wait.
  XLAC_RETURN_IF_ERROR(contribute(0));
  for (int64_t round = 0; round < rounds_; ++round) {
    if (round + 1 < rounds_)
      XLAC_RETURN_IF_ERROR(contribute(round + 1));
    kept_ = round * chunk_;
    Range share = share_of(round, column_);
    if (share.bytes() > 0) {
      XLAC_RETURN_IF_ERROR(add_host(share));
      XLAC_RETURN_IF_ERROR(exchange_pieces(share));
    }
    XLAC_RETURN_IF_ERROR(gather(round));
  }
  return {};
}

} // namespace

bool is_hierarchical_sum_faster(const GroupChannel &channel, int64_t bytes) {
  Hosts hosts = hosts_of(channel);
  GroupShape shape{std::ssize(hosts), std::ssize(hosts[0])};
  bool is_even = std::all_of(hosts.begin(), hosts.end(), [&](const auto &each) {
    return each.size() == hosts[0].size();
  });
  if (!is_even || shape.hosts < 2 || shape.per_host < 2)
    return false;
  // Invalid settings fail when the job begins.
  Result<LinkCosts> links = link_costs();
  return links && hierarchical_sum_time(shape, bytes, *links) <
                      flat_sum_time(shape, bytes, *links);
}

Status sum_hierarchically(GroupChannel &channel,
                          const runtime::Rendezvous &meeting,
                          const runtime::CollectiveCall &leader, size_t number,
                          const runtime::GroupReduction &fold) {
  return HierarchicalSum(channel, meeting, leader, number, fold).run();
}

} // namespace xlac::job
