// A disk that is full, here files that may not grow, keeps the old output of
// every command that writes; devices and links stay what they are.

// RUN: rm -rf %t %t-dump && mkdir %t && xlac translate %s -o %t/old.mlir
// RUN: chmod 600 %t/old.mlir && cp %t/old.mlir %t/copy.mlir
// RUN: ln -s old.mlir %t/link.mlir
// RUN: not bash -c 'trap "" XFSZ; ulimit -f 0; exec xlac translate %s -o %t/old.mlir' 2>&1 | FileCheck %s
// RUN: not bash -c 'trap "" XFSZ; ulimit -f 0; exec xlac translate %s --to bytecode -o %t/link.mlir' 2>&1 | FileCheck %s
// RUN: not bash -c 'trap "" XFSZ; ulimit -f 0; exec xlac graph %s --format dot -o %t/old.mlir' 2>&1 | FileCheck %s
// RUN: cmp %t/old.mlir %t/copy.mlir
// RUN: not xlac translate %s -o /dev/full 2>&1 | FileCheck %s --check-prefix DEVICE
// RUN: not bash -c 'exec xlac translate %s > /dev/full' 2>&1 | FileCheck %s --check-prefix STDOUT
// RUN: mkdir %t-dump && ln -s /dev/full %t-dump/00-prepare.mlir
// RUN: not xlac compile %s --dump-dir %t-dump -o /dev/null 2>&1 | FileCheck %s --check-prefix DUMP
// RUN: test -c /dev/full && test -c /dev/null
// RUN: xlac translate %s --strip-debug-info --to bytecode -o %t/link.mlir
// RUN: test -L %t/link.mlir && stat -c %%a %t/old.mlir | FileCheck %s --check-prefix MODE
// RUN: ls -A %t | FileCheck %s --check-prefix FILES

// CHECK: .mlir: cannot be written: File too large
// DEVICE: /dev/full: cannot be written: No space left on device
// STDOUT: standard output cannot be written
// DUMP: prepare.mlir: cannot be written: No space left on device
// MODE: 600
// FILES: copy.mlir
// FILES-NEXT: link.mlir
// FILES-NEXT: old.mlir
// FILES-NOT: {{.}}
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
