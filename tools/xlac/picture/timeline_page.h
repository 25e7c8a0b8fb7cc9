// A self-contained page that shows what the threads of a run did and when.
#pragma once

#include "report_page.h"
#include "xlac/runtime/image.h"
#include "xlac/runtime/launch_recorder.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// Returns the events of the run whose duration is the median of all complete
/// runs in `events`, which one thread ran one after the other. Empty if none is
/// complete.
std::vector<runtime::LaunchEvent>
median_run(const std::vector<runtime::LaunchEvent> &events);

/// Returns the title and the first facts of the page: the program in the file
/// `input`, its target and the time of the run.
ReportFacts timeline_facts(const std::string &input,
                           const runtime::ExecutableImage &image,
                           const std::vector<runtime::LaunchEvent> &events);

/// Returns the page for the events of one run, on any number of devices. Each
/// thread that drives a program has a row of launches, and each thread that
/// runs pieces of loops has a row of pieces. The page can be zoomed, panned and
/// searched.
std::string timeline_page(const ReportFacts &facts,
                          const runtime::ExecutableImage &image,
                          const std::vector<runtime::LaunchEvent> &events);

} // namespace xlac::cli
