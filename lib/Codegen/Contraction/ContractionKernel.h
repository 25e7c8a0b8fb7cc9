// What a kernel of the contraction kind will do: where its operands come from,
// which side makes the rows, and the plan. Scheduling and emission both derive
// it from the kernel's body, so they agree.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONKERNEL_H
#define XLAC_LIB_CODEGEN_CONTRACTIONKERNEL_H

#include "ContractionLoops.h"
#include "Element/ElementEmitter.h"

#include "xlac/Dialect/Xlac/Contraction.h"

namespace xlac::codegen {

/// One side of a contraction: elements of an argument at strides, or a copy of
/// the (padded) operand in the workspace.
struct ContractionOperand {
  mlir::Value value;
  NumberFormat format = NumberFormat::Plain; ///< of the argument or copy
  /// Set where the operand is a strided view of an argument.
  mlir::BlockArgument argument;
  llvm::SmallVector<int64_t> sizes, strides; ///< of the padded space
  int64_t offset = 0; ///< elements from the start to index 0 in all dimensions
  llvm::SmallVector<int64_t> low, dilation; ///< where the copy lies in it
  bool isPadded = false;
  int64_t workspace = 0; ///< byte offset of the copy

  bool isCopied() const { return !argument; }
  int64_t elementBits() const; ///< if the format is not Plain
  int64_t elements() const;
  int64_t copyRows() const; ///< rows of the innermost dimension
  int64_t rowsPerTask() const;
  int64_t copyTasks() const;
};

enum class ContractionPhase { Copy, Pack, Multiply };

struct ContractionKernel {
  ir::Contraction form;
  ContractionOperand lhs, rhs;
  bool swapsOperands = false;
  /// Dimensions in the order in which the plan counts through them.
  llvm::SmallVector<ir::ContractionDim> batch, m, n, k;
  ContractionPlan plan;
  int64_t shared = 0, workspace = 0; ///< byte offset of packed B; bytes in all
  llvm::SmallVector<ContractionPhase> phases;

  int64_t tasks(ContractionPhase phase) const;
};

/// Nothing if the kernel is not one supported contraction with an epilogue that
/// uses each of its elements in place.
std::optional<ContractionKernel>
analyzeContraction(ir::KernelOp kernel, const TargetProfile &profile);

/// Tasks [begin, end) of the copy phase.
void emitOperandCopies(KernelFunction &function, llvm::IRBuilder<> &ir,
                       const ContractionKernel &kernel);

/// Computes the kernel's results from a finished tile and stores them.
void emitEpilogue(KernelFunction &function, llvm::IRBuilder<> &ir,
                  const ContractionKernel &kernel, const AccumulatedTile &tile);

} // namespace xlac::codegen

#endif
