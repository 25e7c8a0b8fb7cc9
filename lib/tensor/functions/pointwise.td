#ifndef XLAC_TENSOR_FUNCTIONS_POINTWISE
#define XLAC_TENSOR_FUNCTIONS_POINTWISE

include "tensor/functions/Function.td"

//===- Two and three operands ------------------------------------------------===//

def add : Function<"Tensor add(const Tensor &self, const Tensor &other, Scalar alpha = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self + alpha * other; of bools, whether either is true. Throws DtypeError for a float `alpha` if the result is of integers, a complex one if it is real, and a bool one unless it is bool.}];
}
def add_number : Function<"Tensor add(const Tensor &self, Scalar other, Scalar alpha = 1)",
                   [Method, InPlace]> {
  let doc = [{Returns self + alpha * other for a number `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def sub : Function<"Tensor sub(const Tensor &self, const Tensor &other, Scalar alpha = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self - alpha * other. Throws DtypeError if an operand is bool, and for `alpha` as add.}];
}
def sub_number : Function<"Tensor sub(const Tensor &self, Scalar other, Scalar alpha = 1)",
                   [Method, InPlace]> {
  let doc = [{Returns self - alpha * other for a number `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def rsub : Function<"Tensor rsub(const Tensor &self, const Tensor &other, Scalar alpha = 1)"> {
  let doc = [{Returns other - alpha * self. Throws DtypeError as sub.}];
}
def rsub_number : Function<"Tensor rsub(const Tensor &self, Scalar other, Scalar alpha = 1)"> {
  let doc = [{Returns other - alpha * self for a number `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def mul : Function<"Tensor mul(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self * other; of bools, whether both are true.}];
}
def mul_number : Function<"Tensor mul(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns self * other for a number `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def div : Function<"Tensor div(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self / other without rounding. Bools and integers give the default dtype.}];
}
def div_number : Function<"Tensor div(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns self / other without rounding, for a number `other`. Bools and integers give the default dtype.}];
}
def div_rounded : Function<"Tensor div(const Tensor &self, const Tensor &other, std::optional<std::string> rounding_mode)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self / other, rounded to an integer towards 0 by "trunc" or down by "floor", in the common dtype; without a mode it is div. Throws ValueError for another mode and DtypeError for bools and complex numbers.}];
}
def div_rounded_number : Function<"Tensor div(const Tensor &self, Scalar other, std::optional<std::string> rounding_mode)",
                   [Method, InPlace]> {
  let doc = [{Divides by a number and rounds as the overload with a tensor. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def true_divide : Function<"Tensor true_divide(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{The same as div without a rounding mode.}];
}
def true_divide_number : Function<"Tensor true_divide(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{The same as div by a number without a rounding mode.}];
}
def floor_divide : Function<"Tensor floor_divide(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self / other, rounded down in the common dtype. An integer divided by 0 gives -1, or the greatest number of an unsigned dtype. Throws DtypeError for bools and complex numbers.}];
}
def floor_divide_number : Function<"Tensor floor_divide(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns self / other, rounded down, for a number `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def remainder : Function<"Tensor remainder(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the remainder with the sign of `other`, as Python's %. The remainder of an integer by 0 is the integer; of a float it is NaN. Throws DtypeError for bools and complex numbers.}];
}
def remainder_number : Function<"Tensor remainder(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the remainder by a number, with the sign of `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def remainder_of_number : Function<"Tensor remainder(Scalar self, const Tensor &other)"> {
  let doc = [{Returns the remainder of a number, with the sign of `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def fmod : Function<"Tensor fmod(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the remainder with the sign of `self`, as C's fmod. The remainder of an integer by 0 is the integer; of a float it is NaN. Throws DtypeError for bools and complex numbers.}];
}
def fmod_number : Function<"Tensor fmod(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the remainder by a number, with the sign of `self`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def pow : Function<"Tensor pow(const Tensor &self, const Tensor &exponent)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self ** exponent. An integer with a negative exponent gives 0 unless it is 1 or -1. Throws DtypeError if both are bool.}];
}
def pow_number : Function<"Tensor pow(const Tensor &self, Scalar exponent)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self ** exponent for a number `exponent`. Throws ValueError if the result is of an integer dtype and the exponent is negative.}];
}
def pow_of_number : Function<"Tensor pow(Scalar self, const Tensor &exponent)",
                   [Out]> {
  let doc = [{Returns self ** exponent for a number `self`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def float_power : Function<"Tensor float_power(const Tensor &self, const Tensor &exponent)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self ** exponent, computed in float64, or in complex128 if an operand is complex.}];
}
def float_power_number : Function<"Tensor float_power(const Tensor &self, Scalar exponent)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self ** exponent for a number `exponent`, computed in float64, or in complex128 if an operand is complex.}];
}
def float_power_of_number : Function<"Tensor float_power(Scalar self, const Tensor &exponent)",
                   [Out]> {
  let doc = [{Returns self ** exponent for a number `self`, computed in float64, or in complex128 if an operand is complex.}];
}
def ldexp : Function<"Tensor ldexp(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self * 2 ** other. If both are integers, the result has the default dtype.}];
}
def atan2 : Function<"Tensor atan2(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the angle of the point (other, self) in [-pi, pi]; the signs of zeros count. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def hypot : Function<"Tensor hypot(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns sqrt(self ** 2 + other ** 2) without overflow of the squares. It is infinite if either is infinite, even if the other is NaN. Throws DtypeError unless both are real floats.}];
}
def copysign : Function<"Tensor copysign(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the magnitude of `self` with the sign of `other`; the signs of zeros and NaN count. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def copysign_number : Function<"Tensor copysign(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the magnitude of `self` with the sign of a number; the sign of -0.0 counts. Bools and integers give the default dtype.}];
}
def nextafter : Function<"Tensor nextafter(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the next representable number after `self` towards `other`; `other` where both are equal. Throws DtypeError unless both are real floats.}];
}
def xlogy : Function<"Tensor xlogy(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self * log(other), which is 0 where `self` is 0 and `other` is not NaN. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def xlogy_number : Function<"Tensor xlogy(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns self * log(other) for a number `other`, as the overload with two tensors.}];
}
def xlogy_of_number : Function<"Tensor xlogy(Scalar self, const Tensor &other)"> {
  let doc = [{Returns self * log(other) for a number `self`, as the overload with two tensors.}];
}
def xlog1py : Function<"Tensor xlog1py(const Tensor &self, const Tensor &other)"> {
  let doc = [{Returns self * log1p(other), which is 0 where `self` is 0 and `other` is not NaN. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def xlog1py_number : Function<"Tensor xlog1py(const Tensor &self, Scalar other)"> {
  let doc = [{Returns self * log1p(other) for a number `other`, as the overload with two tensors.}];
}
def xlog1py_of_number : Function<"Tensor xlog1py(Scalar self, const Tensor &other)"> {
  let doc = [{Returns self * log1p(other) for a number `self`, as the overload with two tensors.}];
}
def logaddexp : Function<"Tensor logaddexp(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns log(exp(self) + exp(other)) without overflow. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def logaddexp2 : Function<"Tensor logaddexp2(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns log2(2 ** self + 2 ** other) without overflow. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def heaviside : Function<"Tensor heaviside(const Tensor &self, const Tensor &values)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 0 where `self` is negative or NaN, 1 where it is positive, and `values` where it is 0. Throws DtypeError if the dtypes differ or are complex.}];
}
def gcd : Function<"Tensor gcd(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the greatest common divisor, which is not negative; that of 0 and 0 is 0. Throws DtypeError unless the operands are integers.}];
}
def lcm : Function<"Tensor lcm(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the least common multiple, which is not negative; it is 0 if either is 0. Throws DtypeError unless the operands are integers.}];
}
def maximum : Function<"Tensor maximum(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns the greater of both, or NaN if either is NaN. Throws DtypeError for complex numbers.}];
}
def minimum : Function<"Tensor minimum(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns the smaller of both, or NaN if either is NaN. Throws DtypeError for complex numbers.}];
}
def fmax : Function<"Tensor fmax(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns the greater of both; if one is NaN, the other. Throws DtypeError for complex numbers.}];
}
def fmin : Function<"Tensor fmin(const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns the smaller of both; if one is NaN, the other. Throws DtypeError for complex numbers.}];
}
def clamp_number : Function<"Tensor clamp(const Tensor &self, std::optional<Scalar> min, std::optional<Scalar> max = {})",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with elements below `min` or above `max` replaced by that bound; `max` if it is below `min`. Throws ValueError if both bounds are missing, and DtypeError for bools and complex numbers.}];
}
def clamp : Function<"Tensor clamp(const Tensor &self, const Tensor &min, const Tensor &max = {})",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` clamped to tensors of bounds, which broadcast and take part in type promotion; one of them may be undefined. The result is NaN where a bound is NaN.}];
}
def clamp_min : Function<"Tensor clamp_min(const Tensor &self, const Tensor &min)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the greater of `self` and `min`, or NaN if either is NaN. Where both are equal, `self` gets the gradient. Throws DtypeError for bools and complex numbers.}];
}
def clamp_min_number : Function<"Tensor clamp_min(const Tensor &self, Scalar min)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the greater of `self` and a number, or NaN where `self` is NaN. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def clamp_max : Function<"Tensor clamp_max(const Tensor &self, const Tensor &max)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the smaller of `self` and `max`, or NaN if either is NaN. Where both are equal, `self` gets the gradient. Throws DtypeError for bools and complex numbers.}];
}
def clamp_max_number : Function<"Tensor clamp_max(const Tensor &self, Scalar max)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the smaller of `self` and a number, or NaN where `self` is NaN. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def lerp : Function<"Tensor lerp(const Tensor &self, const Tensor &end, const Tensor &weight)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self + weight * (end - self); a weight of 1 gives exactly `end`. Throws DtypeError unless `self` and `end` have the same dtype, which is a float or complex one.}];
}
def lerp_number : Function<"Tensor lerp(const Tensor &self, const Tensor &end, Scalar weight)",
                   [Method, InPlace]> {
  let doc = [{Returns self + weight * (end - self) for one number `weight`; errors as the overload with a tensor.}];
}
def addcmul : Function<"Tensor addcmul(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2, Scalar value = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self + value * tensor1 * tensor2; all three broadcast.}];
}
def addcdiv : Function<"Tensor addcdiv(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2, Scalar value = 1)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self + value * tensor1 / tensor2; all three broadcast. Throws DtypeError if both tensor1 and tensor2 are integers or bools.}];
}
def where : Function<"Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other)",
                   [Method, Out]> {
  let doc = [{Returns `self` where `condition` is true, else `other`; all three broadcast. Throws DtypeError unless the condition is bool or uint8.}];
}
def where_of_number : Function<"Tensor where(const Tensor &condition, Scalar self, const Tensor &other)"> {
  let doc = [{Returns a number where `condition` is true, else `other`. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def where_number : Function<"Tensor where(const Tensor &condition, const Tensor &self, Scalar other)",
                   [Method]> {
  let doc = [{Returns `self` where `condition` is true, else a number. The number changes the dtype only if its category, in the order bool, integer, float, complex, is higher than that of the tensor.}];
}
def where_numbers : Function<"Tensor where(const Tensor &condition, Scalar self, Scalar other)"> {
  let doc = [{Returns one of two numbers for each element of `condition`. Integers give int64, floats the default dtype.}];
}

//===- Comparisons, logic and bits -------------------------------------------===//

def eq : Function<"Tensor eq(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is equal to `other`, as bool, after type promotion. NaN is not equal to anything.}];
}
def eq_number : Function<"Tensor eq(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is equal to a number, as bool. The number is first converted to the common dtype.}];
}
def ne : Function<"Tensor ne(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is not equal to `other`, as bool, after type promotion. NaN differs from everything.}];
}
def ne_number : Function<"Tensor ne(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is not equal to a number, as bool. The number is first converted to the common dtype.}];
}
def lt : Function<"Tensor lt(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is less than `other`, as bool, after type promotion. Comparisons with NaN are false; throws DtypeError for complex numbers.}];
}
def lt_number : Function<"Tensor lt(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is less than a number, as bool. The number is first converted to the common dtype.}];
}
def le : Function<"Tensor le(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is less than or equal to `other`, as bool, after type promotion. Comparisons with NaN are false; throws DtypeError for complex numbers.}];
}
def le_number : Function<"Tensor le(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is less than or equal to a number, as bool. The number is first converted to the common dtype.}];
}
def gt : Function<"Tensor gt(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is greater than `other`, as bool, after type promotion. Comparisons with NaN are false; throws DtypeError for complex numbers.}];
}
def gt_number : Function<"Tensor gt(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is greater than a number, as bool. The number is first converted to the common dtype.}];
}
def ge : Function<"Tensor ge(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether `self` is greater than or equal to `other`, as bool, after type promotion. Comparisons with NaN are false; throws DtypeError for complex numbers.}];
}
def ge_number : Function<"Tensor ge(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns whether `self` is greater than or equal to a number, as bool. The number is first converted to the common dtype.}];
}
def isclose : Function<"Tensor isclose(const Tensor &self, const Tensor &other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false)",
                   [Method]> {
  let doc = [{Returns whether abs(self - other) <= atol + rtol * abs(other). Equal infinities are close, and NaN only to NaN with `equal_nan`. Throws DtypeError if the dtypes differ, and ValueError for a negative tolerance.}];
}
def allclose : Function<"bool allclose(const Tensor &self, const Tensor &other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false)",
                   [Method]> {
  let doc = [{Returns whether isclose is true for all elements; true without elements. It runs the operands' pending operations.}];
}
def equal : Function<"bool equal(const Tensor &self, const Tensor &other)",
                   [Method]> {
  let doc = [{Returns whether both have the same shape and equal elements; dtypes may differ, and NaN equals nothing. It runs the operands' pending operations if the shapes are equal.}];
}
def logical_and : Function<"Tensor logical_and(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether both elements are true, as bool. All numbers other than 0 are true, NaN too.}];
}
def logical_or : Function<"Tensor logical_or(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether at least one element is true, as bool. All numbers other than 0 are true, NaN too.}];
}
def logical_xor : Function<"Tensor logical_xor(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether exactly one element is true, as bool. All numbers other than 0 are true, NaN too.}];
}
def bitwise_and : Function<"Tensor bitwise_and(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the and of the bits; bools give whether both are true. Throws DtypeError unless the operands are integers or bools.}];
}
def bitwise_and_number : Function<"Tensor bitwise_and(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the and of the bits of `self` and a number; errors as the overload with two tensors.}];
}
def bitwise_and_of_number : Function<"Tensor bitwise_and(Scalar self, const Tensor &other)"> {
  let doc = [{Returns the and of the bits of a number and `other`; errors as the overload with two tensors.}];
}
def bitwise_or : Function<"Tensor bitwise_or(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the or of the bits; bools give whether at least one is true. Throws DtypeError unless the operands are integers or bools.}];
}
def bitwise_or_number : Function<"Tensor bitwise_or(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the or of the bits of `self` and a number; errors as the overload with two tensors.}];
}
def bitwise_or_of_number : Function<"Tensor bitwise_or(Scalar self, const Tensor &other)"> {
  let doc = [{Returns the or of the bits of a number and `other`; errors as the overload with two tensors.}];
}
def bitwise_xor : Function<"Tensor bitwise_xor(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the exclusive or of the bits; bools give whether exactly one is true. Throws DtypeError unless the operands are integers or bools.}];
}
def bitwise_xor_number : Function<"Tensor bitwise_xor(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns the exclusive or of the bits of `self` and a number; errors as the overload with two tensors.}];
}
def bitwise_xor_of_number : Function<"Tensor bitwise_xor(Scalar self, const Tensor &other)"> {
  let doc = [{Returns the exclusive or of the bits of a number and `other`; errors as the overload with two tensors.}];
}
def bitwise_left_shift : Function<"Tensor bitwise_left_shift(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with its bits shifted left by `other`. A shift by less than 0, or by the width or more, shifts all bits out. Throws DtypeError unless the common dtype is an integer one.}];
}
def bitwise_left_shift_number : Function<"Tensor bitwise_left_shift(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with its bits shifted left by a number, as the overload with two tensors.}];
}
def bitwise_left_shift_of_number : Function<"Tensor bitwise_left_shift(Scalar self, const Tensor &other)"> {
  let doc = [{Returns a number with its bits shifted left by each element of `other`, as the overload with two tensors.}];
}
def bitwise_right_shift : Function<"Tensor bitwise_right_shift(const Tensor &self, const Tensor &other)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` with its bits shifted right by `other`; signed integers keep their sign. A shift by less than 0, or by the width or more, shifts all bits out. Throws DtypeError unless the common dtype is an integer one.}];
}
def bitwise_right_shift_number : Function<"Tensor bitwise_right_shift(const Tensor &self, Scalar other)",
                   [Method, InPlace]> {
  let doc = [{Returns `self` with its bits shifted right by a number, as the overload with two tensors.}];
}
def bitwise_right_shift_of_number : Function<"Tensor bitwise_right_shift(Scalar self, const Tensor &other)"> {
  let doc = [{Returns a number with its bits shifted right by each element of `other`, as the overload with two tensors.}];
}
def logical_not : Function<"Tensor logical_not(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns whether each element is 0, as bool.}];
}
def bitwise_not : Function<"Tensor bitwise_not(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the complement of the bits of integers, and the opposite of bools. Throws DtypeError for floats and complex numbers.}];
}

//===- One operand -----------------------------------------------------------===//

def abs : Function<"Tensor abs(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the absolute value; of complex numbers, the real magnitude. Unsigned integers stay as they are. Throws DtypeError for bools.}];
}
def neg : Function<"Tensor neg(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns -self; unsigned integers wrap around. Throws DtypeError for bools.}];
}
def sign : Function<"Tensor sign(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns -1, 0 or 1 in the dtype of `self`; 0 for NaN. Throws DtypeError for complex numbers, for which sgn is defined.}];
}
def sgn : Function<"Tensor sgn(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{The same as sign, but complex numbers give x / abs(x), or 0 for 0.}];
}
def signbit : Function<"Tensor signbit(const Tensor &self)",
                   [Method, Out]> {
  let doc = [{Returns whether the sign bit is set, as bool; it is for -0.0. Throws DtypeError for complex numbers.}];
}
def positive : Function<"Tensor positive(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns the tensor itself. Throws DtypeError for bools.}];
}
def square : Function<"Tensor square(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self * self; bools give int64.}];
}
def sqrt : Function<"Tensor sqrt(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the square root; NaN for negative numbers, the principal root for complex ones. Bools and integers give the default dtype.}];
}
def rsqrt : Function<"Tensor rsqrt(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 1 / sqrt(self): infinity for 0, NaN for negative numbers. Bools and integers give the default dtype.}];
}
def reciprocal : Function<"Tensor reciprocal(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 1 / self: infinity for 0. Bools and integers give the default dtype.}];
}
def cbrt : Function<"Tensor cbrt(const Tensor &self)"> {
  let doc = [{Returns the real cube root, which negative numbers also have. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def ceil : Function<"Tensor ceil(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` rounded up; integers stay as they are. Throws DtypeError for bools and complex numbers.}];
}
def floor : Function<"Tensor floor(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` rounded down; integers stay as they are. Throws DtypeError for bools and complex numbers.}];
}
def trunc : Function<"Tensor trunc(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` rounded towards 0; integers stay as they are. Throws DtypeError for bools and complex numbers.}];
}
def frac : Function<"Tensor frac(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns self - trunc(self), which has the sign of `self`. Throws DtypeError unless `self` is a real float.}];
}
def round : Function<"Tensor round(const Tensor &self, int64_t decimals = 0)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns `self` rounded to `decimals` digits after the point, or before it if negative; ties go to the even neighbour. Throws DtypeError for bools, complex numbers, and integers with `decimals` other than 0.}];
}
def exp : Function<"Tensor exp(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns e ** self. Bools and integers give the default dtype.}];
}
def exp2 : Function<"Tensor exp2(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 2 ** self. Bools and integers give the default dtype.}];
}
def expm1 : Function<"Tensor expm1(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns e ** self - 1, accurate near 0. Bools and integers give the default dtype.}];
}
def log : Function<"Tensor log(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the natural logarithm: -infinity for 0, NaN for negative numbers. Bools and integers give the default dtype.}];
}
def log2 : Function<"Tensor log2(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the logarithm to base 2: -infinity for 0, NaN for negative numbers. Bools and integers give the default dtype.}];
}
def log10 : Function<"Tensor log10(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the logarithm to base 10: -infinity for 0, NaN for negative numbers. Bools and integers give the default dtype.}];
}
def log1p : Function<"Tensor log1p(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns log(1 + self), accurate near 0: -infinity for -1, NaN below. Bools and integers give the default dtype.}];
}
def sin : Function<"Tensor sin(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the sine of radians; NaN for infinities. Bools and integers give the default dtype.}];
}
def cos : Function<"Tensor cos(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the cosine of radians; NaN for infinities. Bools and integers give the default dtype.}];
}
def tan : Function<"Tensor tan(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the tangent of radians; NaN for infinities. Bools and integers give the default dtype.}];
}
def asin : Function<"Tensor asin(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse sine in [-pi/2, pi/2]; NaN for real numbers outside [-1, 1]. Bools and integers give the default dtype.}];
}
def acos : Function<"Tensor acos(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse cosine in [0, pi]; NaN for real numbers outside [-1, 1]. Bools and integers give the default dtype.}];
}
def atan : Function<"Tensor atan(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse tangent in [-pi/2, pi/2]. Bools and integers give the default dtype.}];
}
def sinh : Function<"Tensor sinh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the hyperbolic sine. Bools and integers give the default dtype.}];
}
def cosh : Function<"Tensor cosh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the hyperbolic cosine. Bools and integers give the default dtype.}];
}
def tanh : Function<"Tensor tanh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the hyperbolic tangent: -1 and 1 for the infinities. Bools and integers give the default dtype.}];
}
def asinh : Function<"Tensor asinh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse hyperbolic sine. Bools and integers give the default dtype.}];
}
def acosh : Function<"Tensor acosh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse hyperbolic cosine; NaN for real numbers below 1. Bools and integers give the default dtype.}];
}
def atanh : Function<"Tensor atanh(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse hyperbolic tangent: infinities for -1 and 1, NaN for real numbers outside [-1, 1]. Bools and integers give the default dtype.}];
}
def sinc : Function<"Tensor sinc(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns sin(pi * x) / (pi * x), which is 1 at 0. Bools and integers give the default dtype.}];
}
def erf : Function<"Tensor erf(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the error function. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def erfc : Function<"Tensor erfc(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 1 - erf(self) without cancellation for great numbers. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def erfinv : Function<"Tensor erfinv(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the inverse error function: infinities for -1 and 1, NaN outside [-1, 1]. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def lgamma : Function<"Tensor lgamma(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns log(abs(gamma(self))): infinity for 0 and negative integers. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def digamma : Function<"Tensor digamma(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the derivative of the logarithm of gamma: NaN for negative integers, an infinity of the opposite sign for 0.0 and -0.0. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def polygamma : Function<"Tensor polygamma(int64_t n, const Tensor &self)",
                   [Method, Out]> {
  let doc = [{Returns the n-th derivative of digamma. Bools and integers give the default dtype. Throws ValueError for a negative `n` and DtypeError for complex numbers.}];
}
def mvlgamma : Function<"Tensor mvlgamma(const Tensor &self, int64_t p)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the logarithm of the multivariate gamma function of dimension `p`. Integers give the default dtype. Throws ValueError for `p` below 1, and DtypeError for bools and complex numbers.}];
}
def i0 : Function<"Tensor i0(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns the modified Bessel function of the first kind of order 0. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def i1e : Function<"Tensor i1e(const Tensor &self)"> {
  let doc = [{Returns exp(-abs(x)) times the modified Bessel function of the first kind of order 1. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def sigmoid : Function<"Tensor sigmoid(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Returns 1 / (1 + exp(-self)). Bools and integers give the default dtype.}];
}
def logit : Function<"Tensor logit(const Tensor &self, std::optional<double> eps = {})",
                   [Method, InPlace, Out]> {
  let doc = [{Returns log(x / (1 - x)). With `eps`, x is first clamped to [eps, 1 - eps]; without it, x outside [0, 1] gives NaN. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def deg2rad : Function<"Tensor deg2rad(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Converts degrees to radians. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def rad2deg : Function<"Tensor rad2deg(const Tensor &self)",
                   [Method, InPlace, Out]> {
  let doc = [{Converts radians to degrees. Bools and integers give the default dtype; throws DtypeError for complex numbers.}];
}
def isnan : Function<"Tensor isnan(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns whether each element is NaN, as bool. A complex number is NaN if either part is.}];
}
def isinf : Function<"Tensor isinf(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns whether each element is infinite, as bool. A complex number is infinite if either part is.}];
}
def isfinite : Function<"Tensor isfinite(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns whether each element is neither infinite nor NaN, as bool. Both parts of a complex number must be finite.}];
}
def isposinf : Function<"Tensor isposinf(const Tensor &self)",
                   [Method, Out]> {
  let doc = [{Returns whether each element is +infinity, as bool. Throws DtypeError for complex numbers.}];
}
def isneginf : Function<"Tensor isneginf(const Tensor &self)",
                   [Method, Out]> {
  let doc = [{Returns whether each element is -infinity, as bool. Throws DtypeError for complex numbers.}];
}
def nan_to_num : Function<"Tensor nan_to_num(const Tensor &self, std::optional<double> nan = {}, std::optional<double> posinf = {}, std::optional<double> neginf = {})",
                   [Method, InPlace, Out]> {
  let doc = [{Replaces NaN by `nan`, 0 by default, and infinities by `posinf` and `neginf`, by default the limits of the dtype; for complex numbers, in both parts. Bools and integers stay as they are.}];
}
def conj : Function<"Tensor conj(const Tensor &self)",
                   [Method]> {
  let doc = [{Returns a view that shows the complex conjugates; the tensor itself if it is real.}];
}
def angle : Function<"Tensor angle(const Tensor &self)",
                   [Method, Out]> {
  let doc = [{Returns the angle of complex numbers in [-pi, pi] in a real dtype. Real numbers give 0, pi if negative, and NaN for NaN. Bools and integers give the default dtype.}];
}

#endif
