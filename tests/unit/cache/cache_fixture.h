// A store in a temporary directory.
#pragma once

#include "xlac/cache/store.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

namespace xlac::cache {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  if (!text.empty())
    std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

/// Returns 64 hex digits that begin with a hash of `number`.
inline std::string key_of(int number) {
  char text[65];
  std::snprintf(text, sizeof text, "%08x%056x", number * 0x9e3779b9u, number);
  return text;
}

class CacheTest : public testing::Test {
protected:
  void SetUp() override {
    char path[] = "/tmp/xlac-cache-test-XXXXXX";
    ASSERT_TRUE(mkdtemp(path));
    directory_ = path;
    store_ = open();
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(directory_);
  }

  std::unique_ptr<Store> open(int64_t limit = kDefaultLimit) {
    auto store = Store::open(directory_, limit);
    EXPECT_TRUE(store) << (store ? "" : store.error().message);
    return store ? std::move(*store) : nullptr;
  }

  std::filesystem::path file_of(Kind kind, const std::string &key) {
    return directory_ / to_string(kind) / key.substr(0, 2) / key;
  }

  std::filesystem::path directory_;
  std::unique_ptr<Store> store_;
};

} // namespace xlac::cache
