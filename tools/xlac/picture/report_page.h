// A self-contained page about a program's runs: a picture of its kernels, and a
// table with their times, work and distance from the machine's limits.
#pragma once

#include "program_picture.h"
#include "run/kernel_times.h"
#include "run/machine_peaks.h"

#include <string>
#include <utility>
#include <vector>

namespace xlac::cli {

struct ReportFacts {
  std::string title; ///< the program's name
  /// Lines of the page's header: "compile" and "35.2 ms".
  std::vector<std::pair<std::string, std::string>> facts;
};

/// Returns the page. A selection in the table is highlighted in the picture and
/// vice versa.
std::string report_page(const ReportFacts &facts, const RunProfile &profile,
                        const MachinePeaks &peaks,
                        const ProgramPicture &picture);

} // namespace xlac::cli
