// Parts of the textual form that several ops share, as TableGen's custom
// directives name them, and the `name = value` lists of attributes. Parsers
// report their own errors.
#ifndef XLAC_DIALECT_STABLEHLO_ASSEMBLY_H
#define XLAC_DIALECT_STABLEHLO_ASSEMBLY_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include <variant>

namespace xlac::stablehlo {

/// One entry of a `<name = value, …>` list: the place that its value goes to.
struct StructField {
  llvm::StringRef name;
  /// Exactly one of the two is set.
  llvm::SmallVectorImpl<int64_t> *dims = nullptr;
  int64_t *number = nullptr;
};

/// Reads `name = value, …` up to and with `>`, in any order, each name at most
/// once; fields that are not named keep what they hold.
mlir::ParseResult parseStruct(mlir::AsmParser &parser,
                              llvm::ArrayRef<StructField> fields);

/// An entry of a list to print.
struct StructValue {
  llvm::StringRef name;
  std::variant<llvm::ArrayRef<int64_t>, int64_t> value;
};

/// Prints the entries that are neither empty nor 0, between `<` and `>`.
void printStruct(mlir::AsmPrinter &printer, llvm::ArrayRef<StructValue> values);

/// `[1, 2]`.
mlir::ParseResult parseDims(mlir::AsmParser &parser,
                            llvm::SmallVectorImpl<int64_t> &dims);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
mlir::ParseResult parseConvolutionDimensions(mlir::AsmParser &parser,
                                             ConvDimensionNumbersAttr &numbers);
void printConvolutionDimensions(mlir::AsmPrinter &printer,
                                ConvDimensionNumbersAttr numbers);
inline void printConvolutionDimensions(mlir::OpAsmPrinter &printer,
                                       mlir::Operation *,
                                       ConvDimensionNumbersAttr numbers) {
  printConvolutionDimensions(printer, numbers);
}
/// Whether the form above can say `numbers`; an ill-formed one it cannot.
bool isPrintable(ConvDimensionNumbersAttr numbers);

/// One type where all are equal, else a function type.
mlir::ParseResult parseSameTypes(mlir::OpAsmParser &parser,
                                 llvm::ArrayRef<mlir::Type *> types);
void printSameTypes(mlir::OpAsmPrinter &printer,
                    llvm::ArrayRef<mlir::Type> types);

template <typename... Types>
mlir::ParseResult parseSameOperandsAndResultType(mlir::OpAsmParser &parser,
                                                 Types &...types) {
  return parseSameTypes(parser, {&types...});
}
template <typename... Types>
void printSameOperandsAndResultType(mlir::OpAsmPrinter &printer,
                                    mlir::Operation *, Types... types) {
  printSameTypes(printer, {mlir::Type(types)...});
}

/// The same for any number of operands.
mlir::ParseResult parseVariadicSameOperandsAndResultType(
    mlir::OpAsmParser &parser,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::SmallVectorImpl<mlir::Type> &types, mlir::Type &result);
void printVariadicSameOperandsAndResultType(mlir::OpAsmPrinter &printer,
                                            mlir::Operation *,
                                            mlir::OperandRange operands,
                                            mlir::TypeRange types,
                                            mlir::Type result);

/// The complex result's type where the operands follow from it.
mlir::ParseResult parseComplexOpType(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                     mlir::Type &rhs, mlir::Type &result);
void printComplexOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::Type lhs, mlir::Type rhs, mlir::Type result);

/// `predicate, value` where both values and the result agree.
mlir::ParseResult parseSelectOpType(mlir::OpAsmParser &parser,
                                    mlir::Type &predicate, mlir::Type &onTrue,
                                    mlir::Type &onFalse, mlir::Type &result);
void printSelectOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::Type predicate, mlir::Type onTrue,
                       mlir::Type onFalse, mlir::Type result);

/// The tuple's type where the operands follow from it.
mlir::ParseResult parseTupleOpType(mlir::OpAsmParser &parser,
                                   llvm::SmallVectorImpl<mlir::Type> &operands,
                                   mlir::Type &result);
void printTupleOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::TypeRange operands, mlir::Type result);

/// The operands' types where the results have the same.
mlir::ParseResult
parsePairwiseOpType(mlir::OpAsmParser &parser,
                    llvm::SmallVectorImpl<mlir::Type> &operands,
                    llvm::SmallVectorImpl<mlir::Type> &results);
void printPairwiseOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                         mlir::TypeRange operands, mlir::TypeRange results);

/// `%a, %b,` with the comma that leads on to a named attribute.
mlir::ParseResult parseVariadicOperandWithAttribute(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printVariadicOperandWithAttribute(mlir::OpAsmPrinter &printer,
                                       mlir::Operation *,
                                       mlir::OperandRange operands);

/// `e8m10`.
mlir::ParseResult parseExponentMantissa(mlir::AsmParser &parser,
                                        mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);
void printExponentMantissa(mlir::AsmPrinter &printer, mlir::Operation *,
                           mlir::IntegerAttr exponent,
                           mlir::IntegerAttr mantissa);

/// `[0:8:2, 1:3]`; a stride of 1 is left out.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &start,
                                   mlir::DenseI64ArrayAttr &limit,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::DenseI64ArrayAttr start,
                      mlir::DenseI64ArrayAttr limit,
                      mlir::DenseI64ArrayAttr strides);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
mlir::ParseResult parseDotDimensionNumbers(mlir::AsmParser &parser,
                                           DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(mlir::AsmPrinter &printer, mlir::Operation *,
                              DotDimensionNumbersAttr numbers);

/// `, precision = [HIGH, HIGH]` or nothing.
mlir::ParseResult parsePrecisionConfig(mlir::OpAsmParser &parser,
                                       mlir::ArrayAttr &precision);
void printPrecisionConfig(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          mlir::ArrayAttr precision);

/// The same, and `, algorithm = <…>`.
mlir::ParseResult parsePrecisionConfigAndAlgorithm(mlir::OpAsmParser &parser,
                                                   mlir::ArrayAttr &precision,
                                                   DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(mlir::OpAsmPrinter &printer,
                                      mlir::Operation *,
                                      mlir::ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);

/// `stride = [1], pad = [[0, 1]], lhs_dilate = …, rhs_dilate = …, reverse = …`,
/// each only where the attribute is there.
mlir::ParseResult parseWindowAttributes(mlir::OpAsmParser &parser,
                                        mlir::DenseI64ArrayAttr &strides,
                                        mlir::DenseIntElementsAttr &padding,
                                        mlir::DenseI64ArrayAttr &lhsDilation,
                                        mlir::DenseI64ArrayAttr &rhsDilation,
                                        mlir::DenseBoolArrayAttr &reversal);
void printWindowAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *,
                           mlir::DenseI64ArrayAttr strides,
                           mlir::DenseIntElementsAttr padding,
                           mlir::DenseI64ArrayAttr lhsDilation,
                           mlir::DenseI64ArrayAttr rhsDilation,
                           mlir::DenseBoolArrayAttr reversal);

/// The same without padding.
mlir::ParseResult parseDynamicWindowAttributes(
    mlir::OpAsmParser &parser, mlir::DenseI64ArrayAttr &strides,
    mlir::DenseI64ArrayAttr &lhsDilation, mlir::DenseI64ArrayAttr &rhsDilation,
    mlir::DenseBoolArrayAttr &reversal);
void printDynamicWindowAttributes(mlir::OpAsmPrinter &printer,
                                  mlir::Operation *,
                                  mlir::DenseI64ArrayAttr strides,
                                  mlir::DenseI64ArrayAttr lhsDilation,
                                  mlir::DenseI64ArrayAttr rhsDilation,
                                  mlir::DenseBoolArrayAttr reversal);

/// `@name`, quoted where it must be.
mlir::ParseResult parseCustomCallTarget(mlir::AsmParser &parser,
                                        mlir::StringAttr &target);
void printCustomCallTarget(mlir::AsmPrinter &printer, mlir::Operation *,
                           mlir::StringAttr target);

/// `{attributes} dense<…> : type`, the form of constants.
mlir::ParseResult parseConstant(mlir::OpAsmParser &parser,
                                mlir::OperationState &state);
void printConstant(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::ElementsAttr value);

} // namespace xlac::stablehlo

#endif
