#include "feature_rows.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::features {

/// Names the row for which a child process was started.
static constexpr const char *kChild = "FEATURE_ROW";

/// Runs this program again for `row` only. Returns its output and exit status.
static int run_child(const std::string &row,
                     std::initializer_list<const char *> environment,
                     std::string &output) {
  std::string filter = "--gtest_filter=Feature." + row;
  int ends[2];
  if (pipe(ends) != 0)
    return -1;
  std::fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    setenv(kChild, row.c_str(), 1);
    for (const char *setting : environment)
      if (*setting)
        putenv(const_cast<char *>(setting));
    execl("/proc/self/exe", "features", filter.c_str(), nullptr);
    _exit(127);
  }
  close(ends[1]);
  char bytes[4096];
  for (ssize_t got; (got = read(ends[0], bytes, sizeof bytes)) > 0;)
    output.append(bytes, static_cast<size_t>(got));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

bool runs_here(const std::string &row,
               std::initializer_list<const char *> environment) {
  const char *child = std::getenv(kChild);
  if (environment.size() == 0 || (child && row == child))
    return true;
  std::string output;
  int status = run_child(row, environment, output);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << output;
  return false;
}

int64_t samples(const std::string &metric) {
  auto data = metrics::metric_data(metric);
  return data ? data->total_samples : 0;
}

int64_t counter(const std::string &name) {
  return metrics::counter_value(name).value_or(0);
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "xlac-features-XXXXXX")
          .string();
  path_ = mkdtemp(pattern.data()) ? pattern : std::string();
  EXPECT_FALSE(path_.empty());
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty())
    return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

} // namespace xlac::features
