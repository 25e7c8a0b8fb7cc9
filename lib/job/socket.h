// Sockets between the processes of a job: local ones with names that are no
// files, and TCP. Nothing here outlives its process.
#pragma once

#include "xlac/support/clock.h"
#include "xlac/support/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace xlac::job {

/// An open file, closed with its last owner.
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

/// Listens under a name that processes of this machine (of one network
/// namespace) know; User where another process does.
Result<Descriptor> listen_here(const std::string &name);
/// Listens at `address` of this machine, a name or a number, and at no other;
/// port 0 takes any.
Result<Descriptor> listen_tcp(const std::string &address, int port);
/// The port of a listener.
int port_of(const Descriptor &listener);

/// Tries again until a process listens there, at the latest until `end`.
Result<Descriptor> connect_here(const std::string &name, Clock::time_point end);
Result<Descriptor> connect_tcp(const std::string &address, int port,
                               Clock::time_point end);
/// The next connection of a listener; none is an empty descriptor.
Descriptor accept_one(const Descriptor &listener);
/// True if the other end of a local connection belongs to this user.
bool is_same_user(const Descriptor &socket);
/// The address of the other end of a TCP connection.
std::string peer_address(const Descriptor &socket);
/// The address of this end, or of a listener.
std::string own_address(const Descriptor &socket);
/// True if only this machine has the address, as peer_address() spells it.
bool is_loopback(const std::string &address);

/// Settings of a connection that carries many small and large messages and
/// whose other end may vanish.
void prepare_tcp(const Descriptor &socket);
void set_blocking(const Descriptor &socket, bool blocking);

/// All of it, or why not; on blocking and other sockets.
Status write_all(const Descriptor &socket, std::span<const std::byte> bytes,
                 Clock::time_point end);
Status read_all(const Descriptor &socket, std::span<std::byte> bytes,
                Clock::time_point end);
/// How much of `bytes` has come, without waiting; nothing once the connection
/// is no more.
std::optional<size_t> read_some(const Descriptor &socket,
                                std::span<std::byte> bytes);

} // namespace xlac::job
