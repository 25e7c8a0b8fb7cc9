// Loops whose carries need new memory for their next values, because these read
// them at other indices.
module @no_iterations {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<0> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.multiply %0, %two : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[1, 2, 3]> : tensor<3xi32>
    func.return
  }
}

// -----

module @one_iteration {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<1> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.multiply %0, %two : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[6, 4, 2]> : tensor<3xi32>
    func.return
  }
}

// -----

module @odd_number {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.multiply %0, %two : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[24, 16, 8]> : tensor<3xi32>
    func.return
  }
}

// -----

module @even_number {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<4> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.multiply %0, %two : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[16, 32, 48]> : tensor<3xi32>
    func.return
  }
}

// -----

// The outer loop still reads the carry with which the inner one starts.
module @nested {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %s:2 = stablehlo.while(%j = %zero, %b = %a) : tensor<i32>, tensor<3xi32>
      cond {
        %last = stablehlo.constant dense<3> : tensor<i32>
        %again = stablehlo.compare LT, %j, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %again : tensor<i1>
      } do {
        %3 = stablehlo.reverse %b, dims = [0] : tensor<3xi32>
        %4 = stablehlo.multiply %3, %two : tensor<3xi32>
        %5 = stablehlo.add %j, %one : tensor<i32>
        stablehlo.return %5, %4 : tensor<i32>, tensor<3xi32>
      }
      %0 = stablehlo.reverse %s#1, dims = [0] : tensor<3xi32>
      %1 = stablehlo.add %0, %a : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[729, 1458, 2187]> : tensor<3xi32>
    func.return
  }
}

// -----

// The inner loop may take the carry's memory.
module @nested_in_place {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<3xi32>
    %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %s:2 = stablehlo.while(%j = %zero, %b = %a) : tensor<i32>, tensor<3xi32>
      cond {
        %last = stablehlo.constant dense<3> : tensor<i32>
        %again = stablehlo.compare LT, %j, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %again : tensor<i1>
      } do {
        %3 = stablehlo.reverse %b, dims = [0] : tensor<3xi32>
        %4 = stablehlo.multiply %3, %two : tensor<3xi32>
        %5 = stablehlo.add %j, %one : tensor<i32>
        stablehlo.return %5, %4 : tensor<i32>, tensor<3xi32>
      }
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %s#1 : tensor<i32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[1536, 1024, 512]> : tensor<3xi32>
    func.return
  }
}

// -----

// A carry takes the place of another one.
module @moved_carry {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.add %0, %b : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %b, %1 : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[115, 106, 97]> : tensor<3xi32>
    check.expect_eq_const %r#2, dense<[169, 170, 171]> : tensor<3xi32>
    func.return
  }
}

// -----

module @exchanged_carries {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %b, %a : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[10, 20, 30]> : tensor<3xi32>
    check.expect_eq_const %r#2, dense<[1, 2, 3]> : tensor<3xi32>
    func.return
  }
}

// -----

module @one_value_twice {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<3> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.add %0, %b : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1, %1 : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[88, 88, 88]> : tensor<3xi32>
    check.expect_eq_const %r#2, dense<[88, 88, 88]> : tensor<3xi32>
    func.return
  }
}

// -----

module @two_new_values {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %1 = stablehlo.add %0, %b : tensor<3xi32>
      %2 = stablehlo.reverse %b, dims = [0] : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %1, %2 : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[53, 102, 151]> : tensor<3xi32>
    check.expect_eq_const %r#2, dense<[30, 20, 10]> : tensor<3xi32>
    func.return
  }
}

// -----

module @chosen_value {
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
    %y = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    cond {
      %end = stablehlo.constant dense<5> : tensor<i32>
      %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %0 = stablehlo.remainder %i, %two : tensor<i32>
      %1 = stablehlo.compare EQ, %0, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %2 = "stablehlo.if"(%1) ({
        %3 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
        stablehlo.return %3 : tensor<3xi32>
      }, {
        %3 = stablehlo.add %a, %b : tensor<3xi32>
        stablehlo.return %3 : tensor<3xi32>
      }) : (tensor<i1>) -> tensor<3xi32>
      %4 = stablehlo.reverse %a, dims = [0] : tensor<3xi32>
      %next = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %next, %2, %4 : tensor<i32>, tensor<3xi32>, tensor<3xi32>
    }
    check.expect_eq_const %r#1, dense<[44, 88, 132]> : tensor<3xi32>
    check.expect_eq_const %r#2, dense<[66, 44, 22]> : tensor<3xi32>
    func.return
  }
}
