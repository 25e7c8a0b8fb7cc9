#include "processes.h"

#include "errors.h"
#include "functions.h"

#include "xlac/job/launcher.h"
#include "xlac/support/hash.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <unistd.h>

namespace xlac::pjrt {
namespace {

/// How long a process waits for a value of another process. Hosts may start the
/// processes of a program minutes apart.
constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(5);

PJRT_Error *make_callback_error(PJRT_Error_Code code, const char *message,
                                size_t size) {
  return make_error(code, {message, size});
}

/// The key-value store of the host.
class Store {
public:
  /// The number of the client is part of all keys, so that the n-th client of a
  /// process exchanges values with the n-th clients of the other processes.
  Store(const PJRT_Client_Create_Args &args, int client)
      : args_(args), prefix_("xlac/" + std::to_string(client) + "/") {}

  void put(const std::string &name, const std::string &value) {
    std::string key = prefix_ + name;
    PJRT_KeyValuePutCallback_Args given = {};
    given.struct_size = sizeof given;
    given.key = key.data();
    given.key_size = key.size();
    given.value = value.data();
    given.value_size = value.size();
    given.callback_error = &error_;
    given.user_arg = args_.kv_put_user_arg;
    check(args_.kv_put_callback(&given), name);
  }

  /// Waits until a process has stored the value; throws after kPatience.
  std::string get(const std::string &name) {
    std::string key = prefix_ + name;
    PJRT_KeyValueGetCallback_Args given = {};
    given.struct_size = sizeof given;
    given.key = key.data();
    given.key_size = key.size();
    given.timeout_in_ms = static_cast<int>(kPatience.count());
    given.callback_error = &error_;
    given.user_arg = args_.kv_get_user_arg;
    check(args_.kv_get_callback(&given), name);
    std::string value(given.value, given.value_size);
    if (given.value_deleter_callback)
      given.value_deleter_callback(given.value);
    return value;
  }

private:
  static void check(PJRT_Error *error, const std::string &name) {
    if (!error)
      return;
    Error own(error->code, "the processes of the program cannot exchange " +
                               name + ": " + error->message);
    PJRT_Error_Destroy_Args destroy = {};
    destroy.error = error;
    call(destroy);
    throw own;
  }

  const PJRT_Client_Create_Args &args_;
  const std::string prefix_;
  PJRT_CallbackError error_ = make_callback_error;
};

/// Returns a text that is equal for processes of one user on one machine in one
/// network namespace. Such processes can use local sockets and shared memory.
std::string host_identity() {
  std::string boot = "?";
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  char space[64] = {};
  if (readlink("/proc/self/ns/net", space, sizeof space - 1) < 0)
    space[0] = '?';
  return boot + "," + space + "," + std::to_string(geteuid());
}

/// Follows the host of a process that can use MPI.
constexpr std::string_view kHasMpi = " mpi";

/// Groups the processes by host. If hosts have different numbers of processes,
/// or if the indices of a host's processes are not consecutive, each process is
/// treated as a host.
job::Topology arrange(int index, const std::vector<std::string> &hosts) {
  int count = static_cast<int>(hosts.size());
  int each = static_cast<int>(
      std::find_if(hosts.begin(), hosts.end(),
                   [&](const std::string &host) { return host != hosts[0]; }) -
      hosts.begin());
  for (int i = 0; i < count; ++i)
    if (count % each != 0 || hosts[i] != hosts[i / each * each] ||
        std::count(hosts.begin(), hosts.end(), hosts[i]) != each)
      each = 1;
  job::Topology topology;
  topology.hosts = count / each;
  topology.host = index / each;
  topology.processes_per_host = each;
  topology.local_process = index % each;
  return topology;
}

/// The text that a process publishes: its number of devices, then its host,
/// then whether it can use MPI.
std::string introduction(int devices, bool has_mpi) {
  return std::to_string(devices) + " " + host_identity() +
         (has_mpi ? std::string(kHasMpi) : "");
}

/// Removes the mark of those that can use MPI from the hosts; returns whether
/// all have it.
bool take_mpi_marks(std::vector<std::string> &hosts) {
  bool all = true;
  for (std::string &host : hosts)
    if (host.ends_with(kHasMpi))
      host.resize(host.size() - kHasMpi.size());
    else
      all = false;
  return all;
}

/// Waits for the texts of all processes and returns their hosts. Throws if a
/// process has another number of devices.
std::vector<std::string> meet_all(Store &store, int count, int devices) {
  std::vector<std::string> hosts;
  for (int i = 0; i < count; ++i) {
    std::string text = store.get("process " + std::to_string(i));
    int theirs = 0;
    std::from_chars(text.data(), text.data() + text.size(), theirs);
    if (theirs != devices)
      throw Error(PJRT_Error_Code_FAILED_PRECONDITION,
                  "process " + std::to_string(i) + " has " +
                      std::to_string(theirs) + " devices and this one " +
                      std::to_string(devices) +
                      "; all processes of a program need equally many");
    hosts.push_back(text.substr(std::min(text.find(' '), text.size())));
  }
  return hosts;
}

/// Returns the address at which the first process listens for other hosts:
/// MASTER_ADDR, else the address of the coordinator, which all processes can
/// reach, else the name of this machine.
std::string listening_address(const Options &options) {
  if (auto named = text_setting(SettingId::MasterAddress))
    return *named;
  std::string address = options.text("coordinator_address").value_or("");
  size_t colon = address.rfind(':');
  address.resize(std::min(colon, address.size()));
  if (address.size() > 2 && address.front() == '[')
    address = address.substr(1, address.size() - 2);
  if (!address.empty())
    return address;
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "127.0.0.1";
}

std::shared_ptr<job::Job> join(Store &store, const Options &options,
                               job::Topology topology) {
  bool is_first = topology.process() == 0;
  if (is_first)
    store.put("secret", to_hex(random_digest()).substr(0, 32) + " " +
                            to_hex(random_digest()));
  std::string secret = store.get("secret");
  size_t space = std::min(secret.find(' '), secret.size());
  topology.name = "pjrt-" + secret.substr(0, space);
  topology.secret = secret.substr(space);
  std::function<Status(int)> listening;
  if (topology.transport == job::HostTransport::Mpi)
    return unwrap(job::join_job(topology, collective_deadline()));
  if (topology.hosts > 1 && is_first) {
    topology.master_address = listening_address(options);
    topology.master_port = 0;
    listening = [&](int port) -> Status {
      try {
        store.put("address",
                  std::to_string(port) + " " + topology.master_address);
      } catch (const Error &error) {
        return failure(kind_of(error.code()), error.message());
      }
      return {};
    };
  } else if (topology.hosts > 1) {
    std::string address = store.get("address");
    std::from_chars(address.data(), address.data() + address.size(),
                    topology.master_port);
    topology.master_address =
        address.substr(std::min(address.find(' ') + 1, address.size()));
  }
  return unwrap(job::join_job(topology, collective_deadline(), listening));
}

} // namespace

std::chrono::milliseconds collective_deadline() {
  Result<std::optional<double>> seconds =
      read_seconds(SettingId::CollectiveTimeout);
  constexpr double kDefault = 600;
  return std::chrono::milliseconds(std::max<int64_t>(
      1, static_cast<int64_t>(1e3 * unwrap(seconds).value_or(kDefault))));
}

Processes join_processes(const PJRT_Client_Create_Args &args, int devices) {
  Options options(args.create_options, args.num_options);
  Processes own;
  int64_t count = options.integer("num_nodes").value_or(1);
  int64_t index = options.integer("node_id").value_or(0);
  if (count < 1 || count > kMostProcesses || index < 0 || index >= count)
    throw_invalid("node_id is " + std::to_string(index) + " of num_nodes " +
                  std::to_string(count));
  own.index = static_cast<int>(index);
  own.count = static_cast<int>(count);
  if (count == 1)
    return own;
  if (!args.kv_get_callback || !args.kv_put_callback)
    throw_invalid("a program of " + std::to_string(count) +
                  " processes needs a key-value store; call "
                  "jax.distributed.initialize first");
  static std::atomic<int> clients{0};
  Store store(args, clients++);
  job::MpiUse mpi = unwrap(job::mpi_use(own.index, own.count));
  store.put("process " + std::to_string(index), introduction(devices, mpi.can));
  std::vector<std::string> hosts = meet_all(store, own.count, devices);
  bool all_can = take_mpi_marks(hosts);
  job::Topology topology = arrange(own.index, hosts);
  topology.devices_per_process = devices;
  if (mpi.wants && !all_can)
    throw_invalid("XLAC_TRANSPORT or XLAC_COLLECTIVES demands MPI, but no MPI "
                  "launcher has started all processes as these ranks, or "
                  "libxlac_mpi.so cannot be opened");
  // Within one host MPI would carry no messages.
  if (all_can && (topology.hosts > 1 || mpi.wants)) {
    topology.transport = job::HostTransport::Mpi;
    topology.collectives = mpi.collectives;
  }
  own.job = join(store, options, topology);
  return own;
}

} // namespace xlac::pjrt
