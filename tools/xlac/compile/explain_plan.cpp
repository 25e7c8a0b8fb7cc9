#include "explain_plan.h"

#include "xlac/loader/compiler_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace xlac::cli {
namespace {

//===- Shardings ----------------------------------------------------------===//

/// Returns the argument numbers in "3", "3,5" or "2-9"; empty for other text.
std::vector<size_t> numbers_of(const std::string &text, size_t count) {
  std::vector<size_t> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    size_t first = 0;
    auto [next, error] = std::from_chars(at, end, first);
    size_t last = first;
    if (error == std::errc() && next < end && *next == '-') {
      auto behind = std::from_chars(next + 1, end, last);
      next = behind.ptr;
      error = behind.ec;
    }
    if (error != std::errc() || first > last || last >= count ||
        (next < end && *next != ','))
      return {};
    for (size_t i = first; i <= last; ++i)
      numbers.push_back(i);
    at = next < end ? next + 1 : end;
  }
  return numbers;
}

/// Returns the partitions of the mesh and the shardings of --shard. Without
/// them, and without annotations in the program, the compiler selects
/// shardings.
Result<PartitionOptions> partition_options(const ExplainOptions &options,
                                           const std::vector<Type> &arguments,
                                           const DeviceMeshPlan &mesh) {
  PartitionOptions partition;
  partition.count = mesh.count();
  partition.automatic = options.shards.empty();
  for (const MeshAxis &axis : mesh.axes)
    partition.mesh.push_back(axis.size);
  for (const std::string &word : options.shards) {
    size_t equal = word.find('=');
    auto numbers = numbers_of(word.substr(0, equal), arguments.size());
    if (equal == std::string::npos || numbers.empty())
      return failure(
          FailureKind::User,
          fmt::format("--shard {}: is not of the form 0=x,- or 2-5=-,y with "
                      "numbers of the {} arguments",
                      word, arguments.size()));
    for (size_t number : numbers) {
      const Type &type = arguments[number];
      auto sharding =
          parse_spec(word.substr(equal + 1),
                     type.is_tensor() ? type.tensor().dims.size() : 0, mesh);
      if (!sharding)
        return sharding.error();
      partition.arguments.emplace_back(static_cast<uint32_t>(number),
                                       std::move(*sharding));
    }
  }
  return partition;
}

//===- The plan -----------------------------------------------------------===//

int64_t bytes_of(const std::vector<Type> &types) {
  int64_t bytes = 0;
  for (const Type &type : types)
    if (type.is_tensor())
      bytes += type.tensor().byte_count().value_or(0);
  return bytes;
}

std::string axis_names(const runtime::Collective &what,
                       const DeviceMeshPlan &mesh) {
  std::string names;
  for (size_t axis : axes_of(what, mesh))
    names += (names.empty() ? "" : "+") + mesh.axes[axis].name;
  return names.empty() ? "any" : names;
}

/// Sums the costs of the steps in order. The steps have the order of the
/// image's collectives.
class PlanMaker {
public:
  PlanMaker(Plan &plan, const ProgramPicture &picture,
            const runtime::ExecutableImage &image, const MachinePeaks &peaks,
            const ExplainOptions &options)
      : plan_(plan), picture_(picture), image_(image), peaks_(peaks),
        options_(options), trips_(static_cast<double>(options.trips)) {}

  Status add(const std::vector<ProgramPicture::Step> &steps, double times) {
    for (const ProgramPicture::Step &step : steps)
      XLAC_RETURN_IF_ERROR(add(step, times));
    return {};
  }

private:
  using Kind = ProgramPicture::Step::Kind;

  Status add(const ProgramPicture::Step &step, double times) {
    if (step.kind == Kind::Launch) {
      const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
      plan_.flops += times * kernel.flops;
      plan_.bytes += times * kernel.bytes;
      plan_.compute_ms +=
          times * peaks_.bound_ms(static_cast<double>(kernel.flops),
                                  static_cast<double>(kernel.bytes), false);
    } else if (step.kind == Kind::Collective) {
      if (next_ >= image_.collectives.size())
        return failure(FailureKind::Internal,
                       "the picture has more collectives "
                       "than the program");
      const runtime::Collective &what = image_.collectives[next_++];
      CollectiveCost cost = cost_of(what, plan_.mesh);
      if (cost.bytes > 0) {
        Row &row = plan_.rows[{std::string(to_string(what.kind)),
                               axis_names(what, plan_.mesh)}];
        row.count += static_cast<int64_t>(times);
        row.cost.bytes += times * cost.bytes;
        row.cost.microseconds += times * cost.microseconds;
        for (size_t i = 0; options_.simulate && i < kMethods.size(); ++i)
          plan_.replays[i] +=
              replay(what, kMethods[i], plan_.mesh.count(), options_.links) *
              times;
      }
    }
    bool loop = step.kind == Kind::While;
    plan_.loops = plan_.loops || loop;
    for (const auto &body : step.bodies)
      XLAC_RETURN_IF_ERROR(add(body, loop ? times * trips_ : times));
    return {};
  }

  Plan &plan_;
  const ProgramPicture &picture_;
  const runtime::ExecutableImage &image_;
  const MachinePeaks &peaks_;
  const ExplainOptions &options_;
  double trips_;
  size_t next_ = 0;
};

} // namespace

Result<MachinePeaks> peaks_of(const ExplainOptions &options) {
  MachinePeaks peaks;
  if (options.device_gflops <= 0 || options.device_gbytes <= 0) {
    auto compile = compile_options(options);
    if (!compile)
      return compile.error();
    peaks = measure_peaks(compile->target);
  }
  if (options.device_gflops > 0)
    peaks.f32_gflops = options.device_gflops;
  if (options.device_gbytes > 0)
    peaks.bandwidth = {{0, options.device_gbytes}};
  return peaks;
}

DeviceRates rates_of(const MachinePeaks &peaks, const DeviceMeshPlan &mesh) {
  DeviceRates rates{.gflops = peaks.f32_gflops,
                    .memory_gbytes = peaks.memory_gbytes(),
                    .link_gbytes = mesh.axes.front().gbytes,
                    .link_microseconds = mesh.axes.front().microseconds};
  for (const MeshAxis &axis : mesh.axes) {
    rates.link_gbytes = std::min(rates.link_gbytes, axis.gbytes);
    rates.link_microseconds =
        std::max(rates.link_microseconds, axis.microseconds);
  }
  return rates;
}

Result<OpenProgram> open_program(ExplainOptions &options) {
  auto text = read_program(options);
  if (!text)
    return text.error();
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto signature =
      (*compiler)->signature({*text, options.input, options.entry});
  if (!signature)
    return signature.error();
  return OpenProgram{std::move(*text), *compiler, std::move(*signature)};
}

Result<Plan> make_plan(ExplainOptions options, const DeviceMeshPlan &mesh) {
  auto program = open_program(options);
  if (!program)
    return program.error();
  return make_plan(*program, options, mesh);
}

Result<Plan> make_plan(const OpenProgram &program,
                       const ExplainOptions &options,
                       const DeviceMeshPlan &mesh,
                       const std::vector<Sharding> &arguments) {
  const auto &[text, compiler, signature] = program;
  Source source{text, options.input, options.entry};
  auto compile = compile_options(options);
  if (!compile)
    return compile.error();
  auto partition = partition_options(options, signature.arguments, mesh);
  if (!partition)
    return partition.error();
  auto peaks = peaks_of(options);
  if (!peaks)
    return peaks.error();
  compile->partition = std::move(*partition);
  compile->partition.rates = rates_of(*peaks, mesh);
  for (uint32_t i = 0; i < arguments.size(); ++i)
    if (signature.arguments[i].is_tensor())
      compile->partition.arguments.emplace_back(i, arguments[i]);
  auto picture = compiler->picture(source, *compile);
  if (!picture)
    return picture.error();
  compile->partition.explains = options.sharding;
  CompileReport report;
  auto image = compiler->compile(source, *compile, &report);
  if (!image)
    return image.error();
  Plan plan;
  plan.shardings = std::move(report.shardings);
  plan.mesh = mesh;
  plan.argument_bytes = bytes_of(image->arguments);
  plan.result_bytes = bytes_of(image->results);
  plan.arena_bytes = image->arena_bytes;
  for (const auto &constant : image->constants)
    plan.constant_bytes += static_cast<int64_t>(constant.size());
  XLAC_RETURN_IF_ERROR(PlanMaker(plan, *picture, *image, *peaks, options)
                           .add(picture->steps, 1));
  return plan;
}

} // namespace xlac::cli
