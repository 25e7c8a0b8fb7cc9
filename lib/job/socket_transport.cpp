#include "socket_transport.h"

#include <algorithm>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

namespace xlac::job {

/// Larger frames are invalid.
static constexpr uint64_t kMostBytes = uint64_t(1) << 40;
/// Time to wait at the end until the peer has read everything.
static constexpr std::chrono::milliseconds kFarewell(500);
SocketTransport::SocketTransport(std::vector<Peer> peers,
                                 TransportListener &listener,
                                 std::shared_ptr<ReceivedData> received)
    : listener_(listener), links_(peers.size()),
      received_(std::move(received)) {
  for (Peer &peer : peers) {
    if (!peer.socket)
      continue;
    std::unique_ptr<Link> &link = links_[peer.process];
    link = std::make_unique<Link>();
    link->process = peer.process;
    link->socket = std::move(peer.socket);
  }
}

SocketTransport::~SocketTransport() { close(); }

Status SocketTransport::start() {
  poller_ = Descriptor(epoll_create1(EPOLL_CLOEXEC));
  wake_event_ = Descriptor(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!poller_ || !wake_event_)
    return failure(FailureKind::Runtime,
                   "cannot watch the job's connections: " + system_error());
  epoll_event event{EPOLLIN, {.ptr = nullptr}};
  epoll_ctl(poller_.get(), EPOLL_CTL_ADD, wake_event_.get(), &event);
  for (auto &link : links_) {
    if (!link)
      continue;
    event = {EPOLLIN, {.ptr = link.get()}};
    epoll_ctl(poller_.get(), EPOLL_CTL_ADD, link->socket.get(), &event);
  }
  // Signals are left to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { poll_events(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  owner_ = getpid();
  return {};
}

bool SocketTransport::is_ours() const { return getpid() == owner_; }

bool SocketTransport::wait_for_all(const std::function<bool(Link &)> &done,
                                   Clock::time_point end) {
  for (auto &link : links_)
    while (link && !done(*link)) {
      if (Clock::now() >= end)
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  return true;
}

void SocketTransport::say_farewell() {
  auto end = Clock::now() + kFarewell;
  wait_for_all(
      [](Link &link) {
        std::lock_guard lock(link.mutex);
        return link.outgoing.empty() || link.broken;
      },
      end);
  leaving_ = true;
  for (auto &link : links_) {
    if (!link)
      continue;
    std::lock_guard lock(link->mutex);
    link->broken = true;
    link->outgoing.clear();
    shutdown(link->socket.get(), SHUT_WR);
  }
  // Closing a socket with unread data would reset the connection and lose data
  // that the peer has not received. So wait until the peer closes.
  wait_for_all([](Link &link) { return link.lost.load(); }, end);
}

void SocketTransport::close() {
  if (!thread_.joinable())
    return;
  // A forked child has neither the thread nor a part in the job.
  if (!is_ours()) {
    thread_.detach();
    return;
  }
  say_farewell();
  closing_ = true;
  uint64_t one = 1;
  (void)!write(wake_event_.get(), &one, sizeof one);
  thread_.join();
  for (auto &link : links_)
    if (link)
      link->socket.reset();
  wake();
}

//===- Sending ------------------------------------------------------------===//

void SocketTransport::watch(Link &link, bool writable) {
  epoll_event event{EPOLLIN | (writable ? EPOLLOUT : 0u), {.ptr = &link}};
  epoll_ctl(poller_.get(), EPOLL_CTL_MOD, link.socket.get(), &event);
}

void SocketTransport::flush(Link &link) {
  constexpr size_t kMostParts = 16;
  while (!link.outgoing.empty() && !link.broken) {
    iovec parts[kMostParts];
    size_t count = 0;
    int passed = -1;
    for (Outgoing &frame : link.outgoing) {
      // A descriptor is sent with the first byte of its frame.
      if (count + 2 > kMostParts || (frame.passed && count > 0))
        break;
      if (frame.passed && frame.sent == 0)
        passed = frame.passed.get();
      if (frame.sent < sizeof frame.head)
        parts[count++] = {reinterpret_cast<std::byte *>(&frame.head) +
                              frame.sent,
                          sizeof frame.head - frame.sent};
      size_t body =
          frame.sent > sizeof frame.head ? frame.sent - sizeof frame.head : 0;
      if (frame.head.bytes > body)
        parts[count++] = {const_cast<std::byte *>(frame.body) + body,
                          frame.head.bytes - body};
      if (frame.passed)
        break;
    }
    msghdr message{};
    message.msg_iov = parts;
    message.msg_iovlen = count;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    if (passed >= 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      cmsghdr *entry = CMSG_FIRSTHDR(&message);
      entry->cmsg_level = SOL_SOCKET;
      entry->cmsg_type = SCM_RIGHTS;
      entry->cmsg_len = CMSG_LEN(sizeof passed);
      std::memcpy(CMSG_DATA(entry), &passed, sizeof passed);
    }
    ssize_t sent =
        sendmsg(link.socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent < 0 && errno == EAGAIN)
      return watch(link, true);
    if (sent < 0) {
      // The reading side reports the cause.
      link.broken = true;
      link.outgoing.clear();
      return;
    }
    for (auto left = static_cast<size_t>(sent); left > 0;) {
      Outgoing &frame = link.outgoing.front();
      size_t whole = sizeof frame.head + frame.head.bytes;
      size_t part = std::min(left, whole - frame.sent);
      frame.sent += part;
      left -= part;
      if (frame.sent == whole) {
        link.sent = frame.ticket;
        link.outgoing.pop_front();
      }
    }
  }
}

uint64_t SocketTransport::give(int peer, Outgoing frame) {
  Link &link = *links_[peer];
  std::lock_guard lock(link.mutex);
  frame.ticket = ++link.given;
  if (link.broken)
    return frame.ticket;
  link.outgoing.push_back(std::move(frame));
  // Otherwise a thread waits until the socket accepts more.
  if (link.outgoing.size() == 1)
    flush(link);
  return link.given;
}

void SocketTransport::post(int peer, FrameHead head,
                           std::span<const std::byte> body, int passed) {
  Outgoing frame;
  head.bytes = body.size();
  frame.head = head;
  frame.owned.assign(body.begin(), body.end());
  frame.body = frame.owned.data();
  if (passed >= 0)
    frame.passed = Descriptor(fcntl(passed, F_DUPFD_CLOEXEC, 0));
  give(peer, std::move(frame));
}

uint64_t SocketTransport::lend(int peer, FrameHead head,
                               std::span<const std::byte> body) {
  Outgoing frame;
  head.bytes = body.size();
  frame.head = head;
  frame.body = body.data();
  frame.lent = true;
  return give(peer, std::move(frame));
}

bool SocketTransport::wait_sent(int peer, uint64_t ticket,
                                std::chrono::milliseconds time) {
  Link &link = *links_[peer];
  auto sent = [&] {
    std::lock_guard lock(link.mutex);
    return link.sent >= ticket;
  };
  return received_->wait(time, sent);
}

void SocketTransport::reclaim(int peer) {
  Link &link = *links_[peer];
  std::lock_guard lock(link.mutex);
  for (Outgoing &frame : link.outgoing) {
    if (!frame.lent)
      continue;
    frame.owned.assign(frame.body, frame.body + frame.head.bytes);
    frame.body = frame.owned.data();
    frame.lent = false;
  }
}

//===- Receiving ----------------------------------------------------------===//

ssize_t SocketTransport::receive(Link &link, std::byte *to, size_t bytes) {
  iovec part{to, bytes};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  alignas(cmsghdr) char control[CMSG_SPACE(4 * sizeof(int))];
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  ssize_t got =
      recvmsg(link.socket.get(), &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got <= 0)
    return got;
  for (cmsghdr *entry = CMSG_FIRSTHDR(&message); entry;
       entry = CMSG_NXTHDR(&message, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS)
      continue;
    size_t count = (entry->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int number;
      std::memcpy(&number, CMSG_DATA(entry) + i * sizeof number, sizeof number);
      link.passed.emplace_back(number);
    }
  }
  return got;
}

void SocketTransport::finish_frame(Link &link) {
  link.head_got = link.body_got = 0;
  if (link.head.kind == FrameKind::Data) {
    link.body.stamp = link.head.stamp;
    received_->put(link.process, link.head.tag, std::move(link.body));
    return;
  }
  Descriptor passed;
  if (link.head.kind == FrameKind::Segment && !link.passed.empty()) {
    passed = std::move(link.passed.front());
    link.passed.pop_front();
  }
  listener_.on_frame(link.process, link.head,
                     {link.body.data(), link.body.size()}, std::move(passed));
}

bool SocketTransport::read(Link &link, std::string &why) {
  // A limit, so that other connections are read too.
  for (int i = 0; i < 64; ++i) {
    bool in_head = link.head_got < sizeof link.head;
    std::byte *to =
        in_head ? reinterpret_cast<std::byte *>(&link.head) + link.head_got
                : link.body.data() + link.body_got;
    size_t wanted = in_head ? sizeof link.head - link.head_got
                            : link.head.bytes - link.body_got;
    ssize_t got = receive(link, to, wanted);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0 && errno == EAGAIN)
      return true;
    if (got <= 0) {
      why = got == 0 ? "" : system_error();
      return false;
    }
    (in_head ? link.head_got : link.body_got) += got;
    if (in_head && link.head_got == sizeof link.head) {
      if (link.head.bytes > kMostBytes) {
        why = "it sends data that is not a frame";
        return false;
      }
      link.body = received_->buffer_of(link.head.bytes);
    }
    if (link.head_got == sizeof link.head && link.body_got == link.head.bytes)
      finish_frame(link);
  }
  return true;
}

void SocketTransport::poll_events() {
  constexpr int kMostEvents = 16;
  while (!closing_) {
    epoll_event events[kMostEvents];
    int count = epoll_wait(poller_.get(), events, kMostEvents, -1);
    for (int i = 0; i < count; ++i) {
      auto *link = static_cast<Link *>(events[i].data.ptr);
      if (!link || link->lost)
        continue;
      if (events[i].events & EPOLLOUT) {
        std::unique_lock lock(link->mutex);
        watch(*link, false);
        flush(*link);
        lock.unlock();
        wake();
      }
      if (!(events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR)))
        continue;
      std::string why;
      bool open = true;
      try {
        open = read(*link, why);
      } catch (const std::exception &problem) {
        open = false;
        why = problem.what();
      }
      if (open)
        continue;
      epoll_ctl(poller_.get(), EPOLL_CTL_DEL, link->socket.get(), nullptr);
      {
        std::lock_guard lock(link->mutex);
        link->broken = true;
        link->outgoing.clear();
        shutdown(link->socket.get(), SHUT_RDWR);
      }
      link->lost = true;
      if (!leaving_)
        listener_.on_lost(link->process, why);
      wake();
    }
  }
}

Result<JoinedProcesses>
join_over_sockets(const Topology &topology, std::chrono::milliseconds deadline,
                  const std::function<Status(int port)> &listening) {
  Result<std::vector<Peer>> peers =
      connect_peers(topology, deadline, listening);
  if (!peers)
    return peers.error();
  JoinedProcesses joined;
  for (const Peer &peer : *peers)
    joined.pids.push_back(peer.pid);
  auto shared = std::make_shared<std::vector<Peer>>(std::move(*peers));
  joined.make_transport = [shared](TransportListener &listener) {
    return std::make_unique<SocketTransport>(std::move(*shared), listener);
  };
  return joined;
}

} // namespace xlac::job
