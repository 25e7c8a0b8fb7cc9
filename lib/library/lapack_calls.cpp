#include "lapack_calls.h"

namespace xlac::library {

void reject(const std::string &what) { throw std::invalid_argument(what); }

void add_call(CustomCallTable &table, const std::string &target,
              CallSignature signature, CustomCallFunction function) {
  auto checked = [signature, function](const CustomCall &call) {
    signature.check(call);
    function(call);
  };
  table[target] = std::make_shared<const BuiltInCall>(
      BuiltInCall{signature, std::move(function), std::move(checked)});
}

BatchOf::BatchOf(const CustomCallTensor &tensor, std::string_view element_type,
                 size_t dims)
    : data_(tensor.data) {
  assert(tensor.element_type == element_type && tensor.sizes.size() >= dims);
  static_cast<void>(element_type);
  size_t batch = tensor.sizes.size() - dims;
  std::span sizes(tensor.sizes), strides(tensor.strides);
  batch_sizes_ = sizes.first(batch);
  batch_strides_ = strides.first(batch);
  sizes_ = sizes.subspan(batch);
  strides_ = strides.subspan(batch);
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
  for (const BatchOf *batch : all) {
    assert(batch->count() == count);
    static_cast<void>(batch);
  }
  if (count == 1)
    return one(0);
  call.parallel_for(count, [&](int64_t begin, int64_t end) {
    for (int64_t item = begin; item < end; ++item)
      one(item);
  });
}

char letter(const CustomCall &call, std::string_view name,
            std::string_view allowed) {
  int64_t value = call.attribute<int64_t>(name);
  for (char one : allowed)
    if (value == one)
      return one;
  reject("has the attribute " + std::string(name) + " = " +
         std::to_string(value) + " where one of the letters '" +
         std::string(allowed) + "' is wanted");
}

} // namespace xlac::library
