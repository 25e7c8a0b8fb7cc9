// Traces and memory plans of synthetic programs.
#include "run/memory_plan.h"
#include "run/trace.h"

#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::cli;
using Kind = runtime::LaunchEvent::Kind;

namespace {

size_t count_of(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + 1))
    ++count;
  return count;
}

} // namespace

TEST(Trace, GivesEachThreadARowAndEachEventABar) {
  runtime::ExecutableImage image;
  image.kernels = {{"ka.0", 1, "loop", "add", 0, 0, "add.3", "8xf32"}};
  CompileReport report;
  report.phases = {{"transforms", 2, 1'000'000, 10}};
  report.batches = {{"optimize", 1, 1'500'000, 11}};
  Trace trace;
  trace.add(report);
  trace.add(image, {{Kind::Piece, 0, 12, 4'000'000, 4'500'000, 64},
                    {Kind::Kernel, 0, 10, 4'000'000, 5'000'000, 128},
                    {Kind::Copy, 0, 10, 5'000'000, 5'001'000, 32},
                    {Kind::Run, 0, 10, 3'900'000, 5'002'000, 0}});
  std::string json = trace.json(10);
  EXPECT_EQ(count_of(json, "\"ph\":\"X\""), 6u);
  EXPECT_EQ(count_of(json, "\"name\":\"thread_name\""), 3u);
  // In microseconds from the earliest event.
  for (const char *wanted :
       {"\"tid\":10,\"ts\":0.0,\"dur\":2000.0,\"cat\":\"compile\","
        "\"name\":\"transforms\"",
        "\"tid\":11,\"ts\":500.0,\"dur\":1000.0",
        "\"tid\":12,\"ts\":3000.0,\"dur\":500.0,\"cat\":\"piece\","
        "\"name\":\"add.3 loop\"",
        "\"name\":\"add.3 loop\",\"args\":{\"details\":\"add; 8xf32; "
        "ka.0; 128 tasks\"}",
        "\"tid\":10,\"args\":{\"name\":\"main\"}",
        "\"tid\":11,\"args\":{\"name\":\"compiler\"}",
        "\"tid\":12,\"args\":{\"name\":\"worker\"}"})
    EXPECT_NE(json.find(wanted), std::string::npos) << wanted << "\n" << json;
  // Enclosing spans come first.
  EXPECT_LT(json.find("\"cat\":\"run\""), json.find("\"cat\":\"kernel\""));
}

TEST(Trace, IsWholeWithoutEvents) {
  std::string json = Trace().json(1);
  EXPECT_EQ(count_of(json, "{"), count_of(json, "}"));
  EXPECT_EQ(count_of(json, "thread_name"), 1u);
}

TEST(MemoryPlan, SaysWhatItsSumIsMadeOf) {
  MemoryPlan plan;
  plan.arguments = 3 << 20;
  plan.results = 1 << 20;
  plan.arena = 512 << 10;
  plan.constants = 4096;
  EXPECT_EQ(plan.total(), (4 << 20) + (516 << 10));
  EXPECT_EQ(text_of(plan),
            "memory: 4.5 MiB = 3.0 MiB arguments + 1.0 MiB results + 512.0 KiB "
            "arena + 4.0 KiB constants and code");
  plan.donatable = 1 << 20;
  EXPECT_TRUE(text_of(plan).ends_with(
      "constants and code, 1.0 MiB less with donated arguments"));
  plan.prologue = 2048;
  EXPECT_NE(text_of(plan).find("+ 2.0 KiB prologue +"), std::string::npos);
}
