#include "JoinLaunches.h"

#include "xlac/abi/launches.h"

using namespace llvm;

namespace xlac::codegen {
namespace {

/// The memory that launches read and write.
class Accesses {
public:
  explicit Accesses(ir::ProgramOp program) : aliases(program.getAliases()) {}

  /// Returns true if neither reads nor writes what the other one writes.
  bool areIndependentOf(ir::LaunchOp launch) const {
    auto overlapsAny = [&](mlir::Value buffer, ArrayRef<BufferMemory> others) {
      BufferMemory memory = memoryOf(buffer);
      return any_of(others,
                    [&](BufferMemory other) { return overlap(memory, other); });
    };
    return none_of(launch.getInputs(),
                   [&](mlir::Value input) {
                     return overlapsAny(input, written);
                   }) &&
           none_of(launch.getOutputs(), [&](mlir::Value output) {
             return overlapsAny(output, written) || overlapsAny(output, read);
           });
  }
  void add(ir::LaunchOp launch) {
    for (mlir::Value input : launch.getInputs())
      read.push_back(memoryOf(input));
    for (mlir::Value output : launch.getOutputs())
      written.push_back(memoryOf(output));
  }

private:
  bool overlap(BufferMemory one, BufferMemory other) const {
    if (one.kind == other.kind)
      return one.begin < other.end && other.begin < one.end;
    if (one.kind > other.kind)
      std::swap(one, other);
    if (one.kind != XLAC_BUFFER_ARGUMENT || other.kind != XLAC_BUFFER_RESULT)
      return false;
    // The result may be in the buffer of a donated argument.
    for (size_t pair = 0; pair + 1 < aliases.size(); pair += 2)
      if (aliases[pair] == other.begin && aliases[pair + 1] == one.begin)
        return true;
    return false;
  }

  ArrayRef<int64_t> aliases; ///< numbers of a result and an argument
  SmallVector<BufferMemory> read, written;
};

} // namespace

BufferMemory memoryOf(mlir::Value buffer) {
  mlir::Operation *definition = buffer.getDefiningOp();
  auto number = [](int64_t kind, int64_t index) {
    return BufferMemory{kind, index, index + 1};
  };
  if (auto argument = mlir::dyn_cast<ir::ArgumentOp>(definition))
    return number(XLAC_BUFFER_ARGUMENT, argument.getIndex());
  if (auto result = mlir::dyn_cast<ir::ResultOp>(definition))
    return number(XLAC_BUFFER_RESULT, result.getIndex());
  if (auto constant = mlir::dyn_cast<ir::ConstantOp>(definition))
    return number(XLAC_BUFFER_CONSTANT, constant.getIndex());
  auto arena = mlir::cast<ir::ArenaOp>(definition);
  int64_t offset = arena.getOffset();
  return {XLAC_BUFFER_ARENA, offset, offset + int64_t(arena.getSize())};
}

static int64_t piecesOf(ir::KernelOp kernel) {
  ir::ScheduleAttr schedule = kernel.getSchedule();
  return divideCeil(schedule.getTasks()[0],
                    std::max<int64_t>(schedule.getGrain()[0], 1));
}

static bool mayBeJoined(ir::LaunchOp launch, ir::KernelOp kernel) {
  ir::ScheduleAttr schedule = kernel.getSchedule();
  return (schedule.getKind() == ir::ScheduleKind::Loop ||
          schedule.getKind() == ir::ScheduleKind::Reduction) &&
         schedule.getTasks().size() == 1 && schedule.getTasks()[0] > 0 &&
         piecesOf(kernel) <= XLAC_MOST_JOINED_PIECES && !launch.getWorkspace();
}

size_t countJoined(ArrayRef<ir::LaunchOp> launches, ir::ProgramOp program,
                   function_ref<ir::KernelOp(ir::LaunchOp)> kernelOf) {
  assert(!launches.empty() && "there is a first launch");
  Accesses accesses(program);
  size_t count = 0;
  unsigned buffers = 0;
  bool isCut = false; // some kernel has several pieces
  for (ir::LaunchOp launch : launches.take_front(XLAC_MOST_JOINED)) {
    ir::KernelOp kernel = kernelOf(launch);
    buffers += launch->getNumOperands();
    if (!mayBeJoined(launch, kernel) || buffers > XLAC_MOST_JOINED_BUFFERS ||
        !accesses.areIndependentOf(launch))
      break;
    accesses.add(launch);
    isCut |= piecesOf(kernel) > 1;
    ++count;
  }
  // The pieces of small kernels do not gain from other threads.
  return isCut ? count : 1;
}

} // namespace xlac::codegen
