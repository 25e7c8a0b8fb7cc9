// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of the ops that move elements; labels are the
// specification's.

func.func @reshape_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{operand f32[2] and result f64[2] differ in element type (C1)}}
  %0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @reshape_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{operand f32[2,3] and result f32[5] differ in number of elements (C2)}}
  %0 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_c3(%a: tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{operand !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,3] and result !quant.uniform<i8<-128:127>:f32:1, {0.5:0,0.25:0}>[3,2] do not keep the quantized dimension (C3)}}
  %0 = stablehlo.reshape %a : (tensor<2x3x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  return
}

// -----

func.func @transpose_c1(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result is f64[3,2], f32[3,2] expected (C1)}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

// -----

func.func @transpose_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{permutation [1, 1] is none of the 2 dimensions of operand f32[2,3] (C2)}}
  %0 = stablehlo.transpose %a, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>
  return
}

// -----

func.func @transpose_c3(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result is f32[2,3], f32[3,2] expected (C3)}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @transpose_c4(%a: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,2] is not quantized along dimension 1 (C4)}}
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @reverse_c1(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result is f32[3,2], f32[2,3] expected (C1)}}
  %0 = stablehlo.reverse %a, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @reverse_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions [0, 0] name one twice (C2)}}
  %0 = stablehlo.reverse %a, dims = [0, 0] : tensor<2x3xf32>
  return
}

// -----

func.func @reverse_c3(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{dimensions [2] leave those of operand f32[2,3] (C3)}}
  %0 = stablehlo.reverse %a, dims = [2] : tensor<2x3xf32>
  return
}

// -----

func.func @broadcast(%a: tensor<2xf32>) {
  // expected-error@+1 {{broadcast_sizes [-1] has a negative size}}
  %0 = stablehlo.broadcast %a, sizes = [-1] : (tensor<2xf32>) -> tensor<?x2xf32>
  return
}

// -----

func.func @broadcast_in_dim_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{operand f32[2] and result f64[2] differ in element type (C1)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @broadcast_in_dim_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{broadcast_dimensions [0, 1] has 2 entries, but operand f32[2] has rank 1 (C2)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{broadcast_dimensions [2] leave the dimensions of result f32[2,3] (C3)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [2] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c4(%a: tensor<2x2xf32>) {
  // expected-error@+1 {{broadcast_dimensions [0, 0] name a dimension twice (C4)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 0] : (tensor<2x2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{dimension 0 of operand f32[2] is neither 1 nor the 3 of dimension 1 of result f32[2,3] (C5)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_in_dim_c6(%a: tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) {
  // expected-error@+1 {{quantization dimension of result !quant.uniform<i8<-128:127>:f32:0, {0.5:0,0.25:0}>[2,2] is not that of operand (C6)}}
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  return
}

// -----

func.func @bitcast_convert_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is i8[2], i8[2,4] expected (C1)}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xf32>) -> tensor<2xi8>
  return
}

// -----

func.func @bitcast_convert_widening_c1(%a: tensor<3xi8>) {
  // expected-error@+1 {{last dimension of operand i8[3] does not make elements of result i32[] (C1)}}
  %0 = stablehlo.bitcast_convert %a : (tensor<3xi8>) -> tensor<i32>
  return
}

// -----

func.func @bitcast_convert_c2(%a: tensor<2xcomplex<f32>>) {
  // expected-error@+1 {{operand complex<f32>[2] and result i64[2] are not both complex (C2)}}
  %0 = stablehlo.bitcast_convert %a : (tensor<2xcomplex<f32>>) -> tensor<2xi64>
  return
}

// -----

func.func @concatenate_c1(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error@+1 {{input 0 f32[2] and input 1 f64[2] differ in element type (C1)}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2xf32>, tensor<2xf64>) -> tensor<4xf32>
  return
}

// -----

func.func @concatenate_c2(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  // expected-error@+1 {{input 0 f32[2,3] and input 1 f32[2,4] differ in dimension 1 (C2)}}
  %0 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @concatenate_c3() {
  // expected-error@+1 {{has no inputs (C3)}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{dimension 1 leaves those of input f32[2] (C4)}}
  %0 = stablehlo.concatenate %a, dim = 1 : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @concatenate_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f64[4], f32[4] expected (C5)}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @concatenate_c6(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[5], f32[4] expected (C6)}}
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2xf32>, tensor<2xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_c1(%a: tensor<5xf32>) {
  // expected-error@+1 {{result is f64[3], f32[3] expected (C1)}}
  %0 = stablehlo.slice %a [0:5:2] : (tensor<5xf32>) -> tensor<3xf64>
  return
}

// -----

func.func @slice_c2(%a: tensor<5xf32>) {
  // expected-error@+1 {{start_indices [0, 0], limit_indices [5, 1] and strides [1, 1] do not have the 1 entries of operand f32[5] (C2)}}
  %0 = stablehlo.slice %a [0:5, 0:1] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_c3(%a: tensor<5xf32>) {
  // expected-error@+1 {{slice [0:6] leaves dimension 0 of operand f32[5] (C3)}}
  %0 = stablehlo.slice %a [0:6] : (tensor<5xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @slice_bound_c3(%a: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@+1 {{slice [0:5] leaves dimension 0 of operand f32[<=4] (C3)}}
  %0 = stablehlo.slice %a [0:5] : (tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_c4(%a: tensor<5xf32>) {
  // expected-error@+1 {{stride 0 of dimension 0 is not positive (C4)}}
  %0 = stablehlo.slice %a [0:5:0] : (tensor<5xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @slice_c5(%a: tensor<5xf32>) {
  // expected-error@+1 {{result is f32[2], f32[3] expected (C5)}}
  %0 = stablehlo.slice %a [0:5:2] : (tensor<5xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @pad_c1(%a: tensor<3xf32>, %v: tensor<f64>) {
  // expected-error@+1 {{operand f32[3] and padding_value f64[] differ in element type (C1)}}
  %0 = stablehlo.pad %a, %v, low = [0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f64>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c2(%a: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{padding low [0, 0], high [0] and interior [0] do not fit operand f32[3] (C2)}}
  %0 = stablehlo.pad %a, %v, low = [0, 0], high = [0], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c3(%a: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{interior padding -1 of dimension 0 is negative (C3)}}
  %0 = stablehlo.pad %a, %v, low = [0], high = [0], interior = [-1] : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  return
}

// -----

func.func @pad_c4(%a: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{result is f32[6], f32[7] expected (C4)}}
  %0 = stablehlo.pad %a, %v, low = [1], high = [1], interior = [1] : (tensor<3xf32>, tensor<f32>) -> tensor<6xf32>
  return
}

// -----

func.func @pad_negative_c4(%a: tensor<3xf32>, %v: tensor<f32>) {
  // expected-error@+1 {{padding leaves -1 elements in dimension 0 of operand f32[3] (C4)}}
  %0 = stablehlo.pad %a, %v, low = [-2], high = [-2], interior = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @get_dimension_size_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{dimension 1 leaves those of operand f32[2] (C1)}}
  %0 = stablehlo.get_dimension_size %a, dim = 1 : (tensor<2xf32>) -> tensor<i32>
  return
}

// -----

func.func @set_dimension_size(%a: tensor<2xf32>, %n: tensor<i32>) {
  // expected-error@+1 {{dimension 1 leaves those of operand f32[2] (C1)}}
  %0 = stablehlo.set_dimension_size %a, %n, dim = 1 : (tensor<2xf32>, tensor<i32>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_slice_c1(%a: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result is f64[2], f32[2] expected (C1)}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<3xf32>, tensor<i32>) -> tensor<2xf64>
  return
}

// -----

func.func @dynamic_slice_c2(%a: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{2 start indices and slice_sizes [2, 2] do not fit operand f32[3] (C2)}}
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [2, 2] : (tensor<3xf32>, tensor<i32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_slice_c3(%a: tensor<3x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{start indices i32[] and i64[] differ in type (C3)}}
  %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2] : (tensor<3x3xf32>, tensor<i32>, tensor<i64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dynamic_slice_c4(%a: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{slice size 4 leaves dimension 0 of operand f32[3] (C4)}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [4] : (tensor<3xf32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_slice_c5(%a: tensor<3xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C5)}}
  %0 = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<3xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c1(%a: tensor<3xf32>, %b: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{result is f32[2], f32[3] expected (C1)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<3xf32>, tensor<2xf32>, tensor<i32>) -> tensor<2xf32>
  return
}

// -----

func.func @dynamic_update_slice_c2(%a: tensor<3xf32>, %b: tensor<2xf64>, %i: tensor<i32>) {
  // expected-error@+1 {{operand f32[3] and update f64[2] differ in element type (C2)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<3xf32>, tensor<2xf64>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c3(%a: tensor<3xf32>, %b: tensor<2x1xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{operand f32[3] and update f32[2,1] differ in rank (C3)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<3xf32>, tensor<2x1xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c4(%a: tensor<3xf32>, %b: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{2 start indices do not fit operand f32[3] (C4)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %i : (tensor<3xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c5(%a: tensor<3x3xf32>, %b: tensor<2x2xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@+1 {{start indices i32[] and i64[] differ in type (C5)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i, %j : (tensor<3x3xf32>, tensor<2x2xf32>, tensor<i32>, tensor<i64>) -> tensor<3x3xf32>
  return
}

// -----

func.func @dynamic_update_slice_c6(%a: tensor<3xf32>, %b: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@+1 {{update f32[4] leaves dimension 0 of operand f32[3] (C6)}}
  %0 = stablehlo.dynamic_update_slice %a, %b, %i : (tensor<3xf32>, tensor<4xf32>, tensor<i32>) -> tensor<3xf32>
  return
}

// -----

func.func @torch_index_select(%a: tensor<3xf32>, %i: tensor<2xi32>) {
  // expected-error@+1 {{dim 1 leaves those of operand f32[3]}}
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 0 : i64}> : (tensor<3xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}
