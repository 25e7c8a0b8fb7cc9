// xlac inspect: prints what a caller of a program has to know.
#include "commands.h"
#include "json.h"

#include "xlac/loader/compiler_library.h"
#include "xlac/ops/type_text.h"
#include "xlac/runtime/image_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

namespace xlac::cli {
namespace {

/// One argument or result.
struct Entry {
  Type type;
  std::string name;
  std::optional<uint32_t> aliased_argument; ///< whose memory the result takes
};

struct Description {
  std::string form; ///< "StableHLO program", "image for avx2"
  std::vector<Entry> arguments, results;
  /// Of a program. Of an image, the function that was compiled, if it is known.
  std::vector<std::string> functions, custom_calls, meshes;
  /// Names and values of an image's further facts.
  std::vector<std::pair<std::string, int64_t>> facts;
};

std::vector<Entry> entries_of(const std::vector<Type> &types,
                              const std::vector<std::string> &names) {
  std::vector<Entry> entries;
  for (size_t i = 0; i < types.size(); ++i)
    entries.push_back({types[i], i < names.size() ? names[i] : "", {}});
  return entries;
}

/// The bytes of all values with known sizes.
int64_t bytes_of(const std::vector<Entry> &entries) {
  int64_t bytes = 0;
  for (const Entry &one : entries)
    if (one.type.is_tensor())
      bytes += one.type.tensor().byte_count().value_or(0);
  return bytes;
}

void add_aliases(const std::vector<AliasPair> &aliases, Description &all) {
  for (AliasPair pair : aliases)
    if (pair.result < all.results.size())
      all.results[pair.result].aliased_argument = pair.argument;
}

Description describe(ProgramDescription program) {
  const Signature &signature = program.signature;
  Description all{"StableHLO program",
                  entries_of(signature.arguments, signature.argument_names),
                  entries_of(signature.results, signature.result_names),
                  std::move(program.entries),
                  std::move(program.custom_calls),
                  std::move(program.meshes),
                  {}};
  add_aliases(program.aliases, all);
  all.facts = {{"bytes of arguments", bytes_of(all.arguments)},
               {"bytes of results", bytes_of(all.results)},
               {"replicas", program.replicas},
               {"partitions", program.partitions}};
  return all;
}

/// The targets of custom calls, in the order of their first call.
std::vector<std::string>
custom_calls_of(const runtime::ExecutableImage &image) {
  std::vector<std::string> targets;
  for (const runtime::Collective &what : image.collectives)
    if (what.kind == runtime::CollectiveKind::CustomCall &&
        std::find(targets.begin(), targets.end(), what.function.target) ==
            targets.end())
      targets.push_back(what.function.target);
  return targets;
}

Description describe(const runtime::ImageFile &file) {
  const runtime::ExecutableImage &image = file.image;
  bool is_partitioned = image.partitions > 1;
  Description all{
      "image for " + image.target_profile,
      entries_of(is_partitioned ? image.global_arguments : image.arguments,
                 file.argument_names),
      entries_of(is_partitioned ? image.global_results : image.results,
                 file.result_names),
      file.program ? std::vector{file.program->entry}
                   : std::vector<std::string>(),
      custom_calls_of(image),
      {},
      {}};
  add_aliases(image.aliases, all);
  int64_t code = 0, constants = 0;
  for (const runtime::Blob &blob : image.blobs)
    code += static_cast<int64_t>(blob.bytes.size());
  for (const SharedBytes &constant : image.constants)
    constants += static_cast<int64_t>(constant.size());
  all.facts = {
      {"kernel phases", static_cast<int64_t>(image.kernels.size())},
      {"bytes of arguments", bytes_of(all.arguments)},
      {"bytes of results", bytes_of(all.results)},
      {"bytes of code", code},
      {"bytes of constants", constants},
      {"bytes of temporaries", temporary_bytes(image)},
      {"bytes of the program inside",
       file.program ? static_cast<int64_t>(file.program->artifact_bytes) : 0},
      {"replicas", image.grid.replicas},
      {"partitions", image.grid.partitions}};
  return all;
}

Result<Description> description_of(const SharedOptions &options) {
  auto bytes = read_input(options);
  if (!bytes)
    return bytes.error();
  if (runtime::is_image_file(*bytes)) {
    auto file = image_of(options, *bytes);
    if (!file)
      return file.error();
    return describe(*file);
  }
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto program =
      (*compiler)->describe({text_of(*bytes), options.input, options.entry});
  if (!program)
    return program.error();
  return describe(std::move(*program));
}

void print(const char *title, const std::vector<Entry> &entries) {
  std::printf("%s:\n", title);
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry &one = entries[i];
    std::string line = fmt::format("{:>4}  {}", i, ops::short_text(one.type));
    if (!one.name.empty())
      line += "  " + one.name;
    if (one.aliased_argument)
      line += fmt::format("  (in the memory of argument {})",
                          *one.aliased_argument);
    std::puts(line.c_str());
  }
}

void print(const char *title, const std::vector<std::string> &texts) {
  if (!texts.empty())
    std::printf("%s: %s\n", title,
                fmt::format("{}", fmt::join(texts, ", ")).c_str());
}

Json json_of(const std::vector<std::string> &texts) {
  Json list = Json::list();
  for (const std::string &text : texts)
    list.push(std::string_view(text));
  return list;
}

Json json_of(const std::vector<Entry> &entries) {
  Json list = Json::list();
  for (const Entry &one : entries) {
    Json json;
    json.add("type", ops::short_text(one.type));
    json.add("name", one.name);
    if (one.aliased_argument)
      json.add("aliased_argument", static_cast<int64_t>(*one.aliased_argument));
    list.push(std::move(json));
  }
  return list;
}

/// Prints the digest of an image that is sound.
int print_digest(const SharedOptions &options) {
  auto bytes = read_input(options);
  if (!bytes)
    return report(bytes.error());
  if (auto file = image_of(options, *bytes); !file)
    return report(file.error());
  std::puts(to_hex(runtime::image_digest(*bytes)).c_str());
  return 0;
}

int inspect(const SharedOptions &options) {
  auto all = description_of(options);
  if (!all)
    return report(all.error());
  if (options.json) {
    Json json;
    json.add("form", all->form);
    json.add("arguments", json_of(all->arguments));
    json.add("results", json_of(all->results));
    json.add("entries", json_of(all->functions));
    json.add("custom_calls", json_of(all->custom_calls));
    json.add("meshes", json_of(all->meshes));
    for (auto &[name, value] : all->facts)
      json.add(name, value);
    std::puts(json.text().c_str());
    return 0;
  }
  std::printf("%s: %s\n", options.input.c_str(), all->form.c_str());
  print("arguments", all->arguments);
  print("results", all->results);
  print("entries", all->functions);
  print("custom calls", all->custom_calls);
  print("meshes", all->meshes);
  for (auto &[name, value] : all->facts)
    std::printf("%s: %lld\n", name.c_str(), static_cast<long long>(value));
  return 0;
}

} // namespace

Command add_inspect(CLI::App &app) {
  auto options = std::make_shared<SharedOptions>();
  auto digest = std::make_shared<bool>();
  add_input(app, *options);
  app.add_flag("--json", options->json, "Print one JSON object");
  app.add_flag(
      "--digest", *digest,
      "Print only the digest of an image, to be signed: BLAKE2b of 256 "
      "bits over the file, as b2sum --length 256");
  return [options, digest] {
    return *digest ? print_digest(*options) : inspect(*options);
  };
}

} // namespace xlac::cli
