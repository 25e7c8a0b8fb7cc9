#include "job_state.h"

#include "job_text.h"

#include "xlac/support/fast_hash.h"

namespace xlac::job {

uint64_t CollectiveId::stamp() const {
  FastHasher hasher;
  hasher.update(group);
  hasher.update(run);
  hasher.update(number);
  hasher.update(fingerprint);
  return hasher.finish().low;
}

JobState::JobState(const Topology &topology, std::chrono::milliseconds deadline,
                   const JoinedProcesses &joined)
    : topology_(topology), deadline_(deadline), engine_(joined.engine),
      pids_(joined.pids), rendezvous_points_(topology.first_replica(),
                                             topology.devices_per_process),
      transport_(joined.make_transport(*this)) {}

std::string JobState::process_name(int process) const {
  std::string text = replica_text(process * topology_.devices_per_process,
                                  topology_.devices_per_process) +
                     " (process " + std::to_string(process) + ", id " +
                     std::to_string(pids_[process]);
  if (topology_.hosts > 1)
    text += ", host " + std::to_string(process / topology_.processes_per_host);
  return text + ")";
}

void JobState::record_cause(const std::string &text) {
  std::lock_guard lock(mutex_);
  if (first_cause_.empty())
    first_cause_ = text;
}

void JobState::leave(const Status &why) {
  std::string text = why ? "" : why.error().message;
  {
    std::lock_guard lock(mutex_);
    if (left_)
      return;
    left_ = true;
    if (why)
      text = first_cause_;
  }
  if (!transport_->is_ours())
    return;
  if (!why)
    transport_->mark_failed();
  for (int process = 0; process < topology_.processes(); ++process)
    if (process != topology_.process())
      transport_->post(process,
                       {.kind = FrameKind::Leave, .tag = why ? 0u : 1u},
                       std::as_bytes(std::span(text)));
  transport_->close();
  fail_everything({FailureKind::Collective,
                   why ? "the job has ended" : "the job has ended: " + text});
}

void JobState::fail_everything(const Failure &failure) {
  record_cause(failure.message);
  {
    std::lock_guard lock(mutex_);
    if (!failure_)
      failure_ = failure;
  }
  rendezvous_points_.fail(failure);
  for (const std::shared_ptr<runtime::PartialGrid> &grid : all_grids())
    grid->fail(failure);
}

void JobState::set_grid(GridId id,
                        const std::shared_ptr<runtime::PartialGrid> &grid) {
  std::lock_guard lock(mutex_);
  // Nobody uses the grid yet, so that nobody waits for this lock inside of it.
  auto failed = failures_.find(id);
  if (failure_ || failed != failures_.end())
    grid->fail(failure_ ? *failure_ : failed->second);
  for (auto &[route, transfer] : early_transfers_[id])
    grid->deliver(route, std::move(transfer));
  early_transfers_.erase(id);
  grids_[id] = grid;
}

std::shared_ptr<runtime::PartialGrid> JobState::find_grid(GridId grid) const {
  std::lock_guard lock(mutex_);
  auto found = grids_.find(grid);
  return found == grids_.end() ? nullptr : found->second.lock();
}

std::vector<std::shared_ptr<runtime::PartialGrid>> JobState::all_grids() const {
  std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<runtime::PartialGrid>> all;
  for (const auto &[id, each] : grids_)
    if (std::shared_ptr<runtime::PartialGrid> grid = each.lock())
      all.push_back(std::move(grid));
  return all;
}

Status JobState::failure_of(GridId grid) const {
  std::lock_guard lock(mutex_);
  if (failure_)
    return *failure_;
  auto failed = failures_.find(grid);
  return failed == failures_.end() ? Status() : Status(failed->second);
}

Status JobState::reachable(GridId grid, int process) const {
  XLAC_RETURN_IF_ERROR(failure_of(grid));
  std::lock_guard lock(mutex_);
  if (auto found = departed_.find(process); found != departed_.end())
    return failure(FailureKind::Collective, found->second);
  return {};
}

void JobState::tell_failure(GridId grid, const Failure &failure) {
  record_cause(failure.message);
  {
    std::lock_guard lock(mutex_);
    if (failure_ || !failures_.emplace(grid, failure).second)
      return;
  }
  transport_->mark_failed();
  for (int process = 0; process < topology_.processes(); ++process)
    if (process != topology_.process())
      transport_->post(process, {.kind = FrameKind::Failure, .tag = grid},
                       std::as_bytes(std::span(failure.message)));
}

Descriptor JobState::take_segment(uint64_t group) {
  std::lock_guard lock(mutex_);
  auto found = segments_.find(group);
  if (found == segments_.end())
    return {};
  Descriptor file = std::move(found->second);
  segments_.erase(found);
  return file;
}

//===- Progress of other processes ----------------------------------------===//

void JobState::begin(const CollectiveId &occasion) {
  std::lock_guard lock(mutex_);
  occasions_[occasion.group] = occasion;
}

void JobState::end(const CollectiveId &occasion) {
  std::lock_guard lock(mutex_);
  occasions_.erase(occasion.group);
}

void JobState::record_wait(const CollectiveId &occasion, int process) {
  std::lock_guard lock(mutex_);
  occasions_[occasion.group].waits_for = process;
}

uint64_t JobState::ask(GridId grid, int process) {
  uint64_t question = ++questions_;
  transport_->post(
      process, {.kind = FrameKind::Ask, .tag = grid, .stamp = question}, {});
  return question;
}

std::optional<Report> JobState::answer(int process, uint64_t question) const {
  std::lock_guard lock(mutex_);
  auto found = answers_.find(process);
  if (found == answers_.end() || found->second.first < question)
    return std::nullopt;
  return found->second.second;
}

void JobState::answer_question(int peer, const FrameHead &head) {
  TextWriter writer;
  std::shared_ptr<runtime::PartialGrid> grid = find_grid(head.tag);
  int first = topology_.first_replica();
  int count = grid ? topology_.devices_per_process : 0;
  writer << int64_t(count);
  for (int i = 0; i < count; ++i) {
    runtime::Progress progress = grid->progress(first + i);
    writer << int64_t(progress.begun) << int64_t(progress.ended)
           << std::string_view(progress.at);
  }
  {
    std::lock_guard lock(mutex_);
    writer << int64_t(occasions_.size());
    for (const auto &[group, occasion] : occasions_)
      writer << int64_t(group) << int64_t(occasion.run)
             << int64_t(occasion.number) << int64_t(occasion.fingerprint)
             << occasion.waits_for << std::string_view(occasion.name);
  }
  transport_->post(peer, {.kind = FrameKind::Answer, .stamp = head.stamp},
                   writer.bytes());
}

void JobState::record_answer(int peer, const FrameHead &head,
                             TextReader reader) {
  Report report;
  report.replicas.resize(reader.count(3 * sizeof(int64_t)));
  for (runtime::Progress &progress : report.replicas) {
    progress.begun = reader.number();
    progress.ended = reader.number();
    progress.at = reader.text();
  }
  report.rendezvous_points.resize(reader.count(6 * sizeof(int64_t)));
  for (CollectiveId &occasion : report.rendezvous_points) {
    occasion.group = reader.number();
    occasion.run = reader.number();
    occasion.number = reader.number();
    occasion.fingerprint = reader.number();
    occasion.waits_for = reader.number();
    occasion.name = reader.text();
  }
  std::lock_guard lock(mutex_);
  answers_[peer] = {head.stamp, std::move(report)};
}

//===- Incoming frames ----------------------------------------------------===//

void JobState::on_transfer(GridId id, TextReader reader) {
  runtime::Route route;
  route.channel = reader.number();
  route.source = static_cast<int>(reader.number());
  route.target = static_cast<int>(reader.number());
  runtime::Transfer transfer(reader.count(sizeof(int64_t)));
  for (std::vector<std::byte> &value : transfer) {
    std::string text = reader.text();
    auto bytes = std::as_bytes(std::span(text));
    value.assign(bytes.begin(), bytes.end());
  }
  {
    std::lock_guard lock(mutex_);
    if (!grids_.contains(id)) {
      early_transfers_[id].emplace_back(route, std::move(transfer));
      return;
    }
  }
  if (std::shared_ptr<runtime::PartialGrid> grid = find_grid(id))
    grid->deliver(route, std::move(transfer));
}

void JobState::on_leave(int peer, const std::string &why, bool failed) {
  std::string text = process_name(peer) + " has left the job";
  if (!why.empty())
    text += ": " + why;
  if (failed) {
    transport_->mark_failed();
    fail_everything({FailureKind::Collective, text});
  }
  record_cause(text);
  {
    std::lock_guard lock(mutex_);
    departed_.emplace(peer, text);
  }
  rendezvous_points_.forget(peer * topology_.devices_per_process,
                            topology_.devices_per_process, text);
  for (const std::shared_ptr<runtime::PartialGrid> &grid : all_grids())
    grid->wake();
  transport_->wake();
}

void JobState::on_frame(int peer, const FrameHead &head,
                        std::span<const std::byte> body, Descriptor passed) {
  TextReader reader(body);
  std::string text(reinterpret_cast<const char *>(body.data()),
                   head.kind == FrameKind::Failure ||
                           head.kind == FrameKind::Leave ||
                           head.kind == FrameKind::Lost
                       ? body.size()
                       : 0);
  switch (head.kind) {
  case FrameKind::Segment: {
    std::lock_guard lock(mutex_);
    segments_[head.tag] = std::move(passed);
    break;
  }
  case FrameKind::Transfer:
    on_transfer(head.tag, reader);
    break;
  case FrameKind::Payload: {
    PayloadRendezvous::Key key;
    auto ordinal = static_cast<int>(reader.number());
    key.tag = reader.text();
    key.ordinals.resize(reader.count(sizeof(int64_t)));
    for (int &each : key.ordinals)
      each = static_cast<int>(reader.number());
    rendezvous_points_.bring(key, ordinal, reader.text());
    break;
  }
  case FrameKind::Failure: {
    Failure failure{FailureKind::Collective, text};
    transport_->mark_failed();
    record_cause(text);
    {
      std::lock_guard lock(mutex_);
      failures_.emplace(head.tag, failure);
    }
    if (std::shared_ptr<runtime::PartialGrid> grid = find_grid(head.tag))
      grid->fail(failure);
    transport_->wake();
    break;
  }
  case FrameKind::Leave:
    on_leave(peer, text, head.tag != 0);
    break;
  case FrameKind::Ask:
    answer_question(peer, head);
    break;
  case FrameKind::Answer:
    record_answer(peer, head, reader);
    break;
  case FrameKind::Lost:
    if (head.tag < static_cast<uint64_t>(topology_.processes()))
      on_lost(static_cast<int>(head.tag), text);
    break;
  case FrameKind::Data:
    break;
  }
}

void JobState::on_lost(int peer, const std::string &why) {
  {
    std::lock_guard lock(mutex_);
    if (departed_.contains(peer))
      return;
  }
  transport_->mark_failed();
  for (int process = 0; process < topology_.processes(); ++process)
    if (process != topology_.process() && process != peer &&
        !transport_->reports_loss(process) && same_host(peer))
      transport_->post(process,
                       {.kind = FrameKind::Lost, .tag = uint64_t(peer)},
                       std::as_bytes(std::span(why)));
  fail_everything(
      {FailureKind::Collective,
       process_name(peer) + " has died" + (why.empty() ? "" : ": " + why)});
}

void JobState::on_failed(const std::string &why) {
  transport_->mark_failed();
  fail_everything(
      {FailureKind::Collective, "the transport of the job has failed: " + why});
}

void JobState::on_end(const std::string &why) {
  leave(why.empty() ? Status() : failure(FailureKind::Collective, why));
}

} // namespace xlac::job
