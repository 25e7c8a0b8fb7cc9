#include "xlac/lazy/errors.h"

#include <gtest/gtest.h>

namespace xlac::lazy {
namespace {

void inner() {
  CallScope scope("inner", nullptr);
  raise(failure(Fault::Shape, "no fit"));
}

TEST(Errors, BearTheOutermostCall) {
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

TEST(Errors, EachFaultHasItsClass) {
  EXPECT_THROW(raise(failure(Fault::Dtype, "")), DtypeError);
  EXPECT_THROW(raise(failure(Fault::Index, "")), IndexError);
  EXPECT_THROW(raise(failure(Fault::Device, "")), DeviceError);
  EXPECT_THROW(raise(failure(Fault::Unsupported, "")), UnsupportedError);
  EXPECT_THROW(raise(failure(Fault::OutOfMemory, "")), OutOfMemoryError);
  EXPECT_THROW(raise(failure(Fault::Collective, "")), CollectiveError);
  EXPECT_THROW(raise(failure(Fault::Internal, "")), InternalError);
}

} // namespace
} // namespace xlac::lazy
