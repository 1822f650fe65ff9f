#include "transport/websocket/websocket_output.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace gasoline;

namespace {

/// Two connected stream sockets; the first has a small send buffer.
class socket_pair {
 public:
  socket_pair() {
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()) == 0);
    const int bytes = 4'096;
    ::setsockopt(ends_[0], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
  }
  socket_pair(const socket_pair&) = delete;
  socket_pair& operator=(const socket_pair&) = delete;
  ~socket_pair() {
    ::close(ends_[0]);
    hang_up();
  }

  int writer() const { return ends_[0]; }

  std::string read_all() {
    std::string out;
    std::array<char, 4'096> piece{};
    for (;;) {
      const auto n = ::recv(ends_[1], piece.data(), piece.size(), MSG_DONTWAIT);
      if (n <= 0)
        return out;
      out.append(piece.data(), static_cast<std::size_t>(n));
    }
  }

  void hang_up() {
    if (ends_[1] >= 0)
      ::close(std::exchange(ends_[1], -1));
  }

 private:
  std::array<int, 2> ends_{};
};

std::vector<frame_text> frames_of(std::size_t count, std::size_t bytes) {
  std::vector<frame_text> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(std::make_shared<const std::string>(bytes, static_cast<char>('a' + i % 26)));
  return out;
}

std::string expected_bytes(const std::vector<frame_text>& frames) {
  std::string out;
  for (const auto& frame : frames)
    ((out += websocket_header(websocket_opcode::text, frame->size()).bytes()) += *frame);
  return out;
}

} // namespace

TEST_CASE("a server frame's header has the shortest length") {
  CHECK(websocket_header(websocket_opcode::text, 0).bytes() == std::string("\x81\0", 2));
  CHECK(websocket_header(websocket_opcode::text, 125).bytes() == "\x81\x7D");
  CHECK(websocket_header(websocket_opcode::text, 126).bytes() == std::string("\x81\x7E\0\x7E", 4));
  CHECK(websocket_header(websocket_opcode::text, 65'535).bytes() == "\x81\x7E\xFF\xFF");
  CHECK(websocket_header(websocket_opcode::text, 65'536).bytes() ==
        std::string("\x81\x7F\0\0\0\0\0\x01\0\0", 10));
}

TEST_CASE("many frames leave in one write, in order") {
  socket_pair sockets;
  websocket_output output;
  const auto frames = frames_of(400, 3);
  output.add(frames);
  CHECK(output.write_to(sockets.writer()) == write_progress::done);
  CHECK(output.take_sent() == 400);
  CHECK(output.take_sent() == 0);
  CHECK(sockets.read_all() == expected_bytes(frames));
}

TEST_CASE("what the socket does not take follows, whole frames and parts of them") {
  socket_pair sockets;
  websocket_output output;
  const auto frames = frames_of(1'500, 97);
  output.add(frames);
  std::string got;
  std::uint64_t sent = 0;
  std::size_t rounds = 0;
  while (output.write_to(sockets.writer()) == write_progress::blocked) {
    sent += output.take_sent();
    CHECK(sent < 1'500);
    got += sockets.read_all();
    REQUIRE(++rounds < 1'000);
  }
  got += sockets.read_all();
  CHECK(rounds > 1);
  sent += output.take_sent();
  CHECK(sent == 1'500);
  CHECK(got == expected_bytes(frames));
}

TEST_CASE("pongs go between frames, and a flood of pings keeps only the newest") {
  socket_pair sockets;
  websocket_output output;
  const auto big = frames_of(2, 60'000);
  output.add(big);
  REQUIRE(output.write_to(sockets.writer()) == write_progress::blocked);
  for (int i = 0; i < 10'000; ++i)
    output.add_pong("ping " + std::to_string(i));
  std::string got;
  while (output.write_to(sockets.writer()) == write_progress::blocked)
    got += sockets.read_all();
  got += sockets.read_all();
  std::string pongs;
  for (int i = 9'984; i < 10'000; ++i)
    pongs += control_frame(websocket_opcode::pong, "ping " + std::to_string(i));
  const bool in_order = got == expected_bytes({big[0]}) + pongs + expected_bytes({big[1]});
  CHECK(in_order);
  CHECK(output.take_sent() == 2);
}

TEST_CASE("nothing follows the close frame") {
  socket_pair sockets;
  websocket_output output;
  output.add(frames_of(1, 1));
  output.add_pong("kept");
  output.add_close(1008, "reason");
  output.add_close(1000, "");
  output.add(frames_of(1, 1));
  output.add_pong("late");
  CHECK(output.write_to(sockets.writer()) == write_progress::done);
  CHECK(sockets.read_all() ==
        control_frame(websocket_opcode::pong, "kept") + expected_bytes(frames_of(1, 1)) +
            control_frame(websocket_opcode::close, close_payload(1008, "reason")));
}

TEST_CASE("the reason of a close frame is cut between characters") {
  const std::string euros = "\xE2\x82\xAC\xE2\x82\xAC";
  const auto payload = close_payload(1001, std::string(121, 'x') + euros);
  CHECK(payload.size() == 2 + 121);
  CHECK(close_payload(1001, std::string(120, 'x') + euros).size() == 125);
}

TEST_CASE("a peer that is gone is noticed") {
  socket_pair sockets;
  websocket_output output;
  sockets.hang_up();
  output.add(frames_of(1, 1));
  CHECK(output.write_to(sockets.writer()) == write_progress::gone);
}
