// Parts of the textual form that several ops share, as TableGen's custom
// directives name them, and the `name = value` lists of attributes. Parsers
// report their own errors.
#ifndef XLAC_DIALECT_STABLEHLO_ASSEMBLY_H
#define XLAC_DIALECT_STABLEHLO_ASSEMBLY_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include <variant>

namespace mlir::stablehlo {

/// One entry of a `<name = value, …>` list: the place that its value goes to.
struct StructField {
  StringRef name;
  /// Exactly one of the two is set.
  SmallVectorImpl<int64_t> *dims = nullptr;
  int64_t *number = nullptr;
};

/// Reads `name = value, …` up to and with `>`, in any order, each name at most
/// once; fields that are not named keep what they hold.
ParseResult parseStruct(AsmParser &parser, ArrayRef<StructField> fields);

/// An entry of a list to print.
struct StructValue {
  StringRef name;
  std::variant<ArrayRef<int64_t>, int64_t> value;
};

/// Prints the entries that are neither empty nor 0, between `<` and `>`.
void printStruct(AsmPrinter &printer, ArrayRef<StructValue> values);

/// `[1, 2]`.
ParseResult parseDims(AsmParser &parser, SmallVectorImpl<int64_t> &dims);
void printDims(AsmPrinter &printer, ArrayRef<int64_t> dims);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
ParseResult parseConvolutionDimensions(AsmParser &parser,
                                       ConvDimensionNumbersAttr &numbers);
void printConvolutionDimensions(AsmPrinter &printer,
                                ConvDimensionNumbersAttr numbers);
inline void printConvolutionDimensions(OpAsmPrinter &printer, Operation *,
                                       ConvDimensionNumbersAttr numbers) {
  printConvolutionDimensions(printer, numbers);
}
/// Whether the form above can say `numbers`; an ill-formed one it cannot.
bool isPrintable(ConvDimensionNumbersAttr numbers);

/// One type where all are equal, else a function type.
ParseResult parseSameTypes(OpAsmParser &parser, ArrayRef<Type *> types);
void printSameTypes(OpAsmPrinter &printer, ArrayRef<Type> types);

template <typename... Types>
ParseResult parseSameOperandsAndResultType(OpAsmParser &parser,
                                           Types &...types) {
  return parseSameTypes(parser, {&types...});
}
template <typename... Types>
void printSameOperandsAndResultType(OpAsmPrinter &printer, Operation *,
                                    Types... types) {
  printSameTypes(printer, {Type(types)...});
}

/// The same for any number of operands.
ParseResult parseVariadicSameOperandsAndResultType(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
    SmallVectorImpl<Type> &types, Type &result);
void printVariadicSameOperandsAndResultType(OpAsmPrinter &printer, Operation *,
                                            OperandRange operands,
                                            TypeRange types, Type result);

/// The complex result's type where the operands follow from it.
ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs,
                               Type &result);
void printComplexOpType(OpAsmPrinter &printer, Operation *, Type lhs, Type rhs,
                        Type result);

/// `predicate, value` where both values and the result agree.
ParseResult parseSelectOpType(OpAsmParser &parser, Type &predicate,
                              Type &onTrue, Type &onFalse, Type &result);
void printSelectOpType(OpAsmPrinter &printer, Operation *, Type predicate,
                       Type onTrue, Type onFalse, Type result);

/// The tuple's type where the operands follow from it.
ParseResult parseTupleOpType(OpAsmParser &parser,
                             SmallVectorImpl<Type> &operands, Type &result);
void printTupleOpType(OpAsmPrinter &printer, Operation *, TypeRange operands,
                      Type result);

/// The operands' types where the results have the same.
ParseResult parsePairwiseOpType(OpAsmParser &parser,
                                SmallVectorImpl<Type> &operands,
                                SmallVectorImpl<Type> &results);
void printPairwiseOpType(OpAsmPrinter &printer, Operation *, TypeRange operands,
                         TypeRange results);

/// `%a, %b,` with the comma that leads on to a named attribute.
ParseResult parseVariadicOperandWithAttribute(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands);
void printVariadicOperandWithAttribute(OpAsmPrinter &printer, Operation *,
                                       OperandRange operands);

/// `e8m10`.
ParseResult parseExponentMantissa(AsmParser &parser, IntegerAttr &exponent,
                                  IntegerAttr &mantissa);
void printExponentMantissa(AsmPrinter &printer, Operation *,
                           IntegerAttr exponent, IntegerAttr mantissa);

/// `[0:8:2, 1:3]`; a stride of 1 is left out.
ParseResult parseSliceRanges(OpAsmParser &parser, DenseI64ArrayAttr &start,
                             DenseI64ArrayAttr &limit,
                             DenseI64ArrayAttr &strides);
void printSliceRanges(OpAsmPrinter &printer, Operation *,
                      DenseI64ArrayAttr start, DenseI64ArrayAttr limit,
                      DenseI64ArrayAttr strides);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
ParseResult parseDotDimensionNumbers(AsmParser &parser,
                                     DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(AsmPrinter &printer, Operation *,
                              DotDimensionNumbersAttr numbers);

/// `, precision = [HIGH, HIGH]` or nothing.
ParseResult parsePrecisionConfig(OpAsmParser &parser, ArrayAttr &precision);
void printPrecisionConfig(OpAsmPrinter &printer, Operation *,
                          ArrayAttr precision);

/// The same, and `, algorithm = <…>`.
ParseResult parsePrecisionConfigAndAlgorithm(OpAsmParser &parser,
                                             ArrayAttr &precision,
                                             DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(OpAsmPrinter &printer, Operation *,
                                      ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);

/// `stride = [1], pad = [[0, 1]], lhs_dilate = …, rhs_dilate = …, reverse = …`,
/// each only where the attribute is there.
ParseResult parseWindowAttributes(OpAsmParser &parser,
                                  DenseI64ArrayAttr &strides,
                                  DenseIntElementsAttr &padding,
                                  DenseI64ArrayAttr &lhsDilation,
                                  DenseI64ArrayAttr &rhsDilation,
                                  DenseBoolArrayAttr &reversal);
void printWindowAttributes(OpAsmPrinter &printer, Operation *,
                           DenseI64ArrayAttr strides,
                           DenseIntElementsAttr padding,
                           DenseI64ArrayAttr lhsDilation,
                           DenseI64ArrayAttr rhsDilation,
                           DenseBoolArrayAttr reversal);

/// The same without padding.
ParseResult parseDynamicWindowAttributes(OpAsmParser &parser,
                                         DenseI64ArrayAttr &strides,
                                         DenseI64ArrayAttr &lhsDilation,
                                         DenseI64ArrayAttr &rhsDilation,
                                         DenseBoolArrayAttr &reversal);
void printDynamicWindowAttributes(OpAsmPrinter &printer, Operation *,
                                  DenseI64ArrayAttr strides,
                                  DenseI64ArrayAttr lhsDilation,
                                  DenseI64ArrayAttr rhsDilation,
                                  DenseBoolArrayAttr reversal);

/// `@name`, quoted where it must be.
ParseResult parseCustomCallTarget(AsmParser &parser, StringAttr &target);
void printCustomCallTarget(AsmPrinter &printer, Operation *, StringAttr target);

/// `{attributes} dense<…> : type`, the form of constants.
ParseResult parseConstant(OpAsmParser &parser, OperationState &state);
void printConstant(OpAsmPrinter &printer, Operation *op, ElementsAttr value);

} // namespace mlir::stablehlo

#endif
