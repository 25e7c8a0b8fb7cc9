// xlac launch: the processes of a job, on this host or on several.
#include "child_processes.h"
#include "commands.h"
#include "mpi_command.h"

#include "xlac/support/hash.h"
#include "xlac/support/settings.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

extern char **environ;

namespace xlac::cli {
namespace {

struct LaunchOptions {
  int processes = 0;
  int devices_per_process = 0;
  std::vector<std::string> hosts;
  std::string shell;     ///< empty: ssh
  std::string transport; ///< empty: XLAC_TRANSPORT
  int host_count = 1, host = 0;
  std::string master_address;
  int master_port = 0;
  bool tied = false;
  std::vector<std::string> program;
};

/// Quotes text for a shell.
std::string shell_word(const std::string &text) {
  std::string result = "'";
  for (char letter : text)
    result += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return result + "'";
}

constexpr const char *kSecret = "XLAC_JOB_SECRET";

/// Returns the secret of a job's processes: the given one, or a random one.
std::string job_secret() {
  if (auto given = text_setting(SettingId::JobSecret))
    return *given;
  return to_hex(random_digest());
}

/// Returns the environment variables that xlac reads, which a remote shell must
/// set. The secret is not included, since command lines are visible to all
/// users.
std::vector<std::string> own_variables() {
  std::vector<std::string> found;
  for (char **entry = environ; *entry; ++entry) {
    std::string_view text = *entry;
    if (text.starts_with(std::string(kSecret) + "="))
      continue;
    for (std::string_view prefix :
         {"XLAC_", "XLA_", "PJRT_", "CPU_NUM_DEVICES="})
      if (text.starts_with(prefix)) {
        found.emplace_back(text);
        break;
      }
  }
  return found;
}

/// Returns the address in "user@address".
std::string address_of(const std::string &host) {
  size_t at = host.rfind('@');
  return at == std::string::npos ? host : host.substr(at + 1);
}

int port_of(const LaunchOptions &options) {
  constexpr int kUsual = 12355;
  if (options.master_port != 0)
    return options.master_port;
  return static_cast<int>(
      integer_setting(SettingId::MasterPort).value_or(kUsual));
}

int processes_of(const LaunchOptions &options) {
  if (options.processes > 0)
    return options.processes;
  int64_t devices = integer_setting(SettingId::CpuNumDevices).value_or(1);
  return static_cast<int>(
      std::max<int64_t>(devices / std::max(options.devices_per_process, 1), 1));
}

/// Whether mpirun starts the processes of several hosts. User failure if it has
/// to, but cannot.
Result<bool> uses_mpirun(const LaunchOptions &options) {
  std::string transport =
      options.transport.empty()
          ? text_setting(SettingId::JobTransport).value_or("auto")
          : options.transport;
  if (transport == "tcp")
    return false;
  Status usable = check_mpirun();
  if (transport == "mpi") {
    if (!usable)
      return failure(usable.error().failure_kind,
                     "launch: the transport is mpi, but " +
                         usable.error().message +
                         "; --transport tcp needs no MPI");
    return true;
  }
  // A shell of the user's need not understand the commands of mpirun, and the
  // mpirun of Open MPI takes no users.
  bool is_plain = options.shell.empty() && options.master_address.empty() &&
                  options.master_port == 0;
  for (const std::string &host : options.hosts)
    is_plain = is_plain && host.find('@') == std::string::npos;
  return is_plain && usable;
}

/// Runs mpirun, which starts the processes of all hosts.
int launch_by_mpirun(const LaunchOptions &options) {
  std::error_code none;
  if (options.devices_per_process > 0)
    setenv("XLAC_DEVICES_PER_PROCESS",
           std::to_string(options.devices_per_process).c_str(), 1);
  if (!options.transport.empty())
    setenv("XLAC_TRANSPORT", options.transport.c_str(), 1);
  MpiLaunch launch;
  launch.hosts = options.hosts;
  launch.processes_per_host = processes_of(options);
  launch.shell = options.shell;
  launch.folder = std::filesystem::current_path(none);
  launch.program = options.program;
  for (const std::string &variable : own_variables())
    launch.variables.push_back(variable.substr(0, variable.find('=')));
  ChildProcesses crew(options.tied);
  ChildCommand member;
  member.name = "mpirun";
  member.command = mpi_command(launch);
  if (Status started = crew.start(member); !started)
    return report(started.error());
  return crew.wait();
}

/// Runs this command on each host, for the processes of that host.
int launch_hosts(const LaunchOptions &options) {
  std::error_code none;
  std::string self = std::filesystem::read_symlink("/proc/self/exe", none);
  std::string folder = std::filesystem::current_path(none);
  std::string master = options.master_address.empty()
                           ? address_of(options.hosts.front())
                           : options.master_address;
  std::string secret = job_secret();
  ChildProcesses crew(options.tied);
  for (size_t i = 0; i < options.hosts.size(); ++i) {
    std::string line = "IFS= read -r " + std::string(kSecret) + " && export " +
                       kSecret + " && cd " + shell_word(folder) +
                       " && exec env";
    for (const std::string &variable : own_variables())
      line += " " + shell_word(variable);
    line += " " + shell_word(self) + " launch --tied --nnodes " +
            std::to_string(options.hosts.size()) + " --node-rank " +
            std::to_string(i) + " --master-addr " + shell_word(master) +
            " --master-port " + std::to_string(port_of(options)) + " --nproc " +
            std::to_string(processes_of(options));
    if (options.devices_per_process > 0)
      line +=
          " --devices-per-proc " + std::to_string(options.devices_per_process);
    line += " --";
    for (const std::string &word : options.program)
      line += " " + shell_word(word);
    ChildCommand member;
    member.name = "host " + options.hosts[i];
    member.prefix = options.hosts[i] + ": ";
    // The command may have arguments: "ssh -p 2222".
    std::istringstream words(options.shell.empty() ? "ssh" : options.shell);
    for (std::string word; words >> word;)
      member.command.push_back(word);
    member.command.push_back(options.hosts[i]);
    member.command.push_back(line);
    member.tied = true;
    member.input = secret + "\n";
    if (Status started = crew.start(member); !started)
      return report(started.error());
  }
  return crew.wait();
}

/// Runs the processes of this host.
int launch_here(const LaunchOptions &options) {
  int count = processes_of(options);
  std::string job =
      std::to_string(getpid()) + "-" +
      std::to_string(
          std::chrono::system_clock::now().time_since_epoch().count());
  std::string master =
      !options.master_address.empty()
          ? options.master_address
          : text_setting(SettingId::MasterAddress).value_or("127.0.0.1");
  ChildProcesses crew(options.tied);
  for (int i = 0; i < count; ++i) {
    auto text = [](int number) { return std::to_string(number); };
    ChildCommand member;
    member.name = "process " + text(options.host * count + i);
    member.command = options.program;
    member.variables = {
        {"RANK", text(options.host * count + i)},
        {"LOCAL_RANK", text(i)},
        {"WORLD_SIZE", text(options.host_count * count)},
        {"LOCAL_WORLD_SIZE", text(count)},
        {"XLAC_NUM_HOSTS", text(options.host_count)},
        {"XLAC_HOST_INDEX", text(options.host)},
        {"MASTER_ADDR", master},
        {"MASTER_PORT", text(port_of(options))},
        {"XLAC_JOB_NAME", job},
    };
    if (options.devices_per_process > 0)
      member.variables.emplace_back("XLAC_DEVICES_PER_PROCESS",
                                    text(options.devices_per_process));
    if (Status started = crew.start(member); !started)
      return report(started.error());
  }
  return crew.wait();
}

int launch(const LaunchOptions &options) {
  if (options.host >= options.host_count)
    return report(failure(FailureKind::User,
                          "launch: got node rank " +
                              std::to_string(options.host) + " of " +
                              std::to_string(options.host_count) + " nodes"));
  if (options.hosts.empty())
    return launch_here(options);
  Result<bool> by_mpirun = uses_mpirun(options);
  if (!by_mpirun)
    return report(by_mpirun.error());
  return *by_mpirun ? launch_by_mpirun(options) : launch_hosts(options);
}

} // namespace

Command add_launch(CLI::App &app) {
  auto options = std::make_shared<LaunchOptions>();
  app.add_option("--nproc", options->processes,
                 "processes a host; default CPU_NUM_DEVICES")
      ->check(CLI::Range(1, 4096));
  app.add_option("--devices-per-proc", options->devices_per_process,
                 "devices of a process, XLAC_DEVICES_PER_PROCESS")
      ->check(CLI::Range(1, 4096));
  auto *hosts =
      app.add_option("--hosts", options->hosts,
                     "hosts to run it on, all at the same time, the first of "
                     "which is the master")
          ->delimiter(',')
          ->allow_extra_args(false);
  app.add_option(
      "--rsh", options->shell,
      "command that takes a host and what to run there; default ssh");
  app.add_option(
         "--transport", options->transport,
         "mpi: mpirun starts the processes of --hosts; tcp: --rsh does; "
         "auto: mpirun if it can; default XLAC_TRANSPORT")
      ->check(CLI::IsMember({"auto", "mpi", "tcp"}));
  app.add_option("--nnodes", options->host_count,
                 "hosts of the job, of which this is one")
      ->check(CLI::Range(1, 4096))
      ->excludes(hosts);
  app.add_option("--node-rank", options->host, "which of them this is")
      ->check(CLI::Range(0, 4095))
      ->excludes(hosts);
  app.add_option("--master-addr", options->master_address,
                 "address of the first host");
  app.add_option("--master-port", options->master_port,
                 "port that the first process listens at")
      ->check(CLI::Range(1, 65535));
  app.add_flag("--tied", options->tied, "end with the end of the input");
  app.add_option("program", options->program, "the program and its arguments")
      ->required();
  return [options] { return launch(*options); };
}

} // namespace xlac::cli
