// Rows of docs/features.md as tests: FEATURE(DEV_01) { … } is row DEV-01. A row
// that needs variables of the environment names them, FEATURE(DEV_03,
// "CPU_NUM_DEVICES=4"), and runs in a process of its own; so does one that says
// "" because it must be the first to touch the runtime. Further tests of a row
// have a suffix: DEV_03_counts.
#pragma once

#include "../../unit/thrown.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace xlac::features {

using Floats = std::vector<float>;

/// True in the process that must run the body of `row`; else runs it in another
/// one with `environment` set, and reports how that ended.
bool runs_here(const std::string &row,
               std::initializer_list<const char *> environment);

/// Samples of a metric, or value of a counter; 0 without one.
int64_t samples(const std::string &metric);
int64_t counter(const std::string &name);

/// A folder of its own, gone with the object.
class TemporaryFolder {
public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

} // namespace xlac::features

/// EXPECT that `text` contains `part`.
#define EXPECT_CONTAINS(text, part)                                            \
  EXPECT_NE(std::string(text).find(part), std::string::npos) << (text)
#define EXPECT_LACKS(text, part)                                               \
  EXPECT_EQ(std::string(text).find(part), std::string::npos) << (text)

#define FEATURE(row, ...)                                                      \
  static void feature_##row();                                                 \
  TEST(Feature, row) {                                                         \
    if (::xlac::features::runs_here(#row, {__VA_ARGS__}))                      \
      feature_##row();                                                         \
  }                                                                            \
  static void feature_##row()
