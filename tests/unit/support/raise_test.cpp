#include "xlac/support/call_scope.h"
#include "xlac/support/raise.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

void inner() {
  CallScope scope("inner", nullptr);
  raise(failure(FailureKind::Shape, "no fit"));
}

TEST(Raise, BearTheOutermostCall) {
  try {
    CallScope scope("outer", nullptr);
    inner();
    FAIL();
  } catch (const ShapeError &error) {
    EXPECT_STREQ(error.what(), "outer(): no fit");
  }
  EXPECT_EQ(CallScope::name(), nullptr);
  EXPECT_EQ(CallScope::origin(), 0u);
}

TEST(Raise, EachFaultHasItsClass) {
  EXPECT_THROW(raise(failure(FailureKind::Dtype, "")), DtypeError);
  EXPECT_THROW(raise(failure(FailureKind::Index, "")), IndexError);
  EXPECT_THROW(raise(failure(FailureKind::Device, "")), DeviceError);
  EXPECT_THROW(raise(failure(FailureKind::Unsupported, "")), UnsupportedError);
  EXPECT_THROW(raise(failure(FailureKind::OutOfMemory, "")), OutOfMemoryError);
  EXPECT_THROW(raise(failure(FailureKind::Collective, "")), CollectiveError);
  EXPECT_THROW(raise(failure(FailureKind::Internal, "")), InternalError);
}

} // namespace
} // namespace xlac
