// xlac settings: the environment variables that xlac reads.
#include "commands.h"

#include "json.h"
#include "xlac/support/environment.h"
#include "xlac/support/settings.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace xlac::cli {

namespace {

enum class Form { Table, Markdown, Json };

std::string_view title(SettingGroup group) {
  switch (group) {
  case SettingGroup::Execution:
    return "Execution";
  case SettingGroup::Devices:
    return "Devices";
  case SettingGroup::Cache:
    return "Disk cache";
  case SettingGroup::Diagnostics:
    return "Diagnostics";
  case SettingGroup::Jobs:
    return "Jobs of several processes";
  }
  return {};
}

/// Returns the value in the environment, with secrets hidden; empty when unset.
std::string shown_value(const Setting &setting) {
  auto text = environment_text(setting.name);
  if (!text)
    return {};
  bool is_secret =
      &setting == &all_settings()[static_cast<size_t>(SettingId::JobSecret)];
  return is_secret ? "(set)" : *text;
}

std::string markdown() {
  std::string page =
      "# Settings\n\n"
      "xlac reads these environment variables. `xlac settings` prints them "
      "with their values.\n\n"
      "A variable that is empty counts as unset. A value that is not accepted "
      "is reported once: where a wrong value could harm, as in the number of "
      "devices, it is an error of the call that reads it; elsewhere it is a "
      "warning and the default holds. A variable that begins with `XLAC_` and "
      "is not in these tables is reported by one warning.\n";
  std::string_view section;
  for (const Setting &setting : all_settings()) {
    if (section != title(setting.group)) {
      section = title(setting.group);
      page += fmt::format("\n## {}\n\n| variable | accepts | default | use |\n"
                          "|---|---|---|---|\n",
                          section);
    }
    page += fmt::format("| `{}` | {} | {} | {} |\n", setting.name,
                        accepted_values(setting), setting.default_value,
                        setting.use);
  }
  return page;
}

std::string table() {
  std::string text;
  std::string_view section;
  for (const Setting &setting : all_settings()) {
    if (section != title(setting.group)) {
      text += section.empty() ? "" : "\n";
      section = title(setting.group);
      text += fmt::format("{}\n", section);
    }
    std::string value = shown_value(setting);
    text += fmt::format("  {}{}\n      {}: {}; default: {}\n", setting.name,
                        value.empty() ? "" : " = " + value, setting.use,
                        accepted_values(setting), setting.default_value);
  }
  for (const std::string &name : unknown_settings())
    text += fmt::format("\n{} is set and is not a setting of xlac\n", name);
  return text;
}

std::string json() {
  Json object;
  for (const Setting &setting : all_settings()) {
    Json one;
    one.add("value", shown_value(setting));
    one.add("default", setting.default_value);
    one.add("accepts", accepted_values(setting));
    one.add("use", setting.use);
    object.add(setting.name, std::move(one));
  }
  return object.text() + "\n";
}

int print(Form form) {
  std::string text = form == Form::Markdown ? markdown()
                     : form == Form::Json   ? json()
                                            : table();
  std::fwrite(text.data(), 1, text.size(), stdout);
  return 0;
}

} // namespace

Command add_settings(CLI::App &app) {
  auto form = std::make_shared<Form>(Form::Table);
  app.add_flag_callback(
      "--markdown", [form] { *form = Form::Markdown; },
      "Print the page docs/reference/settings.md");
  app.add_flag_callback(
      "--json", [form] { *form = Form::Json; }, "Print one JSON object");
  return [form] { return print(*form); };
}

} // namespace xlac::cli
