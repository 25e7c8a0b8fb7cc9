// Results of four MiB are written past the caches if a program's results are as
// large as 32 MiB together. Small ones are not.
// RUN: xlac compile %s --entry many --emit kernels -o - | FileCheck %s --check-prefix=MANY
// RUN: xlac compile %s --entry few --emit kernels -o - | FileCheck %s --check-prefix=FEW

// MANY: kernel @add.
// MANY-NOT: streamed
// MANY-COUNT-8: kernel @multiply_add{{.*}} attributes {streamed = array<i64: 0>}
// FEW: kernel
// FEW-NOT: streamed
func.func @many(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %c: tensor<7xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<7xf32>) {
  %c0 = stablehlo.constant dense<2.0> : tensor<1024x1024xf32>
  %m0 = stablehlo.multiply %a, %c0 : tensor<1024x1024xf32>
  %r0 = stablehlo.add %m0, %b : tensor<1024x1024xf32>
  %c1 = stablehlo.constant dense<3.0> : tensor<1024x1024xf32>
  %m1 = stablehlo.multiply %a, %c1 : tensor<1024x1024xf32>
  %r1 = stablehlo.add %m1, %b : tensor<1024x1024xf32>
  %c2 = stablehlo.constant dense<4.0> : tensor<1024x1024xf32>
  %m2 = stablehlo.multiply %a, %c2 : tensor<1024x1024xf32>
  %r2 = stablehlo.add %m2, %b : tensor<1024x1024xf32>
  %c3 = stablehlo.constant dense<5.0> : tensor<1024x1024xf32>
  %m3 = stablehlo.multiply %a, %c3 : tensor<1024x1024xf32>
  %r3 = stablehlo.add %m3, %b : tensor<1024x1024xf32>
  %c4 = stablehlo.constant dense<6.0> : tensor<1024x1024xf32>
  %m4 = stablehlo.multiply %a, %c4 : tensor<1024x1024xf32>
  %r4 = stablehlo.add %m4, %b : tensor<1024x1024xf32>
  %c5 = stablehlo.constant dense<7.0> : tensor<1024x1024xf32>
  %m5 = stablehlo.multiply %a, %c5 : tensor<1024x1024xf32>
  %r5 = stablehlo.add %m5, %b : tensor<1024x1024xf32>
  %c6 = stablehlo.constant dense<8.0> : tensor<1024x1024xf32>
  %m6 = stablehlo.multiply %a, %c6 : tensor<1024x1024xf32>
  %r6 = stablehlo.add %m6, %b : tensor<1024x1024xf32>
  %c7 = stablehlo.constant dense<9.0> : tensor<1024x1024xf32>
  %m7 = stablehlo.multiply %a, %c7 : tensor<1024x1024xf32>
  %r7 = stablehlo.add %m7, %b : tensor<1024x1024xf32>
  %s = stablehlo.add %c, %c : tensor<7xf32>
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %s : tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<7xf32>
}

func.func @few(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %c0 = stablehlo.constant dense<2.0> : tensor<1024x1024xf32>
  %m0 = stablehlo.multiply %a, %c0 : tensor<1024x1024xf32>
  %r0 = stablehlo.add %m0, %b : tensor<1024x1024xf32>
  %c1 = stablehlo.constant dense<3.0> : tensor<1024x1024xf32>
  %m1 = stablehlo.multiply %a, %c1 : tensor<1024x1024xf32>
  %r1 = stablehlo.add %m1, %b : tensor<1024x1024xf32>
  %c2 = stablehlo.constant dense<4.0> : tensor<1024x1024xf32>
  %m2 = stablehlo.multiply %a, %c2 : tensor<1024x1024xf32>
  %r2 = stablehlo.add %m2, %b : tensor<1024x1024xf32>
  return %r0, %r1, %r2 : tensor<1024x1024xf32>, tensor<1024x1024xf32>, tensor<1024x1024xf32>
}
