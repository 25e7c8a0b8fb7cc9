// One self-contained page about a program's runs: its kernels as a picture and
// as a table with times, work and how far from the machine's limits they are.
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
  /// Lines of the page's head: "compile" and "35.2 ms".
  std::vector<std::pair<std::string, std::string>> facts;
};

/// The page; a choice in the table shows in the picture and the other way
/// round.
std::string report_page(const ReportFacts &facts, const RunProfile &profile,
                        const MachinePeaks &peaks,
                        const ProgramPicture &picture);

} // namespace xlac::cli
