// Every option that changes the compiled code changes the cache key.
#include "xlac/compiler.h"

#include <gtest/gtest.h>

namespace xlac {

TEST(CacheText, ContainsThePartitionOptions) {
  CompilerOptions plain, counted, automatic, first, second, other, sized, flat;
  counted.partition.count = 2;
  automatic.partition.automatic = true;
  Sharding halves{
      .kind = Sharding::Kind::Tiled, .tiles = {2}, .devices = {0, 1}};
  Sharding swapped = halves;
  swapped.devices = {1, 0};
  first.partition.arguments = {{0, halves}};
  second.partition.arguments = {{1, halves}};
  other.partition.arguments = {{0, swapped}};
  sized.argument_sizes = {{0, {2, 3}}};
  flat.argument_sizes = {{0, {23}}};
  std::vector<std::string> texts;
  for (const CompilerOptions &options :
       {plain, counted, automatic, first, second, other, sized, flat})
    texts.push_back(cache_text(options));
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(texts[i], texts[j]) << i << " and " << j;
}

} // namespace xlac
