#include "xlac/Dialect/Chlo/ChloDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "xlac/Dialect/Stablehlo/Assembly.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace xlac::chlo;
using xlac::stablehlo::parseStruct;
using xlac::stablehlo::printStruct;

#include "xlac/Dialect/Chlo/ChloEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "xlac/Dialect/Chlo/ChloAttributes.cpp.inc"

void ChloDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "xlac/Dialect/Chlo/ChloAttributes.cpp.inc"
      >();
}

Attribute RaggedDotDimensionNumbersAttr::parse(AsmParser &parser, mlir::Type) {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsContract, rhsContract, ragged,
      group;
  if (parser.parseLess() ||
      parseStruct(parser, {{"lhs_batching_dimensions", &lhsBatch},
                           {"rhs_batching_dimensions", &rhsBatch},
                           {"lhs_contracting_dimensions", &lhsContract},
                           {"rhs_contracting_dimensions", &rhsContract},
                           {"lhs_ragged_dimensions", &ragged},
                           {"rhs_group_dimensions", &group}}))
    return {};
  return get(parser.getContext(), lhsBatch, rhsBatch, lhsContract, rhsContract,
             ragged, group);
}

void RaggedDotDimensionNumbersAttr::print(AsmPrinter &printer) const {
  printStruct(printer,
              {{"lhs_batching_dimensions", getLhsBatchingDimensions()},
               {"rhs_batching_dimensions", getRhsBatchingDimensions()},
               {"lhs_contracting_dimensions", getLhsContractingDimensions()},
               {"rhs_contracting_dimensions", getRhsContractingDimensions()},
               {"lhs_ragged_dimensions", getLhsRaggedDimensions()},
               {"rhs_group_dimensions", getRhsGroupDimensions()}});
}
