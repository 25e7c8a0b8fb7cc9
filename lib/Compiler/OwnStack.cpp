#include "OwnStack.h"

#include "CompileKernels.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/thread.h"

#include <exception>

namespace xlac::compiler {
namespace {

void runOnOwnStack(llvm::function_ref<void()> work) {
  std::exception_ptr problem;
  llvm::thread thread(std::optional<unsigned>(kThreadStack), [&] {
    try {
      work();
    } catch (...) {
      problem = std::current_exception();
    }
  });
  thread.join();
  if (problem)
    std::rethrow_exception(problem);
}

template <class Work> auto callOnOwnStack(const Work &work) {
  std::optional<decltype(work())> result;
  runOnOwnStack([&] { result.emplace(work()); });
  return std::move(*result);
}

/// Ends on such a stack too: ops are destroyed region by region.
class Parsed final : public ParsedProgram {
public:
  explicit Parsed(std::unique_ptr<ParsedProgram> inner)
      : inner(std::move(inner)) {}
  ~Parsed() override {
    runOnOwnStack([&] { inner.reset(); });
  }

  Result<std::string> key() override {
    return callOnOwnStack([&] { return inner->key(); });
  }
  Result<ExecutableImage> compile(const CompilerOptions &options,
                                  CompileReport *report) override {
    return callOnOwnStack([&] { return inner->compile(options, report); });
  }

private:
  std::unique_ptr<ParsedProgram> inner;
};

class OnOwnStack final : public Compiler {
public:
  explicit OnOwnStack(Compiler &inner) : inner(inner) {}

  std::string build_id() const override { return inner.build_id(); }
  Result<Signature> signature(const Source &source) override {
    return callOnOwnStack([&] { return inner.signature(source); });
  }
  Result<std::unique_ptr<ParsedProgram>> parse(const Source &source) override {
    auto parsed = callOnOwnStack([&] { return inner.parse(source); });
    if (!parsed)
      return parsed.error();
    return std::unique_ptr<ParsedProgram>(new Parsed(std::move(*parsed)));
  }
  Result<ExecutableImage> compile(const Source &source,
                                  const CompilerOptions &options,
                                  CompileReport *report) override {
    return callOnOwnStack(
        [&] { return inner.compile(source, options, report); });
  }
  Result<ExecutableImage> compile(const graph::Program &program,
                                  const CompilerOptions &options,
                                  CompileReport *report) override {
    return callOnOwnStack(
        [&] { return inner.compile(program, options, report); });
  }
  Result<std::string> emit(const Source &source, const CompilerOptions &options,
                           Stage stage, CompileReport *report) override {
    return callOnOwnStack(
        [&] { return inner.emit(source, options, stage, report); });
  }
  Result<ProgramPicture> picture(const Source &source,
                                 const CompilerOptions &options) override {
    return callOnOwnStack([&] { return inner.picture(source, options); });
  }
  Result<std::string> print(const graph::Program &program,
                            bool debug_info) override {
    return callOnOwnStack([&] { return inner.print(program, debug_info); });
  }
  Result<std::string> print(const Source &source,
                            const TextOptions &options) override {
    return callOnOwnStack([&] { return inner.print(source, options); });
  }
  Result<std::string> artifact(const Source &source,
                               const ArtifactOptions &options) override {
    return callOnOwnStack([&] { return inner.artifact(source, options); });
  }
  Result<std::string> artifact(const graph::Program &program,
                               const ArtifactOptions &options) override {
    return callOnOwnStack([&] { return inner.artifact(program, options); });
  }
  Result<std::string> program_key(const Source &source) override {
    return callOnOwnStack([&] { return inner.program_key(source); });
  }
  Result<std::string> run_passes(const Source &source,
                                 std::string_view pipeline) override {
    return callOnOwnStack([&] { return inner.run_passes(source, pipeline); });
  }
  Result<std::vector<CheckCase>> check_cases(const Source &source) override {
    return callOnOwnStack([&] { return inner.check_cases(source); });
  }
  std::string symbolize(uintptr_t address) override {
    return inner.symbolize(address);
  }

private:
  Compiler &inner;
};

} // namespace

std::unique_ptr<Compiler> onOwnStack(Compiler &compiler) {
  return std::make_unique<OnOwnStack>(compiler);
}

} // namespace xlac::compiler
