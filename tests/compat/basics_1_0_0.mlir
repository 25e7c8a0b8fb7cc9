// A program of ops in their forms of 1.0.0, and as the artifact beside.
// CHECK: "vhlo.func_v1"
// CHECK-SAME: sym_name = #vhlo.string_v1<"main">
module @basics attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x8xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<3x1xi32>) -> (tensor<4x8xf32> {jax.result_info = "result"}, tensor<3x8xf32>, tensor<i32>) {
    // CHECK: "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>}>
    %mask = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
    %zero = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %half = stablehlo.constant dense<5.000000e-01> : tensor<bf16>
    %small = stablehlo.constant dense<[-3, 2]> : tensor<2xi4>
    // CHECK: "vhlo.exponential_v1"(%{{.*}}) : (!vhlo.tensor_v1<4x8x!vhlo.f32_v1>)
    %0 = stablehlo.exponential %arg0 : tensor<4x8xf32>
    // CHECK: "vhlo.compare_v1"(%{{.*}}) <{compare_type = #vhlo<comparison_type_v1 FLOAT>, comparison_direction = #vhlo<comparison_direction_v1 GT>}>
    %1 = stablehlo.compare GT, %0, %arg0, FLOAT : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %2 = stablehlo.select %1, %0, %arg0 : tensor<4x8xi1>, tensor<4x8xf32>
    // CHECK: "vhlo.dot_general_v1"
    %3 = stablehlo.dot_general %2, %arg0, contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x4xf32>
    %4 = stablehlo.dot_general %3, %2, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    // CHECK: "vhlo.gather_v1"
    %5 = "stablehlo.gather"(%4, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<3x1xi32>) -> tensor<3x8xf32>
    // CHECK: "vhlo.all_reduce_v1"
    %6 = "stablehlo.all_reduce"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    // CHECK: "vhlo.sort_v1"(%{{.*}}) <{dimension = #vhlo.integer_v1<0 : i64>, is_stable = #vhlo.bool_v1<true>}>
    %7 = "stablehlo.sort"(%6) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    }) : (tensor<3x8xf32>) -> tensor<3x8xf32>
    // CHECK: "vhlo.call_v1"(%{{.*}}) <{callee = #vhlo.string_v1<"count">}>
    %8 = call @count(%7) : (tensor<3x8xf32>) -> tensor<i32>
    return %4, %7, %8 : tensor<4x8xf32>, tensor<3x8xf32>, tensor<i32>
  }
  func.func private @count(%arg0: tensor<3x8xf32>) -> tensor<i32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<10> : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    // CHECK: "vhlo.while_v1"
    %0 = stablehlo.while(%iterArg = %c) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %iterArg, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = stablehlo.add %iterArg, %c_1 {mhlo.frontend_attributes = {step = "1"}} : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
    return %0 : tensor<i32>
  }
}
