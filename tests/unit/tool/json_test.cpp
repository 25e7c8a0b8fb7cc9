#include "json.h"

#include <gtest/gtest.h>

#include <limits>

namespace xlac::cli {

TEST(Json, KeepsTheOrderOfMembersAndNests) {
  Json list = Json::list(), inner, outer;
  list.push(0.5);
  list.push("b\"\n");
  inner.add("zero", int64_t{0});
  list.push(std::move(inner));
  outer.add("z", true);
  outer.add("a", std::move(list));
  EXPECT_EQ(outer.text(), R"({"z":true,"a":[0.5,"b\"\n",{"zero":0}]})");
}

TEST(Json, WritesWhatParsersAccept) {
  Json json;
  json.add("nan", std::numeric_limits<double>::quiet_NaN());
  json.add("huge", int64_t{9007199254740993});
  json.add("bytes", "\xff\xc3\xa9");
  EXPECT_EQ(json.text(), "{\"nan\":null,\"huge\":9007199254740993,"
                         "\"bytes\":\"\xef\xbf\xbd\xc3\xa9\"}");
}

TEST(Json, IsWholeWithoutMembers) {
  EXPECT_EQ(Json().text(), "{}");
  EXPECT_EQ(Json::list().text(), "[]");
}

} // namespace xlac::cli
