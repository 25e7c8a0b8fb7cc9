#include "xlac/support/library_path.h"

#include <algorithm>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace xlac {

Result<std::filesystem::path> find_own_library(std::string_view name) {
  std::error_code error;
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&find_own_library), &info))
    return failure(FailureKind::Internal,
                   "cannot determine where xlac is installed");
  auto here = std::filesystem::weakly_canonical(info.dli_fname, error);
  if (error || !std::filesystem::exists(here, error))
    here = std::filesystem::read_symlink("/proc/self/exe", error);
  // The names of library folders depend on the distribution.
  auto folder = here.parent_path(), prefix = folder.parent_path();
  std::vector<std::filesystem::path> folders = {folder};
  for (const char *each : {XLAC_LIBRARY_FOLDERS})
    if (std::ranges::count(folders, prefix / each) == 0)
      folders.push_back(prefix / each);
  std::string searched;
  for (const auto &candidate : folders) {
    if (std::filesystem::exists(candidate / name, error))
      return candidate / name;
    searched += (searched.empty() ? "" : ", ") + candidate.string();
  }
  return failure(FailureKind::Runtime,
                 std::string(name) + " is in none of " + searched);
}

} // namespace xlac
