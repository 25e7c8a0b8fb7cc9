// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of dots and convolutions; labels are the
// specification's.

func.func @dot_general_c1(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching dimensions [0] of lhs and [] of rhs differ in number (C1)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c2(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{contracting dimensions [2] of lhs and [] of rhs differ in number (C2)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c3(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching [0] and contracting [0] dimensions of lhs name one twice (C3)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c4(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching [0] and contracting [0] dimensions of rhs name one twice (C4)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c5(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching dimensions [3] leave those of lhs f32[2,3,4] (C5)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [3] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c6(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{contracting dimensions [3] leave those of lhs f32[2,3,4] (C6)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c7(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching dimensions [3] leave those of rhs f32[2,4,5] (C7)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [3], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c8(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{contracting dimensions [3] leave those of rhs f32[2,4,5] (C8)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [3] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c9(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{batching dimension 1 of lhs f32[2,3,4] and 0 of rhs f32[2,4,5] differ (C9)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c10(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{contracting dimension 1 of lhs f32[2,3,4] and 1 of rhs f32[2,4,5] differ (C10)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c11(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{precision_config has 1 entries, 2 wanted (C11)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c12(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{result is f32[2,5,3], f32[2,3,5] expected (C12)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

func.func @dot_general_c13(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xi32>) {
  // expected-error@+1 {{lhs f32[2,3,4] and rhs i32[2,4,5] differ in element type (C13)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xi32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c14(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2,3,4] is quantized, but rhs f32[2,4,5] is not (C14)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c15(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) {
  // expected-error@+1 {{rhs !quant.uniform<i8<-128:127>:f32, 0.5:1>[2,4,5] has a zero point that is not 0 (C15)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general_c16(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) {
  // expected-error@+1 {{rhs !quant.uniform<i8<-128:127>:f32:1, {0.5:0,0.5:0,0.5:0,0.5:0}>[2,4,5] is quantized along a contracting dimension (C16)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32:1, {0.5, 0.5, 0.5, 0.5}>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general_c17(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2,3,4] and rhs !quant.uniform<i16<-32768:32767>:f32, 0.5:0>[2,4,5] differ in storage type (C17)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i16:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general_c18(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2,3,4] and rhs !quant.uniform<i8<-128:127>:f16, 0.5:0>[2,4,5] express different types (C18)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f16, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dot_general_c19(%a: tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, %b: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.5:0}>[2,3,5] is quantized by axis, but rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2,4,5] is not (C19)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 0.5>>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5x!quant.uniform<i8:f32:0, {0.5, 0.5}>>
  return
}

// -----

func.func @dot_general_c20(%a: tensor<2x3x4xf16>, %b: tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{lhs f16[2,3,4] and rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[2,4,5] express different types (C20)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf16>, tensor<2x4x5x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x3x5xf16>
  return
}

// -----

func.func @dot_general_c21(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{precision_config must be DEFAULT with an algorithm (C21)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c22(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{lhs_component_count 0 is not positive (C22)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c23(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{rhs_component_count 0 is not positive (C23)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_general_c24(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>) {
  // expected-error@+1 {{num_primitive_operations 0 is not positive (C24)}}
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{contracting dimension 1 of lhs f32[2,3] and 0 of rhs f32[4] differ (C10)}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{sizes of 'j' in einsum_config 'ij,jk->ik' differ}}
  %0 = stablehlo.einsum %a, %b, config = "ij,jk->ik" : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return
}

// -----

func.func @unary_einsum(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{'k' of einsum_config 'ij->k' names no dimension}}
  %0 = stablehlo.unary_einsum %a, config = "ij->k" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @convolution_c1(%a: tensor<4x8x6xf32>, %w: tensor<3x6xf32>) {
  // expected-error@+1 {{lhs f32[4,8,6] and rhs f32[3,6] differ in rank (C1)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c2(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{window_strides [1, 1] has not 1 entries (C2)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c3(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{window_strides [0] is not positive (C3)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c5(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{lhs_dilation [1, 1] has not 1 entries (C5)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c6(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{lhs_dilation [0] is not positive (C6)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c7(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{rhs_dilation [1, 1] has not 1 entries (C7)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c8(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{rhs_dilation [0] is not positive (C8)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c9(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{window_reversal has 2 entries, 1 wanted (C9)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c10(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{batch size 4 of lhs is not a multiple of batch_group_count 3 (C10)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c11(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{6 features of lhs are not a multiple of feature_group_count 4 (C11)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c12(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{input_spatial_dimensions [] has not 1 entries (C12)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c13(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{input dimensions [2, 0, 2] are not the 3 of the tensor (C13)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c14(%a: tensor<4x8x6xf32>, %w: tensor<3x5x2xf32>) {
  // expected-error@+1 {{rhs takes 5 input features, but lhs f32[4,8,6] has 6 in a group (C14)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x5x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c15(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{2 output features are not a multiple of batch_group_count 4 (C15)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c16(%a: tensor<4x8x6xf32>, %w: tensor<3x2x2xf32>) {
  // expected-error@+1 {{2 output features are not a multiple of feature_group_count 3 (C16)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<4x8x6xf32>, tensor<3x2x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c17(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{kernel_spatial_dimensions [] has not 1 entries (C17)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c18(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{kernel dimensions [3, 1, 2] are not the 3 of the tensor (C18)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [3], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c19(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{output_spatial_dimensions [] has not 1 entries (C19)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = []>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c20(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{output dimensions [2, 0, 2] are not the 3 of the tensor (C20)}}
  %0 = "stablehlo.convolution"(%a, %w) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [2]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c21(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{feature_group_count 0 is not positive (C21)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c22(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{batch_group_count 0 is not positive (C22)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c23(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{feature_group_count 2 and batch_group_count 2 are both above 1 (C23)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c24(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{precision_config has 1 entries, 2 wanted (C24)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c25(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{result is f32[4,6,3], f32[4,6,2] expected (C25)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @convolution_c26(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{result f32[4,6] and lhs f32[4,8,6] differ in rank (C26)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @convolution_c27(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xi32>) {
  // expected-error@+1 {{lhs f32[4,8,6] and rhs i32[3,6,2] differ in element type (C27)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xi32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c28(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] is quantized, but rhs f32[3,6,2] is not (C28)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @convolution_c29(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) {
  // expected-error@+1 {{rhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.5:0,0.5:0}>[3,6,2] is quantized along dimension 0, not 2 (C29)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @convolution_c30(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.5:0,0.5:0,0.5:0}>[4,6,2] is not quantized along its features (C30)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>) -> tensor<4x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @convolution_c31(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i16:f32, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] and rhs !quant.uniform<i16<-32768:32767>:f32, 0.5:0>[3,6,2] differ in storage type (C31)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i16:f32, 0.5>>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @convolution_c32(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f16, 0.5>>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] and rhs !quant.uniform<i8<-128:127>:f16, 0.5:0>[3,6,2] express different types (C32)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f16, 0.5>>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @convolution_c33(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:2, {0.5:0,0.5:0}>[4,6,2] is quantized by axis, but rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[3,6,2] is not (C33)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>
  return
}

// -----

func.func @convolution_c34(%a: tensor<4x8x6xf16>, %w: tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@+1 {{lhs f16[4,8,6] and rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[3,6,2] express different types (C34)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf16>, tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x6x2xf16>
  return
}

// -----

func.func @convolution_c4(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>) {
  // expected-error@+1 {{padding has 2 rows, 1 wanted (C4)}}
  %0 = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 0], [0, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>) -> tensor<4x6x2xf32>
  return
}
