// Describes what a kernel of the contraction kind does: where its operands are
// stored, which side becomes M, and the plan. Scheduling and emission both
// derive it from the kernel's body, so they agree.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONKERNEL_H
#define XLAC_LIB_CODEGEN_CONTRACTIONKERNEL_H

#include "ContractionLoops.h"
#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Xlac/Contraction.h"

namespace xlac::codegen {

/// One side of a contraction: a strided view of an argument, or a copy of the
/// (padded) operand in the workspace.
struct ContractionOperand {
  mlir::Value value;
  NumberFormat format = NumberFormat::Plain; ///< of the argument or copy
  /// Set if the operand is a strided view of an argument.
  mlir::BlockArgument argument;
  llvm::SmallVector<int64_t> sizes, strides; ///< of the padded space
  int64_t offset = 0; ///< element offset of index 0 in all dimensions
  /// Position of the operand in the padded space.
  llvm::SmallVector<int64_t> low, dilation;
  bool isPadded = false;
  /// The argument has the packed form of the operand, whose strides and offset
  /// are those of the operand before it was packed.
  bool isPacked = false;
  int64_t workspace = 0; ///< byte offset of the copy

  /// Not meant for the side that xlac.pack does not read.
  bool isCopied() const { return !argument; }
  /// Size of an element in memory. Requires a format other than Plain.
  int64_t elementBits() const;
  int64_t elements() const;
  int64_t copyRows() const; ///< rows of the innermost dimension
  int64_t rowsPerTask() const;
  int64_t copyTasks() const;
};

enum class ContractionPhase {
  Copy,     ///< operands that cannot be read in place
  Pack,     ///< A and B, if tasks share them
  Multiply, ///< into results or, if the plan divides K, into parts
  Sum       ///< of the parts, into results
};

struct ContractionKernel {
  ir::Contraction form;
  ContractionOperand lhs, rhs;
  bool swapsOperands = false;
  /// Dimensions in the order of the plan's loops.
  llvm::SmallVector<ir::ContractionDim> batch, m, n, k;
  ContractionPlan plan;
  /// Byte offsets of packed B, packed A and the parts of K; total bytes.
  int64_t shared = 0, sharedA = 0, parts = 0, workspace = 0;
  llvm::SmallVector<ContractionPhase> phases;
  /// The kernel only packs B, and its result has the bytes.
  bool onlyPacks = false;

  /// The sides of the plan, which are exchanged if its operands are swapped.
  const ContractionOperand &sideA() const {
    return swapsOperands != plan.swapped ? rhs : lhs;
  }
  const ContractionOperand &sideB() const {
    return swapsOperands != plan.swapped ? lhs : rhs;
  }
  /// Returns whether the phase Pack packs B.
  bool packsB() const {
    return plan.shareB && (onlyPacks || !plan.gemm.prepacked);
  }
  /// The same for A.
  bool packsA() const { return plan.shareA && !onlyPacks; }
  int64_t tasks(ContractionPhase phase) const;
};

/// Analyzes `kernel`. Returns nothing unless it consists of one supported
/// contraction and either an epilogue that uses each of its elements in place
/// or the xlac.pack of it.
std::optional<ContractionKernel>
analyzeContraction(ir::KernelOp kernel, const TargetProfile &profile);

/// Emits tasks [begin, end) of the copy phase.
void emitOperandCopies(KernelFunction &function, llvm::IRBuilder<> &ir,
                       const ContractionKernel &kernel);

/// Computes the kernel's results from a finished tile and stores them.
void emitEpilogue(KernelFunction &function, llvm::IRBuilder<> &ir,
                  const ContractionKernel &kernel, const AccumulatedTile &tile);

} // namespace xlac::codegen

#endif
