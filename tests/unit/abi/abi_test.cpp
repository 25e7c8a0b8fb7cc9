// Offsets that generated code uses as constants; a change here must increase
// XLAC_ABI_VERSION.
#include "xlac/abi/abi.h"

#include <gtest/gtest.h>

#include <cstddef>

extern "C" {
size_t xlac_test_services_size(void);
size_t xlac_test_fail_offset(void);
size_t xlac_test_collective_offset(void);
size_t xlac_test_ctx_size(void);
}

TEST(Abi, LayoutOfVersion9) {
  EXPECT_EQ(XLAC_ABI_VERSION, 9);
  EXPECT_EQ(offsetof(xlac_services, parallel_for), 8u);
  EXPECT_EQ(offsetof(xlac_services, scratch), 16u);
  EXPECT_EQ(offsetof(xlac_services, copy), 24u);
  EXPECT_EQ(offsetof(xlac_services, fill), 32u);
  EXPECT_EQ(offsetof(xlac_services, library), 40u);
  EXPECT_EQ(offsetof(xlac_services, fail), 48u);
  EXPECT_EQ(offsetof(xlac_services, collective), 56u);
  EXPECT_EQ(offsetof(xlac_services, start_collective), 64u);
  EXPECT_EQ(offsetof(xlac_services, await_collective), 72u);
  EXPECT_EQ(offsetof(xlac_services, run_slices), 80u);
  EXPECT_EQ(offsetof(xlac_services, run_launches), 88u);
  EXPECT_EQ(offsetof(xlac_sliced_launch, fn), 0u);
  EXPECT_EQ(offsetof(xlac_sliced_launch, buffers), 8u);
  EXPECT_EQ(offsetof(xlac_sliced_launch, extents), 16u);
  EXPECT_EQ(offsetof(xlac_sliced_launch, tasks), 24u);
  EXPECT_EQ(offsetof(xlac_ctx, services), 0u);
  EXPECT_EQ(offsetof(xlac_ctx, kernels), 8u);
  EXPECT_EQ(offsetof(xlac_ctx, constants), 16u);
  EXPECT_EQ(offsetof(xlac_ctx, runtime), 24u);
}

TEST(Abi, CSeesTheSame) {
  EXPECT_EQ(xlac_test_services_size(), sizeof(xlac_services));
  EXPECT_EQ(xlac_test_fail_offset(), offsetof(xlac_services, fail));
  EXPECT_EQ(xlac_test_collective_offset(), offsetof(xlac_services, collective));
  EXPECT_EQ(xlac_test_ctx_size(), sizeof(xlac_ctx));
}
