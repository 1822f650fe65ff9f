#include "tests/unit/support/http_server_fixture.hpp"
#include "transport/http/http_traffic.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <string>
#include <string_view>
#include <utility>

using namespace gasoline;
using namespace gasoline::test;

namespace {

/// So many gzip members of 1 MB of zeros each.
std::string gzip_of_zeros(std::size_t megabytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string zeros(1 << 20, '\0');
  std::string member(1 << 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
  stream.avail_in = static_cast<uInt>(zeros.size());
  stream.next_out = reinterpret_cast<Bytef*>(member.data());
  stream.avail_out = static_cast<uInt>(member.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  member.resize(stream.total_out);
  deflateEnd(&stream);
  std::string out;
  for (std::size_t i = 0; i < megabytes; ++i)
    out += member;
  return out;
}

} // namespace

TEST_CASE("headers are bounded, in one piece or in many") {
  http_server_fixture f;
  const std::string line = "X-Filler: " + std::string(990, 'x') + "\r\n";
  std::string bomb = "GET /health HTTP/1.1\r\nHost: localhost\r\n";
  for (int i = 0; i < 100; ++i)
    bomb += line;
  CHECK(status_of(f.exchange(bomb)) == 431);
  CHECK(status_of(f.exchange("GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n\r\n")) == 431);
  CHECK(status_of(f.exchange("GET /health HTTP/1.1\r\nX: " + std::string(40'000, 'a'))) == 431);

  raw_client& slow = f.connect();
  slow.send("GET /health HTTP/1.1\r\nHost: localhost\r\n");
  for (int i = 0; i < 100 && slow.received().empty(); ++i) {
    slow.send(line);
    f.settle();
  }
  f.run_until([&] { return slow.closed(); });
  CHECK(status_of(slow.received()) == 431);

  std::string fits = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  for (int i = 0; i < 15; ++i)
    fits += line;
  CHECK(status_of(f.exchange(fits + "\r\n")) == 200);
}

TEST_CASE("headers and trailers are bounded in number, since each takes more than its bytes") {
  http_server_fixture f;
  const auto lines = [](int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
      out += "a:b\r\n";
    return out;
  };
  const std::string get = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
  CHECK(status_of(f.exchange(get + lines(120) + "\r\n")) == 200);
  CHECK(status_of(f.exchange(get + lines(140) + "\r\n")) == 431);
  CHECK(status_of(f.exchange(get + lines(3'000))) == 431);

  raw_client& slow = f.connect();
  slow.send(get);
  for (int i = 0; i < 140; ++i) {
    slow.send(lines(1));
    f.settle();
  }
  slow.send("\r\n");
  f.run_until([&] { return slow.closed(); });
  CHECK(status_of(slow.received()) == 431);

  const std::string chunked = "POST /ci-result HTTP/1.1\r\nHost: localhost\r\n"
                              "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                              "2\r\n{}\r\n0\r\n";
  CHECK(status_of(f.exchange(chunked + lines(100) + "\r\n")) == 200);
  CHECK(status_of(f.exchange(chunked + lines(2'000) + "\r\n")) == 431);
  CHECK(f.ingested.size() == 1);
}

TEST_CASE("a CI body of exactly 1 MB passes and one byte more is 413") {
  http_server_fixture f;
  CHECK(status_of(f.exchange(post("/ci-result", std::string(1'048'576, ' '), closing))) == 200);
  const auto refused = f.exchange(post("/ci-result", std::string(1'048'577, ' ')));
  CHECK(status_of(refused) == 413);
  CHECK(has(nlohmann::json::parse(body_of(refused)).at("error").get<std::string>(), "1048576"));
  REQUIRE(f.ingested.size() == 1);
  CHECK(f.ingested[0]->body.size() == 1'048'576);
}

TEST_CASE("a chunked body is put together and capped like any other") {
  http_server_fixture f;
  const std::string head = "POST /ci-result HTTP/1.1\r\nHost: localhost\r\n"
                           "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";
  CHECK(status_of(f.exchange(head + "3;x=y\r\n{\"a\r\n4\r\n\":1}\r\n0\r\nTrailer: 1\r\n\r\n")) ==
        200);
  REQUIRE(f.ingested.size() == 1);
  CHECK(f.ingested[0]->body == R"({"a":1})");

  std::string bomb = head;
  for (int i = 0; i < 2000; ++i)
    bomb += "400\r\n" + std::string(1024, 'x') + "\r\n";
  CHECK(status_of(f.exchange(bomb)) == 413);
  CHECK(status_of(f.exchange(head + "ffffffffffffffff\r\n")) == 413);
  CHECK(status_of(f.exchange(head + "fffffffffffffffff\r\n")) == 400);
  CHECK(status_of(f.exchange(head + "1;" + std::string(100'000, 'x'))) == 431);
  CHECK(status_of(f.exchange(head + "0\r\nX: " + std::string(100'000, 'x'))) == 431);
  CHECK(f.ingested.size() == 1);
}

TEST_CASE("a body far over the cap ends the connection after a bounded amount") {
  http_server_fixture f;
  f.from.limit.http.body_bytes = 100'000;
  raw_client& client = f.connect();
  client.send(post_head("/logs", 200'000'000) + std::string(50'000'000, 'x'));
  f.run_until([&] { return f.server->connections() == 0 && f.server->counters().requests == 1; });
  CHECK(f.ingested.empty());
  CHECK(f.server->counters().requests_refused == 1);
}

TEST_CASE("compressed bodies are inflated, and bombs are not") {
  http_server_fixture f;
  const auto small = gzip_of_zeros(1);
  CHECK(status_of(f.exchange(
            post("/logs", small, "Content-Encoding: gzip\r\nConnection: close\r\n"))) == 200);
  REQUIRE(f.ingested.size() == 1);
  CHECK(f.ingested[0]->body.size() == 1 << 20);
  const auto bomb = gzip_of_zeros(1024);
  CHECK(status_of(f.exchange(
            post("/logs", bomb, "Content-Encoding: gzip\r\nConnection: close\r\n"))) == 413);
  CHECK(status_of(f.exchange(
            post("/logs", "{}", "Content-Encoding: gzip\r\nConnection: close\r\n"))) == 400);
  CHECK(f.ingested.size() == 1);
}

TEST_CASE("bodies in flight are bounded over all connections") {
  http_server_fixture f;
  f.answers_at_once = false;
  f.from.limit.http.inflight_bytes = 1000;
  raw_client& first = f.connect();
  first.send(post("/logs", std::string(900, 'a')));
  f.run_until([&] { return f.ingested.size() == 1; });
  const auto refused = f.exchange(post("/logs", std::string(101, 'b')));
  CHECK(status_of(refused) == 429);
  CHECK(has(refused, "\r\nRetry-After: 1\r\n"));
  CHECK(status_of(f.exchange("POST /logs HTTP/1.1\r\nHost: localhost\r\n"
                             "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n80\r\n" +
                             std::string(128, 'c') + "\r\n0\r\n\r\n")) == 429);
  CHECK(status_of(f.exchange(post("/logs", gzip_of_zeros(1).substr(0, 50),
                                  "Content-Encoding: gzip\r\nConnection: close\r\n"))) == 400);
  CHECK(f.server->counters().requests_overloaded == 2);
  f.answer(0);
  f.run_until([&] { return has(first.received(), R"({"n":0})"); });
  f.answers_at_once = true;
  CHECK(status_of(f.exchange(post("/logs", std::string(1000, 'd'), closing))) == 200);
}

TEST_CASE("bytes that inflate count as bytes in flight") {
  http_server_fixture f;
  f.from.limit.http.inflight_bytes = 500'000;
  CHECK(status_of(f.exchange(post("/logs", gzip_of_zeros(1),
                                  "Content-Encoding: gzip\r\nConnection: close\r\n"))) == 429);
  CHECK(f.ingested.empty());
}

TEST_CASE("connections over the cap are told so") {
  http_server_fixture f;
  f.from.limit.http.connections = 2;
  f.connect();
  raw_client& second = f.connect();
  f.run_until([&] { return f.server->connections() == 2; });
  const auto refused = f.exchange(get("/health"));
  CHECK(status_of(refused) == 503);
  CHECK(f.server->counters().connections_refused == 1);
  second.drop();
  f.run_until([&] { return f.server->connections() == 1; });
  CHECK(status_of(f.exchange(get("/health"))) == 200);
}

TEST_CASE("a body that never ends times out with 408") {
  http_server_fixture f;
  f.from.limit.http.read_timeout_ms = 100;
  raw_client& client = f.connect();
  client.send(post_head("/logs", 100) + "half");
  f.run_until([&] { return client.closed(); });
  CHECK(status_of(client.received()) == 408);
  CHECK(f.ingested.empty());
  CHECK(f.server->counters().timeouts == 1);
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("a body shorter than it says is refused when the client ends") {
  http_server_fixture f;
  raw_client& client = f.connect();
  client.send(post_head("/logs", 100) + "half");
  client.finish();
  f.run_until([&] { return client.closed(); });
  CHECK(status_of(client.received()) == 400);
  CHECK(f.ingested.empty());
}

TEST_CASE("a body longer than it says does not become part of the request") {
  http_server_fixture f;
  raw_client& client = f.connect();
  client.send(post_head("/logs", 2) + "{}extra");
  client.finish();
  f.run_until([&] { return client.closed(); });
  REQUIRE(f.ingested.size() == 1);
  CHECK(f.ingested[0]->body == "{}");
  CHECK(count(client.received(), "HTTP/1.1 200") == 1);
  CHECK(count(client.received(), "HTTP/1.1 400") == 1);
}

TEST_CASE("a hundred half-open connections end by themselves while others are served") {
  http_server_fixture f;
  f.from.limit.http.read_timeout_ms = 200;
  for (int i = 0; i < 100; ++i)
    if (raw_client& client = f.connect(); i % 2 == 0)
      client.send("POST /logs HTTP/1.1\r\nHost: loc");
  f.run_until([&] { return f.server->counters().connections == 100; });
  raw_client& busy = f.connect();
  busy.send(get("/health"));
  f.run_until([&] { return has(busy.received(), R"({"pid":1})"); });
  f.run_until([&] { return f.server->connections() == 0; });
  CHECK(f.server->counters().timeouts == 50);
}

TEST_CASE("an idle connection closes without a word, a used one lives until then") {
  http_server_fixture f;
  f.from.limit.http.idle_timeout_ms = 30;
  raw_client& client = f.connect();
  client.send(post("/logs", "{}"));
  f.run_until([&] { return client.closed(); });
  CHECK(count(client.received(), "HTTP/1.1 ") == 1);
  CHECK(status_of(client.received()) == 200);
  CHECK(f.server->counters().timeouts == 0);
}

TEST_CASE("a client that does not read its answer is dropped") {
  http_server_fixture f;
  f.from.limit.http.read_timeout_ms = 200;
  f.start();
  f.server->add({"GET", "/large", 0, [](const http_call&, const http_reply& reply) {
                   http_response response;
                   response.body.assign(32U << 20, 'x');
                   reply(std::move(response));
                 }});
  tcp::socket deaf(f.io);
  deaf.connect({asio::ip::address_v4::loopback(), f.port});
  asio::write(deaf, asio::buffer(get("/large")));
  f.run_until([&] { return f.server->counters().requests == 1; });
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("a client that waits for 100-continue gets it, or the refusal at once") {
  http_server_fixture f;
  raw_client& client = f.connect();
  client.send(post_head("/logs", 2, "Expect: 100-continue\r\n"));
  f.run_until([&] { return has(client.received(), "HTTP/1.1 100 Continue\r\n\r\n"); });
  client.send("{}");
  f.run_until([&] { return has(client.received(), R"({"n":0})"); });
  const auto refused = f.exchange(post_head("/ci-result", 2'000'000, "Expect: 100-continue\r\n"));
  CHECK(status_of(refused) == 413);
  CHECK_FALSE(has(refused, "100 Continue"));
}

TEST_CASE("a body that no route wants ends the connection with the answer") {
  http_server_fixture f;
  CHECK(status_of(f.exchange(post("/nowhere", std::string(200'000, 'x')))) == 404);
  const auto health = f.exchange("GET /health HTTP/1.1\r\nHost: localhost\r\n"
                                 "Content-Length: 3\r\n\r\nabc");
  CHECK(status_of(health) == 200);
  CHECK(count(health, "HTTP/1.1 ") == 1);
}
