// The check dialect: expected results of a conformance case.
#ifndef XLAC_DIALECT_CHECK_OPS
#define XLAC_DIALECT_CHECK_OPS

include "ops/StablehloBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::xlac::check";
  let summary = "Expectations of a test";
  let dependentDialects = ["::xlac::stablehlo::StablehloDialect"];
}

class Check_Op<string mnemonic, list<Trait> traits = []>
    : Op<Check_Dialect, mnemonic, traits>;

/// Compares a tensor with another tensor.
class Check_TensorOp<string mnemonic>
    : Check_Op<mnemonic, [SameTypeOperands]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs)";
}

/// Compares a tensor with a constant of the same type.
class Check_ConstOp<string mnemonic>
    : Check_Op<mnemonic, [AllTypesMatch<["value", "lhs"]>]> {
  let arguments = (ins Stablehlo_Tensor:$lhs, ElementsAttr:$value);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

def Check_ExpectEqOp : Check_TensorOp<"expect_eq"> {
  let summary = "Bitwise equal";
}

def Check_ExpectEqConstOp : Check_ConstOp<"expect_eq_const"> {
  let summary = "Bitwise equal to a constant";
}

def Check_ExpectAlmostEqOp : Check_TensorOp<"expect_almost_eq"> {
  let summary = "Within an absolute tolerance; NaN equals NaN";
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $rhs (`,` `tolerance` `=` $tolerance^)? attr-dict
    `:` custom<OperandType>(type($lhs))
  }];
}

def Check_ExpectAlmostEqConstOp : Check_ConstOp<"expect_almost_eq_const"> {
  let summary = "Within an absolute tolerance of a constant";
  let arguments = (ins Stablehlo_Tensor:$lhs, ElementsAttr:$value,
                       DefaultValuedOptionalAttr<F64Attr, "1e-4">:$tolerance);
  let assemblyFormat = [{
    $lhs `,` $value (`,` `tolerance` `=` $tolerance^)? attr-dict
  }];
}

def Check_ExpectCloseOp : Check_TensorOp<"expect_close"> {
  let summary = "Within so many units in the last place";
  let arguments = (ins Stablehlo_Tensor:$lhs, Stablehlo_Tensor:$rhs,
    DefaultValuedOptionalAttr<I64Attr, "3">:$max_ulp_difference,
    DefaultValuedOptionalAttr<I64Attr, "0">:$min_ulp_difference);
  let assemblyFormat = [{
    $lhs `,` $rhs custom<UlpBounds>($max_ulp_difference, $min_ulp_difference)
    attr-dict `:` custom<OperandType>(type($lhs))
  }];
}

def Check_ExpectSerializedEqOp : Check_Op<"expect_serialized_eq"> {
  let summary = "Equal to the values that a probe wrote";
  let arguments = (ins Stablehlo_Tensor:$expected, StrAttr:$probe_id,
                       DefaultValuedOptionalAttr<UI32Attr, "0">:$iteration);
  let assemblyFormat = [{
    $expected `,` `probe_id` `=` $probe_id attr-dict `:` type($expected)
  }];
}

#endif
