#include "option_table.h"

#include "xlac/version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace xlac::cli {

namespace {

/// Text for man's macros: no line begins with a control character, and dashes
/// stay the ASCII character.
std::string roff(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (char each : text) {
    if (at_start && (each == '.' || each == '\''))
      out += "\\&";
    if (each == '\\')
      out += "\\e";
    else if (each == '-')
      out += "\\-";
    else
      out += each;
    at_start = each == '\n';
  }
  return out;
}

std::string header(const std::string &name) {
  return fmt::format(".\\\" Written by xlac manual.\n"
                     ".TH {} 1 \"\" \"xlac {}\" \"User Commands\"\n",
                     name, XLAC_VERSION_STRING);
}

std::string exit_status() {
  return ".SH EXIT STATUS\n"
         ".TP\n.B 0\nSuccess.\n"
         ".TP\n.B 1\nThe program, its data or the machine is at fault.\n"
         ".TP\n.B 2\nWrong usage.\n";
}

std::string positional_text(const OptionEntry &positional) {
  std::string text = positional.names[0];
  if (positional.is_repeated)
    text += " ...";
  return positional.is_required ? text : "[" + text + "]";
}

/// "one of a, b", "default native" and the like.
std::string facts(const OptionEntry &option) {
  std::string text;
  if (!option.choices.empty())
    text += fmt::format("One of {}. ", fmt::join(option.choices, ", "));
  if (!option.default_value.empty())
    text += fmt::format("Default {}. ", option.default_value);
  if (option.is_required)
    text += "Required. ";
  if (!text.empty())
    text.pop_back();
  return text;
}

/// A description ends with a full stop before the facts.
std::string sentence(std::string text) {
  if (!text.empty() && text.back() != '.' && !text.ends_with("…"))
    text += '.';
  return text;
}

std::string roff_option(const OptionEntry &option) {
  std::string names;
  for (const std::string &name : option.names)
    names += (names.empty() ? "" : "\\fR, ") + ("\\fB" + roff(name));
  std::string value =
      option.value.empty() ? "" : fmt::format(" \\fI{}", roff(option.value));
  std::string more = facts(option);
  return fmt::format(".TP\n{}{}\\fR{}\n{}\n{}", names, value,
                     option.is_repeated ? " ..." : "",
                     roff(sentence(option.description)),
                     more.empty() ? "" : roff(more) + "\n");
}

/// One line of a Markdown table.
std::string cell(const std::string &text) {
  std::string out;
  for (char each : text) {
    if (each == '|' || each == '<' || each == '>' || each == '*')
      out += '\\';
    out += each == '\n' ? ' ' : each;
  }
  return out;
}

std::string markdown_row(const OptionEntry &option) {
  std::string names;
  for (const std::string &name : option.names)
    names += fmt::format("{}`{}{}`", names.empty() ? "" : ", ", name,
                         name == option.names.back() && !option.value.empty() &&
                                 name.starts_with('-')
                             ? " " + option.value
                             : "");
  std::string more = facts(option);
  return fmt::format("| {} | {}{}{} |\n", names,
                     cell(sentence(option.description)),
                     more.empty() ? "" : " ", cell(more));
}

} // namespace

std::string manual_page(const CommandEntry &command) {
  std::string page = header("XLAC\\-" + command.name);
  page += fmt::format(".SH NAME\nxlac\\-{} \\- {}\n.SH SYNOPSIS\n.B xlac {}\n"
                      "[\\fIOPTIONS\\fR]",
                      command.name, roff(command.description), command.name);
  for (const OptionEntry &positional : command.positionals)
    page += " \\fI" + roff(positional_text(positional)) + "\\fR";
  page += "\n";
  if (!command.positionals.empty())
    page += ".SH ARGUMENTS\n";
  for (const OptionEntry &positional : command.positionals)
    page += roff_option(positional);
  page += ".SH OPTIONS\n";
  for (const OptionEntry &option : command.options)
    page += roff_option(option);
  page += exit_status();
  if (!command.example.empty())
    page += fmt::format(".SH EXAMPLES\n.nf\n{}\n.fi\n", roff(command.example));
  return page + ".SH SEE ALSO\n.BR xlac (1)\n";
}

std::string overview_page(const std::vector<CommandEntry> &commands) {
  std::string page = header("XLAC");
  page += ".SH NAME\nxlac \\- compile and run StableHLO programs for this CPU\n"
          ".SH SYNOPSIS\n.B xlac\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n"
          ".SH COMMANDS\n";
  std::string others;
  for (const CommandEntry &command : commands) {
    page += fmt::format(".TP\n.BR xlac\\-{} (1)\n{}\n", command.name,
                        roff(sentence(command.description)));
    others += fmt::format("{}.BR xlac\\-{} (1)", others.empty() ? "" : ",\n",
                          command.name);
  }
  page += ".SH ENVIRONMENT\n.B xlac settings\nlists the environment variables "
          "that xlac reads.\n";
  return page + exit_status() + ".SH SEE ALSO\n" + others + "\n";
}

std::string markdown_page(const std::vector<CommandEntry> &commands) {
  std::string page =
      "# Commands of xlac\n\n"
      "This page lists the commands and options of `xlac`. `xlac manual "
      "--markdown` writes it. [command_line.md](command_line.md) describes "
      "inputs and exit codes.\n";
  for (const CommandEntry &command : commands) {
    page += fmt::format("\n## xlac {}\n\n{}\n", command.name,
                        sentence(command.description));
    if (!command.example.empty())
      page += fmt::format("\nExample: `{}`\n", command.example);
    page += "\n| argument or option | use |\n|---|---|\n";
    for (const OptionEntry &positional : command.positionals)
      page += markdown_row(positional);
    for (const OptionEntry &option : command.options)
      page += markdown_row(option);
  }
  return page;
}

} // namespace xlac::cli
