// xlac bench: compile, load and steady-state run times of one program.
#include "commands.h"
#include "json.h"
#include "values.h"
#include "xlac/support/clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace xlac::tool {
namespace {

struct BenchOptions : SharedOptions {
  std::vector<std::string> inputs;
  std::string outputs;
  int iterations = 20;
  std::string dump_directory;
};

int bench(const BenchOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  compile->dump_directory = options.dump_directory;
  auto store = open_store(options);
  auto loaded = load_program(options, *compile, store.get());
  if (!loaded)
    return report(loaded.error());
  const Executable &executable = *loaded->executable;
  auto inputs = make_inputs(executable.image().arguments, options.inputs);
  if (!inputs)
    return report(inputs.error());

  auto first_start = Clock::now();
  auto outputs = run_on_host(loaded->executable, *inputs);
  if (!outputs)
    return report(outputs.error());
  double first_run_ms = milliseconds_since(first_start);
  if (!options.outputs.empty())
    if (auto written = write_outputs(options.outputs, *outputs); !written)
      return report(written.error());

  std::vector<BufferRef> arguments = borrow(*inputs);
  std::vector<double> times;
  for (int i = 0; i < options.iterations; ++i) {
    auto start = Clock::now();
    auto results = run_and_wait(loaded->executable, arguments);
    times.push_back(milliseconds_since(start));
    if (!results)
      return report(results.error());
  }
  std::sort(times.begin(), times.end());
  int64_t flops = 0, bytes = 0;
  for (const KernelEntry &kernel : executable.image().kernels)
    flops += kernel.flops, bytes += kernel.bytes;

  Json json;
  json.add("compile_ms", loaded->compile_ms);
  json.add("load_ms", loaded->load_ms);
  json.add("first_run_ms", first_run_ms);
  json.add("run_ms_median", times[times.size() / 2]);
  json.add("run_ms_min", times.front());
  json.add("peak_rss_mb", peak_rss_mb());
  json.add("cache", loaded->cache == CacheStatus::Hit ? "hit" : "miss");
  json.add("kernels", static_cast<int64_t>(executable.image().kernels.size()));
  json.add("flops", flops);
  json.add("bytes", bytes);
  if (options.json) {
    std::puts(json.text().c_str());
  } else {
    std::printf(
        "compile %.1f ms (cache: %s), load %.2f ms, first run %.2f ms\n"
        "run median %.3f ms, minimum %.3f ms over %d iterations\n"
        "%zu kernel phases, %.3g flop, %.3g bytes, peak %.0f MiB\n",
        loaded->compile_ms, std::string(to_string(loaded->cache)).c_str(),
        loaded->load_ms, first_run_ms, times[times.size() / 2], times.front(),
        options.iterations, executable.image().kernels.size(),
        static_cast<double>(flops), static_cast<double>(bytes), peak_rss_mb());
    for (const PhaseTime &phase : loaded->report.phases)
      std::printf("  %-16s %8.2f ms\n", phase.phase.c_str(),
                  phase.milliseconds);
  }
  return 0;
}

} // namespace

Command add_bench(CLI::App &app) {
  auto options = std::make_shared<BenchOptions>();
  add_execution(app, *options, options->inputs);
  app.add_option("--outputs", options->outputs,
                 "Directory for the first run's outputs, out_000.npy …");
  app.add_option("--iters", options->iterations, "Timed iterations")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  app.add_option("--dump-dir", options->dump_directory,
                 "Directory for every stage as a file");
  app.add_flag("--json", options->json, "Report as one JSON object");
  return [options] { return bench(*options); };
}

} // namespace xlac::tool
