#include "named_values.h"

namespace xlac::pjrt {

static PJRT_NamedValue empty_value(std::string_view name,
                                   PJRT_NamedValue_Type type, size_t size) {
  PJRT_NamedValue value = {};
  value.struct_size = sizeof value;
  value.name = name.data();
  value.name_size = name.size();
  value.type = type;
  value.value_size = size;
  return value;
}

PJRT_NamedValue named_value(std::string_view name, std::string_view text) {
  PJRT_NamedValue value =
      empty_value(name, PJRT_NamedValue_kString, text.size());
  value.string_value = text.data();
  return value;
}

PJRT_NamedValue named_value(std::string_view name, int64_t number) {
  PJRT_NamedValue value = empty_value(name, PJRT_NamedValue_kInt64, 1);
  value.int64_value = number;
  return value;
}

PJRT_NamedValue named_value(std::string_view name, float number) {
  PJRT_NamedValue value = empty_value(name, PJRT_NamedValue_kFloat, 1);
  value.float_value = number;
  return value;
}

PJRT_NamedValue named_value(std::string_view name, const int64_t *list,
                            size_t size) {
  PJRT_NamedValue value = empty_value(name, PJRT_NamedValue_kInt64List, size);
  value.int64_array_value = list;
  return value;
}

const PJRT_NamedValue *Options::find(std::string_view name,
                                     PJRT_NamedValue_Type type) const {
  for (size_t i = 0; i < count_; ++i)
    if (values_[i].type == type &&
        std::string_view(values_[i].name, values_[i].name_size) == name)
      return &values_[i];
  return nullptr;
}

std::optional<int64_t> Options::integer(std::string_view name) const {
  if (const PJRT_NamedValue *value = find(name, PJRT_NamedValue_kInt64))
    return value->int64_value;
  return std::nullopt;
}

std::optional<std::string> Options::text(std::string_view name) const {
  if (const PJRT_NamedValue *value = find(name, PJRT_NamedValue_kString))
    return std::string(value->string_value, value->value_size);
  return std::nullopt;
}

} // namespace xlac::pjrt
