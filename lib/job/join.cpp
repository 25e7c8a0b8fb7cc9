#include "join.h"

#include "job_text.h"
#include "program_identity.h"

#include "xlac/support/hash.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <random>

#include <poll.h>
#include <unistd.h>

namespace xlac::job {

namespace {

constexpr char kMagic[8] = {'x', 'l', 'a', 'c', 'j', 'o', 'b', 3};
/// Extra time in which process 0 reports missing processes to those that have
/// joined, and in which they wait for the report.
constexpr std::chrono::milliseconds kGrace(500);
/// Time for a pending connection to authenticate, and the number of pending
/// connections in addition to the processes of the job.
constexpr std::chrono::milliseconds kIntroduction(5000);
constexpr size_t kMostStrangers = 64;

/// Random bytes of a connection, so that a proof is valid only once.
using Nonce = std::array<uint8_t, 16>;

/// The first message of a connection.
struct Handshake {
  char magic[8];
  uint64_t run; ///< id of the job's run, where it is known
  int64_t pid;
  int32_t process, port; ///< port on which the process accepts other hosts
  int32_t hosts, processes_per_host, devices_per_process, unused;
  ProgramIdentity identity;
  Nonce nonce;
  Digest proof; ///< keyed hash of the above, by the job's secret
};

/// Address of a process.
struct Entry {
  int64_t pid;
  int32_t port;
  char address[64]; ///< empty: the master's address
};

/// The reply of process 0, followed by entries or a text.
struct HandshakeReply {
  char magic[8];
  uint64_t run;
  uint32_t failed, bytes;
  Digest proof; ///< keyed hash of the above, the body and the nonce
};

/// Maximum size of a reply's body.
constexpr uint32_t kMostText = 1 << 20;

template <class T> std::span<const std::byte> bytes_of(const T &value) {
  return std::as_bytes(std::span(&value, 1));
}
template <class T> std::span<std::byte> capacity_of(T &value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

/// Compares in constant time.
bool is_equal(const Digest &a, const Digest &b) {
  volatile uint8_t difference = 0;
  for (size_t i = 0; i < a.size(); ++i)
    difference = difference | (a[i] ^ b[i]);
  return difference == 0;
}

/// A peer that has connected and may still have to authenticate.
struct PendingConnection {
  Descriptor socket;
  bool local = false;
  Clock::time_point end; ///< deadline for the handshake
  Handshake hello;
  size_t got = 0;
};

class JobJoin {
public:
  JobJoin(const Topology &topology, std::chrono::milliseconds deadline,
          const std::function<Status(int port)> &listening)
      : topology_(topology), listening_(listening), own_(topology.process()),
        count_(topology.processes()), deadline_(deadline),
        end_(Clock::now() + deadline), peers_(count_), known_(count_),
        nonces_(count_) {
    if (topology.hosts > 1)
      secret_ = topology.secret.empty()
                    ? text_setting(SettingId::JobSecret).value_or("")
                    : topology.secret;
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
  Handshake own_handshake() const;
  Digest proof_of(const Handshake &hello) const;
  Digest proof_of(const HandshakeReply &answer, std::span<const std::byte> body,
                  const Nonce &nonce) const;
  Status listen();
  /// User failure if other hosts can connect to `address` and there is no
  /// secret.
  Status check_secret(const std::string &address) const;
  Result<Descriptor> connect(int process);
  /// Process 0: waits for all processes, then sends them all addresses.
  Status gather();
  Status register_caller(PendingConnection &caller);
  Status report(const Status &status);
  Status answer(const Descriptor &socket, const Nonce &nonce,
                const Status &status) const;
  Status read_answer(const Descriptor &socket, const Nonce &nonce,
                     Clock::time_point end);
  /// Other processes: connect to process 0 and receive all addresses.
  Status ask();
  /// Connects all processes except process 0 to each other.
  Status connect_all();
  /// Calls `admit` with authenticated connections until it has accepted
  /// `count`.
  template <class Admit> Status admit(int count, Admit admit);
  /// Reads more of the handshake of a pending connection; false if the
  /// connection must be closed. Nothing is sent before the whole handshake with
  /// its proof has arrived.
  bool listen_to(PendingConnection &caller) const;
  void accept_from(const Descriptor &listener, bool local,
                   std::vector<PendingConnection> &callers) const;

  const Topology &topology_;
  const std::function<Status(int port)> &listening_;
  const int own_, count_;
  const std::chrono::milliseconds deadline_;
  const Clock::time_point end_;
  Descriptor here_, tcp_;
  std::vector<Peer> peers_;
  std::vector<Entry> known_;
  std::vector<Nonce> nonces_;
  uint64_t run_ = 0;
  std::string secret_;
};

std::string JobJoin::process_name(int process) const {
  return "process " + std::to_string(process) +
         (topology_.hosts > 1
              ? " of host " + std::to_string(peers_[process].host)
              : "");
}

Handshake JobJoin::own_handshake() const {
  Handshake hello{};
  std::memcpy(hello.magic, kMagic, sizeof kMagic);
  hello.run = run_;
  hello.pid = getpid();
  hello.process = own_;
  hello.port = tcp_ ? port_of(tcp_) : 0;
  hello.hosts = topology_.hosts;
  hello.processes_per_host = topology_.processes_per_host;
  hello.devices_per_process = topology_.devices_per_process;
  hello.identity = own_identity();
  std::random_device random;
  for (uint8_t &byte : hello.nonce)
    byte = static_cast<uint8_t>(random());
  hello.proof = proof_of(hello);
  return hello;
}

Digest JobJoin::proof_of(const Handshake &hello) const {
  Hasher hasher;
  hasher.update(secret_);
  hasher.update("hello");
  hasher.update(bytes_of(hello).first(offsetof(Handshake, proof)));
  return hasher.finish();
}

Digest JobJoin::proof_of(const HandshakeReply &answer,
                         std::span<const std::byte> body,
                         const Nonce &nonce) const {
  Hasher hasher;
  hasher.update(secret_);
  hasher.update("answer");
  hasher.update(bytes_of(answer).first(offsetof(HandshakeReply, proof)));
  hasher.update(body);
  hasher.update(bytes_of(nonce));
  return hasher.finish();
}

Status JobJoin::check_secret(const std::string &address) const {
  if (!secret_.empty() || is_loopback(address))
    return {};
  return failure(FailureKind::User,
                 "a job of several hosts at " + address +
                     " needs XLAC_JOB_SECRET, the same on all of them, so that "
                     "no other process can join; xlac launch makes one");
}

Status JobJoin::listen() {
  if (topology_.processes_per_host > 1) {
    Result<Descriptor> here = listen_here(socket_name(own_));
    if (!here)
      return failure(here.error().failure_kind,
                     process_name(own_) + ": " + here.error().message);
    here_ = std::move(*here);
  }
  // Other hosts listen later, on an address that process 0 can see.
  if (topology_.hosts > 1 && topology_.host == 0) {
    Result<Descriptor> tcp = listen_tcp(topology_.master_address,
                                        own_ == 0 ? topology_.master_port : 0);
    if (!tcp)
      return tcp.error();
    tcp_ = std::move(*tcp);
    XLAC_RETURN_IF_ERROR(check_secret(own_address(tcp_)));
    if (own_ == 0 && listening_)
      return listening_(port_of(tcp_));
  }
  return {};
}

Result<Descriptor> JobJoin::connect(int process) {
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
    return failure(socket.error().failure_kind,
                   process_name(own_) + " waited " + duration_text(deadline_) +
                       " for " + process_name(process) + ": " +
                       socket.error().message);
  if (same_host(process) && !is_same_user(*socket))
    return failure(FailureKind::User, "the local socket '" +
                                          socket_name(process) +
                                          "' is another user's");
  if (!same_host(process))
    prepare_tcp(*socket);
  return socket;
}

bool JobJoin::listen_to(PendingConnection &caller) const {
  Handshake &hello = caller.hello;
  std::optional<size_t> got =
      read_some(caller.socket, capacity_of(hello).subspan(caller.got));
  if (!got)
    return false;
  caller.got += *got;
  if (caller.got < sizeof hello)
    return true;
  return is_equal(hello.proof, proof_of(hello)) &&
         std::memcmp(hello.magic, kMagic, sizeof kMagic) == 0 &&
         hello.process > 0 && hello.process < (1 << 20);
}

void JobJoin::accept_from(const Descriptor &listener, bool local,
                          std::vector<PendingConnection> &callers) const {
  while (Descriptor socket = accept_one(listener)) {
    if (local && !is_same_user(socket))
      continue;
    PendingConnection caller;
    caller.local = local;
    caller.socket = std::move(socket);
    caller.end = Clock::now() + kIntroduction;
    callers.push_back(std::move(caller));
    // The connections that have waited longest are closed first.
    if (callers.size() > kMostStrangers + count_)
      callers.erase(callers.begin());
  }
}

template <class Admit> Status JobJoin::admit(int count, Admit admit) {
  std::vector<PendingConnection> callers;
  while (count > 0) {
    std::vector<pollfd> wanted;
    for (const Descriptor *listener : {&here_, &tcp_})
      wanted.push_back({listener->get(), POLLIN, 0});
    for (const PendingConnection &caller : callers)
      wanted.push_back({caller.socket.get(), POLLIN, 0});
    // If a process cannot reach a peer, it tells process 0, which then leaves.
    wanted.push_back({peers_[0].socket.get(), POLLRDHUP, 0});
    auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
    if (left.count() <= 0)
      return failure(FailureKind::Collective, "");
    auto most = callers.empty() ? left.count() : kIntroduction.count();
    poll(wanted.data(), wanted.size(),
         static_cast<int>(std::min<int64_t>({left.count(), most, 1 << 30})));
    if (wanted.back().revents != 0)
      return failure(FailureKind::Collective,
                     "process 0 left while the job began");
    std::vector<PendingConnection> still;
    for (size_t i = 0; i < callers.size(); ++i) {
      PendingConnection &caller = callers[i];
      if (!(wanted[i + 2].revents & (POLLIN | POLLHUP | POLLERR))) {
        if (Clock::now() < caller.end)
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
    for (size_t i = 0; i < 2; ++i)
      if (wanted[i].revents & POLLIN)
        accept_from(i == 0 ? here_ : tcp_, i == 0, callers);
  }
  return {};
}

Status JobJoin::register_caller(PendingConnection &caller) {
  const Handshake &hello = caller.hello;
  int process = hello.process;
  std::string own = shape_text(topology_.hosts, topology_.processes_per_host,
                               topology_.devices_per_process);
  std::string other = shape_text(hello.hosts, hello.processes_per_host,
                                 hello.devices_per_process);
  Status wrong;
  if (own != other || process >= count_)
    wrong = other_shape(process, other, own);
  else if (peers_[process].socket)
    wrong = failure(FailureKind::Collective,
                    process_name(process) + " is there twice, with ids " +
                        std::to_string(known_[process].pid) + " and " +
                        std::to_string(hello.pid));
  else
    wrong = compare_identities(own_identity(), own_, hello.identity, process,
                               same_host(process));
  if (!wrong) {
    (void)answer(caller.socket, hello.nonce, wrong);
    return wrong;
  }
  Entry &entry = known_[process];
  nonces_[process] = hello.nonce;
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

Status JobJoin::gather() {
  std::random_device random;
  run_ = uint64_t(random()) << 32 | random();
  known_[0].pid = getpid();
  Status status = admit(count_ - 1, [&](PendingConnection &caller) {
    return register_caller(caller);
  });
  if (!status && status.error().message.empty()) {
    std::string missing;
    for (int i = 1; i < count_; ++i)
      if (!peers_[i].socket)
        missing += (missing.empty() ? "" : ", ") + process_name(i);
    status = failure(FailureKind::Collective,
                     "process 0 waited " + duration_text(deadline_) + " for " +
                         missing + " to join the job");
  }
  return report(status);
}

Status JobJoin::answer(const Descriptor &socket, const Nonce &nonce,
                       const Status &status) const {
  HandshakeReply answer{};
  std::memcpy(answer.magic, kMagic, sizeof kMagic);
  answer.run = run_;
  std::span<const std::byte> body = std::as_bytes(std::span(known_));
  if (!status) {
    answer.failed = 1;
    body = std::as_bytes(std::span(status.error().message));
  }
  answer.bytes = static_cast<uint32_t>(body.size());
  answer.proof = proof_of(answer, body, nonce);
  auto end = std::max(end_, Clock::now() + kGrace);
  XLAC_RETURN_IF_ERROR(write_all(socket, bytes_of(answer), end));
  return write_all(socket, body, end);
}

/// Sends the addresses, or the failure, to the processes that have joined.
Status JobJoin::report(const Status &status) {
  Status answered;
  for (Peer &peer : peers_) {
    if (!peer.socket)
      continue;
    if (Status sent = answer(peer.socket, nonces_[peer.process], status);
        !sent && answered)
      answered =
          failure(FailureKind::Collective,
                  process_name(peer.process) +
                      " left while the job began: " + sent.error().message);
  }
  return status ? answered : status;
}

Status JobJoin::read_answer(const Descriptor &socket, const Nonce &nonce,
                            Clock::time_point end) {
  HandshakeReply answer{};
  XLAC_RETURN_IF_ERROR(read_all(socket, capacity_of(answer), end));
  size_t wanted = std::as_bytes(std::span(known_)).size();
  if (std::memcmp(answer.magic, kMagic, sizeof kMagic) != 0 ||
      (answer.failed ? answer.bytes > kMostText : answer.bytes != wanted))
    return failure(FailureKind::Collective,
                   "it is not a process of this version");
  std::string text(answer.bytes, ' ');
  std::span<std::byte> body = std::as_writable_bytes(std::span(text));
  XLAC_RETURN_IF_ERROR(read_all(socket, body, end));
  if (!is_equal(answer.proof, proof_of(answer, body, nonce)))
    return failure(FailureKind::Collective,
                   "it does not have the job's secret");
  if (answer.failed)
    return failure(FailureKind::User, text);
  std::memcpy(known_.data(), text.data(), text.size());
  run_ = answer.run;
  return {};
}

Status JobJoin::ask() {
  Result<Descriptor> socket = connect(0);
  if (!socket)
    return socket.error();
  if (!same_host(0)) {
    XLAC_RETURN_IF_ERROR(check_secret(peer_address(*socket)));
    Result<Descriptor> tcp = listen_tcp(own_address(*socket), 0);
    if (!tcp)
      return tcp.error();
    tcp_ = std::move(*tcp);
  }
  Handshake hello = own_handshake();
  // Process 0 may need extra time to report missing processes.
  auto end = end_ + kGrace;
  Status status = write_all(*socket, bytes_of(hello), end);
  if (status)
    status = read_answer(*socket, hello.nonce, end);
  if (!status && status.error().failure_kind == FailureKind::User)
    return failure(FailureKind::Collective, status.error().message);
  if (!status)
    return failure(FailureKind::Collective,
                   process_name(own_) +
                       " waited for process 0 to report which processes are "
                       "there: " +
                       status.error().message);
  peers_[0].socket = std::move(*socket);
  return {};
}

Status JobJoin::connect_all() {
  for (int process = 1; process < own_; ++process) {
    Handshake hello = own_handshake();
    Result<Descriptor> socket = connect(process);
    if (!socket)
      return socket.error();
    Status sent = write_all(*socket, bytes_of(hello), end_);
    if (!sent)
      return failure(FailureKind::Collective,
                     process_name(process) +
                         " left while the job began: " + sent.error().message);
    peers_[process].socket = std::move(*socket);
  }
  Status status =
      admit(count_ - 1 - own_, [&](PendingConnection &caller) -> Status {
        int process = caller.hello.process;
        // Unauthenticated and unexpected peers are dropped.
        if (caller.hello.run != run_ || process <= own_ || process >= count_ ||
            peers_[process].socket)
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
  return failure(FailureKind::Collective,
                 process_name(own_) + " waited " + duration_text(deadline_) +
                     " for " + missing + " to connect");
}

Result<std::vector<Peer>> JobJoin::run() {
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

Result<std::vector<Peer>>
connect_peers(const Topology &topology, std::chrono::milliseconds deadline,
              const std::function<Status(int port)> &listening) {
  return JobJoin(topology, deadline, listening).run();
}

} // namespace xlac::job
