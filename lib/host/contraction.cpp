// Dots and convolutions, as GEMMs in wide form.
#include "op_context.h"
#include "window.h"

#include <Eigen/Core>

#include <algorithm>
#include <type_traits>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

namespace {

template <class Wide>
using Matrix =
    Eigen::Matrix<Wide, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class Wide>
using MatrixView = Eigen::Ref<const Matrix<Wide>, 0, Eigen::OuterStride<>>;

/// c = x * y, with K of at least one. A large K is split in halves whose
/// results are added, so that rounding errors grow with the logarithm of K.
template <class Wide>
void multiply(const MatrixView<Wide> &x, const MatrixView<Wide> &y,
              Eigen::Ref<Matrix<Wide>, 0, Eigen::OuterStride<>> c) {
  constexpr Eigen::Index kMostInOne = 1024;
  Eigen::Index depth = x.cols(), half = depth / 2;
  if (depth <= kMostInOne || std::is_integral_v<Wide>) {
    c.noalias() = x * y;
    return;
  }
  multiply<Wide>(x.leftCols(half), y.topRows(half), c);
  Matrix<Wide> right(c.rows(), c.cols());
  multiply<Wide>(x.rightCols(depth - half), y.bottomRows(depth - half), right);
  c += right;
}

/// Elements of `from` in wide form, with dimensions in the order `order`.
template <class Wide>
std::vector<Wide> permuted(const Literal &from, const Dims &order) {
  std::vector<Wide> plain(from.count()), result(from.count());
  load(from, 0, from.count(), plain.data());
  Dims source = row_major_strides(from.type().dims), sizes, strides;
  for (int64_t dim : order) {
    sizes.push_back(from.type().dims[dim]);
    strides.push_back(source[dim]);
  }
  for_each_strided(sizes, strides, 0,
                   [&](int64_t t, int64_t f) { result[t] = plain[f]; });
  return result;
}

Dims remaining(size_t rank, const Dims &a, const Dims &b) {
  Dims rest;
  for (int64_t i = 0; i < static_cast<int64_t>(rank); ++i)
    if (std::find(a.begin(), a.end(), i) == a.end() &&
        std::find(b.begin(), b.end(), i) == b.end())
      rest.push_back(i);
  return rest;
}

Dims joined(const Dims &a, const Dims &b, const Dims &c) {
  Dims all = a;
  all.insert(all.end(), b.begin(), b.end());
  all.insert(all.end(), c.begin(), c.end());
  return all;
}

int64_t extent(const Literal &from, const Dims &dims) {
  int64_t total = 1;
  for (int64_t dim : dims)
    total *= from.type().dims[dim];
  return total;
}

//===- dot_general --------------------------------------------------------===//

struct DotDims {
  Dims lhs_batch, rhs_batch, lhs_contracting, rhs_contracting;
};

template <class Wide>
Result<Literals> dot_as(OpContext &context, const DotDims &dims) {
  const Literal &lhs = context.operand(0), &rhs = context.operand(1);
  Dims lhs_free =
      remaining(lhs.type().dims.size(), dims.lhs_batch, dims.lhs_contracting);
  Dims rhs_free =
      remaining(rhs.type().dims.size(), dims.rhs_batch, dims.rhs_contracting);
  std::vector<Wide> a = permuted<Wide>(
      lhs, joined(dims.lhs_batch, lhs_free, dims.lhs_contracting));
  std::vector<Wide> b = permuted<Wide>(
      rhs, joined(dims.rhs_batch, dims.rhs_contracting, rhs_free));
  int64_t batches = extent(lhs, dims.lhs_batch);
  int64_t m = extent(lhs, lhs_free), n = extent(rhs, rhs_free);
  int64_t k = extent(lhs, dims.lhs_contracting);
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  Matrix<Wide> c(m, n);
  for (int64_t batch = 0; batch < batches && m * n > 0; ++batch) {
    Eigen::Map<const Matrix<Wide>> x(a.data() + batch * m * k, m, k);
    Eigen::Map<const Matrix<Wide>> y(b.data() + batch * k * n, k, n);
    if (k == 0)
      c.setZero();
    else
      multiply<Wide>(x, y, c);
    store(*to, batch * m * n, m * n, c.data());
  }
  return Literals{std::move(*to)};
}

Result<Literals> dot(OpContext &context, const DotDims &dims) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return dot_as<Complex>(context, dims);
  return is_float(type) ? dot_as<double>(context, dims)
                        : dot_as<uint64_t>(context, dims);
}

//===- convolution --------------------------------------------------------===//

struct Convolution {
  Window window; ///< over the spatial dimensions
  std::vector<bool> reversal;
  Dims output; ///< spatial sizes
  int64_t lhs_batch, lhs_features, kernel_features, output_features;
  int64_t feature_groups, batch_groups;
};

/// One row of the patch matrix: the features [first, first + kernel_features)
/// of image `batch` in window `index`.
template <class Wide>
void fill_patch(const Convolution &c, const std::vector<Wide> &image,
                int64_t batch, int64_t first, const Dims &index, Wide *row) {
  size_t rank = c.window.sizes.size();
  Dims strides = row_major_strides(c.window.input);
  int64_t plane = product(c.window.input);
  Dims offset(rank, 0), at(rank, 0);
  do {
    if (!c.window.source_index(index, offset, at)) {
      std::fill_n(row, c.kernel_features, Wide(0));
    } else {
      const Wide *from =
          image.data() +
          (batch * plane + offset_of(at, strides)) * c.lhs_features + first;
      std::copy_n(from, c.kernel_features, row);
    }
    row += c.kernel_features;
  } while (next_index(offset, c.window.sizes));
}

/// The kernel of one group as [spatial and input features, output features],
/// with reversed windows flipped.
template <class Wide>
Matrix<Wide> kernel_matrix(const Convolution &c,
                           const std::vector<Wide> &kernel, int64_t first,
                           int64_t count) {
  int64_t positions = product(c.window.sizes);
  Matrix<Wide> matrix(positions * c.kernel_features, count);
  Dims offset(c.window.sizes.size(), 0);
  Dims strides = row_major_strides(c.window.sizes);
  for (int64_t p = 0; p < positions; ++p) {
    int64_t from = 0;
    for (size_t i = 0; i < offset.size(); ++i)
      from += (c.reversal[i] ? c.window.sizes[i] - 1 - offset[i] : offset[i]) *
              strides[i];
    for (int64_t f = 0; f < c.kernel_features; ++f)
      for (int64_t o = 0; o < count; ++o)
        matrix(p * c.kernel_features + f, o) =
            kernel[(from * c.kernel_features + f) * c.output_features + first +
                   o];
    next_index(offset, c.window.sizes);
  }
  return matrix;
}

/// The convolution as [batch, spatial, output features].
template <class Wide>
std::vector<Wide> convolve(const Convolution &c, const std::vector<Wide> &image,
                           const std::vector<Wide> &kernel) {
  int64_t positions = product(c.output);
  int64_t batches = c.lhs_batch / c.batch_groups;
  int64_t groups = c.feature_groups * c.batch_groups;
  int64_t features = c.output_features / groups;
  int64_t depth = product(c.window.sizes) * c.kernel_features;
  std::vector<Wide> result(batches * positions * c.output_features, Wide(0));
  if (result.empty() || depth == 0)
    return result;
  constexpr int64_t kRows = 1024;
  Matrix<Wide> patches(std::min(kRows, positions), depth), product_rows;
  for (int64_t group = 0; group < groups; ++group) {
    bool by_batch = c.batch_groups > 1;
    int64_t first_batch = by_batch ? group * batches : 0;
    int64_t first_feature = by_batch ? 0 : group * c.kernel_features;
    Matrix<Wide> weights = kernel_matrix(c, kernel, group * features, features);
    for (int64_t batch = 0; batch < batches; ++batch) {
      Dims index(c.output.size(), 0);
      for (int64_t begin = 0; begin < positions; begin += kRows) {
        int64_t rows = std::min(kRows, positions - begin);
        for (int64_t row = 0; row < rows; ++row) {
          fill_patch(c, image, first_batch + batch, first_feature, index,
                     patches.data() + row * depth);
          next_index(index, c.output);
        }
        product_rows.resize(rows, features);
        multiply<Wide>(patches.topRows(rows), weights, product_rows);
        for (int64_t row = 0; row < rows; ++row)
          std::copy_n(product_rows.data() + row * features, features,
                      result.data() +
                          (batch * positions + begin + row) *
                              c.output_features +
                          group * features);
      }
    }
  }
  return result;
}

template <class Attributes>
Convolution describe(OpContext &context, const Attributes &attributes) {
  const auto &numbers = attributes.dimension_numbers;
  const Dims &lhs = context.operand(0).type().dims;
  const Dims &rhs = context.operand(1).type().dims;
  size_t rank = numbers.input_spatial_dimensions.size();
  Convolution c;
  for (size_t i = 0; i < rank; ++i) {
    c.window.input.push_back(lhs[numbers.input_spatial_dimensions[i]]);
    c.window.sizes.push_back(rhs[numbers.kernel_spatial_dimensions[i]]);
    c.output.push_back(
        context.result().dims[numbers.output_spatial_dimensions[i]]);
  }
  c.window.strides = or_all(attributes.window_strides, rank, 1);
  c.window.base_dilation = or_all(attributes.lhs_dilation, rank, 1);
  c.window.window_dilation = or_all(attributes.rhs_dilation, rank, 1);
  c.reversal.assign(rank, false);
  if (attributes.window_reversal)
    c.reversal = *attributes.window_reversal;
  c.lhs_batch = lhs[numbers.input_batch_dimension];
  c.lhs_features = lhs[numbers.input_feature_dimension];
  c.kernel_features = rhs[numbers.kernel_input_feature_dimension];
  c.output_features = rhs[numbers.kernel_output_feature_dimension];
  c.feature_groups = attributes.feature_group_count;
  c.batch_groups = attributes.batch_group_count;
  return c;
}

template <class Wide, class Numbers>
Result<Literals> convolution_as(OpContext &context, const Convolution &c,
                                const Numbers &numbers) {
  std::vector<Wide> image = permuted<Wide>(
      context.operand(0),
      joined({numbers.input_batch_dimension}, numbers.input_spatial_dimensions,
             {numbers.input_feature_dimension}));
  std::vector<Wide> kernel = permuted<Wide>(
      context.operand(1), joined(numbers.kernel_spatial_dimensions,
                                 {numbers.kernel_input_feature_dimension},
                                 {numbers.kernel_output_feature_dimension}));
  std::vector<Wide> result = convolve(c, image, kernel);
  // Transposes [batch, spatial, feature] to the order of the result.
  Dims order = joined({numbers.output_batch_dimension},
                      numbers.output_spatial_dimensions,
                      {numbers.output_feature_dimension});
  const Dims &dims = context.result().dims;
  Dims made, strides(dims.size(), 0);
  for (int64_t dim : order)
    made.push_back(dims[dim]);
  Dims made_strides = row_major_strides(made);
  for (size_t i = 0; i < order.size(); ++i)
    strides[order[i]] = made_strides[i];
  std::vector<Wide> arranged(result.size());
  for_each_strided(dims, strides, 0,
                   [&](int64_t t, int64_t f) { arranged[t] = result[f]; });
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  store(*to, 0, to->count(), arranged.data());
  return Literals{std::move(*to)};
}

template <class Numbers>
Result<Literals> convolution(OpContext &context, const Convolution &c,
                             const Numbers &numbers) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return convolution_as<Complex>(context, c, numbers);
  return is_float(type) ? convolution_as<double>(context, c, numbers)
                        : convolution_as<uint64_t>(context, c, numbers);
}

} // namespace

Result<Literals> evaluate_contraction(OpContext &context) {
  switch (context.node.op()) {
  case OpKind::DotGeneral: {
    const auto &numbers =
        context.attributes<ops::DotGeneralAttributes>().dot_dimension_numbers;
    return dot(context, {numbers.lhs_batching_dimensions,
                         numbers.rhs_batching_dimensions,
                         numbers.lhs_contracting_dimensions,
                         numbers.rhs_contracting_dimensions});
  }
  case OpKind::Dot: {
    auto last = static_cast<int64_t>(context.operand(0).type().dims.size()) - 1;
    return dot(context, {{}, {}, {last}, {0}});
  }
  case OpKind::Convolution: {
    const auto &attributes = context.attributes<ops::ConvolutionAttributes>();
    Convolution c = describe(context, attributes);
    c.window.low = padding_low(attributes.padding, c.output.size());
    return convolution(context, c, attributes.dimension_numbers);
  }
  case OpKind::DynamicConv: {
    const auto &attributes = context.attributes<ops::DynamicConvAttributes>();
    Convolution c = describe(context, attributes);
    for (size_t i = 0; i < c.output.size(); ++i)
      c.window.low.push_back(
          as_index(context.operand(2), 2 * static_cast<int64_t>(i)));
    return convolution(context, c, attributes.dimension_numbers);
  }
  default:
    return failure(FailureKind::Unsupported,
                   context.node.name() + ": cannot be evaluated on the host");
  }
}

} // namespace xlac::host
