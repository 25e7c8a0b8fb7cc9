#include "xlac/support/hash.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

template <class... Values> std::string hash_of(const Values &...values) {
  Hasher hasher;
  (hasher.update(values), ...);
  return to_hex(hasher.finish());
}

TEST(Hash, IsBlake2b256OfNothing) {
  EXPECT_EQ(Hasher().finish().size(), 32u);
  EXPECT_EQ(hash_of(),
            "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
}

TEST(Hash, LengthsKeepStringsApart) {
  EXPECT_NE(hash_of("ab", "c"), hash_of("a", "bc"));
  EXPECT_EQ(hash_of("ab", "c"), hash_of("ab", "c"));
  EXPECT_NE(hash_of(""), hash_of());
}

TEST(Hash, IntegersOfAllWidthsAgree) {
  EXPECT_EQ(hash_of(7), hash_of(int64_t{7}));
  EXPECT_NE(hash_of(7), hash_of(8));
}

} // namespace
} // namespace xlac
