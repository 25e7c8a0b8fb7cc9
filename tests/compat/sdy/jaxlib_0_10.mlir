module attributes {test.a00 = #sdy<all_to_all_param{"x"}: 0->1>, test.a01 = #sdy<all_to_all_param_list[{"x"}: 0->1, {"y", "x":(2)2}: 1->2]>, test.a02 = #sdy<list_of_axis_ref_lists[{"x"}, {}, {"y":(1)2}]>, test.a03 = #sdy<axis_ref_list{"x", "y"}>, test.a04 = #sdy<axis_ref_list{}>, test.a05 = #sdy.sharding<@mesh, [{"x"}, {?}p1, {"y":(1)2, ?}p0]>, test.a06 = #sdy.sharding<@mesh, [{"x"}], replicated={"y"}>, test.a07 = #sdy.sharding<@mesh, [{"x"}], replicated={"y":(1)2}, unreduced={"y":(2)2}>, test.a08 = #sdy.sharding<mesh<["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>, [{"x"}]>, test.a09 = #sdy.sharding<@mesh, []>, test.a10 = #sdy.sharding<@"a mesh", [{}, {?}]>, test.a11 = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}, {}], unreduced={"x"}>]>, test.a12 = #sdy.sharding_per_value<[]>, test.a13 = #sdy.mesh<[]>, test.a14 = #sdy.mesh<[], device_ids=[3]>, test.a15 = #sdy.op_sharding_rule<([i, j], [j, k])->([i, k]) {i=4, j=8, k=16} reduction={j}>, test.a16 = #sdy.op_sharding_rule<([ij, l], [l, k], [])->([ij, k], [i, j]) {i=4, j=8, k=16, l=2} reduction={l} need_replication={i} permutation={j} blocked_propagation={k}, custom>, test.a17 = #sdy.op_sharding_rule<([i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, z_1, z_2])->([]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, w=1, x=1, y=1, z=1, z_1=1, z_2=1}>, test.a18 = #sdy.op_sharding_rule<([])->([])>, test.a19 = #sdy<manual_axes{"x", "y"}>, test.a20 = #sdy<manual_axes{}>} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @"a mesh" = <["z"=4], device_ids=[0, 2, 1, 3]>
  func.func @main(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    sdy.sharding_group %0 group_id=1 : tensor<8x8xf32>
    %1 = sdy.propagation_barrier %0 allowed_direction=NONE : tensor<8x8xf32>
    %2 = sdy.constant dense<1.000000e+00> : tensor<8x8xf32>
    %3 = sdy.named_computation<"foo">(%1, %2) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] (%arg1: tensor<8x8xf32>, %arg2: tensor<8x8xf32>) {
      %14 = stablehlo.add %arg1, %arg2 : tensor<8x8xf32>
      sdy.return %14 : tensor<8x8xf32>
    } : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = sdy.all_gather [{"x"}, {}] %3 out_sharding=<@mesh, [{}, {}]> : tensor<8x8xf32>
    %5 = sdy.all_slice [{"x"}, {"y"}] %4 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
    %6 = sdy.all_gather [{}, {"y"}] %5 out_sharding=<@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    %7 = sdy.all_to_all [{"x"}: 0->1] %6 out_sharding=<@mesh, [{}, {"x"}]> : tensor<8x8xf32>
    %8 = sdy.collective_permute %7 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
    %9 = sdy.all_reduce {"x"} %8 out_sharding=<@mesh, [{}, {"y"}]> : tensor<8x8xf32>
    %10 = sdy.reduce_scatter [{"x"}, {}] %9 out_sharding=<@mesh, [{"x"}, {"y"}]> : tensor<8x8xf32>
    %11 = sdy.replicated_to_unreduced {"y"} %0 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
    %12 = sdy.sharded_to_unreduced [{}, {"y"}] %10 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<8x8xf32>
    %13 = sdy.named_computation<"bar">(%1) (%arg1: tensor<8x8xf32>) {
      sdy.return %arg1 : tensor<8x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
      sdy.return
    } : () -> ()
    return %10 : tensor<8x8xf32>
  }
}

