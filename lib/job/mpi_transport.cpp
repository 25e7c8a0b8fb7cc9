#include "mpi_transport.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>
#include <thread>

namespace xlac::job {

using namespace std::chrono_literals;

static constexpr int32_t kHeadTag = 1, kBodyTag = 2;
/// Larger frames are invalid.
static constexpr uint64_t kMostBytes = uint64_t(1) << 40;
/// A body is sent in messages of at most this size.
static constexpr size_t kMostMessage = size_t(1) << 30;
/// Frames to a process wait while more bytes to it are in flight.
static constexpr size_t kMostInFlight = 8 << 20;
/// Time to wait at the end until everything is sent.
static constexpr auto kFarewell = 500ms;
/// Time between tests by the thread: without work, with unfinished requests,
/// and while other threads wait for it.
static constexpr std::chrono::microseconds kIdle(1000), kBusy(50), kUrgent(20);
/// Time that a waiting thread tests without sleeping.
static constexpr auto kSpin = 1ms;
/// With up to this many peers, receives are posted for each of them. MPI can
/// then move large messages without waiting for this process.
static constexpr size_t kMostSources = 32;
/// Maximum size of a body that is sent with its head: then, from 256 KiB with
/// the most peers to 1 MiB with few, and with more peers. The latter messages
/// are smaller than the limit to which MPI sends without a reply, so that no
/// peer can delay those of others.
static constexpr size_t kLargeWhole = 256 << 10, kLargestWhole = 1 << 20,
                        kSmallWhole = 3968;
/// Receives that are posted for each source, and their memory together.
static constexpr size_t kPosted = 2, kPostedBytes = 16 << 20;
/// Bodies up to this size are copied, so that their memory is posted again.
static constexpr size_t kCopied = 16 << 10;

MpiTransport::MpiTransport(MpiWorld &world, MpiHandle communicator,
                           const std::vector<int> &peers,
                           TransportListener &listener,
                           std::shared_ptr<ReceivedData> received)
    : world_(world), communicator_(communicator), listener_(listener),
      received_(std::move(received)) {
  for (int peer : peers) {
    links_.resize(std::max<size_t>(links_.size(), peer + 1));
    links_[peer] = std::make_unique<Link>();
  }
  bool is_many = peers.size() > kMostSources;
  whole_bytes_ = is_many ? kSmallWhole
                         : std::clamp(kPostedBytes / kPosted /
                                          std::max<size_t>(peers.size(), 1),
                                      kLargeWhole, kLargestWhole);
  sources_.resize(is_many ? 1 : peers.size());
  for (size_t i = 0; i < sources_.size() && !is_many; ++i)
    sources_[i].process = peers[i];
}

MpiTransport::~MpiTransport() { close(); }

Status MpiTransport::start() {
  int code = 0;
  XLAC_RETURN_IF_ERROR(world_.call([&] {
    for (Source &source : sources_)
      for (size_t i = 0; i < kPosted && code == 0; ++i)
        code = post_head(source, AlignedBuffer(whole_bytes_));
  }));
  if (code != 0)
    return failure(FailureKind::Runtime,
                   "cannot receive over MPI: " + world_.error_text(code));
  is_open_ = true;
  world_.add(*this);
  return {};
}

//===- Sending ------------------------------------------------------------===//

uint64_t MpiTransport::give(int peer, Waiting frame) {
  Link &link = *links_[peer];
  uint64_t ticket;
  {
    std::lock_guard lock(mutex_);
    ticket = frame.ticket = ++link.given;
    if (link.lost)
      return ticket;
    link.waiting.push_back(std::move(frame));
  }
  if (std::unique_lock lock = world_.try_lock())
    start_sends(peer, link);
  else
    world_.wake();
  return ticket;
}

/// The head of the frame with this body.
static std::byte *head_of(const AlignedBuffer &body) {
  static_assert(sizeof(FrameHead) <= AlignedBuffer::kHeadRoom);
  return body.data() - sizeof(FrameHead);
}

MpiTransport::SentBuffer MpiTransport::copy_of(const FrameHead &head,
                                               const std::byte *body) const {
  SentBuffer copy(new AlignedBuffer(received_->buffer_of(head.bytes)),
                  [received = received_](AlignedBuffer *buffer) {
                    received->recycle(std::move(*buffer));
                    delete buffer;
                  });
  std::memcpy(head_of(*copy), &head, sizeof head);
  if (head.bytes > 0)
    std::memcpy(copy->data(), body, head.bytes);
  return copy;
}

void MpiTransport::post(int peer, FrameHead head,
                        std::span<const std::byte> body, int) {
  Waiting frame;
  head.bytes = body.size();
  frame.head = head;
  frame.owned = copy_of(head, body.data());
  give(peer, std::move(frame));
}

/// One copy is sent to all of them.
std::vector<uint64_t> MpiTransport::lend_all(std::span<const int> peers,
                                             FrameHead head,
                                             std::span<const std::byte> body) {
  if (peers.size() == 1)
    return {lend(peers[0], head, body)};
  head.bytes = body.size();
  SentBuffer copy = copy_of(head, body.data());
  std::vector<uint64_t> tickets(peers.size()); // the body may change at once
  for (int peer : peers)
    give(peer, {.head = head, .owned = copy});
  return tickets;
}

uint64_t MpiTransport::lend(int peer, FrameHead head,
                            std::span<const std::byte> body) {
  Waiting frame;
  head.bytes = body.size();
  frame.head = head;
  frame.lent = body.data();
  return give(peer, std::move(frame));
}

bool MpiTransport::wait_sent(int peer, uint64_t ticket,
                             std::chrono::milliseconds time) {
  Link &link = *links_[peer];
  auto sent = [&] { return link.sent >= ticket; };
  return progress_until(time, [&](std::chrono::microseconds sleep) {
    return received_->wait(sleep, sent);
  });
}

void MpiTransport::reclaim(int peer) {
  std::lock_guard lock(mutex_);
  for (Waiting &frame : links_[peer]->waiting) {
    if (!frame.lent)
      continue;
    frame.owned = copy_of(frame.head, frame.lent);
    frame.lent = nullptr;
  }
}

void MpiTransport::start_sends(int peer, Link &link) {
  bool some = false;
  while (link.bytes_in_flight < kMostInFlight) {
    std::lock_guard lock(mutex_);
    if (link.waiting.empty() || link.lost)
      break;
    Waiting frame = std::move(link.waiting.front());
    link.waiting.pop_front();
    some = true;
    // A lent body is copied here, so that a process that stops receiving cannot
    // keep the caller's memory.
    uint64_t ticket = frame.ticket;
    int code = start_send(peer, link, std::move(frame));
    link.sent = ticket;
    if (code != 0) {
      std::string why = world_.error_text(code);
      link.lost = true;
      link.waiting.clear();
      events_.push_back({peer, {}, {}, why, true});
      world_.wake();
      break;
    }
  }
  if (some)
    received_->wake();
}

int MpiTransport::start_send(int peer, Link &link, Waiting frame) {
  size_t bytes = frame.head.bytes;
  Sending &sending = link.sending.emplace_back();
  sending.body =
      frame.lent ? copy_of(frame.head, frame.lent) : std::move(frame.owned);
  sending.bytes = bytes + sizeof(FrameHead);
  link.bytes_in_flight += sending.bytes;
  const std::byte *head = head_of(*sending.body), *body = sending.body->data();
  bool is_whole = bytes <= whole_bytes_;
  int code = add_send(peer, kHeadTag, head,
                      sizeof(FrameHead) + (is_whole ? bytes : 0), sending);
  for (size_t at = 0; code == 0 && !is_whole && at < bytes; at += kMostMessage)
    code = add_send(peer, kBodyTag, body + at,
                    std::min(kMostMessage, bytes - at), sending);
  return code;
}

int MpiTransport::add_send(int peer, int32_t tag, const std::byte *data,
                           size_t bytes, Sending &sending) {
  return world_.api().send(communicator_, data, bytes, peer, tag,
                           &sending.requests.emplace_back());
}

/// Tests requests in their order; returns whether all have completed.
template <class Test>
static int test_all(std::vector<MpiHandle> &requests, Test test) {
  while (!requests.empty()) {
    if (requests.front() != 0) {
      bool done = false;
      if (int code = test(&requests.front(), &done))
        return code;
      if (!done)
        return 0;
    }
    requests.erase(requests.begin());
  }
  return 0;
}

bool MpiTransport::test_sends(int peer, Link &link) {
  bool some = false;
  while (!link.sending.empty()) {
    Sending &sending = link.sending.front();
    int code = test_all(sending.requests, [&](MpiHandle *request, bool *done) {
      return world_.api().test(request, done, nullptr);
    });
    if (code != 0)
      lose(peer, world_.error_text(code));
    if (code != 0 || !sending.requests.empty())
      break;
    link.bytes_in_flight -= std::min(link.bytes_in_flight, sending.bytes);
    link.sending.pop_front();
    some = true;
  }
  return some;
}

//===- Receiving ----------------------------------------------------------===//

bool MpiTransport::take(int peer, uint64_t stream, AlignedBuffer &buffer,
                        std::chrono::milliseconds time) {
  return progress_until(time, [&](std::chrono::microseconds sleep) {
    return received_->take(peer, stream, buffer, sleep);
  });
}

int MpiTransport::post_head(Source &source, AlignedBuffer buffer) {
  Posted &posted = source.posted.emplace_back();
  posted.body = std::move(buffer);
  return world_.api().receive(communicator_, head_of(posted.body),
                              sizeof(FrameHead) + whole_bytes_, source.process,
                              kHeadTag, &posted.request);
}

bool MpiTransport::test_heads(Source &source) {
  // A limit, so that other requests are tested too.
  constexpr int kMost = 64;
  for (int i = 0; i < kMost && !is_broken_; ++i) {
    if (source.posted.empty() || source.posted.front().request == 0)
      return false;
    bool done = false;
    MpiArrival arrival;
    int code =
        world_.api().test(&source.posted.front().request, &done, &arrival);
    if (code != 0) {
      lose(source.process, world_.error_text(code));
      return true;
    }
    if (!done)
      return i > 0;
    accept_head(source, arrival);
  }
  return true;
}

/// Takes the first posted message, which has arrived, and posts another
/// receive.
void MpiTransport::accept_head(Source &source, const MpiArrival &arrival) {
  AlignedBuffer message = std::move(source.posted.front().body);
  source.posted.erase(source.posted.begin());
  FrameHead head;
  std::memcpy(&head, head_of(message), sizeof head);
  int peer = arrival.source;
  bool is_whole = head.bytes <= whole_bytes_;
  bool is_frame = arrival.bytes >= sizeof head && head.bytes <= kMostBytes &&
                  arrival.bytes == sizeof head + (is_whole ? head.bytes : 0);
  Link *link = peer >= 0 && static_cast<size_t>(peer) < links_.size()
                   ? links_[peer].get()
                   : nullptr;
  AlignedBuffer body;
  if (link && is_frame && is_whole) {
    body =
        received_->buffer_of(head.bytes <= kCopied ? head.bytes : whole_bytes_);
    if (head.bytes <= kCopied)
      std::memcpy(body.data(), message.data(), head.bytes);
    else
      std::swap(body, message);
    body.resize(head.bytes);
  }
  if (int code = post_head(source, std::move(message)))
    lose(source.process, world_.error_text(code));
  if (!link)
    return;
  if (!is_frame)
    return lose(peer, "it sends data that is not a frame");
  if (is_whole)
    link->receiving.push_back({head, std::move(body), {}});
  else
    receive_body(peer, *link, head);
  test_bodies(peer, *link);
}

void MpiTransport::receive_body(int peer, Link &link, const FrameHead &head) {
  Receiving frame{head, {}, {}};
  try {
    frame.body = received_->buffer_of(head.bytes);
  } catch (const std::bad_alloc &) {
    return lose(peer, "no memory for a message of " +
                          std::to_string(head.bytes) + " bytes");
  }
  int code = 0;
  for (size_t at = 0; code == 0 && at < head.bytes; at += kMostMessage)
    code = world_.api().receive(communicator_, frame.body.data() + at,
                                std::min<size_t>(kMostMessage, head.bytes - at),
                                peer, kBodyTag, &frame.requests.emplace_back());
  link.receiving.push_back(std::move(frame));
  if (code != 0)
    lose(peer, world_.error_text(code));
}

bool MpiTransport::test_bodies(int peer, Link &link) {
  bool some = false;
  while (!link.receiving.empty()) {
    Receiving &frame = link.receiving.front();
    int code = test_all(frame.requests, [&](MpiHandle *request, bool *done) {
      return world_.api().test(request, done, nullptr);
    });
    if (code != 0)
      lose(peer, world_.error_text(code));
    if (code != 0 || !frame.requests.empty())
      break;
    finish_frame(peer, std::move(frame));
    link.receiving.pop_front();
    some = true;
  }
  return some;
}

void MpiTransport::finish_frame(int peer, Receiving frame) {
  if (frame.head.kind == FrameKind::Data) {
    frame.body.stamp = frame.head.stamp;
    received_->put(peer, frame.head.tag, std::move(frame.body));
    return;
  }
  add_event({peer, frame.head, std::move(frame.body), {}, false});
}

//===- Progress -----------------------------------------------------------===//

std::chrono::microseconds MpiTransport::progress() {
  try {
    return is_broken_ ? kIdle : test_requests();
  } catch (const std::bad_alloc &) {
    lose(-1, "no memory for messages");
    return kIdle;
  }
}

std::chrono::microseconds MpiTransport::test_requests() {
  bool works = false;
  for (Source &source : sources_)
    works |= test_heads(source);
  for (size_t peer = 0; peer < links_.size() && !is_broken_; ++peer) {
    if (!links_[peer])
      continue;
    Link &link = *links_[peer];
    works |= test_bodies(static_cast<int>(peer), link);
    works |= test_sends(static_cast<int>(peer), link);
    start_sends(static_cast<int>(peer), link);
    works |= !link.sending.empty() || !link.receiving.empty();
  }
  // Waiting threads test the requests themselves if they may.
  if (waiters_ > 0)
    return world_.place().threads < MpiThreads::Serialized ? kUrgent : kIdle;
  return works ? kBusy : kIdle;
}

template <class Attempt>
bool MpiTransport::progress_until(std::chrono::milliseconds time,
                                  Attempt attempt) {
  if (attempt(0us))
    return true;
  struct Waiter {
    std::atomic<int> &count;
    explicit Waiter(std::atomic<int> &waiters) : count(waiters) { ++count; }
    ~Waiter() { --count; }
  } waiter(waiters_);
  auto start = Clock::now(), end = start + time;
  for (;;) {
    bool has_worked = false;
    if (std::unique_lock lock = world_.try_lock()) {
      progress();
      has_worked = true;
    }
    if (attempt(0us))
      return true;
    auto now = Clock::now();
    if (now >= end)
      return false;
    if (has_worked && now < start + kSpin)
      world_.pause(start);
    else if (attempt(has_worked ? kUrgent : kIdle))
      return true;
  }
}

void MpiTransport::add_event(Event event) {
  std::lock_guard lock(mutex_);
  events_.push_back(std::move(event));
  world_.wake();
}

void MpiTransport::lose(int peer, const std::string &why) {
  is_broken_ |= peer < 0;
  {
    std::lock_guard lock(mutex_);
    for (size_t i = 0; i < links_.size(); ++i) {
      if (!links_[i] || (peer >= 0 && static_cast<size_t>(peer) != i))
        continue;
      if (links_[i]->lost && peer >= 0)
        return;
      links_[i]->lost = true;
      links_[i]->waiting.clear();
    }
  }
  add_event({peer, {}, {}, why, true});
}

void MpiTransport::deliver() {
  std::vector<Event> events;
  {
    std::lock_guard lock(mutex_);
    events.swap(events_);
  }
  for (Event &event : events)
    if (!event.is_loss)
      listener_.on_frame(event.peer, event.head,
                         {event.body.data(), event.body.size()}, {});
    else if (event.peer >= 0)
      listener_.on_lost(event.peer, event.why);
    else
      listener_.on_failed(event.why);
  if (!events.empty())
    received_->wake();
}

void MpiTransport::on_failure(const std::string &why) { lose(-1, why); }

void MpiTransport::on_end(const std::string &why) { listener_.on_end(why); }

//===- The end ------------------------------------------------------------===//

bool MpiTransport::is_idle() {
  std::lock_guard lock(mutex_);
  return std::all_of(links_.begin(), links_.end(), [](const auto &link) {
    return !link || link->lost ||
           (link->waiting.empty() && link->sending.empty());
  });
}

void MpiTransport::close() {
  if (!is_open_ || !is_ours())
    return;
  is_open_ = false;
  bool idle = false;
  Status usable;
  for (auto end = Clock::now() + kFarewell;
       usable && !idle && Clock::now() < end;) {
    usable = world_.call([&] {
      progress();
      idle = is_idle();
    });
    if (!idle)
      std::this_thread::sleep_for(kBusy);
  }
  world_.remove(*this);
  if (!world_.call([&] { end_requests(); }))
    is_broken_ = true;
  abandon();
  received_->wake();
}

void MpiTransport::end_requests() {
  constexpr int kTries = 1000;
  for (Source &source : sources_)
    for (Posted &posted : source.posted) {
      if (is_broken_ || posted.request == 0)
        continue;
      int code = world_.api().cancel(&posted.request);
      for (int i = 0; i < kTries && code == 0 && posted.request != 0; ++i) {
        bool done = false;
        code = world_.api().test(&posted.request, &done, nullptr);
      }
    }
  is_broken_ = true;
}

void MpiTransport::abandon() {
  // MPI may still access the memory of unfinished requests: it stays allocated.
  for (Source &source : sources_)
    for (Posted &posted : source.posted)
      if (posted.request != 0) {
        (void)new AlignedBuffer(std::move(posted.body));
        world_.mark_failed();
      }
  sources_.clear();
  std::lock_guard lock(mutex_);
  for (auto &link : links_) {
    if (!link)
      continue;
    link->lost = true;
    link->waiting.clear();
    if (link->sending.empty() && link->receiving.empty())
      continue;
    (void)new std::deque<Sending>(std::move(link->sending));
    (void)new std::deque<Receiving>(std::move(link->receiving));
    world_.mark_failed();
  }
}

} // namespace xlac::job
