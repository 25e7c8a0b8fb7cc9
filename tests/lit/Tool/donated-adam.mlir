// A step of Adam updates parameters and moments in place if they are donated:
// no second copy of them is allocated.
// RUN: xlac run %s --inputs zeros --no-cache --memory 2>&1 | FileCheck %s

// CHECK: memory: {{.*}} = 1.0 MiB arguments + 768.0 KiB results + 0 B arena + {{.*}}, 768.0 KiB less with donated arguments
func.func @main(%p: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<256x256xf32> {tf.aliasing_output = 1 : i32}, %v: tensor<256x256xf32> {tf.aliasing_output = 2 : i32}, %g: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) {
  %b1 = stablehlo.constant dense<0.9> : tensor<256x256xf32>
  %c1 = stablehlo.constant dense<0.1> : tensor<256x256xf32>
  %b2 = stablehlo.constant dense<0.999> : tensor<256x256xf32>
  %c2 = stablehlo.constant dense<0.001> : tensor<256x256xf32>
  %epsilon = stablehlo.constant dense<1.0e-08> : tensor<256x256xf32>
  %0 = stablehlo.multiply %m, %b1 : tensor<256x256xf32>
  %1 = stablehlo.multiply %g, %c1 : tensor<256x256xf32>
  %2 = stablehlo.add %0, %1 : tensor<256x256xf32>
  %3 = stablehlo.multiply %v, %b2 : tensor<256x256xf32>
  %4 = stablehlo.multiply %g, %g : tensor<256x256xf32>
  %5 = stablehlo.multiply %4, %c2 : tensor<256x256xf32>
  %6 = stablehlo.add %3, %5 : tensor<256x256xf32>
  %7 = stablehlo.sqrt %6 : tensor<256x256xf32>
  %8 = stablehlo.add %7, %epsilon : tensor<256x256xf32>
  %9 = stablehlo.divide %2, %8 : tensor<256x256xf32>
  %10 = stablehlo.multiply %9, %c2 : tensor<256x256xf32>
  %11 = stablehlo.subtract %p, %10 : tensor<256x256xf32>
  return %11, %2, %6 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
}
