#include "LargeStack.h"

#include "WorkerThread.h"

#include "xlac/compiler_check_case.h"
#include "xlac/compiler_object.h"
#include "xlac/compiler_picture.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <new>
#include <system_error>

namespace xlac::compiler {
namespace {

/// Converts an exception of the compiler to a failure. Does not allocate for
/// std::bad_alloc.
Failure failureOf(std::exception_ptr problem) {
  try {
    std::rethrow_exception(std::move(problem));
  } catch (const std::bad_alloc &) {
    return failure(FailureKind::OutOfMemory, "out of memory");
  } catch (const std::system_error &error) {
    return failure(FailureKind::Runtime, error.what());
  } catch (const std::exception &error) {
    return failure(FailureKind::Internal,
                   std::string("the compiler failed: ") + error.what());
  }
}

/// Returns whether all work was done. Otherwise sets `stopped` to the reason.
bool runOnLargeStack(llvm::function_ref<void()> work, Failure &stopped) {
  std::exception_ptr problem;
  std::exception_ptr begun = exceptionOf([&] {
    WorkerThread thread([work] { work(); });
    problem = thread.join();
  });
  if (begun)
    problem = begun;
  if (!problem)
    return true;
  stopped = failureOf(std::move(problem));
  return false;
}

template <class Work>
auto callOnLargeStack(const Work &work) -> decltype(work()) {
  std::optional<decltype(work())> result;
  Failure stopped;
  if (!runOnLargeStack([&] { result.emplace(work()); }, stopped))
    return stopped;
  return std::move(*result);
}

/// Its destructor also runs on such a stack, because ops are destroyed
/// recursively.
class Parsed final : public ParsedProgram {
public:
  explicit Parsed(std::unique_ptr<ParsedProgram> inner)
      : inner(std::move(inner)) {}
  ~Parsed() override {
    Failure stopped;
    if (!runOnLargeStack([&] { inner.reset(); }, stopped))
      (void)inner.release();
  }

  Result<std::string> key() override {
    return call([&] { return inner->key(); });
  }
  Result<std::string> family() override {
    return call([&] { return inner->family(); });
  }
  Result<Signature> signature() override {
    return call([&] { return inner->signature(); });
  }
  bool has_calls_for(const CallPartitioner &partitioner) override {
    return inner && inner->has_calls_for(partitioner);
  }
  Result<runtime::ExecutableImage> compile(const CompilerOptions &options,
                                           CompileReport *report) override {
    return call([&] { return inner->compile(options, report); });
  }

private:
  /// A program that ran out of memory may be inconsistent, and must not be used
  /// or destroyed.
  template <class Work> auto call(const Work &work) -> decltype(work()) {
    if (!inner)
      return failure(FailureKind::OutOfMemory, "out of memory");
    std::optional<decltype(work())> result;
    Failure stopped;
    if (runOnLargeStack([&] { result.emplace(work()); }, stopped))
      return std::move(*result);
    (void)inner.release();
    return stopped;
  }

  std::unique_ptr<ParsedProgram> inner;
};

class LargeStackCall final : public Compiler {
public:
  explicit LargeStackCall(Compiler &inner) : inner(inner) {}

  std::string build_id() const override { return inner.build_id(); }
  Result<Signature> signature(const Source &source) override {
    return callOnLargeStack([&] { return inner.signature(source); });
  }
  Result<ProgramDescription> describe(const Source &source) override {
    return callOnLargeStack([&] { return inner.describe(source); });
  }
  Result<std::unique_ptr<ParsedProgram>> parse(const Source &source) override {
    auto parsed = callOnLargeStack([&] { return inner.parse(source); });
    if (!parsed)
      return parsed.error();
    return std::unique_ptr<ParsedProgram>(new Parsed(std::move(*parsed)));
  }
  Result<std::unique_ptr<ParsedProgram>>
  parse(const graph::Program &program) override {
    auto parsed = callOnLargeStack([&] { return inner.parse(program); });
    if (!parsed)
      return parsed.error();
    return std::unique_ptr<ParsedProgram>(new Parsed(std::move(*parsed)));
  }
  Result<runtime::ExecutableImage> compile(const Source &source,
                                           const CompilerOptions &options,
                                           CompileReport *report) override {
    return callOnLargeStack(
        [&] { return inner.compile(source, options, report); });
  }
  Result<runtime::ExecutableImage> compile(const graph::Program &program,
                                           const CompilerOptions &options,
                                           CompileReport *report) override {
    return callOnLargeStack(
        [&] { return inner.compile(program, options, report); });
  }
  Result<std::string> emit(const Source &source, const CompilerOptions &options,
                           Stage stage, CompileReport *report) override {
    return callOnLargeStack(
        [&] { return inner.emit(source, options, stage, report); });
  }
  Result<ObjectFiles> write_object(const ObjectRequest &request) override {
    return callOnLargeStack([&] { return inner.write_object(request); });
  }
  Result<ProgramPicture> picture(const Source &source,
                                 const CompilerOptions &options) override {
    return callOnLargeStack([&] { return inner.picture(source, options); });
  }
  Result<std::string> print(const graph::Program &program,
                            bool debug_info) override {
    return callOnLargeStack([&] { return inner.print(program, debug_info); });
  }
  Result<std::string> print(const Source &source,
                            const TextOptions &options) override {
    return callOnLargeStack([&] { return inner.print(source, options); });
  }
  Result<std::string> artifact(const Source &source,
                               const ArtifactOptions &options) override {
    return callOnLargeStack([&] { return inner.artifact(source, options); });
  }
  Result<std::string> artifact(const graph::Program &program,
                               const ArtifactOptions &options) override {
    return callOnLargeStack([&] { return inner.artifact(program, options); });
  }
  Result<std::string> program_key(const Source &source) override {
    return callOnLargeStack([&] { return inner.program_key(source); });
  }
  Result<std::string> run_passes(const Source &source,
                                 std::string_view pipeline) override {
    return callOnLargeStack([&] { return inner.run_passes(source, pipeline); });
  }
  Result<std::vector<CheckCase>> check_cases(const Source &source) override {
    return callOnLargeStack([&] { return inner.check_cases(source); });
  }
  std::string symbolize(uintptr_t address) override {
    return inner.symbolize(address);
  }

private:
  Compiler &inner;
};

} // namespace

std::unique_ptr<Compiler> onLargeStack(Compiler &compiler) {
  return std::make_unique<LargeStackCall>(compiler);
}

} // namespace xlac::compiler
