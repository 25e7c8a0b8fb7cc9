// runtime.h for one process.
#include "xlac/runtime.h"

#include "xlac/lazy/disk_cache.h"
#include "xlac/support/environment.h"
#include "xlac/support/target_profile.h"
#include "xlac/tensor/access.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <thread>

namespace xlac::runtime {

using namespace front;

std::optional<std::string> device_type() { return lazy::device_type(); }

void set_device_type(std::string_view type) {
  XLAC_CALL("set_device_type");
  lazy::set_device_type(type);
}

void set_num_devices(int n) {
  XLAC_CALL("set_num_devices");
  lazy::set_device_count(n);
}

bool is_initialized() { return lazy::runtime_started(); }

//===- Counts and places --------------------------------------------------===//

static int device_count(const char *call) {
  XLAC_CALL(call);
  return lazy::device_count();
}

int local_process_count() { return 1; }
int local_device_count() { return device_count("local_device_count"); }
int addressable_device_count() {
  return device_count("addressable_device_count");
}
int global_device_count() { return device_count("global_device_count"); }
int global_runtime_device_count() {
  return device_count("global_runtime_device_count");
}
int addressable_runtime_device_count() {
  return device_count("addressable_runtime_device_count");
}

int world_size() {
  return std::max<int>(1, static_cast<int>(lazy::replication().devices.size()));
}

int global_ordinal() {
  const lazy::Replication &here = lazy::replication();
  return here.devices.empty() ? lazy::current_device() : here.ordinal;
}

int local_ordinal() { return global_ordinal(); }
int process_index() { return 0; }
int process_count() { return 1; }
int host_index() { return 0; }

std::string get_master_ip() {
  XLAC_CALL("get_master_ip");
  auto name = environment_text("MASTER_ADDR");
  if (!name)
    return "127.0.0.1";
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(name->c_str(), nullptr, &wanted, &found) != 0 || !found)
    raise<RuntimeError>("MASTER_ADDR=" + *name + " has no address");
  char text[INET_ADDRSTRLEN] = "";
  auto *address = reinterpret_cast<sockaddr_in *>(found->ai_addr);
  inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
  freeaddrinfo(found);
  return text;
}

//===- Programs and devices -----------------------------------------------===//

void initialize_cache(const std::filesystem::path &path, bool readonly) {
  XLAC_CALL("initialize_cache");
  lazy::initialize_disk_cache(path, readonly);
}

int64_t get_num_cached_compilation_graph() {
  return lazy::compiled_graph_count();
}

Attributes runtime_device_attributes(Device device) {
  XLAC_CALL("runtime_device_attributes");
  Device resolved = lazy::resolve(device);
  if (resolved.type != kXLA)
    raise<DeviceError>("wanted an xla device, got " + resolved.str());
  unsigned cores = std::thread::hardware_concurrency();
  return {{"name", "CPU:" + std::to_string(resolved.index)},
          {"cores", std::to_string(cores)},
          {"isa", host_profile().name},
          {"host", std::to_string(host_index())},
          {"process", std::to_string(process_index())}};
}

std::vector<Attributes> global_runtime_device_attributes() {
  XLAC_CALL("global_runtime_device_attributes");
  std::vector<Attributes> list;
  for (int i = 0; i < lazy::device_count(); ++i)
    list.push_back(runtime_device_attributes(Device(kXLA, i)));
  return list;
}

} // namespace xlac::runtime
