#include "collective_moves.h"

#include "block_copies.h"

#include "xlac/support/element_type.h"

#include <algorithm>
#include <cstring>

namespace xlac {

namespace {

using Dims = std::vector<int64_t>;

Status misfit(const Collective &what, size_t members) {
  return failure(Fault::User, describe(what) + " gives " +
                                  to_string(what.results.front()) +
                                  ", which does not fit a group of " +
                                  std::to_string(members) + " processes");
}

/// `dims` with a dimension scaled.
Dims scaled(Dims dims, int64_t dimension, int64_t by, bool divide) {
  if (dimension < 0 || dimension >= static_cast<int64_t>(dims.size()))
    return {-1};
  int64_t &extent = dims[dimension];
  extent = !divide ? extent * by : extent % by == 0 ? extent / by : -1;
  return dims;
}

class Mover {
public:
  Mover(const Meeting &meeting, const CollectiveCall &leader)
      : meeting_(meeting), leader_(leader), what_(leader.what),
        count_(static_cast<int64_t>(meeting.members.size())) {}

  Status run();

private:
  Status gather(size_t number);
  Status all_to_all(size_t number);
  Status all_reduce(size_t number);
  Status reduce_scatter(size_t number);
  Status broadcast(size_t number);
  Status reduce_to_root(size_t number);
  Status move(size_t number);
  void permute();
  /// Which member is the root of result `number` for `member`.
  Result<size_t> root_of(size_t member, size_t number) const;
  const void *operand(size_t member, size_t number) const {
    return meeting_.calls[member]->operands[number];
  }
  void *result(size_t member, size_t number) const {
    return meeting_.calls[member]->results[number];
  }
  void copy_all(size_t number, const void *from, void *to) {
    copies_.add_run(from, to, what_.results[number].byte_count().value_or(0));
  }
  void do_copies() { copies_.run(leader_.threads); }
  /// All members' operands combined, in order, in `to`.
  Status reduce_into(size_t number, void *to);

  const Meeting &meeting_;
  const CollectiveCall &leader_;
  const Collective &what_;
  const int64_t count_;
  BlockCopies copies_;
};

Status Mover::gather(size_t number) {
  const Dims &from = what_.operands[number].dims;
  const Dims &to = what_.results[number].dims;
  if (to != scaled(from, what_.dimension, count_, false))
    return misfit(what_, count_);
  int64_t element = byte_size(what_.operands[number].element);
  auto axis = static_cast<size_t>(what_.dimension);
  for (int64_t receiver = 0; receiver < count_; ++receiver)
    for (int64_t sender = 0; sender < count_; ++sender)
      copies_.add_box(from, element, operand(sender, number), {from, axis, 0},
                      result(receiver, number),
                      {to, axis, sender * from[axis]});
  do_copies();
  return {};
}

Status Mover::all_to_all(size_t number) {
  const Dims &from = what_.operands[number].dims;
  const Dims &to = what_.results[number].dims;
  Dims part = scaled(from, what_.dimension, count_, true);
  if (to != scaled(part, what_.concat_dimension, count_, false))
    return misfit(what_, count_);
  int64_t element = byte_size(what_.operands[number].element);
  auto split = static_cast<size_t>(what_.dimension);
  auto concat = static_cast<size_t>(what_.concat_dimension);
  for (int64_t receiver = 0; receiver < count_; ++receiver)
    for (int64_t sender = 0; sender < count_; ++sender)
      copies_.add_box(part, element, operand(sender, number),
                      {from, split, receiver * part[split]},
                      result(receiver, number),
                      {to, concat, sender * part[concat]});
  do_copies();
  return {};
}

Status Mover::reduce_into(size_t number, void *to) {
  if (count_ == 1) {
    copy_all(number, operand(0, number), to);
    do_copies();
    return {};
  }
  const void *left = operand(0, number);
  for (int64_t member = 1; member < count_; ++member) {
    XLAC_RETURN_IF_ERROR(
        leader_.reduce(number, left, operand(member, number), to));
    left = to;
  }
  return {};
}

/// Once, then copies: the same bits for everybody.
Status Mover::all_reduce(size_t number) {
  if (what_.results[number].dims != what_.operands[number].dims)
    return misfit(what_, count_);
  void *first = result(0, number);
  XLAC_RETURN_IF_ERROR(reduce_into(number, first));
  for (int64_t member = 1; member < count_; ++member)
    copy_all(number, first, result(member, number));
  do_copies();
  return {};
}

/// Each member's part apart: a compiled reducer is made for its shape.
Status Mover::reduce_scatter(size_t number) {
  const TensorType &type = what_.results[number];
  const Dims &from = what_.operands[number].dims;
  if (type.dims != scaled(from, what_.dimension, count_, true))
    return misfit(what_, count_);
  int64_t element = byte_size(type.element);
  auto axis = static_cast<size_t>(what_.dimension);
  int64_t width = type.dims[axis];
  std::vector<std::byte> part(type.byte_count().value_or(0));
  for (int64_t receiver = 0; receiver < count_; ++receiver) {
    void *to = result(receiver, number);
    auto take = [&](int64_t sender, void *into) {
      copies_.add_box(type.dims, element, operand(sender, number),
                      {from, axis, receiver * width}, into,
                      {type.dims, axis, 0});
      do_copies();
    };
    take(0, to);
    for (int64_t sender = 1; sender < count_; ++sender) {
      take(sender, part.data());
      XLAC_RETURN_IF_ERROR(leader_.reduce(number, to, part.data(), to));
    }
  }
  return {};
}

Result<size_t> Mover::root_of(size_t member, size_t number) const {
  if (what_.results[number].dims != what_.operands[number].dims)
    return misfit(what_, count_).error();
  if (!what_.dynamic_root)
    return size_t(0);
  int32_t root;
  std::memcpy(&root,
              static_cast<const std::byte *>(
                  operand(member, what_.operands.size() - 1)) +
                  number * sizeof root,
              sizeof root);
  if (root < 0 || root >= count_)
    return failure(Fault::User, describe(what_) + ": got root " +
                                    std::to_string(root) + " in a group of " +
                                    std::to_string(count_) + " processes");
  return static_cast<size_t>(root);
}

Status Mover::broadcast(size_t number) {
  for (int64_t member = 0; member < count_; ++member) {
    Result<size_t> root = root_of(member, number);
    if (!root)
      return root.error();
    copy_all(number, operand(*root, number), result(member, number));
  }
  do_copies();
  return {};
}

Status Mover::reduce_to_root(size_t number) {
  for (int64_t member = 0; member < count_; ++member) {
    Result<size_t> root = root_of(member, number);
    if (!root)
      return root.error();
    if (static_cast<int64_t>(*root) == member)
      XLAC_RETURN_IF_ERROR(reduce_into(number, result(member, number)));
    else
      fill_result(*meeting_.calls[member], number);
  }
  return {};
}

void Mover::permute() {
  for (size_t target = 0; target < meeting_.members.size(); ++target) {
    auto pair = std::find_if(
        meeting_.pairs.begin(), meeting_.pairs.end(),
        [&](const auto &pair) { return pair[1] == meeting_.members[target]; });
    if (pair == meeting_.pairs.end()) {
      fill_results(*meeting_.calls[target]);
      continue;
    }
    auto source = std::find(meeting_.members.begin(), meeting_.members.end(),
                            (*pair)[0]) -
                  meeting_.members.begin();
    copy_all(0, operand(source, 0), result(target, 0));
  }
  do_copies();
}

Status Mover::move(size_t number) {
  switch (what_.kind) {
  case CollectiveKind::AllGather:
    return gather(number);
  case CollectiveKind::AllReduce:
    return all_reduce(number);
  case CollectiveKind::AllToAll:
    return all_to_all(number);
  case CollectiveKind::Broadcast:
    return broadcast(number);
  case CollectiveKind::Reduce:
    return reduce_to_root(number);
  case CollectiveKind::ReduceScatter:
    return reduce_scatter(number);
  default:
    return failure(Fault::Internal,
                   describe(what_) + " is not done by a group");
  }
}

Status Mover::run() {
  if (what_.kind == CollectiveKind::Permute) {
    permute();
    return {};
  }
  for (size_t number = 0; number < what_.results.size(); ++number)
    XLAC_RETURN_IF_ERROR(move(number));
  return {};
}

} // namespace

void fill_result(const CollectiveCall &call, size_t number) {
  const TensorType &type = call.what.results[number];
  int64_t bytes = type.byte_count().value_or(0);
  int64_t bits = number < call.what.fill.size() ? call.what.fill[number] : 0;
  auto *to = static_cast<std::byte *>(call.results[number]);
  if (bits == 0) {
    if (bytes > 0)
      std::memset(to, 0, bytes);
    return;
  }
  // Filled elements are quantized ones, of at most eight bytes.
  int64_t element = std::min<int64_t>(byte_size(type.element), sizeof bits);
  for (int64_t at = 0; at < bytes; at += element)
    std::memcpy(to + at, &bits, element);
}

void fill_results(const CollectiveCall &call) {
  for (size_t number = 0; number < call.what.results.size(); ++number)
    fill_result(call, number);
}

Status accept(const CollectiveCall &call, const Transfer &transfer,
              const std::string &name) {
  if (transfer.size() != call.results.size())
    return failure(Fault::User,
                   name + ": got " + std::to_string(transfer.size()) +
                       " values, wants " + std::to_string(call.results.size()));
  for (size_t i = 0; i < transfer.size(); ++i) {
    auto bytes =
        static_cast<size_t>(call.what.results[i].byte_count().value_or(0));
    if (transfer[i].size() != bytes)
      return failure(Fault::User, name + ": value " + std::to_string(i) +
                                      " has " +
                                      std::to_string(transfer[i].size()) +
                                      " bytes, wants " + std::to_string(bytes));
    if (bytes > 0)
      std::memcpy(call.results[i], transfer[i].data(), bytes);
  }
  return {};
}

Status carry_out(const Meeting &meeting, const CollectiveCall &leader) {
  return Mover(meeting, leader).run();
}

} // namespace xlac
