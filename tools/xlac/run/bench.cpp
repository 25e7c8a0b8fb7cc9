// xlac bench: compile, load and steady-state run times of one program, and a
// profile of its kernels.
#include "commands.h"
#include "json.h"
#include "kernel_threads.h"
#include "kernel_times.h"
#include "memory_plan.h"
#include "picture/report_page.h"
#include "picture/timeline_page.h"
#include "scaling.h"
#include "trace.h"
#include "values.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/runtime/work_pool.h"
#include "xlac/support/clock.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace xlac::cli {
namespace {

/// The number of runs in a detailed trace, and of those among which the median
/// is shown on a timeline.
constexpr int kTracedRuns = 5, kTimelineRuns = 21;

struct BenchOptions : ExecutionOptions {
  int iterations = 20;
  std::string dump_directory;
  bool kernels = false, roofline = false, scaling = false;
  std::string report_file;

  bool wants_profile() const {
    return kernels || roofline || !report_file.empty();
  }
};

/// The measurements; profile and peaks only if requested.
struct Measurement {
  double first_run_ms = 0, peak_rss_mb = 0;
  std::vector<double> run_ms; ///< ascending
  std::optional<RunProfile> profile;
  std::vector<ScalingPoint> scaling; ///< empty unless requested
  MachinePeaks peaks;

  double median() const { return run_ms[run_ms.size() / 2]; }
};

/// Runs the program `count` times and returns the recorded events.
Result<std::vector<runtime::LaunchEvent>>
record_runs(const std::shared_ptr<const runtime::Executable> &executable,
            const std::vector<runtime::BufferRef> &arguments, int count,
            bool pieces) {
  auto device = runtime::find_device(0);
  if (!device)
    return device.error();
  runtime::LaunchRecorder recorder(pieces);
  (*device)->record_launches(&recorder);
  Status status;
  for (int i = 0; status && i < count; ++i)
    if (auto results = run_and_wait(executable, arguments); !results)
      status = results.error();
  (*device)->record_launches(nullptr);
  XLAC_RETURN_IF_ERROR(status);
  return recorder.take();
}

/// As record_runs, on one thread.
Result<std::vector<runtime::LaunchEvent>> record_on_one_thread(
    const std::shared_ptr<const runtime::Executable> &executable,
    const std::vector<runtime::BufferRef> &arguments, int count, bool pieces) {
  runtime::WorkPool &pool = runtime::WorkPool::process();
  int threads = pool.limit();
  pool.set_limit(1);
  auto events = record_runs(executable, arguments, count, pieces);
  pool.set_limit(threads);
  return events;
}

/// Adds to the profile what two more series of runs show: the times on one
/// thread, and what the threads do in each launch.
Status measure_threads(const BenchOptions &options, const LoadedProgram &loaded,
                       const std::vector<runtime::BufferRef> &arguments,
                       RunProfile &profile) {
  int threads = runtime::WorkPool::process().limit();
  if (threads < 2)
    return {};
  auto pieces = record_runs(loaded.executable, arguments, options.iterations,
                            /*pieces=*/true);
  if (!pieces)
    return pieces.error();
  auto alone =
      record_on_one_thread(loaded.executable, arguments, options.iterations,
                           /*pieces=*/false);
  if (!alone)
    return alone.error();
  const runtime::ExecutableImage &image = loaded.executable->image();
  add_threads(profile, threads, profile_runs(image, *alone), image, *pieces);
  return {};
}

/// What is needed to compile the program again, for another number of cores.
struct Recompilation {
  const CompilerOptions &compile;
  cache::Store *store;
  GivenArrays &given;
};

/// Returns the program as it is divided for `threads` cores. An image keeps its
/// tasks.
Result<std::shared_ptr<const runtime::Executable>>
divided_for(int threads, const BenchOptions &options,
            const LoadedProgram &loaded, const Recompilation &again) {
  CompilerOptions compile = again.compile;
  compile.target.divide_for(threads);
  if (compile.target.cores == again.compile.target.cores)
    return loaded.executable;
  compile.dump_directory.clear();
  auto other = load_program(options, compile, again.store, again.given);
  if (!other)
    return other.error();
  return std::move(other->executable);
}

/// Predicts the run time on up to 128 threads from runs on one thread, of the
/// program as it is divided for that many cores.
Result<std::vector<ScalingPoint>>
measure_scaling(const BenchOptions &options, const LoadedProgram &loaded,
                const std::vector<runtime::BufferRef> &arguments,
                const Recompilation &again) {
  // Without a second thread, a worker that spins is assumed to take this long.
  constexpr double kDefaultWakeMs = 0.002;
  auto together = record_runs(loaded.executable, arguments, options.iterations,
                              /*pieces=*/true);
  if (!together)
    return together.error();
  double wake_ms = wake_time(*together);
  // Those of a group have the same tasks.
  const std::vector<std::vector<int>> groups{{1, 2, 4}, {8},  {16},
                                             {32},      {64}, {128}};
  std::vector<ScalingPoint> points;
  for (const std::vector<int> &threads : groups) {
    auto executable = divided_for(threads.back(), options, loaded, again);
    if (!executable)
      return executable.error();
    auto alone = record_on_one_thread(*executable, arguments,
                                      options.iterations, /*pieces=*/true);
    if (!alone)
      return alone.error();
    std::ranges::move(predict_scaling((*executable)->image(), *alone, threads,
                                      wake_ms > 0 ? wake_ms : kDefaultWakeMs),
                      std::back_inserter(points));
  }
  return points;
}

Result<Measurement> measure(const BenchOptions &options,
                            const LoadedProgram &loaded,
                            const std::vector<HostArray> &inputs,
                            const Recompilation &again) {
  Measurement measured;
  std::vector<runtime::BufferRef> arguments = borrow(inputs);
  {
    auto first_start = Clock::now();
    auto results = run_and_wait(loaded.executable, arguments);
    if (!results)
      return results.error();
    measured.first_run_ms = milliseconds_since(first_start);
    if (!options.outputs.empty())
      XLAC_RETURN_IF_ERROR(write_outputs(
          options.outputs, to_arrays(*loaded.executable, *results)));
  }

  for (int i = 0; i < options.iterations; ++i) {
    auto start = Clock::now();
    auto results = run_and_wait(loaded.executable, arguments);
    measured.run_ms.push_back(milliseconds_since(start));
    if (!results)
      return results.error();
  }
  std::sort(measured.run_ms.begin(), measured.run_ms.end());
  // Taken here, before the probes allocate memory.
  measured.peak_rss_mb = peak_rss_mb();
  if (options.scaling) {
    auto scaling = measure_scaling(options, loaded, arguments, again);
    if (!scaling)
      return scaling.error();
    measured.scaling = std::move(*scaling);
  }
  if (!options.wants_profile())
    return measured;
  auto events = record_runs(loaded.executable, arguments, options.iterations,
                            /*pieces=*/false);
  if (!events)
    return events.error();
  measured.profile = profile_runs(loaded.executable->image(), *events);
  if (options.kernels)
    XLAC_RETURN_IF_ERROR(
        measure_threads(options, loaded, arguments, *measured.profile));
  auto profile = find_profile(loaded.executable->image().target_profile);
  measured.peaks = measure_peaks(profile ? *profile : host_profile());
  return measured;
}

Json json_of(const BenchOptions &options, const LoadedProgram &loaded,
             const Measurement &measured) {
  const runtime::ExecutableImage &image = loaded.executable->image();
  int64_t flops = 0, bytes = 0;
  for (const runtime::KernelEntry &kernel : image.kernels)
    flops += kernel.flops, bytes += kernel.bytes;
  Json json;
  json.add("compile_ms", loaded.compile_ms);
  json.add("load_ms", loaded.load_ms);
  json.add("first_run_ms", measured.first_run_ms);
  json.add("run_ms_median", measured.median());
  json.add("run_ms_min", measured.run_ms.front());
  json.add("peak_rss_mb", measured.peak_rss_mb);
  json.add("planned_bytes", plan_of(*loaded.executable).total());
  json.add("cache", loaded.cache == CacheStatus::Hit ? "hit" : "miss");
  json.add("kernels", static_cast<int64_t>(image.kernels.size()));
  const CompileReport &report = loaded.report;
  json.add("kernels_compiled", report.kernels - report.kernels_from_cache -
                                   report.kernels_for_other_sizes);
  json.add("kernels_for_other_sizes", report.kernels_for_other_sizes);
  json.add("flops", flops);
  json.add("bytes", bytes);
  if (options.scaling)
    json.add("scaling", json_table(measured.scaling));
  if (!measured.profile)
    return json;
  json.add("percent_of_roofline",
           measured.profile->percent_of_bound(measured.peaks));
  json.add("peak_gflops", measured.peaks.f32_gflops);
  json.add("peak_gbytes", measured.peaks.memory_gbytes());
  json.add("timed_run_ms", measured.profile->run_ms);
  if (measured.profile->efficiency() > 0) {
    json.add("one_thread_ms", measured.profile->one_thread_ms);
    json.add("parallel_efficiency", measured.profile->efficiency());
  }
  if (options.kernels)
    json.add("kernel_times", json_table(*measured.profile, measured.peaks));
  return json;
}

void print_text(const BenchOptions &options, const LoadedProgram &loaded,
                const Measurement &measured) {
  const runtime::ExecutableImage &image = loaded.executable->image();
  double flops = 0, bytes = 0;
  for (const runtime::KernelEntry &kernel : image.kernels)
    flops += static_cast<double>(kernel.flops),
        bytes += static_cast<double>(kernel.bytes);
  std::printf("compile %.1f ms (cache: %s), load %.2f ms, first run %.2f ms\n"
              "run median %.3f ms, minimum %.3f ms over %d iterations\n"
              "%zu kernel phases, %.3g flop, %.3g bytes, peak %.0f MiB\n",
              loaded.compile_ms, std::string(to_string(loaded.cache)).c_str(),
              loaded.load_ms, measured.first_run_ms, measured.median(),
              measured.run_ms.front(), options.iterations, image.kernels.size(),
              flops, bytes, measured.peak_rss_mb);
  for (const PhaseTime &phase : loaded.report.phases)
    std::printf("  %-16s %8.2f ms\n", phase.phase.c_str(), phase.milliseconds);
  if (options.scaling)
    std::printf("predicted from runs on one thread:\n%s",
                text_table(measured.scaling).c_str());
  if (!measured.profile)
    return;
  std::printf("%.0f%% of the roofline: %.0f GFLOP/s, %.0f GB/s from memory\n",
              measured.profile->percent_of_bound(measured.peaks),
              measured.peaks.f32_gflops, measured.peaks.memory_gbytes());
  if (options.kernels)
    std::printf("%s%s\n", text_table(*measured.profile, measured.peaks).c_str(),
                total_text(*measured.profile, measured.median()).c_str());
}

/// Writes the page of --report. Compiles the program again for the picture,
/// since cache entries lack ops and source locations.
Status write_report(const BenchOptions &options, const LoadedProgram &loaded,
                    const Measurement &measured) {
  auto picture = picture_of(options);
  if (!picture)
    return picture.error();
  ReportFacts facts;
  facts.title = loaded.executable->image().name.empty()
                    ? options.input
                    : loaded.executable->image().name;
  facts.facts = {
      {"program", options.input},
      {"target", loaded.executable->image().target_profile},
      {"run, median", fmt::format("{:.3f} ms", measured.median())},
      {"run, least", fmt::format("{:.3f} ms", measured.run_ms.front())},
      {"iterations", fmt::format("{}", options.iterations)},
      {"compile", fmt::format("{:.1f} ms, cache: {}", loaded.compile_ms,
                              to_string(loaded.cache))},
      {"of the roofline",
       fmt::format("{:.0f}%",
                   measured.profile->percent_of_bound(measured.peaks))},
      {"memory", text_of(plan_of(*loaded.executable)).substr(8)},
      {"table", total_text(*measured.profile, measured.median())}};
  return write_file(options.report_file, report_page(facts, *measured.profile,
                                                     measured.peaks, *picture));
}

Status write_trace(const BenchOptions &options, const LoadedProgram &loaded,
                   const std::vector<HostArray> &inputs) {
  auto events = record_runs(loaded.executable, borrow(inputs),
                            std::min(options.iterations, kTracedRuns),
                            /*pieces=*/true);
  if (!events)
    return events.error();
  Trace trace;
  trace.add(loaded.report);
  trace.add(loaded.executable->image(), *events);
  return write_file(options.trace_file, trace.json(thread_number()));
}

/// Writes the page of --timeline. Its run is slower than the median without
/// recording, which the page gives as well.
Status write_timeline(const BenchOptions &options, const LoadedProgram &loaded,
                      const std::vector<HostArray> &inputs,
                      const Measurement &measured) {
  auto events = record_runs(loaded.executable, borrow(inputs),
                            std::min(options.iterations, kTimelineRuns),
                            /*pieces=*/true);
  if (!events)
    return events.error();
  std::vector<runtime::LaunchEvent> shown = median_run(*events);
  ReportFacts facts =
      timeline_facts(options.input, loaded.executable->image(), shown);
  facts.facts.emplace_back("run without recording, median",
                           fmt::format("{:.3f} ms", measured.median()));
  return write_file(options.timeline_file,
                    timeline_page(facts, loaded.executable->image(), shown));
}

int bench(const BenchOptions &options) {
  auto compile = compile_options(options);
  if (!compile)
    return report(compile.error());
  compile->dump_directory = options.dump_directory;
  auto store = open_store(options);
  auto given = given_inputs(options, store.get());
  if (!given)
    return report(given.error());
  auto loaded = load_program(options, *compile, store.get(), *given);
  if (!loaded)
    return report(loaded.error());
  if (options.memory)
    std::fprintf(stderr, "%s\n", text_of(plan_of(*loaded->executable)).c_str());
  auto inputs = given->all_arrays(loaded->executable->image().arguments);
  if (!inputs)
    return report(inputs.error());
  if (auto configured = configure_devices(1); !configured)
    return report(configured.error());
  auto measured = measure(options, *loaded, *inputs,
                          Recompilation{*compile, store.get(), *given});
  if (!measured)
    return report(measured.error());
  if (!options.trace_file.empty())
    if (auto written = write_trace(options, *loaded, *inputs); !written)
      return report(written.error());
  if (!options.timeline_file.empty())
    if (auto written = write_timeline(options, *loaded, *inputs, *measured);
        !written)
      return report(written.error());
  if (!options.report_file.empty())
    if (auto written = write_report(options, *loaded, *measured); !written)
      return report(written.error());
  if (options.json)
    std::puts(json_of(options, *loaded, *measured).text().c_str());
  else
    print_text(options, *loaded, *measured);
  return 0;
}

} // namespace

Command add_bench(CLI::App &app) {
  auto options = std::make_shared<BenchOptions>();
  add_execution(app, *options, /*finds_invariant=*/true);
  app.add_option("--outputs", options->outputs,
                 "Directory for the first run's outputs, out_000.npy …");
  app.add_option("--iters", options->iterations, "Timed iterations")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000000));
  app.add_option("--dump-dir", options->dump_directory,
                 "Directory for every stage as a file");
  app.add_flag("--kernels", options->kernels,
               "Run as often again with each kernel timed, and list them; with "
               "several threads, also on one thread and with each thread's "
               "pieces timed");
  app.add_flag("--scaling", options->scaling,
               "Predict the run time on up to 128 threads from the pieces of "
               "runs on one thread, divided for that many cores");
  app.add_flag("--roofline", options->roofline,
               "Measure the machine's peaks as well, and say how near to them "
               "the program runs");
  app.add_option("--report", options->report_file,
                 "HTML file for the kernels as a picture and a table, with "
                 "their times, work and distance to the machine's peaks");
  add_reports(app, *options);
  return [options] { return bench(*options); };
}

} // namespace xlac::cli
