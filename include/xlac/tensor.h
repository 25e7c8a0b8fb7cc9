// The tensor handle. A copy of a Tensor refers to the same tensor; clone()
// makes a new one. On the cpu operations compute eagerly. On xla devices they
// are recorded and execute when a value is read or at sync().
#pragma once

#include "xlac/types.h"

#include <concepts>
#include <cstring> // for programs that copy from data_ptr()
#include <functional>
#include <memory>
#include <tuple>
#include <type_traits>

namespace xlac {
namespace detail {
class TensorImpl;
struct TensorAccess;
} // namespace detail

class Tensor;
template <class T, size_t N> class TensorAccessor;

/// One subscript of Tensor::index.
class XLAC_API TensorIndex {
public:
  /// A position, a range, a new axis or the dimensions in between.
  TensorIndex(int i) : v_(int64_t{i}) {}
  /// A position, a range, a new axis or the dimensions in between.
  TensorIndex(int64_t i) : v_(i) {}
  /// A new axis of size 1, or of size 0 for false.
  TensorIndex(bool b) : v_(b) {}
  /// A position, a range, a new axis or the dimensions in between.
  TensorIndex(Slice s) : v_(s) {}
  /// A position, a range, a new axis or the dimensions in between.
  TensorIndex(None_t n) : v_(n) {}
  /// A position, a range, a new axis or the dimensions in between.
  TensorIndex(Ellipsis_t e) : v_(e) {}
  /// An index tensor or a boolean mask.
  TensorIndex(const Tensor &tensor);

private:
  friend struct detail::TensorAccess;
  std::variant<int64_t, bool, Slice, None_t, Ellipsis_t,
               std::shared_ptr<detail::TensorImpl>>
      v_;
};

/// A tensor on the cpu or on an xla device.
class XLAC_API Tensor {
public:
  /// An undefined tensor; it supports only defined() and assignment.
  Tensor() = default;
  Tensor(const Tensor &) = default;
  Tensor(Tensor &&) = default;
  Tensor &operator=(const Tensor &) & = default;
  Tensor &operator=(Tensor &&) & = default;
  /// `x[0] = y` and `x[0] = 1` write into the view, as in Python. ValueError on
  /// a temporary whose values would be lost.
  Tensor &operator=(const Tensor &values) &&;
  Tensor &operator=(Scalar value) &&;
  /// Whether this is a tensor.
  bool defined() const { return impl_ != nullptr; }

  // Properties; reading them executes nothing.
  /// The element type.
  Dtype dtype() const;
  /// The device.
  Device device() const;
  /// The number of dimensions.
  int64_t dim() const;
  /// The sizes of all dimensions.
  Shape sizes() const;
  /// Negative dims count from the end.
  int64_t size(int64_t dim) const;
  /// The number of elements.
  int64_t numel() const;
  /// Bytes of an element.
  int64_t element_size() const;
  /// Bytes of all elements.
  int64_t nbytes() const;
  /// Whether the elements are real floating-point numbers.
  bool is_floating_point() const;
  /// Whether the elements are complex.
  bool is_complex() const;
  /// The dtype and the device.
  TensorOptions options() const;
  /// Unique in the process.
  int64_t id() const;
  /// Whether both handles refer to the same tensor, as `a is b` in Python.
  bool is_same(const Tensor &other) const;
  /// Whether the tensor is on an xla device.
  bool is_xla() const;
  /// Whether the tensor is on the cpu.
  bool is_cpu() const;

  // Layout: xla tensors always appear contiguous and have no storage.
  /// Whether the elements are adjacent in row-major order.
  bool is_contiguous() const;
  /// Distances between neighbours along each dimension, in elements.
  Shape strides() const;
  /// True on the cpu: xla tensors have no memory that programs may use.
  bool has_storage() const;
  /// Pointer to the first element; DeviceError for xla tensors.
  template <class T> T *data_ptr() const {
    return static_cast<T *>(raw_data(dtype_of<T>()));
  }
  /// Same as data_ptr, for reading.
  template <class T> const T *const_data_ptr() const { return data_ptr<T>(); }
  /// Same as data_ptr, for writing.
  template <class T> T *mutable_data_ptr() const { return data_ptr<T>(); }
  /// The elements of a cpu tensor with N dimensions, by index; ShapeError for
  /// another number. Defined in xlac/tensor_accessor.h.
  template <class T, size_t N>
    requires(N > 0)
  TensorAccessor<T, N> accessor() const;

  // Values: these execute the tensor's pending graph, once.
  /// The value of a tensor with one element; ValueError for other sizes.
  template <class T> T item() const { return item().template to<T>(); }
  /// The value of the only element; waits for it.
  Scalar item() const;
  /// A row-major copy, converted to T.
  template <class T> std::vector<T> to_vector() const;
  /// Whether the only element is not 0; waits for it.
  explicit operator bool() const;
  /// PyTorch's repr: tensor([5], device='xla:0').
  std::string str() const;
  /// Same as to(Device(kCPU)).
  Tensor cpu() const;
  /// Returns *this if it is on `device`, else a copy.
  Tensor to(Device device, bool non_blocking = false) const;
  /// The device is given by name.
  Tensor to(const char *device, bool non_blocking = false) const {
    return to(Device(device), non_blocking);
  }
  /// Returns *this if it has `dtype`, else a copy.
  Tensor to(Dtype dtype) const;
  /// The tensor with other options; itself if it has them already.
  Tensor to(const TensorOptions &options) const;
  /// The tensor with other options; itself if it has them already.
  Tensor to(const Tensor &like) const;

  // Views.
  /// Whether the tensor is a view of another one.
  bool is_view() const;
  /// Whether both share memory.
  bool is_alias_of(const Tensor &other) const;
  /// Same as detach(), but a write through one does not count as a change of
  /// the other.
  Tensor data() const;
  /// The view of that position of the first dimension.
  Tensor operator[](int64_t i) const;
  /// t[...]: a view if no subscript is a tensor, else a copy.
  Tensor index(std::initializer_list<TensorIndex> indices) const;
  /// t[...] = value, broadcast. With `accumulate`, `value` is added to the
  /// elements, once for each occurrence of an element in the indices.
  Tensor &index_put_(std::initializer_list<TensorIndex> indices,
                     const Tensor &value, bool accumulate = false);
  /// Writes the value to the elements, or adds it.
  Tensor &index_put_(std::initializer_list<TensorIndex> indices, Scalar value,
                     bool accumulate = false);

  // Gradients.
  /// Whether gradients flow to this tensor: a leaf that requires a gradient, or
  /// a result computed from one.
  bool requires_grad() const;
  /// DtypeError unless floating or complex. UserError when turning it off for a
  /// result.
  Tensor &requires_grad_(bool on = true);
  /// True if no recorded operation produced it.
  bool is_leaf() const;
  /// The gradient accumulated by backward(), for a leaf or after retain_grad();
  /// undefined if there is none.
  Tensor grad() const;
  /// Sets the gradient, which must have the tensor's shape, dtype and device.
  /// An undefined tensor clears it.
  void set_grad(const Tensor &grad);
  /// Makes set_grad assignable: t.mutable_grad() = gradient.
  class MutableGrad;
  /// The gradient as libtorch shows it: assignable.
  MutableGrad mutable_grad();
  /// Name of the gradient function, such as "AddBackward0"; "" for leaves.
  std::string grad_fn() const;
  /// Retains `grad` for a tensor that is not a leaf.
  void retain_grad();
  /// Same as autograd::backward for this tensor.
  void backward(const Tensor &gradient = {},
                std::optional<bool> retain_graph = {},
                bool create_graph = false) const;
  /// Registers a function that receives the tensor's gradient. If it returns a
  /// defined tensor, that replaces the gradient.
  void register_hook(std::function<Tensor(const Tensor &)> hook);

  // In-place operators keep the dtype and shape of *this.
  /// Same as add_(other).
  Tensor &operator+=(const Tensor &other) { return add_(other); }
  /// Same as sub_(other).
  Tensor &operator-=(const Tensor &other) { return sub_(other); }
  /// Same as mul_(other).
  Tensor &operator*=(const Tensor &other) { return mul_(other); }
  /// Same as div_(other).
  Tensor &operator/=(const Tensor &other) { return div_(other); }
  /// Same as add_(other).
  Tensor &operator+=(Scalar other) { return add_(other); }
  /// Same as sub_(other).
  Tensor &operator-=(Scalar other) { return sub_(other); }
  /// Same as mul_(other).
  Tensor &operator*=(Scalar other) { return mul_(other); }
  /// Same as div_(other).
  Tensor &operator/=(Scalar other) { return div_(other); }

  // The functions of ops.h as methods: *this is their operand `self`. Methods
  // whose names end in `_` write the result into *this.
#include "xlac/generated/methods.inc"
  // Overloads for braces, which are lists of dims or sizes. Without them {}
  // could also be a number, a dtype or a tensor.
  /// The sum over these dimensions, or all.
  Tensor sum(std::initializer_list<int64_t> dims, bool keepdim = false,
             std::optional<Dtype> dtype = {}) const {
    return sum(IntArrayRef(dims), keepdim, dtype);
  }
  /// The mean over these dimensions.
  Tensor mean(std::initializer_list<int64_t> dims, bool keepdim = false,
              std::optional<Dtype> dtype = {}) const {
    return mean(IntArrayRef(dims), keepdim, dtype);
  }
  /// A view with these sizes.
  Tensor view(std::initializer_list<int64_t> sizes) const {
    return view(IntArrayRef(sizes));
  }
  /// A view without these dimensions, where their size is 1.
  Tensor squeeze(std::initializer_list<int64_t> dims) const {
    return squeeze(IntArrayRef(dims));
  }
  /// Views of parts with these sizes.
  std::vector<Tensor> split(std::initializer_list<int64_t> split_sizes,
                            int64_t dim = 0) const {
    return split(IntArrayRef(split_sizes), dim);
  }
  /// Views of parts that begin at these indices.
  std::vector<Tensor> tensor_split(std::initializer_list<int64_t> indices,
                                   int64_t dim = 0) const {
    return tensor_split(IntArrayRef(indices), dim);
  }
  // Functions that take no list reject braces.
  void prod(std::initializer_list<int64_t>, bool = false) const = delete;
  void max(std::initializer_list<int64_t>, bool = false) const = delete;
  void min(std::initializer_list<int64_t>, bool = false) const = delete;
  void squeeze_(std::initializer_list<int64_t>) = delete;
  void quantile(std::initializer_list<int64_t>, std::optional<int64_t> = {},
                bool = false) const = delete;
  void repeat_interleave(std::initializer_list<int64_t>,
                         std::optional<int64_t> = {}) const = delete;
  void bernoulli_(std::initializer_list<int64_t>) = delete;
  // A template, so that {0} is a list of dims and not a bool.
  /// The sum over these dimensions, or all.
  template <std::same_as<bool> Flag> Tensor sum(Flag keepdim) const {
    return sum(Shape(), keepdim);
  }

private:
  friend struct detail::TensorAccess;
  void *raw_data(Dtype dtype) const;
  std::shared_ptr<detail::TensorImpl> impl_;
};

/// A gradient that can be read and replaced.
class Tensor::MutableGrad {
public:
  /// The gradient of that tensor.
  explicit MutableGrad(Tensor tensor) : tensor_(std::move(tensor)) {}
  MutableGrad(const MutableGrad &) = default;
  MutableGrad &operator=(const Tensor &grad) {
    tensor_.set_grad(grad);
    return *this;
  }
  MutableGrad &operator=(const MutableGrad &other) {
    return *this = Tensor(other);
  }
  /// The gradient; undefined if there is none.
  operator Tensor() const { return tensor_.grad(); }
  /// Whether there is a gradient.
  bool defined() const { return tensor_.grad().defined(); }

private:
  Tensor tensor_;
};
inline Tensor::MutableGrad Tensor::mutable_grad() { return MutableGrad(*this); }

/// Same as Tensor::index_put_ on a copy of `self`.
XLAC_API Tensor index_put(const Tensor &self,
                          std::initializer_list<TensorIndex> indices,
                          const Tensor &value, bool accumulate = false);

/// Writes Tensor::str(), which runs the tensor's pending operations.
XLAC_API std::ostream &operator<<(std::ostream &os, const Tensor &tensor);

/// PyTorch's print options, with its defaults.
struct PrintOptions {
  /// Digits, and from which size and to which length lines are shortened, as in
  /// torch.set_printoptions.
  int precision = 4, threshold = 1000, edgeitems = 3, linewidth = 80;
  /// Scientific notation; by default where values need it.
  std::optional<bool> sci_mode = {};
};
/// Sets the options of Tensor::str() and operator<< for the process.
XLAC_API void set_printoptions(PrintOptions options);

namespace detail {
/// Copies numel(sizes) elements of dtype `source` at `data` into a new tensor.
/// Its dtype is that of the options, or `fallback` if they set none.
XLAC_API Tensor from_memory(const void *data, Dtype source, IntArrayRef sizes,
                            TensorOptions options, Dtype fallback);
/// Writes the elements, converted to `dtype`, to `to` in row-major order.
XLAC_API void read_elements(const Tensor &tensor, Dtype dtype, void *to);
/// Throws ShapeError unless the tensor has `rank` dimensions.
XLAC_API void check_accessor_rank(const Tensor &tensor, size_t rank);
/// Throws the ShapeError for nested lists of different lengths.
[[noreturn]] XLAC_API void throw_ragged(size_t expected, size_t got);

/// The default dtype of a list of T: int64 for integers and the default dtype
/// for real numbers, as in Python.
template <class T> Dtype list_dtype() {
  if constexpr (std::is_same_v<T, bool>)
    return kBool;
  else if constexpr (std::is_integral_v<T>)
    return kInt64;
  else if constexpr (std::is_floating_point_v<T>)
    return get_default_dtype();
  else
    return dtype_of<T>();
}
template <class T> struct Element {
  using type = T;
};
template <> struct Element<bool> {
  using type = uint8_t;
};
template <class T> Dtype element_dtype() {
  return std::is_same_v<T, bool> ? kBool : dtype_of<T>();
}
} // namespace detail

//===- From data; a nested list gives the shape ---------------------------===//

/// A tensor of rank 0. Lists of numbers have the overloads below.
XLAC_API Tensor tensor(Scalar value, TensorOptions options = {});

/// A new tensor of these values.
template <class T>
Tensor tensor(std::initializer_list<T> list, TensorOptions options = {}) {
  std::vector<typename detail::Element<T>::type> flat(list.begin(), list.end());
  return detail::from_memory(flat.data(), detail::element_dtype<T>(),
                             Shape{static_cast<int64_t>(list.size())}, options,
                             detail::list_dtype<T>());
}

/// A new tensor of these values.
template <class T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> list,
              TensorOptions options = {}) {
  size_t columns = list.size() ? list.begin()->size() : 0;
  std::vector<typename detail::Element<T>::type> flat;
  for (const auto &row : list) {
    if (row.size() != columns)
      detail::throw_ragged(columns, row.size());
    flat.insert(flat.end(), row.begin(), row.end());
  }
  Shape sizes{static_cast<int64_t>(list.size()), static_cast<int64_t>(columns)};
  return detail::from_memory(flat.data(), detail::element_dtype<T>(), sizes,
                             options, detail::list_dtype<T>());
}

/// A new tensor of these values.
template <class T>
Tensor tensor(
    std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
    TensorOptions options = {}) {
  size_t rows = list.size() ? list.begin()->size() : 0;
  size_t columns = rows ? list.begin()->begin()->size() : 0;
  std::vector<typename detail::Element<T>::type> flat;
  for (const auto &plane : list) {
    if (plane.size() != rows)
      detail::throw_ragged(rows, plane.size());
    for (const auto &row : plane) {
      if (row.size() != columns)
        detail::throw_ragged(columns, row.size());
      flat.insert(flat.end(), row.begin(), row.end());
    }
  }
  Shape sizes{static_cast<int64_t>(list.size()), static_cast<int64_t>(rows),
              static_cast<int64_t>(columns)};
  return detail::from_memory(flat.data(), detail::element_dtype<T>(), sizes,
                             options, detail::list_dtype<T>());
}

/// A new tensor of these values.
template <class T>
Tensor tensor(const std::vector<T> &list, TensorOptions options = {}) {
  std::vector<typename detail::Element<T>::type> flat(list.begin(), list.end());
  return detail::from_memory(flat.data(), detail::element_dtype<T>(),
                             Shape{static_cast<int64_t>(list.size())}, options,
                             detail::list_dtype<T>());
}

/// Copies the elements at `data`. The dtype is that of the options, or of T.
template <class T>
Tensor from_data(const T *data, IntArrayRef sizes, TensorOptions options = {}) {
  return detail::from_memory(data, dtype_of<T>(), sizes, options,
                             dtype_of<T>());
}

/// A cpu tensor that uses the memory at `data` without a copy. `deleter`, if
/// set, is called with `data` when no tensor uses the memory any more.
XLAC_API Tensor from_blob(void *data, IntArrayRef sizes,
                          std::function<void(void *)> deleter,
                          TensorOptions options = {});
/// The memory must outlive all tensors that use it.
XLAC_API Tensor from_blob(void *data, IntArrayRef sizes,
                          TensorOptions options = {});
/// Elements are `strides` elements apart. ValueError for negative ones.
XLAC_API Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                          std::function<void(void *)> deleter,
                          TensorOptions options = {});
/// A tensor on the cpu over memory of the caller, which must outlive it.
XLAC_API Tensor from_blob(void *data, IntArrayRef sizes, IntArrayRef strides,
                          TensorOptions options = {});
/// A tensor on the cpu over memory of the caller, which must outlive it.
inline Tensor from_blob(void *data, IntArrayRef sizes,
                        std::initializer_list<int64_t> strides,
                        TensorOptions options = {}) {
  return from_blob(data, sizes, IntArrayRef(strides), options);
}

template <class T> std::vector<T> Tensor::to_vector() const {
  std::vector<typename detail::Element<T>::type> values(
      static_cast<size_t>(numel()));
  detail::read_elements(*this, detail::element_dtype<T>(), values.data());
  return std::vector<T>(values.begin(), values.end());
}

} // namespace xlac
