#include "names.h"

#include "xlac/aot/aot.h"

#include <gtest/gtest.h>

namespace xlac::aot {
namespace {

using Names = std::vector<std::string>;

TEST(Names, IdentifiersAreNoKeywordsOfCAndCxx) {
  for (const char *name : {"m", "_m", "resnet50", "Int"})
    EXPECT_TRUE(is_c_identifier(name)) << name;
  for (const char *name : {"", "5m", "a-b", "a.b", "é", "int", "class", "a b"})
    EXPECT_FALSE(is_c_identifier(name)) << name;
}

TEST(Names, PathsOfTreesBecomeIdentifiers) {
  Names taken;
  EXPECT_EQ(c_names({"params['Conv_0']['kernel']", "x", "inputs[0].mean"},
                    "arg", taken),
            (Names{"params_Conv_0_kernel", "x", "inputs_0_mean"}));
}

TEST(Names, UnnamedValuesHaveNumbers) {
  Names taken;
  EXPECT_EQ(c_names({"", "[]", "y"}, "arg", taken),
            (Names{"arg0", "arg1", "y"}));
}

TEST(Names, KeywordsAndDigitsAreChanged) {
  Names taken;
  EXPECT_EQ(c_names({"class", "2", "__x", "float*"}, "arg", taken),
            (Names{"class_", "v2", "x", "float_"}));
}

TEST(Names, MacrosAndTypesAreChanged) {
  Names taken;
  EXPECT_EQ(c_names({"I", "linux", "int32_t", "NULL"}, "arg", taken),
            (Names{"I_", "linux_", "int32_t_", "NULL_"}));
}

TEST(Names, NamesDifferInMoreThanCase) {
  Names taken = {"ARENA"};
  EXPECT_EQ(c_names({"w", "W", "w", "arena"}, "arg", taken),
            (Names{"w", "W_2", "w_3", "arena_2"}));
  // Results must differ from arguments.
  EXPECT_EQ(c_names({"w"}, "result", taken), (Names{"w_4"}));
}

} // namespace
} // namespace xlac::aot
