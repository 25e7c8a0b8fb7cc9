#include "xlac/Dialect/Check/CheckDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;

#include "xlac/Dialect/Check/CheckDialect.cpp.inc"

namespace xlac::check {

/// Form: ", max_ulp_difference = 1, min_ulp_difference = 0". Both are optional,
/// in any order.
static ParseResult parseUlpBounds(OpAsmParser &parser, IntegerAttr &max,
                                  IntegerAttr &min) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef name;
    SMLoc place = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return mlir::failure();
    bool isMax = name == "max_ulp_difference";
    if (!isMax && name != "min_ulp_difference")
      return parser.emitError(place, "expected 'max_ulp_difference' or "
                                     "'min_ulp_difference'");
    IntegerAttr &bound = isMax ? max : min;
    if (bound)
      return parser.emitError(place, "'") << name << "' is there twice";
    if (parser.parseAttribute(bound, parser.getBuilder().getI64Type()))
      return mlir::failure();
  }
  return mlir::success();
}

static void printUlpBounds(OpAsmPrinter &printer, Operation *, IntegerAttr max,
                           IntegerAttr min) {
  if (max && max.getValue() != 3)
    printer << ", max_ulp_difference = " << max.getValue();
  if (min && min.getValue() != 0)
    printer << ", min_ulp_difference = " << min.getValue();
}

/// Form: the common type of both operands, written once or for each operand.
static ParseResult parseOperandType(OpAsmParser &parser, mlir::Type &type) {
  if (parser.parseType(type))
    return mlir::failure();
  mlir::Type second = type;
  SMLoc place = parser.getCurrentLocation();
  if (succeeded(parser.parseOptionalComma()) && parser.parseType(second))
    return mlir::failure();
  return second == type ? mlir::success()
                        : parser.emitError(place, "expected operands of one "
                                                  "type");
}

static void printOperandType(OpAsmPrinter &printer, Operation *,
                             mlir::Type type) {
  printer << type;
}

} // namespace xlac::check

#define GET_OP_CLASSES
#include "xlac/Dialect/Check/CheckOps.cpp.inc"

void xlac::check::CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "xlac/Dialect/Check/CheckOps.cpp.inc"
      >();
}
