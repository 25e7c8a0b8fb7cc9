#include "xlac/runtime/collective_plan.h"

#include "xlac/support/element_type.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace xlac::runtime {

namespace {

using Dims = std::vector<int64_t>;

Failure misfit(const Collective &what, int64_t members) {
  return failure(FailureKind::User, describe(what) + " gives " +
                                        to_string(what.results.front()) +
                                        ", which does not fit a group of " +
                                        std::to_string(members) + " processes");
}

/// `dims` with one dimension multiplied or divided by `by`.
Dims scaled(Dims dims, int64_t dimension, int64_t by, bool divide) {
  if (dimension < 0 || dimension >= static_cast<int64_t>(dims.size()))
    return {-1};
  int64_t &extent = dims[dimension];
  extent = !divide ? extent * by : extent % by == 0 ? extent / by : -1;
  return dims;
}

/// The slice of `extent` indices of dimension `dim`, starting at `at`.
StridedBytes strided_bytes_of(const Dims &dims, int64_t element, int64_t dim,
                              int64_t at, int64_t extent) {
  assert(0 <= dim && dim < static_cast<int64_t>(dims.size()) && 0 <= at &&
         at + extent <= dims[dim] && "indices of a dimension");
  int64_t inner = element, rows = 1;
  for (size_t d = dim + 1; d < dims.size(); ++d)
    inner *= dims[d];
  for (int64_t d = 0; d < dim; ++d)
    rows *= dims[d];
  return {at * inner, extent * inner, dims[dim] * inner, rows};
}

StridedBytes whole(const TensorType &type) {
  int64_t bytes = type.byte_count().value_or(0);
  return {0, bytes, bytes, 1};
}

class Planner {
public:
  Planner(const Collective &what, const Rendezvous &rendezvous_state,
          size_t number, std::span<const int32_t> roots)
      : what_(what), rendezvous_(rendezvous_state), roots_(roots),
        from_(what.operands[number]), to_(what.results[number]),
        element_(byte_size(to_.element)),
        count_(static_cast<int64_t>(rendezvous_state.members.size())) {}

  Result<Plan> run();

private:
  Status gather();
  Status all_to_all();
  Status reduce_scatter();
  Status check_roots() const;
  void broadcast();
  void reduce_to_root();
  void permute();

  const Collective &what_;
  const Rendezvous &rendezvous_;
  const std::span<const int32_t> roots_;
  const TensorType &from_, &to_;
  const int64_t element_, count_;
  Plan plan_;
};

Status Planner::gather() {
  int64_t axis = what_.dimension;
  if (to_.dims != scaled(from_.dims, axis, count_, false))
    return misfit(what_, count_);
  int64_t extent = from_.dims[axis];
  for (int64_t receiver = 0; receiver < count_; ++receiver)
    for (int64_t sender = 0; sender < count_; ++sender)
      plan_.moves.push_back({size_t(sender), size_t(receiver), whole(from_),
                             strided_bytes_of(to_.dims, element_, axis,
                                              sender * extent, extent)});
  return {};
}

Status Planner::all_to_all() {
  int64_t split = what_.dimension, concat = what_.concat_dimension;
  Dims part = scaled(from_.dims, split, count_, true);
  if (to_.dims != scaled(part, concat, count_, false))
    return misfit(what_, count_);
  for (int64_t receiver = 0; receiver < count_; ++receiver)
    for (int64_t sender = 0; sender < count_; ++sender)
      plan_.moves.push_back(
          {size_t(sender), size_t(receiver),
           strided_bytes_of(from_.dims, element_, split, receiver * part[split],
                            part[split]),
           strided_bytes_of(to_.dims, element_, concat, sender * part[concat],
                            part[concat])});
  return {};
}

Status Planner::reduce_scatter() {
  int64_t axis = what_.dimension;
  if (to_.dims != scaled(from_.dims, axis, count_, true))
    return misfit(what_, count_);
  int64_t extent = to_.dims[axis];
  for (int64_t receiver = 0; receiver < count_; ++receiver)
    plan_.reductions.push_back({{size_t(receiver)},
                                strided_bytes_of(from_.dims, element_, axis,
                                                 receiver * extent, extent)});
  return {};
}

Status Planner::check_roots() const {
  if (to_.dims != from_.dims)
    return misfit(what_, count_);
  for (int32_t root : roots_)
    if (root < 0 || root >= count_)
      return failure(FailureKind::User,
                     describe(what_) + ": got root " + std::to_string(root) +
                         " in a group of " + std::to_string(count_) +
                         " processes");
  return {};
}

void Planner::broadcast() {
  for (int64_t member = 0; member < count_; ++member)
    plan_.moves.push_back(
        {size_t(roots_[member]), size_t(member), whole(from_), whole(to_)});
}

void Planner::reduce_to_root() {
  GroupReduction fold{{}, whole(from_)};
  for (int64_t member = 0; member < count_; ++member)
    (roots_[member] == member ? fold.receivers : plan_.filled)
        .push_back(member);
  if (!fold.receivers.empty())
    plan_.reductions.push_back(std::move(fold));
}

void Planner::permute() {
  const ProcessGroup &members = rendezvous_.members;
  for (size_t target = 0; target < members.size(); ++target) {
    auto pair = std::find_if(
        rendezvous_.pairs.begin(), rendezvous_.pairs.end(),
        [&](const auto &pair) { return pair[1] == members[target]; });
    if (pair == rendezvous_.pairs.end()) {
      plan_.filled.push_back(target);
      continue;
    }
    auto source = std::find(members.begin(), members.end(), (*pair)[0]);
    assert(source != members.end() && "both ends of a pair are members");
    plan_.moves.push_back(
        {size_t(source - members.begin()), target, whole(from_), whole(to_)});
  }
}

Result<Plan> Planner::run() {
  switch (what_.kind) {
  case CollectiveKind::AllGather:
    XLAC_RETURN_IF_ERROR(gather());
    break;
  case CollectiveKind::AllToAll:
    XLAC_RETURN_IF_ERROR(all_to_all());
    break;
  case CollectiveKind::ReduceScatter:
    XLAC_RETURN_IF_ERROR(reduce_scatter());
    break;
  case CollectiveKind::AllReduce: {
    if (to_.dims != from_.dims)
      return misfit(what_, count_);
    GroupReduction fold{std::vector<size_t>(count_), whole(from_)};
    std::iota(fold.receivers.begin(), fold.receivers.end(), 0);
    plan_.reductions.push_back(std::move(fold));
    break;
  }
  case CollectiveKind::Broadcast:
    XLAC_RETURN_IF_ERROR(check_roots());
    broadcast();
    break;
  case CollectiveKind::Reduce:
    XLAC_RETURN_IF_ERROR(check_roots());
    reduce_to_root();
    break;
  case CollectiveKind::Permute:
    permute();
    break;
  default:
    return failure(FailureKind::Internal,
                   describe(what_) + " is not done by a group");
  }
  return std::move(plan_);
}

/// Larger results leave every cache before they are read. Writing them with
/// non-temporal stores avoids reading their cache lines first.
constexpr int64_t kPastCaches = 8 << 20;

#if defined(__SSE2__)
void copy_past_caches(std::byte *to, const std::byte *from, int64_t bytes) {
  constexpr int64_t kLine = 64, kPart = 16;
  auto head = static_cast<int64_t>(-reinterpret_cast<uintptr_t>(to) % kLine);
  if (bytes < 16 * kLine) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(to, from, head);
  int64_t at = head;
  for (; at + kLine <= bytes; at += kLine)
    for (int64_t part = 0; part < kLine; part += kPart)
      _mm_stream_si128(
          reinterpret_cast<__m128i *>(to + at + part),
          _mm_loadu_si128(reinterpret_cast<const __m128i *>(from + at + part)));
  _mm_sfence();
  std::memcpy(to + at, from + at, bytes - at);
}
#else
void copy_past_caches(std::byte *to, const std::byte *from, int64_t bytes) {
  std::memcpy(to, from, bytes);
}
#endif

/// Calls `copy` for each row's part of [begin, end), with the offset in the
/// array, the offset in the packed bytes, and the number of bytes.
template <class Copy>
void for_rows(const StridedBytes &strip, int64_t begin, int64_t end,
              Copy copy) {
  if (strip.contiguous()) {
    if (end > begin)
      copy(strip.offset + begin, int64_t(0), end - begin);
    return;
  }
  for (int64_t at = begin; at < end;) {
    int64_t row = at / strip.run, column = at % strip.run;
    int64_t bytes = std::min(strip.run - column, end - at);
    copy(strip.offset + row * strip.pitch + column, at - begin, bytes);
    at += bytes;
  }
}

} // namespace

void pack(const void *from, const StridedBytes &strip, int64_t begin,
          int64_t end, void *to) {
  for_rows(strip, begin, end, [&](int64_t place, int64_t at, int64_t bytes) {
    std::memcpy(static_cast<std::byte *>(to) + at,
                static_cast<const std::byte *>(from) + place, bytes);
  });
}

void unpack(const void *from, int64_t begin, int64_t end, void *to,
            const StridedBytes &strip) {
  auto copy = strip.bytes() >= kPastCaches
                  ? copy_past_caches
                  : [](std::byte *to, const std::byte *from, int64_t bytes) {
                      std::memcpy(to, from, bytes);
                    };
  for_rows(strip, begin, end, [&](int64_t place, int64_t at, int64_t bytes) {
    copy(static_cast<std::byte *>(to) + place,
         static_cast<const std::byte *>(from) + at, bytes);
  });
}

Result<Plan> plan_result(const Collective &what,
                         const Rendezvous &rendezvous_state, size_t number,
                         const std::vector<std::vector<int32_t>> &roots) {
  std::vector<int32_t> own;
  for (const std::vector<int32_t> &of_member : roots)
    own.push_back(of_member[number]);
  return Planner(what, rendezvous_state, number, own).run();
}

std::vector<int32_t> roots_of(const CollectiveCall &call) {
  std::vector<int32_t> roots(call.what.results.size());
  if (call.what.dynamic_root)
    std::memcpy(roots.data(), call.operands.back(),
                roots.size() * sizeof(int32_t));
  return roots;
}

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
  // Filled elements are quantized and have at most eight bytes.
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
    return failure(FailureKind::User, name + ": got " +
                                          std::to_string(transfer.size()) +
                                          " values, expected " +
                                          std::to_string(call.results.size()));
  for (size_t i = 0; i < transfer.size(); ++i) {
    auto bytes =
        static_cast<size_t>(call.what.results[i].byte_count().value_or(0));
    if (transfer[i].size() != bytes)
      return failure(FailureKind::User,
                     name + ": value " + std::to_string(i) + " has " +
                         std::to_string(transfer[i].size()) +
                         " bytes, expected " + std::to_string(bytes));
    if (bytes > 0)
      std::memcpy(call.results[i], transfer[i].data(), bytes);
  }
  return {};
}

} // namespace xlac::runtime
