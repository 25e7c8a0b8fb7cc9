// Ahead-of-time compiled programs, executed on tensors.
#include "program_rep.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/storage.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/program_loader.h"
#include "xlac/support/fork.h"
#include "xlac/tensor/access.h"

namespace xlac::stablehlo {

using namespace frontend;
using graph::Value;

struct Executable::Rep {
  Program program;
  CompilerOptions options;
  std::shared_ptr<const runtime::Executable> executable;
  std::vector<Program::Type> inputs, outputs;
  Device device;
  bool from_cache = false;
  std::vector<std::string> warnings;
};

const Executable::Rep &Executable::rep() const {
  if (!rep_)
    raise<ValueError>("executable is undefined");
  return *rep_;
}

Executable build(const Program &program, BuildOptions options) {
  XLAC_CALL("build");
  if (options.opt_level < 0 || options.opt_level > 3)
    raise<ValueError>("opt_level is " + std::to_string(options.opt_level) +
                      ", wanted 0 to 3");
  if (options.device.type != kXLA)
    raise<DeviceError>("programs run on xla devices, got " +
                       options.device.str());
  auto rep = std::make_shared<Executable::Rep>();
  rep->options.target = unwrap(find_profile(options.cpu));
  if (!host_supports(rep->options.target.features))
    raise<UserError>("this machine cannot run code for " + options.cpu);
  rep->options.ignore_callbacks = options.ignore_callbacks;
  rep->device = lazy::resolve(options.device);
  rep->program = program;
  rep->inputs = program.inputs();
  rep->outputs = program.outputs();
  ProgramLoadOptions load;
  load.compile = rep->options;
  load.store = lazy::disk_cache();
  const ProgramAccess::Rep &source = ProgramAccess::rep(program);
  LoadedProgram loaded =
      unwrap(source.is_graph() ? load_or_compile(source.program, load)
                               : load_or_compile(source.as_source(), load));
  rep->executable = std::move(loaded.executable);
  rep->warnings = std::move(loaded.report.warnings);
  rep->from_cache =
      loaded.cache == CacheStatus::Memory || loaded.cache == CacheStatus::Hit;
  Executable executable;
  executable.rep_ = std::move(rep);
  return executable;
}

/// Formats a type as "float32[2, 3]".
static std::string describe(Dtype dtype, const Shape &shape) {
  return std::string(name(dtype)) + to_text(shape);
}

static void check_input(size_t number, const Tensor &input,
                        const Program::Type &wanted) {
  const TensorImpl &impl = impl_of(input);
  std::string difference = "input " + std::to_string(number) + " is " +
                           describe(impl.dtype, impl.sizes) + ", wanted " +
                           describe(wanted.dtype, wanted.shape);
  if (impl.dtype != wanted.dtype)
    raise<DtypeError>(difference);
  if (impl.sizes != wanted.shape)
    raise<ShapeError>(difference);
}

std::vector<Tensor> Executable::run(const std::vector<Tensor> &inputs) const {
  XLAC_CALL("run");
  const Rep &program = rep();
  if (inputs.size() != program.inputs.size())
    raise<ValueError>("the program takes " +
                      std::to_string(program.inputs.size()) + " inputs, got " +
                      std::to_string(inputs.size()));
  for (size_t i = 0; i < inputs.size(); ++i)
    check_input(i, inputs[i], program.inputs[i]);
  int device = program.device.index;
  std::vector<Tensor> moved;
  for (const Tensor &input : inputs)
    moved.push_back(input.detach().to(program.device));
  std::vector<TensorType> types;
  for (const Program::Type &type : program.outputs)
    types.push_back({lazy::element_type(type.dtype), type.shape, {}, {}});
  std::vector<Value> values = lazy::run_executable(
      device, program.executable, computed_values(device, moved), types);
  std::vector<Tensor> results;
  for (size_t i = 0; i < values.size(); ++i)
    results.push_back(TensorAccess::wrap(std::make_shared<TensorImpl>(
        lazy::Storage::make(program.device, std::move(values[i])),
        program.outputs[i].dtype, program.outputs[i].shape)));
  return results;
}

/// Returns the program at a stage of its compilation.
static std::string emitted(const Program &program,
                           const CompilerOptions &options, Stage stage) {
  std::string text = program.text();
  ForkSection section; // protects the compiler's locks from fork
  return unwrap(unwrap(open_compiler())->emit(Source{text}, options, stage));
}

std::string Executable::assembly() const {
  XLAC_CALL("assembly");
  return emitted(rep().program, rep().options, Stage::Assembly);
}

std::string Executable::llvm_ir() const {
  XLAC_CALL("llvm_ir");
  return emitted(rep().program, rep().options, Stage::Llvm);
}

int64_t Executable::kernel_count() const {
  XLAC_CALL("kernel_count");
  return static_cast<int64_t>(rep().executable->image().kernels.size());
}

const std::vector<std::string> &Executable::warnings() const {
  return rep().warnings;
}

bool Executable::from_cache() const {
  XLAC_CALL("from_cache");
  return rep().from_cache;
}

} // namespace xlac::stablehlo
