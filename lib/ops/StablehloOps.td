// The table of StableHLO ops. mlir-tblgen generates the dialect from it,
// xlac-tblgen the plain C++ properties, attributes and names. The StableHLO
// specification defines the semantics; the shape rules refer to its constraint
// labels.
#ifndef XLAC_OPS_STABLEHLO
#define XLAC_OPS_STABLEHLO

include "ops/StablehloBase.td"
include "ops/StablehloElementwise.td"

//===- Batch normalization ------------------------------------------------===//

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

//===- Constants and iota -------------------------------------------------===//

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
