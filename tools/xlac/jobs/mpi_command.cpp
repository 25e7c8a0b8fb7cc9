#include "mpi_command.h"

#include "xlac/job/job.h"

#include <cstdio>

namespace xlac::cli {

namespace {

enum class Family { None, OpenMpi, Hydra, Unknown };

/// The text of `mpirun --version`, read once.
const std::string &version_text() {
  static const std::string text = [] {
    std::string all;
    FILE *pipe = popen("mpirun --version 2>/dev/null </dev/null", "r");
    char piece[256];
    while (pipe && std::fgets(piece, sizeof piece, pipe))
      all += piece;
    return pipe && pclose(pipe) == 0 ? all : std::string();
  }();
  return text;
}

Family family() {
  const std::string &text = version_text();
  if (text.empty())
    return Family::None;
  if (text.find("Open MPI") != std::string::npos ||
      text.find("OpenRTE") != std::string::npos)
    return Family::OpenMpi;
  return text.find("HYDRA") != std::string::npos ? Family::Hydra
                                                 : Family::Unknown;
}

/// The elements of a list, separated by commas, each followed by `after`.
std::string joined(const std::vector<std::string> &list,
                   const std::string &after = "") {
  std::string text;
  for (const std::string &each : list)
    text += (text.empty() ? "" : ",") + each + after;
  return text;
}

} // namespace

Status check_mpirun() {
  switch (family()) {
  case Family::None:
    return failure(FailureKind::User, "there is no mpirun on the path");
  case Family::Unknown:
    return failure(FailureKind::User,
                   "mpirun is neither Open MPI's nor MPICH's: " +
                       version_text().substr(0, version_text().find('\n')));
  default:
    return job::check_mpi();
  }
}

std::vector<std::string> mpi_command(const MpiLaunch &launch) {
  std::string each = std::to_string(launch.processes_per_host);
  std::string all = std::to_string(launch.processes_per_host *
                                   static_cast<int>(launch.hosts.size()));
  std::vector<std::string> command = {"mpirun", "-n", all};
  auto add = [&](std::initializer_list<std::string> words) {
    command.insert(command.end(), words);
  };
  if (family() == Family::OpenMpi) {
    add({"--host", joined(launch.hosts, ":" + each), "--map-by", "slot",
         "--wdir", launch.folder});
    if (!launch.shell.empty())
      add({"--mca", "plm_rsh_agent", launch.shell});
    for (const std::string &variable : launch.variables)
      add({"-x", variable});
  } else {
    add({"-hosts", joined(launch.hosts), "-ppn", each, "-wdir", launch.folder});
    if (!launch.shell.empty())
      add({"-launcher-exec", launch.shell});
    if (!launch.variables.empty())
      add({"-genvlist", joined(launch.variables)});
  }
  command.insert(command.end(), launch.program.begin(), launch.program.end());
  return command;
}

} // namespace xlac::cli
