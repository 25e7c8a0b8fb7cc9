#include "message_replay.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace xlac::cli {
namespace {

using Group = std::vector<int64_t>;

double total_bytes(const std::vector<TensorType> &types) {
  double bytes = 0;
  for (const TensorType &type : types)
    bytes += static_cast<double>(type.byte_count().value_or(0));
  return bytes;
}

/// The groups of a collective, without the padding of short ones.
std::vector<Group> groups_of(const runtime::Collective &what, int64_t devices) {
  std::vector<Group> groups;
  for (const Group &group : what.groups) {
    Group &members = groups.emplace_back();
    std::copy_if(group.begin(), group.end(), std::back_inserter(members),
                 [&](int64_t id) { return id >= 0 && id < devices; });
  }
  if (groups.empty()) {
    groups.emplace_back(devices);
    std::iota(groups[0].begin(), groups[0].end(), 0);
  }
  return groups;
}

/// Largest messages of the plan, as lib/job/group_channel.cpp chooses them.
double message_bytes(double members, bool shares_hosts) {
  double slot = members <= 2 ? 256 << 10 : members <= 4 ? 128 << 10 : 64 << 10;
  return shares_hosts ? slot : std::clamp(6.7e7 / members, slot, 1048576.0);
}

class Replay {
public:
  Replay(const runtime::Collective &what, int64_t devices,
         const HostLinks &links)
      : what_(what), devices_(devices), links_(links),
        groups_(groups_of(what, devices)) {
    for (const Group &group : groups_) {
      members_ = std::max(members_, static_cast<double>(group.size()));
      for (size_t i = 1; i < group.size(); ++i)
        shares_hosts_ = shares_hosts_ || host(group[i]) == host(group[i - 1]);
    }
  }

  ReplayTime run(ReplayMethod method);

private:
  using Send = std::function<void(int64_t from, int64_t to, double bytes)>;

  int64_t host(int64_t device) const {
    return device / links_.devices_per_host;
  }
  ReplayTime
  round(const std::function<void(const Group &, const Send &)> &each) const;
  /// The members of each list send `bytes` to each other, in `messages`
  /// messages.
  ReplayTime all_pairs(const std::vector<Group> &lists, double bytes,
                       double messages) const;
  /// The same, in as many messages as the plan needs.
  ReplayTime all_pairs(const std::vector<Group> &lists, double bytes) const {
    return all_pairs(lists, bytes,
                     bytes / message_bytes(members_, shares_hosts_));
  }
  /// Each member sends to the one at this distance.
  ReplayTime ring(int64_t distance, double bytes) const;
  /// Each member exchanges with the one whose position differs in one bit.
  ReplayTime exchange(int64_t bit, double bytes) const;

  ReplayTime plan_sum(double bytes) const;
  std::vector<Group> divided(bool by_host) const;
  ReplayTime hierarchical_sum(double bytes) const;
  ReplayTime engine_sum(double bytes) const;
  ReplayTime engine_gather(double bytes) const;
  ReplayTime moves() const;

  const runtime::Collective &what_;
  const int64_t devices_;
  const HostLinks &links_;
  const std::vector<Group> groups_;
  double members_ = 1;
  bool shares_hosts_ = false;
};

ReplayTime Replay::round(
    const std::function<void(const Group &, const Send &)> &each) const {
  MessageRound messages(devices_, links_);
  Send send = [&](int64_t from, int64_t to, double bytes) {
    messages.send(from, to, bytes);
  };
  for (const Group &group : groups_)
    each(group, send);
  return messages.time();
}

ReplayTime Replay::all_pairs(const std::vector<Group> &lists, double bytes,
                             double messages) const {
  MessageRound round(devices_, links_);
  double count = std::max(1.0, std::ceil(messages));
  for (const Group &list : lists)
    round.send_all(list, bytes / count);
  return round.time() * count;
}

ReplayTime Replay::ring(int64_t distance, double bytes) const {
  return round([&](const Group &group, const Send &send) {
    auto size = std::ssize(group);
    for (int64_t i = 0; i < size && size > 1; ++i)
      send(group[i], group[(i + distance) % size], bytes);
  });
}

ReplayTime Replay::exchange(int64_t bit, double bytes) const {
  return round([&](const Group &group, const Send &send) {
    for (int64_t i = 0; i < std::ssize(group); ++i)
      if ((i ^ bit) < std::ssize(group))
        send(group[i], group[i ^ bit], bytes);
  });
}

/// A part to each owner, and its sum to all; small sums in one step.
ReplayTime Replay::plan_sum(double bytes) const {
  constexpr double kSmall = 16 << 10;
  return bytes <= kSmall ? all_pairs(groups_, bytes)
                         : all_pairs(groups_, bytes / members_) * 2;
}

/// The members of each group on one host, or with the same position on each
/// host.
std::vector<Group> Replay::divided(bool by_host) const {
  std::vector<Group> lists;
  for (const Group &group : groups_) {
    std::map<int64_t, Group> parts;
    std::map<int64_t, int64_t> next;
    for (int64_t device : group)
      parts[by_host ? host(device) : next[host(device)]++].push_back(device);
    for (auto &[key, part] : parts)
      lists.push_back(std::move(part));
  }
  return lists;
}

ReplayTime Replay::hierarchical_sum(double bytes) const {
  std::vector<Group> hosts = divided(true), columns = divided(false);
  auto is_even = [](const std::vector<Group> &lists) {
    return lists[0].size() > 1 &&
           std::all_of(lists.begin(), lists.end(), [&](const Group &each) {
             return each.size() == lists[0].size();
           });
  };
  ReplayTime flat = plan_sum(bytes);
  if (!is_even(hosts) || !is_even(columns))
    return flat;
  // A column exchanges 1 MiB at a time.
  constexpr double kShare = 1 << 20;
  double part = bytes / static_cast<double>(hosts[0].size());
  ReplayTime stages = all_pairs(hosts, part) * 2;
  stages += all_pairs(columns, bytes / members_, part / kShare) * 2;
  return stages.microseconds < flat.microseconds ? stages : flat;
}

/// The fastest of three algorithms that MPI libraries use.
ReplayTime Replay::engine_sum(double bytes) const {
  ReplayTime around = ring(1, bytes / members_) * (2 * (members_ - 1));
  ReplayTime doubling, halving;
  double part = bytes / 2;
  for (int64_t bit = 1; bit < static_cast<int64_t>(members_);
       bit *= 2, part /= 2) {
    doubling += exchange(bit, bytes);
    halving += exchange(bit, part) * 2;
  }
  return std::min({around, doubling, halving},
                  [](const ReplayTime &a, const ReplayTime &b) {
                    return a.microseconds < b.microseconds;
                  });
}

/// Each member gives `bytes` to all, around the ring or in rounds that double
/// the data. A reduce-scatter takes the same time.
ReplayTime Replay::engine_gather(double bytes) const {
  ReplayTime around = ring(1, bytes) * (members_ - 1), doubling;
  for (int64_t bit = 1; bit < static_cast<int64_t>(members_); bit *= 2)
    doubling += exchange(bit, bytes * static_cast<double>(bit));
  return around.microseconds < doubling.microseconds ? around : doubling;
}

ReplayTime Replay::moves() const {
  double bytes = total_bytes(what_.operands);
  return round([&](const Group &group, const Send &send) {
    if (what_.kind == runtime::CollectiveKind::Permute) {
      if (group.size() == 2 && group[0] != group[1])
        send(group[0], group[1], bytes);
      return;
    }
    for (size_t i = 1; i < group.size(); ++i)
      send(group[0], group[i], bytes);
  });
}

ReplayTime Replay::run(ReplayMethod method) {
  if (members_ < 2)
    return {};
  double operands = total_bytes(what_.operands);
  bool is_engine = method == ReplayMethod::Engine;
  switch (what_.kind) {
  case runtime::CollectiveKind::AllReduce:
    return is_engine                              ? engine_sum(operands)
           : method == ReplayMethod::Hierarchical ? hierarchical_sum(operands)
                                                  : plan_sum(operands);
  case runtime::CollectiveKind::AllGather:
    return is_engine ? engine_gather(operands) : all_pairs(groups_, operands);
  case runtime::CollectiveKind::ReduceScatter:
    return is_engine ? engine_gather(operands / members_)
                     : all_pairs(groups_, operands / members_);
  case runtime::CollectiveKind::AllToAll:
    return all_pairs(groups_, operands / members_);
  case runtime::CollectiveKind::Broadcast:
  case runtime::CollectiveKind::Reduce:
  case runtime::CollectiveKind::Permute:
    return moves();
  default:
    return {};
  }
}

} // namespace

std::string_view to_string(ReplayMethod method) {
  switch (method) {
  case ReplayMethod::Plan:
    return "plan";
  case ReplayMethod::Hierarchical:
    return "hierarchical";
  case ReplayMethod::Engine:
    return "engine";
  }
  return "";
}

ReplayTime &ReplayTime::operator+=(const ReplayTime &other) {
  microseconds += other.microseconds;
  messages += other.messages;
  link_bytes += other.link_bytes;
  return *this;
}

ReplayTime ReplayTime::operator*(double times) const {
  return {microseconds * times, messages * times, link_bytes * times};
}

MessageRound::MessageRound(int64_t devices, const HostLinks &links)
    : links_(links), processes_(devices),
      hosts_((devices + links.devices_per_host - 1) / links.devices_per_host) {}

void MessageRound::send(int64_t from, int64_t to, double bytes) {
  ++processes_[from].sent;
  ++processes_[to].received;
  int64_t source = from / links_.devices_per_host,
          target = to / links_.devices_per_host;
  if (source == target) {
    is_near_ = true;
    processes_[from].out += bytes;
    processes_[to].in += bytes;
  } else {
    is_far_ = true;
    hosts_[source].out += bytes;
    hosts_[target].in += bytes;
  }
}

void MessageRound::send_all(std::span<const int64_t> devices, double bytes) {
  std::map<int64_t, double> counts;
  for (int64_t device : devices)
    ++counts[device / links_.devices_per_host];
  auto all = static_cast<double>(devices.size());
  for (int64_t device : devices) {
    double near = counts[device / links_.devices_per_host] - 1;
    Process &process = processes_[device];
    process.sent += all - 1;
    process.received += all - 1;
    process.out += near * bytes;
    process.in += near * bytes;
  }
  for (auto [host, here] : counts) {
    hosts_[host].out += here * (all - here) * bytes;
    hosts_[host].in += here * (all - here) * bytes;
    is_near_ = is_near_ || here > 1;
    is_far_ = is_far_ || here < all;
  }
}

ReplayTime MessageRound::time() const {
  ReplayTime result;
  double processes = 0, links = 0;
  for (const Process &each : processes_) {
    processes = std::max(
        processes,
        (each.sent + each.received) * links_.message_microseconds +
            std::max(each.out, each.in) / (links_.costs.near_bandwidth * 1e3));
    result.messages = std::max(result.messages, each.sent);
  }
  for (const Link &each : hosts_) {
    links = std::max(links, std::max(each.out, each.in));
    result.link_bytes = std::max(result.link_bytes, each.out);
  }
  result.microseconds =
      std::max(processes, links / (links_.costs.far_bandwidth * 1e3)) +
      (is_far_    ? links_.costs.far_latency
       : is_near_ ? links_.costs.near_latency
                  : 0);
  return result;
}

ReplayTime replay(const runtime::Collective &what, ReplayMethod method,
                  int64_t devices, const HostLinks &links) {
  return Replay(what, devices, links).run(method);
}

} // namespace xlac::cli
