// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// A transform of two dimensions of which one is sharded: each is transformed
// while the other one is sharded.
// CHECK-LABEL: module @planes
// CHECK-NOT: all_gather
// CHECK: stablehlo.fft %arg0, type = FFT, length = [12]
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.fft %{{.*}}, type = FFT, length = [8]
// CHECK: "stablehlo.all_to_all"
// CHECK: return %{{.*}} : tensor<2x12xcomplex<f32>>
module @planes attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x12xcomplex<f32>> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<8x12xcomplex<f32>> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.fft %x, type = FFT, length = [8, 12] : (tensor<8x12xcomplex<f32>>) -> tensor<8x12xcomplex<f32>>
    return %0 : tensor<8x12xcomplex<f32>>
  }
}

// -----

// The batch is sharded instead, in uneven pieces.
// CHECK-LABEL: module @lines
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [12] : (tensor<3x12xf32>)
// CHECK-NOT: all_gather
// CHECK: return
module @lines attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<9x12xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) -> (tensor<9x7xcomplex<f32>> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.fft %x, type = RFFT, length = [12] : (tensor<9x12xf32>) -> tensor<9x7xcomplex<f32>>
    return %0 : tensor<9x7xcomplex<f32>>
  }
}

// -----

// A transform of no elements.
// CHECK-LABEL: module @empty
// CHECK: return %{{.*}} : tensor<1x0xcomplex<f64>>
module @empty attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<2x0xf64> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> (tensor<2x0xcomplex<f64>> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) {
    %0 = stablehlo.fft %x, type = RFFT, length = [2, 0] : (tensor<2x0xf64>) -> tensor<2x0xcomplex<f64>>
    return %0 : tensor<2x0xcomplex<f64>>
  }
}
