#include "xlac/support/settings.h"

#include "xlac/support/log_output.h"
#include "xlac/support/logging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace xlac {
namespace {

/// Sets a variable, and unsets it at the end.
class Variable {
public:
  Variable(SettingId id, const char *value)
      : name_(all_settings()[static_cast<size_t>(id)].name) {
    setenv(name_, value, 1);
  }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable &) = delete;
  Variable &operator=(const Variable &) = delete;

private:
  const char *name_;
};

/// Collects messages during its lifetime.
class Messages {
public:
  Messages() {
    set_log_sink([this](LogLevel level, std::string_view text) {
      found.emplace_back(level, text);
    });
  }
  ~Messages() { set_log_sink({}); }
  Messages(const Messages &) = delete;
  Messages &operator=(const Messages &) = delete;

  std::vector<std::pair<LogLevel, std::string>> found;
};

TEST(Settings, TableHoldsTogether) {
  std::set<std::string> names;
  SettingGroup last = SettingGroup::Execution;
  for (const Setting &setting : all_settings()) {
    EXPECT_TRUE(names.insert(setting.name).second) << setting.name;
    EXPECT_LE(last, setting.group) << setting.name << " is in two sections";
    last = setting.group;
    EXPECT_LE(setting.least, setting.most) << setting.name;
    EXPECT_FALSE(setting.use.empty()) << setting.name;
    EXPECT_FALSE(setting.use.ends_with('.')) << setting.name;
    EXPECT_FALSE(setting.default_value.empty()) << setting.name;
    bool has_words = setting.type == SettingType::Choice ||
                     setting.type == SettingType::List;
    EXPECT_EQ(has_words, !setting.values.empty()) << setting.name;
  }
}

TEST(Settings, ReadsFlagsInAnyCase) {
  for (const char *on : {"1", "true", "ON", "Yes"}) {
    Variable set(SettingId::SyncWait, on);
    EXPECT_TRUE(flag_setting(SettingId::SyncWait)) << on;
  }
  for (const char *off : {"0", "false", "OFF", "No"}) {
    Variable set(SettingId::Cache, off);
    EXPECT_FALSE(flag_setting(SettingId::Cache, true)) << off;
  }
  Variable empty(SettingId::Cache, "");
  EXPECT_TRUE(flag_setting(SettingId::Cache, true));
  EXPECT_FALSE(flag_setting(SettingId::Cache, false));
}

TEST(Settings, RefusesNumbersBeyondTheirRange) {
  for (const char *wrong :
       {"abc", "0", "-3", "4097", "3 ", "99999999999999999999"}) {
    Variable set(SettingId::NumThreads, wrong);
    auto read = read_integer(SettingId::NumThreads);
    ASSERT_FALSE(read) << wrong;
    EXPECT_EQ(read.error().failure_kind, FailureKind::User);
    EXPECT_EQ(read.error().message, "XLAC_NUM_THREADS is '" +
                                        std::string(wrong) +
                                        "', wanted an integer from 1 to 4096");
  }
  Variable most(SettingId::NumThreads, "4096");
  EXPECT_EQ(*read_integer(SettingId::NumThreads), 4096);
}

TEST(Settings, ReadsBytesAndSeconds) {
  {
    Variable set(SettingId::DeviceMemory, "512M");
    EXPECT_EQ(*read_integer(SettingId::DeviceMemory), int64_t{512} << 20);
  }
  for (const char *wrong : {"0", "lots", "-1G"}) {
    Variable set(SettingId::DeviceMemory, wrong);
    EXPECT_FALSE(read_integer(SettingId::DeviceMemory)) << wrong;
  }
  {
    Variable set(SettingId::CollectiveTimeout, "0.5");
    EXPECT_EQ(*read_seconds(SettingId::CollectiveTimeout), 0.5);
  }
  for (const char *wrong : {"0", "-1", "nan", "5s"}) {
    Variable set(SettingId::CollectiveTimeout, wrong);
    EXPECT_FALSE(read_seconds(SettingId::CollectiveTimeout)) << wrong;
  }
}

TEST(Settings, RefusesWordsThatTheListLacks) {
  {
    Variable set(SettingId::Logs, "Cache,recompiles");
    EXPECT_EQ(*read_text(SettingId::Logs), "cache,recompiles");
    EXPECT_EQ(list_setting(SettingId::Logs),
              value_bit(SettingId::Logs, "cache") |
                  value_bit(SettingId::Logs, "recompiles"));
  }
  Variable set(SettingId::Logs, "cache,caches");
  auto read = read_text(SettingId::Logs);
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message,
            "XLAC_LOGS is 'cache,caches', wanted some of cache, collectives, "
            "recompiles, all");
}

TEST(Settings, WarnsOnceAndKeepsTheDefault) {
  Variable set(SettingId::MaxPending, "many");
  Messages messages;
  EXPECT_FALSE(integer_setting(SettingId::MaxPending));
  EXPECT_FALSE(integer_setting(SettingId::MaxPending));
  std::erase_if(messages.found, [](const auto &message) {
    return message.second.find("XLAC_MAX_PENDING") == std::string::npos;
  });
  ASSERT_EQ(messages.found.size(), 1u);
  EXPECT_EQ(messages.found[0].first, LogLevel::Warning);
  EXPECT_EQ(messages.found[0].second,
            "XLAC_MAX_PENDING is 'many', wanted an integer of at least 1; "
            "the default holds: 100000");
}

TEST(Settings, FindsUnknownVariables) {
  setenv("XLAC_NUM_THREAD", "2", 1);
  setenv("XLAC_TEST_OF_ITS_OWN", "2", 1);
  std::vector<std::string> unknown = unknown_settings();
  EXPECT_EQ(std::ranges::count(unknown, "XLAC_NUM_THREAD"), 1);
  EXPECT_EQ(std::ranges::count(unknown, "XLAC_TEST_OF_ITS_OWN"), 0);
  EXPECT_EQ(std::ranges::count(unknown, "XLAC_CACHE_DIR"), 0);
  unsetenv("XLAC_NUM_THREAD");
  unsetenv("XLAC_TEST_OF_ITS_OWN");
}

TEST(Logging, WritesOneLineToStandardError) {
  testing::internal::CaptureStderr();
  log_warning("the folder is full");
  log_info("cache: hit");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "xlac: warning: the folder is full\nxlac: cache: hit\n");
}

} // namespace
} // namespace xlac
