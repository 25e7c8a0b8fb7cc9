// xlac explain --auto: the best shardings of a program's arguments.
#include "explain_plan.h"
#include "json.h"
#include "xlac/loader/compiler_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace xlac::cli {
namespace {

constexpr size_t kShown = 3;

/// Returns the value of --shard for a sharding, or its text in HLO's form.
std::string spec_of(const Sharding &sharding, size_t rank,
                    const DeviceMeshPlan &mesh) {
  std::vector<size_t> dims(mesh.axes.size(), 0); // of each axis; `rank`: none
  while (true) {
    std::string spec;
    for (size_t dim = 0; dim < rank; ++dim) {
      std::string names;
      for (size_t axis = 0; axis < dims.size(); ++axis)
        if (dims[axis] == dim)
          names += (names.empty() ? "" : "+") + mesh.axes[axis].name;
      spec += (dim == 0 ? "" : ",") + (names.empty() ? "-" : names);
    }
    auto parsed = parse_spec(spec, rank, mesh);
    if (parsed &&
        (*parsed == sharding || (!sharding.is_tiled() && !parsed->is_tiled())))
      return spec;
    size_t i = 0;
    while (i < dims.size() && ++dims[i] > rank)
      dims[i++] = 0;
    if (i == dims.size())
      return sharding.str();
  }
}

/// Returns the shardings as values of --shard, arguments with equal ones
/// together. Arguments that are not sharded are omitted.
std::vector<std::string> words_of(const std::vector<Sharding> &shardings,
                                  const std::vector<Type> &types,
                                  const DeviceMeshPlan &mesh) {
  std::vector<std::string> words;
  std::vector<std::pair<std::string, std::string>> lists; // numbers, spec
  for (size_t i = 0; i < shardings.size(); ++i) {
    if (!types[i].is_tensor() || !shardings[i].is_tiled())
      continue;
    std::string spec =
        spec_of(shardings[i], types[i].tensor().dims.size(), mesh);
    auto known = std::ranges::find(
        lists, spec, &std::pair<std::string, std::string>::second);
    if (known == lists.end())
      lists.emplace_back(std::to_string(i), std::move(spec));
    else
      known->first += "," + std::to_string(i);
  }
  for (const auto &[numbers, spec] : lists)
    words.push_back(numbers + "=" + spec);
  return words;
}

/// A plan of the search with the estimate of its program.
struct Found {
  Plan plan;
  std::vector<std::string> words;

  double bytes() const {
    double sum = 0;
    for (const auto &[name, row] : plan.rows)
      sum += row.cost.bytes;
    return sum;
  }
  int64_t collectives() const {
    int64_t sum = 0;
    for (const auto &[name, row] : plan.rows)
      sum += row.count;
    return sum;
  }
  double step_ms() const { return plan.compute_ms + plan.communication_ms(); }
};

/// The mesh of a plan, with the links of the first axis of the given one.
DeviceMeshPlan mesh_of(const ArgumentPlan &plan, const DeviceMeshPlan &given) {
  if (plan.mesh.size() == given.axes.size())
    return given;
  DeviceMeshPlan mesh = given;
  mesh.axes.assign(plan.mesh.size(), given.axes.front());
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    mesh.axes[i].size = plan.mesh[i];
    mesh.axes[i].name = std::string(1, "xyzwuvst"[i % 8]);
  }
  return mesh;
}

/// Returns the plans of the compiler's search, the best first.
Result<std::vector<ArgumentPlan>> search(const OpenProgram &program,
                                         const ExplainOptions &options,
                                         const DeviceMeshPlan &mesh) {
  auto compile = compile_options(options);
  if (!compile)
    return compile.error();
  compile->partition.count = mesh.count();
  compile->partition.automatic = compile->partition.explains = true;
  if (mesh.axes.size() > 1)
    for (const MeshAxis &axis : mesh.axes)
      compile->partition.mesh.push_back(axis.size);
  auto peaks = peaks_of(options);
  if (!peaks)
    return peaks.error();
  compile->partition.rates = rates_of(*peaks, mesh);
  CompileReport report;
  Source source{program.text, options.input, options.entry};
  auto image = program.compiler->compile(source, *compile, &report);
  if (!image)
    return image.error();
  if (report.plans.empty())
    return failure(FailureKind::User,
                   "--auto: the program has shardings of its own, or no "
                   "argument that is large enough to be sharded");
  return std::move(report.plans);
}

/// Returns the first plans in the order of the search: the compiler takes the
/// first one.
Result<std::vector<Found>> find(ExplainOptions &options,
                                const DeviceMeshPlan &mesh) {
  auto program = open_program(options);
  if (!program)
    return program.error();
  // Once, for the search and for all estimates.
  auto peaks = peaks_of(options);
  if (!peaks)
    return peaks.error();
  options.device_gflops = peaks->f32_gflops;
  options.device_gbytes = peaks->memory_gbytes();
  auto plans = search(*program, options, mesh);
  if (!plans)
    return plans.error();
  std::vector<Found> found;
  for (const ArgumentPlan &plan : *plans) {
    if (found.size() == kShown)
      break;
    DeviceMeshPlan own = mesh_of(plan, mesh);
    auto made = make_plan(*program, options, own, plan.arguments);
    if (!made)
      return made.error();
    found.push_back(
        {std::move(*made),
         words_of(plan.arguments, program->signature.arguments, own)});
  }
  return found;
}

std::string sizes_of(const DeviceMeshPlan &mesh) {
  std::string sizes;
  for (const MeshAxis &axis : mesh.axes)
    sizes += (sizes.empty() ? "" : "x") + std::to_string(axis.size);
  return sizes;
}

void print_text(const std::vector<Found> &found) {
  fmt::print("{:<10} {:>12} {:>12} {:>12} {:>10} {:>10} {:>10}\n", "mesh",
             "memory, MiB", "MiB sent", "collectives", "work, ms", "sent, ms",
             "step, ms");
  for (const Found &one : found) {
    const Plan &plan = one.plan;
    fmt::print("{:<10} {:>12.2f} {:>12.3f} {:>12} {:>10.3f} {:>10.3f} "
               "{:>10.3f}\n",
               sizes_of(plan.mesh), plan.memory() / kMiB, one.bytes() / kMiB,
               one.collectives(), plan.compute_ms, plan.communication_ms(),
               one.step_ms());
    for (const std::string &word : one.words)
      fmt::print("  --shard {}\n", word);
  }
}

void print_json(const std::vector<Found> &found) {
  Json list = Json::list();
  for (const Found &one : found) {
    const Plan &plan = one.plan;
    Json json, words = Json::list();
    for (const std::string &word : one.words)
      words.push(word);
    json.add("mesh", sizes_of(plan.mesh));
    json.add("memory_bytes", plan.memory());
    json.add("bytes_sent", one.bytes());
    json.add("collectives", one.collectives());
    json.add("compute_ms", plan.compute_ms);
    json.add("communication_ms", plan.communication_ms());
    json.add("shard", std::move(words));
    list.push(std::move(json));
  }
  Json json;
  json.add("plans", std::move(list));
  std::puts(json.text().c_str());
}

} // namespace

int explain_search(ExplainOptions options, const DeviceMeshPlan &mesh) {
  auto found = find(options, mesh);
  if (!found)
    return report(found.error());
  if (options.json)
    print_json(*found);
  else
    print_text(*found);
  return 0;
}

} // namespace xlac::cli
