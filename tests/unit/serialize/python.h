// Running a Python script on files that a test wrote, where Python has the
// library that is to read them.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace xlac::serialize {

/// $XLAC_TORCH_PYTHON, else python3, if it can import `module`; or empty.
inline std::string python_with(const std::string &module) {
  const char *named = std::getenv("XLAC_TORCH_PYTHON");
  std::string python = named ? named : "python3";
  std::string command =
      python + " -c 'import " + module + "' 2>/dev/null >/dev/null";
  return std::system(command.c_str()) == 0 ? python : "";
}

/// Whether `script`, which finds `folder` in sys.argv[1], ends well.
inline bool runs_well(const std::string &python, const std::string &script,
                      const std::filesystem::path &folder) {
  std::filesystem::path file = folder / "script.py";
  std::ofstream(file) << script;
  std::string command = python + " " + file.string() + " " + folder.string();
  return std::system(command.c_str()) == 0;
}

} // namespace xlac::serialize
