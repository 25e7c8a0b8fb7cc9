// What interpreter.print prints: StableHLO's interpreter's own format. Each of
// the programs that run side by side prints one whole piece.
// RUN: xlac check %s | FileCheck %s
// RUN: xlac check --json %s 2>&1 >/dev/null | FileCheck %s --check-prefix=ASIDE

// ASIDE: %0 = tensor<2xi32> {

func.func private @inner(%a: tensor<2x2xi8>) {
  %0 = stablehlo.negate %a : tensor<2x2xi8>
  interpreter.print %0 : tensor<2x2xi8>
  return
}

func.func @main() {
  // CHECK: {{^}}%cst = tensor<f16> {5.078130e-01}
  %0 = stablehlo.constant dense<0.5078125> : tensor<f16>
  interpreter.print %0 : tensor<f16>
  // CHECK-NEXT: %cst_0 = tensor<3xf32> {
  // CHECK-NEXT:   [3.14159274, 1.500000e+00, 0x7FC00000]
  // CHECK-NEXT: }
  %1 = stablehlo.constant dense<[0x40490FDB, 1.5, 0x7FC00000]> : tensor<3xf32>
  interpreter.print %1 : tensor<3xf32>
  // CHECK-NEXT: %0 = tensor<2x2xi8> {
  // CHECK-NEXT:   [
  // CHECK-NEXT:     [-1, -2],
  // CHECK-NEXT:     [3, 4]
  // CHECK-NEXT:   ]
  // CHECK-NEXT: }
  %2 = stablehlo.constant dense<[[1, 2], [-3, -4]]> : tensor<2x2xi8>
  func.call @inner(%2) : (tensor<2x2xi8>) -> ()
  return
}

// -----

// CHECK:      {{^}}%0 = tensor<2xi32> {
// CHECK-NEXT:   [0, 1]
// CHECK-NEXT: }
// CHECK:      {{^}}%0 = tensor<2xi32> {
// CHECK-NEXT:   [0, 1]
// CHECK-NEXT: }
// CHECK: 2 passed, 0 failed
func.func @number() -> tensor<2xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<2xi32>
  interpreter.print %0 : tensor<2xi32>
  return %0 : tensor<2xi32>
}

func.func @main() {
  %results:2 = "interpreter.run_parallel"() {
    programs = [[@number, @number]]
  } : () -> (tensor<2xi32>, tensor<2xi32>)
  func.return
}
