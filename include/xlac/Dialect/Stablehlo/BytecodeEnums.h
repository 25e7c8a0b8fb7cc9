// Bytecode encodings of StableHLO's enums, for the stablehlo and vhlo dialects.
#ifndef XLAC_DIALECT_STABLEHLO_BYTECODEENUMS_H
#define XLAC_DIALECT_STABLEHLO_BYTECODEENUMS_H

#include "xlac/Dialect/BytecodeRecords.h"
#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

namespace xlac::encoding {

#define ONE(NAME)                                                              \
  template <>                                                                  \
  inline std::optional<xlac::stablehlo::NAME> enumOf(uint32_t number) {        \
    return xlac::stablehlo::symbolize##NAME(number);                           \
  }
ONE(ComparisonDirection)
ONE(ComparisonType)
ONE(CustomCallApiVersion)
ONE(FftType)
ONE(Precision)
ONE(ResultAccuracyMode)
ONE(RngAlgorithm)
ONE(RngDistribution)
ONE(Transpose)
#undef ONE

} // namespace xlac::encoding

#endif
