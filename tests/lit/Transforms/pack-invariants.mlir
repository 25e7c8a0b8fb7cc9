// RUN: xlac-opt %s --xlac-split-prologue=find=true --xlac-fuse-kernels --xlac-pack-invariants --split-input-file | FileCheck %s

// The prologue packs the weights that the entry multiplies. One kernel packs
// those of two products of the same sizes.
// CHECK-LABEL: xlac.kernel @dot_tanh
// CHECK: xlac.packed %{{.*}} : (tensor<[[SIZE:[0-9]+]]xi8>) -> tensor<256x256xf32>
// CHECK-LABEL: xlac.kernel @pack_dot
// CHECK-NEXT: ^bb0(%[[W:.*]]: tensor<256x256xf32>):
// CHECK-NEXT: %[[X:.*]] = xlac.absent : tensor<64x256xf32>
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.dot_general %[[X]], %[[W]]
// CHECK-NEXT: %[[BYTES:.*]] = xlac.pack %[[PRODUCT]] : (tensor<64x256xf32>) -> tensor<[[SIZE]]xi8>
// CHECK-NEXT: xlac.yield %[[BYTES]]
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[PACKED:[a-z0-9]+]]: tensor<[[SIZE]]xi8> {xlac.invariant}, %[[OTHER:[a-z0-9]+]]: tensor<[[SIZE]]xi8> {xlac.invariant})
// CHECK: xlac.call @{{.*}}(%{{.*}}, %[[PACKED]])
// CHECK: xlac.call @{{.*}}(%{{.*}}, %[[OTHER]])
// CHECK-LABEL: func.func private @prologue
// CHECK-SAME: xlac.prologue = array<i64: 1, 2>
// CHECK: xlac.call @pack_dot(%arg0)
// CHECK: xlac.call @pack_dot(%arg1)
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %v: tensor<256x256xf32>, %rows: tensor<64x1xi32>) -> tensor<64x256xf32> {
  %y = "stablehlo.gather"(%x, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}> : (tensor<64x256xf32>, tensor<64x1xi32>) -> tensor<64x256xf32>
  %0 = stablehlo.tanh %y : tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.tanh %1 : tensor<64x256xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %4 = stablehlo.tanh %3 : tensor<64x256xf32>
  return %4 : tensor<64x256xf32>
}

// -----

// An argument that is updated, one that a product without computed values
// reads, and a matrix that is read in place are not packed.
// CHECK-LABEL: func.func @main
// CHECK-NOT: xlac.packed
// CHECK-NOT: @prologue
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %v: tensor<256x256xf32>, %y: tensor<256xf32>, %u: tensor<256x4096xf32>) -> (tensor<64x256xf32>, tensor<256x256xf32>, tensor<4096xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %v, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.add %v, %v : tensor<256x256xf32>
  %3 = stablehlo.tanh %y : tensor<256xf32>
  %4 = stablehlo.dot_general %3, %u, contracting_dims = [0] x [0] : (tensor<256xf32>, tensor<256x4096xf32>) -> tensor<4096xf32>
  return %1, %2, %4 : tensor<64x256xf32>, tensor<256x256xf32>, tensor<4096xf32>
}

// -----

// Neither a constant operand nor one that is computed elementwise from
// arguments, such as weights of 8 bits, makes the other one a weight.
// CHECK-LABEL: func.func @main
// CHECK-NOT: xlac.invariant
// CHECK-NOT: @prologue
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xi8>, %scale: tensor<256x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %c = stablehlo.constant dense<2.0> : tensor<256x256xf32>
  %0 = stablehlo.dot_general %x, %c, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.convert %w : (tensor<256x256xi8>) -> tensor<256x256xf32>
  %2 = stablehlo.multiply %1, %scale : tensor<256x256xf32>
  %3 = stablehlo.dot_general %x, %2, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %0, %3 : tensor<64x256xf32>, tensor<64x256xf32>
}

// -----

// Two kernels multiply one weight. It is packed once, and its bytes count once:
// twice as many would be more than five quarters of the weight's own.
// CHECK-LABEL: xlac.kernel @pack_dot
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[PACKED:[a-z0-9]+]]: tensor<{{[0-9]+}}xi8> {xlac.invariant})
// CHECK: xlac.call @dot_tanh.1(%{{.*}}, %[[PACKED]])
// CHECK: xlac.call @dot_exp.2(%{{.*}}, %[[PACKED]])
// CHECK-LABEL: func.func private @prologue
// CHECK: xlac.call @pack_dot(%arg0)
// CHECK-NOT: xlac.call
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %rows: tensor<64x1xi32>) -> tensor<64x256xf32> {
  %y = "stablehlo.gather"(%x, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 256>}> : (tensor<64x256xf32>, tensor<64x1xi32>) -> tensor<64x256xf32>
  %0 = stablehlo.dot_general %y, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %1 = stablehlo.tanh %0 : tensor<64x256xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %3 = stablehlo.exponential %2 : tensor<64x256xf32>
  return %3 : tensor<64x256xf32>
}
