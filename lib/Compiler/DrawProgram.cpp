#include "DrawProgram.h"

#include "DescribeKernels.h"

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/support/program_names.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using llvm::Expected;
using llvm::StringRef;

namespace xlac::compiler {
namespace {

/// Traverses one program. Buffers are numbered in order of appearance.
class Drawer {
public:
  Drawer(ModuleOp module, ir::ProgramOp program, ProgramPicture &picture)
      : module(module), program(program), picture(picture) {}

  void draw();

private:
  void drawKernel(ir::KernelOp kernel);
  void addBuffer(Operation *op);
  std::vector<ProgramPicture::Step> drawBlock(Block &block);
  ProgramPicture::Step drawStep(Operation *op);
  void addBodies(ProgramPicture::Step &step, MutableArrayRef<Region> regions);
  uint32_t numberOf(mlir::Value buffer) { return numbers.lookup(buffer); }
  std::vector<uint32_t> numbersOf(mlir::ValueRange buffers);

  ModuleOp module;
  ir::ProgramOp program;
  ProgramPicture &picture;
  llvm::DenseMap<mlir::Value, uint32_t> numbers;
  llvm::StringMap<uint32_t> kernels;
};

} // namespace

/// Returns a name from the source, if there is one, and file and line.
static std::string placeText(Location location) {
  std::string text;
  if (auto name = location->findInstanceOf<NameLoc>())
    text = name.getName().str();
  if (auto place = location->findInstanceOf<FileLineColLoc>()) {
    if (!text.empty())
      text += ' ';
    text += llvm::sys::path::filename(place.getFilename().getValue());
    text += ":" + std::to_string(place.getLine());
  }
  return text;
}

static std::string scheduleText(ir::ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto list = [&](StringRef name, llvm::ArrayRef<int64_t> values,
                  StringRef between) {
    if (values.empty())
      return;
    os << (text.empty() ? "" : ", ") << name << ' ';
    llvm::interleave(values, os, between);
  };
  list("tasks", schedule.getTasks(), "+");
  list("tile", schedule.getTile(), "x");
  if (schedule.getWorkspace() > 0)
    os << (text.empty() ? "" : ", ") << "workspace " << schedule.getWorkspace();
  return text;
}

void Drawer::drawKernel(ir::KernelOp kernel) {
  ir::ScheduleAttr schedule = kernel.getSchedule();
  ProgramPicture::Kernel drawn;
  drawn.name = kernel.getSymName().str();
  drawn.kind = ir::stringifyScheduleKind(schedule.getKind());
  drawn.signature = signatureText(kernel);
  drawn.schedule = scheduleText(schedule);
  drawn.flops = schedule.getFlops();
  drawn.bytes = schedule.getBytes();
  for (Operation &op : kernel.getBody().front().without_terminator())
    if (!op.hasTrait<OpTrait::ConstantLike>())
      drawn.ops.push_back({op.getName().stripDialect().str(),
                           typesText(op.getResultTypes()),
                           placeText(op.getLoc())});
  kernels[drawn.name] = picture.kernels.size();
  picture.kernels.push_back(std::move(drawn));
}

static int64_t bytesOf(mlir::Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return 0;
  mlir::Type element = tensor.getElementType();
  int64_t bits = 0;
  if (auto complex = dyn_cast<mlir::ComplexType>(element))
    bits = 2 * complex.getElementType().getIntOrFloatBitWidth();
  else if (element.isIntOrFloat())
    bits = element.getIntOrFloatBitWidth();
  return tensor.getNumElements() * ((bits + 7) / 8);
}

void Drawer::addBuffer(Operation *op) {
  using Kind = ProgramPicture::Buffer::Kind;
  auto type = cast<FunctionType>(program.getFunctionType());
  ProgramPicture::Buffer buffer;
  auto describe = [&](Kind kind, int64_t number, mlir::Type tensor) {
    buffer = {kind, number, bytesOf(tensor), typesText(tensor)};
  };
  if (auto argument = dyn_cast<ir::ArgumentOp>(op))
    describe(Kind::Argument, argument.getIndex(),
             type.getInput(argument.getIndex()));
  else if (auto result = dyn_cast<ir::ResultOp>(op))
    describe(Kind::Result, result.getIndex(),
             type.getResult(result.getIndex()));
  else if (auto constant = dyn_cast<ir::ConstantOp>(op))
    describe(Kind::Constant, constant.getIndex(),
             constant.getValue().getShapedType());
  else if (auto slice = dyn_cast<ir::ArenaOp>(op))
    buffer = {Kind::Arena,
              static_cast<int64_t>(slice.getOffset()),
              static_cast<int64_t>(slice.getSize()),
              {}};
  else
    return;
  numbers[op->getResult(0)] = picture.buffers.size();
  picture.buffers.push_back(std::move(buffer));
}

std::vector<uint32_t> Drawer::numbersOf(mlir::ValueRange buffers) {
  std::vector<uint32_t> list;
  for (mlir::Value buffer : buffers)
    list.push_back(numberOf(buffer));
  return list;
}

/// The step also reads and writes everything that its bodies do.
void Drawer::addBodies(ProgramPicture::Step &step,
                       MutableArrayRef<Region> regions) {
  for (Region &region : regions) {
    step.bodies.push_back(drawBlock(region.front()));
    for (const ProgramPicture::Step &inner : step.bodies.back()) {
      step.reads.insert(step.reads.end(), inner.reads.begin(),
                        inner.reads.end());
      step.writes.insert(step.writes.end(), inner.writes.begin(),
                         inner.writes.end());
    }
  }
}

ProgramPicture::Step Drawer::drawStep(Operation *op) {
  using Kind = ProgramPicture::Step::Kind;
  ProgramPicture::Step step;
  if (auto launch = dyn_cast<ir::LaunchOp>(op)) {
    step.kernel = kernels.lookup(launch.getKernel());
    step.reads = numbersOf(launch.getInputs());
    step.writes = numbersOf(launch.getOutputs());
  } else if (auto copy = dyn_cast<ir::CopyOp>(op)) {
    step.kind = Kind::Copy;
    step.reads = {numberOf(copy.getSource())};
    step.writes = {numberOf(copy.getTarget())};
  } else if (auto collective = dyn_cast<ir::CollectiveOp>(op)) {
    ir::CollectiveAttr what = collective.getWhat();
    step.kind = Kind::Collective;
    step.label = ir::stringifyCollectiveKind(what.getKind());
    if (what.getTarget())
      step.label += " @" + what.getTarget().str();
    step.reads = numbersOf(collective.getInputs());
    step.writes = numbersOf(collective.getOutputs());
  } else if (auto loop = dyn_cast<ir::WhileOp>(op)) {
    step.kind = Kind::While;
    step.reads = {numberOf(loop.getPredicate())};
    addBodies(step, op->getRegions());
  } else if (auto branches = dyn_cast<ir::CaseOp>(op)) {
    step.kind = Kind::Case;
    step.reads = {numberOf(branches.getIndex())};
    addBodies(step, op->getRegions());
  }
  return step;
}

std::vector<ProgramPicture::Step> Drawer::drawBlock(Block &block) {
  std::vector<ProgramPicture::Step> steps;
  for (Operation &op : block) {
    if (isa<ir::ArgumentOp, ir::ResultOp, ir::ConstantOp, ir::ArenaOp>(op))
      addBuffer(&op);
    else if (!isa<ir::AwaitCollectiveOp, ir::SwapOp>(op))
      steps.push_back(drawStep(&op));
  }
  return steps;
}

void Drawer::draw() {
  for (ir::KernelOp kernel : module.getOps<ir::KernelOp>())
    drawKernel(kernel);
  picture.steps = drawBlock(program.getBody().front());
  picture.arena_bytes = program.getArenaBytes();
}

Expected<ProgramPicture> drawProgram(ModuleOp module, Signature signature) {
  auto program = SymbolTable(module).lookup<ir::ProgramOp>(names::kEntrySymbol);
  if (!program)
    return llvm::createStringError("the pipeline left no program");
  ProgramPicture picture;
  picture.name = module.getSymName().value_or("").str();
  picture.argument_names = std::move(signature.argument_names);
  picture.result_names = std::move(signature.result_names);
  Drawer(module, program, picture).draw();
  return picture;
}

} // namespace xlac::compiler
