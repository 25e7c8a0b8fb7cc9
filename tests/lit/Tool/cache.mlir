// RUN: rm -rf %t.none && xlac cache stats --cache-dir %t.none | FileCheck %s --check-prefix=NONE
// RUN: xlac cache list --cache-dir %t.none && xlac cache verify --cache-dir %t.none
// RUN: not ls %t.none
// RUN: not xlac cache prune --cache-dir %t.none 2>&1 | FileCheck %s --check-prefix=PRUNE
// RUN: not ls %t.none
// RUN: rm -rf %t.cache && xlac run %s --inputs zeros --cache-dir %t.cache
// RUN: xlac cache stats --cache-dir %t.cache --json | FileCheck %s --check-prefix=SOME
// RUN: xlac cache prune --megabytes 100 --cache-dir %t.cache --json | FileCheck %s --check-prefix=SOME
// RUN: xlac cache prune --megabytes 0 --cache-dir %t.cache --json | FileCheck %s --check-prefix=EMPTY

// NONE: 0 entries, 0.0 MiB of at most 4096 MiB
// PRUNE: xlac cache prune: --megabytes is needed; 'clear' removes all entries
// SOME: "entries":{{[1-9]}}
// EMPTY: "entries":0
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
