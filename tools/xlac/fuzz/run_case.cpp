#include "fuzz/run_case.h"

#include "commands.h"
#include "fuzz/shardings.h"
#include "xlac/loader/compiler_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace xlac::fuzz {

/// Longer than any program takes, with sanitizers too.
static constexpr int kPatienceMs = 120000;
/// Timeout of collectives; shorter than the one for hung programs.
static constexpr std::chrono::seconds kGridPatience{60};
/// The number of processes of the largest grid.
static constexpr int kMostDevices = 8;
/// The number of programs that one process runs before a new process replaces
/// it.
static constexpr uint64_t kBatch = 25;

bool Outcome::resembles(const Outcome &other) const {
  if (verdict != other.verdict)
    return false;
  if (verdict != CaseResult::Refused)
    return true;
  // Compares the message without its location and types.
  auto said = [](const std::string &text) {
    size_t at = text.find("error: ");
    return text.substr(at == std::string::npos ? 0 : at, 40);
  };
  return said(message) == said(other.message);
}

/// Runs all processes and returns their results.
static Result<std::vector<std::vector<cli::HostArray>>>
run_everywhere(const std::shared_ptr<const runtime::Executable> &executable,
               const Case &one) {
  std::vector<std::vector<cli::HostArray>> inputs(one.grid.count()), outputs;
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const host::Literal &input : one.process(i).inputs)
      inputs[i].push_back(
          {input.type(), {input.data(), input.data() + input.byte_count()}});
  const runtime::ExecutableImage &image = executable->image();
  if (image.partitions > 1) {
    inputs = cli::arguments_of(image, std::move(inputs[0]));
  } else if (inputs.size() == 1) {
    auto own = cli::run_on_host(executable, inputs[0]);
    if (!own)
      return own.error();
    outputs.push_back(std::move(*own));
    return outputs;
  }
  std::vector<std::vector<runtime::BufferRef>> arguments;
  for (const auto &arrays : inputs)
    arguments.push_back(cli::borrow(arrays));
  auto results = cli::run_on_grid(std::vector(inputs.size(), executable),
                                  {image.grid, kGridPatience}, arguments);
  if (!results)
    return results.error();
  return cli::outputs_of(image, *results);
}

Result<std::string> text_of(const Case &one, const Changes &changes) {
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  auto text = (*compiler)->print(
      changes.shardings ? with_shardings(one.program, *changes.shardings)
                        : one.program,
      false);
  if (!text || !changes.unknown_sizes)
    return text;
  return (*compiler)->run_passes(
      Source{*text, "fuzz.mlir", "main"},
      fmt::format("builtin.module(xlac-erase-sizes{{seed={}}})",
                  *changes.unknown_sizes));
}

ArgumentSizes sizes_of(const Case &one) {
  ArgumentSizes sizes;
  for (const host::Literal &input : one.inputs)
    sizes.emplace_back(static_cast<uint32_t>(sizes.size()), input.type().dims);
  return sizes;
}

Outcome run_case(const Case &one, const CompilerOptions &options,
                 const Changes &changes) {
  auto refused = [](const Failure &failure) {
    return Outcome{CaseResult::Refused, failure.message};
  };
  // Once in each process that runs cases, before a device is used.
  static const Status devices =
      runtime::configure_devices({.count = kMostDevices});
  if (!devices)
    return refused(devices.error());
  // Compiles the printed text, so that the written file reproduces the failure.
  auto text = text_of(one, changes);
  if (!text)
    return refused(text.error());
  ProgramLoadOptions load{options, nullptr, false};
  if (changes.unknown_sizes)
    load.compile.argument_sizes = sizes_of(one);
  auto loaded = load_or_compile(Source{*text, "fuzz.mlir", "main"}, load);
  if (!loaded)
    return refused(loaded.error());
  auto outputs = run_everywhere(loaded->executable, one);
  if (!outputs)
    return refused(outputs.error());
  for (size_t process = 0; process < outputs->size(); ++process) {
    const std::vector<Checked> &expected = one.process(process).expected;
    for (size_t i = 0; i < expected.size(); ++i) {
      auto found = difference(expected[i], (*outputs)[process][i].bytes);
      if (!found)
        continue;
      std::string where =
          one.peers.empty() ? "" : fmt::format("process {}, ", process);
      return {CaseResult::Mismatch,
              fmt::format("{}result {}: {}", where, i, *found)};
    }
  }
  return {};
}

Outcome run_family(uint64_t seed, ProgramLimits limits, int64_t sizes,
                   const CompilerOptions &options) {
  CompilerOptions compile = options;
  compile.family = fmt::format("fuzz {}", seed);
  for (limits.sizes = 0; limits.sizes < sizes; ++limits.sizes) {
    // Half of the families are compiled for any size from the first size on.
    compile.other_sizes.clear();
    if (limits.sizes == 0 && sizes > 1 && seed % 2 == 0) {
      ProgramLimits second = limits;
      second.sizes = 1;
      compile.other_sizes = {sizes_of(generate(Random(seed), second))};
    }
    Outcome outcome = run_case(generate(Random(seed), limits), compile, {});
    if (outcome.failed()) {
      outcome.message =
          fmt::format("sizes {}: {}", limits.sizes, outcome.message);
      return outcome;
    }
  }
  return {};
}

//===- Processes ----------------------------------------------------------===//

namespace {

/// A child writes one record at the start of each number and another one at its
/// end.
struct Record {
  uint64_t number;
  uint32_t length; ///< of the message that follows
  CaseResult verdict;
  bool begins;
};

void write_all(int to, const void *data, size_t size) {
  auto *at = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t written = ::write(to, at, size);
    if (written <= 0)
      ::_exit(3);
    at += written;
    size -= static_cast<size_t>(written);
  }
}

void write_record(int to, uint64_t number, bool begins,
                  const Outcome &outcome) {
  Record record{};
  record.number = number;
  record.length = static_cast<uint32_t>(outcome.message.size());
  record.verdict = outcome.verdict;
  record.begins = begins;
  write_all(to, &record, sizeof record);
  write_all(to, outcome.message.data(), outcome.message.size());
}

class Child {
public:
  uint64_t next, end; ///< numbers that are left to run
  int from = -1;
  pid_t process = -1;
  bool running_one = false; ///< has started `next` but not ended it
  std::string unread;

  Child(uint64_t first, uint64_t end) : next(first), end(end) {}

  void start(const std::function<Outcome(uint64_t)> &body) {
    int ends[2];
    if (::pipe(ends) != 0)
      return;
    process = ::fork();
    if (process == 0) {
      ::close(ends[0]);
      for (uint64_t number = next; number < end; ++number) {
        write_record(ends[1], number, true, {});
        write_record(ends[1], number, false, body(number));
      }
      ::_exit(0);
    }
    ::close(ends[1]);
    from = ends[0];
  }

  /// Reads available records; returns false at the end of the stream.
  bool read(const std::function<void(uint64_t, const Outcome &)> &done) {
    char buffer[1 << 16];
    ssize_t count = ::read(from, buffer, sizeof buffer);
    if (count <= 0)
      return false;
    unread.append(buffer, static_cast<size_t>(count));
    Record record;
    while (unread.size() >= sizeof record) {
      std::memcpy(&record, unread.data(), sizeof record);
      if (unread.size() < sizeof record + record.length)
        break;
      Outcome outcome{record.verdict,
                      unread.substr(sizeof record, record.length)};
      unread.erase(0, sizeof record + record.length);
      running_one = record.begins;
      if (!record.begins) {
        done(record.number, outcome);
        next = record.number + 1;
      }
    }
    return true;
  }

  /// Waits for the process. Returns the cause of its death if it was running a
  /// number.
  Outcome finish(bool hung) {
    if (hung)
      ::kill(process, SIGKILL);
    int status = 0;
    ::waitpid(process, &status, 0);
    ::close(from);
    if (hung)
      return {CaseResult::Hung, "no answer in time"};
    if (WIFSIGNALED(status))
      return {CaseResult::Crashed,
              fmt::format("ended by signal {} ({})", WTERMSIG(status),
                          ::strsignal(WTERMSIG(status)))};
    return {CaseResult::Crashed,
            fmt::format("ended with code {}", WEXITSTATUS(status))};
  }
};

} // namespace

void run_all(uint64_t first, uint64_t count, int jobs,
             const std::function<Outcome(uint64_t)> &body,
             const std::function<void(uint64_t, const Outcome &)> &done) {
  std::vector<Child> children;
  uint64_t next = first, end = first + count;
  auto fill = [&] {
    while (static_cast<int>(children.size()) < jobs && next < end) {
      children.emplace_back(next, std::min(next + kBatch, end));
      next = children.back().end;
      children.back().start(body);
    }
  };
  fill();
  while (!children.empty()) {
    std::vector<pollfd> waits;
    for (const Child &child : children)
      waits.push_back({child.from, POLLIN, 0});
    int ready = ::poll(waits.data(), waits.size(), kPatienceMs);
    for (size_t i = children.size(); i-- > 0;) {
      Child &child = children[i];
      bool hung = ready == 0;
      if (!hung && (waits[i].revents == 0 || child.read(done)))
        continue;
      Outcome death = child.finish(hung);
      if (child.running_one || hung) {
        done(child.next, death);
        ++child.next;
      }
      if (child.next < child.end) {
        Child rest(child.next, child.end);
        rest.start(body);
        child = rest;
      } else {
        children.erase(children.begin() + static_cast<ptrdiff_t>(i));
      }
    }
    fill();
  }
}

Outcome run_apart(const std::function<Outcome()> &body) {
  Outcome answer;
  run_all(
      0, 1, 1, [&](uint64_t) { return body(); },
      [&](uint64_t, const Outcome &outcome) { answer = outcome; });
  return answer;
}

} // namespace xlac::fuzz
