// Direct access to the elements of cpu tensors.
#pragma once

#include "xlac/tensor.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace xlac {

/// The elements of a cpu tensor with N dimensions, as libtorch's
/// TensorAccessor: a[i][j] is an element of a matrix. Indices are not checked.
/// The tensor must outlive it.
template <class T, size_t N> class TensorAccessor {
public:
  /// Elements at that address with these sizes and strides.
  TensorAccessor(T *data, const int64_t *sizes, const int64_t *strides)
      : data_(data) {
    for (size_t i = 0; i < N; ++i) {
      sizes_[i] = sizes[i];
      strides_[i] = strides[i];
    }
  }

  /// The address of the first element.
  T *data() const { return data_; }
  /// In elements.
  int64_t stride(size_t dim) const { return strides_[dim]; }
  /// The size of a dimension.
  int64_t size(size_t dim) const { return sizes_[dim]; }
  /// The sizes of all dimensions.
  IntArrayRef sizes() const { return {sizes_.data(), N}; }
  /// The strides in elements.
  IntArrayRef strides() const { return {strides_.data(), N}; }

  /// The element of a vector, or the accessor of a part.
  decltype(auto) operator[](int64_t index) const {
    T *part = data_ + index * strides_[0];
    if constexpr (N == 1)
      return static_cast<T &>(*part);
    else
      return TensorAccessor<T, N - 1>(part, sizes_.data() + 1,
                                      strides_.data() + 1);
  }

private:
  T *data_;
  std::array<int64_t, N> sizes_, strides_;
};

template <class T, size_t N>
  requires(N > 0)
TensorAccessor<T, N> Tensor::accessor() const {
  detail::check_accessor_rank(*this, N);
  Shape lengths = sizes(), steps = strides();
  return {data_ptr<std::remove_const_t<T>>(), lengths.data(), steps.data()};
}

} // namespace xlac
