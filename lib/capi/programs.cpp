// Programs: loading, saving and inspecting.
#include "handles.h"
#include "process.h"

#include "xlac/loader/image_loader.h"
#include "xlac/loader/source_names.h"
#include "xlac/support/logging.h"
#include "xlac/support/read_file.h"

#include <algorithm>
#include <span>

namespace xlac::capi {

namespace {

xlac_status null_argument(const char *name) {
  return fail(XLAC_INVALID_ARGUMENT, std::string(name) + " is null");
}

xlac_status missing(const char *noun, uint32_t number, size_t count) {
  return fail(XLAC_INVALID_ARGUMENT, std::string("there is no ") + noun + " " +
                                         std::to_string(number) +
                                         "; the program has " +
                                         std::to_string(count));
}

xlac_status check_program(const xlac_program *program) {
  if (is_handle(program, HandleTag::Program))
    return XLAC_OK;
  return fail(XLAC_INVALID_ARGUMENT, "program is not a program");
}

std::string text_or(const char *text, const char *otherwise) {
  return text ? text : otherwise;
}

/// Makes the handle of a loaded executable.
std::unique_ptr<xlac_program>
make_program(std::shared_ptr<const runtime::Executable> executable,
             std::string entry) {
  auto program = std::make_unique<xlac_program>();
  program->executable = std::move(executable);
  program->entries = {entry};
  program->entry = std::move(entry);
  const runtime::ExecutableImage &image = program->executable->image();
  for (const Type &type : image.arguments)
    program->arguments.push_back({{}, type});
  for (const Type &type : image.results)
    program->results.push_back({{}, type});
  for (AliasPair pair : image.aliases) {
    program->results[pair.result].alias = static_cast<int32_t>(pair.argument);
    program->arguments[pair.argument].alias = static_cast<int32_t>(pair.result);
  }
  for (uint32_t argument : image.prologue.arguments)
    if (argument < program->arguments.size())
      program->arguments[argument].is_invariant = true;
  return program;
}

xlac_status options_of(const xlac_load_options &given,
                       ProgramLoadOptions &options) {
  auto profile = find_profile(text_or(given.target, "native"));
  if (!profile)
    return fail(XLAC_INVALID_ARGUMENT, profile.error().message);
  constexpr uint32_t kFlags = XLAC_LOAD_WITHOUT_CACHE | XLAC_LOAD_NAMES |
                              XLAC_LOAD_IGNORE_CALLBACKS |
                              XLAC_LOAD_KEEP_PROGRAM;
  if (given.flags & ~kFlags)
    return fail(XLAC_INVALID_ARGUMENT,
                "unknown flags: " + std::to_string(given.flags & ~kFlags));
  if (given.shape_count && !given.shapes)
    return null_argument("shapes");
  if (given.invariant_count && !given.invariant_arguments)
    return null_argument("invariant_arguments");
  CompilerOptions &compile = options.compile;
  compile.target = *profile;
  compile.threads = thread_limit();
  compile.ignore_callbacks = given.flags & XLAC_LOAD_IGNORE_CALLBACKS;
  for (const auto &shape : std::span(given.shapes, given.shape_count)) {
    if (shape.rank && !shape.dims)
      return null_argument("dims");
    compile.argument_sizes.emplace_back(
        shape.argument,
        std::vector<int64_t>(shape.dims, shape.dims + shape.rank));
  }
  compile.invariant_arguments.assign(given.invariant_arguments,
                                     given.invariant_arguments +
                                         given.invariant_count);
  options.keep_in_memory = false;
  return XLAC_OK;
}

void set_names(const std::vector<std::string> &names,
               std::vector<ValueFacts> &values) {
  for (size_t i = 0; i < std::min(names.size(), values.size()); ++i)
    values[i].name = names[i];
}

std::vector<std::string> names_of(const std::vector<ValueFacts> &values) {
  std::vector<std::string> names;
  for (const ValueFacts &value : values)
    names.push_back(value.name);
  return names_or_none(std::move(names));
}

/// Takes the names from the signature of the source.
xlac_status add_names(const Source &source, cache::Store *store,
                      xlac_program &program) {
  auto names = names_of_source(source, store);
  if (!names)
    return fail(names.error());
  set_names(names->arguments, program.arguments);
  set_names(names->results, program.results);
  program.entries = std::move(names->entries);
  return XLAC_OK;
}

/// Keeps the source for images that are made of the program.
xlac_status keep_program(const Source &source, const CompilerOptions &compile,
                         xlac_program &program) {
  runtime::ImageFile file;
  auto described =
      describe_image(source, compile, ImageExtras::NamesAndProgram, file);
  if (!described)
    return fail(described.error());
  program.program = std::move(file.program);
  return XLAC_OK;
}

/// The program inside an image, with the options of its compilation where
/// `given` has none.
xlac_status open_source(std::string_view bytes, const xlac_load_options &given,
                        std::string &artifact, Source &source,
                        CompilerOptions &compile) {
  source.bytes = bytes;
  auto all = std::as_bytes(std::span(bytes));
  if (!runtime::is_image_file(all))
    return XLAC_OK;
  auto file = runtime::read_image_file(all);
  if (!file)
    return fail_as(XLAC_INVALID_PROGRAM,
                   failure(file.error().failure_kind,
                           source.name + ": " + file.error().message));
  auto program = program_of_image(*file);
  if (!program)
    return fail_as(XLAC_INVALID_PROGRAM,
                   failure(program.error().failure_kind,
                           source.name + ": " + program.error().message));
  artifact = std::move(*program);
  source.bytes = artifact;
  if (!given.entry)
    source.entry = file->program->entry;
  add_compile_options(*file->program, compile);
  return XLAC_OK;
}

xlac_status load(std::string_view bytes, const char *default_name,
                 const xlac_load_options *given, xlac_program **out) {
  xlac_load_options known;
  if (xlac_status status = read_struct(given, known))
    return status;
  ProgramLoadOptions options;
  if (xlac_status status = options_of(known, options))
    return status;
  std::shared_ptr<cache::Store> store;
  if (!(known.flags & XLAC_LOAD_WITHOUT_CACHE))
    store = disk_cache();
  options.store = store.get();
  Source source{
      {}, text_or(known.name, default_name), text_or(known.entry, "main")};
  std::string artifact;
  if (xlac_status status =
          open_source(bytes, known, artifact, source, options.compile))
    return status;
  auto loaded = load_or_compile(source, options);
  if (!loaded)
    return fail(loaded.error());
  for (const std::string &warning : loaded->report.warnings)
    log_warning(warning);
  auto program = make_program(std::move(loaded->executable), source.entry);
  program->from_cache = loaded->cache == CacheStatus::Hit;
  if (known.flags & XLAC_LOAD_NAMES)
    if (xlac_status status = add_names(source, store.get(), *program))
      return status;
  if (known.flags & XLAC_LOAD_KEEP_PROGRAM)
    if (xlac_status status = keep_program(source, options.compile, *program))
      return status;
  *out = program.release();
  return XLAC_OK;
}

/// Loads an image from bytes that live as long as `owner`; without an owner,
/// what is needed of them is copied.
xlac_status load_image(std::span<const std::byte> bytes,
                       std::shared_ptr<const void> owner,
                       const char *default_name,
                       const xlac_image_options *given, xlac_program **out) {
  xlac_image_options known;
  if (xlac_status status = read_struct(given, known))
    return status;
  if (known.flags & ~uint32_t(XLAC_LOAD_WITHOUT_CACHE))
    return fail(XLAC_INVALID_ARGUMENT,
                "unknown flags: " + std::to_string(known.flags));
  std::string name = text_or(known.name, default_name);
  auto failed = [&](const Failure &why) {
    return fail_as(XLAC_INVALID_PROGRAM,
                   failure(why.failure_kind, name + ": " + why.message));
  };
  if (known.digest && !parse_digest(known.digest))
    return fail(XLAC_INVALID_ARGUMENT,
                "digest does not have 64 hexadecimal digits");
  auto checked = runtime::check_image_digest(bytes, text_or(known.digest, ""));
  if (!checked)
    return failed(checked.error());
  auto file = runtime::read_image_file(bytes, std::move(owner));
  if (!file)
    return failed(file.error());
  std::shared_ptr<cache::Store> store;
  if (!(known.flags & XLAC_LOAD_WITHOUT_CACHE))
    store = disk_cache();
  ProgramLoadOptions options;
  options.compile.threads = thread_limit();
  options.store = store.get();
  options.keep_in_memory = false;
  auto carried = file->program;
  auto argument_names = std::move(file->argument_names);
  auto result_names = std::move(file->result_names);
  auto loaded = xlac::load_image(std::move(*file), name, options);
  if (!loaded)
    return failed(loaded.error());
  for (const std::string &warning : loaded->report.warnings)
    log_warning(warning);
  auto program = make_program(std::move(loaded->executable),
                              carried ? carried->entry : "main");
  program->from_cache = loaded->cache == CacheStatus::Hit;
  set_names(argument_names, program->arguments);
  set_names(result_names, program->results);
  program->program = std::move(carried);
  *out = program.release();
  return XLAC_OK;
}

xlac_status value_info(const std::vector<ValueFacts> &values,
                       const std::vector<int64_t> &bytes, uint32_t number,
                       const char *noun, xlac_value_info *info) {
  if (number >= values.size())
    return missing(noun, number, values.size());
  const ValueFacts &value = values[number];
  xlac_value_info known{};
  known.name = value.name.c_str();
  known.dtype = XLAC_DTYPE_NONE;
  known.bytes = static_cast<uint64_t>(bytes[number]);
  known.alias = value.alias;
  known.is_invariant = value.is_invariant;
  if (value.type.is_tensor()) {
    const TensorType &type = value.type.tensor();
    known.dtype = static_cast<xlac_dtype>(static_cast<int>(type.element) + 1);
    known.rank = static_cast<uint32_t>(type.dims.size());
    known.dims = type.dims.data();
  }
  return write_struct(known, info);
}

xlac_status find_value(const std::vector<ValueFacts> &values, const char *noun,
                       const char *name, uint32_t *number) {
  if (!name)
    return null_argument("name");
  if (!number)
    return null_argument("number");
  for (size_t i = 0; i < values.size(); ++i)
    if (*name && values[i].name == name) {
      *number = static_cast<uint32_t>(i);
      return XLAC_OK;
    }
  return fail(XLAC_INVALID_ARGUMENT,
              std::string("no ") + noun + " has the name '" + name + "'");
}

} // namespace

} // namespace xlac::capi

using namespace xlac;
using namespace xlac::capi;

xlac_status xlac_program_load(const void *bytes, size_t size,
                              const xlac_load_options *options,
                              xlac_program **program) {
  return guarded([&] {
    if (!program)
      return null_argument("program");
    *program = nullptr;
    if (!bytes)
      return null_argument("bytes");
    return load({static_cast<const char *>(bytes), size}, "<input>", options,
                program);
  });
}

xlac_status xlac_program_load_file(const char *path,
                                   const xlac_load_options *options,
                                   xlac_program **program) {
  return guarded([&] {
    if (!program)
      return null_argument("program");
    *program = nullptr;
    if (!path)
      return null_argument("path");
    auto text = read_file(path);
    if (!text)
      return fail_as(XLAC_RUNTIME_ERROR, text.error());
    return load(*text, path, options, program);
  });
}

xlac_status xlac_program_load_image_with(const void *bytes, size_t size,
                                         const xlac_image_options *options,
                                         xlac_program **program) {
  return guarded([&] {
    if (!program)
      return null_argument("program");
    *program = nullptr;
    if (!bytes)
      return null_argument("bytes");
    return load_image({static_cast<const std::byte *>(bytes), size}, nullptr,
                      "<image>", options, program);
  });
}

xlac_status xlac_program_load_image_file_with(const char *path,
                                              const xlac_image_options *options,
                                              xlac_program **program) {
  return guarded([&] {
    if (!program)
      return null_argument("program");
    *program = nullptr;
    if (!path)
      return null_argument("path");
    xlac_image_options known;
    if (xlac_status status = read_struct(options, known))
      return status;
    // Nobody can change what has been read, after its digest was compared.
    if (known.digest) {
      auto text = read_file(path);
      if (!text)
        return fail_as(XLAC_RUNTIME_ERROR, text.error());
      return load_image(std::as_bytes(std::span(text->data(), text->size())),
                        nullptr, path, options, program);
    }
    auto bytes = map_file(path);
    if (!bytes)
      return fail_as(XLAC_RUNTIME_ERROR, bytes.error());
    return load_image(*bytes, bytes->owner(), path, options, program);
  });
}

xlac_status xlac_program_load_image(const void *bytes, size_t size,
                                    xlac_program **program) {
  return xlac_program_load_image_with(bytes, size, nullptr, program);
}

xlac_status xlac_program_load_image_file(const char *path,
                                         xlac_program **program) {
  return xlac_program_load_image_file_with(path, nullptr, program);
}

/// Calls `work` for a valid program. Exceptions become a status.
template <class Work>
static xlac_status on_program(const xlac_program *program, Work work) {
  return guarded([&] {
    xlac_status status = check_program(program);
    return status == XLAC_OK ? work() : status;
  });
}

xlac_status xlac_program_save(const xlac_program *program, const char *path) {
  return on_program(program, [&] {
    if (!path)
      return null_argument("path");
    auto written = runtime::write_image_file(
        path, {program->executable->whole_image(), names_of(program->arguments),
               names_of(program->results), program->program});
    return written ? XLAC_OK : fail_as(XLAC_RUNTIME_ERROR, written.error());
  });
}

void xlac_program_destroy(xlac_program *program) {
  if (!is_handle(program, HandleTag::Program))
    return;
  program->tag = HandleTag::Destroyed;
  delete program;
}

xlac_status xlac_program_get_info(const xlac_program *program,
                                  xlac_program_info *info) {
  return on_program(program, [&] {
    const runtime::ExecutableImage &image = program->executable->image();
    xlac_program_info known{};
    known.entry = program->entry.c_str();
    known.target = image.target_profile.c_str();
    known.argument_count = static_cast<uint32_t>(program->arguments.size());
    known.result_count = static_cast<uint32_t>(program->results.size());
    known.entry_count = static_cast<uint32_t>(program->entries.size());
    known.kernel_count = static_cast<uint32_t>(image.kernels.size());
    known.from_cache = program->from_cache;
    known.arena_bytes = static_cast<uint64_t>(
        std::max(image.arena_bytes, image.prologue.arena_bytes));
    known.code_bytes =
        static_cast<uint64_t>(program->executable->resident_bytes());
    for (int64_t bytes : image.prologue.result_bytes)
      known.prologue_bytes += static_cast<uint64_t>(bytes);
    known.replicas = static_cast<uint32_t>(image.grid.replicas);
    known.partitions = static_cast<uint32_t>(image.grid.partitions);
    known.has_program = program->program.has_value();
    return write_struct(known, info);
  });
}

xlac_status xlac_program_get_entry(const xlac_program *program, uint32_t number,
                                   const char **name) {
  return on_program(program, [&] {
    if (!name)
      return null_argument("name");
    if (number >= program->entries.size())
      return missing("entry", number, program->entries.size());
    *name = program->entries[number].c_str();
    return XLAC_OK;
  });
}

xlac_status xlac_program_get_argument(const xlac_program *program,
                                      uint32_t number, xlac_value_info *info) {
  return on_program(program, [&] {
    return value_info(program->arguments, program->executable->argument_bytes(),
                      number, "argument", info);
  });
}

xlac_status xlac_program_get_result(const xlac_program *program,
                                    uint32_t number, xlac_value_info *info) {
  return on_program(program, [&] {
    return value_info(program->results, program->executable->result_bytes(),
                      number, "result", info);
  });
}

xlac_status xlac_program_find_argument(const xlac_program *program,
                                       const char *name, uint32_t *number) {
  return on_program(program, [&] {
    return find_value(program->arguments, "argument", name, number);
  });
}

xlac_status xlac_program_find_result(const xlac_program *program,
                                     const char *name, uint32_t *number) {
  return on_program(program, [&] {
    return find_value(program->results, "result", name, number);
  });
}
