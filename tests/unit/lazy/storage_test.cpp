#include "xlac/lazy/build.h"
#include "xlac/lazy/dtypes.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/tensor_impl.h"
#include "xlac/lazy/view_step.h"

#include <gtest/gtest.h>

namespace xlac::lazy {
namespace {

using graph::Value;

const Device kFirst(kXLA, 0);

Value number(double value) {
  return build::constant(ElementType::F32, {2}, value);
}

/// Stands for a value that a program computes.
Value computed_value() {
  return {graph::Node::make_parameter(number(0).type()), 0};
}

TEST(Storage, IsListedWhileItWaitsAndLives) {
  size_t before = pending_storages(0).size();
  auto older = Storage::make(kFirst, number(1));
  auto done = Storage::make(kFirst, computed_value());
  {
    auto younger = Storage::make(kFirst, number(2));
    auto list = pending_storages(0);
    ASSERT_EQ(list.size(), before + 2);
    EXPECT_EQ(list[before], older);
    EXPECT_EQ(list[before + 1], younger);
  }
  EXPECT_EQ(pending_storages(0).size(), before + 1);
  done->set(number(3));
  EXPECT_EQ(pending_storages(0).size(), before + 2);
  older->materialize_into(older->value(), computed_value());
  auto list = pending_storages(0);
  ASSERT_EQ(list.size(), before + 1);
  EXPECT_EQ(list[before], done);
  done->set(computed_value());
  EXPECT_EQ(pending_storages(0).size(), before);
}

TEST(Storage, SettlesOnlyWhatIsStillPending) {
  Value first = number(1), second = number(2), computed = number(3);
  auto storage = Storage::make(kFirst, first);
  uint64_t epoch = storage->epoch();
  storage->materialize_into(second, computed);
  EXPECT_EQ(storage->value(), first);
  EXPECT_EQ(storage->epoch(), epoch);
  storage->materialize_into(first, computed);
  EXPECT_EQ(storage->value(), computed);
  EXPECT_NE(storage->epoch(), epoch);
}

TEST(Storage, PendingValuesAreListedOnce) {
  size_t before = pending_values(0).size();
  Value shared = number(4);
  auto a = Storage::make(kFirst, shared), b = Storage::make(kFirst, shared);
  EXPECT_EQ(pending_values(0).size(), before + 1);
}

TEST(Views, ReplaceUndoesApply) {
  std::vector<int64_t> numbers{0, 1, 2, 3, 4, 5};
  Value base = build::reshape(build::constant(numbers), {2, 3});
  ViewStep step;
  step.kind = ViewStep::Kind::Slice;
  step.before = {2, 3};
  step.after = {2, 2};
  step.starts = {0, 0};
  step.limits = {2, 3};
  step.steps = {1, 2};
  Value part = step.apply(base);
  host::Literal seen = evaluate_on_host({part})[0];
  EXPECT_EQ(host::as_integer(seen, 3), 5);
  Value zeros = build::constant(ElementType::I64, {2, 2}, 0);
  host::Literal replaced = evaluate_on_host({step.replace(base, zeros)})[0];
  std::vector<int64_t> result(6);
  host::load(replaced, 0, 6, result.data());
  EXPECT_EQ(result, (std::vector<int64_t>{0, 1, 0, 0, 4, 0}));
}

TEST(ResultType, NumbersAndScalarsGiveWay) {
  ResultType whole;
  whole.add(kInt32, true);
  whole.add(kInt64, false);
  whole.add(Scalar(2));
  EXPECT_EQ(whole.get(), kInt32);
  ResultType half;
  half.add(kFloat16, true);
  half.add(Scalar(2.5));
  EXPECT_EQ(half.get(), kFloat16);
  ResultType raised;
  raised.add(kInt8, true);
  raised.add(kFloat64, false);
  EXPECT_EQ(raised.get(), kFloat64);
}

} // namespace
} // namespace xlac::lazy
