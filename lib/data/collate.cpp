#include "xlac/data/collate.h"

#include "xlac/lazy.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <cstring>

namespace xlac::data {

namespace detail {

/// Whether the bytes of all samples can be concatenated.
static bool are_plain(const std::vector<Tensor> &samples) {
  return std::all_of(samples.begin(), samples.end(), [&](const Tensor &t) {
    return t.is_cpu() && t.is_contiguous() && !t.requires_grad() &&
           t.dtype() == samples[0].dtype();
  });
}

/// Numbers of samples of a full batch and of the last one, or 0.
static thread_local std::pair<int64_t, int64_t> batch_sizes{0, 0};

BatchSizes::BatchSizes(size_t full, size_t last)
    : before_(std::exchange(batch_sizes, {static_cast<int64_t>(full),
                                          static_cast<int64_t>(last)})) {}
BatchSizes::~BatchSizes() { batch_sizes = before_; }

Tensor mark_batch(Tensor batch) {
  auto [full, last] = batch_sizes;
  if (full == 0 || last == 0 || full == last)
    return batch;
  int64_t size = batch.size(0);
  xlac::detail::mark_other_size(batch, 0, {size == full ? last : full});
  return batch;
}

static Tensor stacked(const std::vector<Tensor> &samples) {
  const Shape sizes = samples[0].sizes();
  for (size_t i = 1; i < samples.size(); ++i)
    if (samples[i].sizes() != sizes)
      raise<ShapeError>("stack expects each tensor to be equal size, but got " +
                        frontend::to_text(sizes) + " at entry 0 and " +
                        frontend::to_text(samples[i].sizes()) + " at entry " +
                        std::to_string(i));
  if (!are_plain(samples))
    return xlac::stack(samples);
  const auto bytes = static_cast<size_t>(samples[0].nbytes());
  std::vector<std::byte> all(bytes * samples.size());
  for (size_t i = 0; i < samples.size(); ++i) {
    host::Literal elements = frontend::elements_of(samples[i]);
    std::memcpy(all.data() + i * bytes, elements.data(), bytes);
  }
  Shape batch = sizes;
  batch.insert(batch.begin(), static_cast<int64_t>(samples.size()));
  Dtype dtype = samples[0].dtype();
  return xlac::detail::from_memory(all.data(), dtype, batch,
                                   TensorOptions(dtype).device(kCPU), dtype);
}

Tensor stack_samples(const std::vector<Tensor> &samples) {
  XLAC_CALL("DataLoader");
  return mark_batch(stacked(samples));
}

void throw_uneven(const char *what, size_t first, size_t other) {
  XLAC_CALL("DataLoader");
  raise<ShapeError>("samples of a batch have different numbers of " +
                    std::string(what) + ": " + std::to_string(first) + " and " +
                    std::to_string(other));
}

} // namespace detail

//===- Values -------------------------------------------------------------===//

/// Converts all samples to the type of the first one.
template <class T> static std::vector<T> all_as(std::vector<Value> &samples) {
  std::vector<T> list;
  for (const Value &sample : samples)
    list.push_back(from_value<T>(sample));
  return list;
}

template <class T> static Value stacked_as(std::vector<Value> &samples) {
  auto list = all_as<T>(samples);
  return to_value(Collate<T>::stack(list));
}

static Value::List stacked_items(std::vector<Value> &samples) {
  Value::List stacked;
  size_t count = samples[0].size();
  for (const Value &sample : samples)
    if (sample.items().size() != count)
      detail::throw_uneven("items", count, sample.size());
  for (size_t i = 0; i < count; ++i) {
    std::vector<Value> column;
    for (const Value &sample : samples)
      column.push_back(sample.at(i));
    stacked.push_back(Collate<Value>::stack(column));
  }
  return stacked;
}

Value Collate<Value>::stack(std::vector<Value> &samples) {
  XLAC_CALL("DataLoader");
  const Value first = samples[0];
  if (first.is<Tensor>())
    return stacked_as<Tensor>(samples);
  if (first.is<bool>())
    return stacked_as<bool>(samples);
  if (first.is<int64_t>())
    return stacked_as<int64_t>(samples);
  if (first.is<double>())
    return stacked_as<double>(samples);
  if (first.is<std::string>())
    return stacked_as<std::string>(samples);
  if (first.is<Value::List>())
    return stacked_items(samples);
  if (first.is<Value::Tuple>())
    return Value::Tuple{stacked_items(samples)};
  if (const auto *dict = first.get_if<Value::Dict>()) {
    Value::Dict stacked;
    for (const auto &[key, unused] : *dict) {
      std::vector<Value> column;
      for (const Value &sample : samples)
        column.push_back(sample.at(key.to<std::string>()));
      stacked.emplace_back(key, stack(column));
    }
    return stacked;
  }
  if (first.is<None_t>())
    return Value();
  raise<TypeError>("samples hold bytes or a set, which no batch is made of");
}

} // namespace xlac::data
