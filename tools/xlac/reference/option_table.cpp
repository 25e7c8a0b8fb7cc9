#include "option_table.h"

#include "xlac/support/target_profile.h"

#include <CLI/CLI.hpp>

#include <map>
#include <sstream>

namespace xlac::cli {

namespace {

/// Names of values by option. Numbers are named N, other texts TEXT.
const std::map<std::string, std::string> &value_names() {
  static const std::map<std::string, std::string> names = {
      {"input", "FILE"},
      {"files", "FILE"},
      {"corpus", "FILE"},
      {"output", "FILE"},
      {"trace", "FILE"},
      {"report", "FILE"},
      {"expected", "ARRAY"},
      {"inputs", "ARRAY"},
      {"outputs", "DIR"},
      {"cache-dir", "DIR"},
      {"dump-dir", "DIR"},
      {"directory", "DIR"},
      {"entry", "NAME"},
      {"shape", "N=SIZES"},
      {"target", "PROFILE"},
      {"passes", "PIPELINE"},
      {"target-version", "VERSION"},
      {"mesh", "SIZES"},
      {"axes", "NAMES"},
      {"shard", "N=AXES"},
      {"hosts", "HOSTS"},
      {"rsh", "COMMAND"},
      {"master-addr", "HOST"},
      {"program", "PROGRAM"}};
  return names;
}

bool is_flag(const CLI::Option &option) {
  return option.get_items_expected_max() == 0;
}

/// The long name without dashes, or the name of a positional.
std::string plain_name(const CLI::Option &option) {
  auto names = option.get_lnames();
  return names.empty() ? option.get_name() : names[0];
}

/// The words of "TEXT:{a,b}", as CLI11 describes a choice.
std::vector<std::string> choices_in(const std::string &type) {
  std::vector<std::string> words;
  size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos)
    return words;
  std::istringstream list(type.substr(begin + 1, end - begin - 1));
  for (std::string word; std::getline(list, word, ',');)
    words.push_back(word);
  return words;
}

OptionEntry entry_of(const CLI::Option &option) {
  OptionEntry entry;
  if (option.get_positional()) {
    entry.names.push_back(plain_name(option));
  } else {
    for (const std::string &name : option.get_snames())
      entry.names.push_back("-" + name);
    for (const std::string &name : option.get_lnames())
      entry.names.push_back("--" + name);
  }
  entry.description = option.get_description();
  entry.is_required = option.get_required();
  if (is_flag(option))
    return entry;
  std::string type = option.get_type_name();
  entry.default_value = option.get_default_str();
  entry.is_repeated = option.get_items_expected_max() > 1;
  entry.choices = choices_in(type);
  entry.value = type.substr(0, type.find(':'));
  entry.kind = ValueKind::Text;
  if (entry.value == "FILE" || entry.value == "ARRAY" ||
      entry.value == "PROGRAM")
    entry.kind = ValueKind::File;
  if (entry.value == "DIR")
    entry.kind = ValueKind::Folder;
  if (entry.value == "PROFILE") {
    entry.choices = {"native"};
    for (const TargetProfile &profile : known_profiles())
      entry.choices.push_back(profile.name);
  }
  if (!entry.choices.empty())
    entry.kind = ValueKind::Choice;
  return entry;
}

} // namespace

std::vector<CommandEntry> commands_of(const CLI::App &app) {
  std::vector<CommandEntry> commands;
  for (const CLI::App *command : app.get_subcommands({})) {
    CommandEntry entry;
    entry.name = command->get_name();
    std::string text = command->get_description();
    constexpr std::string_view kExample = "\nExample: ";
    size_t end = text.find(kExample);
    entry.description = text.substr(0, end);
    if (end != std::string::npos)
      entry.example = text.substr(end + kExample.size());
    for (const CLI::Option *option : command->get_options())
      (option->get_positional() ? entry.positionals : entry.options)
          .push_back(entry_of(*option));
    commands.push_back(std::move(entry));
  }
  return commands;
}

void name_values(CLI::App &app) {
  for (CLI::App *command : app.get_subcommands({}))
    for (CLI::Option *option : command->get_options()) {
      if (is_flag(*option))
        continue;
      auto known = value_names().find(plain_name(*option));
      std::string type = option->get_type_name();
      type = type.substr(0, type.find(':'));
      if (known != value_names().end())
        option->type_name(known->second);
      else if (type == "INT" || type == "UINT" || type == "FLOAT")
        option->type_name("N");
    }
}

} // namespace xlac::cli
