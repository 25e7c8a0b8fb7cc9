#include "xlac/aot/aot.h"

#include "header.h"
#include "memory_store.h"
#include "names.h"

#include "xlac/library/call_bytes.h"
#include "xlac/library/custom_calls.h"
#include "xlac/runtime/call_tensors.h"
#include "xlac/runtime/collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace xlac::aot {

namespace {

/// Parameters of the functions of headers.
constexpr std::array kParameters = {"arguments", "results", "prepared",
                                    "weights",   "arena",   "context",
                                    "result",    "dims"};
/// Limit on lists of sizes, each of which takes a few milliseconds and some
/// kilobytes.
constexpr size_t kMostLists = 4096;

Failure user(std::string message) {
  return failure(FailureKind::User, std::move(message));
}

/// All combinations of the symbols' values, in ascending order.
std::vector<std::vector<int64_t>>
combinations(const std::vector<SizeSymbol> &symbols) {
  std::vector<std::vector<int64_t>> lists = {{}};
  for (const SizeSymbol &symbol : symbols) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t> &list : lists)
      for (int64_t value : symbol.values) {
        longer.push_back(list);
        longer.back().push_back(value);
      }
    lists = std::move(longer);
  }
  return lists;
}

Status check_request(const Request &request) {
  if (!is_c_identifier(request.name))
    return user(fmt::format(
        "'{}' is not an identifier of C, which the object's symbols begin with",
        request.name));
  for (const std::string &entry : request.entries)
    if (request.entries.size() > 1 && !is_c_identifier(entry))
      return user(fmt::format(
          "'{}' is not an identifier of C; functions are named after entries",
          entry));
  size_t lists = 1;
  for (size_t i = 0; i < request.symbols.size(); ++i) {
    const SizeSymbol &symbol = request.symbols[i];
    if (!is_free_name(symbol.name))
      return user(
          fmt::format("'{}' cannot name a parameter in C", symbol.name));
    if (std::ranges::find(kParameters, symbol.name) != kParameters.end())
      return user(fmt::format(
          "a size cannot be named '{}', as another parameter of the functions",
          symbol.name));
    for (size_t j = 0; j < i; ++j)
      if (request.symbols[j].name == symbol.name)
        return user(fmt::format("two sizes are named '{}'", symbol.name));
    if (symbol.values.empty())
      return user(fmt::format("the size '{}' has no value", symbol.name));
    if (lists > kMostLists / symbol.values.size())
      return user(fmt::format(
          "the sizes have more than {} combinations, each of which has its own "
          "driver in the object",
          kMostLists));
    lists *= symbol.values.size();
  }
  return {};
}

/// Whether libxlac_rt.a has the target.
bool is_built_in(const std::string &target) {
  static const std::vector<library::DeclaredCall> calls =
      library::declared_calls();
  return std::ranges::find(calls, target, &library::DeclaredCall::target) !=
         calls.end();
}

/// What an object cannot do is an error that names it.
Status check_image(const std::string &source,
                   const runtime::ExecutableImage &image) {
  auto unsupported = [&](const std::string &what) {
    return failure(
        FailureKind::Unsupported,
        fmt::format("{}: {}, which needs xlac's runtime; objects for "
                    "C run without it",
                    source, what));
  };
  if (image.partitions > 1)
    return unsupported(fmt::format("the program is partitioned over {} devices",
                                   image.partitions));
  for (const runtime::Collective &what : image.collectives)
    if (what.kind != runtime::CollectiveKind::CustomCall ||
        !is_built_in(what.function.target))
      return unsupported("the program has " + runtime::describe(what));
  return {};
}

/// Describes the custom calls of an image for libxlac_rt.a.
Result<std::vector<std::vector<std::byte>>>
describe_calls(const std::string &source,
               const runtime::ExecutableImage &image) {
  std::vector<std::vector<std::byte>> calls;
  for (const runtime::Collective &what : image.collectives) {
    std::vector<void *> unknown(
        std::max(what.operands.size(), what.results.size()), nullptr);
    library::DescribedCall call{
        what.function.target, what.function.source, what.function.attributes,
        runtime::call_tensors(what.operands, what.function, 0, unknown),
        runtime::call_tensors(what.results, what.function, what.operands.size(),
                              unknown)};
    Status checked = library::check_custom_call(
        CustomCall{call.target, call.operands, call.results, call.attributes,
                   CustomCallLoop()});
    if (!checked)
      return failure(checked.error().failure_kind,
                     fmt::format("{}: {} {}", source, runtime::describe(what),
                                 checked.error().message));
    calls.push_back(library::serialize(call));
  }
  return calls;
}

/// Compiles one request.
class ObjectCompilation {
public:
  ObjectCompilation(Compiler &compiler, const Source &source,
                    const CompilerOptions &options, const Request &request,
                    CompileReport &report)
      : compiler_(compiler), source_(source), options_(options),
        request_(request), report_(report) {}

  Result<Files> run();

private:
  Result<ObjectProgram> compile_entry(const std::string &entry);
  Result<ObjectSizes>
  compile_sizes(const std::string &entry, const std::vector<int64_t> &values,
                const std::vector<std::vector<int64_t>> &others);
  Result<ObjectCode>
  compile_code(const std::string &entry, const TargetProfile &target,
               const std::vector<int64_t> &values,
               const std::vector<std::vector<int64_t>> &others);
  ArgumentSizes argument_sizes(const std::vector<int64_t> &values) const;
  std::string describe(const std::vector<int64_t> &values) const;

  Compiler &compiler_;
  const Source &source_;
  const CompilerOptions &options_;
  const Request &request_;
  CompileReport &report_;
  MemoryStore store_;
};

ArgumentSizes
ObjectCompilation::argument_sizes(const std::vector<int64_t> &values) const {
  ArgumentSizes sizes;
  for (const SymbolicArgument &argument : request_.arguments) {
    auto &dims = sizes.emplace_back(argument.argument, 0).second;
    for (const SizeOfDim &dim : argument.dims)
      dims.push_back(dim.symbol ? values[*dim.symbol] : dim.number);
  }
  return sizes;
}

std::string
ObjectCompilation::describe(const std::vector<int64_t> &values) const {
  std::string text;
  for (size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : ", ", request_.symbols[i].name,
                        values[i]);
  return text;
}

Result<ObjectCode> ObjectCompilation::compile_code(
    const std::string &entry, const TargetProfile &target,
    const std::vector<int64_t> &values,
    const std::vector<std::vector<int64_t>> &others) {
  Source source{source_.bytes, source_.name, entry};
  auto program = compiler_.parse(source);
  if (!program)
    return program.error();
  CompilerOptions options = options_;
  options.target = target;
  options.kernels = nullptr;
  options.argument_sizes = argument_sizes(values);
  if (!values.empty()) {
    // Kernels share code between sizes.
    auto family = (*program)->family();
    if (!family)
      return family.error();
    options.kernels = &store_;
    options.family = *family + target.cache_name();
    for (const std::vector<int64_t> &other : others)
      options.other_sizes.push_back(argument_sizes(other));
  }
  CompileReport report;
  auto image = (*program)->compile(options, &report);
  if (!image) {
    Failure failed = image.error();
    if (!values.empty())
      failed.message =
          fmt::format("with {}: {}", describe(values), failed.message);
    return failed;
  }
  report_.phases.insert(report_.phases.end(), report.phases.begin(),
                        report.phases.end());
  for (std::string &warning : report.warnings)
    if (std::ranges::find(report_.warnings, warning) == report_.warnings.end())
      report_.warnings.push_back(std::move(warning));
  XLAC_RETURN_IF_ERROR(check_image(source_.name, *image));
  auto calls = describe_calls(source_.name, *image);
  if (!calls)
    return calls.error();
  return ObjectCode{std::move(*image), std::move(*calls)};
}

Result<ObjectSizes> ObjectCompilation::compile_sizes(
    const std::string &entry, const std::vector<int64_t> &values,
    const std::vector<std::vector<int64_t>> &others) {
  ObjectSizes sizes;
  sizes.values = values;
  for (const TargetProfile &target : request_.targets) {
    auto code = compile_code(entry, target, values, others);
    if (!code)
      return code.error();
    sizes.codes.push_back(std::move(*code));
  }
  return sizes;
}

Result<ObjectProgram>
ObjectCompilation::compile_entry(const std::string &entry) {
  ObjectProgram program;
  program.prefix = request_.name;
  if (request_.entries.size() > 1)
    program.prefix += "_" + entry;
  std::vector<std::vector<int64_t>> lists = combinations(request_.symbols);
  // With sizes from both ends and between them, the compiler finds out which
  // numbers of kernels depend on sizes.
  std::vector<std::vector<int64_t>> others;
  for (size_t index : {lists.size() / 2, lists.size() / 3, lists.size() - 1})
    if (lists.size() > 1 && index > 0)
      others.push_back(lists[index]);
  for (const std::vector<int64_t> &values : lists) {
    auto sizes = compile_sizes(entry, values, others);
    if (!sizes)
      return sizes.error();
    program.sizes.push_back(std::move(*sizes));
    others.clear();
  }
  return program;
}

Result<Files> ObjectCompilation::run() {
  ObjectRequest request{
      request_.name, request_.kind, request_.weights_file, {}};
  std::vector<HeaderProgram> programs;
  for (const std::string &entry : request_.entries) {
    auto signature = compiler_.signature({source_.bytes, source_.name, entry});
    if (!signature)
      return signature.error();
    programs.push_back({entry, std::move(*signature), nullptr});
    auto program = compile_entry(entry);
    if (!program)
      return program.error();
    request.programs.push_back(std::move(*program));
  }
  for (size_t i = 0; i < programs.size(); ++i)
    programs[i].program = &request.programs[i];
  auto object = compiler_.write_object(request);
  if (!object)
    return object.error();
  std::string header = write_header(source_.name, request_, programs, *object);
  return Files{std::move(*object), std::move(header)};
}

} // namespace

Result<Files> compile(Compiler &compiler, const Source &source,
                      const CompilerOptions &options, const Request &request,
                      CompileReport &report) {
  XLAC_RETURN_IF_ERROR(check_request(request));
  return ObjectCompilation(compiler, source, options, request, report).run();
}

} // namespace xlac::aot
