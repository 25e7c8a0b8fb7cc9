!pair = tuple<tensor<2xf32>, tensor<?x3xi64>>
#loc1 = loc("file.py":1:2)
module @types {
  func.func @main(%t: !pair, %b: tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>,
                  %q: tensor<2x!quant.uniform<i8:f32, 0.5:10>>, %k: !stablehlo.token)
      -> (tensor<2xf32> {jax.result_info = "x"}, tensor<*xf32>) attributes {note = #chlo<precision HIGH>} {
    %0 = stablehlo.get_tuple_element %t[0] : (!pair) -> tensor<2xf32> loc(#loc1)
    %1 = "stablehlo.custom_call"(%b) {call_target_name = "f", backend_config = {a = dense<[1, 2]> : tensor<2xi32>}}
      : (tensor<?xf32, #stablehlo.type_extensions<bounds = [4]>>) -> tensor<*xf32> loc(fused<"m">["a", callsite("b" at #loc1)])
    return %0, %1 : tensor<2xf32>, tensor<*xf32>
  }
}
