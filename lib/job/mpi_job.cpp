#include "mpi_job.h"

#include "job_text.h"
#include "mpi_transport.h"
#include "program_identity.h"
#include "socket_transport.h"

#include "xlac/support/logging.h"
#include "xlac/support/unreachable.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>

#include <unistd.h>

namespace xlac::job {

namespace {

constexpr int32_t kRecordTag = 3, kReplyTag = 4;
/// Extra time in which process 0 reports missing processes to those that have
/// joined.
constexpr std::chrono::milliseconds kReplyGrace(500);
constexpr size_t kReplyText = 1024;

/// What process 0 learns of each process.
struct Record {
  int64_t pid;
  int32_t hosts, processes_per_host, devices_per_process, process;
  int32_t node; ///< MpiPlace::node
  CollectiveMethod collectives;
  MpiThreads threads;
  ProgramIdentity identity;
};

/// The reply of process 0, followed by the records of all processes.
struct Reply {
  uint64_t run; ///< random, the same in all processes of the job
  char failure[kReplyText];
};

/// Within the host by sockets, between hosts by MPI.
class MpiJobTransport final : public MessageTransport {
public:
  MpiJobTransport(MpiWorld &world, int first_local, int locals,
                  std::unique_ptr<MessageTransport> near,
                  std::unique_ptr<MessageTransport> far)
      : world_(world), first_local_(first_local), locals_(locals),
        near_(std::move(near)), far_(std::move(far)) {}

  bool is_ours() const override { return world_.is_ours(); }
  Status start() override {
    if (near_)
      XLAC_RETURN_IF_ERROR(near_->start());
    return far_ ? far_->start() : Status();
  }
  void close() override {
    if (near_)
      near_->close();
    if (far_)
      far_->close();
  }
  void post(int peer, FrameHead head, std::span<const std::byte> body,
            int passed) override {
    transport_to(peer).post(peer, head, body, passed);
  }
  uint64_t lend(int peer, FrameHead head,
                std::span<const std::byte> body) override {
    return transport_to(peer).lend(peer, head, body);
  }
  std::vector<uint64_t> lend_all(std::span<const int> peers, FrameHead head,
                                 std::span<const std::byte> body) override {
    bool is_far = std::none_of(peers.begin(), peers.end(),
                               [&](int peer) { return is_near(peer); });
    return is_far && far_ ? far_->lend_all(peers, head, body)
                          : MessageTransport::lend_all(peers, head, body);
  }
  bool wait_sent(int peer, uint64_t ticket,
                 std::chrono::milliseconds time) override {
    return transport_to(peer).wait_sent(peer, ticket, time);
  }
  void reclaim(int peer) override { transport_to(peer).reclaim(peer); }
  bool take(int peer, uint64_t stream, AlignedBuffer &buffer,
            std::chrono::milliseconds time) override {
    return transport_to(peer).take(peer, stream, buffer, time);
  }
  // Both have the same received data.
  void recycle(AlignedBuffer buffer) override {
    (near_ ? near_ : far_)->recycle(std::move(buffer));
  }
  void wake() override { (near_ ? near_ : far_)->wake(); }
  bool reports_loss(int peer) const override {
    return (is_near(peer) ? near_ : far_)->reports_loss(peer);
  }
  void mark_failed() override { world_.mark_failed(); }

private:
  bool is_near(int peer) const {
    return peer >= first_local_ && peer < first_local_ + locals_;
  }
  MessageTransport &transport_to(int peer) {
    return is_near(peer) ? *near_ : *far_;
  }

  MpiWorld &world_;
  const int first_local_, locals_;
  const std::unique_ptr<MessageTransport> near_, far_;
};

class MpiJoin {
public:
  MpiJoin(const Topology &topology, std::chrono::milliseconds deadline)
      : topology_(topology), own_(topology.process()),
        count_(topology.processes()), deadline_(deadline),
        end_(Clock::now() + deadline), records_(count_) {}

  Result<JoinedProcesses> run();
  void mark_failed() {
    if (world_)
      world_->mark_failed();
  }

private:
  std::string process_name() const {
    return "process " + std::to_string(own_) + " of " + std::to_string(count_);
  }
  Status check_place() const;
  Status compare(const Record &other, int rank) const;
  Status check_nodes() const;
  /// Waits until the requests have completed; Runtime failure after `end`.
  Status wait(std::vector<MpiHandle> &requests, Clock::time_point end);
  Status check(int code) const {
    return code == 0 ? Status()
                     : failure(FailureKind::Runtime,
                               "MPI failed while the job began: " +
                                   world_->error_text(code));
  }
  Status make_communicator();
  /// Process 0: receives all records and sends them to all, or a failure.
  Status gather();
  /// Other processes: sends the record and receives all.
  Status introduce();
  Result<std::vector<Peer>> connect_host() const;
  /// MPI for collectives, if all processes want and can use it.
  std::optional<MpiEngine> engine() const;

  const Topology &topology_;
  const int own_, count_;
  const std::chrono::milliseconds deadline_;
  const Clock::time_point end_;
  MpiWorld *world_ = nullptr;
  MpiHandle communicator_ = 0;
  std::vector<Record> records_; ///< by process
  Reply reply_{};
};

Status MpiJoin::check_place() const {
  const MpiPlace &place = world_->place();
  if (place.rank == own_ && place.size == count_)
    return {};
  std::string text =
      place.size != count_
          ? "the job has " + std::to_string(count_) + " processes, but MPI " +
                std::to_string(place.size) + " ranks"
          : process_name() + " is rank " + std::to_string(place.rank);
  return failure(FailureKind::User,
                 text + "; either the launcher started other processes, or it "
                        "belongs to another MPI than libxlac_mpi.so");
}

Status MpiJoin::wait(std::vector<MpiHandle> &requests, Clock::time_point end) {
  for (MpiHandle &request : requests)
    while (request != 0) {
      int code = 0;
      bool done = false;
      XLAC_RETURN_IF_ERROR(world_->call(
          [&] { code = world_->api().test(&request, &done, nullptr); }));
      XLAC_RETURN_IF_ERROR(check(code));
      if (done)
        break;
      if (Clock::now() >= end)
        return failure(FailureKind::Collective, "");
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  return {};
}

Status MpiJoin::make_communicator() {
  // MPI writes to them, possibly after this function has failed.
  auto *memory = new std::pair<MpiHandle, std::vector<MpiHandle>>(0, 1);
  int code = 0;
  Status called = world_->call([&] {
    code = world_->api().duplicate(&memory->first, &memory->second[0]);
  });
  XLAC_RETURN_IF_ERROR(called);
  XLAC_RETURN_IF_ERROR(check(code));
  Status status = wait(memory->second, end_);
  if (!status && status.error().message.empty())
    return failure(FailureKind::Collective,
                   process_name() + " waited " + duration_text(deadline_) +
                       " for all processes to join the job");
  XLAC_RETURN_IF_ERROR(status);
  communicator_ = memory->first;
  delete memory;
  return {};
}

Status MpiJoin::compare(const Record &other, int rank) const {
  std::string own = shape_text(topology_.hosts, topology_.processes_per_host,
                               topology_.devices_per_process);
  std::string theirs = shape_text(other.hosts, other.processes_per_host,
                                  other.devices_per_process);
  if (own != theirs || other.process != rank)
    return other_shape(rank, theirs, own);
  auto method = [](CollectiveMethod used) {
    switch (used) {
    case CollectiveMethod::Plan:
      return "'plan'";
    case CollectiveMethod::Engine:
      return "'engine'";
    case CollectiveMethod::Hierarchical:
      return "'hierarchical'";
    }
    unreachable("a method of collectives");
  };
  if (other.collectives == topology_.collectives) {
    // Those of a host are compared with its first process.
    int first =
        rank / topology_.processes_per_host * topology_.processes_per_host;
    XLAC_RETURN_IF_ERROR(compare_identities(records_[0].identity, 0,
                                            other.identity, rank, false));
    return compare_identities(records_[first].identity, first, other.identity,
                              rank, true);
  }
  return failure(FailureKind::Collective,
                 "XLAC_COLLECTIVES is " +
                     std::string(method(other.collectives)) + " in process " +
                     std::to_string(rank) + ", but " +
                     method(topology_.collectives) + " in process 0");
}

/// Processes of a host need memory that they can share.
Status MpiJoin::check_nodes() const {
  for (int i = 0; i < count_; ++i) {
    int first = i / topology_.processes_per_host * topology_.processes_per_host;
    if (records_[i].node != records_[first].node)
      return failure(FailureKind::Collective,
                     "processes " + std::to_string(first) + " and " +
                         std::to_string(i) +
                         " are on different machines, but the job has " +
                         std::to_string(topology_.processes_per_host) +
                         " processes per host: ranks must be numbered host by "
                         "host, with equally many on each");
  }
  return {};
}

Status MpiJoin::gather() {
  std::random_device random;
  reply_.run = uint64_t(random()) << 32 | random();
  // MPI may write to them after a failure.
  auto records = std::make_shared<std::vector<Record>>(records_);
  std::vector<std::vector<MpiHandle>> requests(count_);
  int code = 0;
  Status called = world_->call([&] {
    for (int i = 1; i < count_ && code == 0; ++i)
      code =
          world_->api().receive(communicator_, &(*records)[i], sizeof(Record),
                                i, kRecordTag, &requests[i].emplace_back());
  });
  XLAC_RETURN_IF_ERROR(called);
  XLAC_RETURN_IF_ERROR(check(code));
  Status status;
  std::string missing;
  for (int i = 1; i < count_; ++i) {
    Status arrived = wait(requests[i], end_);
    if (arrived)
      continue;
    if (!arrived.error().message.empty())
      return arrived;
    missing +=
        (missing.empty() ? "process " : ", process ") + std::to_string(i);
  }
  if (!missing.empty()) {
    (void)new std::shared_ptr<std::vector<Record>>(records);
    status = failure(FailureKind::Collective,
                     "process 0 waited " + duration_text(deadline_) + " for " +
                         missing + " to join the job");
  }
  records_ = *records;
  for (int i = 1; i < count_ && status; ++i)
    status = compare(records_[i], i);
  if (status)
    status = check_nodes();
  if (!status)
    status.error().message.copy(reply_.failure, kReplyText - 1);
  // The memory of the reply stays until all have received it.
  auto *replies = new std::pair<Reply, std::vector<Record>>(reply_, records_);
  std::vector<MpiHandle> sends;
  called = world_->call([&] {
    for (int i = 1; i < count_ && code == 0; ++i) {
      code = world_->api().send(communicator_, &replies->first, sizeof(Reply),
                                i, kReplyTag, &sends.emplace_back());
      if (code == 0)
        code = world_->api().send(communicator_, replies->second.data(),
                                  replies->second.size() * sizeof(Record), i,
                                  kReplyTag, &sends.emplace_back());
    }
  });
  XLAC_RETURN_IF_ERROR(called);
  XLAC_RETURN_IF_ERROR(check(code));
  if (wait(sends, std::max(end_, Clock::now() + kReplyGrace)))
    delete replies;
  return status;
}

Status MpiJoin::introduce() {
  struct Memory {
    Record own;
    Reply reply;
    std::vector<Record> records;
  };
  auto *memory = new Memory{records_[own_], {}, records_};
  std::vector<MpiHandle> requests(3);
  int code = 0;
  Status called = world_->call([&] {
    const MpiInterface &api = world_->api();
    code = api.send(communicator_, &memory->own, sizeof(Record), 0, kRecordTag,
                    &requests[0]);
    if (code == 0)
      code = api.receive(communicator_, &memory->reply, sizeof(Reply), 0,
                         kReplyTag, &requests[1]);
    if (code == 0)
      code = api.receive(communicator_, memory->records.data(),
                         memory->records.size() * sizeof(Record), 0, kReplyTag,
                         &requests[2]);
  });
  XLAC_RETURN_IF_ERROR(called);
  XLAC_RETURN_IF_ERROR(check(code));
  // Process 0 may need extra time to report missing processes.
  Status status = wait(requests, end_ + kReplyGrace);
  if (!status && status.error().message.empty())
    return failure(FailureKind::Collective,
                   process_name() + " waited " + duration_text(deadline_) +
                       " for process 0 to report which processes are there");
  XLAC_RETURN_IF_ERROR(status);
  reply_ = memory->reply;
  records_ = memory->records;
  delete memory;
  if (reply_.failure[0] != 0)
    return failure(FailureKind::Collective, reply_.failure);
  return {};
}

Result<std::vector<Peer>> MpiJoin::connect_host() const {
  Topology host;
  host.processes_per_host = topology_.processes_per_host;
  host.local_process = topology_.local_process;
  host.devices_per_process = topology_.devices_per_process;
  host.name = "mpi-" + std::to_string(reply_.run) + "-" +
              std::to_string(topology_.host);
  auto left = std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
  Result<std::vector<Peer>> near =
      connect_peers(host, std::max(left, std::chrono::milliseconds(1)));
  if (!near)
    return near.error();
  std::vector<Peer> peers(count_);
  for (int i = 0; i < count_; ++i) {
    peers[i].process = i;
    peers[i].host = i / topology_.processes_per_host;
    peers[i].pid = records_[i].pid;
  }
  int first = topology_.host * topology_.processes_per_host;
  for (Peer &peer : *near)
    peers[first + peer.process].socket = std::move(peer.socket);
  return peers;
}

std::optional<MpiEngine> MpiJoin::engine() const {
  if (topology_.collectives != CollectiveMethod::Engine)
    return std::nullopt;
  if (std::all_of(records_.begin(), records_.end(), [](const Record &each) {
        return each.threads >= MpiThreads::Serialized;
      }))
    return MpiEngine{.world = world_, .communicator = communicator_};
  if (own_ == 0)
    log_warning("XLAC_COLLECTIVES is 'engine', but MPI does not grant "
                "MPI_THREAD_SERIALIZED; the job uses 'plan'");
  return std::nullopt;
}

Result<JoinedProcesses> MpiJoin::run() {
  Result<MpiWorld *> world = MpiWorld::open(deadline_);
  if (!world)
    return failure(world.error().failure_kind,
                   process_name() + ": " + world.error().message);
  world_ = *world;
  XLAC_RETURN_IF_ERROR(check_place());
  XLAC_RETURN_IF_ERROR(make_communicator());
  Record &own = records_[own_];
  own = {.pid = getpid(),
         .hosts = topology_.hosts,
         .processes_per_host = topology_.processes_per_host,
         .devices_per_process = topology_.devices_per_process,
         .process = own_,
         .node = world_->place().node,
         .collectives = topology_.collectives,
         .threads = world_->place().threads,
         .identity = own_identity()};
  XLAC_RETURN_IF_ERROR(own_ == 0 ? gather() : introduce());
  auto peers = std::make_shared<std::vector<Peer>>();
  if (topology_.processes_per_host > 1) {
    Result<std::vector<Peer>> connected = connect_host();
    if (!connected)
      return connected.error();
    *peers = std::move(*connected);
  }
  JoinedProcesses joined;
  joined.engine = engine();
  std::vector<int> far;
  for (int i = 0; i < count_; ++i) {
    joined.pids.push_back(records_[i].pid);
    if (i / topology_.processes_per_host != topology_.host)
      far.push_back(i);
  }
  joined.make_transport =
      [world = world_, communicator = communicator_, peers, far,
       first = topology_.host * topology_.processes_per_host,
       locals = topology_.processes_per_host](
          TransportListener &listener) -> std::unique_ptr<MessageTransport> {
    auto received = std::make_shared<ReceivedData>();
    std::unique_ptr<MessageTransport> near_transport, far_transport;
    if (locals > 1)
      near_transport = std::make_unique<SocketTransport>(std::move(*peers),
                                                         listener, received);
    if (!far.empty())
      far_transport = std::make_unique<MpiTransport>(*world, communicator, far,
                                                     listener, received);
    return std::make_unique<MpiJobTransport>(*world, first, locals,
                                             std::move(near_transport),
                                             std::move(far_transport));
  };
  return joined;
}

} // namespace

Result<JoinedProcesses> join_over_mpi(const Topology &topology,
                                      std::chrono::milliseconds deadline) {
  MpiJoin join(topology, deadline);
  Result<JoinedProcesses> joined = join.run();
  if (!joined)
    join.mark_failed();
  return joined;
}

Status check_mpi() { return MpiWorld::check_library(); }

} // namespace xlac::job
