// Values that no setting allows, and unknown settings, are reported once; the level drops reports.
// RUN: env XLAC_NUM_THREADS=abc XLAC_LOGS=caches XLAC_NUM_THREAD=3 xlac run %s 2>&1 | FileCheck %s
// CHECK-DAG: xlac: warning: XLAC_NUM_THREAD is not a setting of xlac and has no effect
// CHECK-DAG: xlac: warning: XLAC_NUM_THREADS is 'abc', wanted an integer from 1 to 4096; the default holds: one per core that this process may use
// RUN: env XLAC_NUM_THREADS=abc XLAC_LOG_LEVEL=error xlac run %s 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: warning
// RUN: not xlac run %s --threads -3 2>&1 | FileCheck %s --check-prefix=THREADS
// THREADS: --threads: Value -3 not in range
// RUN: env XLAC_JOB_SECRET=hush XLAC_MAX_PENDING=7 xlac settings | FileCheck %s --check-prefix=LIST
// LIST: XLAC_MAX_PENDING = 7
// LIST: XLAC_JOB_SECRET = (set)
// RUN: env XLAC_NO_SUCH=1 xlac settings --json | FileCheck %s --check-prefix=JSON
// JSON: "XLAC_CACHE":{"value":"","default":"on"
func.func @main() -> tensor<2xf32> {
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
