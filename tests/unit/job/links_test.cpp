// Delivery over a connection whose other end closes.
#include "socket_transport.h"

#include <gtest/gtest.h>

#include <vector>

#include <sys/socket.h>

using namespace xlac;
using namespace xlac::job;
using namespace std::chrono_literals;

namespace {

/// Expects that connections are closed in order.
class Listener final : public TransportListener {
public:
  void on_frame(int, const FrameHead &, std::span<const std::byte>,
                Descriptor) override {}
  void on_lost(int, const std::string &why) override { EXPECT_EQ(why, ""); }
  void on_failed(const std::string &why) override { ADD_FAILURE() << why; }
  void on_end(const std::string &) override {}
};

/// Returns both ends of a connection over the loopback device.
std::pair<Descriptor, Descriptor> connect_pair() {
  Result<Descriptor> listener = listen_tcp("127.0.0.1", 0);
  if (!listener)
    return {};
  Result<Descriptor> one =
      connect_tcp("127.0.0.1", port_of(*listener), Clock::now() + 5s);
  if (!one)
    return {};
  return {std::move(*one), accept_one(*listener)};
}

/// Returns the links of process 0 to process 1 over `socket`.
std::vector<Peer> peers_over(Descriptor socket) {
  std::vector<Peer> peers(2);
  peers[1].process = 1;
  peers[1].socket = std::move(socket);
  return peers;
}

/// Sets the size of the send buffer for unread data.
void let_wait(const Descriptor &socket, int bytes) {
  setsockopt(socket.get(), SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

} // namespace

TEST(SocketTransport, WhoLeavesIsReadToTheEnd) {
  constexpr size_t kBytes = 1 << 20;
  auto [here, there] = connect_pair();
  ASSERT_TRUE(here && there);
  let_wait(here, 2 * kBytes);
  Listener listener;
  SocketTransport links(peers_over(std::move(here)), listener);
  ASSERT_TRUE(links.start());
  std::vector<std::byte> body(kBytes, std::byte(7));
  links.post(1, {.kind = FrameKind::Data}, body);

  std::thread leaves([&] { links.close(); });
  // Unexpected data arrives before everything is read.
  std::this_thread::sleep_for(20ms);
  FrameHead head{.kind = FrameKind::Payload};
  auto bytes = std::as_bytes(std::span(&head, 1));
  EXPECT_TRUE(write_all(there, bytes, Clock::now() + 5s));
  std::vector<std::byte> got(sizeof head + kBytes);
  Status read = read_all(there, got, Clock::now() + 5s);
  EXPECT_TRUE(read) << (read ? "" : read.error().message);
  EXPECT_EQ(got.back(), std::byte(7));
  Status more = read_all(there, std::span(got).first(1), Clock::now() + 5s);
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().message, "it closed the connection");
  there.reset();
  leaves.join();
}

TEST(SocketTransport, WhoDoesNotReadIsNotWaitedForLong) {
  auto [here, there] = connect_pair();
  ASSERT_TRUE(here && there);
  Listener listener;
  SocketTransport links(peers_over(std::move(here)), listener);
  ASSERT_TRUE(links.start());
  auto start = Clock::now();
  links.close();
  EXPECT_LT(Clock::now() - start, 5s);
}

TEST(SocketTransport, TwoThatLeaveDoNotWaitForEachOther) {
  auto [here, there] = connect_pair();
  ASSERT_TRUE(here && there);
  Listener listener;
  SocketTransport one(peers_over(std::move(here)), listener);
  SocketTransport other(peers_over(std::move(there)), listener);
  ASSERT_TRUE(one.start());
  ASSERT_TRUE(other.start());
  std::vector<std::byte> body(100, std::byte(1));
  one.post(1, {.kind = FrameKind::Data, .tag = 5}, body);
  std::thread leaves([&] { one.close(); });
  AlignedBuffer packet;
  EXPECT_TRUE(other.take(1, 5, packet, 5s));
  EXPECT_EQ(packet.size(), body.size());
  other.close();
  leaves.join();
}
