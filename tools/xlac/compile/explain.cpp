// xlac explain: estimates the cost of a program on a mesh of devices.
#include "explain_plan.h"
#include "jobs/measure_links.h"
#include "json.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace xlac::cli {
namespace {

//===- Printing -----------------------------------------------------------===//

void print_text(const Plan &plan, const ExplainOptions &options) {
  std::string axes;
  for (const MeshAxis &axis : plan.mesh.axes)
    axes +=
        fmt::format("{}{}={}", axes.empty() ? "" : ", ", axis.name, axis.size);
  fmt::print("mesh: {} ({} devices, {})\n", axes, plan.mesh.count(),
             options.topology);
  fmt::print("memory of a device: {:.2f} MiB = {:.2f} arguments + {:.2f} "
             "results + {:.2f} arena + {:.2f} constants\n",
             plan.memory() / kMiB, plan.argument_bytes / kMiB,
             plan.result_bytes / kMiB, plan.arena_bytes / kMiB,
             plan.constant_bytes / kMiB);
  fmt::print("work of a device: {:.3f} GFLOP on {:.2f} MiB: {:.3f} ms\n",
             plan.flops * 1e-9, plan.bytes / kMiB, plan.compute_ms);
  fmt::print("{:<20} {:<12} {:>8} {:>14} {:>12}\n", "collective", "axes",
             "count", "MiB sent", "ms");
  for (const auto &[name, row] : plan.rows)
    fmt::print("{:<20} {:<12} {:>8} {:>14.3f} {:>12.3f}\n", name.first,
               name.second, row.count, row.cost.bytes / kMiB,
               row.cost.microseconds * 1e-3);
  double communication = plan.communication_ms();
  fmt::print("step: {:.3f} ms one after the other, {:.3f} ms if all of the "
             "communication overlaps with the work\n",
             plan.compute_ms + communication,
             std::max(plan.compute_ms, communication));
  if (plan.loops)
    fmt::print("bodies of loops count {} times (--trips)\n", options.trips);
}

void print_shardings(const Plan &plan) {
  fmt::print("{:>12}  {:<40} {:<36} {}\n", "KiB received", "op", "sharding",
             "decided by");
  for (const OpSharding &one : plan.shardings)
    fmt::print("{:>12.1f}  {:<40} {:<36} {}\n", one.bytes / 1024, one.op,
               one.sharding, one.decided_by);
}

Json shardings_json(const Plan &plan) {
  Json list = Json::list();
  for (const OpSharding &sharding : plan.shardings) {
    Json one;
    one.add("op", sharding.op);
    one.add("location", sharding.location);
    one.add("sharding", sharding.sharding);
    one.add("decided_by", sharding.decided_by);
    one.add("bytes_received", sharding.bytes);
    list.push(std::move(one));
  }
  return list;
}

void print_replays(const Plan &plan, const ExplainOptions &options) {
  const job::LinkCosts &costs = options.links.costs;
  fmt::print("simulated: {} devices on each host; {:.4g} us and {:.4g} GB/s "
             "within a host, {:.4g} us and {:.4g} GB/s between hosts\n",
             options.links.devices_per_host, costs.near_latency,
             costs.near_bandwidth, costs.far_latency, costs.far_bandwidth);
  fmt::print("{:<14} {:>12} {:>18} {:>18} {:>12}\n", "collectives", "ms",
             "messages of a rank", "MiB on a link", "step, ms");
  for (size_t i = 0; i < kMethods.size(); ++i) {
    const ReplayTime &time = plan.replays[i];
    double ms = time.microseconds * 1e-3;
    fmt::print("{:<14} {:>12.3f} {:>18.0f} {:>18.3f} {:>12.3f}\n",
               to_string(kMethods[i]), ms, time.messages,
               time.link_bytes / kMiB, plan.compute_ms + ms);
  }
}

Json replays_json(const Plan &plan) {
  Json list = Json::list();
  for (size_t i = 0; i < kMethods.size(); ++i) {
    Json one;
    one.add("collectives", std::string(to_string(kMethods[i])));
    one.add("ms", plan.replays[i].microseconds * 1e-3);
    one.add("messages", plan.replays[i].messages);
    one.add("link_bytes", plan.replays[i].link_bytes);
    list.push(std::move(one));
  }
  return list;
}

void print_json(const Plan &plan, const ExplainOptions &options) {
  Json list = Json::list();
  for (const auto &[name, row] : plan.rows) {
    Json one;
    one.add("collective", name.first);
    one.add("axes", name.second);
    one.add("count", row.count);
    one.add("bytes_sent", row.cost.bytes);
    one.add("ms", row.cost.microseconds * 1e-3);
    list.push(std::move(one));
  }
  Json json;
  json.add("devices", plan.mesh.count());
  json.add("argument_bytes", plan.argument_bytes);
  json.add("result_bytes", plan.result_bytes);
  json.add("arena_bytes", plan.arena_bytes);
  json.add("constant_bytes", plan.constant_bytes);
  json.add("flops", plan.flops);
  json.add("bytes", plan.bytes);
  json.add("compute_ms", plan.compute_ms);
  json.add("communication_ms", plan.communication_ms());
  json.add("collectives", std::move(list));
  if (options.simulate)
    json.add("simulated", replays_json(plan));
  if (options.sharding)
    json.add("shardings", shardings_json(plan));
  std::puts(json.text().c_str());
}

/// Sets the links to those of XLAC_LINKS or, with --measure, of the job. False
/// in the processes that do not report.
Result<bool> set_links(ExplainOptions &options) {
  Result<job::LinkCosts> costs = job::link_costs();
  if (!costs)
    return costs.error();
  options.links.costs = *costs;
  if (!options.measure)
    return true;
  Result<MeasuredLinks> measured = measure_links();
  if (!measured)
    return measured.error();
  options.links.costs = measured->costs;
  options.links.devices_per_host = measured->processes_per_host;
  return measured->is_first;
}

/// Axes within a host have its links; others have those between hosts.
void set_axes(DeviceMeshPlan &mesh, const HostLinks &links) {
  int64_t inner = 1;
  for (size_t i = mesh.axes.size(); i-- > 0;) {
    MeshAxis &axis = mesh.axes[i];
    inner *= axis.size;
    bool is_near = inner <= links.devices_per_host;
    axis.microseconds =
        is_near ? links.costs.near_latency : links.costs.far_latency;
    axis.gbytes =
        is_near ? links.costs.near_bandwidth : links.costs.far_bandwidth;
  }
}

int explain(ExplainOptions &options) {
  Result<bool> reports = set_links(options);
  if (!reports)
    return report(reports.error());
  if (!*reports)
    return 0;
  auto mesh = parse_mesh(options.mesh, options.axes);
  if (!mesh)
    return report(mesh.error());
  mesh->topology =
      options.topology == "switch" ? MeshTopology::Switch : MeshTopology::Torus;
  if (options.measure)
    set_axes(*mesh, options.links);
  for (size_t i = 0; i < mesh->axes.size(); ++i) {
    // The last number applies to all further axes.
    auto figure = [&](const std::vector<double> &list, double &into) {
      if (!list.empty())
        into = list[std::min(i, list.size() - 1)];
    };
    figure(options.gbytes, mesh->axes[i].gbytes);
    figure(options.microseconds, mesh->axes[i].microseconds);
  }
  if (options.searches)
    return explain_search(options, *mesh);
  auto plan = make_plan(options, *mesh);
  if (!plan)
    return report(plan.error());
  if (options.json) {
    print_json(*plan, options);
    return 0;
  }
  if (options.measure)
    fmt::print(
        "measured: XLAC_LINKS={:.3g},{:.3g},{:.3g},{:.3g}\n",
        options.links.costs.near_latency, options.links.costs.near_bandwidth,
        options.links.costs.far_latency, options.links.costs.far_bandwidth);
  print_text(*plan, options);
  if (options.simulate)
    print_replays(*plan, options);
  if (!options.sharding)
    return 0;
  fmt::print("{}", picture_of(*mesh));
  if (options.against.empty()) {
    print_shardings(*plan);
    return 0;
  }
  options.input = options.against;
  options.shards.clear();
  auto other = make_plan(options, *mesh);
  if (!other)
    return report(other.error());
  print_difference(*plan, *other);
  return 0;
}

} // namespace

Command add_explain(CLI::App &app) {
  auto options = std::make_shared<ExplainOptions>();
  add_input(app, *options);
  add_target(app, *options);
  app.add_option("--mesh", options->mesh, "Sizes of the mesh, such as 16x16")
      ->required();
  app.add_option("--axes", options->axes,
                 "Names of the mesh's axes; by default x, y, z …")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--shard", options->shards,
                 "How arguments are sharded: 0=x,- cuts the first dimension of "
                 "argument 0 along x, 2-5=-,x+y the second of 2 to 5 along "
                 "both");
  app.add_option("--bandwidth", options->gbytes,
                 "GB/s between neighbours, each way; for each axis or for all "
                 "(50)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  app.add_option("--latency", options->microseconds,
                 "Microseconds until the first byte arrives; for each axis or "
                 "for all (1)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::NonNegativeNumber);
  app.add_option("--topology", options->topology,
                 "torus, each axis a ring, or switch")
      ->check(CLI::IsMember({"torus", "switch"}))
      ->capture_default_str();
  app.add_option("--device-gflops", options->device_gflops,
                 "Products and sums of f32 a second of a device; by default "
                 "this machine's, measured");
  app.add_option("--device-bandwidth", options->device_gbytes,
                 "GB/s of a device's memory; by default this machine's, "
                 "measured");
  app.add_option("--trips", options->trips, "How often the bodies of loops run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--measure", options->measure,
               "Measure the links of the job that mpirun or another launcher "
               "has started, and use them");
  app.add_flag("--json", options->json, "Print one JSON object");
  app.add_flag("--sharding", options->sharding,
               "Draw the mesh and list the sharding of each op, what decided "
               "it, and the bytes that a device receives for it");
  app.add_option("--against", options->against,
                 "The same program with other annotations: list only the ops "
                 "whose shardings or bytes differ")
      ->needs("--sharding")
      ->excludes("--json");
  app.add_flag("--auto", options->searches,
               "Search the shardings of arguments, on the mesh or, if it has "
               "one axis, on all meshes with as many devices, and print the "
               "best three")
      ->excludes("--shard")
      ->excludes("--sharding")
      ->excludes("--measure");
  app.add_flag("--simulate", options->simulate,
               "Replay the messages of the collectives over hosts with the "
               "links of XLAC_LINKS");
  app.add_option("--host-devices", options->links.devices_per_host,
                 "Devices of a host, for --simulate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--message-cost", options->links.message_microseconds,
                 "Microseconds of a process for each message, for --simulate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  return [options] { return explain(*options); };
}

} // namespace xlac::cli
