// Ahead-of-time compiled programs, executed on tensors.
#include "program_rep.h"

#include "xlac/lazy/devices.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/storage.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/image_loader.h"
#include "xlac/support/fork.h"
#include "xlac/support/read_file.h"
#include "xlac/support/recently_used.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <optional>
#include <span>

namespace xlac::stablehlo {

using namespace frontend;
using graph::Value;

namespace {

/// The code of a program for one list of input shapes.
struct Variant {
  std::shared_ptr<ProgramCode> code = {};
  std::vector<TensorType> outputs = {};
  bool from_cache = false;
  std::vector<std::string> warnings;
};
using VariantRef = std::shared_ptr<const Variant>;

/// Variants that an executable keeps. The process keeps more of them.
constexpr size_t kMostVariants = 64;

bool is_static(const Program::Type &type) {
  return std::ranges::find(type.shape, kDynamic) == type.shape.end();
}

} // namespace

struct Executable::Rep {
  std::optional<Program>
      program; ///< nothing for code that was read from a file
  /// The program in the file, if there is one.
  std::optional<runtime::ImageProgram> carried;
  std::vector<std::string> input_names, output_names;
  CompilerOptions options;
  std::vector<Program::Type> inputs;
  Device device;
  /// Of a program with static shapes; else null.
  VariantRef variant;
  /// Of other programs, by the sizes of the inputs.
  mutable RecentlyUsed<std::string, VariantRef> variants{kMostVariants};

  VariantRef make_variant(ArgumentSizes sizes) const;
  /// The code for the next run of a variant.
  ProgramCode::Executable code_of(const Variant &variant,
                                  const std::vector<Tensor> &inputs) const;
  VariantRef variant_of(const std::vector<Tensor> &inputs) const;
  /// The variant of a program with static shapes. Raises ValueError for others.
  const Variant &single() const;
};

static VariantRef variant_of_code(LoadedProgram loaded) {
  auto made = std::make_shared<Variant>();
  const runtime::ExecutableImage &image = loaded.executable->image();
  for (const xlac::Type &type :
       image.partitions > 1 ? image.global_results : image.results)
    made->outputs.push_back(type.tensor());
  made->code = std::move(loaded.code);
  made->warnings = std::move(loaded.report.warnings);
  made->from_cache =
      loaded.cache == CacheStatus::Memory || loaded.cache == CacheStatus::Hit;
  return made;
}

static ProgramLoadOptions load_options(const CompilerOptions &compile,
                                       ArgumentSizes sizes) {
  ProgramLoadOptions load;
  load.compile = compile;
  load.compile.argument_sizes = std::move(sizes);
  load.store = lazy::disk_cache();
  load.in_background = true;
  return load;
}

/// Finds or compiles the program for inputs of these sizes.
VariantRef Executable::Rep::make_variant(ArgumentSizes sizes) const {
  ProgramLoadOptions load = load_options(options, std::move(sizes));
  const ProgramAccess::Rep &source = ProgramAccess::rep(*program);
  LoadedProgram loaded =
      unwrap(source.is_graph() ? load_or_compile(source.program, load)
                               : load_or_compile(source.as_source(), load));
  if (loaded.was_compiled())
    count_compilation(loaded);
  return variant_of_code(std::move(loaded));
}

static ArgumentSizes sizes_of(const std::vector<Tensor> &inputs) {
  ArgumentSizes sizes;
  for (const Tensor &input : inputs)
    sizes.emplace_back(static_cast<uint32_t>(sizes.size()),
                       impl_of(input).sizes);
  return sizes;
}

VariantRef
Executable::Rep::variant_of(const std::vector<Tensor> &inputs) const {
  if (variant)
    return variant;
  ArgumentSizes sizes = sizes_of(inputs);
  std::string key;
  for (const auto &[argument, shape] : sizes)
    key += to_text(shape);
  VariantRef found = variants.find(key);
  if (!found) {
    found = make_variant(std::move(sizes));
    variants.keep(key, found);
  }
  return found;
}

ProgramCode::Executable
Executable::Rep::code_of(const Variant &used,
                         const std::vector<Tensor> &inputs) const {
  if (used.code->count_run()) {
    const ProgramAccess::Rep &source = ProgramAccess::rep(*program);
    ArgumentSizes sizes = variant ? options.argument_sizes : sizes_of(inputs);
    ProgramLoadOptions load = load_options(options, std::move(sizes));
    if (source.is_graph())
      specialize(source.program, load, used.code);
    else
      specialize(source.as_source(), load, used.code);
  }
  return used.code->executable();
}

const Variant &Executable::Rep::single() const {
  if (!variant)
    raise<ValueError>("the program has inputs of unknown sizes, and code for "
                      "each list of sizes; build it with "
                      "BuildOptions::input_shapes");
  return *variant;
}

const Executable::Rep &Executable::rep() const {
  if (!rep_)
    raise<ValueError>("executable is undefined");
  return *rep_;
}

/// "float32[2, ?]".
static std::string describe(Dtype dtype, const Shape &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : ", ") +
            (size == kDynamic ? "?" : std::to_string(size));
  return std::string(name(dtype)) + "[" + text + "]";
}

/// True if `shape` has the sizes of `wanted`, where they are known.
static bool fits(const Shape &shape, const Shape &wanted) {
  return std::ranges::equal(shape, wanted, [](int64_t size, int64_t want) {
    return want == kDynamic ? size >= 0 : size == want;
  });
}

/// Gives the inputs the shapes that the caller of build() has fixed.
template <class Rep>
static void fix_inputs(Rep &rep, const std::vector<Shape> &shapes) {
  if (shapes.empty())
    return;
  if (shapes.size() != rep.inputs.size())
    raise<ValueError>("input_shapes has " + std::to_string(shapes.size()) +
                      " shapes, the program takes " +
                      std::to_string(rep.inputs.size()) + " inputs");
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (!fits(shapes[i], rep.inputs[i].shape))
      raise<ShapeError>("input_shapes has " + to_text(shapes[i]) +
                        " for input " + std::to_string(i) + ", wanted " +
                        describe(rep.inputs[i].dtype, rep.inputs[i].shape));
    rep.inputs[i].shape = shapes[i];
    rep.options.argument_sizes.emplace_back(static_cast<uint32_t>(i),
                                            shapes[i]);
  }
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
  const Signature &signature = ProgramAccess::rep(program).signature;
  rep->input_names = names_or_none(signature.argument_names);
  rep->output_names = names_or_none(signature.result_names);
  fix_inputs(*rep, options.input_shapes);
  if (std::ranges::all_of(rep->inputs, is_static))
    rep->variant = rep->make_variant(rep->options.argument_sizes);
  Executable executable;
  executable.rep_ = std::move(rep);
  return executable;
}

static void check_input(size_t number, const Tensor &input,
                        const Program::Type &wanted) {
  const TensorImpl &impl = impl_of(input);
  std::string difference = "input " + std::to_string(number) + " is " +
                           describe(impl.dtype, impl.sizes) + ", wanted " +
                           describe(wanted.dtype, wanted.shape);
  if (impl.dtype != wanted.dtype)
    raise<DtypeError>(difference);
  if (!fits(impl.sizes, wanted.shape))
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
  VariantRef variant = program.variant_of(inputs);
  std::vector<Value> values =
      lazy::run_executable(device, program.code_of(*variant, inputs),
                           computed_values(device, moved), variant->outputs);
  std::vector<Tensor> results;
  for (size_t i = 0; i < values.size(); ++i) {
    const TensorType &type = variant->outputs[i];
    results.push_back(TensorAccess::wrap(std::make_shared<TensorImpl>(
        lazy::Storage::make(program.device, std::move(values[i])),
        *lazy::dtype_of_element(type.element), type.dims)));
  }
  return results;
}

/// The program for a file, from a traced graph or from a source.
static runtime::ImageProgram program_for_file(const Program &program,
                                              const CompilerOptions &compiled) {
  ForkSection section; // protects the compiler's locks from fork
  const ProgramAccess::Rep &rep = ProgramAccess::rep(program);
  std::string artifact;
  Source source = rep.as_source();
  if (rep.is_graph()) {
    Compiler *compiler = unwrap(open_compiler());
    artifact = unwrap(compiler->artifact(rep.program, ArtifactOptions()));
    source.bytes = artifact;
  }
  runtime::ImageFile file;
  unwrap(describe_image(source, compiled, ImageExtras::NamesAndProgram, file));
  return std::move(*file.program);
}

void Executable::save(const std::filesystem::path &path,
                      SaveOptions options) const {
  XLAC_CALL("save");
  const Rep &from = rep();
  runtime::ImageFile file{from.single().code->executable()->whole_image(),
                          from.input_names,
                          from.output_names,
                          {}};
  if (options.program && from.program)
    file.program = program_for_file(*from.program, from.options);
  else if (options.program)
    file.program = from.carried;
  unwrap(runtime::write_image_file(path, file));
}

/// The types of the inputs of compiled code.
static std::vector<Program::Type>
inputs_of(const runtime::ExecutableImage &image) {
  std::vector<Program::Type> inputs;
  for (const xlac::Type &type :
       image.partitions > 1 ? image.global_arguments : image.arguments) {
    std::optional<Dtype> dtype;
    if (type.is_tensor())
      dtype = lazy::dtype_of_element(type.tensor().element);
    if (!dtype)
      raise<UnsupportedError>("the program has inputs that are no tensors of a "
                              "Dtype");
    inputs.push_back({*dtype, type.tensor().dims});
  }
  return inputs;
}

Executable Executable::load(const std::filesystem::path &path,
                            LoadOptions options) {
  XLAC_CALL("load");
  if (options.device.type != kXLA)
    raise<DeviceError>("programs run on xla devices, got " +
                       options.device.str());
  Result<SharedBytes> bytes = options.digest.empty()
                                  ? map_file(path.string())
                                  : read_shared(path.string());
  if (!bytes)
    raise<RuntimeError>(bytes.error().message);
  auto fail = [&](const Failure &why) {
    raise<UserError>(path.string() + ": " + why.message);
  };
  if (auto checked = runtime::check_image_digest(*bytes, options.digest);
      !checked)
    fail(checked.error());
  auto file = runtime::read_image_file(*bytes, bytes->owner());
  if (!file)
    fail(file.error());
  auto rep = std::make_shared<Rep>();
  rep->device = lazy::resolve(options.device);
  rep->carried = file->program;
  rep->input_names = std::move(file->argument_names);
  rep->output_names = std::move(file->result_names);
  if (rep->carried)
    add_compile_options(*rep->carried, rep->options);
  ProgramLoadOptions load;
  load.store = lazy::disk_cache();
  auto loaded = load_image(std::move(*file), path.string(), load);
  if (!loaded)
    fail(loaded.error());
  const runtime::ExecutableImage &image = loaded->executable->image();
  rep->inputs = inputs_of(image);
  rep->options.target = unwrap(find_profile(image.target_profile));
  if (loaded->was_compiled())
    count_compilation(*loaded);
  rep->variant = variant_of_code(std::move(*loaded));
  Executable executable;
  executable.rep_ = std::move(rep);
  return executable;
}

const std::vector<std::string> &Executable::input_names() const {
  return rep().input_names;
}

const std::vector<std::string> &Executable::output_names() const {
  return rep().output_names;
}

/// Returns the program at a stage of its compilation.
template <class Rep> static std::string emitted(const Rep &rep, Stage stage) {
  std::string text, entry = "main";
  if (rep.program) {
    text = rep.program->text();
    entry = ProgramAccess::rep(*rep.program).entry;
  } else if (rep.carried) {
    text = unwrap(runtime::unpack_artifact(*rep.carried));
    entry = rep.carried->entry;
  } else {
    raise<ValueError>("the executable was read from a file, which does not "
                      "contain its program");
  }
  ForkSection section; // protects the compiler's locks from fork
  return unwrap(unwrap(open_compiler())
                    ->emit(Source{text, "<input>", entry}, rep.options, stage));
}

std::string Executable::assembly() const {
  XLAC_CALL("assembly");
  (void)rep().single();
  return emitted(rep(), Stage::Assembly);
}

std::string Executable::llvm_ir() const {
  XLAC_CALL("llvm_ir");
  (void)rep().single();
  return emitted(rep(), Stage::Llvm);
}

int64_t Executable::kernel_count() const {
  XLAC_CALL("kernel_count");
  return static_cast<int64_t>(
      rep().single().code->executable()->image().kernels.size());
}

const std::vector<std::string> &Executable::warnings() const {
  return rep().single().warnings;
}

bool Executable::from_cache() const {
  XLAC_CALL("from_cache");
  return rep().single().from_cache;
}

} // namespace xlac::stablehlo
