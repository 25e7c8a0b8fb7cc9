// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file | FileCheck %s

// A hint that costs nothing is followed.
// CHECK-LABEL: module @free
// CHECK-SAME: xlac.result_shardings = ["{devices=[4,1]0,1,2,3}"]
module @free attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<64x64xf32> {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x", ?}, {?}]> : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}

// -----

// A hint is also followed where that moves the value once.
// CHECK-LABEL: module @once
// CHECK-SAME: xlac.result_shardings = ["{devices=[1,4]0,1,2,3}"]
// CHECK-COUNT-1: "stablehlo.all_to_all"
module @once attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<64x64xf32> {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"x", ?}]> : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}

// -----

// A hint that moves the value there and back is outvoted.
// CHECK-LABEL: module @outvoted
// CHECK-NOT: stablehlo.all_
// CHECK: return
module @outvoted attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {"x", ?}]> : tensor<64x64xf32>
    %2 = stablehlo.sine %1 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

// -----

// So is an annotation of GSPMD, in the dimensions that it leaves unspecified.
// CHECK-LABEL: module @unspecified
// CHECK-NOT: stablehlo.all_
// CHECK: return
module @unspecified attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<64x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> (tensor<64x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,4]<=[4]}"} : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %2 = stablehlo.sine %1 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

// -----

// A closed annotation is not outvoted.
// CHECK-LABEL: module @closed
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.sine
// CHECK: "stablehlo.all_to_all"
module @closed attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"x"}]> : tensor<64x64xf32>
    %2 = stablehlo.sine %1 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

// -----

// The closed dimension of an annotation stays where an open one is outvoted.
// CHECK-LABEL: module @partly
// CHECK-NOT: all_to_all
// CHECK: "stablehlo.all_gather"(%{{.*}}){{.*}}all_gather_dim = 1
// CHECK-NOT: all_to_all
// CHECK: return
module @partly attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.tanh %x : tensor<64x64xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x", ?}, {"y"}]> : tensor<64x64xf32>
    %2 = stablehlo.sine %1 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}

// -----

// The parts of manual code have the types that the program states.
// CHECK-LABEL: module @manual
// CHECK: "stablehlo.all_to_all"
// CHECK: stablehlo.sine {{.*}} : tensor<64x16xf32>
// CHECK: "stablehlo.all_to_all"
module @manual attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%x: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{?}, {"x", ?}]>] out_shardings=[<@mesh, [{?}, {"x", ?}]>] manual_axes={"x"} (%a: tensor<64x16xf32>) {
      %1 = stablehlo.sine %a : tensor<64x16xf32>
      sdy.return %1 : tensor<64x16xf32>
    } : (tensor<64x64xf32>) -> tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}

// -----

// Of two hints of equal cost, the one with the smaller number is propagated.
// CHECK-LABEL: module @priorities
// CHECK-SAME: xlac.result_shardings = ["{devices=[1,4]0,1,2,3}"]
module @priorities attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=4]>
  func.func @main(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}p1]>}, %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}p0, {"x", ?}p0]>}) -> tensor<64x64xf32> {
    %0 = stablehlo.add %a, %b : tensor<64x64xf32>
    return %0 : tensor<64x64xf32>
  }
}
