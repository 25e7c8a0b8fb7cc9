// Products of a sparse matrix in CSR format and a dense vector or matrix.
#include "lapack_calls.h"

#include <type_traits>

namespace xlac::library {

namespace {

/// The type of sums of T; sums of integers wrap around.
template <class T, bool whole = std::is_integral_v<T>> struct SumOf {
  using type = T;
};
template <class T> struct SumOf<T, true> {
  using type = std::make_unsigned_t<T>;
};

void expect(bool holds, const char *what) {
  if (!holds)
    reject(what);
}

/// (values, column indices, row starts, dense) to the product. Elements outside
/// of all rows are not read.
template <class T, class Index> void multiply(const CustomCall &call) {
  using Sum = typename SumOf<T>::type;
  const auto &values = call.operands[0], &columns = call.operands[1],
             &starts = call.operands[2], &dense = call.operands[3],
             &out = call.results[0];
  bool is_matrix = dense.sizes.size() == 2;
  int64_t width = is_matrix ? dense.sizes[1] : 1;
  int64_t dense_step = is_matrix ? dense.strides[1] : 0;
  int64_t out_step = is_matrix ? out.strides[1] : 0;
  auto start = [&](int64_t row) {
    return static_cast<int64_t>(starts.as<Index>()[row * starts.strides[0]]);
  };
  call.parallel_for(out.sizes[0], [&](int64_t begin, int64_t end) {
    std::vector<Sum> sums(width);
    for (int64_t row = begin; row < end; ++row) {
      int64_t from = start(row), to = start(row + 1);
      expect(0 <= from && from <= to && to <= values.sizes[0],
             "has starts of rows that do not rise, or leave the values");
      std::fill(sums.begin(), sums.end(), Sum(0));
      for (int64_t i = from; i < to; ++i) {
        auto column =
            static_cast<int64_t>(columns.as<Index>()[i * columns.strides[0]]);
        expect(0 <= column && column < dense.sizes[0],
               "has a column number that the dense operand has no row for");
        auto factor = static_cast<Sum>(values.as<T>()[i * values.strides[0]]);
        const T *line = dense.as<T>() + column * dense.strides[0];
        for (int64_t j = 0; j < width; ++j)
          sums[j] += factor * static_cast<Sum>(line[j * dense_step]);
      }
      T *line = out.as<T>() + row * out.strides[0];
      for (int64_t j = 0; j < width; ++j)
        line[j * out_step] = static_cast<T>(sums[j]);
    }
  });
}

/// Multiplies if the element type is `name`, the name of T.
template <class T>
void multiply_if(const CustomCall &call, std::string_view name) {
  if (call.operands[0].element_type != name)
    return;
  if (call.operands[1].element_type == "i32")
    multiply<T, int32_t>(call);
  else
    multiply<T, int64_t>(call);
}

void csr_times_dense(const CustomCall &call) {
  multiply_if<float>(call, "f32");
  multiply_if<double>(call, "f64");
  multiply_if<std::complex<float>>(call, "complex<f32>");
  multiply_if<std::complex<double>>(call, "complex<f64>");
  multiply_if<int32_t>(call, "i32");
  multiply_if<int64_t>(call, "i64");
}

/// Values, column indices, row starts and a dense vector or matrix, for each
/// type that has a product.
std::string signature() {
  std::string forms;
  for (std::string type :
       {"f32", "f64", "complex<f32>", "complex<f64>", "i32", "i64"})
    for (std::string index : {"i32", "i64"})
      for (std::string columns : {"", ",k"})
        forms += (forms.empty() ? "" : "; ") + type + "[v], " + index +
                 "[v], " + index + "[m], " + type + "[n" + columns + "] -> " +
                 type + "[m-1" + columns + "]";
  return forms;
}

} // namespace

void add_sparse_products(CustomCallTable &table) {
  add_call(table, "cpu_csr_sparse_dense_ffi",
           CallSignature::without_batches(signature()), csr_times_dense);
}

} // namespace xlac::library
