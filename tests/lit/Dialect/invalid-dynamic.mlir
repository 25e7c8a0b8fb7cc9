// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of the ops whose sizes are operands; labels are the
// specification's.

func.func @dynamic_iota_c1(%n: tensor<1xi64>) {
  // expected-error@+1 {{iota_dimension 1 leaves those of result f32[?] (C1)}}
  %0 = stablehlo.dynamic_iota %n, dim = 1 : (tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_iota_c2(%n: tensor<1xi64>) {
  // expected-error@+1 {{output_shape is i64[1], but 2 entries wanted (C2)}}
  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// -----

func.func @dynamic_reshape_c1(%a: tensor<?xf32>, %n: tensor<1xi64>) {
  // expected-error@+1 {{operand f32[?] and result f64[?] differ in element type (C1)}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

func.func @dynamic_reshape_c2(%a: tensor<6xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{operand f32[6] and result f32[2,4] differ in number of elements (C2)}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dynamic_reshape_c3(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %n: tensor<2xi64>) {
  // expected-error@+1 {{operand !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,3] and result !quant.uniform<i8<-128:127>:f32:1, {0.5:0,0.25:0}>[3,2] do not keep the quantized dimension (C3)}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi64>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_reshape_c4(%a: tensor<?xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{output_shape is i64[2], but 1 entries wanted (C4)}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<2xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_reshape_constant_c4(%a: tensor<?xf32>) {
  %n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  // expected-error@+1 {{result is f32[2,4], but output_shape gives [2, 3] (C4)}}
  %0 = stablehlo.dynamic_reshape %a, %n : (tensor<?xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c1(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{operand f32[2] and result f64[2,?] differ in element type (C1)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf64>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c2(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions [0, 1] has 2 entries, but operand f32[2] has rank 1 (C2)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0, 1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c3(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions [2] leave the dimensions of result f32[2,?] (C3)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [2] : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c4(%a: tensor<2x2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{broadcast_dimensions [0, 0] name a dimension twice (C4)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0, 0] : (tensor<2x2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c5(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{dimension 0 of operand f32[2] is neither 1 nor the 3 of dimension 0 of result f32[3,?] (C5)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] : (tensor<2xf32>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %n: tensor<2xi64>) {
  // expected-error@+1 {{quantization dimension of result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,2] is not that of operand (C6)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c7(%a: tensor<2xf32>, %n: tensor<3xi64>) {
  // expected-error@+1 {{output_dimensions is i64[3], but 2 entries wanted (C7)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] : (tensor<2xf32>, tensor<3xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c8(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{known_expanding_dimensions [0] and known_nonexpanding_dimensions [0] name a dimension twice (C8)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c9(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{known_expanding_dimensions [1] leave those of operand f32[2] (C9)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] {known_expanding_dimensions = array<i64: 1>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_c10(%a: tensor<2xf32>, %n: tensor<2xi64>) {
  // expected-error@+1 {{known_nonexpanding_dimensions [1] leave those of operand f32[2] (C10)}}
  %0 = stablehlo.dynamic_broadcast_in_dim %a, %n, dims = [0] {known_nonexpanding_dimensions = array<i64: 1>} : (tensor<2xf32>, tensor<2xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_pad_c1(%a: tensor<3xf32>, %v: tensor<f64>, %l: tensor<1xi64>, %h: tensor<1xi64>, %i: tensor<1xi64>) {
  // expected-error@+1 {{operand f32[3] and padding_value f64[] differ in element type (C1)}}
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<3xf32>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c2(%a: tensor<3xf32>, %v: tensor<f32>, %l: tensor<1xi64>, %h: tensor<2xi64>, %i: tensor<1xi64>) {
  // expected-error@+1 {{edge_padding_high is i64[2], but 1 entries wanted (C2)}}
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c3(%a: tensor<3xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<0> : tensor<1xi64>
  %h = stablehlo.constant dense<0> : tensor<1xi64>
  %i = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error@+1 {{interior padding -1 of dimension 0 is negative (C3)}}
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_c4(%a: tensor<3xf32>, %v: tensor<f32>) {
  %l = stablehlo.constant dense<1> : tensor<1xi64>
  %h = stablehlo.constant dense<1> : tensor<1xi64>
  %i = stablehlo.constant dense<1> : tensor<1xi64>
  // expected-error@+1 {{result is f32[6], f32[7] expected (C4)}}
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<6xf32>
  return
}

// -----

func.func @dynamic_pad_result_c1(%a: tensor<3xf32>, %v: tensor<f32>, %l: tensor<1xi64>, %h: tensor<1xi64>, %i: tensor<1xi64>) {
  // expected-error@+1 {{result is f64[?], f32[?] expected (C1)}}
  %0 = stablehlo.dynamic_pad %a, %v, %l, %h, %i : (tensor<3xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf64>
  return
}

// -----

func.func @real_dynamic_slice(%a: tensor<3xf32>, %n: tensor<1xi64>, %m: tensor<2xi64>) {
  // expected-error@+1 {{limit_indices is i64[2], but 1 entries wanted (C2)}}
  %0 = stablehlo.real_dynamic_slice %a, %n, %m, %n : (tensor<3xf32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_conv_c1(%a: tensor<4x8x6xf32>, %w: tensor<3x6xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs f32[4,8,6] and rhs f32[3,6] differ in rank (C1)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c2(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{window_strides [1, 1] has not 1 entries (C2)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c3(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{window_strides [0] is not positive (C3)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c5(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs_dilation [1, 1] has not 1 entries (C5)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c6(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs_dilation [0] is not positive (C6)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {lhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c7(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs_dilation [1, 1] has not 1 entries (C7)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c8(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs_dilation [0] is not positive (C8)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {rhs_dilate = [0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c9(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{window_reversal has 2 entries, 1 wanted (C9)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c10(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{batch size 4 of lhs is not a multiple of batch_group_count 3 (C10)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c11(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{6 features of lhs are not a multiple of feature_group_count 4 (C11)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c12(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{input_spatial_dimensions [] has not 1 entries (C12)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c13(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{input dimensions [2, 0, 2] are not the 3 of the tensor (C13)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [2], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c14(%a: tensor<4x8x6xf32>, %w: tensor<3x5x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs takes 5 input features, but lhs f32[4,8,6] has 6 in a group (C14)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x5x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c15(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{2 output features are not a multiple of batch_group_count 4 (C15)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 4 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c16(%a: tensor<4x8x6xf32>, %w: tensor<3x2x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{2 output features are not a multiple of feature_group_count 3 (C16)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 3 : i64} : (tensor<4x8x6xf32>, tensor<3x2x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c17(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{kernel_spatial_dimensions [] has not 1 entries (C17)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c18(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{kernel dimensions [3, 1, 2] are not the 3 of the tensor (C18)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [3], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c19(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{output_spatial_dimensions [] has not 1 entries (C19)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = []>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c20(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{output dimensions [2, 0, 2] are not the 3 of the tensor (C20)}}
  %0 = "stablehlo.dynamic_conv"(%a, %w, %p) <{
    batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 1, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [2]>
  }> : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c21(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{feature_group_count 0 is not positive (C21)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 0 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c22(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{batch_group_count 0 is not positive (C22)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c23(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{feature_group_count 2 and batch_group_count 2 are both above 1 (C23)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c24(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{precision_config has 1 entries, 2 wanted (C24)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c25(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{result is f32[4,6,3], f32[4,?,2] expected (C25)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x3xf32>
  return
}

// -----

func.func @dynamic_conv_c26(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{result f32[4,6] and lhs f32[4,8,6] differ in rank (C26)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6xf32>
  return
}

// -----

func.func @dynamic_conv_c27(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xi32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs f32[4,8,6] and rhs i32[3,6,2] differ in element type (C27)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xi32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c28(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2xf32>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] is quantized, but rhs f32[3,6,2] is not (C28)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2xf32>, tensor<1x2xi64>) -> tensor<4x6x2xf32>
  return
}

// -----

func.func @dynamic_conv_c29(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{rhs !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.5:0,0.5:0}>[3,6,2] is quantized along dimension 0, not 2 (C29)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5}>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dynamic_conv_c30(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.5:0,0.5:0,0.5:0}>[4,6,2] is not quantized along its features (C30)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32:0, {0.5, 0.5, 0.5, 0.5}>>
  return
}

// -----

func.func @dynamic_conv_c31(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i16:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] and rhs !quant.uniform<i16<-32768:32767>:f32, 0.5:0>[3,6,2] differ in storage type (C31)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i16:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dynamic_conv_c32(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f16, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[4,8,6] and rhs !quant.uniform<i8<-128:127>:f16, 0.5:0>[3,6,2] express different types (C32)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f16, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

func.func @dynamic_conv_c33(%a: tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, %w: tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:2, {0.5:0,0.5:0}>[4,6,2] is quantized by axis, but rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[3,6,2] is not (C33)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6x!quant.uniform<i8:f32, 0.5>>, tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2x!quant.uniform<i8:f32:2, {0.5, 0.5}>>
  return
}

// -----

func.func @dynamic_conv_c34(%a: tensor<4x8x6xf16>, %w: tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>, %p: tensor<1x2xi64>) {
  // expected-error@+1 {{lhs f16[4,8,6] and rhs !quant.uniform<i8<-128:127>:f32, 0.5:0>[3,6,2] express different types (C34)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf16>, tensor<3x6x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2xi64>) -> tensor<4x6x2xf16>
  return
}

// -----

func.func @dynamic_conv_c4(%a: tensor<4x8x6xf32>, %w: tensor<3x6x2xf32>, %p: tensor<2x2xi64>) {
  // expected-error@+1 {{padding is i64[2,2], but integers of shape [1, 2] wanted (C4)}}
  %0 = stablehlo.dynamic_conv(%a, %w, %p) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x6xf32>, tensor<3x6x2xf32>, tensor<2x2xi64>) -> tensor<4x6x2xf32>
  return
}
