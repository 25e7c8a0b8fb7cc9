// xlac completion and xlac manual: what shells and man know about the commands.
#include "commands.h"
#include "option_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <map>

namespace xlac::cli {

namespace {

struct ManualOptions {
  std::string command, directory;
  bool markdown = false;
};

int write(const std::string &path, const std::string &text) {
  auto written = write_file(path, text);
  return written ? 0 : report(written.error());
}

/// Writes all pages into the directory, which is made.
int write_pages(const std::vector<CommandEntry> &commands,
                const std::filesystem::path &directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    return report(failure(FailureKind::Runtime,
                          fmt::format("{}: cannot be made: {}",
                                      directory.string(), error.message())));
  if (int code = write(directory / "xlac.1", overview_page(commands)))
    return code;
  for (const CommandEntry &command : commands)
    if (int code = write(directory / fmt::format("xlac-{}.1", command.name),
                         manual_page(command)))
      return code;
  return 0;
}

int manual(const ManualOptions &options, const CLI::App &root) {
  auto commands = commands_of(root);
  if (options.markdown)
    return write("-", markdown_page(commands));
  if (!options.directory.empty())
    return write_pages(commands, options.directory);
  if (options.command.empty())
    return write("-", overview_page(commands));
  for (const CommandEntry &command : commands)
    if (command.name == options.command)
      return write("-", manual_page(command));
  std::fprintf(stderr, "xlac manual: there is no command '%s'\n",
               options.command.c_str());
  return 2;
}

} // namespace

Command add_completion(CLI::App &app) {
  static const std::map<std::string, Shell> shells = {
      {"bash", Shell::Bash}, {"fish", Shell::Fish}, {"zsh", Shell::Zsh}};
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "The shell that reads the script")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  return [shell, root = app.get_parent()] {
    return write("-", completion_script(commands_of(*root), shells.at(*shell)));
  };
}

Command add_manual(CLI::App &app) {
  auto options = std::make_shared<ManualOptions>();
  app.add_option("command", options->command,
                 "The command of which to print the page in man's format; "
                 "without it the overview");
  auto *directory =
      app.add_option("--directory", options->directory,
                     "Write the pages of all commands into this directory");
  app.add_flag("--markdown", options->markdown,
               "Print the page docs/reference/commands.md")
      ->excludes(directory);
  return [options, root = app.get_parent()] { return manual(*options, *root); };
}

} // namespace xlac::cli
