// Timelines of synthetic events.
#include "picture/timeline_page.h"

#include <gtest/gtest.h>

using namespace xlac;
using namespace xlac::cli;
using runtime::LaunchEvent;
using Kind = LaunchEvent::Kind;

namespace {

/// A run that starts at `begin` and takes `length`, with one kernel.
std::vector<LaunchEvent> run(int64_t begin, int64_t length) {
  return {{Kind::Kernel, 0, 1, begin, begin + length, 4},
          {Kind::Run, 0, 1, begin, begin + length, 0}};
}

runtime::ExecutableImage image() {
  runtime::ExecutableImage made;
  made.name = "<step>";
  made.target_profile = "avx2";
  made.kernels = {
      {"ka.0", 1, "reduction", "reduce", 8, 64, "reduce_add.0", ""},
      {"ka.1", 1, "reduction", "reduce", 8, 64, "reduce_add.0", ""},
      {"kb.0", 1, "loop", "sine", 8, 64, "sine.1", "8xf32 -> </script>"}};
  return made;
}

} // namespace

TEST(Timeline, ShowsTheMedianRun) {
  std::vector<LaunchEvent> events;
  for (int64_t length : {50, 10, 30, 40, 20}) {
    std::vector<LaunchEvent> one = run(1000 * length, length);
    events.insert(events.end(), one.begin(), one.end());
  }
  // A run that has not ended does not count.
  events.push_back({Kind::Kernel, 0, 1, 90000, 90001, 4});
  std::vector<LaunchEvent> shown = median_run(events);
  ASSERT_EQ(shown.size(), 2u);
  EXPECT_EQ(shown[1].end - shown[1].begin, 30);
  EXPECT_EQ(shown[0].kind, Kind::Kernel);
  EXPECT_EQ(shown[0].begin, 30000);
  EXPECT_TRUE(median_run({}).empty());
  EXPECT_TRUE(median_run({{Kind::Kernel, 0, 1, 0, 1, 4}}).empty());
}

TEST(Timeline, HasARowForLaunchesAndOneForThePiecesOfEachThread) {
  std::vector<LaunchEvent> events = {
      {Kind::Piece, 0, 8, 1010, 1040, 2},  {Kind::Piece, 0, 7, 1005, 1050, 2},
      {Kind::Kernel, 0, 7, 1000, 1050, 4}, {Kind::Piece, 2, 9, 1060, 1070, 1},
      {Kind::Kernel, 2, 7, 1055, 1080, 1}, {Kind::Copy, 0, 7, 1080, 1090, 32},
      {Kind::Run, 0, 7, 1000, 1100, 0}};
  ReportFacts facts = timeline_facts("step.mlir", image(), events);
  EXPECT_EQ(facts.title, "<step>");
  std::string page = timeline_page(facts, image(), events);
  for (const char *wanted :
       {"\"end\":100,",
        // From the begin of the run; the launches as the driver started them.
        "{\"name\":\"driver: launches\",\"busy\":\"85.0% busy\","
        "\"launches\":true,\"spans\":[[0,50,0,0,4],[55,80,0,2,1],"
        "[80,90,2,0,32]]}",
        "{\"name\":\"driver: pieces\",\"busy\":\"45.0% busy\","
        "\"launches\":false,\"spans\":[[5,50,1,0,2]]}",
        "{\"name\":\"worker 1: pieces\",\"busy\":\"30.0% busy\"",
        "{\"name\":\"worker 2: pieces\"", "\"name\":\"sine.1\"",
        "\"color\":\"hsl(137, 62%, 88%)\"", "&lt;step&gt;", "<dt>this run",
        "0.000 ms"})
    EXPECT_NE(page.find(wanted), std::string::npos) << wanted << page;
  // Names cannot end the script, and the page loads nothing.
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
  for (const char *unwanted : {"<step>", "src=", "href=", "@import", "fetch("})
    EXPECT_EQ(page.find(unwanted), std::string::npos) << unwanted;
}

/// Events do not say which device a thread drives.
TEST(Timeline, NumbersThreadsThatLaunch) {
  std::vector<LaunchEvent> events = {{Kind::Kernel, 0, 7, 0, 10, 1},
                                     {Kind::Run, 0, 7, 0, 10, 0},
                                     {Kind::Kernel, 0, 9, 5, 20, 1},
                                     {Kind::Run, 0, 9, 5, 20, 0}};
  std::string page = timeline_page({}, image(), events);
  EXPECT_NE(page.find("driver 1: launches"), std::string::npos);
  EXPECT_NE(page.find("driver 2: launches"), std::string::npos);
}

TEST(Timeline, IsWholeWithoutEvents) {
  std::string page = timeline_page({}, {}, {});
  EXPECT_NE(page.find("\"rows\":[]"), std::string::npos);
  EXPECT_NE(page.find("</html>"), std::string::npos);
}
