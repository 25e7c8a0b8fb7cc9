#include "ffi_attributes.h"

#include "xlac/support/element_type.h"
#include "xlac/support/unreachable.h"

#include <deque>

namespace xlac::pjrt {

struct FfiAttributes::Parts {
  CustomCallDictionary entries; ///< immutable: the other fields point into it
  std::deque<XLA_FFI_ByteSpan> spans;
  std::deque<XLA_FFI_Scalar> scalars;
  std::deque<XLA_FFI_Array> arrays;
  std::deque<FfiAttributes> nested;
  std::deque<XLA_FFI_Attrs> views;
  std::vector<XLA_FFI_ByteSpan *> names;
  std::vector<XLA_FFI_AttrType> types;
  std::vector<void *> values;

  void add(const std::string &name, CustomCallAttribute &attribute);
};

void FfiAttributes::Delete::operator()(Parts *parts) const { delete parts; }

XLA_FFI_DataType ffi_type(std::string_view element_type) {
  std::optional<ElementType> type = parse_element_type(element_type);
  if (!type)
    return XLA_FFI_DataType_INVALID;
  switch (*type) {
#define XLAC_TYPE(ours, theirs)                                                \
  case ElementType::ours:                                                      \
    return XLA_FFI_DataType_##theirs;
    XLAC_TYPE(I1, PRED)
    XLAC_TYPE(I2, S2)
    XLAC_TYPE(I4, S4)
    XLAC_TYPE(I8, S8)
    XLAC_TYPE(I16, S16)
    XLAC_TYPE(I32, S32)
    XLAC_TYPE(I64, S64)
    XLAC_TYPE(UI2, U2)
    XLAC_TYPE(UI4, U4)
    XLAC_TYPE(UI8, U8)
    XLAC_TYPE(UI16, U16)
    XLAC_TYPE(UI32, U32)
    XLAC_TYPE(UI64, U64)
    XLAC_TYPE(F4E2M1FN, F4E2M1FN)
    XLAC_TYPE(F6E2M3FN, INVALID)
    XLAC_TYPE(F6E3M2FN, INVALID)
    XLAC_TYPE(F8E3M4, F8E3M4)
    XLAC_TYPE(F8E4M3, F8E4M3)
    XLAC_TYPE(F8E4M3B11FNUZ, F8E4M3B11FNUZ)
    XLAC_TYPE(F8E4M3FN, F8E4M3FN)
    XLAC_TYPE(F8E4M3FNUZ, F8E4M3FNUZ)
    XLAC_TYPE(F8E5M2, F8E5M2)
    XLAC_TYPE(F8E5M2FNUZ, F8E5M2FNUZ)
    XLAC_TYPE(F8E8M0FNU, F8E8M0FNU)
    XLAC_TYPE(BF16, BF16)
    XLAC_TYPE(F16, F16)
    XLAC_TYPE(F32, F32)
    XLAC_TYPE(F64, F64)
    XLAC_TYPE(Complex64, C64)
    XLAC_TYPE(Complex128, C128)
#undef XLAC_TYPE
  }
  unreachable("element type");
}

void FfiAttributes::Parts::add(const std::string &name,
                               CustomCallAttribute &attribute) {
  using Kind = CustomCallAttribute::Kind;
  spans.push_back({name.data(), name.size()});
  names.push_back(&spans.back());
  switch (attribute.kind) {
  case Kind::Scalar:
    scalars.push_back(
        {ffi_type(attribute.element_type), attribute.bytes.data()});
    types.push_back(XLA_FFI_AttrType_SCALAR);
    values.push_back(&scalars.back());
    return;
  case Kind::Array:
    arrays.push_back({ffi_type(attribute.element_type),
                      static_cast<size_t>(attribute.count),
                      attribute.bytes.data()});
    types.push_back(XLA_FFI_AttrType_ARRAY);
    values.push_back(&arrays.back());
    return;
  case Kind::Text:
    spans.push_back({attribute.bytes.data(), attribute.bytes.size()});
    types.push_back(XLA_FFI_AttrType_STRING);
    values.push_back(&spans.back());
    return;
  case Kind::Dictionary:
    nested.emplace_back(attribute.entries);
    views.push_back(nested.back().view());
    types.push_back(XLA_FFI_AttrType_DICTIONARY);
    values.push_back(&views.back());
    return;
  }
  unreachable("kind of attribute");
}

FfiAttributes::FfiAttributes(CustomCallDictionary entries) : parts_(new Parts) {
  parts_->entries = std::move(entries);
  for (auto &[name, attribute] : parts_->entries)
    parts_->add(name, attribute);
}

XLA_FFI_Attrs FfiAttributes::view() const {
  XLA_FFI_Attrs attrs = {};
  attrs.struct_size = sizeof attrs;
  if (!parts_)
    return attrs;
  attrs.size = static_cast<int64_t>(parts_->values.size());
  attrs.types = parts_->types.data();
  attrs.names = parts_->names.data();
  attrs.attrs = parts_->values.data();
  return attrs;
}

} // namespace xlac::pjrt
