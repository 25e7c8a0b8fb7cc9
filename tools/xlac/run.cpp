// xlac run: one execution, cold or from the cache.
#include "commands.h"
#include "json.h"
#include "values.h"
#include "xlac/support/clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>

namespace xlac::tool {
namespace {

struct RunOptions : SharedOptions {
  std::vector<std::string> inputs;
  std::string outputs;
};

void print_report(const RunOptions &options, const LoadedProgram &loaded,
                  double read_ms, double first_run_ms, double first_result_ms) {
  if (options.json) {
    Json json;
    json.add("cache", to_string(loaded.cache));
    json.add("compile_ms", loaded.compile_ms);
    json.add("load_ms", loaded.load_ms);
    json.add("read_inputs_ms", read_ms);
    json.add("first_run_ms", first_run_ms);
    json.add("first_result_ms", first_result_ms);
    json.add("kernels",
             static_cast<int64_t>(loaded.executable->image().kernels.size()));
    json.add("compiler_library_mapped", compiler_library_mapped());
    json.add("peak_rss_mb", peak_rss_mb());
    std::puts(json.text().c_str());
    return;
  }
  std::fprintf(stderr,
               "cache: %s, compile %.1f ms, load %.2f ms, run %.2f ms, "
               "%.1f ms from process start to first result beside %.1f ms "
               "reading inputs, compiler library %s\n",
               std::string(to_string(loaded.cache)).c_str(), loaded.compile_ms,
               loaded.load_ms, first_run_ms, first_result_ms - read_ms, read_ms,
               compiler_library_mapped() ? "mapped" : "not mapped");
}

int run(const RunOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  auto store = open_store(options);
  auto loaded = load_program(options, *compile, store.get());
  if (!loaded)
    return report(loaded.error());

  auto read_start = Clock::now();
  auto inputs =
      make_inputs(loaded->executable->image().arguments, options.inputs);
  if (!inputs)
    return report(inputs.error());
  double read_ms = milliseconds_since(read_start);
  auto run_start = Clock::now();
  auto outputs = run_on_host(loaded->executable, *inputs);
  if (!outputs)
    return report(outputs.error());
  double first_run_ms = milliseconds_since(run_start);
  double first_result_ms = process_milliseconds();

  if (!options.outputs.empty()) {
    if (auto written = write_outputs(options.outputs, *outputs); !written)
      return report(written.error());
  } else if (!options.json) {
    for (const HostArray &output : *outputs)
      std::puts(shortened(output).c_str());
  }
  print_report(options, *loaded, read_ms, first_run_ms, first_result_ms);
  return 0;
}

} // namespace

Command add_run(CLI::App &app) {
  auto options = std::make_shared<RunOptions>();
  add_input(app, *options);
  add_invariant(app, *options);
  add_target(app, *options);
  add_cache(app, *options);
  add_inputs(app, options->inputs);
  app.add_option("--outputs", options->outputs,
                 "Directory for out_000.npy …; without it outputs are printed "
                 "shortened");
  app.add_flag("--json", options->json, "Report as one JSON object");
  return [options] { return run(*options); };
}

} // namespace xlac::tool
