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

TEST(Hash, PlainBytesHaveTheDigestOfB2sum) {
  std::string text = "abc";
  Hasher hasher;
  hasher.update_plain(std::as_bytes(std::span(text)));
  Digest digest = hasher.finish();
  EXPECT_EQ(to_hex(digest),
            "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(parse_digest(to_hex(digest)), digest);
  EXPECT_FALSE(parse_digest(to_hex(digest).substr(1)));
  EXPECT_FALSE(parse_digest(to_hex(digest) + "0"));
  EXPECT_FALSE(parse_digest(std::string(63, '0') + "g"));
  EXPECT_FALSE(parse_digest(""));
}

TEST(Hash, IntegersOfAllWidthsAgree) {
  EXPECT_EQ(hash_of(7), hash_of(int64_t{7}));
  EXPECT_NE(hash_of(7), hash_of(8));
}

} // namespace
} // namespace xlac
