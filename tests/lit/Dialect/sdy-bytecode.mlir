// Shardy's attributes in Shardy's encoding, as jaxlib wrote them, against the
// same programs as text: every attribute and every op in plain bytecode, and a
// portable artifact of jax.shard_map.
// RUN: xlac-opt %S/../../compat/sdy/jaxlib_0_10.mlir > %t.text
// RUN: xlac-opt %S/../../compat/sdy/jaxlib_0_10.mlir.bc > %t.bytes
// RUN: diff %t.text %t.bytes
// RUN: xlac translate %S/../../compat/sdy/shard_map_1_17_0.mlir --to stablehlo > %t.text
// RUN: xlac translate %S/../../compat/sdy/shard_map_1_17_0.mlir.bc --to stablehlo > %t.bytes
// RUN: diff %t.text %t.bytes

// What is written is read again: as text inside of bytecode.
// RUN: xlac translate %S/../../compat/sdy/shard_map_1_17_0.mlir.bc --to bytecode -o %t.bc
// RUN: xlac translate %t.bc --to stablehlo > %t.again
// RUN: diff %t.text %t.again
// RUN: xlac compile %S/../../compat/sdy/shard_map_1_17_0.mlir.bc -o %t.xlax
