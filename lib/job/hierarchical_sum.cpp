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
/// one piece of the share for all hosts. Within a host, a share moves in chunks
/// that fit into slots.
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
  /// Chunk `number`, counted over all rounds, of a column's shares.
  Range chunk_of(int64_t number, size_t column) const;
  Range piece_of(Range share, size_t host) const;
  int64_t elements(int64_t bytes) const { return bytes / element_; }

  Status contribute(int64_t number);
  Status add_host(int64_t number);
  Status add_share(int64_t round);
  Status send_pieces(int64_t round);
  Status take_pieces(int64_t round, std::vector<ReceivedMessage> &pieces);
  Status add_pieces(int64_t round, std::vector<ReceivedMessage> &pieces);
  Status take_totals(int64_t round);
  Status gather(int64_t number);
  /// Calls `use` for the other hosts, beginning with the next one.
  template <class Use> Status for_other_hosts(Use use);
  /// Bytes of a share in partial_.
  std::byte *partial(int64_t round, int64_t at) {
    return partial_.data() + round * share_ + at -
           share_of(round, column_).begin;
  }
  Part part_of(int64_t round, Range bytes);
  void unpack_to_results(const std::byte *from, Range bytes);

  GroupChannel &channel_;
  const runtime::Rendezvous &meeting_;
  const runtime::CollectiveCall &leader_;
  const size_t number_;
  const runtime::GroupReduction &fold_;
  const MemberPlaces where_;
  const Hosts hosts_;
  size_t host_ = 0, column_ = 0; ///< of this process
  int64_t element_ = 1, chunk_ = 0, share_ = 0, rounds_ = 0;
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
  // Large messages between hosts save rounds.
  constexpr int64_t kShare = 1 << 20;
  share_ = std::max(std::min(kShare, each) / chunk_, int64_t(1)) * chunk_;
  rounds_ = (each + share_ - 1) / share_;
  partial_ = AlignedBuffer(rounds_ * share_);
  left_ = AlignedBuffer(share_);
  right_ = AlignedBuffer(chunk_);
}

Range HierarchicalSum::share_of(int64_t round, size_t column) const {
  int64_t bytes = fold_.from.bytes();
  int64_t begin = (round * int64_t(columns()) + int64_t(column)) * share_;
  return {std::min(begin, bytes), std::min(begin + share_, bytes)};
}

Range HierarchicalSum::chunk_of(int64_t number, size_t column) const {
  int64_t each = share_ / chunk_;
  Range share = share_of(number / each, column);
  int64_t begin = share.begin + number % each * chunk_;
  return {std::min(begin, share.end), std::min(begin + chunk_, share.end)};
}

Range HierarchicalSum::piece_of(Range share, size_t host) const {
  constexpr int64_t kStep = GroupChannel::kAlignment;
  int64_t hosts = std::ssize(hosts_);
  int64_t each =
      ((share.bytes() + hosts - 1) / hosts + kStep - 1) / kStep * kStep;
  int64_t begin = share.begin + int64_t(host) * each;
  return {std::min(begin, share.end), std::min(begin + each, share.end)};
}

/// Sends this process's operands of the other columns' chunks.
Status HierarchicalSum::contribute(int64_t number) {
  for (size_t i = 1; i < columns(); ++i) {
    size_t column = (column_ + i) % columns();
    Range chunk = chunk_of(number, column);
    if (chunk.bytes() == 0)
      continue;
    std::vector<Part> parts;
    for (size_t member : where_.members[channel_.self()])
      parts.push_back({meeting_.calls[member]->operands[number_], fold_.from,
                       chunk.begin, chunk.end});
    XLAC_RETURN_IF_ERROR(channel_.send(place(host_, column), parts));
  }
  return {};
}

/// Adds the operands of this host's members, in the order of the group.
Status HierarchicalSum::add_host(int64_t number) {
  Range chunk = chunk_of(number, column_);
  if (chunk.bytes() == 0)
    return {};
  std::byte *to = partial(number / (share_ / chunk_), chunk.begin);
  std::vector<ReceivedMessage> arrivals(channel_.count());
  for (size_t at : hosts_[host_])
    if (at != channel_.self())
      XLAC_RETURN_IF_ERROR(channel_.take(at, false, arrivals[at]));
  std::vector<int64_t> seen(channel_.count());
  auto part_of = [&](size_t member, AlignedBuffer &copy) -> const std::byte * {
    size_t at = where_.places[member];
    if (at != channel_.self())
      return arrivals[at].data +
             seen[at]++ * GroupChannel::aligned(chunk.bytes());
    const void *from = meeting_.calls[member]->operands[number_];
    if (fold_.from.contiguous())
      return static_cast<const std::byte *>(from) + fold_.from.offset +
             chunk.begin;
    pack(from, fold_.from, chunk.begin, chunk.end, copy.data());
    return copy.data();
  };
  const std::byte *sum = nullptr;
  for (size_t member = 0; member < where_.places.size(); ++member) {
    if (channel_.host_of(where_.places[member]) !=
        channel_.host_of(channel_.self()))
      continue;
    const std::byte *part = part_of(member, sum ? right_ : left_);
    if (sum)
      XLAC_RETURN_IF_ERROR(
          leader_.reduce(number_, sum, part, to, elements(chunk.bytes())));
    sum = sum ? to : part;
  }
  if (sum != to)
    std::memcpy(to, sum, chunk.bytes());
  for (size_t at : hosts_[host_])
    if (at != channel_.self())
      channel_.release(arrivals[at]);
  return {};
}

/// Adds the operands of this host for a round. Operands are sent one chunk
/// ahead, so that columns need not wait.
Status HierarchicalSum::add_share(int64_t round) {
  int64_t each = share_ / chunk_;
  for (int64_t number = round * each; number < (round + 1) * each; ++number) {
    if (number == 0)
      XLAC_RETURN_IF_ERROR(contribute(0));
    if (number + 1 < rounds_ * each)
      XLAC_RETURN_IF_ERROR(contribute(number + 1));
    XLAC_RETURN_IF_ERROR(add_host(number));
  }
  return {};
}

template <class Use> Status HierarchicalSum::for_other_hosts(Use use) {
  for (size_t i = 1; i < hosts_.size(); ++i)
    XLAC_RETURN_IF_ERROR(use((host_ + i) % hosts_.size()));
  return {};
}

Part HierarchicalSum::part_of(int64_t round, Range bytes) {
  runtime::StridedBytes whole{0, rounds_ * share_, rounds_ * share_, 1};
  int64_t begin = partial(round, bytes.begin) - partial_.data();
  return {partial_.data(), whole, begin, begin + bytes.bytes()};
}

/// Sends each other host its piece of this host's sum.
Status HierarchicalSum::send_pieces(int64_t round) {
  Range share = share_of(round, column_);
  return for_other_hosts([&](size_t host) -> Status {
    Part part = part_of(round, piece_of(share, host));
    return part.bytes() == 0 ? Status()
                             : channel_.send(place(host, column_), {&part, 1});
  });
}

/// Receives this process's piece of the sums of the other hosts.
Status HierarchicalSum::take_pieces(int64_t round,
                                    std::vector<ReceivedMessage> &pieces) {
  pieces.clear();
  pieces.resize(hosts_.size());
  if (piece_of(share_of(round, column_), host_).bytes() == 0)
    return {};
  return for_other_hosts([&](size_t host) {
    return channel_.take(place(host, column_), false, pieces[host]);
  });
}

/// Adds the pieces in the order of hosts, and sends the total to the other
/// processes of the column.
Status HierarchicalSum::add_pieces(int64_t round,
                                   std::vector<ReceivedMessage> &pieces) {
  Range own = piece_of(share_of(round, column_), host_);
  if (own.bytes() == 0)
    return {};
  std::byte *here = partial(round, own.begin);
  // The sum of this host is an addend until its turn.
  std::byte *to = host_ == 0 ? here : left_.data();
  const std::byte *sum = nullptr;
  for (size_t host = 0; host < hosts_.size(); ++host) {
    const std::byte *part = host == host_ ? here : pieces[host].data;
    if (sum)
      XLAC_RETURN_IF_ERROR(
          leader_.reduce(number_, sum, part, to, elements(own.bytes())));
    sum = sum ? to : part;
  }
  if (to != here)
    std::memcpy(here, to, own.bytes());
  unpack_to_results(here, own);
  for (size_t host = 0; host < hosts_.size(); ++host)
    if (host != host_)
      channel_.release(pieces[host]);
  Part total = part_of(round, own);
  return for_other_hosts([&](size_t host) {
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

/// Receives the totals that other hosts have added.
Status HierarchicalSum::take_totals(int64_t round) {
  Range share = share_of(round, column_);
  return for_other_hosts([&](size_t host) -> Status {
    Range piece = piece_of(share, host);
    if (piece.bytes() == 0)
      return {};
    ReceivedMessage arrival;
    XLAC_RETURN_IF_ERROR(channel_.take(place(host, column_), false, arrival));
    unpack_to_results(arrival.data, piece);
    channel_.release(arrival);
    return {};
  });
}

/// Passes a chunk of the total on to the host, and receives those of the other
/// columns.
Status HierarchicalSum::gather(int64_t number) {
  if (Range own = chunk_of(number, column_); own.bytes() > 0) {
    std::byte *slot = nullptr;
    XLAC_RETURN_IF_ERROR(channel_.claim(slot));
    size_t member = where_.members[channel_.self()][0];
    std::memcpy(slot,
                static_cast<const std::byte *>(
                    meeting_.calls[member]->results[number_]) +
                    own.begin,
                own.bytes());
    channel_.share_claimed(own.bytes());
  }
  for (size_t i = 1; i < columns(); ++i) {
    size_t column = (column_ + i) % columns();
    Range theirs = chunk_of(number, column);
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
  // While the pieces of a round are on their way, the next round is added. A
  // process sends the pieces of the next round before the totals of this one,
  // and receives them in this order.
  std::vector<ReceivedMessage> pieces, next;
  XLAC_RETURN_IF_ERROR(add_share(0));
  XLAC_RETURN_IF_ERROR(send_pieces(0));
  XLAC_RETURN_IF_ERROR(take_pieces(0, pieces));
  for (int64_t round = 0; round < rounds_; ++round) {
    bool is_last = round + 1 == rounds_;
    if (!is_last) {
      XLAC_RETURN_IF_ERROR(add_share(round + 1));
      XLAC_RETURN_IF_ERROR(send_pieces(round + 1));
    }
    XLAC_RETURN_IF_ERROR(add_pieces(round, pieces));
    if (!is_last)
      XLAC_RETURN_IF_ERROR(take_pieces(round + 1, next));
    XLAC_RETURN_IF_ERROR(take_totals(round));
    int64_t each = share_ / chunk_;
    for (int64_t number = round * each; number < (round + 1) * each; ++number)
      XLAC_RETURN_IF_ERROR(gather(number));
    pieces = std::move(next);
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
