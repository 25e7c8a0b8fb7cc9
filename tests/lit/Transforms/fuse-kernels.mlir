// RUN: xlac-opt %s --xlac-fuse-kernels --split-input-file | FileCheck %s

// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <loop> {
// CHECK: stablehlo.add
// CHECK: stablehlo.tanh
// CHECK: xlac.yield
// CHECK-LABEL: func.func @elementwise_is_one_kernel
// CHECK-NEXT: xlac.call @[[K]]
// CHECK-NEXT: return
func.func @elementwise_is_one_kernel(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = stablehlo.tanh %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK: xlac.kernel @{{.*}} <reduction> {
// CHECK: stablehlo.reduce
// CHECK: stablehlo.exponential
// CHECK: stablehlo.reduce
// CHECK: stablehlo.divide
// CHECK-LABEL: func.func @softmax_is_one_kernel
// CHECK-COUNT-1: xlac.call
// CHECK-NEXT: return
func.func @softmax_is_one_kernel(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<64x128xf32>
  %3 = stablehlo.exponential %2 : tensor<64x128xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %6 = stablehlo.divide %3, %5 : tensor<64x128xf32>
  return %6 : tensor<64x128xf32>
}

// -----

// Equal kernels are outlined once.
// CHECK-COUNT-1: xlac.kernel
// CHECK-NOT: xlac.kernel
// CHECK-LABEL: func.func @products_with_epilogue
// CHECK: xlac.call @[[K:[a-z_0-9.]+]](
// CHECK: xlac.call @[[K]](
func.func @products_with_epilogue(%a: tensor<64x64xf32>, %w: tensor<64x64xf32>, %b: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<64x64xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %6 = stablehlo.add %4, %5 : tensor<64x64xf32>
  %7 = stablehlo.maximum %6, %zero : tensor<64x64xf32>
  return %7 : tensor<64x64xf32>
}

// -----

// A kernel in a loop's body reads what the function's kernel computed before
// the loop; its result is the next iteration's value.
// CHECK-LABEL: func.func @loop_reads_what_came_before
// CHECK: %[[SUM:[0-9]+]] = xlac.call @{{[a-z_0-9.]+}}(%arg0) : {{.*}} -> tensor<f32>
// CHECK: stablehlo.while
// CHECK: do
// CHECK: xlac.call @{{[a-z_0-9.]+}}({{.*}}%[[SUM]]{{.*}}) : {{.*}} -> tensor<64xf32>
func.func @loop_reads_what_came_before(%a: tensor<64xf32>) -> tensor<64xf32> {
  %sum = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64xf32>) -> tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %c = %a) : tensor<i32>, tensor<64xf32>
    cond {
      %end = stablehlo.constant dense<16> : tensor<i32>
      %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<64xf32>
      %2 = stablehlo.multiply %c, %1 : tensor<64xf32>
      %3 = stablehlo.tanh %2 : tensor<64xf32>
      %4 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<64xf32>
    }
  return %0#1 : tensor<64xf32>
}

// -----

// A window that grows by one element is a scan, whose kernel takes in what is
// elementwise around it.
// CHECK-LABEL: xlac.kernel
// CHECK-SAME: <scan>
// CHECK: stablehlo.exponential
// CHECK: stablehlo.reduce_window
// CHECK: stablehlo.negate
// CHECK-LABEL: func.func @running_sum
func.func @running_sum(%a: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %a : tensor<8x64xf32>
  %1 = "stablehlo.reduce_window"(%0, %zero) <{window_dimensions = array<i64: 1, 64>, padding = dense<[[0, 0], [63, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %2 = stablehlo.negate %1 : tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// -----

// Padding that counts makes it a window like others.
// CHECK-LABEL: xlac.kernel
// CHECK-SAME: <loop>
// CHECK: stablehlo.reduce_window
func.func @padding_counts(%a: tensor<64xf32>) -> tensor<64xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%a, %one) <{window_dimensions = array<i64: 64>, padding = dense<[[63, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<64xf32>, tensor<f32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// Where only the first few of a sort are read, it comes with their slices.
// CHECK-LABEL: xlac.kernel
// CHECK-SAME: <sort>
// CHECK: stablehlo.sort
// CHECK: stablehlo.slice
// CHECK: stablehlo.slice
// CHECK: xlac.yield {{.*}} : tensor<5xf32>, tensor<4xi32>
// CHECK-LABEL: func.func @few_of_many
func.func @few_of_many(%a: tensor<64xf32>) -> (tensor<5xf32>, tensor<4xi32>) {
  %i = stablehlo.iota dim = 0 : tensor<64xi32>
  %0:2 = "stablehlo.sort"(%a, %i) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %p: tensor<i32>, %q: tensor<i32>):
    %3 = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<64xf32>, tensor<64xi32>) -> (tensor<64xf32>, tensor<64xi32>)
  %1 = stablehlo.slice %0#0 [0:5] : (tensor<64xf32>) -> tensor<5xf32>
  %2 = stablehlo.slice %0#1 [0:4] : (tensor<64xi32>) -> tensor<4xi32>
  return %1, %2 : tensor<5xf32>, tensor<4xi32>
}

// -----

// Most of a sort is stored once, whoever reads it.
// CHECK: xlac.kernel {{.*}} <sort>
// CHECK: stablehlo.sort
// CHECK-NOT: stablehlo.slice
// CHECK: xlac.yield
// CHECK-LABEL: func.func @most_of_a_sort
func.func @most_of_a_sort(%a: tensor<64xf32>) -> tensor<63xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %3 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %1 = stablehlo.slice %0 [0:63] : (tensor<64xf32>) -> tensor<63xf32>
  %2 = stablehlo.slice %0 [1:64] : (tensor<64xf32>) -> tensor<63xf32>
  %3 = stablehlo.subtract %2, %1 : tensor<63xf32>
  return %3 : tensor<63xf32>
}

// -----

// Rows' values keep a dimension of size 1 on their way, as JAX and PyTorch
// write layer normalization.
// CHECK: xlac.kernel @{{.*}} <reduction> {
// CHECK: stablehlo.reduce
// CHECK: stablehlo.reduce
// CHECK-LABEL: func.func @normalization_is_one_kernel
// CHECK-COUNT-1: xlac.call
// CHECK-NEXT: return
func.func @normalization_is_one_kernel(%a: tensor<4x16x128xf32>) -> tensor<4x16x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<128.0> : tensor<4x16x1xf32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x16x128xf32>, tensor<f32>) -> tensor<4x16xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %2 = stablehlo.divide %1, %count : tensor<4x16x1xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x128xf32>
  %4 = stablehlo.subtract %a, %3 : tensor<4x16x128xf32>
  %5 = stablehlo.multiply %4, %4 : tensor<4x16x128xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<4x16x128xf32>, tensor<f32>) -> tensor<4x16xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<4x16xf32>) -> tensor<4x16x1xf32>
  %8 = stablehlo.rsqrt %7 : tensor<4x16x1xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<4x16x1xf32>) -> tensor<4x16x128xf32>
  %10 = stablehlo.multiply %4, %9 : tensor<4x16x128xf32>
  return %10 : tensor<4x16x128xf32>
}

// -----

// Both readers subtract the mean for themselves: nothing but the product is
// kept.
// CHECK-LABEL: func.func @short_chains_are_repeated
// CHECK: %[[D:.*]] = xlac.call @{{.*}}(%arg0, %arg1)
// CHECK: xlac.call @{{.*}}({{.*}}%[[D]]{{.*}}) : ({{.*}}) -> tensor<512x64xf32>
// CHECK: xlac.call @{{.*}}({{.*}}%[[D]]{{.*}}) : ({{.*}}) -> tensor<64x512xf32>
func.func @short_chains_are_repeated(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %mean: tensor<512xf32>, %w: tensor<512x64xf32>, %v: tensor<64x512xf32>) -> (tensor<512x512xf32>, tensor<512x64xf32>, tensor<64x512xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %1 = stablehlo.broadcast_in_dim %mean, dims = [1] : (tensor<512xf32>) -> tensor<512x512xf32>
  %2 = stablehlo.subtract %0, %1 : tensor<512x512xf32>
  %3 = stablehlo.slice %2 [0:512, 0:64] : (tensor<512x512xf32>) -> tensor<512x64xf32>
  %4 = stablehlo.tanh %3 : tensor<512x64xf32>
  %5 = stablehlo.multiply %4, %w : tensor<512x64xf32>
  %6 = stablehlo.slice %2 [0:64, 0:512] : (tensor<512x512xf32>) -> tensor<64x512xf32>
  %7 = stablehlo.exponential %6 : tensor<64x512xf32>
  %8 = stablehlo.multiply %7, %v : tensor<64x512xf32>
  return %0, %5, %8 : tensor<512x512xf32>, tensor<512x64xf32>, tensor<64x512xf32>
}

// -----

// Two results that share work worth storing, without one reading the other,
// come from one kernel that stores nothing else.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <loop> {
// CHECK: stablehlo.exponential
// CHECK: xlac.yield %{{.*}}, %{{.*}} :
// CHECK-LABEL: func.func @results_share_work
// CHECK-NEXT: %[[R:.*]]:2 = xlac.call @[[K]]
// CHECK-NEXT: return %[[R]]#0, %[[R]]#1
func.func @results_share_work(%a: tensor<65536xf32>, %b: tensor<65536xf32>) -> (tensor<65536xf32>, tensor<65536xf32>) {
  %0 = stablehlo.exponential %a : tensor<65536xf32>
  %1 = stablehlo.multiply %0, %b : tensor<65536xf32>
  %2 = stablehlo.subtract %0, %b : tensor<65536xf32>
  return %1, %2 : tensor<65536xf32>, tensor<65536xf32>
}

// -----

// A kernel repeats the broadcast, and so does the other. Neither needs a result
// of the other, so the exponential joins the sum.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <loop> {
// CHECK-NEXT: ^bb0
// CHECK-NEXT: stablehlo.exponential
// CHECK: stablehlo.add
// CHECK: xlac.yield %{{.*}}, %{{.*}} :
// CHECK-LABEL: func.func @readers_repeat_the_same_op
// CHECK-NEXT: xlac.call @[[K]]
// CHECK-NEXT: xlac.call
// CHECK-NEXT: return
func.func @readers_repeat_the_same_op(%x: tensor<512x512xf32>, %b: tensor<f32>) -> (tensor<512x512xf32>, tensor<512xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<512x512xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<512x512xf32>
  %2 = stablehlo.add %0, %1 : tensor<512x512xf32>
  %3 = stablehlo.multiply %0, %1 : tensor<512x512xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x512xf32>, tensor<f32>) -> tensor<512xf32>
  return %2, %4 : tensor<512x512xf32>, tensor<512xf32>
}

// -----

// Where one reader of shared work needs what another kernel makes of the
// other, they stay apart.
// CHECK-LABEL: func.func @readers_in_turn
// CHECK-COUNT-3: xlac.call
// CHECK: return
func.func @readers_in_turn(%a: tensor<64x128xf32>, %b: tensor<64x128xf32>, %w: tensor<128x128xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.exponential %a : tensor<64x128xf32>
  %1 = stablehlo.multiply %0, %b : tensor<64x128xf32>
  %2 = stablehlo.sine %1 : tensor<64x128xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %4 = stablehlo.dot_general %3, %w, contracting_dims = [1] x [0] : (tensor<64x128xf32>, tensor<128x128xf32>) -> tensor<64x128xf32>
  %5 = stablehlo.subtract %0, %4 : tensor<64x128xf32>
  return %5 : tensor<64x128xf32>
}

// -----

// An FFT reads the parts that its operand is made of, and writes those that its
// result is taken apart to.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <library> {
// CHECK: stablehlo.complex
// CHECK: stablehlo.fft
// CHECK: stablehlo.real
// CHECK: stablehlo.imag
// CHECK-LABEL: func.func @fft_of_parts
// CHECK-COUNT-1: xlac.call @[[K]]
// CHECK: xlac.call
// CHECK-NEXT: return
func.func @fft_of_parts(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.complex %a, %b : tensor<64x64xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [64, 64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xf32>
  %3 = stablehlo.imag %1 : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xf32>
  %4 = stablehlo.sqrt %3 : tensor<64x64xf32>
  return %2, %4 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// What is read whole, too, is stored whole; and zeros are not stored to be
// joined.
// CHECK: xlac.kernel @{{.*}} <library> {
// CHECK: stablehlo.fft
// CHECK-NEXT: xlac.yield
// CHECK-LABEL: func.func @fft_of_whole_numbers
func.func @fft_of_whole_numbers(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xcomplex<f32>>) {
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %0 = stablehlo.complex %a, %zero : tensor<64x64xcomplex<f32>>
  %1 = stablehlo.fft %0, type = FFT, length = [64, 64] : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xcomplex<f32>>
  %2 = stablehlo.real %1 : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xf32>
  %3 = stablehlo.imag %1 : (tensor<64x64xcomplex<f32>>) -> tensor<64x64xf32>
  return %2, %3, %1 : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xcomplex<f32>>
}

// -----

// No matrix has more than a row: elements are computed side by side.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <loop> {
// CHECK: stablehlo.convolution
// CHECK: stablehlo.maximum
// CHECK-LABEL: func.func @depthwise_convolution_is_a_loop
// CHECK-NEXT: xlac.call @[[K]]
// CHECK-NEXT: return
func.func @depthwise_convolution_is_a_loop(%a: tensor<1x8x14x14xf32>, %b: tensor<8x1x3x3xf32>) -> tensor<1x8x14x14xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x8x14x14xf32>
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 8 : i64} : (tensor<1x8x14x14xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x14x14xf32>
  %1 = stablehlo.maximum %0, %zero : tensor<1x8x14x14xf32>
  return %1 : tensor<1x8x14x14xf32>
}

// -----

// The contraction stores a value of this size in any case, so that it applies
// the ops that the window would repeat.
// CHECK: xlac.kernel @[[SECOND:[a-z_0-9.]+]] <loop> {
// CHECK-NOT: stablehlo.multiply
// CHECK: stablehlo.convolution
// CHECK: xlac.yield
// CHECK: xlac.kernel @[[FIRST:[a-z_0-9.]+]] <contraction> {
// CHECK: stablehlo.convolution
// CHECK: stablehlo.multiply
// CHECK: stablehlo.maximum
// CHECK: xlac.yield
// CHECK-LABEL: func.func @window_does_not_repeat_an_epilogue
// CHECK-NEXT: xlac.call @[[FIRST]]
// CHECK-NEXT: xlac.call @[[SECOND]]
// CHECK-NEXT: return
func.func @window_does_not_repeat_an_epilogue(%a: tensor<1x16x56x56xf32>, %b: tensor<32x16x1x1xf32>, %scale: tensor<32xf32>, %c: tensor<32x1x3x3xf32>) -> tensor<1x32x56x56xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x32x56x56xf32>
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x16x56x56xf32>, tensor<32x16x1x1xf32>) -> tensor<1x32x56x56xf32>
  %1 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<32xf32>) -> tensor<1x32x56x56xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<1x32x56x56xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<1x32x56x56xf32>
  %4 = stablehlo.convolution(%3, %c) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<1x32x56x56xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x56x56xf32>
  return %4 : tensor<1x32x56x56xf32>
}

// -----

// Another kernel would read and write the whole value.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <loop> {
// CHECK: stablehlo.maximum
// CHECK: stablehlo.convolution
// CHECK-LABEL: func.func @window_repeats_what_no_kernel_stores
// CHECK-NEXT: xlac.call @[[K]]
// CHECK-NEXT: return
func.func @window_repeats_what_no_kernel_stores(%a: tensor<1x32x56x56xf32>, %c: tensor<32x1x3x3xf32>) -> tensor<1x32x56x56xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x32x56x56xf32>
  %0 = stablehlo.maximum %a, %zero : tensor<1x32x56x56xf32>
  %1 = stablehlo.convolution(%0, %c) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64} : (tensor<1x32x56x56xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x56x56xf32>
  return %1 : tensor<1x32x56x56xf32>
}

// -----

// CHECK: xlac.kernel @{{.*}} <contraction> {
// CHECK-LABEL: func.func @groups_of_channels_are_a_contraction
func.func @groups_of_channels_are_a_contraction(%a: tensor<1x8x14x14xf32>, %b: tensor<8x2x3x3xf32>) -> tensor<1x8x14x14xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 4 : i64} : (tensor<1x8x14x14xf32>, tensor<8x2x3x3xf32>) -> tensor<1x8x14x14xf32>
  return %0 : tensor<1x8x14x14xf32>
}

// -----

// The contraction comes first, then the others in their order. Broadcasts and
// constants are not named.
// CHECK: xlac.kernel @dot_add_max.0 <contraction>
// CHECK: xlac.call @dot_add_max.0
func.func @kernels_are_named_by_their_ops(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// -----

// Of many ops, the result and the costliest ones give the name.
// CHECK: xlac.kernel @sine_power_divide_tanh.0 <loop>
func.func @costly_ops_name_a_kernel(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8xf32>
  %1 = stablehlo.sine %0 : tensor<8xf32>
  %2 = stablehlo.power %1, %b : tensor<8xf32>
  %3 = stablehlo.divide %2, %a : tensor<8xf32>
  %4 = stablehlo.multiply %3, %a : tensor<8xf32>
  %5 = stablehlo.tanh %4 : tensor<8xf32>
  %6 = stablehlo.add %5, %4 : tensor<8xf32>
  %7 = stablehlo.subtract %6, %b : tensor<8xf32>
  %8 = stablehlo.tanh %7 : tensor<8xf32>
  return %8 : tensor<8xf32>
}

// -----

// Two reductions that combine differently have different words.
// CHECK: xlac.kernel @reduce_max_reduce_add_exp_divide.0 <reduction>
func.func @reductions_name_how_they_combine(%a: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.subtract %a, %1 : tensor<64x128xf32>
  %3 = stablehlo.exponential %2 : tensor<64x128xf32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %6 = stablehlo.divide %3, %5 : tensor<64x128xf32>
  return %6 : tensor<64x128xf32>
}

// -----

// Names do not depend on sizes, also where these decide how a kernel runs: a
// large transpose has a kind of its own.
// CHECK: xlac.kernel @transpose.1 <loop>
// CHECK: xlac.kernel @transpose.0 <transpose>
func.func @sizes_do_not_name_a_kernel(%a: tensor<128x64xf32>, %b: tensor<2x64xf32>) -> (tensor<64x128xf32>, tensor<64x2xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<2x64xf32>) -> tensor<64x2xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<64x2xf32>
}

// -----

// A kernel that only moves elements is named by the movement.
// CHECK: xlac.kernel @transpose.0
func.func @movements_name_a_kernel_without_other_ops(%a: tensor<128x64xf32>) -> tensor<64x128xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

// The gradient of a normalization reads rows once: for reductions of rows, for
// what is computed from these, and for sums over rows.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <reduction> {
// CHECK: xlac.yield {{.*}} : tensor<512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>
// CHECK-LABEL: func.func @rows_and_sums_over_rows
// CHECK-NEXT: %[[R:.*]]:3 = xlac.call @[[K]]
// CHECK-NEXT: return
func.func @rows_and_sums_over_rows(%x: tensor<512x1024xf32>, %g: tensor<512x1024xf32>) -> (tensor<512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
  %wide = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<512xf32>) -> tensor<512x1024xf32>
  %centred = stablehlo.subtract %x, %wide : tensor<512x1024xf32>
  %scaled = stablehlo.multiply %centred, %g : tensor<512x1024xf32>
  %inner = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
  %again = stablehlo.broadcast_in_dim %inner, dims = [0] : (tensor<512xf32>) -> tensor<512x1024xf32>
  %dx = stablehlo.subtract %g, %again : tensor<512x1024xf32>
  %dscale = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %dshift = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<1024xf32>
  return %dx, %dscale, %dshift : tensor<512x1024xf32>, tensor<1024xf32>, tensor<1024xf32>
}

// -----

// Reductions of the same dimensions read the large value once.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <reduction> {
// CHECK: xlac.yield {{.*}} : tensor<64xf32>, tensor<64xf32>
// CHECK-LABEL: func.func @reductions_share_an_operand
// CHECK-NEXT: %[[R:.*]]:2 = xlac.call @[[K]]
// CHECK-NEXT: return
func.func @reductions_share_an_operand(%x: tensor<4096x64xf32>, %g: tensor<4096x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %g : tensor<4096x64xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4096x64xf32>, tensor<f32>) -> tensor<64xf32>
  return %1, %2 : tensor<64xf32>, tensor<64xf32>
}

// -----

// The second row kernel needs what a product makes of the first one's result.
// CHECK-LABEL: func.func @rows_before_and_after_a_product
// CHECK-COUNT-3: xlac.call
// CHECK-NEXT: return
func.func @rows_before_and_after_a_product(%x: tensor<256x256xf32>, %w: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<256xf32>) -> tensor<256x256xf32>
  %2 = stablehlo.subtract %x, %1 : tensor<256x256xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %4 = stablehlo.multiply %3, %x : tensor<256x256xf32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<256x256xf32>, tensor<f32>) -> tensor<256xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<256xf32>) -> tensor<256x256xf32>
  %7 = stablehlo.subtract %x, %6 : tensor<256x256xf32>
  return %7 : tensor<256x256xf32>
}

// -----

// Another shape of a row's value, which other kernels read, too, does not keep
// two kernels of the same rows apart.
// CHECK: xlac.kernel @[[K:[a-z_0-9.]+]] <reduction> {
// CHECK: xlac.yield {{.*}} : tensor<512xf32>, tensor<512x1024xf32>
// CHECK-LABEL: func.func @views_of_row_values
// CHECK: %[[R:.*]]:2 = xlac.call @[[K]]
// CHECK: stablehlo.reshape %[[R]]#0
// CHECK: xlac.call @dot
func.func @views_of_row_values(%x: tensor<512x1024xf32>, %w: tensor<512x64xf32>) -> (tensor<512x1024xf32>, tensor<1x64xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<512x1024xf32>, tensor<f32>) -> tensor<512xf32>
  %1 = stablehlo.reshape %0 : (tensor<512xf32>) -> tensor<512x1xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<512x1xf32>) -> tensor<512x1024xf32>
  %3 = stablehlo.subtract %x, %2 : tensor<512x1024xf32>
  %4 = stablehlo.dot_general %1, %w, contracting_dims = [0] x [0] : (tensor<512x1xf32>, tensor<512x64xf32>) -> tensor<1x64xf32>
  return %3, %4 : tensor<512x1024xf32>, tensor<1x64xf32>
}

// -----

// Elementwise ops behind a large transposition are computed in its tiles, with
// the broadcasts that they read, but not with a second large operand or result.
// CHECK: xlac.kernel @[[SUM:[a-z_0-9.]+]] <loop>
// CHECK: xlac.kernel @[[TURNED:[a-z_0-9.]+]] <transpose>
// CHECK-NEXT: ^bb0
// CHECK-NEXT: stablehlo.transpose
// CHECK-NEXT: xlac.yield
// CHECK: xlac.kernel @[[SCALED:[a-z_0-9.]+]] <transpose>
// CHECK: stablehlo.transpose
// CHECK: stablehlo.broadcast_in_dim
// CHECK: stablehlo.multiply
// CHECK-LABEL: func.func @transposed_epilogue
// CHECK-DAG: xlac.call @[[SCALED]]
// CHECK-DAG: xlac.call @[[TURNED]]
// CHECK-DAG: xlac.call @[[SUM]]
func.func @transposed_epilogue(%a: tensor<128x64xf32>, %b: tensor<128x64xf32>, %s: tensor<128xf32>, %c: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %0 = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<128xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %2 = stablehlo.multiply %1, %0 : tensor<64x128xf32>
  %3 = stablehlo.transpose %b, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %4 = stablehlo.add %c, %3 : tensor<64x128xf32>
  return %2, %4 : tensor<64x128xf32>, tensor<64x128xf32>
}

// -----

// Tiles have real elements.
// CHECK: xlac.kernel @{{.*}} <loop>
// CHECK: stablehlo.complex
// CHECK: xlac.kernel @{{.*}} <transpose>
// CHECK-LABEL: func.func @transposed_parts
func.func @transposed_parts(%a: tensor<128x64xf32>) -> tensor<64x128xcomplex<f32>> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<128x64xf32>) -> tensor<64x128xf32>
  %1 = stablehlo.complex %0, %0 : tensor<64x128xcomplex<f32>>
  return %1 : tensor<64x128xcomplex<f32>>
}

// -----

// Each lane reduces a short row. Long rows have a kind of their own.
// CHECK: xlac.kernel @[[LONG:[a-z_0-9.]+]] <reduction>
// CHECK: xlac.kernel @[[SHORT:[a-z_0-9.]+]] <loop>
// CHECK: stablehlo.multiply
// CHECK: stablehlo.reduce
// CHECK: stablehlo.sqrt
// CHECK-LABEL: func.func @short_rows
// CHECK-DAG: xlac.call @[[SHORT]]
// CHECK-DAG: xlac.call @[[LONG]]
func.func @short_rows(%a: tensor<100x3xf32>, %b: tensor<100x8xf32>) -> (tensor<100xf32>, tensor<100xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %a, %a : tensor<100x3xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x3xf32>, tensor<f32>) -> tensor<100xf32>
  %2 = stablehlo.sqrt %1 : tensor<100xf32>
  %3 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<100x8xf32>, tensor<f32>) -> tensor<100xf32>
  return %2, %3 : tensor<100xf32>, tensor<100xf32>
}

// -----

// Interleaved halves are stored at each level, because a level that reads both
// would compute the one below twice.
// CHECK-COUNT-3: xlac.kernel @{{.*}} <loop>
// CHECK-LABEL: func.func @interleaved_levels
func.func @interleaved_levels(%a: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<4096xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0], high = [1], interior = [1] : (tensor<512xf32>, tensor<f32>) -> tensor<1024xf32>
  %1 = stablehlo.pad %b, %zero, low = [1], high = [0], interior = [1] : (tensor<512xf32>, tensor<f32>) -> tensor<1024xf32>
  %2 = stablehlo.add %0, %1 : tensor<1024xf32>
  %3 = stablehlo.pad %2, %zero, low = [0], high = [1], interior = [1] : (tensor<1024xf32>, tensor<f32>) -> tensor<2048xf32>
  %4 = stablehlo.pad %2, %zero, low = [1], high = [0], interior = [1] : (tensor<1024xf32>, tensor<f32>) -> tensor<2048xf32>
  %5 = stablehlo.add %3, %4 : tensor<2048xf32>
  %6 = stablehlo.pad %5, %zero, low = [0], high = [1], interior = [1] : (tensor<2048xf32>, tensor<f32>) -> tensor<4096xf32>
  %7 = stablehlo.pad %5, %zero, low = [1], high = [0], interior = [1] : (tensor<2048xf32>, tensor<f32>) -> tensor<4096xf32>
  %8 = stablehlo.add %6, %7 : tensor<4096xf32>
  return %8 : tensor<4096xf32>
}

// -----

// Equal computations are one kernel, whatever the order of their ops.
// CHECK: xlac.kernel @[[K:.*]] <contraction>
// CHECK-NOT: xlac.kernel
// CHECK-LABEL: func.func @same_in_another_order
// CHECK-NEXT: xlac.call @[[K]](%arg0, %arg1, %arg2, %arg3)
// CHECK-NEXT: xlac.call @[[K]](%arg1, %arg0, %arg2, %arg3)
func.func @same_in_another_order(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %s: tensor<f32>, %t: tensor<f32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<64x64xf32>
  %3 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %4 = stablehlo.add %2, %3 : tensor<64x64xf32>
  %5 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %6 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<64x64xf32>
  %7 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0] : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %8 = stablehlo.multiply %7, %6 : tensor<64x64xf32>
  %9 = stablehlo.add %8, %5 : tensor<64x64xf32>
  return %4, %9 : tensor<64x64xf32>, tensor<64x64xf32>
}
