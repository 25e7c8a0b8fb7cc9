// Elementwise ops.
#ifndef XLAC_OPS_STABLEHLO_ELEMENTWISE
#define XLAC_OPS_STABLEHLO_ELEMENTWISE

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

/// A unary op with a requested accuracy.
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

#endif
