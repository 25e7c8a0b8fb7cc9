// A program of forms and types that came after 1.0.0; the artifact beside holds
// what JAX 0.10.2 writes for it.
func.func @types(%arg0: tensor<?x8xf8E4M3, #stablehlo.bounds<4, ?>>, %arg1: tensor<2xf8E5M2>, %arg2: tuple<tensor<ui2>, !stablehlo.token>) -> tensor<?x8xf8E4M3, #stablehlo.bounds<4, ?>> {
  // CHECK: "vhlo.negate_v1"(%{{.*}}) : (!vhlo.tensor_v1<?x8x!vhlo.f8E4M3_v1, #vhlo.type_extensions_v1<bounds = [4, ?]>>)
  %0 = stablehlo.negate %arg0 : tensor<?x8xf8E4M3, #stablehlo.bounds<4, ?>>
  return %0 : tensor<?x8xf8E4M3, #stablehlo.bounds<4, ?>>
}
func.func @forms(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  // CHECK: result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 2, mode = #vhlo<result_accuracy_mode_v1 TOLERANCE>>
  %0 = stablehlo.tanh %arg0 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<8x8xf32>
  // CHECK: accumulation_type = #vhlo.type_v1<!vhlo.f32_v1>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: "vhlo.all_gather_v2"
  // CHECK-SAME: sub_axis_info_v1<pre_size = 1, size = 2>
  %2:2 = "stablehlo.all_gather"(%1, %arg1) <{all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
  // CHECK: backend_config = #vhlo.dict_v1<{#vhlo.string_v1<"key"> = #vhlo.float_v1<5.000000e-01 : !vhlo.f32_v1>}>
  %3 = stablehlo.custom_call @target(%2#0) {api_version = 4 : i32, backend_config = {key = 5.000000e-01 : f32}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %3, %2#1 : tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @mesh()
