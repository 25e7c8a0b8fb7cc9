// The dimensions of a GEMM: their sizes, and joining those that one index can
// walk through.
#include "ContractionPlan.h"

#include <cassert>

using namespace llvm;

namespace xlac::codegen {

int64_t countOf(ArrayRef<GemmDim> dims) {
  int64_t count = 1;
  for (const GemmDim &dim : dims) {
    assert(dim.size >= 1 && "dimensions of a GEMM have a size");
    count *= dim.size;
  }
  return count;
}

bool isRun(ArrayRef<GemmDim> dims, int64_t first, int64_t GemmDim::*stride) {
  for (const GemmDim &dim : reverse(dims)) {
    if (dim.size > 1 && dim.*stride != first)
      return false;
    first *= dim.size;
  }
  return true;
}

int64_t Gemm::mSize() const { return countOf(m); }
int64_t Gemm::nSize() const { return countOf(n); }
int64_t Gemm::kSize() const { return countOf(k); }
int64_t Gemm::batchCount() const { return countOf(batch); }

void mergeDims(SmallVector<GemmDim> &dims, bool keepOnes) {
  SmallVector<GemmDim> merged;
  for (const GemmDim &dim : dims) {
    if (dim.size == 1 && !keepOnes)
      continue;
    if (!merged.empty()) {
      GemmDim &outer = merged.back();
      if (outer.a == dim.a * dim.size && outer.b == dim.b * dim.size &&
          outer.c == dim.c * dim.size) {
        outer = {outer.size * dim.size, dim.a, dim.b, dim.c};
        continue;
      }
    }
    merged.push_back(dim);
  }
  if (merged.empty())
    merged.push_back({1, 0, 0, 0});
  dims = merged;
}

} // namespace xlac::codegen
