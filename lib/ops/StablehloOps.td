// The one table of StableHLO ops. mlir-tblgen makes the dialect from it,
// xlac-tblgen the plain C++ facts, attributes and names. What an op means is in
// the StableHLO specification, whose labels the shape rules name.
#ifndef XLAC_OPS_STABLEHLO
#define XLAC_OPS_STABLEHLO

include "ops/StablehloBase.td"

//===- Elementwise --------------------------------------------------------===//

class Stablehlo_Unary<string mnemonic, list<Trait> traits = []>
    : Stablehlo_InferredOp<mnemonic, Xlac_Elementwise,
                           !listconcat(traits, [Pure, Stablehlo_Elementwise])> {
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let shapeRule = "unary";
  let assemblyFormat = [{
    $operand attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

/// A unary op whose result may be asked to be more or less exact.
class Stablehlo_AccurateUnary<string mnemonic, string version = "0.9.0",
                              string accuracyVersion = "1.10.0">
    : Stablehlo_Unary<mnemonic> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       Stablehlo_ResultAccuracy:$result_accuracy);
  let vhlo = [Xlac_VhloForm<version>,
              Xlac_VhloForm<accuracyVersion, ["result_accuracy"]>];
}

class Stablehlo_Binary<string mnemonic, list<Trait> traits = []>
    : Stablehlo_InferredOp<mnemonic, Xlac_Elementwise,
                           !listconcat(traits, [Pure, Stablehlo_Elementwise])> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs);
  let results = (outs Stablehlo_Tensor:$result);
  let shapeRule = "binary";
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
}

def Stablehlo_AbsOp : Stablehlo_Unary<"abs"> {
  let shapeRule = "abs";
  let elements = Xlac_SignedNumber;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"abs", "0.2", "2">;
  let lanes = Xlac_Lanes<"abs", "", Xlac_NeverRounds>;
  let evaluator = Xlac_Evaluator<"std::fabs(x)">;
  let fuzz = Xlac_Plan<8, keepsNumbers=1>;
}
def Stablehlo_CbrtOp : Stablehlo_AccurateUnary<"cbrt"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<40>;
  let accuracy = Xlac_Ulps<"1", "0.51", unfused32="1", reference64="3", aim32="1">;
  let gradient = Xlac_Gradient<"cbrt", "0.3", "3">;
  let lanes = Xlac_Lanes<"cbrt", "cbrt">;
  let evaluator = Xlac_Libm<"cbrt", "std::pow(x, 1.0 / 3)">;
  let fuzz = Xlac_Plan<3>;
}
def Stablehlo_CeilOp : Stablehlo_Unary<"ceil"> {
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"ceil", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"std::ceil(x)">;
  let fuzz = Xlac_Plan<4, keepsNumbers=1>;
}
def Stablehlo_ClzOp : Stablehlo_Unary<"count_leading_zeros"> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<3>;
}
def Stablehlo_CosineOp : Stablehlo_AccurateUnary<"cosine"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<30>;
  let accuracy = Xlac_Ulps<"1", "0.75", slope="1">;
  let gradient = Xlac_Gradient<"cosine", "-3", "3">;
  let lanes = Xlac_Lanes<"cos", "cosine">;
  let evaluator = Xlac_Libm<"cos", "std::cos(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_ExpOp : Stablehlo_AccurateUnary<"exponential", "0.9.0", "1.9.0"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<15>;
  let accuracy = Xlac_Ulps<"1", "1", unfused32="1", reference64="3", aim32="1">;
  let gradient = Xlac_Gradient<"exp", "-2", "2">;
  let lanes = Xlac_Lanes<"exp", "exp">;
  let evaluator = Xlac_Libm<"exp", "std::exp(x)">;
  let fuzz = Xlac_Plan<6, keepsNumbers=1>;
}
def Stablehlo_Expm1Op : Stablehlo_AccurateUnary<"exponential_minus_one"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<20>;
  let accuracy = Xlac_Ulps<"2", "1">;
  let gradient = Xlac_Gradient<"expm1", "-2", "2">;
  let lanes = Xlac_Lanes<"expm1", "expm1">;
  let evaluator = Xlac_Libm<"expm1", "complex_expm1(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_FloorOp : Stablehlo_Unary<"floor"> {
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"floor", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"std::floor(x)">;
  let fuzz = Xlac_Plan<4, keepsNumbers=1>;
}
def Stablehlo_ImagOp : Stablehlo_Unary<"imag"> {
  let shapeRule = "imag";
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"imag">;
  let lanes = Xlac_Lanes<"", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_LogOp : Stablehlo_AccurateUnary<"log"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<35>;
  let accuracy = Xlac_Ulps<"1", "1", unfused32="1", reference64="3", aim32="1">;
  let gradient = Xlac_Gradient<"log", "0.3", "4">;
  let lanes = Xlac_Lanes<"log", "log">;
  let evaluator = Xlac_Libm<"log", "std::log(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_Log1pOp : Stablehlo_AccurateUnary<"log_plus_one"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<45>;
  let accuracy = Xlac_Ulps<"2", "1.5">;
  let gradient = Xlac_Gradient<"log1p", "-0.6", "4">;
  let lanes = Xlac_Lanes<"log1p", "log1p">;
  let evaluator = Xlac_Libm<"log1p", "complex_log1p(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_LogisticOp : Stablehlo_AccurateUnary<"logistic"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<40>;
  let accuracy = Xlac_Ulps<"2", "1.5", unfused64="2", slope="1">;
  let gradient = Xlac_Gradient<"logistic", "-3", "3">;
  let lanes = Xlac_Lanes<"logistic", "logistic">;
  let evaluator = Xlac_Evaluator<"1 / (1 + std::exp(-x))", "complex_logistic(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_NegOp : Stablehlo_Unary<"negate"> {
  let elements = Xlac_Number;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"negate", "-3", "3">;
  let lanes = Xlac_Lanes<"negate", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"-x", "-x">;
  let fuzz = Xlac_Plan<10, keepsNumbers=1>;
}
def Stablehlo_NotOp : Stablehlo_Unary<"not"> {
  let elements = Xlac_BooleanOrInteger;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<6>;
}
def Stablehlo_PopulationCountOp : Stablehlo_Unary<"popcnt"> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<3>;
}
def Stablehlo_RealOp : Stablehlo_Unary<"real"> {
  let shapeRule = "real";
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"real">;
  let lanes = Xlac_Lanes<"", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_RoundOp : Stablehlo_Unary<"round_nearest_afz"> {
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"roundAway", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"std::round(x)">;
  let fuzz = Xlac_Plan<4, keepsNumbers=1>;
}
def Stablehlo_RoundNearestEvenOp : Stablehlo_Unary<"round_nearest_even"> {
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"roundEven", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"std::nearbyint(x)">;
  let fuzz = Xlac_Plan<4, keepsNumbers=1>;
}
def Stablehlo_RsqrtOp : Stablehlo_AccurateUnary<"rsqrt"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<30>;
  let accuracy = Xlac_Ulps<"1", "0.51", unfused64="1.5", reference64="2.5", aim32="1">;
  let gradient = Xlac_Gradient<"rsqrt", "0.3", "4">;
  let lanes = Xlac_Lanes<"rsqrt", "rsqrt">;
  let evaluator = Xlac_Evaluator<"1 / std::sqrt(x)", "1.0 / std::sqrt(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_SignOp : Stablehlo_Unary<"sign"> {
  let elements = Xlac_SignedNumber;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"sign", "sign", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"sign(x)", "complex_sign(x)">;
  let fuzz = Xlac_Plan<6, keepsNumbers=1>;
}
def Stablehlo_SineOp : Stablehlo_AccurateUnary<"sine"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<30>;
  let accuracy = Xlac_Ulps<"1", "0.76", slope="1">;
  let gradient = Xlac_Gradient<"sine", "-3", "3">;
  let lanes = Xlac_Lanes<"sin", "sine">;
  let evaluator = Xlac_Libm<"sin", "std::sin(x)">;
  let fuzz = Xlac_Plan<4>;
}
def Stablehlo_SqrtOp : Stablehlo_AccurateUnary<"sqrt"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<15>;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"sqrt", "0.3", "4">;
  let lanes = Xlac_Lanes<"sqrt", "sqrt">;
  let evaluator = Xlac_Libm<"sqrt", "std::sqrt(x)">;
  let fuzz = Xlac_Plan<6>;
}
def Stablehlo_TanOp : Stablehlo_AccurateUnary<"tan", "1.4.0"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<35>;
  let accuracy = Xlac_Ulps<"1.5", "0.9">;
  let gradient = Xlac_Gradient<"tan", "-1", "1">;
  let lanes = Xlac_Lanes<"tan", "tangent">;
  let evaluator = Xlac_Libm<"tan", "std::tan(x)">;
  let fuzz = Xlac_Plan<3>;
}
def Stablehlo_TanhOp : Stablehlo_AccurateUnary<"tanh"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<25>;
  let accuracy = Xlac_Ulps<"2", "1.5", slope="1">;
  let gradient = Xlac_Gradient<"tanh", "-2", "2">;
  let lanes = Xlac_Lanes<"tanh", "tanh">;
  let evaluator = Xlac_Libm<"tanh", "std::tanh(x)">;
  let fuzz = Xlac_Plan<5, keepsNumbers=1>;
}

def Stablehlo_IsFiniteOp : Stablehlo_Unary<"is_finite"> {
  let arguments = (ins Stablehlo_Tensor:$x);
  let results = (outs Stablehlo_Tensor:$y);
  let shapeRule = "is_finite";
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"isFinite", "">;
  let evaluator = Xlac_Predicate<"std::isfinite(x)">;
  let fuzz = Xlac_Plan<4, keepsNumbers=1>;
  let assemblyFormat = [{
    $x attr-dict `:` custom<SameOperandsAndResultType>(type($x), type($y))
  }];
}

def Stablehlo_AddOp : Stablehlo_Binary<"add", [Commutative]> {
  let shapeRule = "add";
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"add", "-2", "2">;
  let lanes = Xlac_Lanes<"add", "">;
  let evaluator = Xlac_Evaluator<"x + y", "x + y">;
  let fuzz = Xlac_Plan<30, "binary", keepsNumbers=1>;
}
def Stablehlo_AndOp : Stablehlo_Binary<"and", [Commutative]> {
  let elements = Xlac_BooleanOrInteger;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<6, "binary">;
}
def Stablehlo_Atan2Op : Stablehlo_Binary<"atan2"> {
  let elements = Xlac_FloatComplexOrQuantized;
  let cost = Xlac_Cost<30>;
  let accuracy = Xlac_Ulps<"1.5", "0.52">;
  let gradient = Xlac_Gradient<"atan2", "0.3", "2">;
  let lanes = Xlac_Lanes<"atan2", "atan2">;
  let evaluator = Xlac_Libm<"atan2", "complex_atan2(x, y)">;
  let fuzz = Xlac_Plan<3, "binary", elements=Xlac_FloatOnly>;
}
def Stablehlo_DivOp : Stablehlo_Binary<"divide"> {
  let elements = Xlac_Number;
  let cost = Xlac_Cost<10, 10>;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"divide", "0.5", "2">;
  let lanes = Xlac_Lanes<"divide", "divide">;
  let evaluator = Xlac_Evaluator<"x / y", "x / y">;
  let fuzz = Xlac_Plan<15, "binary">;
}
def Stablehlo_MaxOp : Stablehlo_Binary<"maximum", [Commutative]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"maximum", "-2", "2">;
  let lanes = Xlac_Lanes<"maximum", "", Xlac_NeverRounds>;
  let evaluator = Xlac_Evaluator<"maximum(x, y)", "complex_maximum(x, y)">;
  let fuzz = Xlac_Plan<15, "binary", keepsNumbers=1>;
}
def Stablehlo_MinOp : Stablehlo_Binary<"minimum", [Commutative]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"minimum", "-2", "2">;
  let lanes = Xlac_Lanes<"minimum", "", Xlac_NeverRounds>;
  let evaluator = Xlac_Evaluator<"minimum(x, y)", "complex_minimum(x, y)">;
  let fuzz = Xlac_Plan<15, "binary", keepsNumbers=1>;
}
def Stablehlo_MulOp : Stablehlo_Binary<"multiply", [Commutative]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"multiply", "-2", "2">;
  let lanes = Xlac_Lanes<"multiply", "">;
  let evaluator = Xlac_Evaluator<"x * y", "x * y">;
  let fuzz = Xlac_Plan<30, "binary", keepsNumbers=1>;
}
def Stablehlo_OrOp : Stablehlo_Binary<"or", [Commutative]> {
  let elements = Xlac_BooleanOrInteger;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<6, "binary">;
}
def Stablehlo_PowOp : Stablehlo_Binary<"power"> {
  let elements = Xlac_Number;
  let cost = Xlac_Cost<130, 130>;
  let accuracy = Xlac_Ulps<"1", "0.75">;
  let gradient = Xlac_Gradient<"power", "0.5", "2">;
  let lanes = Xlac_Lanes<"pow", "power">;
  let evaluator = Xlac_Libm<"pow", "complex_power(x, y)">;
  let fuzz = Xlac_Plan<5, "binary">;
}
def Stablehlo_RemOp : Stablehlo_Binary<"remainder"> {
  let elements = Xlac_Number;
  let cost = Xlac_Cost<70, 10>;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"remainder", "0.5", "2">;
  let lanes = Xlac_Lanes<"fmod", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_Evaluator<"std::fmod(x, y)">;
  let fuzz = Xlac_Plan<8, "binary">;
}
def Stablehlo_ShiftLeftOp : Stablehlo_Binary<"shift_left"> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<5, "binary">;
}
def Stablehlo_ShiftRightArithmeticOp : Stablehlo_Binary<"shift_right_arithmetic"> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<5, "binary">;
}
def Stablehlo_ShiftRightLogicalOp : Stablehlo_Binary<"shift_right_logical"> {
  let elements = Xlac_Integer;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<5, "binary">;
}
def Stablehlo_SubtractOp : Stablehlo_Binary<"subtract"> {
  let elements = Xlac_Number;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"subtract", "-2", "2">;
  let lanes = Xlac_Lanes<"subtract", "">;
  let evaluator = Xlac_Evaluator<"x - y", "x - y">;
  let fuzz = Xlac_Plan<20, "binary", keepsNumbers=1>;
}
def Stablehlo_XorOp : Stablehlo_Binary<"xor", [Commutative]> {
  let elements = Xlac_BooleanOrInteger;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<6, "binary">;
}

def Stablehlo_ComplexOp : Stablehlo_Binary<"complex"> {
  let elements = Xlac_FloatOrComplex;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"complex">;
  let lanes = Xlac_Lanes<"", "", Xlac_RoundsToBytes>;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<5, "complex">;
  let shapeRule = "complex";
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<ComplexOpType>(type($lhs), type($rhs), type($result))
  }];
}

def Stablehlo_CompareOp : Stablehlo_InferredOp<"compare", Xlac_Elementwise,
    [Pure, Stablehlo_Elementwise]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_ZeroGradient;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<20, "compare">;
  let arguments = (ins
    Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_ComparisonDirectionAttr:$comparison_direction,
    OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $comparison_direction `,` $lhs `,` $rhs (`,` $compare_type^)? attr-dict `:`
    functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
      "::xlac::stablehlo::ComparisonDirection":$direction,
      CArg<"::xlac::stablehlo::ComparisonType",
           "::xlac::stablehlo::ComparisonType::NOTYPE">:$compareType), [{
    ComparisonTypeAttr type;
    if (compareType != ComparisonType::NOTYPE)
      type = ComparisonTypeAttr::get($_builder.getContext(), compareType);
    build($_builder, $_state, lhs, rhs,
          ComparisonDirectionAttr::get($_builder.getContext(), direction), type);
  }]>];
}

def Stablehlo_SelectOp
    : Stablehlo_InferredOp<"select", Xlac_Elementwise, [Pure]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"select">;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<20, "select">;
  let arguments = (ins Stablehlo_Tensor:$pred, Stablehlo_Tensor:$on_true,
                       Stablehlo_Tensor:$on_false);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:`
    custom<SelectOpType>(type($pred), type($on_true), type($on_false),
                         type($result))
  }];
}

def Stablehlo_ClampOp
    : Stablehlo_InferredOp<"clamp", Xlac_Elementwise, [Pure]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"clamp">;
  let lanes = Xlac_Lanes<"", "", Xlac_NeverRounds>;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<10, "clamp", elements=Xlac_IntegerOrFloat>;
  let arguments = (ins Stablehlo_Tensor:$min, Stablehlo_Tensor:$operand,
                       Stablehlo_Tensor:$max);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameOperandsAndResultType>(type($min), type($operand), type($max),
                                      type($result))
  }];
}

def Stablehlo_ConvertOp
    : Stablehlo_Op<"convert", Xlac_Elementwise, [Pure, Stablehlo_Elementwise]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"convert">;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<40, "convert">;
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand,
                                 "::mlir::Type":$elementType), [{
    auto type = ::llvm::cast<::mlir::RankedTensorType>(operand.getType());
    build($_builder, $_state, type.clone(elementType), operand);
  }]>];
}

def Stablehlo_ReducePrecisionOp : Stablehlo_InferredOp<"reduce_precision",
    Xlac_Elementwise, [Pure, Stablehlo_Elementwise]> {
  let elements = Xlac_FloatOrQuantized;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_Gradient<"same">;
  let lanes = Xlac_Lanes<"", "">;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_Plan<5, "reduce_precision">;
  let arguments = (ins Stablehlo_Tensor:$operand, I32Attr:$exponent_bits,
                       I32Attr:$mantissa_bits);
  let results = (outs Stablehlo_Tensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=`
    custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($output))
  }];
}

def Stablehlo_UniformQuantizeOp : Stablehlo_Op<"uniform_quantize",
    Xlac_Elementwise, [Pure, Stablehlo_Elementwise]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_NoLanes;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

def Stablehlo_UniformDequantizeOp
    : Stablehlo_Unary<"uniform_dequantize"> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_NoLanes;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let shapeRule = "uniform_dequantize";
}

def Stablehlo_MapOp : Stablehlo_InferredOp<"map", Xlac_Elementwise,
    [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let elements = Xlac_AnyElement;
  let cost = Xlac_Cheap;
  let accuracy = Xlac_Exact;
  let gradient = Xlac_NoGradient;
  let lanes = Xlac_NoLanes;
  let evaluator = Xlac_OwnEvaluator;
  let fuzz = Xlac_NoPlan;
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
                       DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_BatchNormGradOp
    : Stablehlo_InferredOp<"batch_norm_grad", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale,
    Stablehlo_Tensor:$mean, Stablehlo_Tensor:$variance,
    Stablehlo_Tensor:$grad_output, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$grad_operand,
    Stablehlo_Tensor:$grad_scale, Stablehlo_Tensor:$grad_offset);
}

def Stablehlo_BatchNormInferenceOp
    : Stablehlo_InferredOp<"batch_norm_inference", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale,
    Stablehlo_Tensor:$offset, Stablehlo_Tensor:$mean,
    Stablehlo_Tensor:$variance, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$result);
}

def Stablehlo_BatchNormTrainingOp
    : Stablehlo_InferredOp<"batch_norm_training", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$scale,
    Stablehlo_Tensor:$offset, F32Attr:$epsilon, I64Attr:$feature_index);
  let results = (outs Stablehlo_Tensor:$output, Stablehlo_Tensor:$batch_mean,
    Stablehlo_Tensor:$batch_var);
}

//===- Sources ------------------------------------------------------------===//

def Stablehlo_ConstantOp : Stablehlo_InferredOp<"constant", Xlac_Other,
    [ConstantLike, Pure,
     DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Stablehlo_Tensor:$output);
  let hasCustomAssemblyFormat = 1;
  let hasFolder = 1;
  let compatibility = "::xlac::areCompatibleConstants";
  let builders = [OpBuilder<(ins "::mlir::Attribute":$value)>];
}

def Stablehlo_IotaOp : Stablehlo_Op<"iota", Xlac_Other, [Pure]> {
  let arguments = (ins I64Attr:$iota_dimension);
  let results = (outs Stablehlo_Tensor:$output);
  let assemblyFormat = "`dim` `=` $iota_dimension attr-dict `:` type($output)";
}

def Stablehlo_DynamicIotaOp
    : Stablehlo_Op<"dynamic_iota", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_DimensionTensor:$output_shape,
                       I64Attr:$iota_dimension);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_CreateTokenOp
    : Stablehlo_InferredOp<"create_token", Xlac_Control, [Pure]> {
  let results = (outs Stablehlo_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def Stablehlo_PartitionIdOp
    : Stablehlo_InferredOp<"partition_id", Xlac_Collective, [Pure]> {
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def Stablehlo_ReplicaIdOp
    : Stablehlo_InferredOp<"replica_id", Xlac_Collective, [Pure]> {
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def Stablehlo_RngOp : Stablehlo_Op<"rng", Xlac_Random> {
  let arguments = (ins Stablehlo_Tensor:$a, Stablehlo_Tensor:$b,
    Stablehlo_DimensionTensor:$shape,
    Stablehlo_RngDistributionAttr:$rng_distribution);
  let results = (outs Stablehlo_Tensor:$result);
  let sideEffects = 1;
  let assemblyFormat = [{
    $a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_RngBitGeneratorOp
    : Stablehlo_Op<"rng_bit_generator", Xlac_Random, [Pure]> {
  let cost = Xlac_Cost<30, 30>;
  let arguments = (ins Stablehlo_Tensor:$initial_state,
                       Stablehlo_RngAlgorithmAttr:$rng_algorithm);
  let results = (outs Stablehlo_Tensor:$output_state, Stablehlo_Tensor:$output);
  let assemblyFormat = [{
    $initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:`
    functional-type(operands, results)
  }];
}

//===- Movement -----------------------------------------------------------===//

def Stablehlo_BitcastConvertOp
    : Stablehlo_Op<"bitcast_convert", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_BroadcastOp
    : Stablehlo_InferredOp<"broadcast", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_sizes);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_BroadcastInDimOp
    : Stablehlo_Op<"broadcast_in_dim", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       DenseI64ArrayAttr:$broadcast_dimensions);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_DynamicBroadcastInDimOp
    : Stablehlo_Op<"dynamic_broadcast_in_dim", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_DimensionTensor:$output_dimensions,
    DenseI64ArrayAttr:$broadcast_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_ConcatenateOp
    : Stablehlo_InferredOp<"concatenate", Xlac_Movement, [Pure]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    custom<VariadicOperandWithAttribute>($inputs) `dim` `=` $dimension attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicReshapeOp
    : Stablehlo_Op<"dynamic_reshape", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       Stablehlo_DimensionTensor:$output_shape);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicSliceOp
    : Stablehlo_InferredOp<"dynamic_slice", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Variadic<Stablehlo_Tensor>:$start_indices, DenseI64ArrayAttr:$slice_sizes);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` custom<VariadicOperandWithAttribute>($start_indices) `sizes`
    `=` $slice_sizes attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicUpdateSliceOp
    : Stablehlo_InferredOp<"dynamic_update_slice", Xlac_Movement, [Pure]> {
  let cost = Xlac_Cost<4, 4>;
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$update,
                       Variadic<Stablehlo_Tensor>:$start_indices);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

defvar Stablehlo_VhloGather = [
  Xlac_VhloForm<"0.9.0">,
  Xlac_VhloForm<"1.1.0", ["operand_batching_dims",
                          "start_indices_batching_dims"]>];

def Stablehlo_GatherOp
    : Stablehlo_InferredOp<"gather", Xlac_Movement, [Pure]> {
  let cost = Xlac_Cost<4, 4>;
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_Tensor:$start_indices,
    Stablehlo_GatherDimensionNumbers:$dimension_numbers,
    DenseI64ArrayAttr:$slice_sizes,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let vhlo = Stablehlo_VhloGather;
  let results = (outs Stablehlo_Tensor:$result);
}

def Stablehlo_DynamicGatherOp
    : Stablehlo_Op<"dynamic_gather", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_Tensor:$start_indices, Stablehlo_DimensionTensor:$slice_sizes,
    Stablehlo_GatherDimensionNumbers:$dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let vhlo = Stablehlo_VhloGather;
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_PadOp : Stablehlo_InferredOp<"pad", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_Tensor:$padding_value, DenseI64ArrayAttr:$edge_padding_low,
    DenseI64ArrayAttr:$edge_padding_high, DenseI64ArrayAttr:$interior_padding);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=`
    $edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_DynamicPadOp
    : Stablehlo_Op<"dynamic_pad", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_Tensor:$padding_value,
    Stablehlo_DimensionTensor:$edge_padding_low,
    Stablehlo_DimensionTensor:$edge_padding_high,
    Stablehlo_DimensionTensor:$interior_padding);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_RealDynamicSliceOp
    : Stablehlo_Op<"real_dynamic_slice", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_DimensionTensor:$start_indices,
    Stablehlo_DimensionTensor:$limit_indices,
    Stablehlo_DimensionTensor:$strides);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_ReshapeOp : Stablehlo_Op<"reshape", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    operands attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_ReverseOp
    : Stablehlo_InferredOp<"reverse", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       DenseI64ArrayAttr:$dimensions);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}

def Stablehlo_SliceOp : Stablehlo_InferredOp<"slice", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    DenseI64ArrayAttr:$start_indices, DenseI64ArrayAttr:$limit_indices,
    DenseI64ArrayAttr:$strides);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_TransposeOp
    : Stablehlo_InferredOp<"transpose", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
                       DenseI64ArrayAttr:$permutation);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_TorchIndexSelectOp
    : Stablehlo_Op<"torch_index_select", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$index,
                       I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_GetDimensionSizeOp
    : Stablehlo_InferredOp<"get_dimension_size", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_SetDimensionSizeOp
    : Stablehlo_InferredOp<"set_dimension_size", Xlac_Movement, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$size,
                       I64Attr:$dimension);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_ScatterOp : Stablehlo_InferredOp<"scatter", Xlac_Movement,
    [RecursiveMemoryEffects, SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    Stablehlo_Tensor:$scatter_indices, Variadic<Stablehlo_Tensor>:$updates,
    Stablehlo_ScatterDimensionNumbers:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let vhlo = [Xlac_VhloForm<"0.9.0">,
              Xlac_VhloForm<"1.1.0", ["input_batching_dims",
                                      "scatter_indices_batching_dims"]>];
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

//===- Contractions -------------------------------------------------------===//

def Stablehlo_DotOp : Stablehlo_Op<"dot", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       Stablehlo_PrecisionConfig:$precision_config);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config) attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_DotGeneralOp
    : Stablehlo_Op<"dot_general", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_DotDimensionNumbers:$dot_dimension_numbers,
    Stablehlo_PrecisionConfig:$precision_config,
    OptionalAttr<Stablehlo_DotAlgorithm>:$algorithm);
  let vhlo = [Xlac_VhloForm<"0.9.0">, Xlac_VhloForm<"1.6.0", ["algorithm"]>];
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_EinsumOp : Stablehlo_Op<"einsum", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       StrAttr:$einsum_config);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_UnaryEinsumOp
    : Stablehlo_Op<"unary_einsum", Xlac_Reduction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand, StrAttr:$einsum_config);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_ConvolutionOp
    : Stablehlo_Op<"convolution", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<Stablehlo_I64Elements>:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Stablehlo_ConvDimensionNumbers:$dimension_numbers,
    I64Attr:$feature_group_count, I64Attr:$batch_group_count,
    Stablehlo_PrecisionConfig:$precision_config);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=`
    custom<ConvolutionDimensions>($dimension_numbers) `,` `window` `=` `{`
    custom<WindowAttributes>($window_strides, $padding, $lhs_dilation,
                             $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_VhloDynamicConvV1 : Xlac_VhloForm<"0.9.0"> {
  let retired = "padding";
  let behind = "window_strides";
}

def Stablehlo_DynamicConvOp
    : Stablehlo_Op<"dynamic_conv", Xlac_Contraction, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    Stablehlo_DimensionTensor:$padding,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
    OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
    OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
    Stablehlo_ConvDimensionNumbers:$dimension_numbers,
    I64Attr:$feature_group_count, I64Attr:$batch_group_count,
    Stablehlo_PrecisionConfig:$precision_config);
  let vhlo = [Stablehlo_VhloDynamicConvV1, Xlac_VhloForm<"0.20.0">];
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=`
    custom<ConvolutionDimensions>($dimension_numbers) `,` `window` `=` `{`
    custom<DynamicWindowAttributes>($window_strides, $lhs_dilation,
                                    $rhs_dilation, $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
}

//===- Reductions and windows ---------------------------------------------===//

def Stablehlo_ReduceOp : Stablehlo_InferredOp<"reduce", Xlac_Reduction,
    [RecursiveMemoryEffects, RecursivelySpeculatable,
     SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    Variadic<Stablehlo_Tensor>:$init_values, DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Tensor>);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ReduceWindowOp : Stablehlo_InferredOp<"reduce_window",
    Xlac_Reduction, [RecursiveMemoryEffects, RecursivelySpeculatable,
                     SameVariadicOperandSize]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    Variadic<Stablehlo_Tensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<Stablehlo_I64Elements>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

def Stablehlo_SelectAndScatterOp : Stablehlo_InferredOp<"select_and_scatter",
    Xlac_Reduction, [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Stablehlo_Tensor:$operand, Stablehlo_Tensor:$source,
    Stablehlo_Tensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<Stablehlo_I64Elements>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_SortOp : Stablehlo_InferredOp<"sort", Xlac_Other,
    [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Variadic<Stablehlo_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<Stablehlo_Tensor>);
}

//===- Linear algebra and transforms --------------------------------------===//

def Stablehlo_CholeskyOp
    : Stablehlo_InferredOp<"cholesky", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$a,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$lower);
  let results = (outs Stablehlo_Tensor:$result);
  let assemblyFormat = [{
    $a (`,` `lower` `=` $lower^)? attr-dict `:`
    custom<SameOperandsAndResultType>(type($a), type($result))
  }];
}

def Stablehlo_TriangularSolveOp
    : Stablehlo_InferredOp<"triangular_solve", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$a, Stablehlo_Tensor:$b,
    BoolAttr:$left_side, BoolAttr:$lower, BoolAttr:$unit_diagonal,
    Stablehlo_TransposeAttr:$transpose_a);
  let results = (outs Stablehlo_Tensor);
}

def Stablehlo_FftOp : Stablehlo_InferredOp<"fft", Xlac_Other, [Pure]> {
  let arguments = (ins Stablehlo_Tensor:$operand,
    Stablehlo_FftTypeAttr:$fft_type, DenseI64ArrayAttr:$fft_length);
  let results = (outs Stablehlo_Tensor);
  let assemblyFormat = [{
    $operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict
    `:` functional-type(operands, results)
  }];
}

include "ops/StablehloControl.td"
include "ops/StablehloCollectives.td"

#endif
