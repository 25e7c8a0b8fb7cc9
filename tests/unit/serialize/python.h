// Runs Python scripts on files of a test, if Python has the library to read
// them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace xlac::serialize {

/// Returns $XLAC_TORCH_PYTHON, or else python3, if it can import `module`;
/// otherwise "".
inline std::string python_with(const std::string &module) {
  const char *named = std::getenv("XLAC_TORCH_PYTHON");
  std::string python = named ? named : "python3";
  std::string command =
      python + " -c 'import " + module + "' 2>/dev/null >/dev/null";
  return std::system(command.c_str()) == 0 ? python : "";
}

/// Whether `script` succeeds; sys.argv[1] is `folder`.
inline bool runs_well(const std::string &python, const std::string &script,
                      const std::filesystem::path &folder) {
  std::filesystem::path file = folder / "script.py";
  std::ofstream(file) << script;
  std::string command = python + " " + file.string() + " " + folder.string();
  return std::system(command.c_str()) == 0;
}

} // namespace xlac::serialize
