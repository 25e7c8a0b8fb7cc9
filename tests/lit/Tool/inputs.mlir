// Inputs by position, number and name, and results that are compared.
// RUN: rm -rf %t.out && xlac run %s --no-cache --inputs "w=2x3xf32=1,2,3,4,5,6" x=3xf32=1 i32=4 --outputs %t.out
// RUN: xlac run %s --no-cache --inputs zeros 2=i32=4 | FileCheck %s --check-prefix=MIXED
// RUN: cat %t.out/out_000.npy | xlac run %s --no-cache --inputs - 3xf32=1,2,3 zeros | FileCheck %s --check-prefix=STDIN
// RUN: not xlac run %s --no-cache --inputs x=3xf32=0 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not xlac run %s --no-cache --inputs y=3xf32=0 zeros 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not xlac run %s --no-cache --inputs x=2xf32=0 zeros 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: cat %s | not xlac run - --no-cache --inputs - 2>&1 | FileCheck %s --check-prefix=TWICE

// RUN: xlac run %s --no-cache --inputs "w=2x3xf32=1,2,3,4,5,6" x=3xf32=1 i32=4 --expected %t.out/out_000.npy i32=8 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: xlac run %s --no-cache --inputs zeros --expected sum=2x3xf32=0.001 --atol 0.01
// RUN: not xlac run %s --no-cache --inputs zeros --expected sum=2x3xf32=0,0,0,0.1,3,0 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: not xlac run %s --no-cache --inputs zeros --expected sum=2x3xf32=1 --json 2>/dev/null | FileCheck %s --check-prefix=JSON
// RUN: not xlac run %s --no-cache --inputs zeros --expected 2x3xf32=0 2>&1 | FileCheck %s --check-prefix=FEW
// RUN: not xlac run %s --no-cache --inputs zeros --expected 0=i32=0 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not xlac run %s --no-cache --inputs zeros --expected zeros --atol nan 2>&1 | FileCheck %s --check-prefix=ATOL

// MIXED: tensor<i32> 8
// STDIN: tensor<2x3xf32> {{\[\[}}3, 5, 7], [6, 8, 10]]
// MISSING: xlac: the program takes 3 inputs, got 1; missing: input 0 'w' of tensor<2x3xf32>, input 2 of tensor<i32>
// NAME: xlac: no input has the name 'y'; there are w, x
// SHAPE: xlac: input 1 'x': x=2xf32=0 holds tensor<2xf32>, the program takes tensor<3xf32>
// TWICE: standard input cannot give both the program and an input
// SAME: 2 results are as expected
// DIFFERS: xlac: result 0 of tensor<2x3xf32>: 2 of 6 elements differ, worst at [1, 1]: got 0, expected 3 (error 3, allowed 1.39e-05)
// JSON: "compared_results":1,"differences":[{"device":0,"result":0,"different_elements":6,"elements":6,"worst_index":"[0, 0]","got":"0","expected":"1"
// FEW: xlac: the program gives 2 results, got 1; missing: result 1 of tensor<i32>
// TYPE: xlac: result 0: 0=i32=0 holds tensor<i32>, the program gives tensor<2x3xf32>
// ATOL: xlac run: --atol: expected a number of at least 0, got nan; see xlac run --help
func.func @main(%w: tensor<2x3xf32> loc("w"), %x: tensor<3xf32> loc("x"), %n: tensor<i32>) -> (tensor<2x3xf32> {jax.result_info = "result['sum']"}, tensor<i32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.add %w, %0 : tensor<2x3xf32>
  %2 = stablehlo.add %n, %n : tensor<i32>
  return %1, %2 : tensor<2x3xf32>, tensor<i32>
}
