module @jit_mobilenet_v2_nhwc attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x3x3x32xf32>, %arg1: tensor<32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<3x3x1x32xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32xf32>, %arg6: tensor<1x1x32x16xf32>, %arg7: tensor<16xf32>, %arg8: tensor<16xf32>, %arg9: tensor<1x1x16x96xf32>, %arg10: tensor<96xf32>, %arg11: tensor<96xf32>, %arg12: tensor<3x3x1x96xf32>, %arg13: tensor<96xf32>, %arg14: tensor<96xf32>, %arg15: tensor<1x1x96x24xf32>, %arg16: tensor<24xf32>, %arg17: tensor<24xf32>, %arg18: tensor<1x1x24x144xf32>, %arg19: tensor<144xf32>, %arg20: tensor<144xf32>, %arg21: tensor<3x3x1x144xf32>, %arg22: tensor<144xf32>, %arg23: tensor<144xf32>, %arg24: tensor<1x1x144x24xf32>, %arg25: tensor<24xf32>, %arg26: tensor<24xf32>, %arg27: tensor<1x1x24x144xf32>, %arg28: tensor<144xf32>, %arg29: tensor<144xf32>, %arg30: tensor<3x3x1x144xf32>, %arg31: tensor<144xf32>, %arg32: tensor<144xf32>, %arg33: tensor<1x1x144x32xf32>, %arg34: tensor<32xf32>, %arg35: tensor<32xf32>, %arg36: tensor<1x1x32x192xf32>, %arg37: tensor<192xf32>, %arg38: tensor<192xf32>, %arg39: tensor<3x3x1x192xf32>, %arg40: tensor<192xf32>, %arg41: tensor<192xf32>, %arg42: tensor<1x1x192x32xf32>, %arg43: tensor<32xf32>, %arg44: tensor<32xf32>, %arg45: tensor<1x1x32x192xf32>, %arg46: tensor<192xf32>, %arg47: tensor<192xf32>, %arg48: tensor<3x3x1x192xf32>, %arg49: tensor<192xf32>, %arg50: tensor<192xf32>, %arg51: tensor<1x1x192x32xf32>, %arg52: tensor<32xf32>, %arg53: tensor<32xf32>, %arg54: tensor<1x1x32x192xf32>, %arg55: tensor<192xf32>, %arg56: tensor<192xf32>, %arg57: tensor<3x3x1x192xf32>, %arg58: tensor<192xf32>, %arg59: tensor<192xf32>, %arg60: tensor<1x1x192x64xf32>, %arg61: tensor<64xf32>, %arg62: tensor<64xf32>, %arg63: tensor<1x1x64x384xf32>, %arg64: tensor<384xf32>, %arg65: tensor<384xf32>, %arg66: tensor<3x3x1x384xf32>, %arg67: tensor<384xf32>, %arg68: tensor<384xf32>, %arg69: tensor<1x1x384x64xf32>, %arg70: tensor<64xf32>, %arg71: tensor<64xf32>, %arg72: tensor<1x1x64x384xf32>, %arg73: tensor<384xf32>, %arg74: tensor<384xf32>, %arg75: tensor<3x3x1x384xf32>, %arg76: tensor<384xf32>, %arg77: tensor<384xf32>, %arg78: tensor<1x1x384x64xf32>, %arg79: tensor<64xf32>, %arg80: tensor<64xf32>, %arg81: tensor<1x1x64x384xf32>, %arg82: tensor<384xf32>, %arg83: tensor<384xf32>, %arg84: tensor<3x3x1x384xf32>, %arg85: tensor<384xf32>, %arg86: tensor<384xf32>, %arg87: tensor<1x1x384x64xf32>, %arg88: tensor<64xf32>, %arg89: tensor<64xf32>, %arg90: tensor<1x1x64x384xf32>, %arg91: tensor<384xf32>, %arg92: tensor<384xf32>, %arg93: tensor<3x3x1x384xf32>, %arg94: tensor<384xf32>, %arg95: tensor<384xf32>, %arg96: tensor<1x1x384x96xf32>, %arg97: tensor<96xf32>, %arg98: tensor<96xf32>, %arg99: tensor<1x1x96x576xf32>, %arg100: tensor<576xf32>, %arg101: tensor<576xf32>, %arg102: tensor<3x3x1x576xf32>, %arg103: tensor<576xf32>, %arg104: tensor<576xf32>, %arg105: tensor<1x1x576x96xf32>, %arg106: tensor<96xf32>, %arg107: tensor<96xf32>, %arg108: tensor<1x1x96x576xf32>, %arg109: tensor<576xf32>, %arg110: tensor<576xf32>, %arg111: tensor<3x3x1x576xf32>, %arg112: tensor<576xf32>, %arg113: tensor<576xf32>, %arg114: tensor<1x1x576x96xf32>, %arg115: tensor<96xf32>, %arg116: tensor<96xf32>, %arg117: tensor<1x1x96x576xf32>, %arg118: tensor<576xf32>, %arg119: tensor<576xf32>, %arg120: tensor<3x3x1x576xf32>, %arg121: tensor<576xf32>, %arg122: tensor<576xf32>, %arg123: tensor<1x1x576x160xf32>, %arg124: tensor<160xf32>, %arg125: tensor<160xf32>, %arg126: tensor<1x1x160x960xf32>, %arg127: tensor<960xf32>, %arg128: tensor<960xf32>, %arg129: tensor<3x3x1x960xf32>, %arg130: tensor<960xf32>, %arg131: tensor<960xf32>, %arg132: tensor<1x1x960x160xf32>, %arg133: tensor<160xf32>, %arg134: tensor<160xf32>, %arg135: tensor<1x1x160x960xf32>, %arg136: tensor<960xf32>, %arg137: tensor<960xf32>, %arg138: tensor<3x3x1x960xf32>, %arg139: tensor<960xf32>, %arg140: tensor<960xf32>, %arg141: tensor<1x1x960x160xf32>, %arg142: tensor<160xf32>, %arg143: tensor<160xf32>, %arg144: tensor<1x1x160x960xf32>, %arg145: tensor<960xf32>, %arg146: tensor<960xf32>, %arg147: tensor<3x3x1x960xf32>, %arg148: tensor<960xf32>, %arg149: tensor<960xf32>, %arg150: tensor<1x1x960x320xf32>, %arg151: tensor<320xf32>, %arg152: tensor<320xf32>, %arg153: tensor<1x1x320x1280xf32>, %arg154: tensor<1280xf32>, %arg155: tensor<1280xf32>, %arg156: tensor<1280x1000xf32>, %arg157: tensor<1000xf32>, %arg158: tensor<1x224x224x3xf32>) -> (tensor<1x1000xf32> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.convolution(%arg158, %arg0) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x224x224x3xf32>, tensor<3x3x3x32xf32>) -> tensor<1x112x112x32xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %3 = stablehlo.multiply %0, %2 : tensor<1x112x112x32xf32>
    %4 = stablehlo.broadcast_in_dim %arg2, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %6 = stablehlo.add %3, %5 : tensor<1x112x112x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<6> : tensor<i32>
    %7 = call @clip(%6, %c, %c_0) : (tensor<1x112x112x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x112x112x32xf32>
    %8 = stablehlo.convolution(%7, %arg3) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 32 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x32xf32>, tensor<3x3x1x32xf32>) -> tensor<1x112x112x32xf32>
    %9 = stablehlo.broadcast_in_dim %arg4, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<1x112x112x32xf32>
    %12 = stablehlo.broadcast_in_dim %arg5, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
    %14 = stablehlo.add %11, %13 : tensor<1x112x112x32xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<6> : tensor<i32>
    %15 = call @clip(%14, %c_1, %c_2) : (tensor<1x112x112x32xf32>, tensor<i32>, tensor<i32>) -> tensor<1x112x112x32xf32>
    %16 = stablehlo.convolution(%15, %arg6) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x32xf32>, tensor<1x1x32x16xf32>) -> tensor<1x112x112x16xf32>
    %17 = stablehlo.broadcast_in_dim %arg7, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x112x112x16xf32>
    %19 = stablehlo.multiply %16, %18 : tensor<1x112x112x16xf32>
    %20 = stablehlo.broadcast_in_dim %arg8, dims = [3] : (tensor<16xf32>) -> tensor<1x1x1x16xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<1x1x1x16xf32>) -> tensor<1x112x112x16xf32>
    %22 = stablehlo.add %19, %21 : tensor<1x112x112x16xf32>
    %23 = stablehlo.convolution(%22, %arg9) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x16xf32>, tensor<1x1x16x96xf32>) -> tensor<1x112x112x96xf32>
    %24 = stablehlo.broadcast_in_dim %arg10, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x112x112x96xf32>
    %26 = stablehlo.multiply %23, %25 : tensor<1x112x112x96xf32>
    %27 = stablehlo.broadcast_in_dim %arg11, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x112x112x96xf32>
    %29 = stablehlo.add %26, %28 : tensor<1x112x112x96xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<6> : tensor<i32>
    %30 = call @clip_0(%29, %c_3, %c_4) : (tensor<1x112x112x96xf32>, tensor<i32>, tensor<i32>) -> tensor<1x112x112x96xf32>
    %31 = stablehlo.convolution(%30, %arg12) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 96 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x112x112x96xf32>, tensor<3x3x1x96xf32>) -> tensor<1x56x56x96xf32>
    %32 = stablehlo.broadcast_in_dim %arg13, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x56x56x96xf32>
    %34 = stablehlo.multiply %31, %33 : tensor<1x56x56x96xf32>
    %35 = stablehlo.broadcast_in_dim %arg14, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x56x56x96xf32>
    %37 = stablehlo.add %34, %36 : tensor<1x56x56x96xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %c_6 = stablehlo.constant dense<6> : tensor<i32>
    %38 = call @clip_1(%37, %c_5, %c_6) : (tensor<1x56x56x96xf32>, tensor<i32>, tensor<i32>) -> tensor<1x56x56x96xf32>
    %39 = stablehlo.convolution(%38, %arg15) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x96xf32>, tensor<1x1x96x24xf32>) -> tensor<1x56x56x24xf32>
    %40 = stablehlo.broadcast_in_dim %arg16, dims = [3] : (tensor<24xf32>) -> tensor<1x1x1x24xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x1x24xf32>) -> tensor<1x56x56x24xf32>
    %42 = stablehlo.multiply %39, %41 : tensor<1x56x56x24xf32>
    %43 = stablehlo.broadcast_in_dim %arg17, dims = [3] : (tensor<24xf32>) -> tensor<1x1x1x24xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2, 3] : (tensor<1x1x1x24xf32>) -> tensor<1x56x56x24xf32>
    %45 = stablehlo.add %42, %44 : tensor<1x56x56x24xf32>
    %46 = stablehlo.convolution(%45, %arg18) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x24xf32>, tensor<1x1x24x144xf32>) -> tensor<1x56x56x144xf32>
    %47 = stablehlo.broadcast_in_dim %arg19, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %49 = stablehlo.multiply %46, %48 : tensor<1x56x56x144xf32>
    %50 = stablehlo.broadcast_in_dim %arg20, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %52 = stablehlo.add %49, %51 : tensor<1x56x56x144xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %c_8 = stablehlo.constant dense<6> : tensor<i32>
    %53 = call @clip_2(%52, %c_7, %c_8) : (tensor<1x56x56x144xf32>, tensor<i32>, tensor<i32>) -> tensor<1x56x56x144xf32>
    %54 = stablehlo.convolution(%53, %arg21) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 144 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x144xf32>, tensor<3x3x1x144xf32>) -> tensor<1x56x56x144xf32>
    %55 = stablehlo.broadcast_in_dim %arg22, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %56 = stablehlo.broadcast_in_dim %55, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %57 = stablehlo.multiply %54, %56 : tensor<1x56x56x144xf32>
    %58 = stablehlo.broadcast_in_dim %arg23, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %60 = stablehlo.add %57, %59 : tensor<1x56x56x144xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %c_10 = stablehlo.constant dense<6> : tensor<i32>
    %61 = call @clip_2(%60, %c_9, %c_10) : (tensor<1x56x56x144xf32>, tensor<i32>, tensor<i32>) -> tensor<1x56x56x144xf32>
    %62 = stablehlo.convolution(%61, %arg24) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x144xf32>, tensor<1x1x144x24xf32>) -> tensor<1x56x56x24xf32>
    %63 = stablehlo.broadcast_in_dim %arg25, dims = [3] : (tensor<24xf32>) -> tensor<1x1x1x24xf32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2, 3] : (tensor<1x1x1x24xf32>) -> tensor<1x56x56x24xf32>
    %65 = stablehlo.multiply %62, %64 : tensor<1x56x56x24xf32>
    %66 = stablehlo.broadcast_in_dim %arg26, dims = [3] : (tensor<24xf32>) -> tensor<1x1x1x24xf32>
    %67 = stablehlo.broadcast_in_dim %66, dims = [0, 1, 2, 3] : (tensor<1x1x1x24xf32>) -> tensor<1x56x56x24xf32>
    %68 = stablehlo.add %65, %67 : tensor<1x56x56x24xf32>
    %69 = stablehlo.add %45, %68 : tensor<1x56x56x24xf32>
    %70 = stablehlo.convolution(%69, %arg27) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x24xf32>, tensor<1x1x24x144xf32>) -> tensor<1x56x56x144xf32>
    %71 = stablehlo.broadcast_in_dim %arg28, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %73 = stablehlo.multiply %70, %72 : tensor<1x56x56x144xf32>
    %74 = stablehlo.broadcast_in_dim %arg29, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %75 = stablehlo.broadcast_in_dim %74, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x56x56x144xf32>
    %76 = stablehlo.add %73, %75 : tensor<1x56x56x144xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %c_12 = stablehlo.constant dense<6> : tensor<i32>
    %77 = call @clip_2(%76, %c_11, %c_12) : (tensor<1x56x56x144xf32>, tensor<i32>, tensor<i32>) -> tensor<1x56x56x144xf32>
    %78 = stablehlo.convolution(%77, %arg30) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 144 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x56x56x144xf32>, tensor<3x3x1x144xf32>) -> tensor<1x28x28x144xf32>
    %79 = stablehlo.broadcast_in_dim %arg31, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x28x28x144xf32>
    %81 = stablehlo.multiply %78, %80 : tensor<1x28x28x144xf32>
    %82 = stablehlo.broadcast_in_dim %arg32, dims = [3] : (tensor<144xf32>) -> tensor<1x1x1x144xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0, 1, 2, 3] : (tensor<1x1x1x144xf32>) -> tensor<1x28x28x144xf32>
    %84 = stablehlo.add %81, %83 : tensor<1x28x28x144xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %c_14 = stablehlo.constant dense<6> : tensor<i32>
    %85 = call @clip_3(%84, %c_13, %c_14) : (tensor<1x28x28x144xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x144xf32>
    %86 = stablehlo.convolution(%85, %arg33) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x144xf32>, tensor<1x1x144x32xf32>) -> tensor<1x28x28x32xf32>
    %87 = stablehlo.broadcast_in_dim %arg34, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %89 = stablehlo.multiply %86, %88 : tensor<1x28x28x32xf32>
    %90 = stablehlo.broadcast_in_dim %arg35, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %91 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %92 = stablehlo.add %89, %91 : tensor<1x28x28x32xf32>
    %93 = stablehlo.convolution(%92, %arg36) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x32xf32>, tensor<1x1x32x192xf32>) -> tensor<1x28x28x192xf32>
    %94 = stablehlo.broadcast_in_dim %arg37, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %95 = stablehlo.broadcast_in_dim %94, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %96 = stablehlo.multiply %93, %95 : tensor<1x28x28x192xf32>
    %97 = stablehlo.broadcast_in_dim %arg38, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %98 = stablehlo.broadcast_in_dim %97, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %99 = stablehlo.add %96, %98 : tensor<1x28x28x192xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %100 = call @clip_4(%99, %c_15, %c_16) : (tensor<1x28x28x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x192xf32>
    %101 = stablehlo.convolution(%100, %arg39) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 192 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x192xf32>, tensor<3x3x1x192xf32>) -> tensor<1x28x28x192xf32>
    %102 = stablehlo.broadcast_in_dim %arg40, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %104 = stablehlo.multiply %101, %103 : tensor<1x28x28x192xf32>
    %105 = stablehlo.broadcast_in_dim %arg41, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %107 = stablehlo.add %104, %106 : tensor<1x28x28x192xf32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<6> : tensor<i32>
    %108 = call @clip_4(%107, %c_17, %c_18) : (tensor<1x28x28x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x192xf32>
    %109 = stablehlo.convolution(%108, %arg42) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x192xf32>, tensor<1x1x192x32xf32>) -> tensor<1x28x28x32xf32>
    %110 = stablehlo.broadcast_in_dim %arg43, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %112 = stablehlo.multiply %109, %111 : tensor<1x28x28x32xf32>
    %113 = stablehlo.broadcast_in_dim %arg44, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %114 = stablehlo.broadcast_in_dim %113, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %115 = stablehlo.add %112, %114 : tensor<1x28x28x32xf32>
    %116 = stablehlo.add %92, %115 : tensor<1x28x28x32xf32>
    %117 = stablehlo.convolution(%116, %arg45) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x32xf32>, tensor<1x1x32x192xf32>) -> tensor<1x28x28x192xf32>
    %118 = stablehlo.broadcast_in_dim %arg46, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %119 = stablehlo.broadcast_in_dim %118, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %120 = stablehlo.multiply %117, %119 : tensor<1x28x28x192xf32>
    %121 = stablehlo.broadcast_in_dim %arg47, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %122 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %123 = stablehlo.add %120, %122 : tensor<1x28x28x192xf32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %c_20 = stablehlo.constant dense<6> : tensor<i32>
    %124 = call @clip_4(%123, %c_19, %c_20) : (tensor<1x28x28x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x192xf32>
    %125 = stablehlo.convolution(%124, %arg48) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 192 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x192xf32>, tensor<3x3x1x192xf32>) -> tensor<1x28x28x192xf32>
    %126 = stablehlo.broadcast_in_dim %arg49, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %127 = stablehlo.broadcast_in_dim %126, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %128 = stablehlo.multiply %125, %127 : tensor<1x28x28x192xf32>
    %129 = stablehlo.broadcast_in_dim %arg50, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %131 = stablehlo.add %128, %130 : tensor<1x28x28x192xf32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %c_22 = stablehlo.constant dense<6> : tensor<i32>
    %132 = call @clip_4(%131, %c_21, %c_22) : (tensor<1x28x28x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x192xf32>
    %133 = stablehlo.convolution(%132, %arg51) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x192xf32>, tensor<1x1x192x32xf32>) -> tensor<1x28x28x32xf32>
    %134 = stablehlo.broadcast_in_dim %arg52, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %135 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %136 = stablehlo.multiply %133, %135 : tensor<1x28x28x32xf32>
    %137 = stablehlo.broadcast_in_dim %arg53, dims = [3] : (tensor<32xf32>) -> tensor<1x1x1x32xf32>
    %138 = stablehlo.broadcast_in_dim %137, dims = [0, 1, 2, 3] : (tensor<1x1x1x32xf32>) -> tensor<1x28x28x32xf32>
    %139 = stablehlo.add %136, %138 : tensor<1x28x28x32xf32>
    %140 = stablehlo.add %116, %139 : tensor<1x28x28x32xf32>
    %141 = stablehlo.convolution(%140, %arg54) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x32xf32>, tensor<1x1x32x192xf32>) -> tensor<1x28x28x192xf32>
    %142 = stablehlo.broadcast_in_dim %arg55, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %143 = stablehlo.broadcast_in_dim %142, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %144 = stablehlo.multiply %141, %143 : tensor<1x28x28x192xf32>
    %145 = stablehlo.broadcast_in_dim %arg56, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %146 = stablehlo.broadcast_in_dim %145, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x28x28x192xf32>
    %147 = stablehlo.add %144, %146 : tensor<1x28x28x192xf32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %c_24 = stablehlo.constant dense<6> : tensor<i32>
    %148 = call @clip_4(%147, %c_23, %c_24) : (tensor<1x28x28x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x28x28x192xf32>
    %149 = stablehlo.convolution(%148, %arg57) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 192 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x28x28x192xf32>, tensor<3x3x1x192xf32>) -> tensor<1x14x14x192xf32>
    %150 = stablehlo.broadcast_in_dim %arg58, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %151 = stablehlo.broadcast_in_dim %150, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x14x14x192xf32>
    %152 = stablehlo.multiply %149, %151 : tensor<1x14x14x192xf32>
    %153 = stablehlo.broadcast_in_dim %arg59, dims = [3] : (tensor<192xf32>) -> tensor<1x1x1x192xf32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [0, 1, 2, 3] : (tensor<1x1x1x192xf32>) -> tensor<1x14x14x192xf32>
    %155 = stablehlo.add %152, %154 : tensor<1x14x14x192xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %c_26 = stablehlo.constant dense<6> : tensor<i32>
    %156 = call @clip_5(%155, %c_25, %c_26) : (tensor<1x14x14x192xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x192xf32>
    %157 = stablehlo.convolution(%156, %arg60) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x192xf32>, tensor<1x1x192x64xf32>) -> tensor<1x14x14x64xf32>
    %158 = stablehlo.broadcast_in_dim %arg61, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %160 = stablehlo.multiply %157, %159 : tensor<1x14x14x64xf32>
    %161 = stablehlo.broadcast_in_dim %arg62, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %162 = stablehlo.broadcast_in_dim %161, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %163 = stablehlo.add %160, %162 : tensor<1x14x14x64xf32>
    %164 = stablehlo.convolution(%163, %arg63) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x64xf32>, tensor<1x1x64x384xf32>) -> tensor<1x14x14x384xf32>
    %165 = stablehlo.broadcast_in_dim %arg64, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %167 = stablehlo.multiply %164, %166 : tensor<1x14x14x384xf32>
    %168 = stablehlo.broadcast_in_dim %arg65, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %169 = stablehlo.broadcast_in_dim %168, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %170 = stablehlo.add %167, %169 : tensor<1x14x14x384xf32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %c_28 = stablehlo.constant dense<6> : tensor<i32>
    %171 = call @clip_6(%170, %c_27, %c_28) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %172 = stablehlo.convolution(%171, %arg66) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 384 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<3x3x1x384xf32>) -> tensor<1x14x14x384xf32>
    %173 = stablehlo.broadcast_in_dim %arg67, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %175 = stablehlo.multiply %172, %174 : tensor<1x14x14x384xf32>
    %176 = stablehlo.broadcast_in_dim %arg68, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %177 = stablehlo.broadcast_in_dim %176, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %178 = stablehlo.add %175, %177 : tensor<1x14x14x384xf32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %c_30 = stablehlo.constant dense<6> : tensor<i32>
    %179 = call @clip_6(%178, %c_29, %c_30) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %180 = stablehlo.convolution(%179, %arg69) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<1x1x384x64xf32>) -> tensor<1x14x14x64xf32>
    %181 = stablehlo.broadcast_in_dim %arg70, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %182 = stablehlo.broadcast_in_dim %181, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %183 = stablehlo.multiply %180, %182 : tensor<1x14x14x64xf32>
    %184 = stablehlo.broadcast_in_dim %arg71, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %185 = stablehlo.broadcast_in_dim %184, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %186 = stablehlo.add %183, %185 : tensor<1x14x14x64xf32>
    %187 = stablehlo.add %163, %186 : tensor<1x14x14x64xf32>
    %188 = stablehlo.convolution(%187, %arg72) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x64xf32>, tensor<1x1x64x384xf32>) -> tensor<1x14x14x384xf32>
    %189 = stablehlo.broadcast_in_dim %arg73, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %191 = stablehlo.multiply %188, %190 : tensor<1x14x14x384xf32>
    %192 = stablehlo.broadcast_in_dim %arg74, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %193 = stablehlo.broadcast_in_dim %192, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %194 = stablehlo.add %191, %193 : tensor<1x14x14x384xf32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %c_32 = stablehlo.constant dense<6> : tensor<i32>
    %195 = call @clip_6(%194, %c_31, %c_32) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %196 = stablehlo.convolution(%195, %arg75) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 384 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<3x3x1x384xf32>) -> tensor<1x14x14x384xf32>
    %197 = stablehlo.broadcast_in_dim %arg76, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %198 = stablehlo.broadcast_in_dim %197, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %199 = stablehlo.multiply %196, %198 : tensor<1x14x14x384xf32>
    %200 = stablehlo.broadcast_in_dim %arg77, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %201 = stablehlo.broadcast_in_dim %200, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %202 = stablehlo.add %199, %201 : tensor<1x14x14x384xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %c_34 = stablehlo.constant dense<6> : tensor<i32>
    %203 = call @clip_6(%202, %c_33, %c_34) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %204 = stablehlo.convolution(%203, %arg78) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<1x1x384x64xf32>) -> tensor<1x14x14x64xf32>
    %205 = stablehlo.broadcast_in_dim %arg79, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %206 = stablehlo.broadcast_in_dim %205, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %207 = stablehlo.multiply %204, %206 : tensor<1x14x14x64xf32>
    %208 = stablehlo.broadcast_in_dim %arg80, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %209 = stablehlo.broadcast_in_dim %208, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %210 = stablehlo.add %207, %209 : tensor<1x14x14x64xf32>
    %211 = stablehlo.add %187, %210 : tensor<1x14x14x64xf32>
    %212 = stablehlo.convolution(%211, %arg81) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x64xf32>, tensor<1x1x64x384xf32>) -> tensor<1x14x14x384xf32>
    %213 = stablehlo.broadcast_in_dim %arg82, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %214 = stablehlo.broadcast_in_dim %213, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %215 = stablehlo.multiply %212, %214 : tensor<1x14x14x384xf32>
    %216 = stablehlo.broadcast_in_dim %arg83, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %217 = stablehlo.broadcast_in_dim %216, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %218 = stablehlo.add %215, %217 : tensor<1x14x14x384xf32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %c_36 = stablehlo.constant dense<6> : tensor<i32>
    %219 = call @clip_6(%218, %c_35, %c_36) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %220 = stablehlo.convolution(%219, %arg84) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 384 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<3x3x1x384xf32>) -> tensor<1x14x14x384xf32>
    %221 = stablehlo.broadcast_in_dim %arg85, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %222 = stablehlo.broadcast_in_dim %221, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %223 = stablehlo.multiply %220, %222 : tensor<1x14x14x384xf32>
    %224 = stablehlo.broadcast_in_dim %arg86, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %225 = stablehlo.broadcast_in_dim %224, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %226 = stablehlo.add %223, %225 : tensor<1x14x14x384xf32>
    %c_37 = stablehlo.constant dense<0> : tensor<i32>
    %c_38 = stablehlo.constant dense<6> : tensor<i32>
    %227 = call @clip_6(%226, %c_37, %c_38) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %228 = stablehlo.convolution(%227, %arg87) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<1x1x384x64xf32>) -> tensor<1x14x14x64xf32>
    %229 = stablehlo.broadcast_in_dim %arg88, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %230 = stablehlo.broadcast_in_dim %229, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %231 = stablehlo.multiply %228, %230 : tensor<1x14x14x64xf32>
    %232 = stablehlo.broadcast_in_dim %arg89, dims = [3] : (tensor<64xf32>) -> tensor<1x1x1x64xf32>
    %233 = stablehlo.broadcast_in_dim %232, dims = [0, 1, 2, 3] : (tensor<1x1x1x64xf32>) -> tensor<1x14x14x64xf32>
    %234 = stablehlo.add %231, %233 : tensor<1x14x14x64xf32>
    %235 = stablehlo.add %211, %234 : tensor<1x14x14x64xf32>
    %236 = stablehlo.convolution(%235, %arg90) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x64xf32>, tensor<1x1x64x384xf32>) -> tensor<1x14x14x384xf32>
    %237 = stablehlo.broadcast_in_dim %arg91, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %238 = stablehlo.broadcast_in_dim %237, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %239 = stablehlo.multiply %236, %238 : tensor<1x14x14x384xf32>
    %240 = stablehlo.broadcast_in_dim %arg92, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %241 = stablehlo.broadcast_in_dim %240, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %242 = stablehlo.add %239, %241 : tensor<1x14x14x384xf32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %c_40 = stablehlo.constant dense<6> : tensor<i32>
    %243 = call @clip_6(%242, %c_39, %c_40) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %244 = stablehlo.convolution(%243, %arg93) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 384 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<3x3x1x384xf32>) -> tensor<1x14x14x384xf32>
    %245 = stablehlo.broadcast_in_dim %arg94, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %246 = stablehlo.broadcast_in_dim %245, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %247 = stablehlo.multiply %244, %246 : tensor<1x14x14x384xf32>
    %248 = stablehlo.broadcast_in_dim %arg95, dims = [3] : (tensor<384xf32>) -> tensor<1x1x1x384xf32>
    %249 = stablehlo.broadcast_in_dim %248, dims = [0, 1, 2, 3] : (tensor<1x1x1x384xf32>) -> tensor<1x14x14x384xf32>
    %250 = stablehlo.add %247, %249 : tensor<1x14x14x384xf32>
    %c_41 = stablehlo.constant dense<0> : tensor<i32>
    %c_42 = stablehlo.constant dense<6> : tensor<i32>
    %251 = call @clip_6(%250, %c_41, %c_42) : (tensor<1x14x14x384xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x384xf32>
    %252 = stablehlo.convolution(%251, %arg96) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x384xf32>, tensor<1x1x384x96xf32>) -> tensor<1x14x14x96xf32>
    %253 = stablehlo.broadcast_in_dim %arg97, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %254 = stablehlo.broadcast_in_dim %253, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %255 = stablehlo.multiply %252, %254 : tensor<1x14x14x96xf32>
    %256 = stablehlo.broadcast_in_dim %arg98, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %257 = stablehlo.broadcast_in_dim %256, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %258 = stablehlo.add %255, %257 : tensor<1x14x14x96xf32>
    %259 = stablehlo.convolution(%258, %arg99) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x96xf32>, tensor<1x1x96x576xf32>) -> tensor<1x14x14x576xf32>
    %260 = stablehlo.broadcast_in_dim %arg100, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %261 = stablehlo.broadcast_in_dim %260, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %262 = stablehlo.multiply %259, %261 : tensor<1x14x14x576xf32>
    %263 = stablehlo.broadcast_in_dim %arg101, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %264 = stablehlo.broadcast_in_dim %263, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %265 = stablehlo.add %262, %264 : tensor<1x14x14x576xf32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %c_44 = stablehlo.constant dense<6> : tensor<i32>
    %266 = call @clip_7(%265, %c_43, %c_44) : (tensor<1x14x14x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x576xf32>
    %267 = stablehlo.convolution(%266, %arg102) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 576 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x576xf32>, tensor<3x3x1x576xf32>) -> tensor<1x14x14x576xf32>
    %268 = stablehlo.broadcast_in_dim %arg103, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %269 = stablehlo.broadcast_in_dim %268, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %270 = stablehlo.multiply %267, %269 : tensor<1x14x14x576xf32>
    %271 = stablehlo.broadcast_in_dim %arg104, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %272 = stablehlo.broadcast_in_dim %271, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %273 = stablehlo.add %270, %272 : tensor<1x14x14x576xf32>
    %c_45 = stablehlo.constant dense<0> : tensor<i32>
    %c_46 = stablehlo.constant dense<6> : tensor<i32>
    %274 = call @clip_7(%273, %c_45, %c_46) : (tensor<1x14x14x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x576xf32>
    %275 = stablehlo.convolution(%274, %arg105) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x576xf32>, tensor<1x1x576x96xf32>) -> tensor<1x14x14x96xf32>
    %276 = stablehlo.broadcast_in_dim %arg106, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %277 = stablehlo.broadcast_in_dim %276, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %278 = stablehlo.multiply %275, %277 : tensor<1x14x14x96xf32>
    %279 = stablehlo.broadcast_in_dim %arg107, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %280 = stablehlo.broadcast_in_dim %279, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %281 = stablehlo.add %278, %280 : tensor<1x14x14x96xf32>
    %282 = stablehlo.add %258, %281 : tensor<1x14x14x96xf32>
    %283 = stablehlo.convolution(%282, %arg108) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x96xf32>, tensor<1x1x96x576xf32>) -> tensor<1x14x14x576xf32>
    %284 = stablehlo.broadcast_in_dim %arg109, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %286 = stablehlo.multiply %283, %285 : tensor<1x14x14x576xf32>
    %287 = stablehlo.broadcast_in_dim %arg110, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %288 = stablehlo.broadcast_in_dim %287, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %289 = stablehlo.add %286, %288 : tensor<1x14x14x576xf32>
    %c_47 = stablehlo.constant dense<0> : tensor<i32>
    %c_48 = stablehlo.constant dense<6> : tensor<i32>
    %290 = call @clip_7(%289, %c_47, %c_48) : (tensor<1x14x14x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x576xf32>
    %291 = stablehlo.convolution(%290, %arg111) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 576 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x576xf32>, tensor<3x3x1x576xf32>) -> tensor<1x14x14x576xf32>
    %292 = stablehlo.broadcast_in_dim %arg112, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %293 = stablehlo.broadcast_in_dim %292, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %294 = stablehlo.multiply %291, %293 : tensor<1x14x14x576xf32>
    %295 = stablehlo.broadcast_in_dim %arg113, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %296 = stablehlo.broadcast_in_dim %295, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %297 = stablehlo.add %294, %296 : tensor<1x14x14x576xf32>
    %c_49 = stablehlo.constant dense<0> : tensor<i32>
    %c_50 = stablehlo.constant dense<6> : tensor<i32>
    %298 = call @clip_7(%297, %c_49, %c_50) : (tensor<1x14x14x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x576xf32>
    %299 = stablehlo.convolution(%298, %arg114) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x576xf32>, tensor<1x1x576x96xf32>) -> tensor<1x14x14x96xf32>
    %300 = stablehlo.broadcast_in_dim %arg115, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %301 = stablehlo.broadcast_in_dim %300, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %302 = stablehlo.multiply %299, %301 : tensor<1x14x14x96xf32>
    %303 = stablehlo.broadcast_in_dim %arg116, dims = [3] : (tensor<96xf32>) -> tensor<1x1x1x96xf32>
    %304 = stablehlo.broadcast_in_dim %303, dims = [0, 1, 2, 3] : (tensor<1x1x1x96xf32>) -> tensor<1x14x14x96xf32>
    %305 = stablehlo.add %302, %304 : tensor<1x14x14x96xf32>
    %306 = stablehlo.add %282, %305 : tensor<1x14x14x96xf32>
    %307 = stablehlo.convolution(%306, %arg117) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x96xf32>, tensor<1x1x96x576xf32>) -> tensor<1x14x14x576xf32>
    %308 = stablehlo.broadcast_in_dim %arg118, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %309 = stablehlo.broadcast_in_dim %308, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %310 = stablehlo.multiply %307, %309 : tensor<1x14x14x576xf32>
    %311 = stablehlo.broadcast_in_dim %arg119, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %312 = stablehlo.broadcast_in_dim %311, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x14x14x576xf32>
    %313 = stablehlo.add %310, %312 : tensor<1x14x14x576xf32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %c_52 = stablehlo.constant dense<6> : tensor<i32>
    %314 = call @clip_7(%313, %c_51, %c_52) : (tensor<1x14x14x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x14x14x576xf32>
    %315 = stablehlo.convolution(%314, %arg120) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 576 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x14x14x576xf32>, tensor<3x3x1x576xf32>) -> tensor<1x7x7x576xf32>
    %316 = stablehlo.broadcast_in_dim %arg121, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %317 = stablehlo.broadcast_in_dim %316, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x7x7x576xf32>
    %318 = stablehlo.multiply %315, %317 : tensor<1x7x7x576xf32>
    %319 = stablehlo.broadcast_in_dim %arg122, dims = [3] : (tensor<576xf32>) -> tensor<1x1x1x576xf32>
    %320 = stablehlo.broadcast_in_dim %319, dims = [0, 1, 2, 3] : (tensor<1x1x1x576xf32>) -> tensor<1x7x7x576xf32>
    %321 = stablehlo.add %318, %320 : tensor<1x7x7x576xf32>
    %c_53 = stablehlo.constant dense<0> : tensor<i32>
    %c_54 = stablehlo.constant dense<6> : tensor<i32>
    %322 = call @clip_8(%321, %c_53, %c_54) : (tensor<1x7x7x576xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x576xf32>
    %323 = stablehlo.convolution(%322, %arg123) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x576xf32>, tensor<1x1x576x160xf32>) -> tensor<1x7x7x160xf32>
    %324 = stablehlo.broadcast_in_dim %arg124, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %325 = stablehlo.broadcast_in_dim %324, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %326 = stablehlo.multiply %323, %325 : tensor<1x7x7x160xf32>
    %327 = stablehlo.broadcast_in_dim %arg125, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %328 = stablehlo.broadcast_in_dim %327, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %329 = stablehlo.add %326, %328 : tensor<1x7x7x160xf32>
    %330 = stablehlo.convolution(%329, %arg126) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x160xf32>, tensor<1x1x160x960xf32>) -> tensor<1x7x7x960xf32>
    %331 = stablehlo.broadcast_in_dim %arg127, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %332 = stablehlo.broadcast_in_dim %331, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %333 = stablehlo.multiply %330, %332 : tensor<1x7x7x960xf32>
    %334 = stablehlo.broadcast_in_dim %arg128, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %335 = stablehlo.broadcast_in_dim %334, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %336 = stablehlo.add %333, %335 : tensor<1x7x7x960xf32>
    %c_55 = stablehlo.constant dense<0> : tensor<i32>
    %c_56 = stablehlo.constant dense<6> : tensor<i32>
    %337 = call @clip_9(%336, %c_55, %c_56) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %338 = stablehlo.convolution(%337, %arg129) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 960 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<3x3x1x960xf32>) -> tensor<1x7x7x960xf32>
    %339 = stablehlo.broadcast_in_dim %arg130, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %340 = stablehlo.broadcast_in_dim %339, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %341 = stablehlo.multiply %338, %340 : tensor<1x7x7x960xf32>
    %342 = stablehlo.broadcast_in_dim %arg131, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %343 = stablehlo.broadcast_in_dim %342, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %344 = stablehlo.add %341, %343 : tensor<1x7x7x960xf32>
    %c_57 = stablehlo.constant dense<0> : tensor<i32>
    %c_58 = stablehlo.constant dense<6> : tensor<i32>
    %345 = call @clip_9(%344, %c_57, %c_58) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %346 = stablehlo.convolution(%345, %arg132) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<1x1x960x160xf32>) -> tensor<1x7x7x160xf32>
    %347 = stablehlo.broadcast_in_dim %arg133, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %348 = stablehlo.broadcast_in_dim %347, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %349 = stablehlo.multiply %346, %348 : tensor<1x7x7x160xf32>
    %350 = stablehlo.broadcast_in_dim %arg134, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %351 = stablehlo.broadcast_in_dim %350, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %352 = stablehlo.add %349, %351 : tensor<1x7x7x160xf32>
    %353 = stablehlo.add %329, %352 : tensor<1x7x7x160xf32>
    %354 = stablehlo.convolution(%353, %arg135) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x160xf32>, tensor<1x1x160x960xf32>) -> tensor<1x7x7x960xf32>
    %355 = stablehlo.broadcast_in_dim %arg136, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %356 = stablehlo.broadcast_in_dim %355, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %357 = stablehlo.multiply %354, %356 : tensor<1x7x7x960xf32>
    %358 = stablehlo.broadcast_in_dim %arg137, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %359 = stablehlo.broadcast_in_dim %358, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %360 = stablehlo.add %357, %359 : tensor<1x7x7x960xf32>
    %c_59 = stablehlo.constant dense<0> : tensor<i32>
    %c_60 = stablehlo.constant dense<6> : tensor<i32>
    %361 = call @clip_9(%360, %c_59, %c_60) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %362 = stablehlo.convolution(%361, %arg138) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 960 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<3x3x1x960xf32>) -> tensor<1x7x7x960xf32>
    %363 = stablehlo.broadcast_in_dim %arg139, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %364 = stablehlo.broadcast_in_dim %363, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %365 = stablehlo.multiply %362, %364 : tensor<1x7x7x960xf32>
    %366 = stablehlo.broadcast_in_dim %arg140, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %367 = stablehlo.broadcast_in_dim %366, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %368 = stablehlo.add %365, %367 : tensor<1x7x7x960xf32>
    %c_61 = stablehlo.constant dense<0> : tensor<i32>
    %c_62 = stablehlo.constant dense<6> : tensor<i32>
    %369 = call @clip_9(%368, %c_61, %c_62) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %370 = stablehlo.convolution(%369, %arg141) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<1x1x960x160xf32>) -> tensor<1x7x7x160xf32>
    %371 = stablehlo.broadcast_in_dim %arg142, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %372 = stablehlo.broadcast_in_dim %371, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %373 = stablehlo.multiply %370, %372 : tensor<1x7x7x160xf32>
    %374 = stablehlo.broadcast_in_dim %arg143, dims = [3] : (tensor<160xf32>) -> tensor<1x1x1x160xf32>
    %375 = stablehlo.broadcast_in_dim %374, dims = [0, 1, 2, 3] : (tensor<1x1x1x160xf32>) -> tensor<1x7x7x160xf32>
    %376 = stablehlo.add %373, %375 : tensor<1x7x7x160xf32>
    %377 = stablehlo.add %353, %376 : tensor<1x7x7x160xf32>
    %378 = stablehlo.convolution(%377, %arg144) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x160xf32>, tensor<1x1x160x960xf32>) -> tensor<1x7x7x960xf32>
    %379 = stablehlo.broadcast_in_dim %arg145, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %380 = stablehlo.broadcast_in_dim %379, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %381 = stablehlo.multiply %378, %380 : tensor<1x7x7x960xf32>
    %382 = stablehlo.broadcast_in_dim %arg146, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %383 = stablehlo.broadcast_in_dim %382, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %384 = stablehlo.add %381, %383 : tensor<1x7x7x960xf32>
    %c_63 = stablehlo.constant dense<0> : tensor<i32>
    %c_64 = stablehlo.constant dense<6> : tensor<i32>
    %385 = call @clip_9(%384, %c_63, %c_64) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %386 = stablehlo.convolution(%385, %arg147) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 960 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<3x3x1x960xf32>) -> tensor<1x7x7x960xf32>
    %387 = stablehlo.broadcast_in_dim %arg148, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %388 = stablehlo.broadcast_in_dim %387, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %389 = stablehlo.multiply %386, %388 : tensor<1x7x7x960xf32>
    %390 = stablehlo.broadcast_in_dim %arg149, dims = [3] : (tensor<960xf32>) -> tensor<1x1x1x960xf32>
    %391 = stablehlo.broadcast_in_dim %390, dims = [0, 1, 2, 3] : (tensor<1x1x1x960xf32>) -> tensor<1x7x7x960xf32>
    %392 = stablehlo.add %389, %391 : tensor<1x7x7x960xf32>
    %c_65 = stablehlo.constant dense<0> : tensor<i32>
    %c_66 = stablehlo.constant dense<6> : tensor<i32>
    %393 = call @clip_9(%392, %c_65, %c_66) : (tensor<1x7x7x960xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x960xf32>
    %394 = stablehlo.convolution(%393, %arg150) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x960xf32>, tensor<1x1x960x320xf32>) -> tensor<1x7x7x320xf32>
    %395 = stablehlo.broadcast_in_dim %arg151, dims = [3] : (tensor<320xf32>) -> tensor<1x1x1x320xf32>
    %396 = stablehlo.broadcast_in_dim %395, dims = [0, 1, 2, 3] : (tensor<1x1x1x320xf32>) -> tensor<1x7x7x320xf32>
    %397 = stablehlo.multiply %394, %396 : tensor<1x7x7x320xf32>
    %398 = stablehlo.broadcast_in_dim %arg152, dims = [3] : (tensor<320xf32>) -> tensor<1x1x1x320xf32>
    %399 = stablehlo.broadcast_in_dim %398, dims = [0, 1, 2, 3] : (tensor<1x1x1x320xf32>) -> tensor<1x7x7x320xf32>
    %400 = stablehlo.add %397, %399 : tensor<1x7x7x320xf32>
    %401 = stablehlo.convolution(%400, %arg153) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<1x7x7x320xf32>, tensor<1x1x320x1280xf32>) -> tensor<1x7x7x1280xf32>
    %402 = stablehlo.broadcast_in_dim %arg154, dims = [3] : (tensor<1280xf32>) -> tensor<1x1x1x1280xf32>
    %403 = stablehlo.broadcast_in_dim %402, dims = [0, 1, 2, 3] : (tensor<1x1x1x1280xf32>) -> tensor<1x7x7x1280xf32>
    %404 = stablehlo.multiply %401, %403 : tensor<1x7x7x1280xf32>
    %405 = stablehlo.broadcast_in_dim %arg155, dims = [3] : (tensor<1280xf32>) -> tensor<1x1x1x1280xf32>
    %406 = stablehlo.broadcast_in_dim %405, dims = [0, 1, 2, 3] : (tensor<1x1x1x1280xf32>) -> tensor<1x7x7x1280xf32>
    %407 = stablehlo.add %404, %406 : tensor<1x7x7x1280xf32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %c_68 = stablehlo.constant dense<6> : tensor<i32>
    %408 = call @clip_10(%407, %c_67, %c_68) : (tensor<1x7x7x1280xf32>, tensor<i32>, tensor<i32>) -> tensor<1x7x7x1280xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %409 = stablehlo.reduce(%408 init: %cst) applies stablehlo.add across dimensions = [1, 2] : (tensor<1x7x7x1280xf32>, tensor<f32>) -> tensor<1x1280xf32>
    %cst_69 = stablehlo.constant dense<4.900000e+01> : tensor<f32>
    %410 = stablehlo.broadcast_in_dim %cst_69, dims = [] : (tensor<f32>) -> tensor<1x1280xf32>
    %411 = stablehlo.divide %409, %410 : tensor<1x1280xf32>
    %412 = stablehlo.dot_general %411, %arg156, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x1280xf32>, tensor<1280x1000xf32>) -> tensor<1x1000xf32>
    %413 = stablehlo.broadcast_in_dim %arg157, dims = [1] : (tensor<1000xf32>) -> tensor<1x1000xf32>
    %414 = stablehlo.add %412, %413 : tensor<1x1000xf32>
    return %414 : tensor<1x1000xf32>
  }
  func.func private @clip(%arg0: tensor<1x112x112x32xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x112x112x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x112x112x32xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x112x112x32xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x112x112x32xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x112x112x32xf32>
    return %5 : tensor<1x112x112x32xf32>
  }
  func.func private @clip_0(%arg0: tensor<1x112x112x96xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x112x112x96xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x112x112x96xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x112x112x96xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x112x112x96xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x112x112x96xf32>
    return %5 : tensor<1x112x112x96xf32>
  }
  func.func private @clip_1(%arg0: tensor<1x56x56x96xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x56x56x96xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x56x56x96xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x56x56x96xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x56x56x96xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x56x56x96xf32>
    return %5 : tensor<1x56x56x96xf32>
  }
  func.func private @clip_2(%arg0: tensor<1x56x56x144xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x56x56x144xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x56x56x144xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x56x56x144xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x56x56x144xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x56x56x144xf32>
    return %5 : tensor<1x56x56x144xf32>
  }
  func.func private @clip_3(%arg0: tensor<1x28x28x144xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x28x28x144xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x28x28x144xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x28x28x144xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x28x28x144xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x28x28x144xf32>
    return %5 : tensor<1x28x28x144xf32>
  }
  func.func private @clip_4(%arg0: tensor<1x28x28x192xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x28x28x192xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x28x28x192xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x28x28x192xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x28x28x192xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x28x28x192xf32>
    return %5 : tensor<1x28x28x192xf32>
  }
  func.func private @clip_5(%arg0: tensor<1x14x14x192xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x14x14x192xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x14x14x192xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x14x14x192xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x14x14x192xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x14x14x192xf32>
    return %5 : tensor<1x14x14x192xf32>
  }
  func.func private @clip_6(%arg0: tensor<1x14x14x384xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x14x14x384xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x14x14x384xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x14x14x384xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x14x14x384xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x14x14x384xf32>
    return %5 : tensor<1x14x14x384xf32>
  }
  func.func private @clip_7(%arg0: tensor<1x14x14x576xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x14x14x576xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x14x14x576xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x14x14x576xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x14x14x576xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x14x14x576xf32>
    return %5 : tensor<1x14x14x576xf32>
  }
  func.func private @clip_8(%arg0: tensor<1x7x7x576xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x7x7x576xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x7x7x576xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x7x7x576xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x7x7x576xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x7x7x576xf32>
    return %5 : tensor<1x7x7x576xf32>
  }
  func.func private @clip_9(%arg0: tensor<1x7x7x960xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x7x7x960xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x7x7x960xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x7x7x960xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x7x7x960xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x7x7x960xf32>
    return %5 : tensor<1x7x7x960xf32>
  }
  func.func private @clip_10(%arg0: tensor<1x7x7x1280xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<1x7x7x1280xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x7x7x1280xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<1x7x7x1280xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1x7x7x1280xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<1x7x7x1280xf32>
    return %5 : tensor<1x7x7x1280xf32>
  }
}
