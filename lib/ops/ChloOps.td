// The CHLO ops: client-level ops that Transforms expands to StableHLO.
#ifndef XLAC_OPS_CHLO
#define XLAC_OPS_CHLO

include "ops/ChloEnums.td"
include "ops/StablehloBase.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::xlac::chlo";
  let summary = "Client ops that expand into StableHLO";
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    void registerAttributes();
    void registerOperations();
    void registerBytecode();

  public:
  }];
}

//===- Enums and attributes -----------------------------------------------===//

def Chlo_ComparisonDirectionAttr
    : EnumAttr<Chlo_Dialect, Chlo_ComparisonDirection, "comparison_direction">;
def Chlo_ComparisonTypeAttr
    : EnumAttr<Chlo_Dialect, Chlo_ComparisonType, "comparison_type">;
def Chlo_PrecisionAttr : EnumAttr<Chlo_Dialect, Chlo_Precision, "precision">;
def Chlo_PrecisionConfig : OptionalAttr<TypedArrayAttrBase<
    Chlo_PrecisionAttr, "array of precisions">>;

def Chlo_RaggedDotDimensionNumbers
    : AttrDef<Chlo_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "Which dimensions a ragged dot batches, contracts and groups";
  let parameters = (ins
    Stablehlo_Dims:$lhs_batching_dimensions,
    Stablehlo_Dims:$rhs_batching_dimensions,
    Stablehlo_Dims:$lhs_contracting_dimensions,
    Stablehlo_Dims:$rhs_contracting_dimensions,
    Stablehlo_Dims:$lhs_ragged_dimensions,
    Stablehlo_Dims:$rhs_group_dimensions);
  let hasCustomAssemblyFormat = 1;
}

//===- Base classes -------------------------------------------------------===//

class Chlo_Op<string mnemonic, Xlac_Kind opKind, list<Trait> traits = []>
    : Op<Chlo_Dialect, mnemonic, traits>, Xlac_OpFacts {
  let kind = opKind;
  let hasVerifier = 1;
  let extraClassDefinition = Xlac_VerifierText;
}

class Chlo_InferredOp<string mnemonic, Xlac_Kind opKind,
                      list<Trait> traits = []>
    : Xlac_InferredOp<Chlo_Dialect, mnemonic, opKind, traits>;

class Chlo_Unary<string mnemonic>
    : Chlo_InferredOp<mnemonic, Xlac_Elementwise,
                      [Pure, Stablehlo_Elementwise]> {
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let shapeRule = "unary";
  let assemblyFormat = [{
    $operand attr-dict `:` type($operand) `->` type($result)
  }];
}

/// Returns i1.
class Chlo_Predicate<string mnemonic> : Chlo_Unary<mnemonic> {
  let shapeRule = "is_finite";
}

class Chlo_Binary<string mnemonic, list<Trait> traits = []>
    : Chlo_InferredOp<mnemonic, Xlac_Elementwise,
                      !listconcat(traits, [Pure, Stablehlo_Elementwise])> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs);
  let results = (outs Stablehlo_Tensor:$result);
  let shapeRule = "binary";
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)
  }];
}

/// An op that broadcasts its operands like NumPy, or by `broadcast_dimensions`
/// of the operand with the lower rank.
class Chlo_Broadcasting<string mnemonic, list<Trait> traits = []>
    : Chlo_InferredOp<mnemonic, Xlac_Elementwise,
                      !listconcat(traits, [Pure])> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_NoLanes;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs Stablehlo_Tensor);
  let shapeRule = "broadcast_binary";
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->`
    type(results)
  }];
}

//===- Elementwise --------------------------------------------------------===//

def Chlo_AsinAcosKernelOp : Chlo_Unary<"_asin_acos_kernel"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<15>;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_Lanes<"asinAcosKernel", "asinAcosKernel">;
  let evaluator = Xlac_NoEvaluator;
  let fuzz = Xlac_NoPlan;
}
def Chlo_AcosOp : Chlo_Unary<"acos"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<25>;
  let accuracy = Xlac_Ulps<"1.5", "0.51">;
  let gradient = Xlac_Gradient<"acos", "-0.8", "0.8">;
  let lanes = Xlac_Lanes<"acos", "acos">;
  let evaluator = Xlac_Libm<"acos", "std::acos(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_AcoshOp : Chlo_Unary<"acosh"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<120>;
  let accuracy = Xlac_Ulps<"1", "0.51">;
  let gradient = Xlac_Gradient<"acosh", "1.3", "4">;
  let lanes = Xlac_Lanes<"acosh", "acosh">;
  let evaluator = Xlac_Libm<"acosh", "std::acosh(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_AsinOp : Chlo_Unary<"asin"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<25>;
  let accuracy = Xlac_Ulps<"1.5", "0.52">;
  let gradient = Xlac_Gradient<"asin", "-0.8", "0.8">;
  let lanes = Xlac_Lanes<"asin", "asin">;
  let evaluator = Xlac_Libm<"asin", "std::asin(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_AsinhOp : Chlo_Unary<"asinh"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<120>;
  let accuracy = Xlac_Ulps<"1", "0.51", slope="1">;
  let gradient = Xlac_Gradient<"asinh", "-3", "3">;
  let lanes = Xlac_Lanes<"asinh", "asinh">;
  let evaluator = Xlac_Libm<"asinh", "std::asinh(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_AtanOp : Chlo_Unary<"atan"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<25>;
  let accuracy = Xlac_Ulps<"1.5", "0.51", slope="1">;
  let gradient = Xlac_Gradient<"atan", "-3", "3">;
  let lanes = Xlac_Lanes<"atan", "arcTangent">;
  let evaluator = Xlac_Libm<"atan", "std::atan(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_AtanhOp : Chlo_Unary<"atanh"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<120>;
  let accuracy = Xlac_Ulps<"1", "0.51">;
  let gradient = Xlac_Gradient<"atanh", "-0.8", "0.8">;
  let lanes = Xlac_Lanes<"atanh", "atanh">;
  let evaluator = Xlac_Libm<"atanh", "std::atanh(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_BesselI1eOp : Chlo_Unary<"bessel_i1e"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<1300>;
  let accuracy = Xlac_Ulps<"1", "1.5", reference64="4090">;
  let gradient = Xlac_Gradient<"bessel_i1e">;
  let lanes = Xlac_Lanes<"besselI1e", "">;
  let evaluator = Xlac_Evaluator<"bessel_i1e(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_ConjOp : Chlo_Unary<"conj"> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"conj">;
  let lanes = Xlac_Lanes<"identity", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"", "std::conj(x)">;
  let fuzz = Xlac_Plan<2, elements=Xlac_ComplexOnly>;
}
def Chlo_CoshOp : Chlo_Unary<"cosh"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<35>;
  let accuracy = Xlac_Ulps<"1.5", "0.75">;
  let gradient = Xlac_Gradient<"cosh", "-2", "2">;
  let lanes = Xlac_Lanes<"cosh", "cosh">;
  let evaluator = Xlac_Libm<"cosh", "std::cosh(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_DigammaOp : Chlo_Unary<"digamma"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<2000>;
  let accuracy = Xlac_Ulps<"2", "2", reference64="4090", floor64="1">;
  let gradient = Xlac_Gradient<"digamma", "0.7", "4">;
  let lanes = Xlac_Lanes<"digamma", "">;
  let evaluator = Xlac_Evaluator<"digamma(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_ErfOp : Chlo_Unary<"erf"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<25>;
  let accuracy = Xlac_Ulps<"1.5", "1.2", unfused64="1.25", slope="1.13">;
  let gradient = Xlac_Gradient<"erf", "-2", "2">;
  let lanes = Xlac_Lanes<"erf", "">;
  let evaluator = Xlac_Libm<"erf">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_ErfInvOp : Chlo_Unary<"erf_inv"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<80>;
  let accuracy = Xlac_Ulps<"2", "1.25", reference64="4090">;
  let gradient = Xlac_Gradient<"erf_inv", "-0.8", "0.8">;
  let lanes = Xlac_Lanes<"erfInv", "">;
  let evaluator = Xlac_Evaluator<"erf_inv(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_ErfcOp : Chlo_Unary<"erfc"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<80>;
  let accuracy = Xlac_Ulps<"2", "1.13", unfused64="1.25", reference64="6", slope="1.13">;
  let gradient = Xlac_Gradient<"erfc", "-2", "2">;
  let lanes = Xlac_Lanes<"erfc", "">;
  let evaluator = Xlac_Libm<"erfc">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_IsInfOp : Chlo_Predicate<"is_inf"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"isInf", "">;
  let evaluator = Xlac_Predicate<"std::isinf(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_IsNegInfOp : Chlo_Predicate<"is_neg_inf"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"isNegInf", "">;
  let evaluator = Xlac_Predicate<"std::isinf(x) && x < 0">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_IsPosInfOp : Chlo_Predicate<"is_pos_inf"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"isPosInf", "">;
  let evaluator = Xlac_Predicate<"std::isinf(x) && x > 0">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_LgammaOp : Chlo_Unary<"lgamma"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<2400>;
  let accuracy = Xlac_Ulps<"1", "1", reference64="4090", floor64="1">;
  let gradient = Xlac_Gradient<"lgamma", "0.7", "4">;
  let lanes = Xlac_Lanes<"lgamma", "">;
  let evaluator = Xlac_Evaluator<"log_gamma(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_SinhOp : Chlo_Unary<"sinh"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<35>;
  let accuracy = Xlac_Ulps<"2", "0.8", unfused64="1">;
  let gradient = Xlac_Gradient<"sinh", "-2", "2">;
  let lanes = Xlac_Lanes<"sinh", "sinh">;
  let evaluator = Xlac_Libm<"sinh", "std::sinh(x)">;
  let fuzz = Xlac_Plan<2>;
}
def Chlo_SquareOp : Chlo_Unary<"square"> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"square", "-2", "2">;
  let lanes = Xlac_Lanes<"square", "">;
  let evaluator = Xlac_Evaluator<"x * x", "x * x">;
  let fuzz = Xlac_Plan<2, elements=Xlac_Number>;
}
def Chlo_TanOp : Chlo_Unary<"tan"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cost<35>;
  let accuracy = Xlac_Ulps<"1.5", "0.9">;
  let gradient = Xlac_Gradient<"tan", "-1", "1">;
  let lanes = Xlac_Lanes<"tan", "tangent">;
  let evaluator = Xlac_Evaluator<"std::tan(x)", "std::tan(x)">;
  let fuzz = Xlac_Plan<2>;
}

def Chlo_MulhiOp : Chlo_Binary<"mulhi", [Commutative]> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<2, "binary">;
}
def Chlo_NextAfterOp : Chlo_Binary<"next_after"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<15>;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"next_after">;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<3, "binary">;
  let arguments = (ins Stablehlo_Tensor:$x, Stablehlo_Tensor:$y);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)
  }];
}
def Chlo_PolygammaOp : Chlo_Binary<"polygamma"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<12000>;
  let accuracy = Xlac_Ulps<"1", "2.5", reference64="4090", referenceFloor64="1">;
  let gradient = Xlac_Gradient<"polygamma">;
  let lanes = Xlac_Lanes<"polygamma", "">;
  let evaluator = Xlac_Evaluator<"polygamma(x, y)">;
  let fuzz = Xlac_Plan<2, "polygamma">;
  let arguments = (ins Stablehlo_Tensor:$n, Stablehlo_Tensor:$x);
  let assemblyFormat = [{
    $n `,` $x attr-dict `:` type($n) `,` type($x) `->` type($result)
  }];
}
def Chlo_ZetaOp : Chlo_Binary<"zeta"> {
  let elements = Xlac_FloatOnly;
  let cost = Xlac_Cost<11000>;
  let accuracy = Xlac_Ulps<"1", "1.5", reference64="4090">;
  let gradient = Xlac_Gradient<"zeta">;
  let lanes = Xlac_Lanes<"zeta", "">;
  let evaluator = Xlac_Evaluator<"zeta(x, y)">;
  let fuzz = Xlac_Plan<2, "zeta">;
  let arguments = (ins Stablehlo_Tensor:$x, Stablehlo_Tensor:$q);
  let assemblyFormat = [{
    $x `,` $q attr-dict `:` type($x) `,` type($q) `->` type($result)
  }];
}

//===- Broadcasting ops ---------------------------------------------------===//

def Chlo_BroadcastAddOp : Chlo_Broadcasting<"broadcast_add", [Commutative]>;
def Chlo_BroadcastAndOp : Chlo_Broadcasting<"broadcast_and", [Commutative]>;
def Chlo_BroadcastAtan2Op : Chlo_Broadcasting<"broadcast_atan2">;
def Chlo_BroadcastDivOp : Chlo_Broadcasting<"broadcast_divide">;
def Chlo_BroadcastMaxOp : Chlo_Broadcasting<"broadcast_maximum", [Commutative]>;
def Chlo_BroadcastMinOp : Chlo_Broadcasting<"broadcast_minimum", [Commutative]>;
def Chlo_BroadcastMulOp
    : Chlo_Broadcasting<"broadcast_multiply", [Commutative]>;
def Chlo_BroadcastNextAfterOp : Chlo_Broadcasting<"broadcast_next_after">;
def Chlo_BroadcastOrOp : Chlo_Broadcasting<"broadcast_or", [Commutative]>;
def Chlo_BroadcastPolygammaOp : Chlo_Broadcasting<"broadcast_polygamma">;
def Chlo_BroadcastPowOp : Chlo_Broadcasting<"broadcast_power">;
def Chlo_BroadcastRemOp : Chlo_Broadcasting<"broadcast_remainder">;
def Chlo_BroadcastShiftLeftOp : Chlo_Broadcasting<"broadcast_shift_left">;
def Chlo_BroadcastShiftRightArithmeticOp
    : Chlo_Broadcasting<"broadcast_shift_right_arithmetic">;
def Chlo_BroadcastShiftRightLogicalOp
    : Chlo_Broadcasting<"broadcast_shift_right_logical">;
def Chlo_BroadcastSubOp : Chlo_Broadcasting<"broadcast_subtract">;
def Chlo_BroadcastXorOp : Chlo_Broadcasting<"broadcast_xor", [Commutative]>;
def Chlo_BroadcastZetaOp : Chlo_Broadcasting<"broadcast_zeta">;

def Chlo_BroadcastComplexOp : Chlo_Broadcasting<"broadcast_complex"> {
  let shapeRule = "broadcast_complex";
}

def Chlo_BroadcastCompareOp : Chlo_Broadcasting<"broadcast_compare"> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
    Chlo_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<Chlo_ComparisonTypeAttr>:$compare_type);
  let shapeRule = "broadcast_compare";
}

def Chlo_BroadcastSelectOp
    : Chlo_InferredOp<"broadcast_select", Xlac_Elementwise, [Pure]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_NoLanes;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let arguments = (ins Stablehlo_Tensor:$pred, Stablehlo_Tensor:$on_true,
                       Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:` `(` type($pred) `,`
    type($on_true) `,` type($on_false) `)` `->` type(results)
  }];
}

//===- Other ops ----------------------------------------------------------===//

def Chlo_ConstantOp
    : Chlo_InferredOp<"constant", Xlac_Other, [ConstantLike, Pure]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let compatibility = "::xlac::areCompatibleConstants";
}

def Chlo_ConstantLikeOp
    : Chlo_InferredOp<"constant_like", Xlac_Elementwise, [Pure]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let arguments = (ins Stablehlo_Tensor:$operand, TypedAttrInterface:$value);
  let results = (outs Stablehlo_Tensor);
}

def Chlo_RaggedDotOp : Chlo_Op<"ragged_dot", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_Tensor:$group_sizes,
    Chlo_RaggedDotDimensionNumbers:$ragged_dot_dimension_numbers,
    Chlo_PrecisionConfig:$precision_config);
  let results = (outs Stablehlo_Tensor:$result);
}

def Chlo_ScanOp : Chlo_InferredOp<"scan", Xlac_Other,
    [AttrSizedOperandSegments, AttrSizedResultSegments, IsolatedFromAbove,
     RecursiveMemoryEffects]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    Variadic<Stablehlo_Tensor>:$inits, I64Attr:$dimension,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$scan_dim_size,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_reverse,
    OptionalAttr<BoolAttr>:$is_associative);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Tensor>:$outputs,
                      Variadic<Stablehlo_Tensor>:$carries);
  let hasCustomAssemblyFormat = 1;
}

def Chlo_TopKOp : Chlo_InferredOp<"top_k", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$k,
    DefaultValuedOptionalAttr<BoolAttr, "true">:$is_stable);
  let results = (outs Stablehlo_Tensor:$values, Stablehlo_Tensor:$indices);
  let assemblyFormat = [{
    `(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->`
    `(` type($values) `,` type($indices) `)`
  }];
}

#endif
