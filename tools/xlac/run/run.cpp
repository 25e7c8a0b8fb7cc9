// xlac run: executes a program once, compiled or from the cache.
#include "commands.h"
#include "expected.h"
#include "json.h"
#include "memory_plan.h"
#include "picture/timeline_page.h"
#include "print_call.h"
#include "shards.h"
#include "trace.h"
#include "values.h"
#include "xlac/support/clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <deque>

namespace xlac::cli {
namespace {

struct RunOptions : ExecutionOptions {
  int devices = 0;
  std::vector<std::string> expected;
  Tolerances tolerances;
};

/// By position of the result; nothing for those that are not compared.
using ExpectedArrays = std::vector<std::optional<HostArray>>;

struct RunTimes {
  double read_ms = 0, first_run_ms = 0, first_result_ms = 0;
};

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

using Events = std::vector<runtime::LaunchEvent>;

/// Runs all processes with the same inputs and returns their results. Events
/// are appended to `events` unless it is null.
Result<std::vector<std::vector<runtime::BufferRef>>>
run_everywhere(const std::shared_ptr<const runtime::Executable> &executable,
               const runtime::GridShape &shape, std::vector<HostArray> inputs,
               Events *events) {
  XLAC_RETURN_IF_ERROR(configure_devices(shape.count()));
  std::deque<runtime::LaunchRecorder> recorders;
  auto record = [&](bool wanted) -> Status {
    for (int i = 0; events && i < shape.count(); ++i) {
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
  for (runtime::LaunchRecorder &recorder : recorders) {
    Events recorded = recorder.take();
    events->insert(events->end(), recorded.begin(), recorded.end());
  }
  return results;
}

/// The results of each process.
using Outputs = std::vector<std::vector<HostArray>>;

/// "", or the name of the device for messages if there are several.
std::string device_prefix(const Outputs &outputs, size_t device) {
  return outputs.size() > 1 ? fmt::format("xla:{} ", device) : "";
}

/// Writes results to a directory, with one subdirectory per device if there are
/// several, or abbreviated to standard output.
Status give_out(const RunOptions &options, const Outputs &outputs) {
  if (options.json && options.outputs.empty())
    return {};
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!options.outputs.empty()) {
      std::string directory = options.outputs;
      if (outputs.size() > 1)
        directory += fmt::format("/device_{}", i);
      XLAC_RETURN_IF_ERROR(write_outputs(directory, outputs[i]));
    } else {
      for (const HostArray &output : outputs[i])
        std::printf("%s%s\n", device_prefix(outputs, i).c_str(),
                    shortened(output).c_str());
    }
  }
  return {};
}

/// The comparison of the results with those of --expected.
struct Comparisons {
  int64_t compared = 0, different = 0;
  std::vector<std::string> lines; ///< one per result that differs
  Json list = Json::list();
};

Comparisons compare_outputs(const RunOptions &options, const Outputs &outputs,
                            const ExpectedArrays &expected) {
  Comparisons all;
  for (size_t device = 0; device < outputs.size(); ++device)
    for (size_t i = 0; i < outputs[device].size(); ++i) {
      if (!expected[i])
        continue;
      ++all.compared;
      auto found =
          find_mismatch(outputs[device][i], *expected[i], options.tolerances);
      if (!found)
        continue;
      ++all.different;
      all.lines.push_back(fmt::format(
          "{}result {} of {}: {}", device_prefix(outputs, device), i,
          to_string(outputs[device][i].type), to_string(*found)));
      Json json;
      json.add("device", static_cast<int64_t>(device));
      json.add("result", static_cast<int64_t>(i));
      json.add("different_elements", found->count);
      json.add("elements", found->elements);
      json.add("worst_index", found->index);
      json.add("got", found->got);
      json.add("expected", found->expected);
      json.add("error", found->error);
      json.add("allowed", found->allowed);
      all.list.push(std::move(json));
    }
  return all;
}

void print_report(const RunOptions &options, const LoadedProgram &loaded,
                  const RunTimes &times, Comparisons compared) {
  if (options.json) {
    Json json;
    json.add("cache", to_string(loaded.cache));
    json.add("compile_ms", loaded.compile_ms);
    json.add("load_ms", loaded.load_ms);
    json.add("read_inputs_ms", times.read_ms);
    json.add("first_run_ms", times.first_run_ms);
    json.add("first_result_ms", times.first_result_ms);
    json.add("kernels",
             static_cast<int64_t>(loaded.executable->image().kernels.size()));
    json.add("compiler_library_mapped", compiler_library_mapped());
    json.add("peak_rss_mb", peak_rss_mb());
    json.add("planned_bytes", plan_of(*loaded.executable).total());
    if (!options.expected.empty()) {
      json.add("compared_results", compared.compared);
      json.add("differences", std::move(compared.list));
    }
    std::puts(json.text().c_str());
    return;
  }
  std::fprintf(stderr,
               "cache: %s, compile %.1f ms, load %.2f ms, run %.2f ms, "
               "%.1f ms from process start to first result, %.1f ms "
               "reading inputs, compiler library %s\n",
               std::string(to_string(loaded.cache)).c_str(), loaded.compile_ms,
               loaded.load_ms, times.first_run_ms,
               times.first_result_ms - times.read_ms, times.read_ms,
               compiler_library_mapped() ? "mapped" : "not mapped");
}

/// The arrays of --expected for the results of the image.
Result<ExpectedArrays> expected_arrays(GivenArrays &given,
                                       const std::vector<Type> &types) {
  if (given.is_empty())
    return ExpectedArrays(types.size());
  if (given.is_selective())
    return given.arrays(types);
  auto all = given.all_arrays(types);
  if (!all)
    return all.error();
  ExpectedArrays arrays;
  for (HostArray &each : *all)
    arrays.emplace_back(std::move(each));
  return arrays;
}

/// Writes the trace and the timeline.
Status write_events(const RunOptions &options, Trace trace,
                    const runtime::ExecutableImage &image,
                    const Events &events) {
  if (!options.trace_file.empty()) {
    trace.add(image, events);
    XLAC_RETURN_IF_ERROR(
        write_file(options.trace_file, trace.json(thread_number())));
  }
  if (options.timeline_file.empty())
    return {};
  return write_file(options.timeline_file,
                    timeline_page(timeline_facts(options.input, image, events),
                                  image, events));
}

/// Writes the results and their comparison. Returns the exit code.
int finish(const RunOptions &options, const LoadedProgram &loaded,
           const Outputs &outputs, const ExpectedArrays &expected,
           const RunTimes &times) {
  if (auto given = give_out(options, outputs); !given)
    return report(given.error());
  Comparisons compared = compare_outputs(options, outputs, expected);
  for (const std::string &line : compared.lines)
    std::fprintf(stderr, "xlac: %s\n", line.c_str());
  int64_t different = compared.different;
  if (!options.json && different == 0 && compared.compared > 0)
    std::fprintf(stderr, "%lld results are as expected\n",
                 static_cast<long long>(compared.compared));
  print_report(options, loaded, times, std::move(compared));
  return different == 0 ? 0 : 1;
}

int run(const RunOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  register_print_call(options.json ? stderr : stdout);
  auto store = open_store(options);
  auto given = given_inputs(options, store.get());
  if (!given)
    return report(given.error());
  auto given_expected = given_results(options, options.expected, store.get());
  if (!given_expected)
    return report(given_expected.error());
  Trace trace;
  int64_t load_start = clock_nanoseconds();
  auto loaded = load_program(options, *compile, store.get(), *given);
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
  bool is_partitioned = image.partitions > 1;
  auto inputs = given->all_arrays(is_partitioned ? image.global_arguments
                                                 : image.arguments);
  if (!inputs)
    return report(inputs.error());
  auto expected = expected_arrays(
      *given_expected, is_partitioned ? image.global_results : image.results);
  if (!expected)
    return report(expected.error());
  RunTimes times;
  times.read_ms = milliseconds_since(read_start);
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
  Events events;
  bool is_recorded =
      !options.trace_file.empty() || !options.timeline_file.empty();
  auto results = run_everywhere(loaded->executable, *shape, std::move(*inputs),
                                is_recorded ? &events : nullptr);
  if (!results)
    return report(results.error());
  times.first_run_ms = milliseconds_since(run_start);
  times.first_result_ms = process_milliseconds();
  if (auto written = write_events(options, std::move(trace), image, events);
      !written)
    return report(written.error());
  return finish(options, *loaded, outputs_of(image, *results), *expected,
                times);
}

} // namespace

Command add_run(CLI::App &app) {
  auto options = std::make_shared<RunOptions>();
  add_execution(app, *options, /*finds_invariant=*/false);
  app.add_option("--outputs", options->outputs,
                 "Directory for out_000.npy …; without it outputs are printed "
                 "shortened");
  app.add_option(
         "--devices", options->devices,
         "Run on so many devices at once, each given the same inputs or, "
         "of a program that is partitioned, its parts of them; by "
         "default on as many as the program is made for")
      ->check(CLI::Range(1, 1024));
  CLI::Validator tolerance(
      [](const std::string &text) -> std::string {
        char *end = nullptr;
        double value = std::strtod(text.c_str(), &end);
        bool is_valid = !text.empty() && *end == 0 && value >= 0;
        return is_valid ? "" : "expected a number of at least 0, got " + text;
      },
      "NUMBER");
  app.add_option(
      "--expected", options->expected,
      "Arrays that the results must equal, within tolerances, as "
      "--inputs has them; exits with 1 on a difference and prints the "
      "worst element. If all have a name or a number, the others are "
      "not compared");
  app.add_option(
         "--atol", options->tolerances.absolute,
         "Absolute tolerance of --expected; default 1e-5, for f64 1e-7, "
         "for integers 0")
      ->check(tolerance);
  app.add_option("--rtol", options->tolerances.relative,
                 "Relative tolerance of --expected; default 1.3e-6, for f64 "
                 "1e-7, for f16 1e-3, for bf16 1.6e-2, for narrower floats one "
                 "unit in the last place, for integers 0")
      ->check(tolerance);
  add_reports(app, *options);
  return [options] { return run(*options); };
}

} // namespace xlac::cli
