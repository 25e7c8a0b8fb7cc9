#include "message_schedule.h"

#include "hierarchical_sum.h"

#include "xlac/support/element_type.h"

#include <algorithm>
#include <cstring>

namespace xlac::job {

namespace {

runtime::StridedBytes run_of(int64_t bytes) { return {0, bytes, bytes, 1}; }

/// Copies the slice `source` of `from` to the slice `target` of `to`.
void copy_strided_bytes(const void *from, const runtime::StridedBytes &source,
                        void *to, const runtime::StridedBytes &target) {
  constexpr int64_t kPiece = 64 << 10;
  int64_t bytes = source.bytes();
  if (source.contiguous())
    return unpack(static_cast<const std::byte *>(from) + source.offset, 0,
                  bytes, to, target);
  if (target.contiguous())
    return pack(from, source, 0, bytes,
                static_cast<std::byte *>(to) + target.offset);
  std::vector<std::byte> piece(std::min(bytes, kPiece));
  for (int64_t at = 0; at < bytes; at += kPiece) {
    int64_t end = std::min(at + kPiece, bytes);
    pack(from, source, at, end, piece.data());
    unpack(piece.data(), at, end, to, target);
  }
}

/// Bytes of one member's operand that are sent to members of other processes.
struct Message {
  size_t sender;
  runtime::StridedBytes from;
  std::vector<const runtime::Move *>
      moves;                   ///< to processes other than the sender's
  std::vector<size_t> readers; ///< processes
  bool shared = false;         ///< read by all other processes
};

/// A message or a part of it that fits into a slot.
struct Chunk {
  const Message *message;
  int64_t begin, end;
};

/// A part of a reduction's result: its owner computes it, and `shared` tells
/// whether other processes need it.
struct Share {
  const runtime::GroupReduction *fold;
  size_t owner;
  int64_t begin, end;
  bool shared;
};

/// A small reduction, which every process computes completely.
struct SmallReduction {
  size_t number; ///< index of the result
  const runtime::GroupReduction *fold;
};

class MessageSchedule {
public:
  MessageSchedule(GroupChannel &channel,
                  const runtime::Rendezvous &rendezvous_state,
                  const runtime::CollectiveCall &leader)
      : channel_(channel), rendezvous_(rendezvous_state), leader_(leader),
        what_(leader.what),
        where_(channel.places_of(rendezvous_state.members)) {
    for (const std::vector<size_t> &members : where_.members)
      most_members_ = std::max(most_members_, members.size());
  }

  Status run();

private:
  bool is_here(size_t member) const { return where_.places[member] == self(); }
  size_t self() const { return channel_.self(); }
  const void *operand(size_t member) const {
    return rendezvous_.calls[member]->operands[number_];
  }
  std::byte *result(size_t member) const {
    return static_cast<std::byte *>(
        rendezvous_.calls[member]->results[number_]);
  }

  Status learn_roots();
  Status move_all(const std::vector<runtime::Move> &moves);
  std::vector<Message> messages_of(const std::vector<runtime::Move> &moves,
                                   size_t place) const;
  std::vector<Chunk> chunks_of(const std::vector<Message> &messages) const;
  Status deliver(const Chunk &chunk, size_t from);

  Status
  reduce_all_shares(const std::vector<runtime::GroupReduction> &reductions);
  bool is_small(const runtime::GroupReduction &fold) const;
  bool is_hierarchical(const runtime::GroupReduction &fold) const;
  Status reduce_small(const std::vector<runtime::Plan> &plans);
  Status reduce_packed(std::span<const SmallReduction> reductions);
  std::vector<std::vector<Share>>
  rounds_of(const std::vector<runtime::GroupReduction> &reductions);
  Status contribute(const std::vector<Share> &round);
  Status combine_own(const std::vector<Share> &round);
  Status collect(const std::vector<Share> &round);
  /// Combines bytes [begin, end) of all members' operands and writes them to
  /// `to`. `arrivals` and `offsets` locate the received bytes of other
  /// processes.
  Status combine(const runtime::GroupReduction &fold, int64_t begin,
                 int64_t end, const std::vector<ReceivedMessage> &arrivals,
                 const std::vector<int64_t> &offsets, std::byte *to);
  std::vector<Part> own_parts(const runtime::GroupReduction &fold,
                              int64_t begin, int64_t end) const;

  GroupChannel &channel_;
  const runtime::Rendezvous &rendezvous_;
  const runtime::CollectiveCall &leader_;
  const runtime::Collective &what_;
  MemberPlaces where_;
  size_t most_members_ = 1;
  size_t number_ = 0; ///< index of the result
  /// For each member and result, which member is the root.
  std::vector<std::vector<int32_t>> roots_;
  AlignedBuffer left_, right_;   ///< contiguous copies of parts
  AlignedBuffer sum_, combined_; ///< sums that no result has
};

/// Memory for `bytes` bytes, reused by later calls.
std::byte *resized(AlignedBuffer &packet, int64_t bytes) {
  if (packet.capacity() < static_cast<size_t>(bytes))
    packet = AlignedBuffer(bytes);
  return packet.data();
}

Status MessageSchedule::learn_roots() {
  size_t count = what_.results.size();
  roots_.assign(rendezvous_.members.size(), std::vector<int32_t>(count));
  if (!what_.dynamic_root)
    return {};
  auto bytes = static_cast<int64_t>(count * sizeof(int32_t));
  std::vector<Part> parts;
  for (size_t member : where_.members[self()]) {
    roots_[member] = roots_of(*rendezvous_.calls[member]);
    parts.push_back({roots_[member].data(), run_of(bytes), 0, bytes, false});
  }
  XLAC_RETURN_IF_ERROR(channel_.share(parts));
  int64_t step = GroupChannel::aligned(bytes);
  for (size_t place = 0; place < channel_.count(); ++place) {
    if (place == self())
      continue;
    ReceivedMessage arrival;
    XLAC_RETURN_IF_ERROR(channel_.take(place, true, arrival));
    for (size_t i = 0; i < where_.members[place].size(); ++i)
      std::memcpy(roots_[where_.members[place][i]].data(),
                  arrival.data + i * step, bytes);
    channel_.release(arrival);
  }
  return {};
}

//===- Copies -------------------------------------------------------------===//

std::vector<Message>
MessageSchedule::messages_of(const std::vector<runtime::Move> &moves,
                             size_t place) const {
  std::vector<Message> messages;
  for (const runtime::Move &move : moves) {
    if (where_.places[move.sender] != place ||
        where_.places[move.receiver] == place || move.from.bytes() == 0)
      continue;
    auto found = std::find_if(
        messages.begin(), messages.end(), [&](const Message &each) {
          return each.sender == move.sender && each.from == move.from;
        });
    if (found == messages.end())
      found = messages.insert(messages.end(),
                              Message{move.sender, move.from, {}, {}, false});
    found->moves.push_back(&move);
    size_t reader = where_.places[move.receiver];
    if (std::find(found->readers.begin(), found->readers.end(), reader) ==
        found->readers.end())
      found->readers.push_back(reader);
  }
  for (Message &message : messages)
    message.shared = message.readers.size() + 1 == channel_.count();
  // Each rank starts with the next rank, so that they do not all send to the
  // same rank at once.
  size_t count = channel_.count();
  auto distance = [&](const Message &message) {
    return (message.readers.front() + count - place) % count;
  };
  std::stable_sort(messages.begin(), messages.end(),
                   [&](const Message &a, const Message &b) {
                     return distance(a) < distance(b);
                   });
  return messages;
}

std::vector<Chunk>
MessageSchedule::chunks_of(const std::vector<Message> &messages) const {
  std::vector<Chunk> chunks;
  auto most = static_cast<int64_t>(channel_.message_bytes());
  for (const Message &message : messages)
    for (int64_t at = 0; at < message.from.bytes(); at += most)
      chunks.push_back(
          {&message, at, std::min(at + most, message.from.bytes())});
  return chunks;
}

/// Receives the chunk from `from` if this process is one of its readers.
Status MessageSchedule::deliver(const Chunk &chunk, size_t from) {
  const Message &message = *chunk.message;
  if (std::find(message.readers.begin(), message.readers.end(), self()) ==
      message.readers.end())
    return {};
  ReceivedMessage arrival;
  XLAC_RETURN_IF_ERROR(channel_.take(from, message.shared, arrival));
  for (const runtime::Move *move : message.moves)
    if (is_here(move->receiver))
      unpack(arrival.data, chunk.begin, chunk.end, result(move->receiver),
             move->to);
  channel_.release(arrival);
  return {};
}

Status MessageSchedule::move_all(const std::vector<runtime::Move> &moves) {
  std::vector<std::vector<Message>> messages(channel_.count());
  std::vector<std::vector<Chunk>> chunks(channel_.count());
  size_t rounds = 0;
  for (size_t place = 0; place < channel_.count(); ++place) {
    messages[place] = messages_of(moves, place);
    chunks[place] = chunks_of(messages[place]);
    rounds = std::max(rounds, chunks[place].size());
  }
  auto copy_own = [&] {
    for (const runtime::Move &move : moves)
      if (is_here(move.sender) && is_here(move.receiver))
        copy_strided_bytes(operand(move.sender), move.from,
                           result(move.receiver), move.to);
  };
  // Messages that ranks send in a round are received in the same round, so that
  // no two ranks wait for each other.
  for (size_t round = 0; round < rounds; ++round) {
    if (round < chunks[self()].size()) {
      const Chunk &chunk = chunks[self()][round];
      const Message &message = *chunk.message;
      Part part{operand(message.sender), message.from, chunk.begin, chunk.end};
      if (message.shared)
        XLAC_RETURN_IF_ERROR(channel_.share({&part, 1}));
      else
        for (size_t reader : message.readers)
          XLAC_RETURN_IF_ERROR(channel_.send(reader, {&part, 1}));
    }
    if (round == 0)
      copy_own();
    for (size_t place = 0; place < channel_.count(); ++place)
      if (place != self() && round < chunks[place].size())
        XLAC_RETURN_IF_ERROR(deliver(chunks[place][round], place));
  }
  if (rounds == 0)
    copy_own();
  return {};
}

//===- Reductions ---------------------------------------------------------===//

std::vector<Part>
MessageSchedule::own_parts(const runtime::GroupReduction &fold, int64_t begin,
                           int64_t end) const {
  std::vector<Part> parts;
  for (size_t member : where_.members[self()])
    parts.push_back({operand(member), fold.from, begin, end,
                     operand(member) != result(member)});
  return parts;
}

Status MessageSchedule::combine(const runtime::GroupReduction &fold,
                                int64_t begin, int64_t end,
                                const std::vector<ReceivedMessage> &arrivals,
                                const std::vector<int64_t> &offsets,
                                std::byte *to) {
  int64_t bytes = end - begin, step = GroupChannel::aligned(bytes);
  std::vector<size_t> seen(channel_.count());
  auto part_of = [&](size_t member,
                     AlignedBuffer &packet) -> const std::byte * {
    size_t place = where_.places[member], index = seen[place]++;
    if (place != self())
      return arrivals[place].data + offsets[place] + index * step;
    const auto *from = static_cast<const std::byte *>(operand(member));
    if (fold.from.contiguous())
      return from + fold.from.offset + begin;
    pack(from, fold.from, begin, end, resized(packet, bytes));
    return packet.data();
  };
  int64_t elements =
      bytes / std::max<int64_t>(byte_size(what_.results[number_].element), 1);
  // If the sum replaces an operand of this process, nothing but the last step
  // may write there.
  size_t count = rendezvous_.members.size();
  std::byte *sum = to;
  for (size_t member : where_.members[self()])
    if (member > 1 && operand(member) == result(member))
      sum = resized(sum_, bytes);
  const std::byte *left = part_of(0, left_);
  for (size_t member = 1; member < count; ++member) {
    const std::byte *right = part_of(member, right_);
    std::byte *into = member + 1 == count ? to : sum;
    XLAC_RETURN_IF_ERROR(leader_.reduce(number_, left, right, into, elements));
    left = into;
  }
  return {};
}

bool MessageSchedule::is_small(const runtime::GroupReduction &fold) const {
  constexpr int64_t kSmall = 16 << 10;
  return fold.receivers.size() > 1 && fold.from.bytes() <= kSmall &&
         GroupChannel::aligned(fold.from.bytes()) *
                 static_cast<int64_t>(most_members_) <=
             static_cast<int64_t>(channel_.message_bytes());
}

/// Whether the sums of hosts are added first.
bool MessageSchedule::is_hierarchical(
    const runtime::GroupReduction &fold) const {
  return channel_.method() == CollectiveMethod::Hierarchical &&
         what_.kind == runtime::CollectiveKind::AllReduce &&
         fold.receivers.size() == rendezvous_.members.size() &&
         is_hierarchical_sum_faster(channel_, fold.from.bytes());
}

/// Every process receives all operands and combines them itself. This takes one
/// step instead of two.
Status
MessageSchedule::reduce_packed(std::span<const SmallReduction> reductions) {
  std::vector<Part> parts;
  for (const SmallReduction &small : reductions) {
    number_ = small.number;
    for (const Part &part : own_parts(*small.fold, 0, small.fold->from.bytes()))
      parts.push_back(part);
  }
  XLAC_RETURN_IF_ERROR(channel_.share(parts));
  std::vector<ReceivedMessage> arrivals(channel_.count());
  std::vector<int64_t> offsets(channel_.count());
  for (size_t place = 0; place < channel_.count(); ++place)
    if (place != self())
      XLAC_RETURN_IF_ERROR(channel_.take(place, true, arrivals[place]));
  for (const SmallReduction &small : reductions) {
    number_ = small.number;
    int64_t bytes = small.fold->from.bytes();
    const std::byte *combined = nullptr;
    for (size_t member : small.fold->receivers) {
      if (!is_here(member))
        continue;
      if (combined)
        std::memcpy(result(member), combined, bytes);
      else
        XLAC_RETURN_IF_ERROR(
            combine(*small.fold, 0, bytes, arrivals, offsets, result(member)));
      combined = result(member);
    }
    for (size_t place = 0; place < channel_.count(); ++place)
      offsets[place] += GroupChannel::aligned(bytes) *
                        static_cast<int64_t>(where_.members[place].size());
  }
  for (size_t place = 0; place < channel_.count(); ++place)
    if (place != self())
      channel_.release(arrivals[place]);
  return {};
}

/// Executes the small reductions of all results; each message contains as many
/// as fit.
Status MessageSchedule::reduce_small(const std::vector<runtime::Plan> &plans) {
  std::vector<SmallReduction> waiting;
  int64_t bytes = 0;
  for (size_t number = 0; number < plans.size(); ++number)
    for (const runtime::GroupReduction &fold : plans[number].reductions) {
      if (!is_small(fold) || fold.from.bytes() == 0)
        continue;
      int64_t more = GroupChannel::aligned(fold.from.bytes()) *
                     static_cast<int64_t>(most_members_);
      if (bytes + more > static_cast<int64_t>(channel_.message_bytes())) {
        XLAC_RETURN_IF_ERROR(reduce_packed(waiting));
        waiting.clear();
        bytes = 0;
      }
      waiting.push_back({number, &fold});
      bytes += more;
    }
  return waiting.empty() ? Status() : reduce_packed(waiting);
}

/// Assigns shares to owners and rounds; each process owns at most one share per
/// round.
std::vector<std::vector<Share>> MessageSchedule::rounds_of(
    const std::vector<runtime::GroupReduction> &reductions) {
  // Shares are multiples of a reducer's piece if they fit.
  constexpr int64_t kPiece = 16 << 10;
  int64_t most = static_cast<int64_t>(channel_.message_bytes()) /
                 static_cast<int64_t>(most_members_);
  most = most >= kPiece ? most / kPiece * kPiece
                        : std::max<int64_t>(most / GroupChannel::kAlignment *
                                                GroupChannel::kAlignment,
                                            GroupChannel::kAlignment);
  size_t count = channel_.count();
  std::vector<std::vector<Share>> owned(count);
  size_t rounds = 0;
  for (const runtime::GroupReduction &fold : reductions) {
    size_t reader = where_.places[fold.receivers.front()];
    bool one = std::all_of(
        fold.receivers.begin(), fold.receivers.end(),
        [&](size_t member) { return where_.places[member] == reader; });
    int64_t bytes = fold.from.bytes(), chunk = most;
    // The last round must use all processes too.
    if (!one && bytes < most * static_cast<int64_t>(count)) {
      int64_t each = bytes / static_cast<int64_t>(count) + 1;
      chunk = std::min(most, (each + kPiece - 1) / kPiece * kPiece);
    }
    size_t next = 0;
    for (int64_t at = 0; at < bytes; at += chunk, next = (next + 1) % count) {
      size_t owner = one ? reader : next;
      owned[owner].push_back(
          {&fold, owner, at, std::min(at + chunk, bytes), !one});
      rounds = std::max(rounds, owned[owner].size());
    }
  }
  std::vector<std::vector<Share>> result(rounds);
  for (const std::vector<Share> &shares : owned)
    for (size_t i = 0; i < shares.size(); ++i)
      result[i].push_back(shares[i]);
  return result;
}

Status MessageSchedule::contribute(const std::vector<Share> &round) {
  // Each process starts with the next one.
  for (size_t i = 1; i < channel_.count(); ++i)
    for (const Share &share : round)
      if (share.owner == (self() + i) % channel_.count())
        XLAC_RETURN_IF_ERROR(channel_.send(
            share.owner, own_parts(*share.fold, share.begin, share.end)));
  return {};
}

Status MessageSchedule::combine_own(const std::vector<Share> &round) {
  auto own = std::find_if(round.begin(), round.end(), [&](const Share &share) {
    return share.owner == self();
  });
  if (own == round.end())
    return {};
  std::vector<ReceivedMessage> arrivals(channel_.count());
  for (size_t place = 0; place < channel_.count(); ++place)
    if (place != self())
      XLAC_RETURN_IF_ERROR(channel_.take(place, false, arrivals[place]));
  int64_t bytes = own->end - own->begin, whole = own->fold->from.bytes();
  std::vector<int64_t> offsets(channel_.count());
  std::vector<std::byte *> places;
  for (size_t member : own->fold->receivers)
    if (is_here(member))
      places.push_back(result(member));
  // The target is memory that other processes of this host read, or the first
  // result.
  std::byte *to = nullptr;
  if (own->shared)
    XLAC_RETURN_IF_ERROR(channel_.claim(to));
  bool claimed = to != nullptr;
  if (!claimed)
    to = places.empty() ? resized(combined_, bytes) : places[0] + own->begin;
  XLAC_RETURN_IF_ERROR(
      combine(*own->fold, own->begin, own->end, arrivals, offsets, to));
  if (claimed)
    channel_.share_claimed(bytes);
  for (size_t place = 0; place < channel_.count(); ++place)
    if (place != self())
      channel_.release(arrivals[place]);
  for (std::byte *place : places)
    if (place + own->begin != to)
      unpack(to, own->begin, own->end, place, run_of(whole));
  if (!own->shared)
    return {};
  Part part{to, run_of(bytes), 0, bytes, false};
  if (!places.empty())
    part = {places[0], run_of(whole), own->begin, own->end};
  channel_.share_far({&part, 1});
  return {};
}

Status MessageSchedule::collect(const std::vector<Share> &round) {
  for (const Share &share : round) {
    if (share.owner == self() || !share.shared)
      continue;
    ReceivedMessage arrival;
    XLAC_RETURN_IF_ERROR(channel_.take(share.owner, true, arrival));
    for (size_t member : share.fold->receivers)
      if (is_here(member))
        unpack(arrival.data, share.begin, share.end, result(member),
               run_of(share.fold->from.bytes()));
    channel_.release(arrival);
  }
  return {};
}

Status MessageSchedule::reduce_all_shares(
    const std::vector<runtime::GroupReduction> &reductions) {
  std::vector<runtime::GroupReduction> large;
  for (const runtime::GroupReduction &fold : reductions) {
    if (fold.from.bytes() == 0 || is_small(fold))
      continue;
    if (!is_hierarchical(fold))
      large.push_back(fold);
    else
      XLAC_RETURN_IF_ERROR(
          sum_hierarchically(channel_, rendezvous_, leader_, number_, fold));
  }
  // The operands for a round are sent one round ahead, so that owners need not
  // wait.
  std::vector<std::vector<Share>> rounds = rounds_of(large);
  if (!rounds.empty())
    XLAC_RETURN_IF_ERROR(contribute(rounds[0]));
  for (size_t i = 0; i < rounds.size(); ++i) {
    if (i + 1 < rounds.size())
      XLAC_RETURN_IF_ERROR(contribute(rounds[i + 1]));
    XLAC_RETURN_IF_ERROR(combine_own(rounds[i]));
    XLAC_RETURN_IF_ERROR(collect(rounds[i]));
  }
  return {};
}

Status MessageSchedule::run() {
  XLAC_RETURN_IF_ERROR(learn_roots());
  std::vector<runtime::Plan> plans;
  for (size_t number = 0; number < what_.results.size(); ++number) {
    Result<runtime::Plan> plan =
        plan_result(what_, rendezvous_, number, roots_);
    if (!plan)
      return plan.error();
    plans.push_back(std::move(*plan));
  }
  XLAC_RETURN_IF_ERROR(reduce_small(plans));
  for (number_ = 0; number_ < plans.size(); ++number_) {
    const runtime::Plan *plan = &plans[number_];
    XLAC_RETURN_IF_ERROR(reduce_all_shares(plan->reductions));
    XLAC_RETURN_IF_ERROR(move_all(plan->moves));
    for (size_t member : plan->filled)
      if (is_here(member))
        fill_result(*rendezvous_.calls[member], number_);
  }
  return {};
}

} // namespace

Status run_schedule(GroupChannel &channel,
                    const runtime::Rendezvous &rendezvous_state,
                    const runtime::CollectiveCall &leader) {
  return MessageSchedule(channel, rendezvous_state, leader).run();
}

} // namespace xlac::job
