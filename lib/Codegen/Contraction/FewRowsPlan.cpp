// Plans GEMMs of few rows whose sums run along vectors of K (see DotTile.h).
#include "ContractionPlan.h"

using namespace llvm;

namespace xlac::codegen {

/// Rows of a GEMM that reads columns along K in place, and the indices of K for
/// each row with which adding lanes takes no longer than packing B.
static constexpr int64_t kMostRows = 16, kDepth = 12;

void chooseDots(ContractionPlan &plan, bool anySize, bool fewRows) {
  const Gemm &gemm = plan.gemm;
  int64_t rows = gemm.mSize(), k = gemm.kSize();
  bool alongK = gemm.k.size() == 1 && gemm.k[0].a == 1 && gemm.k[0].b == 1 &&
                gemm.m.size() == 1 && gemm.n.size() == 1;
  if (!alongK || plan.usesPairs || plan.cells != CellKind::None || !plan.masks)
    return;
  if (anySize) {
    plan.dots = fewRows;
    return;
  }
  // Each tile widens narrow elements of B again.
  bool widens = gemm.b != NumberFormat::Plain;
  plan.dots = (rows == 1 && k >= plan.lanes) ||
              (rows <= (widens ? 1 : kMostRows) && k >= kDepth * rows);
}

} // namespace xlac::codegen
