#include "option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace xlac::cli {

namespace {

/// The first sentence of a description, on one line.
std::string brief(const std::string &text) {
  size_t end = text.find(". ");
  std::string one = text.substr(0, end);
  return one.substr(0, one.find('\n'));
}

/// Text between single quotes of a POSIX shell.
std::string shell_quoted(std::string_view text) {
  std::string out = "'";
  for (char each : text)
    out += each == '\'' ? std::string("'\\''") : std::string(1, each);
  return out + "'";
}

std::vector<std::string> names_of(const std::vector<OptionEntry> &options) {
  std::vector<std::string> names;
  for (const OptionEntry &option : options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

/// bash's command that offers the values of an option.
std::string bash_values(const OptionEntry &option) {
  switch (option.kind) {
  case ValueKind::Choice:
    return fmt::format("compgen -W '{}' -- \"$current\"",
                       fmt::join(option.choices, " "));
  case ValueKind::File:
    return "compgen -f -- \"$current\"";
  case ValueKind::Folder:
    return "compgen -d -- \"$current\"";
  case ValueKind::Text:
  case ValueKind::None:
    return "true";
  }
  return {};
}

std::string bash_script(const std::vector<CommandEntry> &commands) {
  std::string cases, names;
  for (const CommandEntry &command : commands) {
    names += (names.empty() ? "" : " ") + command.name;
    std::string values;
    for (const OptionEntry &option : command.options)
      if (option.kind != ValueKind::None)
        values +=
            fmt::format("        {}) offered=$({}) ;;\n",
                        fmt::join(option.names, "|"), bash_values(option));
    std::string rest = "compgen -f -- \"$current\"";
    if (!command.positionals.empty())
      rest = bash_values(command.positionals[0]);
    cases += fmt::format(
        "    {})\n"
        "      case $previous in\n{}"
        "        *)\n"
        "          if [[ $current == -* ]]; then\n"
        "            offered=$(compgen -W '{}' -- \"$current\")\n"
        "          else\n"
        "            offered=$({})\n"
        "          fi ;;\n"
        "      esac ;;\n",
        command.name, values, fmt::join(names_of(command.options), " "), rest);
  }
  return fmt::format(
      "# bash completion for xlac; written by xlac completion bash.\n"
      "_xlac() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} offered=\n"
      "  local previous=${{COMP_WORDS[COMP_CWORD-1]}}\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '{} --help --version' -- "
      "\"$current\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "  esac\n"
      "  [[ -z $offered ]] || mapfile -t COMPREPLY <<< \"$offered\"\n"
      "}}\n"
      "complete -o filenames -F _xlac xlac\n",
      names, cases);
}

/// A description for _arguments, which gives a meaning to brackets and colons.
std::string zsh_text(const std::string &text) {
  std::string out;
  for (char each : brief(text)) {
    if (each == '[' || each == ']' || each == ':' || each == '\\')
      out += '\\';
    out += each;
  }
  return out;
}

std::string zsh_action(const OptionEntry &option) {
  switch (option.kind) {
  case ValueKind::Choice:
    return fmt::format("({})", fmt::join(option.choices, " "));
  case ValueKind::File:
    return "_files";
  case ValueKind::Folder:
    return "_files -/";
  case ValueKind::Text:
  case ValueKind::None:
    return " ";
  }
  return {};
}

std::string zsh_arguments(const CommandEntry &command) {
  std::string out;
  for (const OptionEntry &option : command.options)
    for (const std::string &name : option.names) {
      std::string spec = fmt::format("{}{}[{}]", option.is_repeated ? "*" : "",
                                     name, zsh_text(option.description));
      if (option.kind != ValueKind::None)
        spec += fmt::format(":{}:{}", option.value, zsh_action(option));
      out += " \\\n        " + shell_quoted(spec);
    }
  for (const OptionEntry &positional : command.positionals)
    out +=
        " \\\n        " +
        shell_quoted(fmt::format("{}:{}:{}", positional.is_repeated ? "*" : "",
                                 positional.names[0], zsh_action(positional)));
  return out;
}

std::string zsh_script(const std::vector<CommandEntry> &commands) {
  std::string names, cases;
  for (const CommandEntry &command : commands) {
    names += fmt::format("    {}\n", shell_quoted(command.name + ":" +
                                                  brief(command.description)));
    cases += fmt::format("    {})\n      _arguments -s{} ;;\n", command.name,
                         zsh_arguments(command));
  }
  return fmt::format("#compdef xlac\n"
                     "# zsh completion for xlac; written by xlac completion "
                     "zsh.\n"
                     "_xlac() {{\n"
                     "  local -a commands=(\n{}  )\n"
                     "  if ((CURRENT == 2)); then\n"
                     "    _describe command commands\n"
                     "    return\n"
                     "  fi\n"
                     "  local command=$words[2]\n"
                     "  shift words\n"
                     "  ((CURRENT--))\n"
                     "  case $command in\n{}"
                     "  esac\n"
                     "}}\n"
                     "if [[ $funcstack[1] == _xlac ]]; then\n"
                     "  _xlac \"$@\"\n"
                     "else\n"
                     "  compdef _xlac xlac\n"
                     "fi\n",
                     names, cases);
}

/// Text between single quotes of fish.
std::string fish_quoted(std::string_view text) {
  std::string out = "'";
  for (char each : text) {
    if (each == '\'' || each == '\\')
      out += '\\';
    out += each;
  }
  return out + "'";
}

std::string fish_values(const OptionEntry &option) {
  switch (option.kind) {
  case ValueKind::Choice:
    return fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
  case ValueKind::File:
    return " -r -F";
  case ValueKind::Folder:
    return " -x -a '(__fish_complete_directories)'";
  case ValueKind::Text:
    return " -x";
  case ValueKind::None:
    return "";
  }
  return {};
}

std::string fish_script(const std::vector<CommandEntry> &commands) {
  std::string out = "# fish completion for xlac; written by xlac completion "
                    "fish.\n"
                    "complete -c xlac -n __fish_use_subcommand -f\n";
  for (const CommandEntry &command : commands) {
    out += fmt::format("complete -c xlac -n __fish_use_subcommand -f -a {} -d "
                       "{}\n",
                       command.name, fish_quoted(brief(command.description)));
    std::string seen = fmt::format(
        "complete -c xlac -n '__fish_seen_subcommand_from {}'", command.name);
    for (const OptionEntry &option : command.options) {
      out += seen;
      for (const std::string &name : option.names)
        out += name.starts_with("--") ? " -l " + name.substr(2)
                                      : " -s " + name.substr(1);
      out += fish_values(option) + " -d " +
             fish_quoted(brief(option.description)) + "\n";
    }
    for (const OptionEntry &positional : command.positionals)
      if (positional.kind == ValueKind::Choice)
        out += fmt::format("{} -f -a '{}'\n", seen,
                           fmt::join(positional.choices, " "));
  }
  return out;
}

} // namespace

std::string completion_script(const std::vector<CommandEntry> &commands,
                              Shell shell) {
  switch (shell) {
  case Shell::Bash:
    return bash_script(commands);
  case Shell::Zsh:
    return zsh_script(commands);
  case Shell::Fish:
    return fish_script(commands);
  }
  return {};
}

} // namespace xlac::cli
