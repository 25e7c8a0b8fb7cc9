#include "lapack_calls.h"

namespace xlac::library {

void refuse(const std::string &what) { throw std::invalid_argument(what); }

void expect_counts(const CustomCall &call, size_t operands, size_t results) {
  if (call.operands.size() != operands || call.results.size() != results)
    refuse("takes " + std::to_string(operands) + " operands and gives " +
           std::to_string(results) + " results, not " +
           std::to_string(call.operands.size()) + " and " +
           std::to_string(call.results.size()));
}

BatchOf::BatchOf(const CustomCallTensor &tensor, std::string_view element_type,
                 size_t dims)
    : data_(tensor.data) {
  if (tensor.element_type != element_type)
    refuse("takes elements of type " + std::string(element_type) + " where " +
           std::string(tensor.element_type) + " is");
  if (tensor.sizes.size() < dims)
    refuse("takes at least " + std::to_string(dims) +
           " dimensions where there are " +
           std::to_string(tensor.sizes.size()));
  size_t batch = tensor.sizes.size() - dims;
  auto split = [&](const std::vector<int64_t> &all, std::vector<int64_t> &outer,
                   std::vector<int64_t> &inner) {
    outer.assign(all.begin(), all.begin() + batch);
    inner.assign(all.begin() + batch, all.end());
  };
  split(tensor.sizes, batch_sizes_, sizes_);
  split(tensor.strides, batch_strides_, strides_);
  for (int64_t size : batch_sizes_)
    count_ *= size;
}

int64_t BatchOf::offset(int64_t item) const {
  int64_t offset = 0;
  for (size_t i = batch_sizes_.size(); i-- > 0;) {
    offset += item % batch_sizes_[i] * batch_strides_[i];
    item /= batch_sizes_[i];
  }
  return offset;
}

void for_each_item(const CustomCall &call,
                   std::initializer_list<const BatchOf *> all,
                   const std::function<void(int64_t)> &one) {
  int64_t count = all.size() == 0 ? 0 : (*all.begin())->count();
  for (const BatchOf *batch : all)
    if (batch->count() != count)
      refuse("takes batches of one size, not of " + std::to_string(count) +
             " and " + std::to_string(batch->count()));
  call.parallel_for(count, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item)
      one(item);
  });
}

char letter(const CustomCall &call, std::string_view name,
            std::string_view allowed) {
  char value = static_cast<char>(call.attribute<int64_t>(name));
  if (allowed.find(value) == std::string_view::npos)
    refuse("has the attribute " + std::string(name) + " = '" + value +
           "' where one of '" + std::string(allowed) + "' is wanted");
  return value;
}

} // namespace xlac::library
