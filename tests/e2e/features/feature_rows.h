// Rows of docs/features.md as tests: FEATURE(DEV_01) { … } is row DEV-01. A row
// that requires environment variables lists them, FEATURE(DEV_03,
// "CPU_NUM_DEVICES=4"), and runs in a separate process. So does one with "",
// which must be the first to use the runtime. Further tests of a row have a
// suffix: DEV_03_counts.
#pragma once

#include "../../unit/thrown.h"

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace xlac::features {

using Floats = std::vector<float>;

/// Returns true in the process that runs the body of `row`. Otherwise runs it
/// in another process with `environment`, and reports its result.
bool runs_here(const std::string &row,
               std::initializer_list<const char *> environment);

/// The number of samples of a metric, or the value of a counter; 0 if it does
/// not exist.
int64_t samples(const std::string &metric);
int64_t counter(const std::string &name);

/// A temporary folder, removed with the object.
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

/// Expects that `text` contains `part`.
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
