#include "xlac/lazy/storage_modes.h"

#include "xlac/support/settings.h"

namespace xlac::lazy {

namespace {

struct Modes {
  ElementType f32 = ElementType::F32, f64 = ElementType::F64;
};

const Modes &modes() {
  static const Modes instance = [] {
    if (flag_setting(SettingId::UseBf16))
      return Modes{ElementType::BF16, ElementType::BF16};
    if (flag_setting(SettingId::DowncastBf16))
      return Modes{ElementType::BF16, ElementType::F32};
    if (flag_setting(SettingId::F64AsF32))
      return Modes{ElementType::F32, ElementType::F32};
    return Modes{};
  }();
  return instance;
}

ElementType stored_element(ElementType element) {
  return element == ElementType::F32   ? modes().f32
         : element == ElementType::F64 ? modes().f64
                                       : element;
}

} // namespace

static thread_local int exact_scopes = 0;

FullPrecisionScope::FullPrecisionScope() { ++exact_scopes; }
FullPrecisionScope::~FullPrecisionScope() { --exact_scopes; }

bool marks_exact_nodes() { return exact_scopes > 0 && stores_narrow_floats(); }

ElementType storage_element(Device device, ElementType element) {
  return device.type == kCPU ? element : stored_element(element);
}

bool stores_narrow_floats() {
  return modes().f32 != ElementType::F32 || modes().f64 != ElementType::F64;
}

TensorType stored_type(TensorType type) {
  type.element = stored_element(type.element);
  return type;
}

} // namespace xlac::lazy
