// Sockets between the processes of a job: abstract local sockets, which leave
// no files behind, and TCP.
#pragma once

#include "xlac/support/clock.h"
#include "xlac/support/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace xlac::job {

/// An owned file descriptor.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor &&other) noexcept
      : number_(std::exchange(other.number_, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();

  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  void reset() { Descriptor().swap(*this); }
  void swap(Descriptor &other) { std::swap(number_, other.number_); }

private:
  int number_ = -1;
};

/// The text of errno.
std::string system_error();

/// Listens on an abstract name in this network namespace. User failure if
/// another process uses the name.
Result<Descriptor> listen_here(const std::string &name);
/// Listens on the given local address (name or number) only; port 0 selects a
/// free port.
Result<Descriptor> listen_tcp(const std::string &address, int port);
/// The port of a listener.
int port_of(const Descriptor &listener);

/// Retries until a process listens there, at most until `end`.
Result<Descriptor> connect_here(const std::string &name, Clock::time_point end);
Result<Descriptor> connect_tcp(const std::string &address, int port,
                               Clock::time_point end);
/// The next connection of a listener; empty if there is none.
Descriptor accept_one(const Descriptor &listener);
/// Whether the peer of a local connection runs as this user.
bool is_same_user(const Descriptor &socket);
/// The address of the peer of a TCP connection.
std::string peer_address(const Descriptor &socket);
/// The address of this end or of a listener.
std::string own_address(const Descriptor &socket);
/// Whether the address, in the form of peer_address(), is a loopback address.
bool is_loopback(const std::string &address);

/// Configures a connection for many small and large messages and for peers that
/// may disappear.
void prepare_tcp(const Descriptor &socket);
void set_blocking(const Descriptor &socket, bool blocking);

/// Writes or reads all bytes before `end`, or fails; works on blocking and
/// non-blocking sockets.
Status write_all(const Descriptor &socket, std::span<const std::byte> bytes,
                 Clock::time_point end);
Status read_all(const Descriptor &socket, std::span<std::byte> bytes,
                Clock::time_point end);
/// Number of available bytes read into `bytes`, without waiting; empty once the
/// connection is closed.
std::optional<size_t> read_some(const Descriptor &socket,
                                std::span<std::byte> bytes);

} // namespace xlac::job
