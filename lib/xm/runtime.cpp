// runtime.h: the process, its devices and its ranks in a job.
#include "xlac/runtime.h"

#include "xlac/job/job.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/use_spmd.h"
#include "xlac/runtime/float_mode.h"
#include "xlac/runtime/work_pool.h"
#include "xlac/support/cores.h"
#include "xlac/support/settings.h"
#include "xlac/support/target_profile.h"
#include "xlac/tensor/access.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <thread>

namespace xlac {

void set_num_threads(int count) {
  XLAC_CALL("set_num_threads");
  if (count < 1)
    raise<ValueError>("expected a positive number of threads, got " +
                      std::to_string(count));
  runtime::WorkPool::process().set_limit(count);
}

bool set_flush_denormal(bool mode) {
  runtime::set_flush_denormal(mode);
  return true;
}

int get_num_threads() { return runtime::WorkPool::process().limit(); }

} // namespace xlac

namespace xlac::runtime {

using namespace frontend;

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

//===- Counts and ranks ---------------------------------------------------===//

static int device_count(const char *call) {
  XLAC_CALL(call);
  return lazy::device_count();
}

/// Returns the job of this thread, or a job of this process only.
static job::Topology topology() {
  if (const std::shared_ptr<job::Job> &job = lazy::replication().job)
    return job->topology();
  job::Topology alone;
  alone.devices_per_process = lazy::runtime_device_count();
  return alone;
}

int local_process_count() {
  const std::shared_ptr<job::Job> &job = lazy::replication().job;
  return job ? job->topology().processes_per_host : 1;
}

int local_device_count() {
  return local_process_count() * device_count("local_device_count");
}

int addressable_device_count() {
  return device_count("addressable_device_count");
}

int global_device_count() {
  return process_count() * device_count("global_device_count");
}

int global_runtime_device_count() {
  XLAC_CALL("global_runtime_device_count");
  return process_count() * lazy::runtime_device_count();
}

int addressable_runtime_device_count() {
  XLAC_CALL("addressable_runtime_device_count");
  return lazy::runtime_device_count();
}

int world_size() { return lazy::replication().world; }

int global_ordinal() {
  return lazy::is_replica() ? lazy::replication().ordinal
                            : lazy::current_device();
}

int local_ordinal() {
  return lazy::is_replica() ? lazy::local_ordinal() : lazy::current_device();
}

int process_index() {
  const std::shared_ptr<job::Job> &job = lazy::replication().job;
  return job ? job->topology().process() : 0;
}

int process_count() {
  const std::shared_ptr<job::Job> &job = lazy::replication().job;
  return job ? job->topology().processes() : 1;
}

int host_index() {
  const std::shared_ptr<job::Job> &job = lazy::replication().job;
  return job ? job->topology().host : 0;
}

std::string get_master_ip() {
  XLAC_CALL("get_master_ip");
  auto name = text_setting(SettingId::MasterAddress);
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

void use_spmd(bool automatic) {
  XLAC_CALL("use_spmd");
  lazy::use_spmd(automatic);
}

bool is_spmd() { return lazy::is_spmd(); }

/// Returns the attributes of a device by its number in the job. Assumes that
/// all hosts are equal.
static Attributes attributes_of(int number, const job::Topology &job) {
  int process = number / job.devices_per_process;
  return {{"name", "CPU:" + std::to_string(number)},
          {"cores", std::to_string(available_cores())},
          {"isa", host_profile().name},
          {"host", std::to_string(process / job.processes_per_host)},
          {"process", std::to_string(process)}};
}

Attributes runtime_device_attributes(Device device) {
  XLAC_CALL("runtime_device_attributes");
  Device resolved = lazy::resolve(device);
  if (resolved.type != kXLA)
    raise<DeviceError>("wanted an xla device, got " + resolved.str());
  job::Topology job = topology();
  return attributes_of(job.first_replica() + resolved.index, job);
}

std::vector<Attributes> global_runtime_device_attributes() {
  XLAC_CALL("global_runtime_device_attributes");
  job::Topology job = topology();
  std::vector<Attributes> list;
  for (int i = 0; i < job.replicas(); ++i)
    list.push_back(attributes_of(i, job));
  return list;
}

} // namespace xlac::runtime
