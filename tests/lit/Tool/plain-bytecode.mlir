// Plain MLIR bytecode, as jaxlib wrote it: every attribute that the stablehlo
// and chlo dialects encode, against the same program as text.
// RUN: xlac-opt %S/../../compat/plain/jaxlib_0_10.mlir > %t.text
// RUN: xlac-opt %S/../../compat/plain/jaxlib_0_10.mlir.bc > %t.bytes
// RUN: diff %t.text %t.bytes

// What is written so is read again.
// RUN: xlac-opt %S/../../compat/plain/jaxlib_0_10.mlir --emit-bytecode -o %t.bc
// RUN: xlac-opt %t.bc > %t.again
// RUN: diff %t.text %t.again
