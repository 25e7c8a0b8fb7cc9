// Bytecode encodings of the dialect's attributes. All other attributes are
// stored as text, like in every StableHLO tool.
#include "xlac/Dialect/BytecodeRecords.h"
#include "xlac/Dialect/Chlo/ChloDialect.h"

using namespace mlir;
using namespace xlac::chlo;

namespace xlac::encoding {

template <> inline std::optional<ComparisonDirection> enumOf(uint32_t number) {
  return symbolizeComparisonDirection(number);
}

template <> inline std::optional<ComparisonType> enumOf(uint32_t number) {
  return symbolizeComparisonType(number);
}

} // namespace xlac::encoding

using namespace xlac::encoding;

void ChloDialect::registerBytecode() {
  using Attributes = Family<Coded<0, EnumRecord<ComparisonDirectionAttr>>,
                            Coded<1, EnumRecord<ComparisonTypeAttr>>>;
  addInterfaces<FamilyInterface<Attributes, Family<>>>();
}
