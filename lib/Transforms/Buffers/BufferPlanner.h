// Gives every value of an outlined function a buffer and writes the program of
// launches. Values are computed where they are wanted: in a result, a loop's
// carry, or over an operand that dies; what is left lies in the arena.
#ifndef XLAC_LIB_TRANSFORMS_BUFFERPLANNER_H
#define XLAC_LIB_TRANSFORMS_BUFFERPLANNER_H

#include "ArenaLayout.h"
#include "ValueLiveness.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

#include <set>

namespace xlac::transforms {

/// Bytes of a tensor in a buffer, none for a token; nothing for what no buffer
/// holds.
std::optional<int64_t> bufferSize(mlir::Type type);

class BufferPlanner {
public:
  /// Holds kernels and outlined calls only, besides control flow, reshapes and
  /// constants, which are numbered from `firstConstant` on.
  BufferPlanner(mlir::func::FuncOp function, int64_t firstConstant);

  /// Writes the program `name` behind the function; errors are on the ops.
  mlir::FailureOr<ir::ProgramOp> run(llvm::StringRef name);

  int64_t constantCount() const { return constants.size(); }

private:
  enum class BufferKind { Argument, Result, Constant, Arena };
  struct Buffer {
    BufferKind place;
    int64_t number = 0; ///< of the argument, result or constant
    int64_t size = 0;
    int64_t first = -1, last = -1; ///< times at which it is touched
    mlir::Value handle;
    /// Roots of the values that lie in it and may still be read.
    llvm::SmallVector<mlir::Value, 2> holders;
  };
  struct Loop {
    int64_t begin;
    llvm::SetVector<unsigned> outer; ///< buffers older than the loop
  };
  struct Move {
    unsigned from, to;
  };

  // Buffers.
  unsigned create(BufferKind place, int64_t number, int64_t size);
  unsigned createArena(mlir::Value value);
  unsigned bufferOf(mlir::Value value) const;
  void hold(mlir::Value value, unsigned buffer);
  void leave(mlir::Block &block);
  void touch(unsigned buffer);
  /// True if nothing that `buffer` holds is read after `op`.
  bool isFree(unsigned buffer, mlir::Operation *op, bool including) const;
  std::optional<unsigned> preferredBuffer(mlir::Value value) const;
  void want(mlir::Value value, unsigned buffer, mlir::Block *block);

  // Walking the function.
  void propagateBufferHints(mlir::Block &block);
  mlir::LogicalResult planBlock(mlir::Block &block);
  mlir::LogicalResult planOp(mlir::Operation &op);
  mlir::LogicalResult planCall(ir::CallOp call);
  /// The next launch is one that waits for other replicas.
  void addCollective();
  void planCollective(ir::TensorCollectiveOp collective);
  void planAwait(ir::AwaitOp await);
  /// mayOverwrite() for each operand of a launch that lies in `buffer`.
  static bool mayOverwriteAll(ir::KernelOp kernel, unsigned number,
                              llvm::ArrayRef<unsigned> inputs, unsigned buffer);
  unsigned assignResult(ir::CallOp call, ir::KernelOp kernel, unsigned number,
                        llvm::MutableArrayRef<unsigned> inputs,
                        llvm::ArrayRef<unsigned> outputs);
  unsigned assignUpdated(ir::CallOp call, unsigned number, unsigned operand,
                         llvm::MutableArrayRef<unsigned> inputs,
                         llvm::ArrayRef<unsigned> outputs);
  mlir::LogicalResult planWhile(xlac::stablehlo::WhileOp loop);
  unsigned assignLoopState(xlac::stablehlo::WhileOp loop, unsigned number,
                           llvm::ArrayRef<unsigned> taken);
  bool mayTake(unsigned buffer, mlir::Operation *loop) const;
  mlir::LogicalResult planLoopRegions(xlac::stablehlo::WhileOp loop,
                                      llvm::ArrayRef<unsigned> carries);
  mlir::LogicalResult planBranches(mlir::Operation *op, mlir::Value index,
                                   bool predicate);
  /// Plans `block` and moves what it ends with to `targets`; entries of ~0u
  /// want nothing.
  mlir::LogicalResult planRegion(mlir::Block &block,
                                 llvm::ArrayRef<unsigned> targets);
  void copy(unsigned from, unsigned to);
  /// Does all moves as if at once.
  void moveAll(llvm::SmallVector<Move> moves);

  // Finishing.
  void assignArena();
  llvm::SmallVector<int64_t> donations();
  bool mayDonate(unsigned argument, unsigned result) const;

  mlir::func::FuncOp function;
  int64_t firstConstant;
  mlir::OpBuilder builder;
  ir::ProgramOp program;
  ValueLiveness liveness;
  llvm::SmallVector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, unsigned> places;
  llvm::DenseMap<mlir::Value, unsigned> bufferHints;
  llvm::DenseMap<mlir::Attribute, unsigned> constants;
  llvm::SmallVector<unsigned> argumentBuffers, resultBuffers;
  llvm::SmallVector<Loop> loops;
  /// (argument, result) buffers that may be one in the step that touches both.
  std::set<std::pair<unsigned, unsigned>> elementwise;
  int64_t now = 0;
  int64_t collectives = 0;
  int64_t lastCollective = -1;                        ///< between replicas
  llvm::DenseMap<mlir::Operation *, int64_t> started; ///< to numbers
};

/// True if `kernel` may write result `number` over operand `operand`: each
/// element of any result depends on that operand at the same place alone.
/// Kernels of these kinds read a piece of all operands before they write the
/// same piece of any result.
bool mayOverwrite(ir::KernelOp kernel, unsigned number, unsigned operand);

} // namespace xlac::transforms

#endif
