// Replays the messages of collectives between devices on many hosts, round by
// round. The messages of a round share the links of the hosts. docs/scaling.md
// describes the model.
#pragma once

#include "xlac/job/reduction_cost.h"
#include "xlac/runtime/collective.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace xlac::cli {

/// Equal hosts with one link each, and their devices, one process each.
struct HostLinks {
  int64_t devices_per_host = 8;
  job::LinkCosts costs;
  /// Time of a process for a message that it sends or receives.
  double message_microseconds = 0.5;
};

/// The values of XLAC_COLLECTIVES.
enum class ReplayMethod { Plan, Hierarchical, Engine };
std::string_view to_string(ReplayMethod method);

struct ReplayTime {
  double microseconds = 0;
  double messages = 0;   ///< that the busiest process sends
  double link_bytes = 0; ///< sent over the busiest link

  ReplayTime &operator+=(const ReplayTime &other);
  ReplayTime operator*(double times) const;
};

/// The messages of one round.
class MessageRound {
public:
  MessageRound(int64_t devices, const HostLinks &links);
  void send(int64_t from, int64_t to, double bytes);
  /// Each of the devices sends `bytes` to each other one.
  void send_all(std::span<const int64_t> devices, double bytes);
  /// The time until all have arrived.
  ReplayTime time() const;

private:
  struct Process {
    double sent = 0, received = 0; ///< messages
    double out = 0, in = 0;        ///< bytes within the host
  };
  struct Link {
    double out = 0, in = 0; ///< bytes
  };
  const HostLinks links_;
  std::vector<Process> processes_;
  std::vector<Link> hosts_;
  bool is_far_ = false, is_near_ = false;
};

/// The time of one run of `what` among `devices` devices, which are numbered
/// host by host. All its groups run at once. Zero for kinds without messages
/// between devices.
ReplayTime replay(const runtime::Collective &what, ReplayMethod method,
                  int64_t devices, const HostLinks &links);

} // namespace xlac::cli
