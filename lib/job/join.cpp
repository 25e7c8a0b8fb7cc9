#include "join.h"

#include "job_text.h"

#include <algorithm>
#include <cstring>
#include <random>

#include <poll.h>
#include <unistd.h>

namespace xlac::job {

namespace {

constexpr char kMagic[8] = {'x', 'l', 'a', 'c', 'j', 'o', 'b', 1};
/// How long process 0 goes on telling those who came that others did not, and
/// they go on waiting to hear of it.
constexpr std::chrono::milliseconds kGrace(500);

/// The first words of a connection.
struct Hello {
  char magic[8];
  uint64_t secret; ///< the job's, where it is known
  int64_t pid;
  int32_t process, port; ///< where the process listens for other hosts
  int32_t hosts, processes_per_host, devices_per_process;
};

/// Where a process is.
struct Entry {
  int64_t pid;
  int32_t port;
  char address[64]; ///< empty: the master's
};

/// What process 0 answers; entries or a text follow.
struct Answer {
  char magic[8];
  uint64_t secret;
  uint32_t failed, bytes;
};

template <class T> std::span<const std::byte> bytes_of(const T &value) {
  return std::as_bytes(std::span(&value, 1));
}
template <class T> std::span<std::byte> room_of(T &value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

/// Somebody who has connected and may still have to say who he is.
struct Caller {
  Descriptor socket;
  bool local = false;
  Hello hello;
  size_t got = 0;
};

class Joining {
public:
  Joining(const Topology &topology, std::chrono::milliseconds deadline)
      : topology_(topology), own_(topology.process()),
        count_(topology.processes()), deadline_(deadline),
        end_(Clock::now() + deadline), peers_(count_), known_(count_) {
    for (int i = 0; i < count_; ++i) {
      peers_[i].process = i;
      peers_[i].host = i / topology.processes_per_host;
    }
  }

  Result<std::vector<Peer>> run();

private:
  std::string socket_name(int process) const {
    return "xlac/" + topology_.name + "/" + std::to_string(process);
  }
  bool same_host(int process) const {
    return peers_[process].host == topology_.host;
  }
  std::string process_name(int process) const;
  Hello own_hello() const;
  Status listen();
  Result<Descriptor> connect(int process);
  /// Process 0: waits for everybody, then tells where all are.
  Status gather();
  Status register_caller(Caller &caller);
  Status report(const Status &status);
  Status answer(const Descriptor &socket, const Status &status) const;
  /// The others: tell process 0, and learn from it.
  Status ask();
  /// Connections between all but process 0.
  Status connect_all();
  /// Calls `admit` with callers that have said who they are, until `count` of
  /// them have been admitted.
  template <class Admit> Status admit(int count, Admit admit);
  /// What a caller says next; false once he is not worth listening to.
  bool listen_to(Caller &caller) const;

  const Topology &topology_;
  const int own_, count_;
  const std::chrono::milliseconds deadline_;
  const Clock::time_point end_;
  Descriptor here_, tcp_;
  std::vector<Peer> peers_;
  std::vector<Entry> known_;
  uint64_t secret_ = 0;
};

std::string Joining::process_name(int process) const {
  return "process " + std::to_string(process) +
         (topology_.hosts > 1
              ? " of host " + std::to_string(peers_[process].host)
              : "");
}

Hello Joining::own_hello() const {
  Hello hello{};
  std::memcpy(hello.magic, kMagic, sizeof kMagic);
  hello.secret = secret_;
  hello.pid = getpid();
  hello.process = own_;
  hello.port = tcp_ ? port_of(tcp_) : 0;
  hello.hosts = topology_.hosts;
  hello.processes_per_host = topology_.processes_per_host;
  hello.devices_per_process = topology_.devices_per_process;
  return hello;
}

Status Joining::listen() {
  if (topology_.processes_per_host > 1) {
    Result<Descriptor> here = listen_here(socket_name(own_));
    if (!here)
      return failure(here.error().fault,
                     process_name(own_) + ": " + here.error().message);
    here_ = std::move(*here);
  }
  if (topology_.hosts > 1) {
    Result<Descriptor> tcp = listen_tcp(own_ == 0 ? topology_.master_port : 0);
    if (!tcp)
      return tcp.error();
    tcp_ = std::move(*tcp);
  }
  return {};
}

Result<Descriptor> Joining::connect(int process) {
  Result<Descriptor> socket =
      same_host(process)
          ? connect_here(socket_name(process), end_)
          : connect_tcp(process == 0 || known_[process].address[0] == 0
                            ? topology_.master_address
                            : known_[process].address,
                        process == 0 ? topology_.master_port
                                     : known_[process].port,
                        end_);
  if (!socket)
    return failure(socket.error().fault, process_name(own_) + " waited " +
                                             duration_text(deadline_) +
                                             " for " + process_name(process) +
                                             ": " + socket.error().message);
  if (same_host(process) && !is_same_user(*socket))
    return failure(Fault::User, "the local socket '" + socket_name(process) +
                                    "' is another user's");
  if (!same_host(process))
    prepare_tcp(*socket);
  return socket;
}

bool Joining::listen_to(Caller &caller) const {
  Hello &hello = caller.hello;
  std::span<std::byte> room = room_of(hello).subspan(caller.got);
  Status status = read_all(caller.socket, room.first(1), Clock::now());
  if (!status)
    return status.error().message == "it says nothing";
  caller.got += 1;
  if (caller.got < sizeof hello) {
    // He has begun: the rest is on its way.
    status = read_all(caller.socket, room.subspan(1),
                      std::min(end_, Clock::now() + kGrace));
    if (!status)
      return false;
    caller.got = sizeof hello;
  }
  return std::memcmp(hello.magic, kMagic, sizeof kMagic) == 0 &&
         hello.process > 0 && hello.process < (1 << 20);
}

template <class Admit> Status Joining::admit(int count, Admit admit) {
  std::vector<Caller> callers;
  while (count > 0) {
    std::vector<pollfd> wanted;
    for (const Descriptor *listener : {&here_, &tcp_})
      wanted.push_back({listener->get(), POLLIN, 0});
    for (const Caller &caller : callers)
      wanted.push_back({caller.socket.get(), POLLIN, 0});
    // Whoever misses somebody for good tells process 0, and that goes.
    wanted.push_back({peers_[0].socket.get(), POLLRDHUP, 0});
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    if (left.count() <= 0)
      return failure(Fault::Collective, "");
    poll(wanted.data(), wanted.size(),
         static_cast<int>(std::min<int64_t>(left.count(), 1 << 30)));
    if (wanted.back().revents != 0)
      return failure(Fault::Collective, "process 0 left while the job began");
    std::vector<Caller> still;
    for (size_t i = 0; i < callers.size(); ++i) {
      Caller &caller = callers[i];
      if (!(wanted[i + 2].revents & (POLLIN | POLLHUP | POLLERR))) {
        still.push_back(std::move(caller));
        continue;
      }
      if (!listen_to(caller))
        continue;
      if (caller.got < sizeof caller.hello) {
        still.push_back(std::move(caller));
        continue;
      }
      XLAC_RETURN_IF_ERROR(admit(caller));
      if (!caller.socket)
        --count;
    }
    callers = std::move(still);
    for (size_t i = 0; i < 2; ++i) {
      if (!(wanted[i].revents & POLLIN))
        continue;
      Caller caller;
      caller.local = i == 0;
      caller.socket = accept_one(i == 0 ? here_ : tcp_);
      if (caller.socket && (!caller.local || is_same_user(caller.socket)))
        callers.push_back(std::move(caller));
    }
  }
  return {};
}

Status Joining::register_caller(Caller &caller) {
  const Hello &hello = caller.hello;
  int process = hello.process;
  auto shape = [](int hosts, int processes, int devices) {
    return std::to_string(hosts) + " hosts of " + std::to_string(processes) +
           " processes with " + std::to_string(devices) + " devices";
  };
  std::string own = shape(topology_.hosts, topology_.processes_per_host,
                          topology_.devices_per_process);
  std::string other =
      shape(hello.hosts, hello.processes_per_host, hello.devices_per_process);
  Status wrong;
  if (own != other || process >= count_)
    wrong = failure(Fault::Collective, "process " + std::to_string(process) +
                                           " is of a job of " + other +
                                           ", but process 0 of one of " + own);
  else if (peers_[process].socket)
    wrong = failure(Fault::Collective, process_name(process) +
                                           " is there twice, with ids " +
                                           std::to_string(known_[process].pid) +
                                           " and " + std::to_string(hello.pid));
  if (!wrong) {
    (void)answer(caller.socket, wrong);
    return wrong;
  }
  Entry &entry = known_[process];
  entry.pid = hello.pid;
  entry.port = hello.port;
  if (!caller.local) {
    prepare_tcp(caller.socket);
    std::string address = peer_address(caller.socket);
    address.copy(entry.address, sizeof entry.address - 1);
  }
  peers_[process].socket = std::move(caller.socket);
  return {};
}

Status Joining::gather() {
  std::random_device random;
  secret_ = uint64_t(random()) << 32 | random();
  known_[0].pid = getpid();
  Status status = admit(
      count_ - 1, [&](Caller &caller) { return register_caller(caller); });
  if (!status && status.error().message.empty()) {
    std::string missing;
    for (int i = 1; i < count_; ++i)
      if (!peers_[i].socket)
        missing += (missing.empty() ? "" : ", ") + process_name(i);
    status = failure(Fault::Collective, "process 0 waited " +
                                            duration_text(deadline_) + " for " +
                                            missing + " to join the job");
  }
  return report(status);
}

Status Joining::answer(const Descriptor &socket, const Status &status) const {
  Answer answer{};
  std::memcpy(answer.magic, kMagic, sizeof kMagic);
  answer.secret = secret_;
  std::span<const std::byte> body = std::as_bytes(std::span(known_));
  if (!status) {
    answer.failed = 1;
    body = std::as_bytes(std::span(status.error().message));
  }
  answer.bytes = static_cast<uint32_t>(body.size());
  auto end = std::max(end_, Clock::now() + kGrace);
  XLAC_RETURN_IF_ERROR(write_all(socket, bytes_of(answer), end));
  return write_all(socket, body, end);
}

/// Tells those who came where all are, or what went wrong.
Status Joining::report(const Status &status) {
  Status told;
  for (Peer &peer : peers_) {
    if (!peer.socket)
      continue;
    if (Status sent = answer(peer.socket, status); !sent && told)
      told = failure(Fault::Collective,
                     process_name(peer.process) +
                         " left while the job began: " + sent.error().message);
  }
  return status ? told : status;
}

Status Joining::ask() {
  Result<Descriptor> socket = connect(0);
  if (!socket)
    return socket.error();
  Hello hello = own_hello();
  // Process 0 may need a moment more to tell who is missing.
  auto end = end_ + kGrace;
  Answer answer{};
  Status status = write_all(*socket, bytes_of(hello), end);
  if (status)
    status = read_all(*socket, room_of(answer), end);
  if (status && std::memcmp(answer.magic, kMagic, sizeof kMagic) != 0)
    status = failure(Fault::Collective, "it is no process of this version");
  std::string text(status && answer.failed ? answer.bytes : 0, ' ');
  if (status)
    status = read_all(*socket,
                      answer.failed ? std::as_writable_bytes(std::span(text))
                                    : std::as_writable_bytes(std::span(known_)),
                      end);
  if (!status)
    return failure(Fault::Collective,
                   process_name(own_) +
                       " waited for process 0 to tell who is "
                       "there: " +
                       status.error().message);
  if (answer.failed)
    return failure(Fault::Collective, text);
  secret_ = answer.secret;
  peers_[0].socket = std::move(*socket);
  return {};
}

Status Joining::connect_all() {
  Hello hello = own_hello();
  for (int process = 1; process < own_; ++process) {
    Result<Descriptor> socket = connect(process);
    if (!socket)
      return socket.error();
    Status sent = write_all(*socket, bytes_of(hello), end_);
    if (!sent)
      return failure(Fault::Collective,
                     process_name(process) +
                         " left while the job began: " + sent.error().message);
    peers_[process].socket = std::move(*socket);
  }
  Status status = admit(count_ - 1 - own_, [&](Caller &caller) -> Status {
    int process = caller.hello.process;
    // Strangers are sent away.
    if (caller.hello.secret != secret_ || process <= own_ ||
        process >= count_ || peers_[process].socket)
      return {};
    if (!caller.local)
      prepare_tcp(caller.socket);
    peers_[process].socket = std::move(caller.socket);
    return {};
  });
  if (status || !status.error().message.empty())
    return status;
  std::string missing;
  for (int i = own_ + 1; i < count_; ++i)
    if (!peers_[i].socket)
      missing += (missing.empty() ? "" : ", ") + process_name(i);
  return failure(Fault::Collective, process_name(own_) + " waited " +
                                        duration_text(deadline_) + " for " +
                                        missing + " to connect");
}

Result<std::vector<Peer>> Joining::run() {
  XLAC_RETURN_IF_ERROR(listen());
  if (own_ == 0) {
    XLAC_RETURN_IF_ERROR(gather());
  } else {
    XLAC_RETURN_IF_ERROR(ask());
    XLAC_RETURN_IF_ERROR(connect_all());
  }
  for (Peer &peer : peers_) {
    peer.pid = known_[peer.process].pid;
    if (peer.socket)
      set_blocking(peer.socket, false);
  }
  return std::move(peers_);
}

} // namespace

Result<std::vector<Peer>> meet_peers(const Topology &topology,
                                     std::chrono::milliseconds deadline) {
  return Joining(topology, deadline).run();
}

} // namespace xlac::job
