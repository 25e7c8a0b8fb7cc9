module @recurrence {
  func.func public @main(%xs: tensor<12x4x16xf32>, %w: tensor<16x16xf32>, %h0: tensor<4x16xf32>) -> (tensor<12x4x16xf32>, tensor<4x16xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %none = stablehlo.constant dense<0.0> : tensor<f32>
    %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<12x4x16xf32>
    %r:3 = stablehlo.while(%i = %zero, %h = %h0, %out = %empty) : tensor<i32>, tensor<4x16xf32>, tensor<12x4x16xf32>
    cond {
      %n = stablehlo.constant dense<12> : tensor<i32>
      %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %c0 = stablehlo.constant dense<0> : tensor<i32>
      %c1 = stablehlo.constant dense<1> : tensor<i32>
      %x1 = stablehlo.dynamic_slice %xs, %i, %c0, %c0, sizes = [1, 4, 16] : (tensor<12x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x16xf32>
      %x = stablehlo.reshape %x1 : (tensor<1x4x16xf32>) -> tensor<4x16xf32>
      %p = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
      %s = stablehlo.add %p, %x : tensor<4x16xf32>
      %next = stablehlo.tanh %s : tensor<4x16xf32>
      %row = stablehlo.reshape %next : (tensor<4x16xf32>) -> tensor<1x4x16xf32>
      %more = stablehlo.dynamic_update_slice %out, %row, %i, %c0, %c0 : (tensor<12x4x16xf32>, tensor<1x4x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<12x4x16xf32>
      %j = stablehlo.add %i, %c1 : tensor<i32>
      stablehlo.return %j, %next, %more : tensor<i32>, tensor<4x16xf32>, tensor<12x4x16xf32>
    }
    return %r#2, %r#1 : tensor<12x4x16xf32>, tensor<4x16xf32>
  }
}
