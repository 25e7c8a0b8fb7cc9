// Functions that join tensors.
#include "xlac/tensor/views.h"

#include <algorithm>

namespace xlac {

using namespace frontend;

//===- Joining ------------------------------------------------------------===//

Tensor cat(const std::vector<Tensor> &tensors, int64_t dim) {
  XLAC_CALL("cat");
  if (tensors.empty())
    raise<ValueError>("expected a non-empty list of Tensors");
  Device device = common_device(tensors);
  lazy::ResultType type;
  for (const Tensor &tensor : tensors)
    type.add(impl_of(tensor).dtype, !impl_of(tensor).sizes.empty());
  Dtype dtype = type.get();
  std::vector<Value> values;
  const Tensor *first = nullptr;
  for (const Tensor &tensor : tensors) {
    const TensorImpl &impl = impl_of(tensor);
    if (impl.sizes.empty())
      raise<ShapeError>("zero-dimensional tensor cannot be concatenated");
    if (impl.sizes == Shape{0})
      continue;
    if (!first) {
      first = &tensor;
      dim = wrap_dim(dim, rank_of(impl));
    }
    Shape a = impl_of(*first).sizes, b = impl.sizes;
    bool fits = a.size() == b.size();
    for (size_t i = 0; fits && i < a.size(); ++i)
      fits = static_cast<int64_t>(i) == dim || a[i] == b[i];
    if (!fits)
      raise<ShapeError>("cannot concatenate tensors of shape " +
                        describe(*first) + " with " + describe(tensor) +
                        " at dimension " + std::to_string(dim));
    values.push_back(value_on(tensor, device, dtype));
  }
  if (values.empty())
    return finish(value_on(tensors[0], device, dtype), device, dtype);
  return finish(build::concatenate(std::move(values), dim), device, dtype);
}

Tensor stack(const std::vector<Tensor> &tensors, int64_t dim) {
  XLAC_CALL("stack");
  if (tensors.empty())
    raise<ValueError>("expected a non-empty list of Tensors");
  dim = wrap_dim(dim, rank_of(impl_of(tensors[0])) + 1);
  std::vector<Tensor> rows;
  for (const Tensor &tensor : tensors) {
    if (impl_of(tensor).sizes != impl_of(tensors[0]).sizes)
      raise<ShapeError>("stack expects each tensor to be equal size, but got " +
                        to_text(impl_of(tensors[0]).sizes) + " and " +
                        to_text(impl_of(tensor).sizes));
    rows.push_back(xlac::unsqueeze(tensor, dim));
  }
  return xlac::cat(rows, dim);
}

//===- Stacks -------------------------------------------------------------===//

namespace {

/// Returns the tensors with dimensions of size 1 added up to `rank`: in front,
/// but a third one at the end.
std::vector<Tensor> at_least(const std::vector<Tensor> &tensors, int64_t rank) {
  if (tensors.empty())
    raise<ValueError>("expects a non-empty TensorList");
  std::vector<Tensor> wide;
  for (Tensor tensor : tensors) {
    impl_of(tensor);
    if (tensor.dim() == 0 && rank > 0)
      tensor = xlac::unsqueeze(tensor, 0);
    if (tensor.dim() == 1 && rank > 1)
      tensor = xlac::unsqueeze(tensor, 0);
    if (tensor.dim() == 2 && rank > 2)
      tensor = xlac::unsqueeze(tensor, 2);
    wide.push_back(std::move(tensor));
  }
  return wide;
}

} // namespace

Tensor hstack(const std::vector<Tensor> &tensors) {
  XLAC_CALL("hstack");
  std::vector<Tensor> wide = at_least(tensors, 1);
  return xlac::cat(wide, wide[0].dim() == 1 ? 0 : 1);
}

Tensor vstack(const std::vector<Tensor> &tensors) {
  XLAC_CALL("vstack");
  return xlac::cat(at_least(tensors, 2), 0);
}

Tensor dstack(const std::vector<Tensor> &tensors) {
  XLAC_CALL("dstack");
  return xlac::cat(at_least(tensors, 3), 2);
}

Tensor column_stack(const std::vector<Tensor> &tensors) {
  XLAC_CALL("column_stack");
  std::vector<Tensor> columns = at_least(tensors, 0);
  for (Tensor &tensor : columns)
    if (tensor.dim() < 2)
      tensor = xlac::reshape(tensor, {-1, 1});
  return xlac::cat(columns, 1);
}

Tensor block_diag(const std::vector<Tensor> &tensors) {
  XLAC_CALL("block_diag");
  std::vector<Tensor> blocks = at_least(tensors, 2);
  Device device = common_device(blocks);
  lazy::ResultType type;
  int64_t columns = 0, before = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].dim() > 2)
      raise<ShapeError>(
          "Input tensors must have 2 or fewer dimensions. Input " +
          std::to_string(i) + " has " + std::to_string(blocks[i].dim()) +
          " dimensions");
    type.add(blocks[i].dtype(), true);
    columns += blocks[i].size(1);
  }
  Dtype dtype = type.get();
  Value zero = build::constant(lazy::element_type(dtype), {}, 0);
  std::vector<Value> bands;
  for (const Tensor &block : blocks) {
    int64_t after = columns - before - block.size(1);
    bands.push_back(build::pad(value_on(block, device, dtype), zero,
                               {0, before}, {0, after}, {0, 0}));
    before += block.size(1);
  }
  return finish(build::concatenate(std::move(bands), 0), device, dtype);
}

} // namespace xlac
