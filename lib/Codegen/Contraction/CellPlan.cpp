// Plans GEMMs of cells of narrow integers (see CellKind).
#include "ContractionPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

// Two products of words fit in 32 bits, except for the square of -2^15 twice,
// which wraps.
void chooseCells(ContractionPlan &plan, const TargetProfile &profile,
                 bool anySize) {
  const Gemm &gemm = plan.gemm;
  bool columnsRun =
      gemm.n.size() == 1 && gemm.n[0].b == 1 && gemm.k.size() == 1;
  if (gemm.mSize() == 1 && columnsRun && !anySize)
    return;
  if (!gemm.isInteger || gemm.isDouble || plan.usesPairs || gemm.kSize() < 4)
    return;
  auto fitsWord = [](NumberFormat format, bool isUnsigned) {
    return format == NumberFormat::I8 ||
           (format == NumberFormat::I16 && !isUnsigned);
  };
  if (!fitsWord(gemm.a, gemm.unsignedA) || !fitsWord(gemm.b, gemm.unsignedB))
    return;
  bool areBytes = gemm.a == NumberFormat::I8 && gemm.b == NumberFormat::I8;
  bool isWide = profile.vector_bits == 512;
  plan.hasVnni =
      profile.features & (kFeatureAvx512Vnni | (isWide ? 0 : kFeatureAvxVnni));
  plan.cells = areBytes && plan.hasVnni ? CellKind::Bytes : CellKind::Words;
  plan.flipsA =
      plan.cells == CellKind::Bytes && gemm.unsignedA == gemm.unsignedB;
}

void chooseCellPacking(ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  const GemmDim &inner = gemm.k.back();
  // Cells of the innermost dimension are whole, and other dimensions have
  // strides of their own.
  bool whole = !plan.anySize && inner.size % plan.cellSize() == 0 &&
               plan.blockDim + 1 < gemm.k.size();
  plan.packA = plan.packB = true;
  if (inner.a == 1 && (plan.linearA || whole))
    plan.pairsA = PairPacking::Runs;
  plan.rowMajorA = inner.a == 1 && plan.linearA;
  if (plan.linearB && gemm.n.size() == 1 && gemm.n[0].b == 1)
    plan.pairsB = PairPacking::Lines;
  else if (inner.b == 1 && (plan.linearB || whole))
    plan.pairsB = PairPacking::Runs;
}

int64_t cellStage(const ContractionPlan &plan) {
  if (plan.pairsA == PairPacking::Runs && plan.pairsB == PairPacking::Runs)
    return 0;
  int64_t element = plan.cells == CellKind::Bytes ? 1 : 2;
  int64_t width = std::max<int64_t>(plan.panelColumns(), plan.tileRows);
  return alignTo(
      element * (plan.blockK() * width + plan.lanes * (plan.lanes + width)),
      64);
}

} // namespace xlac::codegen
