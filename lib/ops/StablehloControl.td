// Control flow, calls, and ops that group values.
#ifndef XLAC_OPS_STABLEHLO_CONTROL
#define XLAC_OPS_STABLEHLO_CONTROL

include "ops/StablehloBase.td"

//===- Control ------------------------------------------------------------===//

def Stablehlo_ReturnOp
    : Stablehlo_Op<"return", Xlac_Control, [Pure, Terminator]> {
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Stablehlo_WhileOp : Stablehlo_InferredOp<"while", Xlac_Control,
    [RecursiveMemoryEffects, OpAsmOpInterface]> {
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>);
  let hasCustomAssemblyFormat = 1;
  let declarations = [{
    void getAsmBlockArgumentNames(::mlir::Region &region,
                                  ::mlir::OpAsmSetValueNameFn setName);
  }];
}

def Stablehlo_IfOp : Stablehlo_InferredOp<"if", Xlac_Control,
    [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Stablehlo_Tensor:$pred);
  let regions = (region SizedRegion<1>:$true_branch,
                        SizedRegion<1>:$false_branch);
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>);
}

def Stablehlo_CaseOp : Stablehlo_InferredOp<"case", Xlac_Control,
    [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Stablehlo_Tensor:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>);
}

def Stablehlo_AfterAllOp
    : Stablehlo_InferredOp<"after_all", Xlac_Control, [Pure]> {
  let arguments = (ins Variadic<Stablehlo_Token>:$inputs);
  let results = (outs Stablehlo_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:`
    custom<VariadicSameOperandsAndResultType>(ref($inputs), type($inputs),
                                              type($result))
  }];
}

def Stablehlo_OptimizationBarrierOp
    : Stablehlo_InferredOp<"optimization_barrier", Xlac_Control, [Pure]> {
  let arguments = (ins Variadic<Stablehlo_Value>:$operand);
  let results = (outs Variadic<Stablehlo_Value>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseOpType>(type($operand),
                                                    type($result))):(`(` `)`)?
  }];
}

def Stablehlo_TupleOp : Stablehlo_InferredOp<"tuple", Xlac_Control, [Pure]> {
  let arguments = (ins Variadic<Stablehlo_Value>:$val);
  let results = (outs Stablehlo_Tuple:$result);
  let assemblyFormat = [{
    $val attr-dict `:` custom<TupleOpType>(type($val), type($result))
  }];
}

def Stablehlo_GetTupleElementOp
    : Stablehlo_InferredOp<"get_tuple_element", Xlac_Control, [Pure]> {
  let arguments = (ins Stablehlo_Tuple:$operand, I32Attr:$index);
  let results = (outs Stablehlo_Value);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_CustomCallOp : Stablehlo_Op<"custom_call", Xlac_Other,
    [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins Variadic<Stablehlo_ValueOrBuffer>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<Stablehlo_BackendConfig>:$backend_config,
    DefaultValuedOptionalAttr<Stablehlo_CustomCallApiVersionAttr,
      "::xlac::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">
      :$api_version,
    DefaultValuedOptionalAttr<Stablehlo_SymbolArray, "{}">
      :$called_computations,
    OptionalAttr<Stablehlo_LayoutArray>:$operand_layouts,
    OptionalAttr<Stablehlo_LayoutArray>:$result_layouts,
    DefaultValuedOptionalAttr<Stablehlo_AliasArray, "{}">
      :$output_operand_aliases,
    OptionalAttr<Stablehlo_TilingArray>:$result_tilings);
  let vhlo = [Xlac_VhloForm<"0.9.0">,
              Xlac_VhloForm<"1.18.0", ["result_tilings"]>];
  // Bytecode from before 1.18.0 does not contain tilings.
  let useCustomPropertiesEncoding = 1;
  let results = (outs Variadic<Stablehlo_ValueOrBuffer>);
  let sideEffects = 1;
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_VhloCompositeV1 : Xlac_VhloForm<"0.19.0"> {
  let hasRegions = 0;
}

def Stablehlo_CompositeOp : Stablehlo_Op<"composite", Xlac_Control,
    [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let arguments = (ins Variadic<Stablehlo_Value>:$inputs, StrAttr:$name,
    DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
    FlatSymbolRefAttr:$decomposition,
    DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let vhlo = [Stablehlo_VhloCompositeV1, Xlac_VhloForm<"1.14.0">];
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let results = (outs Variadic<Stablehlo_Value>);
  let sideEffects = 1;
  let hasCustomAssemblyFormat = 1;
}

#endif
