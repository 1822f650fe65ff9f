#include "tests/unit/support/raw_http_client.hpp"
#include "tests/unit/support/response_text.hpp"
#include "transport/http/http_connection.hpp"
#include "transport/http/http_server.hpp"

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

http_response plain(std::string text) {
  http_response out;
  out.content_type = "text/plain";
  out.body = std::move(text);
  return out;
}

/// A server whose route `/stream` hands its streams over, and whose route `/wait` is never answered
/// but watches its client.
struct http_chunk_stream_fixture {
  settings from;
  boost::asio::io_context io;
  std::vector<std::unique_ptr<raw_client>> clients; // closed before io ends
  std::vector<http_stream_ptr> streams;
  std::vector<http_reply> waiting;
  int gone = 0;
  std::unique_ptr<http_server> server;
  std::uint16_t port = 0;

  http_chunk_stream_fixture() { from.port = 0; }
  ~http_chunk_stream_fixture() {
    for (auto& client : clients)
      client->drop();
    server.reset();
    io.poll();
  }

  void start() {
    server = std::make_unique<http_server>(io, from, http_access{});
    server->add({"GET", "/stream", 0, [this](const http_call&, const http_reply& reply) {
                   http_response out;
                   out.content_type = "text/event-stream";
                   out.stream = [this](http_stream_ptr s) { streams.push_back(std::move(s)); };
                   reply(std::move(out));
                 }});
    server->add({"GET", "/wait", 0, [this](const http_call& call, const http_reply& reply) {
                   call.watch([this] { ++gone; });
                   waiting.push_back(reply);
                 }});
    server->add(
        {"GET", "/plain", 0, [](const http_call&, const http_reply& reply) { reply(plain("p")); }});
    const auto started = server->start();
    REQUIRE(started);
    port = *started;
  }

  raw_client& connect(std::string_view request) {
    if (!server)
      start();
    clients.push_back(std::make_unique<raw_client>(io, port));
    clients.back()->send(std::string{request});
    return *clients.back();
  }

  http_stream& open(std::string_view request = get_stream) {
    const auto before = streams.size();
    connect(request);
    run_until([&] { return streams.size() > before; });
    return *streams.back();
  }

  void run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done() && std::chrono::steady_clock::now() < end)
      io.run_one_until(end);
    REQUIRE(done());
  }

  const std::string& received() const { return clients.back()->received(); }

  static constexpr std::string_view get_stream = "GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n";
  static constexpr std::string_view get_wait = "GET /wait HTTP/1.1\r\nHost: localhost\r\n\r\n";
  static constexpr std::string_view get_plain = "GET /plain HTTP/1.1\r\nHost: localhost\r\n\r\n";
};

/// The body that these chunks carry; it must be complete.
std::string unchunked(std::string_view chunks) {
  std::string out;
  for (;;) {
    const auto line = chunks.find("\r\n");
    REQUIRE(line != std::string_view::npos);
    const auto size = std::stoul(std::string{chunks.substr(0, line)}, nullptr, 16);
    REQUIRE(chunks.size() >= line + size + 4);
    REQUIRE(chunks.substr(line + 2 + size, 2) == "\r\n");
    if (size == 0)
      return out;
    out += chunks.substr(line + 2, size);
    chunks.remove_prefix(line + size + 4);
  }
}

} // namespace

TEST_CASE("a streamed body leaves in chunks, and the connection goes on") {
  http_chunk_stream_fixture f;
  auto& stream = f.open();
  CHECK(stream.write("one"));
  f.run_until([&] { return has(f.received(), "one"); });
  CHECK(has(f.received(), "Transfer-Encoding: chunked\r\n"));
  CHECK(has(f.received(), "Connection: keep-alive\r\n"));
  CHECK(!has(f.received(), "Content-Length"));
  stream.write("two");
  stream.write(std::make_shared<const std::string>("three"));
  stream.finish();
  f.run_until([&] { return has(f.received(), "0\r\n\r\n"); });
  CHECK(unchunked(body_of(f.received())) == "onetwothree");
  CHECK(!stream.write("late"));
  f.clients.back()->send(std::string{http_chunk_stream_fixture::get_plain});
  f.run_until([&] { return has(f.received(), "\r\n\r\np"); });
  stream.abort(); // belongs to the answer before, so it must not end this connection
  f.clients.back()->send(std::string{http_chunk_stream_fixture::get_stream});
  f.run_until([&] { return f.streams.size() == 2; });
}

TEST_CASE("pieces that wait for a write leave together in the next") {
  http_chunk_stream_fixture f;
  auto& stream = f.open();
  f.run_until([&] { return !f.received().empty(); });
  f.io.poll(); // the write of the head has ended
  stream.write("first");
  for (int i = 0; i < 40; ++i)
    stream.write("x");
  stream.finish();
  f.run_until([&] { return has(f.received(), "0\r\n\r\n"); });
  CHECK(body_of(f.received()) == "5\r\nfirst\r\n28\r\n" + std::string(40, 'x') + "\r\n0\r\n\r\n");
}

TEST_CASE("HTTP/1.0 gets the plain body and its end by closing") {
  http_chunk_stream_fixture f;
  auto& stream =
      f.open("GET /stream HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n");
  stream.write("plain ");
  stream.write("body");
  stream.finish();
  f.run_until([&] { return f.clients.back()->closed(); });
  CHECK(body_of(f.received()) == "plain body");
  CHECK(has(f.received(), "Connection: close\r\n"));
}

TEST_CASE("an empty body is only its end") {
  http_chunk_stream_fixture f;
  f.open().finish();
  f.run_until([&] { return has(f.received(), "0\r\n\r\n"); });
  CHECK(body_of(f.received()) == "0\r\n\r\n");
}

TEST_CASE("a client that goes is noticed at once") {
  http_chunk_stream_fixture f;
  auto& stream = f.open();
  int closed = 0;
  stream.on_closed([&] { ++closed; });
  f.clients.back()->drop();
  f.run_until([&] { return closed == 1; });
  CHECK(!stream.write("late"));
  CHECK(f.server->connections() == 0);
}

TEST_CASE("bytes of the next request wait for their turn") {
  http_chunk_stream_fixture f;
  auto& stream = f.open();
  f.clients.back()->send(std::string{http_chunk_stream_fixture::get_plain});
  stream.write("a");
  f.run_until([&] { return has(f.received(), "1\r\na\r\n"); });
  CHECK(!has(f.received(), "text/plain"));
  stream.finish();
  f.run_until([&] { return has(f.received(), "\r\n\r\np"); });
}

TEST_CASE("a client that reads too little is disconnected, the others are served") {
  http_chunk_stream_fixture f;
  f.from.limit.http.stream_unsent_bytes = 1 << 20;
  auto& slow = f.open();
  f.clients.back()->stop_reading();
  auto& other = f.open();
  int closed = 0;
  slow.on_closed([&] { ++closed; });
  const auto piece = std::make_shared<const std::string>(64 << 10, 'x');
  for (int i = 0; i < 1000 && closed == 0; ++i) {
    slow.write(piece);
    f.io.poll();
  }
  CHECK(closed == 1);
  CHECK(f.server->counters().streams_overflowed == 1);
  other.write("fine");
  f.run_until([&] { return has(f.received(), "fine"); });
}

TEST_CASE("a single large piece passes whole") {
  http_chunk_stream_fixture f;
  auto& stream = f.open();
  bool drained = false;
  stream.on_drained([&] { drained = true; });
  stream.write(std::string(3 << 20, 'x'));
  CHECK(stream.unsent() == 3 << 20);
  f.run_until([&] { return drained; });
  CHECK(stream.unsent() == 0);
  stream.finish();
  f.run_until([&] { return has(f.received(), "\r\n0\r\n\r\n"); });
}

TEST_CASE("a write without progress ends the connection in time") {
  http_chunk_stream_fixture f;
  f.from.limit.http.read_timeout_ms = 100;
  f.from.limit.http.stream_unsent_bytes = 1ULL << 32;
  auto& stream = f.open();
  f.clients.back()->stop_reading();
  int closed = 0;
  stream.on_closed([&] { ++closed; });
  stream.write(std::string(32 << 20, 'x'));
  f.run_until([&] { return closed == 1; });
  CHECK(f.server->counters().streams_stalled == 1);
}

TEST_CASE("streams over the cap are refused and told so") {
  http_chunk_stream_fixture f;
  f.from.limit.http.streams = 1;
  auto& stream = f.open();
  auto& second = f.connect(http_chunk_stream_fixture::get_stream);
  f.run_until([&] { return has(second.received(), "HTTP/1.1 503"); });
  CHECK(f.server->counters().streams_refused == 1);
  stream.finish();
  f.run_until([&] { return has(f.clients.front()->received(), "0\r\n\r\n"); });
  f.open();
}

TEST_CASE("HEAD on a streamed route gets the head alone") {
  http_chunk_stream_fixture f;
  f.connect("HEAD /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  f.run_until([&] { return f.clients.back()->closed(); });
  CHECK(has(f.received(), "HTTP/1.1 200"));
  CHECK(body_of(f.received()).empty());
  CHECK(f.streams.empty());
}

TEST_CASE("a route that watches learns that its client has gone, once") {
  http_chunk_stream_fixture f;
  f.connect(http_chunk_stream_fixture::get_wait);
  f.run_until([&] { return f.waiting.size() == 1; });
  f.clients.back()->drop();
  f.run_until([&] { return f.gone == 1; });
  f.waiting[0]({});
  f.io.poll();
  CHECK(f.gone == 1);
}

TEST_CASE("a watched client that was answered is watched no longer, and is served on") {
  http_chunk_stream_fixture f;
  auto& client = f.connect(http_chunk_stream_fixture::get_wait);
  f.run_until([&] { return f.waiting.size() == 1; });
  client.send(std::string{http_chunk_stream_fixture::get_plain}); // ahead of its turn
  f.io.poll();
  f.waiting[0](plain("answer"));
  f.run_until([&] { return has(client.received(), "\r\n\r\np"); });
  CHECK(has(client.received(), "answer"));
  client.drop();
  f.run_until([&] { return f.server->connections() == 0; });
  CHECK(f.gone == 0);
}
