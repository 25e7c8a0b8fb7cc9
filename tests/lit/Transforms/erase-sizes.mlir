// RUN: xlac-opt %s --xlac-erase-sizes=seed=2 | FileCheck %s
// RUN: xlac-opt %s --xlac-erase-sizes=seed=2 | xlac-opt --xlac-prepare-module=sizes=0:3x4 | FileCheck %s --check-prefix=REFINED

// Sizes come from arguments. Those of an op that took its sizes as an operand
// stay, since they may be unknown before the program runs.
// CHECK: func.func @main(%[[X:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<1xi32>) -> (tensor<?xf32>, tensor<5xi32>)
// CHECK: stablehlo.get_dimension_size %[[X]], dim = 0
// CHECK: %[[SHAPE:.*]] = stablehlo.concatenate
// CHECK: %[[WIDE:.*]] = stablehlo.dynamic_broadcast_in_dim %[[B]], %[[SHAPE]], dims = [1] {{.*}} -> tensor<3x?xf32>
// CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[WIDE]] {{.*}} -> tensor<?x?xf32>
// CHECK: stablehlo.dynamic_reshape %[[SUM]], {{.*}} -> tensor<?xf32>
// CHECK: stablehlo.dynamic_iota %[[N]], dim = 0 {{.*}} -> tensor<5xi32>

// REFINED: func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<1xi32>) -> (tensor<12xf32>, tensor<5xi32>)
// REFINED-NOT: ?
func.func @main(%x: tensor<3x4xf32>, %b: tensor<4xf32>, %n: tensor<1xi32>) -> (tensor<12xf32>, tensor<5xi32>) {
  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<3x4xf32>
  %1 = stablehlo.add %x, %0 : tensor<3x4xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x4xf32>) -> tensor<12xf32>
  %3 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<5xi32>
  return %2, %3 : tensor<12xf32>, tensor<5xi32>
}
