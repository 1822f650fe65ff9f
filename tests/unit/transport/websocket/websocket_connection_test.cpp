#include "tests/unit/support/raw_http_client.hpp"
#include "tests/unit/support/response_text.hpp"
#include "tests/unit/support/websocket_bytes.hpp"
#include "transport/http/http_connection.hpp"
#include "transport/http/http_server.hpp"
#include "transport/websocket/websocket_connection.hpp"
#include "transport/websocket/websocket_handshake.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

constexpr std::string_view upgrade_lines =
    "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

std::string
upgrade_request(std::string_view lines = upgrade_lines,
                std::string_view first = "GET /socket HTTP/1.1\r\nHost: localhost\r\n") {
  return std::string{first} + std::string{lines} + "\r\n";
}

std::string server_close(std::uint16_t code, std::string_view reason = "") {
  return control_frame(websocket_opcode::close, close_payload(code, reason));
}

std::string server_text(std::string_view text) {
  return std::string{websocket_header(websocket_opcode::text, text.size()).bytes()}.append(text);
}

/// A server whose route `/socket` is a WebSocket.
struct websocket_fixture {
  settings from;
  boost::asio::io_context io;
  std::vector<std::unique_ptr<raw_client>> clients; // closed before io ends
  std::vector<std::shared_ptr<websocket_connection>> sockets;
  std::vector<std::string> texts;
  std::uint64_t sent = 0;
  int closed = 0;
  std::unique_ptr<http_server> server;

  explicit websocket_fixture(limits limit = {}) {
    from.port = 0;
    from.limit = limit;
    server = std::make_unique<http_server>(io, from, http_access{});
    server->add({"GET", "/socket", 0, [this](const http_call& call, const http_reply& reply) {
                   if (auto refusal = refuse_handshake(call.head))
                     reply(std::move(*refusal));
                   else
                     reply(accept_handshake(*call.head.field("Sec-WebSocket-Key"),
                                            [this](http_takeover& taken) { take(taken); }));
                 }});
    const auto started = server->start();
    REQUIRE(started);
    port = *started;
  }
  websocket_fixture(const websocket_fixture&) = delete;
  websocket_fixture& operator=(const websocket_fixture&) = delete;
  ~websocket_fixture() {
    for (auto& client : clients)
      client->drop();
    server.reset();
    io.poll();
  }

  void take(http_takeover& taken) {
    websocket_handlers handlers;
    handlers.text = [this](std::string text) { texts.push_back(std::move(text)); };
    handlers.sent = [this](std::uint64_t frames) { sent += frames; };
    handlers.closed = [this] { ++closed; };
    sockets.push_back(
        std::make_shared<websocket_connection>(taken, from.limit, std::move(handlers)));
    sockets.back()->start();
  }

  raw_client& connect(std::string bytes) {
    clients.push_back(std::make_unique<raw_client>(io, port));
    clients.back()->send(std::move(bytes));
    return *clients.back();
  }

  raw_client& open(const std::string& early = "") {
    auto& client = connect(upgrade_request() + early);
    run_until([&] { return has(client.received(), "\r\n\r\n"); });
    REQUIRE(has(client.received(), "HTTP/1.1 101 "));
    return client;
  }

  void run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done() && std::chrono::steady_clock::now() < end)
      io.run_one_until(end);
    REQUIRE(done());
  }

  /// What the server has sent behind the head of its answer.
  static std::string frames_to(const raw_client& client) {
    const auto& all = client.received();
    return all.substr(all.find("\r\n\r\n") + 4);
  }

  /// The answer to a request that is no handshake.
  std::string answer_to(std::string request) {
    auto& client = connect(std::move(request));
    run_until([&] { return has(client.received(), "\r\n\r\n"); });
    client.drop();
    return client.received();
  }

  /// Sends bytes and waits for the end of the connection.
  std::string until_end(raw_client& client, std::string bytes) {
    client.send(std::move(bytes));
    run_until([&] { return client.closed(); });
    return frames_to(client);
  }

  std::uint16_t port = 0;
};

std::vector<frame_text> texts_of(std::size_t count, std::size_t bytes) {
  return std::vector<frame_text>(count, std::make_shared<const std::string>(bytes, 'x'));
}

} // namespace

TEST_CASE("the handshake of RFC 6455 is answered, and frames behind it are read") {
  websocket_fixture f;
  auto& client = f.open(client_frame(1, "early"));
  CHECK(has(client.received(), "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
  CHECK(has(client.received(), "Connection: Upgrade\r\n"));
  CHECK_FALSE(has(client.received(), "Content-Length"));
  client.send(client_frame(1, "la", {.fin = false}) + client_frame(0, "ter"));
  f.run_until([&] { return f.texts.size() == 2; });
  CHECK(f.texts == std::vector<std::string>{"early", "later"});
  f.sent += f.sockets[0]->send(
      {std::make_shared<const std::string>("one"), std::make_shared<const std::string>("two")},
      frame_pace::live);
  f.run_until([&] { return f.frames_to(client).size() >= 10; });
  CHECK(f.frames_to(client) == server_text("one") + server_text("two"));
  CHECK(f.sent == 2);
  CHECK(f.server->connections() == 1);
}

TEST_CASE("what is no handshake is refused with a sentence") {
  websocket_fixture f;
  const auto refused = [&](std::string_view lines,
                           std::string_view first = "GET /socket HTTP/1.1\r\nHost: localhost\r\n") {
    return f.answer_to(upgrade_request(lines, first));
  };
  const std::string key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const std::string upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\n";
  CHECK(has(refused(""), "HTTP/1.1 426 "));
  CHECK(has(refused(""), "Upgrade: websocket\r\n"));
  CHECK(has(refused("Upgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" + key),
            "HTTP/1.1 426 "));
  CHECK(has(refused(upgrade + "Sec-WebSocket-Version: 8\r\n" + key),
            "Sec-WebSocket-Version: 13\r\n"));
  CHECK(has(refused(upgrade + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: short\r\n"),
            "HTTP/1.1 400 "));
  CHECK(has(refused(std::string{upgrade_lines} + key), "HTTP/1.1 400 "));
  CHECK(has(refused(std::string{upgrade_lines} + "Content-Length: 3\r\n"), "HTTP/1.1 400 "));
  CHECK(has(refused(upgrade_lines, "GET /socket HTTP/1.0\r\n"), "HTTP/1.1 426 "));
  CHECK(
      has(refused(upgrade_lines, "HEAD /socket HTTP/1.1\r\nHost: localhost\r\n"), "HTTP/1.1 426 "));
  CHECK(has(refused(upgrade_lines, "GET /socket HTTP/1.1\r\nHost: example.com\r\n"),
            "HTTP/1.1 403 "));
  CHECK(has(refused(std::string{upgrade_lines} + "Origin: https://example.com\r\n"),
            "HTTP/1.1 403 "));
  CHECK(f.sockets.empty());
}

TEST_CASE("hostile frames end the connection with the code that says why") {
  websocket_fixture f;
  const auto code_for = [&](const std::string& bytes) {
    const auto frames = f.until_end(f.open(), bytes);
    REQUIRE(frames.size() > 4);
    CHECK(frames[0] == '\x88');
    return static_cast<unsigned char>(frames[2]) * 256 + static_cast<unsigned char>(frames[3]);
  };
  CHECK(code_for(client_frame(1, "x", {.mask = false})) == 1002);
  CHECK(code_for(client_frame(2, "x")) == 1003);
  CHECK(code_for(client_frame(1, "x", {.reserved = 0x40})) == 1002);
  CHECK(code_for(client_frame(1, "\xFF")) == 1007);
  CHECK(code_for("\x81\xFF" + std::string("\0\0\0\0\x05\xF5\xE1\0", 8) + "mask") == 1009);
  CHECK(f.closed == 5);
  for (auto& client : f.clients)
    client->drop();
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("a client that is refused and sends on still gets its close frame") {
  websocket_fixture f;
  auto& client = f.open();
  client.send(client_frame(2, std::string(2'000'000, 'x')));
  f.run_until([&] { return f.frames_to(client).size() > 4; });
  CHECK(f.frames_to(client).substr(0, 1) == "\x88");
  client.drop();
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("pings are answered, floods of them at least in part") {
  websocket_fixture f;
  auto& client = f.open();
  client.send(client_frame(9, "a") + client_frame(9, "b"));
  const auto both =
      control_frame(websocket_opcode::pong, "a") + control_frame(websocket_opcode::pong, "b");
  f.run_until([&] { return f.frames_to(client) == both; });
  std::string flood;
  for (int i = 0; i < 100'000; ++i)
    flood += client_frame(9, "");
  client.send(flood + client_frame(1, "still there"));
  f.run_until([&] { return f.texts.size() == 1; });
}

TEST_CASE("either side closes, and the other one answers") {
  websocket_fixture f;
  CHECK(f.until_end(f.open(), client_frame(8, close_bytes(4000) + "bye")) == server_close(4000));
  CHECK(f.until_end(f.open(), client_frame(8, "")) == server_close(1000));
  CHECK(f.closed == 2);
  auto& client = f.open();
  f.sockets.back()->close(1008, "why");
  f.run_until([&] { return f.frames_to(client) == server_close(1008, "why"); });
  CHECK_FALSE(client.closed());
  CHECK(f.until_end(client, client_frame(8, close_bytes(1008))) == server_close(1008, "why"));
  CHECK(f.closed == 2);
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("a peer that never answers a close, or goes without one, holds nothing for long") {
  limits limit;
  limit.session.close_ms = 30;
  websocket_fixture f{limit};
  auto& silent = f.open();
  f.sockets.back()->close(1000, "");
  f.run_until([&] { return silent.closed(); });
  auto& gone = f.open();
  gone.drop();
  f.run_until([&] { return f.closed == 1; });
  CHECK(f.server->connections() == 0);
}

TEST_CASE("a client that does not read gets the close frame behind what was under way") {
  websocket_fixture f;
  auto& client = f.open();
  client.stop_reading();
  client.send(client_frame(9, ""));
  for (int i = 0; i < 10'000 && f.sent == static_cast<std::uint64_t>(i) * 256; ++i) {
    f.sent += f.sockets[0]->send(texts_of(256, 1'000), frame_pace::live);
    f.io.poll();
  }
  const auto given = (f.sent / 256 + 1) * 256; // the last batch is written in part
  f.sockets[0]->close(1008, "slow");
  client.read_again();
  f.run_until([&] { return f.frames_to(client).ends_with(server_close(1008, "slow")); });
  CHECK(f.frames_to(client).size() > given * 1'000);
  f.until_end(client, client_frame(8, close_bytes(1008)));
}

TEST_CASE("more of a replay than of live frames may wait in the socket") {
  const auto taken = [](frame_pace pace) {
    limits limit;
    limit.session.replay_buffer_bytes = 1U << 20U;
    websocket_fixture f{limit};
    f.open().stop_reading();
    for (int i = 0; i < 10'000 && f.sent == static_cast<std::uint64_t>(i); ++i) {
      f.sent += f.sockets[0]->send(texts_of(1, 1'000), pace);
      f.io.poll();
    }
    return f.sent;
  };
  CHECK(taken(frame_pace::replay) > taken(frame_pace::live) + 100);
}

TEST_CASE("WebSockets count as streams, whose number is bounded") {
  limits limit;
  limit.http.streams = 1;
  websocket_fixture f{limit};
  auto& first = f.open();
  CHECK(has(f.answer_to(upgrade_request()), "HTTP/1.1 503 "));
  f.until_end(first, client_frame(8, ""));
  f.open();
}

TEST_CASE("a server that stops drops its WebSockets") {
  websocket_fixture f;
  auto& client = f.open();
  f.server->stop();
  f.run_until([&] { return client.closed(); });
  CHECK(f.closed == 1);
}
