// xlac: the command-line compiler.
#include "commands.h"
#include "reference/option_table.h"

#include "xlac/version.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>

using namespace xlac::cli;

/// Returns `code`, or prints one line and returns 1 if writing to standard
/// output failed.
static int check_output(int code) {
  std::cout.flush();
  bool is_taken = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout;
  if (is_taken || code != 0)
    return code;
  std::fprintf(stderr, "xlac: standard output cannot be written\n");
  return 1;
}

/// Returns the command's exit code. For an exception it prints one line and
/// returns 1.
static int run_guarded(const Command &run) {
  try {
    return check_output(run());
  } catch (const std::bad_alloc &) {
    std::fprintf(stderr, "xlac: out of memory\n");
  } catch (const std::exception &problem) {
    std::fprintf(stderr, "xlac: %s\n", problem.what());
  }
  return 1;
}

/// Prints the help or the version that was asked for, or one line about wrong
/// usage. Returns the exit code.
static int report_usage(const CLI::App &app, const CLI::ParseError &error) {
  if (error.get_exit_code() == 0)
    return check_output(app.exit(error));
  auto chosen = app.get_subcommands();
  std::string command =
      "xlac" + (chosen.empty() ? "" : " " + chosen[0]->get_name());
  std::string what = error.what();
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::fprintf(stderr, "%s: %s; see %s --help\n", command.c_str(), what.c_str(),
               command.c_str());
  return 2;
}

using Commands = std::vector<std::pair<CLI::App *, Command>>;

/// Adds all subcommands to `app`.
static Commands add_commands(CLI::App &app) {
  Commands commands;
  auto add = [&](const char *name, const char *text,
                 Command (*make)(CLI::App &)) {
    CLI::App *command = app.add_subcommand(name, text);
    commands.emplace_back(command, make(*command));
  };
  add("run",
      "Run a program, compiling it or finding it in the cache\n"
      "Example: xlac run model.mlir --inputs in_000.npy --outputs out",
      add_run);
  add("compile",
      "Write any stage of a program's way to native code\n"
      "Example: xlac compile model.mlir --emit llvm -o model.ll",
      add_compile);
  add("check",
      "Run conformance files and say which cases hold\n"
      "Example: xlac check tests/e2e/ops/*.mlir",
      add_check);
  add("bench",
      "Time compiling, loading and running a program\n"
      "Example: xlac bench model.mlir --inputs random:1 --iters 50",
      add_bench);
  add("opt",
      "Run passes and print the result\n"
      "Example: xlac opt model.mlir --passes 'builtin.module(cse)'",
      add_opt);
  add("translate",
      "Verify a program and write it as text or as a portable artifact\n"
      "Example: xlac translate model.mlir --to bytecode --target-version 1.9.0",
      add_translate);
  add("inspect",
      "Print the arguments and results of a program or an image\n"
      "Example: xlac inspect model.mlir",
      add_inspect);
  add("explain",
      "Print the cost of a program on a mesh of devices, without running it\n"
      "Example: xlac explain model.mlir --mesh 16x16 --shard 0=x,-",
      add_explain);
  add("graph",
      "Draw a program's kernels, their fused ops and the values between "
      "them\n"
      "Example: xlac graph model.mlir -o model.svg",
      add_graph);
  add("fuzz",
      "Compare random programs, compiled, with the evaluator\n"
      "Example: xlac fuzz --seed 1 --count 1000",
      add_fuzz);
  add("launch",
      "Run a program in several processes, on this host or on several\n"
      "Example: xlac launch --hosts a,b --nproc 4 -- ./train data",
      add_launch);
  add("cache",
      "Look into and manage the disk cache\n"
      "Example: xlac cache stats",
      add_cache_command);
  add("settings",
      "List the environment variables that xlac reads, with their values\n"
      "Example: xlac settings",
      add_settings);
  add("completion",
      "Print a script that completes commands and options in a shell\n"
      "Example: xlac completion bash > "
      "~/.local/share/bash-completion/completions/xlac",
      add_completion);
  add("manual",
      "Print a manual page\n"
      "Example: xlac manual run | man -l -",
      add_manual);
  return commands;
}

int main(int argc, char **argv) {
  // A closed standard output is a write error, not a signal. Unlike SIG_IGN, a
  // handler is not inherited by the programs of `launch`.
  std::signal(SIGPIPE, [](int) {});
  CLI::App app("xlac compiles and runs StableHLO programs for this CPU.\n"
               "Example: xlac run model.mlir --inputs random:1");
  app.require_subcommand(1);
  app.set_version_flag("--version", "xlac " XLAC_VERSION_STRING);
  Commands commands = add_commands(app);
  name_values(app);
  std::string first = argc < 2 ? "" : argv[1];
  bool known =
      argc < 2 || first == "-h" || first == "--help" || first == "--version";
  for (auto &[command, run] : commands)
    known = known || command->get_name() == first;
  if (!known) {
    std::fprintf(stderr, "xlac: unknown %s '%s'; see xlac --help\n",
                 first.starts_with("-") ? "option" : "command", first.c_str());
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return report_usage(app, error);
  }
  for (auto &[command, run] : commands)
    if (command->parsed())
      return run_guarded(run);
  return 2;
}
