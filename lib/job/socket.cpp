#include "socket.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace xlac::job {

namespace {

constexpr std::chrono::milliseconds kRetry(10);

int milliseconds_until(Clock::time_point end) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1 << 30));
}

/// Waits for an event; false after `end`.
bool wait_for(int number, short events, Clock::time_point end) {
  pollfd entry{number, events, 0};
  for (;;) {
    int ready = poll(&entry, 1, milliseconds_until(end));
    if (ready > 0)
      return true;
    if (ready == 0 || errno != EINTR)
      return false;
  }
}

/// An abstract address without a file: the name begins with a zero byte.
Result<socklen_t> local_address(const std::string &name, sockaddr_un &address) {
  address = {};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path)
    return failure(FailureKind::User, "the name of the job, '" + name +
                                          "', is too long for a socket");
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 +
                                name.size());
}

/// Connecting to a local port without a listener can connect a socket to
/// itself.
bool is_own_end(const Descriptor &socket) {
  sockaddr_storage here{}, there{};
  socklen_t size = sizeof here, other = sizeof there;
  return getsockname(socket.get(), reinterpret_cast<sockaddr *>(&here),
                     &size) == 0 &&
         getpeername(socket.get(), reinterpret_cast<sockaddr *>(&there),
                     &other) == 0 &&
         size == other && std::memcmp(&here, &there, size) == 0;
}

Descriptor open_socket(int family) {
  return Descriptor(socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

void set_option(const Descriptor &socket, int level, int option, int value) {
  setsockopt(socket.get(), level, option, &value, sizeof value);
}

/// Tries once, until `end`; errno has the error.
bool try_connect(const Descriptor &socket, const sockaddr *address,
                 socklen_t size, Clock::time_point end) {
  set_blocking(socket, false);
  int status = connect(socket.get(), address, size);
  if (status != 0 && errno == EINPROGRESS) {
    if (!wait_for(socket.get(), POLLOUT, end)) {
      errno = ETIMEDOUT;
      return false;
    }
    socklen_t length = sizeof status;
    getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &status, &length);
    errno = status;
  }
  return status == 0;
}

} // namespace

std::string system_error() { return std::strerror(errno); }

Descriptor::~Descriptor() {
  if (number_ >= 0)
    close(number_);
}

Result<Descriptor> listen_here(const std::string &name) {
  sockaddr_un address;
  Result<socklen_t> size = local_address(name, address);
  if (!size)
    return size.error();
  Descriptor listener = open_socket(AF_UNIX);
  if (!listener ||
      bind(listener.get(), reinterpret_cast<sockaddr *>(&address), *size) !=
          0 ||
      listen(listener.get(), 128) != 0)
    return failure(
        errno == EADDRINUSE ? FailureKind::User : FailureKind::Runtime,
        "cannot listen at the local socket '" + name + "': " + system_error());
  set_blocking(listener, false);
  return listener;
}

Result<Descriptor> listen_tcp(const std::string &address, int port) {
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  int status = getaddrinfo(address.c_str(), std::to_string(port).c_str(),
                           &hints, &found);
  std::string problem = status != 0 ? gai_strerror(status) : "no address";
  Descriptor listener;
  for (addrinfo *each = found; each && !listener; each = each->ai_next) {
    Descriptor socket = open_socket(each->ai_family);
    set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
    if (socket && bind(socket.get(), each->ai_addr, each->ai_addrlen) == 0 &&
        listen(socket.get(), SOMAXCONN) == 0)
      listener = std::move(socket);
    else
      problem = system_error();
  }
  if (found)
    freeaddrinfo(found);
  if (!listener)
    return failure(FailureKind::Runtime, "cannot listen at " + address +
                                             " port " + std::to_string(port) +
                                             ": " + problem);
  set_blocking(listener, false);
  return listener;
}

int port_of(const Descriptor &listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(listener.get(), reinterpret_cast<sockaddr *>(&address), &size);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<sockaddr_in6 &>(address).sin6_port
                   : reinterpret_cast<sockaddr_in &>(address).sin_port);
}

Result<Descriptor> connect_here(const std::string &name,
                                Clock::time_point end) {
  sockaddr_un address;
  Result<socklen_t> size = local_address(name, address);
  if (!size)
    return size.error();
  for (;;) {
    Descriptor socket = open_socket(AF_UNIX);
    if (try_connect(socket, reinterpret_cast<sockaddr *>(&address), *size, end))
      return socket;
    if (Clock::now() >= end)
      return failure(FailureKind::Collective,
                     "no process listens at the local socket '" + name +
                         "': " + system_error());
    std::this_thread::sleep_for(kRetry);
  }
}

Result<Descriptor> connect_tcp(const std::string &address, int port,
                               Clock::time_point end) {
  std::string place = address + " port " + std::to_string(port);
  for (;;) {
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    int status = getaddrinfo(address.c_str(), std::to_string(port).c_str(),
                             &hints, &found);
    std::string problem = status != 0 ? gai_strerror(status) : "";
    for (addrinfo *each = found; each; each = each->ai_next) {
      Descriptor socket = open_socket(each->ai_family);
      if (socket && try_connect(socket, each->ai_addr, each->ai_addrlen, end) &&
          !is_own_end(socket)) {
        freeaddrinfo(found);
        return socket;
      }
      problem = system_error();
    }
    if (found)
      freeaddrinfo(found);
    if (Clock::now() >= end)
      return failure(FailureKind::Collective,
                     "cannot connect to " + place + ": " + problem);
    std::this_thread::sleep_for(kRetry);
  }
}

Descriptor accept_one(const Descriptor &listener) {
  return Descriptor(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
}

bool is_same_user(const Descriptor &socket) {
  ucred other{};
  socklen_t size = sizeof other;
  return getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &other, &size) ==
             0 &&
         other.uid == geteuid();
}

static std::string text_of(const sockaddr_storage &address, socklen_t size) {
  char text[NI_MAXHOST] = {};
  getnameinfo(reinterpret_cast<const sockaddr *>(&address), size, text,
              sizeof text, nullptr, 0, NI_NUMERICHOST);
  std::string found = text;
  // An IPv4-mapped IPv6 address.
  constexpr std::string_view kMapped = "::ffff:";
  return found.starts_with(kMapped) ? found.substr(kMapped.size()) : found;
}

std::string peer_address(const Descriptor &socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getpeername(socket.get(), reinterpret_cast<sockaddr *>(&address), &size);
  return text_of(address, size);
}

std::string own_address(const Descriptor &socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  getsockname(socket.get(), reinterpret_cast<sockaddr *>(&address), &size);
  return text_of(address, size);
}

bool is_loopback(const std::string &address) {
  return address.starts_with("127.") || address == "::1";
}

void prepare_tcp(const Descriptor &socket) {
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  // Detects a host that disappears within about half a minute.
  set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(socket, IPPROTO_TCP, TCP_KEEPIDLE, 15);
  set_option(socket, IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set_option(socket, IPPROTO_TCP, TCP_KEEPCNT, 3);
}

void set_blocking(const Descriptor &socket, bool blocking) {
  int flags = fcntl(socket.get(), F_GETFL);
  fcntl(socket.get(), F_SETFL,
        blocking ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

Status write_all(const Descriptor &socket, std::span<const std::byte> bytes,
                 Clock::time_point end) {
  while (!bytes.empty()) {
    ssize_t sent = send(socket.get(), bytes.data(), bytes.size(),
                        MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0)
      bytes = bytes.subspan(sent);
    else if (errno != EAGAIN && errno != EINTR)
      return failure(FailureKind::Collective, system_error());
    else if (!wait_for(socket.get(), POLLOUT, end))
      return failure(FailureKind::Collective, "it takes nothing");
  }
  return {};
}

Status read_all(const Descriptor &socket, std::span<std::byte> bytes,
                Clock::time_point end) {
  while (!bytes.empty()) {
    ssize_t got = recv(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (got > 0)
      bytes = bytes.subspan(got);
    else if (got == 0)
      return failure(FailureKind::Collective, "it closed the connection");
    else if (errno != EAGAIN && errno != EINTR)
      return failure(FailureKind::Collective, system_error());
    else if (!wait_for(socket.get(), POLLIN, end))
      return failure(FailureKind::Collective, "it says nothing");
  }
  return {};
}

std::optional<size_t> read_some(const Descriptor &socket,
                                std::span<std::byte> bytes) {
  ssize_t got = recv(socket.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  if (got > 0)
    return static_cast<size_t>(got);
  if (got < 0 && (errno == EAGAIN || errno == EINTR))
    return 0;
  return std::nullopt;
}

} // namespace xlac::job
