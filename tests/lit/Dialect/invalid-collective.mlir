// RUN: xlac-opt %s --split-input-file --verify-diagnostics
// A case for each constraint of the ops between devices; labels are the
// specification's. How many devices there are is not known here, so ids are
// held to be unique and not negative only.

func.func @all_gather_c1(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{all_gather_dim 2 leaves those of operand f32[2,3] (C1)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @all_gather_c2(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C2)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @all_gather_c4(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C4)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @all_gather_c5(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{use_global_device_ids needs a positive channel_handle (C5)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, use_global_device_ids, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @all_gather_c6(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{dimension 0 of result f32[5,3] is not a multiple of that of operand f32[2,3] (C6)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<5x3xf32>
  return
}

// -----

func.func @all_gather_other_size_c6(%a: tensor<2x3xf32>) {
  // expected-error@+1 {{result is f32[4,4], f32[4,3] expected (C6)}}
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @all_reduce_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C1)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @all_reduce_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C3)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @all_reduce_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{use_global_device_ids needs a positive channel_handle (C4)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @all_reduce_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{computation works on f16, to which f32 cannot be promoted (C5)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @all_reduce_c6(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C6)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @all_reduce_c7(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[2], f64[2] expected (C7)}}
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f64>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @all_to_all_c1(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{split_dimension 2 leaves those of operand f32[4,4] (C1)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 2 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c2(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{dimension 0 of operand f32[4,4] is not a multiple of split_count 3 (C2)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 3 : i64, replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c3(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{concat_dimension 2 leaves those of operand f32[4,4] (C3)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c4(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{split_count 0 is not positive (C4)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c5(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C5)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c7(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C7)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c8(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{groups of 2 devices do not fit split_count 4 (C8)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<2x8xf32>
  return
}

// -----

func.func @all_to_all_c9(%a: tensor<4x4xf32>) {
  // expected-error@+1 {{result is f32[4,4], f32[2,8] expected (C9)}}
  %0 = "stablehlo.all_to_all"(%a) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @collective_broadcast_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C1)}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @collective_broadcast_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C2)}}
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @collective_broadcast_c3() {
  // expected-error@+1 {{has 0 operands, at least 1 wanted (C3)}}
  "stablehlo.collective_broadcast"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : () -> ()
  return
}

// -----

func.func @collective_broadcast_c4(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{root is i32[2], but i32[1] wanted (C4)}}
  %0 = "stablehlo.collective_broadcast"(%a, %b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> : (tensor<2xf32>, tensor<2xi32>) -> (tensor<2xf32>)
  return
}

// -----

func.func @collective_broadcast_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{has 2 results, 1 expected (C5)}}
  %0:2 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @collective_reduce_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C1)}}
  %0 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_reduce_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C2)}}
  %0 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_reduce_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C3)}}
  %0 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @collective_reduce_root_c3(%a: tensor<2xf32>, %b: tensor<2xi32>) {
  // expected-error@+1 {{root is i32[2], but 1 elements wanted (C3)}}
  %0 = "stablehlo.collective_reduce"(%a, %b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_reduce_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{computation works on f16, to which f32 cannot be promoted (C4)}}
  %0 = "stablehlo.collective_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{source_target_pairs has shape [1, 3], [n, 2] wanted (C1)}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{sources [0, 0] hold an id twice (C2)}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{targets [1, 1] hold an id twice (C3)}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{source_target_pairs [0, -1] hold a negative id (C4)}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @collective_permute_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C5)}}
  %0 = "stablehlo.collective_permute"(%a) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cross_replica_sum(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected}}
  %0 = "stablehlo.cross-replica-sum"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @reduce_scatter_c1(%a: tensor<3xf32>) {
  // expected-error@+1 {{dimension 0 of operand f32[3] is not a multiple of the 2 devices of a group (C1)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<3xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @reduce_scatter_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{scatter_dimension 1 leaves those of operand f32[2] (C2)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups [0, 0] hold an id twice (C3)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c5(%a: tensor<2xf32>) {
  // expected-error@+1 {{replica_groups holds -2 (C5)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c6(%a: tensor<2xf32>) {
  // expected-error@+1 {{use_global_device_ids needs a positive channel_handle (C6)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c7(%a: tensor<2xf32>) {
  // expected-error@+1 {{computation works on f16, to which f32 cannot be promoted (C7)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f16>, %y: tensor<f16>):
    stablehlo.return %x : tensor<f16>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c8(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[2], f32[1] expected (C8)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_scatter_c9(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is f32[1], f64[1] expected (C9)}}
  %0 = "stablehlo.reduce_scatter"(%a) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    stablehlo.return %x : tensor<f64>
  }) : (tensor<2xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @async_start_c1(%a: tensor<2xf32>) {
  // expected-error@+1 {{has a body of 2 ops, but one wanted (C1)}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %1 = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    %2 = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %2 : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  return
}

// -----

func.func @async_start_c2(%a: tensor<2xf32>) {
  // expected-error@+1 {{runs stablehlo.negate, but a collective or a slice wanted (C2)}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %1 = stablehlo.negate %x : tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_start_c3(%a: tensor<2xf32>) {
  // expected-error@+1 {{argument 0 of body is f32[3], but operand is f32[2] (C3)}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<3xf32>):
    %1 = stablehlo.slice %x [0:1] : (tensor<3xf32>) -> tensor<1xf32>
    stablehlo.return %1 : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  return
}

// -----

func.func @async_start_c4(%a: tensor<2xf32>) {
  // expected-error@+1 {{result is future<f32[2]>, future<f32[1]> expected (C4)}}
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %1 = stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %1 : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  return
}

// -----

func.func @async_done_c1(%f: !stablehlo.future<tensor<2xf32>>) {
  // expected-error@+1 {{result is f32[3], f32[2] expected (C1)}}
  %0 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xf32>>) -> tensor<3xf32>
  return
}

// -----

func.func @infeed_c1(%t: !stablehlo.token) {
  // expected-error@+1 {{has no results (C1)}}
  "stablehlo.infeed"(%t) : (!stablehlo.token) -> ()
  return
}

// -----

func.func @infeed_c2(%t: !stablehlo.token) {
  // expected-error@+1 {{result 0 is a token (C2)}}
  %0:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (!stablehlo.token, !stablehlo.token)
  return
}

// -----

func.func @infeed_c3(%t: !stablehlo.token) {
  // expected-error@+1 {{last result is f32[2], but a token wanted (C3)}}
  %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> tensor<2xf32>
  return
}

// -----

func.func @send_c1(%a: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs has shape [1, 3], [n, 2] wanted (C1)}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c2(%a: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{sources [0, 0] hold an id twice (C2)}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c3(%a: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{targets [1, 1] hold an id twice (C3)}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c4(%a: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs [0, -1] hold a negative id (C4)}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c5(%a: tensor<2xf32>, %t: !stablehlo.token) {
  // expected-error@+1 {{channel type 2 does not fit is_host_transfer = false (C5)}}
  %0 = "stablehlo.send"(%a, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c1(%t: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs has shape [1, 3], [n, 2] wanted (C1)}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c2(%t: !stablehlo.token) {
  // expected-error@+1 {{sources [0, 0] hold an id twice (C2)}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c3(%t: !stablehlo.token) {
  // expected-error@+1 {{targets [1, 1] hold an id twice (C3)}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c4(%t: !stablehlo.token) {
  // expected-error@+1 {{source_target_pairs [0, -1] hold a negative id (C4)}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @recv_c5(%t: !stablehlo.token) {
  // expected-error@+1 {{channel type 2 does not fit is_host_transfer = false (C5)}}
  %0:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>}> : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{does not wait for all of one started collective}}
  %0 = xlac.await %x : tensor<4xf32> reading %x : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
