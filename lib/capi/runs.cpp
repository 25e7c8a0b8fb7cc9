// Buffers, contexts and runs.
#include "handles.h"

#include <algorithm>

namespace xlac::capi {

namespace {

constexpr size_t kAlignment = XLAC_ALIGNMENT;

xlac_status invalid(std::string message) {
  return fail(XLAC_INVALID_ARGUMENT, std::move(message));
}

bool is_aligned(const void *data) {
  return reinterpret_cast<uintptr_t>(data) % kAlignment == 0;
}

/// "argument 1 'x' of tensor<3xf32>".
std::string title(const std::vector<ValueFacts> &values, const char *noun,
                  size_t number) {
  const ValueFacts &value = values[number];
  return std::string(noun) + " " + std::to_string(number) +
         (value.name.empty() ? "" : " '" + value.name + "'") + " of " +
         to_string(value.type);
}

template <class View>
xlac_status check_views(const std::vector<ValueFacts> &values,
                        const std::vector<int64_t> &wanted, const char *noun,
                        const View *views, size_t count) {
  if (count != values.size())
    return invalid("the program has " + std::to_string(values.size()) + " " +
                   noun + "s, got " + std::to_string(count));
  if (count && !views)
    return invalid(std::string(noun) + "s is null");
  for (size_t i = 0; i < count; ++i) {
    if (views[i].bytes != static_cast<size_t>(wanted[i]))
      return invalid(title(values, noun, i) + " has " +
                     std::to_string(wanted[i]) + " bytes, got " +
                     std::to_string(views[i].bytes));
    if (views[i].bytes && !views[i].data)
      return invalid("the data of " + title(values, noun, i) + " is null");
  }
  return XLAC_OK;
}

struct Range {
  uintptr_t begin, end;
  Range(const void *data, size_t bytes)
      : begin(reinterpret_cast<uintptr_t>(data)), end(begin + bytes) {}
  bool overlaps(const Range &other) const {
    return begin < other.end && other.begin < end;
  }
  bool operator==(const Range &) const = default;
};

/// Results may overlap nothing but the argument that they alias, as a whole.
xlac_status check_overlaps(const xlac_program &program,
                           const xlac_const_view *arguments,
                           const xlac_view *results) {
  for (size_t i = 0; i < program.results.size(); ++i) {
    Range result(results[i].data, results[i].bytes);
    for (size_t k = 0; k < program.arguments.size(); ++k) {
      Range argument(arguments[k].data, arguments[k].bytes);
      bool may = program.results[i].alias == static_cast<int32_t>(k) &&
                 result == argument;
      if (!may && result.overlaps(argument))
        return invalid("the memory of " + title(program.results, "result", i) +
                       " overlaps that of " +
                       title(program.arguments, "argument", k));
    }
    for (size_t k = 0; k < i; ++k)
      if (result.overlaps(Range(results[k].data, results[k].bytes)))
        return invalid("the memory of results " + std::to_string(k) + " and " +
                       std::to_string(i) + " overlaps");
  }
  return XLAC_OK;
}

/// A context for one run: the caller's, or one of the program's pool.
class Lease {
public:
  Lease(const xlac_program &program, xlac_context *given)
      : program_(program), context_(given) {
    if (given)
      return;
    std::lock_guard lock(program.mutex);
    if (!program.contexts.empty()) {
      own_ = std::move(program.contexts.back());
      program.contexts.pop_back();
    }
  }
  ~Lease() {
    if (is_locked_)
      get().in_use.unlock();
    if (!own_)
      return;
    std::lock_guard lock(program_.mutex);
    try {
      program_.contexts.push_back(std::move(own_));
    } catch (const std::bad_alloc &) {
      // The next run makes another context.
    }
  }
  Lease(const Lease &) = delete;
  Lease &operator=(const Lease &) = delete;

  /// False if another run uses the context.
  bool lock() {
    if (!context_ && !own_)
      own_ = std::make_unique<xlac_context>();
    is_locked_ = get().in_use.try_lock();
    return is_locked_;
  }
  xlac_context &get() { return context_ ? *context_ : *own_; }

private:
  const xlac_program &program_;
  xlac_context *context_;
  std::unique_ptr<xlac_context> own_;
  bool is_locked_ = false;
};

/// Computes the values of invariant arguments, unless the context has them.
Status prepare_invariants(const runtime::Executable &executable,
                          xlac_context &context, uint64_t version,
                          const std::vector<const void *> &arguments,
                          std::vector<const void *> &all) {
  const runtime::Prologue &prologue = executable.image().prologue;
  if (prologue.empty())
    return {};
  auto &kept = context.invariants[executable.id()];
  if (kept.values.empty())
    for (int64_t bytes : prologue.result_bytes) {
      auto value = runtime::Buffer::allocate(allocator(), bytes);
      if (!value)
        return value.error();
      kept.values.push_back(std::move(*value));
    }
  if (version == 0 || kept.version != version) {
    kept.version = 0;
    std::vector<void *> values;
    for (const runtime::BufferRef &value : kept.values)
      values.push_back(value->data());
    XLAC_RETURN_IF_ERROR(
        executable.run_prologue(context.run, arguments, values));
    kept.version = version;
  }
  for (const runtime::BufferRef &value : kept.values)
    all.push_back(value->data());
  return {};
}

Status run_in(const xlac_program &program, xlac_context &context,
              uint64_t version, const xlac_const_view *arguments,
              const xlac_view *results) {
  const runtime::Executable &executable = *program.executable;
  // For arguments and results without elements.
  alignas(kAlignment) std::byte nothing[kAlignment];
  std::vector<const void *> given;
  for (size_t i = 0; i < program.arguments.size(); ++i)
    given.push_back(arguments[i].bytes ? arguments[i].data : nothing);
  std::vector<const void *> all = given;
  XLAC_RETURN_IF_ERROR(
      prepare_invariants(executable, context, version, given, all));
  std::vector<void *> places;
  std::vector<runtime::BufferRef> copies(program.results.size());
  for (size_t i = 0; i < program.results.size(); ++i) {
    void *place = results[i].data;
    if (results[i].bytes == 0)
      place = nothing;
    else if (!is_aligned(place)) {
      auto copy =
          runtime::Buffer::allocate(allocator(), executable.result_bytes()[i]);
      if (!copy)
        return copy.error();
      copies[i] = std::move(*copy);
      place = copies[i]->data();
    }
    places.push_back(place);
  }
  XLAC_RETURN_IF_ERROR(executable.run(context.run, all, places));
  for (size_t i = 0; i < copies.size(); ++i)
    if (copies[i])
      std::memcpy(results[i].data, copies[i]->data(), results[i].bytes);
  return {};
}

/// Checks what runs of all kinds have in common.
xlac_status check_run(const xlac_program *program,
                      const xlac_const_view *arguments, size_t argument_count,
                      const xlac_run_options *given,
                      xlac_run_options &options) {
  if (!is_handle(program, HandleTag::Program))
    return invalid("program is not a program");
  if (xlac_status status = read_struct(given, options))
    return status;
  constexpr int32_t kMostThreads = 4096;
  if (options.threads < 0 || options.threads > kMostThreads)
    return invalid("expected 0 to 4096 threads, got " +
                   std::to_string(options.threads));
  if (options.context && !is_handle(options.context, HandleTag::Context))
    return invalid("context is not a context");
  if (options.invariant_version && !options.context)
    return invalid("invariant_version needs a context");
  const runtime::ExecutableImage &image = program->executable->image();
  if (image.grid.count() > 1 || image.partitions > 1)
    return fail(
        XLAC_UNSUPPORTED,
        "the program is made for " +
            std::to_string(std::max(image.grid.count(), image.partitions)) +
            " devices; the C interface runs programs of one");
  return check_views(program->arguments, program->executable->argument_bytes(),
                     "argument", arguments, argument_count);
}

xlac_status run_checked(const xlac_program &program,
                        const xlac_const_view *arguments,
                        const xlac_view *results,
                        const xlac_run_options &options) {
  if (xlac_status status = check_overlaps(program, arguments, results))
    return status;
  Lease lease(program, options.context);
  if (!lease.lock())
    return invalid("another run uses the context");
  xlac_context &context = lease.get();
  context.run.set_threads(options.threads ? options.threads : thread_limit());
  Status status =
      run_in(program, context, options.invariant_version, arguments, results);
  return status ? XLAC_OK : fail(status.error());
}

xlac_status make_buffer(size_t bytes, std::unique_ptr<xlac_buffer> &out) {
  if (bytes > static_cast<size_t>(INT64_MAX))
    return fail(XLAC_OUT_OF_MEMORY, "out of memory");
  auto buffer = std::make_unique<xlac_buffer>();
  auto data = allocator()->allocate(static_cast<int64_t>(bytes));
  if (!data)
    return fail(data.error());
  buffer->data = *data;
  buffer->bytes = bytes;
  out = std::move(buffer);
  return XLAC_OK;
}

struct BufferDeleter {
  void operator()(xlac_buffer *buffer) const { xlac_buffer_destroy(buffer); }
};
using OwnedBuffer = std::unique_ptr<xlac_buffer, BufferDeleter>;

} // namespace

} // namespace xlac::capi

using namespace xlac;
using namespace xlac::capi;

xlac_status xlac_buffer_create(size_t bytes, xlac_buffer **buffer) {
  return guarded([&] {
    if (!buffer)
      return invalid("buffer is null");
    *buffer = nullptr;
    std::unique_ptr<xlac_buffer> made;
    if (xlac_status status = make_buffer(bytes, made))
      return status;
    std::memset(made->data, 0, bytes);
    *buffer = made.release();
    return XLAC_OK;
  });
}

void *xlac_buffer_data(const xlac_buffer *buffer) {
  return is_handle(buffer, HandleTag::Buffer) ? buffer->data : nullptr;
}

size_t xlac_buffer_bytes(const xlac_buffer *buffer) {
  return is_handle(buffer, HandleTag::Buffer) ? buffer->bytes : 0;
}

void xlac_buffer_destroy(xlac_buffer *buffer) {
  if (!is_handle(buffer, HandleTag::Buffer))
    return;
  buffer->tag = HandleTag::Destroyed;
  allocator()->release(buffer->data, static_cast<int64_t>(buffer->bytes));
  delete buffer;
}

xlac_status xlac_trim_memory(void) {
  return guarded([] {
    allocator()->trim();
    return XLAC_OK;
  });
}

xlac_status xlac_context_create(xlac_context **context) {
  return guarded([&] {
    if (!context)
      return invalid("context is null");
    *context = new xlac_context;
    return XLAC_OK;
  });
}

xlac_status xlac_context_set_arena(xlac_context *context, xlac_view arena) {
  return guarded([&] {
    if (!is_handle(context, HandleTag::Context))
      return invalid("context is not a context");
    if (!arena.data && arena.bytes)
      return invalid("the data of the arena is null");
    if (!is_aligned(arena.data))
      return invalid("the arena is not aligned to 64 bytes");
    if (arena.bytes > static_cast<size_t>(INT64_MAX))
      return invalid("the arena is larger than memory");
    std::unique_lock lock(context->in_use, std::try_to_lock);
    if (!lock)
      return invalid("a run uses the context");
    context->run.lend_arena(static_cast<std::byte *>(arena.data),
                            static_cast<int64_t>(arena.bytes));
    return XLAC_OK;
  });
}

void xlac_context_destroy(xlac_context *context) {
  if (!is_handle(context, HandleTag::Context))
    return;
  context->tag = HandleTag::Destroyed;
  delete context;
}

xlac_status xlac_program_run(const xlac_program *program,
                             const xlac_const_view *arguments,
                             size_t argument_count, const xlac_view *results,
                             size_t result_count,
                             const xlac_run_options *options) {
  return guarded([&] {
    xlac_run_options known;
    if (xlac_status status =
            check_run(program, arguments, argument_count, options, known))
      return status;
    if (xlac_status status =
            check_views(program->results, program->executable->result_bytes(),
                        "result", results, result_count))
      return status;
    return run_checked(*program, arguments, results, known);
  });
}

xlac_status xlac_program_run_new(const xlac_program *program,
                                 const xlac_const_view *arguments,
                                 size_t argument_count, xlac_buffer **results,
                                 size_t result_count,
                                 const xlac_run_options *options) {
  return guarded([&] {
    if (result_count && !results)
      return invalid("results is null");
    std::fill_n(results, result_count, nullptr);
    xlac_run_options known;
    if (xlac_status status =
            check_run(program, arguments, argument_count, options, known))
      return status;
    if (result_count != program->results.size())
      return invalid("the program has " +
                     std::to_string(program->results.size()) +
                     " results, got room for " + std::to_string(result_count));
    std::vector<OwnedBuffer> made(result_count);
    std::vector<xlac_view> views(result_count);
    for (size_t i = 0; i < result_count; ++i) {
      std::unique_ptr<xlac_buffer> buffer;
      if (xlac_status status = make_buffer(
              static_cast<size_t>(program->executable->result_bytes()[i]),
              buffer))
        return status;
      made[i].reset(buffer.release());
      views[i] = {made[i]->data, made[i]->bytes};
    }
    if (xlac_status status =
            run_checked(*program, arguments, views.data(), known))
      return status;
    for (size_t i = 0; i < result_count; ++i)
      results[i] = made[i].release();
    return XLAC_OK;
  });
}
