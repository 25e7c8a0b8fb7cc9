// Many updates of few elements, which are combined in tables.
func.func @histogram() {
  %i = stablehlo.iota dim = 0 : tensor<80000xi32>
  %twelve = stablehlo.constant dense<12> : tensor<80000xi32>
  %k = stablehlo.remainder %i, %twelve : tensor<80000xi32>
  %at = stablehlo.reshape %k : (tensor<80000xi32>) -> tensor<80000x1xi32>
  %ones = stablehlo.constant dense<1> : tensor<80000xi32>
  %start = stablehlo.iota dim = 0 : tensor<10xi32>
  %r = "stablehlo.scatter"(%start, %at, %ones) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<10xi32>, tensor<80000x1xi32>, tensor<80000xi32>) -> tensor<10xi32>
  // Indices 10 and 11 are outside.
  %wanted = stablehlo.constant dense<[6667, 6668, 6669, 6670, 6671, 6672, 6673, 6674, 6674, 6675]> : tensor<10xi32>
  check.expect_eq %r, %wanted : tensor<10xi32>
  func.return
}

// -----

func.func @greatest_of_each_class() {
  %i = stablehlo.iota dim = 0 : tensor<80000xi32>
  %ten = stablehlo.constant dense<10> : tensor<80000xi32>
  %k = stablehlo.remainder %i, %ten : tensor<80000xi32>
  %at = stablehlo.reshape %k : (tensor<80000xi32>) -> tensor<80000x1xi32>
  %x = stablehlo.convert %i : (tensor<80000xi32>) -> tensor<80000xf32>
  %start = stablehlo.constant dense<0xFF800000> : tensor<10xf32>
  %r = "stablehlo.scatter"(%start, %at, %x) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<10xf32>, tensor<80000x1xi32>, tensor<80000xf32>) -> tensor<10xf32>
  %wanted = stablehlo.constant dense<[79990.0, 79991.0, 79992.0, 79993.0, 79994.0, 79995.0, 79996.0, 79997.0, 79998.0, 79999.0]> : tensor<10xf32>
  check.expect_eq %r, %wanted : tensor<10xf32>
  func.return
}

// -----

func.func @updates_of_two_dimensions() {
  %i = stablehlo.iota dim = 0 : tensor<300x301xi32>
  %j = stablehlo.iota dim = 1 : tensor<300x301xi32>
  %two = stablehlo.constant dense<2> : tensor<300x301xi32>
  %seven = stablehlo.constant dense<7> : tensor<300x301xi32>
  %jj = stablehlo.multiply %j, %two : tensor<300x301xi32>
  %ij = stablehlo.add %i, %jj : tensor<300x301xi32>
  %k = stablehlo.remainder %ij, %seven : tensor<300x301xi32>
  %at = stablehlo.reshape %k : (tensor<300x301xi32>) -> tensor<300x301x1xi32>
  %ones = stablehlo.constant dense<1.0> : tensor<300x301xf64>
  %start = stablehlo.constant dense<0.0> : tensor<7xf64>
  %r = "stablehlo.scatter"(%start, %at, %ones) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<7xf64>, tensor<300x301x1xi32>, tensor<300x301xf64>) -> tensor<7xf64>
  %wanted = stablehlo.constant dense<[12900.0, 12900.0, 12900.0, 12900.0, 12900.0, 12900.0, 12900.0]> : tensor<7xf64>
  check.expect_eq %r, %wanted : tensor<7xf64>
  func.return
}
