// RUN: rm -rf %t.none && xlac cache stats --cache-dir %t.none | FileCheck %s --check-prefix=NONE
// RUN: xlac cache list --cache-dir %t.none && xlac cache verify --cache-dir %t.none
// RUN: not ls %t.none
// RUN: not xlac cache prune --cache-dir %t.none 2>&1 | FileCheck %s --check-prefix=PRUNE
// RUN: not ls %t.none
// RUN: rm -rf %t.cache && xlac run %s --inputs zeros --cache-dir %t.cache
// RUN: xlac cache stats --cache-dir %t.cache --json | FileCheck %s --check-prefix=SOME
// RUN: xlac cache prune --megabytes 100 --cache-dir %t.cache --json | FileCheck %s --check-prefix=SOME
// RUN: xlac cache prune --megabytes 0 --cache-dir %t.cache --json | FileCheck %s --check-prefix=EMPTY

// RUN: xlac cache limit --cache-dir %t.none | FileCheck %s --check-prefix=LIMIT
// RUN: env XLAC_CACHE_LIMIT=1G xlac cache limit --cache-dir %t.none | FileCheck %s --check-prefix=SET
// RUN: xlac cache list --cache-dir %t.none --json | FileCheck %s --check-prefix=NOLIST
// RUN: xlac cache verify --cache-dir %t.none --json | FileCheck %s --check-prefix=SOUND
// RUN: not ls %t.none
// RUN: xlac cache limit --megabytes 0 --cache-dir %t.cache
// RUN: xlac run %s --inputs zeros --cache-dir %t.cache
// RUN: xlac cache stats --cache-dir %t.cache --json | FileCheck %s --check-prefix=TINY
// RUN: env XLAC_CACHE_LIMIT=1G xlac run %s --inputs zeros --cache-dir %t.cache
// RUN: xlac cache list --cache-dir %t.cache --json | FileCheck %s --check-prefix=LIST
// RUN: not xlac cache stats --megabytes 3 2>&1 | FileCheck %s --check-prefix=USAGE

// LIMIT: 4096 MiB (default)
// SET: 1024 MiB (XLAC_CACHE_LIMIT)
// NOLIST: {"entries":[]}
// SOUND: {"sound":0,"damaged":[]}
// TINY: "entries":0,"bytes":0,"temporary_bytes":0,"limit_bytes":0,"limit_origin":"xlac cache limit"
// LIST: {"entries":[{"kind":"{{.*}}","key":"{{[0-9a-f]*}}","bytes":{{[0-9]*}},"last_used_ns":
// USAGE: xlac cache stats: takes no --megabytes
// NONE: 0 entries, 0.0 MiB of at most 4096 MiB
// PRUNE: xlac cache prune: --megabytes is needed; 'clear' removes all entries
// SOME: "entries":{{[1-9]}}
// EMPTY: "entries":0
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
