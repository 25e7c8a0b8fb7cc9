// MET, MEM, CACHE: metrics, memory and caches of the runtime.
#include "feature_rows.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace xlac;
using namespace xlac::features;

FEATURE(MET_01, "") {
  Tensor x = ones({2}, xlac::device()) + 1.0;
  xlac::sync(true);
  std::string report = met::metrics_report();
  for (const char *part :
       {"Metric: CompileTime", "TotalSamples: 1", "Accumulator: ",
        "Percentiles: 1%=", "Counter: MarkStep", "Value: 1", "50%=", "us\n"})
    EXPECT_CONTAINS(report, part);
}

FEATURE(MET_02, "") {
  Tensor x = tensor({1.0, 2.0}, xlac::device()) + 1.0;
  xlac::sync(true);
  std::string report = met::short_metrics_report();
  EXPECT_CONTAINS(report, "Metric: CompileTime");
  EXPECT_CONTAINS(report, "Counter: MarkStep");
  EXPECT_LACKS(report, "TensorToData");
  std::string named = met::short_metrics_report({"CreateCompileHandles", "No"});
  EXPECT_CONTAINS(named, "Counter: CreateCompileHandles");
  EXPECT_LACKS(named, "MarkStep");
}

FEATURE(MET_03) {
  met::clear_counters();
  EXPECT_TRUE(met::counter_names().empty());
  Tensor x = ones({2}, xlac::device());
  x + x;
  std::vector<std::string> names = met::counter_names();
  EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
  EXPECT_EQ(std::count(names.begin(), names.end(), "xla::add"), 1);
}

FEATURE(MET_04) {
  met::clear_all();
  xlac::sync();
  EXPECT_EQ(met::counter_value("MarkStep"), 1);
  EXPECT_EQ(met::counter_value("Nonsense"), std::nullopt);
}

FEATURE(MET_05, "") {
  Tensor x = ones({2}, xlac::device()) + 1.0;
  xlac::sync(true);
  std::vector<std::string> names = met::metric_names();
  EXPECT_EQ(std::count(names.begin(), names.end(), "CompileTime"), 1);
}

FEATURE(MET_06) {
  Tensor x = ones({2}, xlac::device());
  xlac::sync(true);
  met::clear_all();
  for (int i = 0; i < 2000; ++i) {
    x = x + 1.0;
    xlac::sync();
  }
  xm::wait_device_ops();
  auto data = met::metric_data("ExecuteTime");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->total_samples, 2000);
  ASSERT_EQ(data->samples.size(), 1024u);
  double sum = 0;
  for (size_t i = 0; i < data->samples.size(); ++i) {
    sum += data->samples[i].value;
    if (i > 0)
      EXPECT_GE(data->samples[i].time, data->samples[i - 1].time);
  }
  EXPECT_GT(data->accumulator, sum);
  EXPECT_EQ(x[0].item<float>(), 2001);
}

FEATURE(MEM_01) {
  Device dev = xlac::device();
  Tensor keep = ones({2}, dev);
  xlac::sync(true);
  int64_t before = xm::get_memory_info(dev).bytes_used;
  {
    Tensor t = zeros({1 << 20}, dev) + keep[0];
    xlac::sync(true);
    int64_t grown = xm::get_memory_info(dev).bytes_used - before;
    EXPECT_GE(grown, 4 << 20);
    EXPECT_LE(grown, (4 << 20) + 4096);
  }
  EXPECT_LE(xm::get_memory_info(dev).bytes_used, before + 4096);
  {
    Tensor uploaded = zeros({1 << 20}).to(dev);
    int64_t grown = xm::get_memory_info(dev).bytes_used - before;
    EXPECT_GE(grown, 4 << 20);
    EXPECT_LE(grown, (4 << 20) + 4096);
  }
}

FEATURE(MEM_01_limit, "XLAC_DEVICE_MEMORY=8M") {
  Device dev = xlac::device();
  EXPECT_EQ(xm::get_memory_info().bytes_limit, 8 << 20);
  EXPECT_CONTAINS(message_of<OutOfMemoryError>(
                      [&] { (zeros({4 << 20}, dev) + ones({1}, dev)).cpu(); }),
                  "Out of memory allocating 16777216 bytes");
  EXPECT_EQ((ones({2}, dev) + 1.0).to_vector<float>(), (Floats{2, 2}));
}

FEATURE(MEM_02) {
  Tensor t = ones({1024}, xlac::device()) + 1.0;
  xlac::sync(true);
  xm::MemoryInfo info = xm::get_memory_info();
  EXPECT_LE(0, info.bytes_used);
  EXPECT_LE(info.bytes_used, info.peak_bytes_used);
  EXPECT_LE(info.peak_bytes_used, info.bytes_limit);
}

/// Runs the same small program in each process.
static void run_a_program() {
  Tensor x = ones({7}, xlac::device());
  EXPECT_EQ((x * 3.0).sum().item<float>(), 21.0f);
}

/// A folder shared by the processes of one test, named after the first one.
static std::string shared_folder(const char *row) {
  return (std::filesystem::temp_directory_path() /
          ("xlac-features-" + std::string(row) + "-" +
           std::to_string(getppid())))
      .string();
}

FEATURE(CACHE_01_writes, "") {
  std::filesystem::remove_all(shared_folder("cache"));
  xr::initialize_cache(shared_folder("cache"));
  run_a_program();
  EXPECT_EQ(counter("PersistentCacheMiss"), samples("CompileTime"));
  EXPECT_GE(samples("CompileTime"), 1);
}

FEATURE(CACHE_01_reads, "") {
  xr::initialize_cache(shared_folder("cache"));
  run_a_program();
  EXPECT_GE(counter("PersistentCacheHit"), 1);
  EXPECT_EQ(counter("PersistentCacheMiss"), 0);
  EXPECT_EQ(samples("CompileTime"), 0);
  ASSERT_FALSE(debug::programs().empty());
  EXPECT_TRUE(debug::programs()[0].from_cache);
}

FEATURE(CACHE_02, "") {
  TemporaryFolder folder;
  xr::initialize_cache(folder.path() + "/a");
  EXPECT_CONTAINS(message_of<UserError>(
                      [&] { xr::initialize_cache(folder.path() + "/b"); }),
                  "Computation cache has already been initialized");
}

FEATURE(CACHE_02_late, "") {
  run_a_program();
  TemporaryFolder folder;
  EXPECT_CONTAINS(
      message_of<UserError>([&] { xr::initialize_cache(folder.path()); }),
      "Computation cache has already been initialized");
}

FEATURE(CACHE_03, "") {
  // Truncates the entries that CACHE_01 has left.
  std::filesystem::path folder = shared_folder("cache");
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(folder / "executable"))
    if (entry.is_regular_file())
      std::filesystem::resize_file(entry.path(), entry.file_size() / 2);
  xr::initialize_cache(folder);
  run_a_program();
  EXPECT_GE(counter("PersistentCacheMiss"), 1);
}

FEATURE(CACHE_03_rewritten, "") {
  xr::initialize_cache(shared_folder("cache"));
  run_a_program();
  EXPECT_EQ(counter("PersistentCacheMiss"), 0);
}

FEATURE(CACHE_04, "") {
  xr::initialize_cache(shared_folder("cache"));
  run_a_program();
  EXPECT_EQ(counter("PersistentCacheMiss"), 0);
  EXPECT_EQ((ones({8}, xlac::device()) * 3.0).sum().item<float>(), 24.0f);
  EXPECT_EQ(counter("PersistentCacheMiss"), 1);
}

static std::vector<std::string> listing(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(folder))
    names.push_back(entry.path().string() + " " +
                    std::to_string(std::filesystem::last_write_time(entry)
                                       .time_since_epoch()
                                       .count()));
  std::sort(names.begin(), names.end());
  return names;
}

FEATURE(CACHE_05, "") {
  std::string folder = shared_folder("cache");
  auto before = listing(folder);
  xr::initialize_cache(folder, true);
  run_a_program();
  EXPECT_EQ(counter("PersistentCacheMiss"), 0);
  EXPECT_EQ((ones({9}, xlac::device()) * 5.0).sum().item<float>(), 45.0f);
  EXPECT_EQ(counter("PersistentCacheMiss"), 1);
  EXPECT_EQ(listing(folder), before);
}

FEATURE(CACHE_05_missing, "") {
  TemporaryFolder folder;
  xr::initialize_cache(folder.path() + "/missing", true);
  run_a_program();
  EXPECT_GE(counter("PersistentCacheMiss"), 1);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/missing"));
  std::filesystem::remove_all(shared_folder("cache"));
}

/// Runs the program concurrently in two processes that share a cache folder,
/// one of them read-only. Returns the number of misses of the read-only one.
static int64_t misses_of_a_reader(const std::string &folder) {
  pid_t reader = fork();
  xr::initialize_cache(folder, reader == 0);
  run_a_program();
  if (reader == 0)
    _exit(testing::Test::HasFailure()
              ? 255
              : static_cast<int>(counter("PersistentCacheMiss")));
  int status = 0;
  EXPECT_EQ(waitpid(reader, &status, 0), reader);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 255) << status;
  return WEXITSTATUS(status);
}

FEATURE(CACHE_06, "") {
  std::filesystem::remove_all(shared_folder("shared"));
  misses_of_a_reader(shared_folder("shared"));
  EXPECT_GE(counter("PersistentCacheMiss"), 1);
}

FEATURE(CACHE_06_next_run, "") {
  EXPECT_EQ(misses_of_a_reader(shared_folder("shared")), 0);
  EXPECT_EQ(counter("PersistentCacheMiss"), 0);
  EXPECT_GE(counter("PersistentCacheHit"), 1);
  EXPECT_EQ(samples("CompileTime"), 0);
  std::filesystem::remove_all(shared_folder("shared"));
}

FEATURE(CACHE_07, "HOME=/tmp/xlac-features-home") {
  std::filesystem::remove_all("/tmp/xlac-features-home");
  std::filesystem::create_directories("/tmp/xlac-features-home");
  run_a_program();
  EXPECT_TRUE(std::filesystem::is_empty("/tmp/xlac-features-home"));
  std::filesystem::remove_all("/tmp/xlac-features-home");
}
