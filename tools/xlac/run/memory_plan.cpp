#include "memory_plan.h"

#include "picture/program_picture.h"

#include <algorithm>
#include <numeric>

namespace xlac::cli {

MemoryPlan plan_of(const runtime::Executable &executable) {
  auto sum = [](const std::vector<int64_t> &sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
  };
  const runtime::ExecutableImage &image = executable.image();
  MemoryPlan plan;
  plan.arguments = sum(executable.argument_bytes());
  plan.results = sum(executable.result_bytes());
  plan.donatable = plan.results - sum(executable.new_bytes());
  // The prologue has finished before the program starts.
  plan.arena = std::max(image.arena_bytes, image.prologue.arena_bytes);
  plan.prologue = sum(image.prologue.result_bytes);
  plan.constants = executable.resident_bytes();
  return plan;
}

std::string text_of(const MemoryPlan &plan) {
  auto part = [](int64_t bytes, const char *what) {
    return bytes_text(static_cast<double>(bytes)) + " " + what;
  };
  std::string text = "memory: " + part(plan.total(), "= ") +
                     part(plan.arguments, "arguments + ") +
                     part(plan.results, "results + ") +
                     part(plan.arena, "arena");
  if (plan.prologue > 0)
    text += " + " + part(plan.prologue, "prologue");
  text += " + " + part(plan.constants, "constants and code");
  if (plan.donatable > 0)
    text += ", " + part(plan.donatable, "less with donated arguments");
  return text;
}

} // namespace xlac::cli
