// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of gather, dynamic_gather and scatter; labels are
// the specification's.

func.func @gather_c1(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{offset_dims [1, 2], collapsed_slice_dims [0] and operand_batching_dims [] do not make the 2 dimensions of operand f32[10,4] (C1)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c2(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{index_vector_dim 3 does not fit start_indices i32[7,1] (C2)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c3(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{start_index_map [0, 1] does not have the 1 entries of an index vector (C3)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c4(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{offset_dims [1, 0] are not sorted and unique (C4)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 0], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c5(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{offset_dims [2] leave the 2 dimensions of the result (C5)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c6(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims [0, 0] and operand_batching_dims [] name a dimension twice (C6)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c7(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims [1, 0] are not sorted (C7)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7xf32>
  return
}

// -----

func.func @gather_c8(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{collapsed_slice_dims [2] leave those of operand f32[10,4] (C8)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c9(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{slice_sizes [2, 4] are above 1 in collapsed_slice_dims [0] (C9)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 2, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c10(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{operand_batching_dims [1, 0] is not sorted (C10)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c11(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{operand_batching_dims [3] leaves the dimensions of f32[7,10,4] (C11)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c12(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{slice_sizes [2, 1, 4] are above 1 in operand_batching_dims [0] (C12)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 2, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c13(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims [0, 0] names a dimension twice (C13)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c14(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims [3] leaves the dimensions of start_indices i32[7,3,1] (C14)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c15(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{start_indices_batching_dims [2] holds index_vector_dim 2 (C15)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c16(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{operand_batching_dims [0] and start_indices_batching_dims [0, 1] differ in number (C16)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0, 1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c17(%a: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>) {
  // expected-error@+1 {{batching dimension 0 of f32[7,10,4] and 1 of start_indices i32[7,3,1] differ (C17)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1, 4>
  }> : (tensor<7x10x4xf32>, tensor<7x3x1xi32>) -> tensor<7x3x4xf32>
  return
}

// -----

func.func @gather_c18(%a: tensor<10x4xf32>, %i: tensor<7x2xi32>) {
  // expected-error@+1 {{start_index_map [0, 0] and operand_batching_dims [] name a dimension twice (C18)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x2xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c19(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{start_index_map [2] leaves the dimensions of f32[10,4] (C19)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c20(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{slice_sizes [1, 4, 1] do not have the 2 entries of operand f32[10,4] (C20)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4, 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf32>
  return
}

// -----

func.func @gather_c21(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{slice size 5 leaves dimension 1 of operand f32[10,4] (C21)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 5>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x5xf32>
  return
}

// -----

func.func @gather_c22(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{result is f32[7,3], f32[7,4] expected (C22)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x3xf32>
  return
}

// -----

func.func @gather_c23(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  // expected-error@+1 {{result is f64[7,4], f32[7,4] expected (C23)}}
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>) -> tensor<7x4xf64>
  return
}

// -----

func.func @dynamic_gather_c1(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{offset_dims [1, 2], collapsed_slice_dims [0] and operand_batching_dims [] do not make the 2 dimensions of operand f32[10,4] (C1)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c2(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{index_vector_dim 3 does not fit start_indices i32[7,1] (C2)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c3(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{start_index_map [0, 1] does not have the 1 entries of an index vector (C3)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c4(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{offset_dims [1, 0] are not sorted and unique (C4)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1, 0], collapsed_slice_dims = [], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c5(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{offset_dims [2] leave the 2 dimensions of the result (C5)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c6(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{collapsed_slice_dims [0, 0] and operand_batching_dims [] name a dimension twice (C6)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [0, 0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c6_sorted(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 1]> : tensor<2xi64>
  // expected-error@+1 {{collapsed_slice_dims [1, 0] are not sorted (C6)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [], collapsed_slice_dims = [1, 0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7xf32>
  return
}

// -----

func.func @dynamic_gather_c7(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{collapsed_slice_dims [2] leave those of operand f32[10,4] (C7)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c8(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@+1 {{slice_sizes [2, 4] are above 1 in collapsed_slice_dims [0] (C8)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c9(%a: tensor<10x4xf32>, %i: tensor<7x2xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{start_index_map [0, 0] and operand_batching_dims [] name a dimension twice (C9)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x2xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c10(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{start_index_map [2] leaves the dimensions of f32[10,4] (C10)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [2], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c11(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4, 1]> : tensor<3xi64>
  // expected-error@+1 {{slice_sizes is i64[3], but 2 integers wanted (C11)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<3xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @dynamic_gather_c12(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  // expected-error@+1 {{slice size 5 leaves dimension 1 of operand f32[10,4] (C12)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x5xf32>
  return
}

// -----

func.func @dynamic_gather_c13(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{result is f32[7,3], f32[7,4] expected (C13)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x3xf32>
  return
}

// -----

func.func @dynamic_gather_c14(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>) {
  %n = stablehlo.constant dense<[1, 4]> : tensor<2xi64>
  // expected-error@+1 {{result is f64[7,4], f32[7,4] expected (C14)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<2xi64>) -> tensor<7x4xf64>
  return
}

// -----

func.func @dynamic_gather_unknown_c11(%a: tensor<10x4xf32>, %i: tensor<7x1xi32>, %n: tensor<3xi64>) {
  // expected-error@+1 {{slice_sizes is i64[3], but 2 integers wanted (C11)}}
  %0 = "stablehlo.dynamic_gather"(%a, %i, %n) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>
  }> : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<3xi64>) -> tensor<7x4xf32>
  return
}

// -----

func.func @scatter_c1(%a0: tensor<10x4xf32>, %a1: tensor<9x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>, %u1: tensor<7x4xf32>) {
  // expected-error@+1 {{input 0 f32[10,4] and input 1 f32[9,4] differ in shape (C1)}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %i, %u0, %u1) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>):
    stablehlo.return %y0, %y1 : tensor<f32>, tensor<f32>
  }) : (tensor<10x4xf32>, tensor<9x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>, tensor<7x4xf32>) -> (tensor<10x4xf32>, tensor<9x4xf32>)
  return
}

// -----

func.func @scatter_c2(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{update_window_dims [1], inserted_window_dims [] and input_batching_dims [] do not make the 2 dimensions of input f32[10,4] (C2)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c3(%a0: tensor<10x4xf32>, %a1: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>, %u1: tensor<6x4xf32>) {
  // expected-error@+1 {{updates 0 f32[7,4] and updates 1 f32[6,4] differ in shape (C3)}}
  %0:2 = "stablehlo.scatter"(%a0, %a1, %i, %u0, %u1) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %x1: tensor<f32>, %y0: tensor<f32>, %y1: tensor<f32>):
    stablehlo.return %y0, %y1 : tensor<f32>, tensor<f32>
  }) : (tensor<10x4xf32>, tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>, tensor<6x4xf32>) -> (tensor<10x4xf32>, tensor<10x4xf32>)
  return
}

// -----

func.func @scatter_c4(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x5xf32>) {
  // expected-error@+1 {{window dimension 1 of updates f32[7,5] is larger than the 4 of input f32[10,4] (C4)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x5xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_indices_c4(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<6x4xf32>) {
  // expected-error@+1 {{dimension 0 of updates f32[6,4] does not fit scatter_indices i32[7,1] (C4)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<6x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c5(%i: tensor<7x1xi32>) {
  // expected-error@+1 {{has 1 operands, as many inputs as updates wanted (C5)}}
  "stablehlo.scatter"(%i) <{
    scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>
  }> ({
    stablehlo.return
  }) : (tensor<7x1xi32>) -> ()
  return
}

// -----

func.func @scatter_c6(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf64>) {
  // expected-error@+1 {{input 0 f32[10,4] and updates f64[7,4] differ in element type (C6)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf64>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c7(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{update_window_dims [1, 0] are not sorted and unique (C7)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 0], inserted_window_dims = [], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c8(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{update_window_dims [2] leave those of updates f32[7,4] (C8)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c9(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{inserted_window_dims [0, 0] and input_batching_dims [] name a dimension twice (C9)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c10(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7xf32>) {
  // expected-error@+1 {{inserted_window_dims [1, 0] are not sorted (C10)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [], inserted_window_dims = [1, 0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c11(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{inserted_window_dims [2] leave those of input f32[10,4] (C11)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c12(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{input_batching_dims [1, 0] is not sorted (C12)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c13(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{input_batching_dims [3] leaves the dimensions of f32[7,10,4] (C13)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c14(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims [0, 0] names a dimension twice (C14)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c15(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims [3] leaves the dimensions of scatter_indices i32[7,3,1] (C15)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c16(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{scatter_indices_batching_dims [2] holds index_vector_dim 2 (C16)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c17(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{input_batching_dims [0] and scatter_indices_batching_dims [0, 1] differ in number (C17)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c18(%a0: tensor<7x10x4xf32>, %i: tensor<7x3x1xi32>, %u0: tensor<7x3x4xf32>) {
  // expected-error@+1 {{batching dimension 0 of f32[7,10,4] and 1 of scatter_indices i32[7,3,1] differ (C18)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<7x10x4xf32>, tensor<7x3x1xi32>, tensor<7x3x4xf32>) -> tensor<7x10x4xf32>
  return
}

// -----

func.func @scatter_c19(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims [0, 1] does not have the 1 entries of an index vector (C19)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c20(%a0: tensor<10x4xf32>, %i: tensor<7x2xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims [0, 0] and input_batching_dims [] name a dimension twice (C20)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x2xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c21(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{scatter_dims_to_operand_dims [2] leaves the dimensions of f32[10,4] (C21)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [2], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c22(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{index_vector_dim 3 does not fit scatter_indices i32[7,1] (C22)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 3>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c23(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{update_computation works on f16, to which f32 cannot be promoted (C23)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f16>, %y0: tensor<f16>):
    stablehlo.return %y0 : tensor<f16>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}

// -----

func.func @scatter_c24(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{result is f32[10,5], f32[10,4] expected (C24)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f32>, %y0: tensor<f32>):
    stablehlo.return %y0 : tensor<f32>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x5xf32>
  return
}

// -----

func.func @scatter_c25(%a0: tensor<10x4xf32>, %i: tensor<7x1xi32>, %u0: tensor<7x4xf32>) {
  // expected-error@+1 {{result is f32[10,4], f64[10,4] expected (C25)}}
  %0 = "stablehlo.scatter"(%a0, %i, %u0) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  }> ({
  ^bb0(%x0: tensor<f64>, %y0: tensor<f64>):
    stablehlo.return %y0 : tensor<f64>
  }) : (tensor<10x4xf32>, tensor<7x1xi32>, tensor<7x4xf32>) -> tensor<10x4xf32>
  return
}
