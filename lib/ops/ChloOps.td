// The CHLO ops: what producers write above StableHLO and Transforms expands
// into it.
#ifndef XLAC_OPS_CHLO
#define XLAC_OPS_CHLO

include "ops/ChloEnums.td"
include "ops/StablehloBase.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::mlir::chlo";
  let summary = "Client ops that expand into StableHLO";
  let dependentDialects = ["::mlir::stablehlo::StablehloDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
  private:
    void registerAttributes();
    void registerOperations();

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

/// Yields i1.
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

/// Broadcasts its operands as NumPy does, or by `broadcast_dimensions` of the
/// operand of lower rank.
class Chlo_Broadcasting<string mnemonic, list<Trait> traits = []>
    : Chlo_InferredOp<mnemonic, Xlac_Elementwise,
                      !listconcat(traits, [Pure])> {
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

def Chlo_AsinAcosKernelOp : Chlo_Unary<"_asin_acos_kernel">;
def Chlo_AcosOp : Chlo_Unary<"acos">;
def Chlo_AcoshOp : Chlo_Unary<"acosh">;
def Chlo_AsinOp : Chlo_Unary<"asin">;
def Chlo_AsinhOp : Chlo_Unary<"asinh">;
def Chlo_AtanOp : Chlo_Unary<"atan">;
def Chlo_AtanhOp : Chlo_Unary<"atanh">;
def Chlo_BesselI1eOp : Chlo_Unary<"bessel_i1e">;
def Chlo_ConjOp : Chlo_Unary<"conj">;
def Chlo_CoshOp : Chlo_Unary<"cosh">;
def Chlo_DigammaOp : Chlo_Unary<"digamma">;
def Chlo_ErfOp : Chlo_Unary<"erf">;
def Chlo_ErfInvOp : Chlo_Unary<"erf_inv">;
def Chlo_ErfcOp : Chlo_Unary<"erfc">;
def Chlo_IsInfOp : Chlo_Predicate<"is_inf">;
def Chlo_IsNegInfOp : Chlo_Predicate<"is_neg_inf">;
def Chlo_IsPosInfOp : Chlo_Predicate<"is_pos_inf">;
def Chlo_LgammaOp : Chlo_Unary<"lgamma">;
def Chlo_SinhOp : Chlo_Unary<"sinh">;
def Chlo_SquareOp : Chlo_Unary<"square">;
def Chlo_TanOp : Chlo_Unary<"tan">;

def Chlo_MulhiOp : Chlo_Binary<"mulhi", [Commutative]>;
def Chlo_NextAfterOp : Chlo_Binary<"next_after"> {
  let arguments = (ins Stablehlo_Tensor:$x, Stablehlo_Tensor:$y);
  let assemblyFormat = [{
    $x `,` $y attr-dict `:` type($x) `,` type($y) `->` type($result)
  }];
}
def Chlo_PolygammaOp : Chlo_Binary<"polygamma"> {
  let arguments = (ins Stablehlo_Tensor:$n, Stablehlo_Tensor:$x);
  let assemblyFormat = [{
    $n `,` $x attr-dict `:` type($n) `,` type($x) `->` type($result)
  }];
}
def Chlo_ZetaOp : Chlo_Binary<"zeta"> {
  let arguments = (ins Stablehlo_Tensor:$x, Stablehlo_Tensor:$q);
  let assemblyFormat = [{
    $x `,` $q attr-dict `:` type($x) `,` type($q) `->` type($result)
  }];
}

//===- With broadcasting --------------------------------------------------===//

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
  let arguments = (ins Stablehlo_Tensor:$pred, Stablehlo_Tensor:$on_true,
                       Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:` `(` type($pred) `,`
    type($on_true) `,` type($on_false) `)` `->` type(results)
  }];
}

//===- Others -------------------------------------------------------------===//

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
