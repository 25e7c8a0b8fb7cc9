// RUN: xlac run %s --inputs zeros --shape 0=3x4 --no-cache | FileCheck %s
// RUN: not xlac run %s --inputs zeros --no-cache 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not xlac run %s --inputs zeros --shape 0=3x5 --no-cache 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: not xlac run %s --inputs zeros --shape 0:3x4 --no-cache 2>&1 | FileCheck %s --check-prefix=USAGE
// RUN: not xlac run %s --inputs zeros --shape 1=3 --no-cache 2>&1 | FileCheck %s --check-prefix=NUMBER

// The sizes of arrays need no option, and a second run finds the executable.
// RUN: xlac run %s --inputs zeros --shape 0=2x4 --no-cache --outputs %t.out
// RUN: rm -rf %t.cache && xlac run %s --inputs %t.out/out_000.npy --cache-dir %t.cache 2>&1 | FileCheck %s --check-prefix=ARRAY
// RUN: xlac run %s --inputs %t.out/out_000.npy --cache-dir %t.cache 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: xlac run %s --inputs zeros --shape 0=5x4 --cache-dir %t.cache 2>&1 | FileCheck %s --check-prefix=OTHER

// CHECK: tensor<3x4xf32>
// CHECK-SAME: [1, 1, 1, 1]
// CHECK: tensor<12xf32>
// NONE: argument 0 is 'tensor<?x4xf32>'; its sizes must be given
// BAD: argument 0 is 'tensor<?x4xf32>', but got the sizes 3x5: dimension 1 must have size 4
// USAGE: --shape 0:3x4: expected NUMBER=2x3
// NUMBER: has no argument 1, of which sizes are given
// ARRAY-DAG: tensor<8xf32>
// ARRAY-DAG: cache: miss
// AGAIN-DAG: tensor<8xf32>
// AGAIN-DAG: cache: hit{{.*}}compiler library not mapped
// OTHER-DAG: tensor<20xf32>
// OTHER-DAG: cache: miss
func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>) {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %count = stablehlo.multiply %rows, %four : tensor<i32>
  %shape = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  %0 = stablehlo.exponential %x : tensor<?x4xf32>
  %1 = stablehlo.dynamic_reshape %x, %shape : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0, %1 : tensor<?x4xf32>, tensor<?xf32>
}
