// The commands and options of xlac as data, read from the CLI11 apps that parse
// them. Completion scripts, manual pages and docs/reference/commands.md are
// made of it.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace xlac::cli {

/// What a shell offers for the value of an option.
enum class ValueKind { None, Text, File, Folder, Choice };

struct OptionEntry {
  std::vector<std::string>
      names; ///< "-o", "--output"; of a positional its name
  ValueKind kind = ValueKind::None;
  std::string value;                ///< "FILE", "N"; empty for a flag
  std::vector<std::string> choices; ///< of ValueKind::Choice
  std::string default_value;        ///< may be empty
  std::string description;
  bool is_required = false, is_repeated = false;
};

struct CommandEntry {
  std::string name, description, example;
  std::vector<OptionEntry> positionals, options;
};

/// All subcommands of `app`, in the order of their declaration.
std::vector<CommandEntry> commands_of(const CLI::App &app);

/// Gives values of options the type names FILE, DIR and so on, for help and
/// completion, where CLI11 would name them TEXT or INT.
void name_values(CLI::App &app);

enum class Shell { Bash, Zsh, Fish };
/// A completion script of that shell.
std::string completion_script(const std::vector<CommandEntry> &commands,
                              Shell shell);

/// The manual page of a command, and that of xlac itself, in man's macros.
std::string manual_page(const CommandEntry &command);
std::string overview_page(const std::vector<CommandEntry> &commands);
/// docs/reference/commands.md.
std::string markdown_page(const std::vector<CommandEntry> &commands);

} // namespace xlac::cli
