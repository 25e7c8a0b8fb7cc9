// Targets that JAX calls on a CPU. Results with zero pivots are those of jaxlib 0.10.2;
// the others were computed by hand.

// The fifth value belongs to no row: its column is not read.
func.func @csr_times_matrix() {
  %values = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 9.0]> : tensor<5xf32>
  %columns = stablehlo.constant dense<[0, 1, 1, 2, 7]> : tensor<5xi32>
  %starts = stablehlo.constant dense<[0, 2, 3, 3, 4]> : tensor<5xi32>
  %dense = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %columns, %starts, %dense) {mhlo.backend_config = {}} : (tensor<5xf32>, tensor<5xi32>, tensor<5xi32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %0, dense<[[7.0, 10.0], [9.0, 12.0], [0.0, 0.0], [20.0, 24.0]]> : tensor<4x2xf32>
  return
}

func.func @perturbed_zeros() {
  %z = stablehlo.constant dense<0.0> : tensor<3xf32>
  %b = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%z, %z, %z, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %0, dense<[[8.50705917e+37], [5.67137278e+37], [8.50705917e+37]]> : tensor<3x1xf32>
  return
}

func.func @perturbed_zero_pivot() {
  %z = stablehlo.constant dense<0.0> : tensor<3xf32>
  %d = stablehlo.constant dense<[2.0, 0.0, 1.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[[1.0], [2.0], [3.0]]> : tensor<3x1xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%z, %d, %z, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x1xf32>) -> tensor<3x1xf32>
  check.expect_eq_const %0, dense<[[0.5], [8.388608e+06], [3.0]]> : tensor<3x1xf32>
  return
}

func.func @csr_times_vector_of_whole_numbers() {
  %values = stablehlo.constant dense<[1, -2, 3]> : tensor<3xi64>
  %columns = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi64>
  %starts = stablehlo.constant dense<[0, 1, 3]> : tensor<3xi64>
  %dense = stablehlo.constant dense<[10, 9223372036854775807]> : tensor<2xi64>
  %0 = stablehlo.custom_call @cpu_csr_sparse_dense_ffi(%values, %columns, %starts, %dense) {mhlo.backend_config = {}} : (tensor<3xi64>, tensor<3xi64>, tensor<3xi64>, tensor<2xi64>) -> tensor<2xi64>
  check.expect_eq_const %0, dense<[9223372036854775807, 9223372036854775785]> : tensor<2xi64>
  return
}

func.func @perturbed_regular_batch() {
  %dl = stablehlo.constant dense<[[0.0, 1.0, 1.0], [0.0, 2.0, 0.0]]> : tensor<2x3xf64>
  %d = stablehlo.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 4.0]]> : tensor<2x3xf64>
  %du = stablehlo.constant dense<[[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf64>
  %b = stablehlo.constant dense<[[[1.0], [2.0], [3.0]], [[1.0], [3.0], [2.0]]]> : tensor<2x3x1xf64>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3xf64>, tensor<2x3x1xf64>) -> tensor<2x3x1xf64>
  check.expect_almost_eq_const %0, dense<[[[-1.0], [2.0], [1.0]], [[1.0], [1.0], [0.5]]]> : tensor<2x3x1xf64>, tolerance = 1.0e-15
  return
}

// The pivots are those that are largest for their row.
func.func @perturbed_one_row_singular() {
  %dl = stablehlo.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf32>
  %d = stablehlo.constant dense<[1.0, 1.0, 2.0]> : tensor<3xf32>
  %du = stablehlo.constant dense<[1.0, 0.0, 0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[[1.0, 1.0], [2.0, 0.0], [3.0, 0.0]]> : tensor<3x2xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[0x4AFFFFFF, 0xCAFFFFFE], [0xCAFFFFFD, 0x4B000000], [0x4B000000, 0xCB000000]]> : tensor<3x2xf32>
  return
}

func.func @perturbed_scaled_pivots() {
  %dl = stablehlo.constant dense<[0.0, -1.0, 2.0, 3.0]> : tensor<4xf32>
  %d = stablehlo.constant dense<[2.0, 0.0, 0.0, 1.0]> : tensor<4xf32>
  %du = stablehlo.constant dense<[1.0, 0.0, -1.0, 0.0]> : tensor<4xf32>
  %b = stablehlo.constant dense<[[-2.0, 1.0], [2.0, 1.0], [0.0, 1.0], [1.0, 1.0]]> : tensor<4x2xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  check.expect_eq_const %0, dense<[[0xC0000000, 0xBF800000], [0x40000000, 0x40400000], [0xBF800000, 0xBFAAAAAB], [0x40800000, 0x40A00000]]> : tensor<4x2xf32>
  return
}

// The last pivot is -0, which moves down, for both right-hand sides alike.
func.func @perturbed_below_zero() {
  %dl = stablehlo.constant dense<[0.0, 2.0, -2.0]> : tensor<3xf32>
  %d = stablehlo.constant dense<[0.0, 1.0, -1.0]> : tensor<3xf32>
  %du = stablehlo.constant dense<[0.0, 2.0, 0.0]> : tensor<3xf32>
  %b = stablehlo.constant dense<[[-1.0, 0.0], [-3.0, 1.0], [-2.0, 0.0]]> : tensor<3x2xf32>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  check.expect_eq_const %0, dense<[[0xCA400008, 0x3F000000], [0xC9FFFFF8, 0x80000000], [0x4A800000, 0x80000000]]> : tensor<3x2xf32>
  return
}

func.func @perturbed_complex() {
  %dl = stablehlo.constant dense<[(0.0, 0.0), (0.0, 1.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %d = stablehlo.constant dense<[(1.0, 0.0), (1.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %du = stablehlo.constant dense<[(0.0, -1.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<3xcomplex<f64>>
  %b = stablehlo.constant dense<[[(1.0, 0.0)], [(2.0, 0.0)], [(3.0, 0.0)]]> : tensor<3x1xcomplex<f64>>
  %0 = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%dl, %d, %du, %b) {mhlo.backend_config = {}} : (tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3xcomplex<f64>>, tensor<3x1xcomplex<f64>>) -> tensor<3x1xcomplex<f64>>
  check.expect_eq_const %0, dense<[[(-4503599627370495.0, -9007199254740990.0)], [(-9007199254740990.0, 4503599627370496.0)], [(9007199254740992.0, -4503599627370496.0)]]> : tensor<3x1xcomplex<f64>>
  return
}
