// Assigns a buffer to every value of an outlined function and creates the
// program of launches. Values are computed directly in a result, in a
// loop-carried buffer, or over an operand that dies. All others are in the
// arena, or in a result that is written later.
#ifndef XLAC_LIB_TRANSFORMS_BUFFERPLANNER_H
#define XLAC_LIB_TRANSFORMS_BUFFERPLANNER_H

#include "ArenaLayout.h"
#include "Donations.h"
#include "ValueLiveness.h"

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include "xlac/Dialect/Xlac/XlacDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SetVector.h"

#include <set>

namespace xlac::transforms {

/// Returns the bytes of a tensor in a buffer, 0 for a token, or nothing for
/// types that buffers cannot hold.
std::optional<int64_t> bufferSize(mlir::Type type);

/// Returns the bytes of the buffers of all `values`, as far as they have some.
int64_t bytesOfValues(mlir::ValueRange values);

class BufferPlanner {
public:
  /// The function must contain only outlined calls, control flow, reshapes and
  /// constants. Constants are numbered from `firstConstant` on.
  BufferPlanner(mlir::func::FuncOp function, int64_t firstConstant);

  /// Creates the program `name` after the function. Errors are emitted on the
  /// ops.
  mlir::FailureOr<ir::ProgramOp> run(llvm::StringRef name);

  int64_t constantCount() const { return constants.size(); }

private:
  enum class BufferKind { Argument, Result, Constant, Arena };
  struct Buffer {
    BufferKind place;
    int64_t number = 0; ///< of the argument, result or constant
    int64_t size = 0;
    int64_t first = -1, last = -1; ///< first and last time of access
    mlir::Value handle;
    /// Roots of the values that it holds and that may still be read.
    llvm::SmallVector<mlir::Value, 2> holders;
  };
  struct Loop {
    int64_t begin;
    llvm::SetVector<unsigned> outer; ///< buffers that existed before the loop
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
  /// Returns true if nothing that `buffer` holds is read after `op`.
  bool isFree(unsigned buffer, mlir::Operation *op, bool including) const;
  std::optional<unsigned> preferredBuffer(mlir::Value value) const;
  void want(mlir::Value value, unsigned buffer, mlir::Block *block);

  // Traversal of the function.
  void propagateBufferHints(mlir::Block &block);
  bool isFreeResult(unsigned buffer, mlir::Operation *op);
  void hintOverwritten(ir::CallOp call, ir::KernelOp kernel);
  void hintReduced(ir::TensorCollectiveOp collective);
  mlir::LogicalResult planBlock(mlir::Block &block);
  mlir::LogicalResult planOp(mlir::Operation &op);
  mlir::LogicalResult planCall(ir::CallOp call);
  /// Records that the next launch waits for other replicas.
  void addCollective();
  void planCollective(ir::TensorCollectiveOp collective);
  /// Returns whether nothing reads root `value` after the collective is done,
  /// or beside it while it is in flight.
  bool isLastRead(mlir::Value value, ir::TensorCollectiveOp collective) const;
  bool isReducedInPlace(ir::TensorCollectiveOp collective, unsigned number,
                        llvm::ArrayRef<unsigned> inputs) const;
  unsigned assignReceived(ir::TensorCollectiveOp collective, unsigned number,
                          llvm::ArrayRef<unsigned> inputs,
                          llvm::ArrayRef<unsigned> outputs);
  void planAwait(ir::AwaitOp await);
  /// Returns true if `kernel` may write result `number` over operand `operand`:
  /// it has such a pair in may_overwrite, or is no reduction and each element
  /// of any result depends only on the operand's element at the same index.
  /// Kernels of these kinds read a piece of all operands before they write the
  /// same piece of any result.
  bool mayOverwrite(ir::KernelOp kernel, unsigned number, unsigned operand);
  /// Returns the operands of which a result depends on other elements than the
  /// one at its own index.
  const llvm::BitVector &movedOperands(ir::KernelOp kernel);
  /// Returns mayOverwrite() for all operands of a launch that are in `buffer`.
  bool mayOverwriteAll(ir::KernelOp kernel, unsigned number,
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
  /// Plans `block` and moves its terminator's operands to `targets`. A target
  /// of ~0u means that the operand is not moved. With `mayExchange`, the block
  /// is the body of the innermost loop, and its carries may be exchanged with
  /// the buffers of their next values.
  mlir::LogicalResult planRegion(mlir::Block &block,
                                 llvm::ArrayRef<unsigned> targets,
                                 bool mayExchange = false);
  bool canExchange(const Move &move, llvm::ArrayRef<Move> moves) const;
  void exchange(const Move &move);
  void copy(unsigned from, unsigned to);
  /// Performs all moves as if simultaneously.
  void moveAll(llvm::SmallVector<Move> moves);

  // Completion of the program.
  void assignArena();
  llvm::SmallVector<int64_t> donations();
  bool mayDonate(unsigned argument, unsigned result) const;
  bool mayBeDonated(unsigned result);

  mlir::func::FuncOp function;
  llvm::SmallVector<Donation> donated; ///< by argument
  int64_t firstConstant;
  mlir::OpBuilder builder;
  ir::ProgramOp program;
  ValueLiveness liveness;
  llvm::SmallVector<Buffer> buffers;
  llvm::DenseMap<mlir::Value, unsigned> places;
  llvm::DenseMap<mlir::Value, unsigned> bufferHints;
  llvm::DenseMap<mlir::Attribute, unsigned> constants;
  llvm::DenseMap<mlir::Operation *, llvm::BitVector> moved; ///< by kernel
  llvm::SmallVector<unsigned> argumentBuffers, resultBuffers;
  llvm::SmallVector<Loop> loops;
  /// Pairs of (argument, result) buffers that may be one buffer in the step
  /// that accesses both.
  std::set<std::pair<unsigned, unsigned>> elementwise;
  int64_t now = 0;
  int64_t collectives = 0;
  int64_t lastCollective = -1;                        ///< between replicas
  llvm::DenseMap<mlir::Operation *, int64_t> started; ///< their numbers
};

} // namespace xlac::transforms

#endif
