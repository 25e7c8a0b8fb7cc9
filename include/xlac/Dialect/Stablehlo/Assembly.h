// Custom directives of the textual form that several ops share, and the `<name
// = value, …>` lists of attributes. Parsers report their own errors.
#ifndef XLAC_DIALECT_STABLEHLO_ASSEMBLY_H
#define XLAC_DIALECT_STABLEHLO_ASSEMBLY_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"
#include <variant>

namespace xlac::stablehlo {

/// One entry of a `<name = value, …>` list, and where its value is stored.
struct StructField {
  llvm::StringRef name;
  /// Exactly one of the two is set.
  llvm::SmallVectorImpl<int64_t> *dims = nullptr;
  int64_t *number = nullptr;
};

/// Parses `name = value, …` and the closing `>`. The names may come in any
/// order, each at most once. Fields without an entry keep their value.
mlir::ParseResult parseStruct(mlir::AsmParser &parser,
                              llvm::ArrayRef<StructField> fields);

/// One entry of a list to print.
struct StructValue {
  llvm::StringRef name;
  std::variant<llvm::ArrayRef<int64_t>, int64_t> value;
};

/// Prints the entries that are neither empty nor 0, enclosed in `<` and `>`.
void printStruct(mlir::AsmPrinter &printer, llvm::ArrayRef<StructValue> values);

/// Form: `[1, 2]`.
mlir::ParseResult parseDims(mlir::AsmParser &parser,
                            llvm::SmallVectorImpl<int64_t> &dims);
void printDims(mlir::AsmPrinter &printer, llvm::ArrayRef<int64_t> dims);

/// Form: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
mlir::ParseResult parseConvolutionDimensions(mlir::AsmParser &parser,
                                             ConvDimensionNumbersAttr &numbers);
void printConvolutionDimensions(mlir::AsmPrinter &printer,
                                ConvDimensionNumbersAttr numbers);
inline void printConvolutionDimensions(mlir::OpAsmPrinter &printer,
                                       mlir::Operation *,
                                       ConvDimensionNumbersAttr numbers) {
  printConvolutionDimensions(printer, numbers);
}
/// Returns whether the form above can express `numbers`. It cannot express
/// ill-formed numbers.
bool isPrintable(ConvDimensionNumbersAttr numbers);

/// Form: one type if all types are equal, else a function type.
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

/// The same form for any number of operands.
mlir::ParseResult parseVariadicSameOperandsAndResultType(
    mlir::OpAsmParser &parser,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::SmallVectorImpl<mlir::Type> &types, mlir::Type &result);
void printVariadicSameOperandsAndResultType(mlir::OpAsmPrinter &printer,
                                            mlir::Operation *,
                                            mlir::OperandRange operands,
                                            mlir::TypeRange types,
                                            mlir::Type result);

/// Form: the complex result type if it determines the operand types, else a
/// function type.
mlir::ParseResult parseComplexOpType(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                     mlir::Type &rhs, mlir::Type &result);
void printComplexOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                        mlir::Type lhs, mlir::Type rhs, mlir::Type result);

/// Form: `predicate, value` if both values and the result have the same type,
/// else a function type.
mlir::ParseResult parseSelectOpType(mlir::OpAsmParser &parser,
                                    mlir::Type &predicate, mlir::Type &onTrue,
                                    mlir::Type &onFalse, mlir::Type &result);
void printSelectOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                       mlir::Type predicate, mlir::Type onTrue,
                       mlir::Type onFalse, mlir::Type result);

/// Form: the tuple type if it determines the operand types, else a function
/// type.
mlir::ParseResult parseTupleOpType(mlir::OpAsmParser &parser,
                                   llvm::SmallVectorImpl<mlir::Type> &operands,
                                   mlir::Type &result);
void printTupleOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::TypeRange operands, mlir::Type result);

/// Form: the operand types if the results have the same types, else a function
/// type.
mlir::ParseResult
parsePairwiseOpType(mlir::OpAsmParser &parser,
                    llvm::SmallVectorImpl<mlir::Type> &operands,
                    llvm::SmallVectorImpl<mlir::Type> &results);
void printPairwiseOpType(mlir::OpAsmPrinter &printer, mlir::Operation *,
                         mlir::TypeRange operands, mlir::TypeRange results);

/// Form: `%a, %b,`, including the comma before a named attribute.
mlir::ParseResult parseVariadicOperandWithAttribute(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printVariadicOperandWithAttribute(mlir::OpAsmPrinter &printer,
                                       mlir::Operation *,
                                       mlir::OperandRange operands);

/// Form: `e8m10`.
mlir::ParseResult parseExponentMantissa(mlir::AsmParser &parser,
                                        mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);
void printExponentMantissa(mlir::AsmPrinter &printer, mlir::Operation *,
                           mlir::IntegerAttr exponent,
                           mlir::IntegerAttr mantissa);

/// Form: `[0:8:2, 1:3]`. A stride of 1 is omitted.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &start,
                                   mlir::DenseI64ArrayAttr &limit,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *,
                      mlir::DenseI64ArrayAttr start,
                      mlir::DenseI64ArrayAttr limit,
                      mlir::DenseI64ArrayAttr strides);

/// Form: `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
mlir::ParseResult parseDotDimensionNumbers(mlir::AsmParser &parser,
                                           DotDimensionNumbersAttr &numbers);
void printDotDimensionNumbers(mlir::AsmPrinter &printer, mlir::Operation *,
                              DotDimensionNumbersAttr numbers);

/// Form: `, precision = [HIGH, HIGH]`, or empty.
mlir::ParseResult parsePrecisionConfig(mlir::OpAsmParser &parser,
                                       mlir::ArrayAttr &precision);
void printPrecisionConfig(mlir::OpAsmPrinter &printer, mlir::Operation *,
                          mlir::ArrayAttr precision);

/// The same form, followed by `, algorithm = <…>` if there is an algorithm.
mlir::ParseResult parsePrecisionConfigAndAlgorithm(mlir::OpAsmParser &parser,
                                                   mlir::ArrayAttr &precision,
                                                   DotAlgorithmAttr &algorithm);
void printPrecisionConfigAndAlgorithm(mlir::OpAsmPrinter &printer,
                                      mlir::Operation *,
                                      mlir::ArrayAttr precision,
                                      DotAlgorithmAttr algorithm);

/// Form: `stride = [1], pad = [[0, 1]], lhs_dilate = …, rhs_dilate = …` and
/// `reverse = …`. Absent attributes are omitted.
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

/// The same form without padding.
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

/// Form: `@name`, quoted if necessary.
mlir::ParseResult parseCustomCallTarget(mlir::AsmParser &parser,
                                        mlir::StringAttr &target);
void printCustomCallTarget(mlir::AsmPrinter &printer, mlir::Operation *,
                           mlir::StringAttr target);

/// Form of constants: `{attributes} dense<…> : type`.
mlir::ParseResult parseConstant(mlir::OpAsmParser &parser,
                                mlir::OperationState &state);
void printConstant(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::ElementsAttr value);

} // namespace xlac::stablehlo

#endif
