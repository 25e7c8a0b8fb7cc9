// NumPy writes arrays of ml_dtypes.bfloat16 as raw data of two bytes.
// RUN: printf "\223NUMPY\001\000\106\000{'descr': '<V2', 'fortran_order': False, 'shape': (2,), }            \n\200\077\040\300" > %t.npy
// RUN: xlac run %s --inputs %t.npy --no-cache | FileCheck %s
// RUN: printf "\223NUMPY\001\000\106\000{'descr': '<V3', 'fortran_order': False, 'shape': (2,), }            \n\200\077\040\300ab" > %t.npy
// RUN: not xlac run %s --inputs %t.npy --no-cache 2>&1 | FileCheck %s --check-prefix=OTHER
// CHECK: tensor<2xbf16> [2, -5]
// OTHER: has dtype '<V3'; expected a number
func.func @main(%x: tensor<2xbf16>) -> tensor<2xbf16> {
  %0 = stablehlo.add %x, %x : tensor<2xbf16>
  return %0 : tensor<2xbf16>
}
