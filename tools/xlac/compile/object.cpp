// xlac compile --emit obj, so and archive: files for programs in C.
#include "object.h"

#include "xlac/aot/aot.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace xlac::cli {
namespace {

Failure wrong(std::string message) {
  return failure(FailureKind::User, std::move(message));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == text.npos)
      return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<int64_t> parse_size(std::string_view text) {
  int64_t value = 0;
  auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() ||
      value < 0)
    return std::nullopt;
  return value;
}

/// Adds the values of "1..64", "16..512/16" or "8".
bool add_values(std::string_view text, std::vector<int64_t> &values) {
  constexpr int64_t most = 1 << 16;
  size_t dots = text.find("..");
  if (dots == text.npos) {
    auto value = parse_size(text);
    if (value)
      values.push_back(*value);
    return value.has_value();
  }
  std::string_view rest = text.substr(dots + 2);
  size_t slash = rest.find('/');
  auto first = parse_size(text.substr(0, dots));
  auto last = parse_size(rest.substr(0, slash));
  auto divisor = slash == rest.npos ? std::optional<int64_t>(1)
                                    : parse_size(rest.substr(slash + 1));
  if (!first || !last || !divisor || *divisor < 1 || *first > *last ||
      (*last - *first) / *divisor >= most)
    return false;
  for (int64_t value = (*first + *divisor - 1) / *divisor * *divisor;
       value <= *last; value += *divisor)
    values.push_back(value);
  return true;
}

Result<aot::SizeSymbol> parse_symbol(const std::string &word) {
  size_t equal = word.find('=');
  aot::SizeSymbol symbol{word.substr(0, equal), {}};
  bool good = equal != word.npos && equal > 0;
  if (good)
    for (std::string_view part :
         split(std::string_view(word).substr(equal + 1), ','))
      good = good && add_values(part, symbol.values);
  if (!good)
    return wrong(fmt::format("--size {}: expected NAME=1..64, NAME=16..512/16 "
                             "or NAME=1,8,64",
                             word));
  std::ranges::sort(symbol.values);
  auto same = std::ranges::unique(symbol.values);
  symbol.values.erase(same.begin(), same.end());
  return symbol;
}

/// NUMBER=nx128, where n is a symbol.
Result<aot::SymbolicArgument>
parse_shape(const std::string &word,
            const std::vector<aot::SizeSymbol> &symbols) {
  auto bad = [&] {
    return wrong(
        fmt::format("--shape {}: expected NUMBER=2x3, with numbers and "
                    "names of --size",
                    word));
  };
  size_t equal = word.find('=');
  auto number = parse_size(std::string_view(word).substr(0, equal));
  if (equal == word.npos || !number || *number > UINT32_MAX)
    return bad();
  aot::SymbolicArgument argument{static_cast<uint32_t>(*number), {}};
  std::string_view dims = std::string_view(word).substr(equal + 1);
  if (dims.empty())
    return argument;
  for (std::string_view dim : split(dims, 'x')) {
    auto found = std::ranges::find(symbols, dim, &aot::SizeSymbol::name);
    if (found != symbols.end()) {
      argument.dims.push_back({size_t(found - symbols.begin()), 0});
      continue;
    }
    auto size = parse_size(dim);
    if (!size)
      return bad();
    argument.dims.push_back({std::nullopt, *size});
  }
  return argument;
}

Status parse_sizes(const SharedOptions &options, const ObjectOptions &object,
                   aot::Request &request) {
  for (const std::string &word : object.sizes) {
    auto symbol = parse_symbol(word);
    if (!symbol)
      return symbol.error();
    if (symbol->name.find('x') != std::string::npos)
      return wrong(fmt::format("--size {}: the name must not contain x, which "
                               "separates sizes in --shape",
                               word));
    request.symbols.push_back(std::move(*symbol));
  }
  for (const std::string &word : options.shapes) {
    auto argument = parse_shape(word, request.symbols);
    if (!argument)
      return argument.error();
    request.arguments.push_back(std::move(*argument));
  }
  for (size_t i = 0; i < request.symbols.size(); ++i) {
    bool used = false;
    for (const aot::SymbolicArgument &argument : request.arguments)
      for (const aot::SizeOfDim &dim : argument.dims)
        used |= dim.symbol == i;
    if (!used)
      return wrong(fmt::format("no --shape names the size '{}'",
                               request.symbols[i].name));
  }
  return {};
}

/// Profiles by name, the strongest first.
Result<std::vector<TargetProfile>> parse_targets(const std::string &text) {
  std::vector<TargetProfile> targets;
  for (std::string_view name : split(text, ',')) {
    auto profile = find_profile(name);
    if (!profile)
      return profile.error();
    if (std::ranges::find(targets, profile->name, &TargetProfile::name) ==
        targets.end())
      targets.push_back(std::move(*profile));
  }
  std::ranges::sort(targets, std::greater(), &TargetProfile::features);
  return targets;
}

Result<aot::Request> make_request(const SharedOptions &options,
                                  const ObjectOptions &object,
                                  ObjectKind kind) {
  aot::Request request;
  std::filesystem::path output(object.output);
  request.name = object.name.empty() ? output.stem().string() : object.name;
  if (!aot::is_c_identifier(request.name))
    return wrong(fmt::format("'{}' is not an identifier of C; --name gives the "
                             "prefix of the object's symbols",
                             request.name));
  request.kind = kind;
  request.weights_file = object.weights_file;
  request.entries.clear();
  for (std::string_view entry : split(options.entry, ','))
    request.entries.emplace_back(entry);
  auto targets = parse_targets(object.multi_target ? "avx512,avx2,baseline"
                                                   : options.target);
  if (!targets)
    return targets.error();
  request.targets = std::move(*targets);
  XLAC_RETURN_IF_ERROR(parse_sizes(options, object, request));
  return request;
}

} // namespace

void add_object(CLI::App &app, ObjectOptions &options) {
  const char *group = "Options of obj, so and archive";
  app.add_option("--name", options.name,
                 "Prefix of all symbols and name of the header; default the "
                 "output's name")
      ->group(group);
  app.add_flag("--weights-file", options.weights_file,
               "Put constants into NAME.weights instead of the object")
      ->group(group);
  app.add_flag("--multi-target", options.multi_target,
               "The same as --target avx512,avx2,baseline: the first call "
               "chooses the code by the processor")
      ->group(group);
  app.add_option("--size", options.sizes,
                 "Values of a size that --shape names, as NAME=1..64, "
                 "NAME=16..512/16 or NAME=1,8,64: a parameter of the functions")
      ->allow_extra_args(false)
      ->group(group);
}

int write_object(Compiler &compiler, const Source &source,
                 const SharedOptions &options, const ObjectOptions &object,
                 ObjectKind kind) {
  if (object.output.empty() || object.output == "-") {
    std::fprintf(stderr, "xlac compile: -o is needed for files for C\n");
    return 2;
  }
  std::error_code none;
  if (std::filesystem::exists(object.output, none) &&
      !std::filesystem::is_regular_file(object.output, none))
    return report(wrong(object.output +
                        ": not a regular file; the header is written to the "
                        "same folder"));
  auto request = make_request(options, object, kind);
  if (!request)
    return report(request.error());
  SharedOptions shared = options;
  shared.target = request->targets.front().name;
  shared.shapes.clear();
  auto compile = compile_options(shared);
  if (!compile)
    return report(compile.error());
  compile->dump_directory = object.dump_directory;
  CompileReport compiled;
  auto files = aot::compile(compiler, source, *compile, *request, compiled);
  if (!files)
    return report(files.error());
  print_warnings(compiled);
  std::filesystem::path folder =
      std::filesystem::path(object.output).parent_path();
  auto beside = [&](const char *extension) {
    return (folder / (request->name + extension)).string();
  };
  auto written = write_file(object.output, files->object.object);
  if (written)
    written = write_file(beside(".h"), files->header);
  if (written && request->weights_file)
    written = write_file(beside(".weights"), files->object.weights);
  if (!written)
    return report(written.error());
  if (object.timing)
    print_phases(compiled);
  return 0;
}

} // namespace xlac::cli
