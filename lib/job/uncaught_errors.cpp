#include "uncaught_errors.h"

#include "socket.h"

#include "xlac/error.h"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <thread>

#include <unistd.h>

namespace xlac::job {

namespace {

/// Launchers such as mpirun end all ranks when one exits with another code than
/// 0. They need less time than this.
constexpr std::chrono::seconds kLauncherTime(2);

LaunchedRank &own_rank() {
  static auto *rank = new LaunchedRank; // outlives static destructors
  return *rank;
}

std::terminate_handler others = nullptr;

struct UncaughtError {
  std::string text;
  bool is_consequence = false; ///< of another process's failure
};

std::optional<UncaughtError> uncaught_error() {
  std::exception_ptr problem = std::current_exception();
  if (!problem)
    return std::nullopt;
  try {
    std::rethrow_exception(problem);
  } catch (const CollectiveError &error) {
    return UncaughtError{error.what(), true};
  } catch (const Error &error) {
    return UncaughtError{error.what(), false};
  } catch (...) {
    return std::nullopt;
  }
}

[[noreturn]] void report_and_exit() {
  std::optional<UncaughtError> error = uncaught_error();
  if (!error) {
    others();
    std::abort();
  }
  const LaunchedRank &own = own_rank();
  // The cause is printed before its consequences, and the first rank's error
  // before equal ones of others.
  if (own.world > 1)
    std::this_thread::sleep_for(
        kLauncherTime * ((own.rank > 0) + (error->is_consequence ? 3 : 0)));
  Result<Descriptor> printer = listen_here("xlac-error/" + own.job);
  if (printer) {
    std::fflush(stdout);
    std::string place = "process " + std::to_string(own.rank) + " of " +
                        std::to_string(own.world) + ": ";
    bool has_place = error->text.find(place) != std::string::npos;
    std::fprintf(stderr, "xlac: %s%s\n", has_place ? "" : place.c_str(),
                 error->text.c_str());
  }
  // Ranks of this host that fail at the same time find that one prints. The
  // consequences must come later than this process's end.
  if (own.rank > 0)
    std::this_thread::sleep_for(kLauncherTime / 2);
  std::fflush(nullptr);
  _exit(1);
}

} // namespace

void report_uncaught_errors(LaunchedRank rank) {
  static std::atomic<bool> is_set = false;
  if (is_set.exchange(true))
    return;
  own_rank() = std::move(rank);
  others = std::set_terminate(report_and_exit);
}

} // namespace xlac::job
