// Compares the sizes, offsets and values of the declarations of the PJRT C API
// with tables from XLA's headers, with which hosts are compiled.
#include "c_api.h"
#include "c_api_extensions.h"
#include "c_api_ffi.h"
#include "c_api_ffi_extension.h"

#include <gtest/gtest.h>

#include <cstddef>

#define XLAC_STRUCT(type, size)                                                \
  static_assert(sizeof(type) == size, "size of " #type);
#define XLAC_FIELD(type, field, offset, size)                                  \
  static_assert(offsetof(type, field) == offset, #type "::" #field);           \
  static_assert(sizeof(type::field) == size, "size of " #type "::" #field);
#define XLAC_ENUMERATOR(name, value) static_assert(name == value, #name);
#include "c_api_extensions_layout.inc"
#include "c_api_ffi_layout.inc"
#include "c_api_layout.inc"
#undef XLAC_STRUCT
#undef XLAC_FIELD
#undef XLAC_ENUMERATOR

TEST(PjrtLayout, EveryFunctionHasItsPlace) {
  size_t count = 0, last = offsetof(PJRT_Api, pjrt_api_version) +
                           sizeof(PJRT_Api_Version) - sizeof(void *);
#define XLAC_PJRT(name)                                                        \
  EXPECT_EQ(offsetof(PJRT_Api, PJRT_##name), last + sizeof(void *)) << #name;  \
  last = offsetof(PJRT_Api, PJRT_##name);                                      \
  ++count;
#include "c_api_functions.inc"
#undef XLAC_PJRT
  EXPECT_EQ(count, 128u);
  EXPECT_EQ(sizeof(PJRT_Api), last + sizeof(void *));
}
