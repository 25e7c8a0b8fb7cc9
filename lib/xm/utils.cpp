#include "xlac/utils.h"

#include "xlac/support/logging.h"
#include "xlac/tensor/access.h"

#include <arpa/inet.h>
#include <cstdio>
#include <sys/socket.h>
#include <unistd.h>

namespace xlac::utils {

TmpFolder::TmpFolder() {
  std::string name =
      (std::filesystem::temp_directory_path() / "xlac_XXXXXX").string();
  if (!mkdtemp(name.data()))
    raise<RuntimeError>(name + ": cannot be made");
  name_ = name;
}

TmpFolder::~TmpFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(name_, ignored);
}

TimedScope::TimedScope(std::string msg)
    : msg_(std::move(msg)), start_(std::chrono::steady_clock::now()) {}

TimedScope::~TimedScope() {
  std::chrono::duration<double, std::milli> time =
      std::chrono::steady_clock::now() - start_;
  char text[32];
  std::snprintf(text, sizeof text, "%.3fms", time.count());
  log_info(msg_ + text);
}

std::vector<int> get_free_tcp_ports(int n) {
  XLAC_CALL("get_free_tcp_ports");
  if (n < 0)
    raise<ValueError>("n must be 0 or more, got " + std::to_string(n));
  // All sockets stay open until the last port is found, so that the ports
  // differ.
  std::vector<int> sockets, ports;
  for (int i = 0; i < n; ++i) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    socklen_t size = sizeof address;
    int handle = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto *where = reinterpret_cast<sockaddr *>(&address);
    if (handle >= 0)
      sockets.push_back(handle);
    if (handle < 0 || bind(handle, where, size) != 0 ||
        getsockname(handle, where, &size) != 0)
      break;
    ports.push_back(ntohs(address.sin_port));
  }
  for (int handle : sockets)
    close(handle);
  if (ports.size() != static_cast<size_t>(n))
    raise<RuntimeError>("no free port was found");
  return ports;
}

namespace detail {
void throw_bad_variable(const char *name, const char *value) {
  XLAC_CALL("getenv_as");
  raise<ValueError>(std::string(name) + " is '" + value +
                    "', which is not of the type that was asked for");
}

void check_workers(int num_workers) {
  XLAC_CALL("parallel_work");
  if (num_workers <= 0)
    raise<ValueError>("num_workers must be above 0, got " +
                      std::to_string(num_workers));
}
} // namespace detail

} // namespace xlac::utils
