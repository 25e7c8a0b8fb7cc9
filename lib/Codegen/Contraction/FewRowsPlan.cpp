// Plans GEMMs of few rows, which read B in place: columns along K by sums along
// vectors of K (see DotTile.h), and rows that are far from each other line by
// line.
#include "ContractionPlan.h"

#include <cstdlib>

using namespace llvm;

namespace xlac::codegen {

/// Rows of a GEMM that reads columns along K in place, and the indices of K for
/// each row with which adding lanes takes no longer than packing B.
static constexpr int64_t kMostDotRows = 16, kDotDepth = 12;

/// Tiles of rows that read B in place, the bytes between rows of B that are far
/// from each other, and the bytes of B that do not stay in caches.
static constexpr int64_t kMostFarTiles = 3, kFarBytes = 4096,
                         kManyBytes = 8 << 20;

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
              (rows <= (widens ? 1 : kMostDotRows) && k >= kDotDepth * rows);
}

void chooseFarLines(ContractionPlan &plan, bool wide, bool anySize,
                    bool fewRows) {
  const Gemm &gemm = plan.gemm;
  int64_t stride = std::abs(gemm.k[0].b) * plan.elementSize();
  bool linesRun = gemm.k.size() == 1 && gemm.n.size() == 1 &&
                  gemm.n[0].b == 1 && gemm.n[0].size > 4 * plan.lanes &&
                  stride >= kFarBytes && gemm.kSize() >= kManyBytes / stride;
  if (!linesRun || plan.usesPairs || plan.cells != CellKind::None ||
      plan.dots || gemm.a != NumberFormat::Plain ||
      gemm.b != NumberFormat::Plain)
    return;
  plan.farLines =
      anySize ? fewRows : gemm.mSize() <= kMostFarTiles * (wide ? 14 : 6);
}

} // namespace xlac::codegen
