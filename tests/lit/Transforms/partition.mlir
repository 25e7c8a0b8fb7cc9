// RUN: xlac-opt %s --xlac-prepare-module --xlac-partition --split-input-file --verify-diagnostics | FileCheck %s

// Rows and columns that are cut need no others; nothing is gathered.
// CHECK-LABEL: module @columns
// CHECK-SAME: xlac.argument_shardings = ["{devices=[2,1,2]0,1,2,3 last_tile_dim_replicate}", "{devices=[1,2,2]0,2,1,3 last_tile_dim_replicate}"]
// CHECK-SAME: xlac.result_shardings = ["{devices=[2,2]0,1,2,3}"]
// CHECK: stablehlo.dot_general %arg0, %arg1, {{.*}}(tensor<4x16xf32>, tensor<16x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: return
module @columns attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}"}, %w: tensor<16x8xf32> {mhlo.sharding = "{devices=[1,2,2]<=[2,2]T(1,0) last_tile_dim_replicate}"}) -> tensor<8x8xf32> {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

// A contracted dimension gives partial sums; a result that is to be cut along
// the same axis is scattered, not summed everywhere.
// CHECK-LABEL: module @partial
// CHECK: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1, {{.*}}(tensor<64x256xf32>, tensor<256x64xf32>) -> tensor<64x64xf32>
// CHECK: "stablehlo.all_reduce"(%[[P]])
// CHECK: %[[Q:.*]] = stablehlo.dot_general
// CHECK: "stablehlo.reduce_scatter"(%[[Q]])
// CHECK-SAME: scatter_dimension = 1
// CHECK-NOT: all_gather
module @partial attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<64x512xf32> {mhlo.sharding = "{devices=[1,2]<=[2]}"}, %w: tensor<512x64xf32> {mhlo.sharding = "{devices=[2,1]<=[2]}"}) -> (tensor<64x64xf32> {mhlo.sharding = "{replicated}"}, tensor<64x64xf32> {mhlo.sharding = "{devices=[1,2]<=[2]}"}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x512xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
  }
}

// -----

// From one sharding to another.
// CHECK-LABEL: module @reshard
// CHECK-DAG: "stablehlo.all_to_all"(%arg0) <{{.*}}concat_dimension = 0 {{.*}}split_dimension = 1
// CHECK-DAG: "stablehlo.all_gather"(%arg0)
// CHECK-DAG: "stablehlo.collective_permute"(%arg0) <{{.*}}source_target_pairs = dense<{{\[\[}}0, 3], [1, 2], [2, 1], [3, 0]]>
// CHECK-DAG: stablehlo.dynamic_slice %arg1
module @reshard attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %y: tensor<8x8xf32> {mhlo.sharding = "{replicated}"}) -> (tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}, tensor<8x8xf32> {mhlo.sharding = "{replicated}"}, tensor<8x8xf32> {mhlo.sharding = "{devices=[4,1]3,2,1,0}"}, tensor<8x8xf32> {mhlo.sharding = "{devices=[1,4]<=[4]}"}) {
    return %x, %x, %x, %y : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  }
}

// -----

// Rows that do not divide are padded at the end, which a sum must not see.
// CHECK-LABEL: module @padded
// CHECK: func.func @main(%arg0: tensor<2x3000xf32>)
// CHECK: stablehlo.compare  LT
// CHECK: %[[MASKED:.*]] = stablehlo.select
// CHECK: stablehlo.reduce(%[[MASKED]] init:
// CHECK: "stablehlo.all_reduce"
module @padded attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<7x3000xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> tensor<3000xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<7x3000xf32>, tensor<f32>) -> tensor<3000xf32>
    return %0 : tensor<3000xf32>
  }
}

// -----

// An embedding whose rows are cut is looked up where its rows are.
// CHECK-LABEL: module @embedding
// CHECK: %[[ROWS:.*]] = "stablehlo.gather"(%arg0, {{.*}}(tensor<256x64xf32>, tensor<6x1xi32>) -> tensor<6x64xf32>
// CHECK: %[[MASKED:.*]] = stablehlo.select %{{.*}}, %[[ROWS]]
// CHECK: "stablehlo.all_reduce"(%[[MASKED]])
// CHECK-NOT: all_gather
module @embedding attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%table: tensor<1024x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %ids: tensor<6x1xi32>) -> tensor<6x64xf32> {
    %0 = "stablehlo.gather"(%table, %ids) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<1024x64xf32>, tensor<6x1xi32>) -> tensor<6x64xf32>
    return %0 : tensor<6x64xf32>
  }
}

// -----

// What a loop carries lies in one way from trip to trip; an annotated value
// inside of it decides how. The condition sees whole scalars.
// CHECK-LABEL: module @loop
// CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<2x8xf32>
module @loop attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<8x8xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = stablehlo.tanh %a : tensor<8x8xf32>
      %c = stablehlo.custom_call @Sharding(%b) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<8x8xf32>) -> tensor<8x8xf32>
      stablehlo.return %j, %c : tensor<i32>, tensor<8x8xf32>
    }
    return %0#1 : tensor<8x8xf32>
  }
}

// -----

// Shardy's meshes, with device numbers of their own and parts of axes.
// CHECK-LABEL: module @shardy
// CHECK-SAME: xlac.argument_shardings = ["{devices=[2,1,4]0,1,2,3,4,5,6,7 last_tile_dim_replicate}", "{devices=[1,2,4]0,1,4,5,2,3,6,7 last_tile_dim_replicate}"]
// CHECK: stablehlo.add {{.*}} : tensor<4x4xf32>
module @shardy attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y":(1)2}]>}) -> tensor<8x8xf32> {
    %0 = stablehlo.add %x, %y : tensor<8x8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}

// -----

// A manual computation works on parts as it stands.
// CHECK-LABEL: module @manual
// CHECK: stablehlo.negate %arg0 : tensor<4xf32>
module @manual attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = sdy.manual_computation(%x) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<4xf32>) {
      %1 = stablehlo.negate %a : tensor<4xf32>
      sdy.return %1 : tensor<4xf32>
    } : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// The body of a manual computation may return its arguments.
// CHECK-LABEL: module @manual_identity
// CHECK: return %arg1, %arg0 : tensor<4xf32>, tensor<8xf32>
module @manual_identity attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0:2 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{}]>, <@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>, <@mesh, [{}]>] manual_axes={"x"} (%a: tensor<8xf32>, %b: tensor<4xf32>) {
      sdy.return %b, %a : tensor<4xf32>, tensor<8xf32>
    } : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
    return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// Without annotations every partition runs the program as it is.
// CHECK-LABEL: module @plain attributes {mhlo.num_partitions = 2 : i32}
// CHECK: stablehlo.negate %arg0 : tensor<8xf32>
module @plain attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.negate %x : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// On request, shardings of arguments are searched.
// CHECK-LABEL: module @automatic
// CHECK-SAME: xlac.argument_shardings = ["{devices=[4,1]0,1,2,3}", "{devices=[4]0,1,2,3}"]
module @automatic attributes {mhlo.num_partitions = 4 : i32, mhlo.use_auto_spmd_partitioning = true} {
  func.func @main(%x: tensor<64x128xf32>, %y: tensor<8xf32>) -> (tensor<64x128xf32>, tensor<8xf32>) {
    %0 = stablehlo.negate %x : tensor<64x128xf32>
    return %0, %y : tensor<64x128xf32>, tensor<8xf32>
  }
}

// -----

// f8E8M0FNU has no zero, so neither parts of a gather nor of a sum are added up.
// CHECK-LABEL: module @no_zero
// CHECK-NOT: stablehlo.all_reduce
// CHECK: all_to_all
// CHECK-NOT: stablehlo.all_reduce
// CHECK: return
module @no_zero attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf8E8M0FNU> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %i: tensor<5xi32>, %init: tensor<f8E8M0FNU>) -> (tensor<5x4xf8E8M0FNU>, tensor<4xf8E8M0FNU>) {
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<8x4xf8E8M0FNU>, tensor<5xi32>) -> tensor<5x4xf8E8M0FNU>
    %1 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : (tensor<8x4xf8E8M0FNU>, tensor<f8E8M0FNU>) -> tensor<4xf8E8M0FNU>
    return %0, %1 : tensor<5x4xf8E8M0FNU>, tensor<4xf8E8M0FNU>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error @+1 {{has the sharding {devices=[4]0,1,2,3} in a program of 2 partitions}}
  func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error @+1 {{has the sharding {devices=[2]0,1} on a value of type 'tensor<8x8xf32>'}}
  func.func @main(%x: tensor<8x8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8x8xf32> {
    return %x : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  // expected-error @+1 {{names the mesh @none, which is not there}}
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@none, [{"x"}]>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    // expected-error @+1 {{has unspecified_dims that are not a list of its dimensions}}
    %0 = stablehlo.custom_call @Sharding(%x) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// What combines single elements has nothing to place, whatever it says.
// CHECK-LABEL: module @elements
// CHECK: stablehlo.reduce(%arg0 init: {{.*}}) applies stablehlo.add
// CHECK: "stablehlo.all_reduce"
module @elements attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<1024xf32> {
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<8x1024xf32>, tensor<f32>) -> tensor<1024xf32>
      reducer(%a: tensor<f32>, %b: tensor<f32>) {
        %1 = sdy.sharding_constraint %a <@mesh, []> : tensor<f32>
        %2 = stablehlo.add %1, %b : tensor<f32>
        stablehlo.return %2 : tensor<f32>
      }
    return %0 : tensor<1024xf32>
  }
}

// -----

// Reversed pieces change places as wholes where they divide; else their rows
// move.
// CHECK-LABEL: module @reverse
// CHECK: %[[R:.*]] = stablehlo.reverse %arg0, dims = [0, 1] : tensor<2x3xf32>
// CHECK: "stablehlo.collective_permute"(%[[R]]) <{{.*}}source_target_pairs = dense<{{\[\[}}0, 3], [1, 2], [2, 1], [3, 0]]>
// CHECK: "stablehlo.collective_permute"{{.*}}(tensor<1xf32>) -> tensor<1xf32>
// CHECK: stablehlo.reverse {{.*}} : tensor<2xf32>
// CHECK-NOT: all_gather
module @reverse attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<4x6xf32> {mhlo.sharding = "{devices=[2,2]<=[4]}"}, %y: tensor<7xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<4x6xf32>, tensor<7xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) {
    %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<4x6xf32>
    %1 = stablehlo.reverse %y, dims = [0] : tensor<7xf32>
    return %0, %1 : tensor<4x6xf32>, tensor<7xf32>
  }
}

// -----

// The device of the first place keeps what all devices have, the others add
// nothing.
// CHECK-LABEL: module @to_summands
// CHECK-SAME: xlac.result_shardings = ["{devices=[1,2]0,1 last_tile_dims={unreduced}}"]
// CHECK: %[[FIRST:.*]] = stablehlo.compare  EQ
// CHECK: %[[KEPT:.*]] = stablehlo.select %[[FIRST]], %arg0
// CHECK: return %[[KEPT]]
module @to_summands attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    return %x : tensor<8xf32>
  }
}

// -----

// What is to be unreduced is not summed over devices, from a product up to the
// program's border, whatever is linear in it; a whole value adds its part once.
// CHECK-LABEL: module @stays_unreduced
// CHECK-SAME: xlac.result_shardings = ["{devices=[2,1,2]0,2,1,3 last_tile_dims={unreduced}}"]
// CHECK-NOT: all_reduce
// CHECK: %[[P:.*]] = stablehlo.dot_general %arg0, %arg1, {{.*}}(tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
// CHECK: %[[N:.*]] = stablehlo.negate %[[P]]
// CHECK: %[[ONCE:.*]] = stablehlo.select {{.*}} %arg2
// CHECK: %[[SUM:.*]] = stablehlo.add %[[N]], %[[ONCE]]
// CHECK: return %[[SUM]]
module @stays_unreduced attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[0, 2, 1, 3]>
  func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %w: tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x6xf32>) -> tensor<8x6xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    %2 = stablehlo.negate %1 : tensor<8x6xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    %4 = sdy.sharding_constraint %b <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x6xf32>
    %6 = sdy.sharding_constraint %5 <@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x6xf32>
    return %6 : tensor<8x6xf32>
  }
}

// -----

// Summands that come in are summed where a whole value is needed; of what is
// then cut along the same axis each device sums its own piece.
// CHECK-LABEL: module @from_summands
// CHECK-DAG: %[[WHOLE:.*]] = "stablehlo.all_reduce"(%arg0)
// CHECK-DAG: stablehlo.exponential %[[WHOLE]]
// CHECK-DAG: "stablehlo.reduce_scatter"(%arg0)
module @from_summands attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
    %0 = stablehlo.exponential %x : tensor<8xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<8xf32>
    return %1, %x : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// A computation that is manual along one axis alone: what the other axis cuts
// stays cut in its body.
// CHECK-LABEL: module @partly_manual
// CHECK: func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>)
// CHECK-NOT: all_gather
// CHECK: %[[S:.*]] = stablehlo.sine %arg0 : tensor<4x4xf32>
// CHECK: %[[A:.*]] = stablehlo.add %[[S]], %arg1 : tensor<4x4xf32>
// CHECK: return %[[A]]
module @partly_manual attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %y: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
    %0 = sdy.manual_computation(%x, %y) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"x"}, {"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x"} (%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) {
      %1 = stablehlo.sine %a : tensor<4x8xf32>
      %2 = sdy.manual_computation(%1, %b) in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<4x4xf32>, %d: tensor<4x4xf32>) {
        %3 = stablehlo.add %c, %d : tensor<4x4xf32>
        sdy.return %3 : tensor<4x4xf32>
      } : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %2 : tensor<4x8xf32>
    } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error @+1 {{has a sharding with unreduced axes of another reduction than a sum}}
  func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=max{"x"}>}) {
    return %x : tensor<8xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  // expected-error @+1 {{which cannot be summed}}
  func.func @main(%x: tensor<8xi1>) -> (tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) {
    return %x : tensor<8xi1>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["unreduced={"=2]>
  func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"unreduced={"}>}) -> tensor<8xf32> {
    return %x : tensor<8xf32>
  }
}

// -----

// FSDP: weights are gathered, activations stay cut over the batch, and the
// gradient is scattered. The bias does not decide how activations are cut.
// CHECK-LABEL: module @fsdp
// CHECK: %[[W:.*]] = "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.dot_general %arg0, %[[W]], {{.*}}(tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
// CHECK: "stablehlo.all_gather"(%arg2)
// CHECK-NOT: stablehlo.all_gather
// CHECK: %[[T:.*]] = stablehlo.tanh %{{.*}} : tensor<128x64xf32>
// CHECK: %[[G:.*]] = stablehlo.dot_general %arg0, %[[T]], {{.*}} -> tensor<64x64xf32>
// CHECK: "stablehlo.reduce_scatter"(%[[G]])
// CHECK: stablehlo.subtract %arg1, {{.*}} : tensor<16x64xf32>
// CHECK-NOT: stablehlo.all_gather
module @fsdp attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<512x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %w: tensor<64x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %b: tensor<64xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}) -> (tensor<64x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<512x64xf32>
    %2 = stablehlo.add %0, %1 : tensor<512x64xf32>
    %3 = stablehlo.tanh %2 : tensor<512x64xf32>
    %4 = stablehlo.dot_general %x, %3, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<64x64xf32>
    %5 = stablehlo.subtract %w, %4 : tensor<64x64xf32>
    return %5 : tensor<64x64xf32>
  }
}

// -----

// What a loop only reads is gathered before the loop, not in each of its runs.
// CHECK-LABEL: module @loop_reads
// CHECK: "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.while
// CHECK-NOT: stablehlo.all_gather
// CHECK: stablehlo.dot_general {{.*}}(tensor<128x64xf32>, tensor<64x64xf32>) -> tensor<128x64xf32>
// CHECK-NOT: stablehlo.all_gather
module @loop_reads attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<512x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %w: tensor<64x64xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> tensor<512x64xf32> {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %0:3 = stablehlo.while(%i = %zero, %a = %x, %v = %w) : tensor<i32>, tensor<512x64xf32>, tensor<64x64xf32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
      stablehlo.return %j, %b, %v : tensor<i32>, tensor<512x64xf32>, tensor<64x64xf32>
    }
    return %0#1 : tensor<512x64xf32>
  }
}
