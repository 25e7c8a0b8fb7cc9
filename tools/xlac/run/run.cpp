// xlac run: executes a program once, compiled or from the cache.
#include "commands.h"
#include "json.h"
#include "memory_plan.h"
#include "print_call.h"
#include "shards.h"
#include "trace.h"
#include "values.h"
#include "xlac/support/clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <deque>

namespace xlac::cli {
namespace {

struct RunOptions : ExecutionOptions {
  int devices = 0;
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
    json.add("planned_bytes", plan_of(*loaded.executable).total());
    std::puts(json.text().c_str());
    return;
  }
  std::fprintf(stderr,
               "cache: %s, compile %.1f ms, load %.2f ms, run %.2f ms, "
               "%.1f ms from process start to first result, %.1f ms "
               "reading inputs, compiler library %s\n",
               std::string(to_string(loaded.cache)).c_str(), loaded.compile_ms,
               loaded.load_ms, first_run_ms, first_result_ms - read_ms, read_ms,
               compiler_library_mapped() ? "mapped" : "not mapped");
}

/// Returns the program's grid. If the program does not specify one, it has one
/// replica per requested device.
Result<runtime::GridShape> grid_for(const runtime::Executable &executable,
                                    int devices) {
  runtime::GridShape shape = executable.image().grid;
  if (devices == 0 || devices == shape.count())
    return shape;
  if (shape.count() != 1)
    return failure(
        FailureKind::User,
        fmt::format("the program is made for {} replicas of {} partitions, "
                    "which are not {} devices",
                    shape.replicas, shape.partitions, devices));
  return runtime::GridShape{devices, 1};
}

/// Runs all processes with the same inputs and returns their results. Events
/// are recorded in `trace` unless it is null.
Result<std::vector<std::vector<runtime::BufferRef>>>
run_everywhere(const std::shared_ptr<const runtime::Executable> &executable,
               const runtime::GridShape &shape, std::vector<HostArray> inputs,
               Trace *trace) {
  XLAC_RETURN_IF_ERROR(runtime::configure_devices({.count = shape.count()}));
  std::deque<runtime::LaunchRecorder> recorders;
  auto record = [&](bool wanted) -> Status {
    for (int i = 0; trace && i < shape.count(); ++i) {
      auto device = runtime::find_device(i);
      if (!device)
        return device.error();
      (*device)->record_launches(
          wanted ? &recorders.emplace_back(/*pieces=*/true) : nullptr);
    }
    return {};
  };
  XLAC_RETURN_IF_ERROR(record(true));
  const runtime::ExecutableImage &image = executable->image();
  auto arguments = arguments_of(image, std::move(inputs));
  std::vector<std::vector<runtime::BufferRef>> given;
  for (int i = 0; i < shape.count(); ++i)
    given.push_back(borrow(arguments[i % arguments.size()]));
  auto results =
      run_on_grid(std::vector(shape.count(), executable), {shape}, given);
  XLAC_RETURN_IF_ERROR(record(false));
  if (!results)
    return results.error();
  for (runtime::LaunchRecorder &recorder : recorders)
    trace->add(executable->image(), recorder.take());
  return results;
}

/// Writes results to a directory, with one subdirectory per device if there are
/// several, or abbreviated to standard output.
Status give_out(const RunOptions &options,
                const runtime::ExecutableImage &image,
                const std::vector<std::vector<runtime::BufferRef>> &results) {
  if (options.json && options.outputs.empty())
    return {};
  auto outputs = outputs_of(image, results);
  for (size_t i = 0; i < outputs.size(); ++i) {
    bool several = outputs.size() > 1;
    if (!options.outputs.empty()) {
      std::string directory = options.outputs;
      if (several)
        directory += fmt::format("/device_{}", i);
      XLAC_RETURN_IF_ERROR(write_outputs(directory, outputs[i]));
    } else {
      for (const HostArray &output : outputs[i])
        std::printf("%s%s\n", several ? fmt::format("xla:{} ", i).c_str() : "",
                    shortened(output).c_str());
    }
  }
  return {};
}

int run(const RunOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  register_print_call(options.json ? stderr : stdout);
  auto store = open_store(options);
  Trace trace;
  int64_t load_start = clock_nanoseconds();
  auto loaded = load_program(options, *compile, store.get());
  if (!loaded)
    return report(loaded.error());
  trace.add({"load", "load", thread_number(), load_start, clock_nanoseconds(),
             fmt::format("cache: {}", to_string(loaded->cache))});
  trace.add(loaded->report);
  if (options.memory)
    std::fprintf(stderr, "%s\n", text_of(plan_of(*loaded->executable)).c_str());

  int64_t inputs_start = clock_nanoseconds();
  auto read_start = Clock::now();
  const runtime::ExecutableImage &image = loaded->executable->image();
  auto inputs = make_inputs(image.partitions > 1 ? image.global_arguments
                                                 : image.arguments,
                            options.inputs);
  if (!inputs)
    return report(inputs.error());
  double read_ms = milliseconds_since(read_start);
  trace.add({"read inputs",
             "load",
             thread_number(),
             inputs_start,
             clock_nanoseconds(),
             {}});
  auto shape = grid_for(*loaded->executable, options.devices);
  if (!shape)
    return report(shape.error());
  auto run_start = Clock::now();
  auto results = run_everywhere(loaded->executable, *shape, std::move(*inputs),
                                options.trace_file.empty() ? nullptr : &trace);
  if (!results)
    return report(results.error());
  double first_run_ms = milliseconds_since(run_start);
  double first_result_ms = process_milliseconds();

  if (!options.trace_file.empty())
    if (auto written =
            write_file(options.trace_file, trace.json(thread_number()));
        !written)
      return report(written.error());
  if (auto given = give_out(options, loaded->executable->image(), *results);
      !given)
    return report(given.error());
  print_report(options, *loaded, read_ms, first_run_ms, first_result_ms);
  return 0;
}

} // namespace

Command add_run(CLI::App &app) {
  auto options = std::make_shared<RunOptions>();
  add_execution(app, *options);
  app.add_option("--outputs", options->outputs,
                 "Directory for out_000.npy …; without it outputs are printed "
                 "shortened");
  app.add_option(
         "--devices", options->devices,
         "Run on so many devices at once, each given the same inputs or, "
         "of a program that is partitioned, its parts of them; by "
         "default on as many as the program is made for")
      ->check(CLI::Range(1, 1024));
  add_reports(app, *options);
  return [options] { return run(*options); };
}

} // namespace xlac::cli
