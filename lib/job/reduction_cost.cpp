#include "xlac/job/reduction_cost.h"

#include "xlac/support/settings.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace xlac::job {

static std::optional<LinkCosts> parse_links(const std::string &text) {
  LinkCosts costs;
  std::array<double *, 4> numbers = {&costs.near_latency, &costs.near_bandwidth,
                                     &costs.far_latency, &costs.far_bandwidth};
  const char *at = text.data(), *end = at + text.size();
  for (size_t i = 0; i < numbers.size(); ++i) {
    auto [next, error] = std::from_chars(at, end, *numbers[i]);
    bool is_last = i + 1 == numbers.size();
    // A bandwidth divides, so it must not be zero.
    if (error != std::errc() || !(*numbers[i] >= (i % 2 ? 1e-6 : 0.0)) ||
        (is_last ? next != end : next == end || *next != ','))
      return std::nullopt;
    at = next + 1;
  }
  return costs;
}

Result<LinkCosts> link_costs() {
  std::optional<std::string> text = text_setting(SettingId::JobLinks);
  if (!text)
    return LinkCosts{};
  if (std::optional<LinkCosts> costs = parse_links(*text))
    return *costs;
  return failure(FailureKind::User,
                 "XLAC_LINKS is '" + *text +
                     "', wanted four numbers such as 1,4,10,12: microseconds "
                     "and GB/s within a host, then between hosts");
}

/// Microseconds for this many bytes.
static double transfer(double bytes, double gbytes_per_second) {
  return bytes / (gbytes_per_second * 1e3);
}

double flat_sum_time(const GroupShape &group, int64_t bytes,
                     const LinkCosts &links) {
  auto all = static_cast<double>(group.processes());
  auto here = static_cast<double>(group.per_host);
  // Each process sends a part to each other process, twice. The processes of a
  // host share its link.
  double part = static_cast<double>(bytes) / all;
  double far = here * (all - here) * part, near = (here - 1) * part;
  return 2 * (std::max(links.far_latency, links.near_latency) +
              transfer(far, links.far_bandwidth) +
              transfer(near, links.near_bandwidth));
}

double hierarchical_sum_time(const GroupShape &group, int64_t bytes,
                             const LinkCosts &links) {
  auto hosts = static_cast<double>(group.hosts);
  auto here = static_cast<double>(group.per_host);
  double whole = static_cast<double>(bytes);
  return 2 * (links.near_latency + links.far_latency +
              transfer(whole * (hosts - 1) / hosts, links.far_bandwidth) +
              transfer(whole * (here - 1) / here, links.near_bandwidth));
}

} // namespace xlac::job
