// Large results that nobody reads again are written past the caches where whole
// vectors are aligned; the ends of rows of another length are not.
// RUN: xlac compile %s --target avx512 --emit kernels -o - | FileCheck %s --check-prefix=KERNELS
// RUN: xlac compile %s --target avx2 --emit asm -o - | FileCheck %s --check-prefix=ASM
// RUN: xlac run %s --inputs zeros --no-cache | FileCheck %s --check-prefix=VALUES
// RUN: xlac run %s --inputs zeros --no-cache --target avx2 | FileCheck %s --check-prefix=VALUES

// KERNELS: <transpose
// KERNELS-NOT: streamed
// KERNELS: <loop, {{.*}} attributes {streamed = array<i64: 0>}
// KERNELS: stablehlo.slice
// KERNELS-NOT: streamed
// KERNELS: stablehlo.xor
// KERNELS: <loop, {{.*}} attributes {streamed = array<i64: 0>}
// KERNELS: stablehlo.iota
// ASM: vmovnt
// ASM: sfence
// VALUES: tensor<2049x4096xi32> {{\[\[}}0, 1, 2, ..., 4093, 4094, 4095], {{.*}} [0, 1, 2, ..., 4093, 4094, 4095]]
// VALUES: tensor<2049x4093xi32> {{\[\[}}1, 1, 1, ..., 1, 1, 1], {{.*}} [1, 1, 1, ..., 1, 1, 1]]
// VALUES: tensor<4096x2049xi32> {{\[\[}}1, 1, 1, ..., 1, 1, 1], {{.*}} [1, 1, 1, ..., 1, 1, 1]]
func.func @main(%a: tensor<2049x4096xi32>) -> (tensor<2049x4096xi32>, tensor<2049x4093xi32>, tensor<4096x2049xi32>) {
  %one = stablehlo.constant dense<1> : tensor<2049x4096xi32>
  %0 = stablehlo.iota dim = 1 : tensor<2049x4096xi32>
  %1 = stablehlo.add %a, %0 : tensor<2049x4096xi32>
  %2 = stablehlo.xor %a, %one : tensor<2049x4096xi32>
  %3 = stablehlo.slice %2 [0:2049, 3:4096] : (tensor<2049x4096xi32>) -> tensor<2049x4093xi32>
  %4 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2049x4096xi32>) -> tensor<4096x2049xi32>
  return %1, %3, %4 : tensor<2049x4096xi32>, tensor<2049x4093xi32>, tensor<4096x2049xi32>
}
