#include "actors/ingest/formats/format_table.hpp"
#include "tests/unit/support/raw_http_client.hpp"
#include "tests/unit/support/response_text.hpp"
#include "transport/http/http_connection.hpp"
#include "transport/http/http_server.hpp"
#include "transport/http/port_owner.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>
#include <zlib.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// A server on a free port over an engine that records bodies and answers when told to.
struct http_server_fixture {
  settings from;
  asio::io_context io;
  std::vector<std::unique_ptr<raw_client>> clients; // closed before io ends
  std::vector<ingest_request_ptr> ingested;
  bool answers_at_once = true;
  std::unique_ptr<http_server> server;
  std::uint16_t port = 0;

  http_server_fixture() { from.port = 0; }
  ~http_server_fixture() {
    for (auto& client : clients)
      client->drop();
    server.reset();
    io.poll();
  }

  void start() {
    telemetry_services routes;
    routes.formats = ingest_routes();
    routes.ingest = [this](ingest_request_ptr request) {
      ingested.push_back(request);
      if (answers_at_once)
        answer(ingested.size() - 1);
    };
    routes.health = [](const std::function<void(std::string)>& done) { done(R"({"pid":1})"); };
    routes.page_script = "window.gasoline=1";
    server = std::make_unique<http_server>(io, from, http_access{});
    server->add_all(telemetry_routes(std::move(routes), from.limit));
    server->add({"GET", "/dropped", 0, [](const http_call&, const http_reply&) {}});
    const auto started = server->start();
    REQUIRE(started);
    port = *started;
  }

  void answer(std::size_t index) {
    ingested[index]->reply({200, "{\"n\":" + std::to_string(index) + "}", 0});
  }

  raw_client& connect() {
    if (!server)
      start();
    clients.push_back(std::make_unique<raw_client>(io, port));
    return *clients.back();
  }

  void run_until(const std::function<bool()>& done) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!done() && std::chrono::steady_clock::now() < end)
      io.run_one_until(end);
    REQUIRE(done());
  }

  /// Runs what is ready now.
  void settle() {
    while (io.poll() != 0) {
    }
  }

  /// Sends one request, waits for the end of the connection and answers all that came.
  std::string exchange(std::string text) {
    raw_client& client = connect();
    client.send(std::move(text));
    run_until([&] { return client.closed(); });
    return client.received();
  }
};

int status_of(std::string_view response) {
  REQUIRE(has(response, "HTTP/1.1 "));
  return std::stoi(std::string(response.substr(9, 3)));
}

std::string get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
}

std::string post_head(std::string_view path, std::size_t length, std::string_view more = "") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(length) + "\r\n" +
         std::string(more) + "\r\n";
}

std::string post(std::string_view path, const std::string& body, std::string_view more = "") {
  return post_head(path, body.size(), more) + body;
}

constexpr std::string_view closing = "Connection: close\r\n";

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

TEST_CASE("a GET over a real socket is answered and closed as asked") {
  http_server_fixture f;
  const auto response = f.exchange(get("/health"));
  CHECK(status_of(response) == 200);
  CHECK(body_of(response) == R"({"pid":1})");
  CHECK(has(response, "Connection: close\r\n"));
  CHECK(has(response, "X-Content-Type-Options: nosniff\r\n"));
  f.clients.back()->drop();
  f.run_until([&] { return f.server->connections() == 0; });
}

TEST_CASE("HEAD tells the length and sends no body") {
  http_server_fixture f;
  const auto response =
      f.exchange("HEAD /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  CHECK(status_of(response) == 200);
  CHECK(has(response, "Content-Length: 9\r\n"));
  CHECK(body_of(response).empty());
}

TEST_CASE("HTTP/1.0 is served and closed") {
  http_server_fixture f;
  const auto response = f.exchange("GET /health HTTP/1.0\r\n\r\n");
  CHECK(status_of(response) == 200);
  CHECK(has(response, "Connection: close\r\n"));
}

TEST_CASE("a POST is answered when the engine replies, and not before") {
  http_server_fixture f;
  f.answers_at_once = false;
  raw_client& client = f.connect();
  client.send(post("/logs", R"({"entries":[]})"));
  f.run_until([&] { return f.ingested.size() == 1; });
  CHECK(f.ingested[0]->format == "logs");
  CHECK(f.ingested[0]->body == R"({"entries":[]})");
  f.settle();
  CHECK(client.received().empty());
  f.answer(0);
  f.run_until([&] { return has(client.received(), R"({"n":0})"); });
  CHECK(status_of(client.received()) == 200);
  CHECK(has(client.received(), "Connection: keep-alive\r\n"));
}

TEST_CASE("the next request is not read until the one before is answered") {
  http_server_fixture f;
  f.answers_at_once = false;
  raw_client& client = f.connect();
  client.send(post("/logs", "a") + post("/logs", "b") + get("/health"));
  f.run_until([&] { return f.ingested.size() == 1; });
  f.settle();
  CHECK(f.ingested.size() == 1);
  f.answer(0);
  f.run_until([&] { return f.ingested.size() == 2 && !client.received().empty(); });
  CHECK(f.ingested[1]->body == "b");
  f.settle();
  CHECK(count(client.received(), "HTTP/1.1 ") == 1);
  f.answer(1);
  f.run_until([&] { return client.closed(); });
  const std::string& all = client.received();
  CHECK(count(all, "HTTP/1.1 200") == 3);
  CHECK(all.find(R"({"n":0})") < all.find(R"({"n":1})"));
  CHECK(all.find(R"({"n":1})") < all.find(R"({"pid":1})"));
}

TEST_CASE("many pipelined requests are answered in order") {
  http_server_fixture f;
  raw_client& client = f.connect();
  std::string all;
  for (int i = 0; i < 500; ++i)
    all += post("/network-bodies", std::to_string(i));
  client.send(all + get("/health"));
  f.run_until([&] { return client.closed(); });
  REQUIRE(f.ingested.size() == 500);
  std::size_t at = 0;
  for (int i = 0; i < 500; ++i) {
    CHECK(f.ingested[static_cast<std::size_t>(i)]->body == std::to_string(i));
    at = client.received().find("{\"n\":" + std::to_string(i) + "}", at);
    REQUIRE(at != std::string::npos);
  }
  CHECK(f.server->counters().requests == 501);
}

TEST_CASE("a reply may come from another thread") {
  http_server_fixture f;
  f.answers_at_once = false;
  raw_client& client = f.connect();
  client.send(post("/logs", "{}", closing));
  f.run_until([&] { return f.ingested.size() == 1; });
  std::thread engine([&] { f.answer(0); });
  f.run_until([&] { return client.closed(); });
  engine.join();
  CHECK(body_of(client.received()) == R"({"n":0})");
}

TEST_CASE("a client that leaves before its reply harms nobody") {
  http_server_fixture f;
  f.answers_at_once = false;
  raw_client& client = f.connect();
  client.send(post("/logs", "{}"));
  f.run_until([&] { return f.ingested.size() == 1; });
  client.drop();
  f.settle();
  f.answer(0);
  f.run_until([&] { return f.server->connections() == 0; });
  CHECK(status_of(f.exchange(get("/health"))) == 200);
}

TEST_CASE("replies after the server has stopped or gone go nowhere") {
  http_server_fixture f;
  f.answers_at_once = false;
  f.connect().send(post("/logs", "a"));
  f.connect().send(post("/logs", "b"));
  f.run_until([&] { return f.ingested.size() == 2; });
  f.server->stop();
  CHECK(f.server->connections() == 0);
  f.answer(0);
  f.settle();
  f.server.reset();
  f.answer(1);
  f.settle();
  for (const auto& client : f.clients) {
    CHECK(client->closed());
    CHECK(client->received().empty());
  }
}

TEST_CASE("a dropped reply is answered with 503") {
  http_server_fixture f;
  CHECK(status_of(f.exchange(get("/dropped"))) == 503);
  f.answers_at_once = false;
  raw_client& client = f.connect();
  client.send(post("/logs", "{}", closing));
  f.run_until([&] { return f.ingested.size() == 1; });
  f.ingested.clear();
  f.run_until([&] { return client.closed(); });
  CHECK(status_of(client.received()) == 503);
}

TEST_CASE("what is no HTTP request gets 400 and the end") {
  for (const std::string_view bytes :
       {"hello\r\n\r\n", "GET\r\n\r\n", "GET /health\r\n\r\n", "GET /health HTTP/9.9\r\n\r\n",
        "GET /health HTTP/2.0\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "\x16\x03\x01\x02\x00\x01", "GET /health HTTP/1.1\r\nHost localhost\r\n\r\n",
        "GET /he alth HTTP/1.1\r\n\r\n", "GET /health HTTP/1.1\r\nHost : localhost\r\n\r\n",
        "\r\n\r\n", "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: "
        "2\r\n\r\nab",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n"
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /logs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"}) {
    CAPTURE(bytes);
    http_server_fixture f;
    raw_client& client = f.connect();
    client.send(std::string(bytes));
    client.finish();
    f.run_until([&] { return client.closed(); });
    CHECK(status_of(client.received()) == 400);
    CHECK(nlohmann::json::parse(body_of(client.received())).contains("error"));
    CHECK(f.ingested.empty());
  }
}

TEST_CASE("a NUL in the request line is refused") {
  http_server_fixture f;
  std::string request = get("/health");
  request[5] = '\0';
  CHECK(status_of(f.exchange(request)) == 400);
}

TEST_CASE("a transfer coding that is not chunked is refused, not skipped") {
  for (const std::string_view coding : {"gzip", "gzip, chunked", "identity", "chunked, gzip"}) {
    CAPTURE(coding);
    http_server_fixture f;
    const auto response = f.exchange("POST /logs HTTP/1.1\r\nHost: localhost"
                                     "\r\nTransfer-Encoding: " +
                                     std::string(coding) + "\r\n\r\n0\r\n\r\n");
    CHECK(status_of(response) == 501);
    CHECK(f.ingested.empty());
  }
}

TEST_CASE("hosts and origins are checked on the wire") {
  http_server_fixture f;
  const auto with = [&](const std::string& headers) {
    return f.exchange("POST /ci-result HTTP/1.1\r\n" + headers +
                      "Connection: close\r\nContent-Length: 2\r\n\r\n{}");
  };
  CHECK(status_of(with("")) == 403);
  CHECK(status_of(with("Host: evil.test\r\n")) == 403);
  CHECK(status_of(with("Host: localhost.evil.test\r\n")) == 403);
  CHECK(status_of(with("Host: localhost\r\nHost: evil.test\r\n")) == 400);
  CHECK(status_of(with("Host: localhost\r\nOrigin: http://evil.test\r\n")) == 403);
  CHECK(status_of(with("Host: localhost\r\nOrigin: null\r\n")) == 403);
  CHECK(status_of(with("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: null\r\n")) == 400);
  CHECK(f.ingested.empty());
  CHECK(f.server->counters().requests_refused == 7);
  const auto allowed = with("Host: 127.0.0.1:7890\r\nOrigin: http://localhost:3000\r\n");
  CHECK(status_of(allowed) == 200);
  CHECK(has(allowed, "\r\nAccess-Control-Allow-Origin: http://localhost:3000\r\n"));
  CHECK(has(allowed, "\r\nVary: Origin\r\n"));
  CHECK(status_of(f.exchange("GET http://evil.test/ HTTP/1.1\r\nHost: localhost\r\n"
                             "Connection: close\r\n\r\n")) == 403);
}

TEST_CASE("an extension's preflight passes and keeps the connection") {
  http_server_fixture f;
  raw_client& client = f.connect();
  client.send("OPTIONS /logs HTTP/1.1\r\nHost: localhost\r\nOrigin: chrome-extension://abcd\r\n"
              "Access-Control-Request-Method: POST\r\n"
              "Access-Control-Request-Private-Network: true\r\n\r\n");
  f.run_until([&] { return has(client.received(), "\r\n\r\n"); });
  CHECK(status_of(client.received()) == 204);
  CHECK(has(client.received(), "\r\nAccess-Control-Allow-Origin: chrome-extension://abcd\r\n"));
  CHECK(has(client.received(), "\r\nAccess-Control-Allow-Private-Network: true\r\n"));
  client.send(post("/logs", "{}", "Origin: chrome-extension://abcd\r\n"));
  f.run_until([&] { return has(client.received(), R"({"n":0})"); });
}

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

TEST_CASE("a taken port names its owner") {
  http_server_fixture f;
  f.start();
  settings same = f.from;
  same.port = f.port;
  http_server second(f.io, same, {});
  const auto started = second.start();
  REQUIRE_FALSE(started);
  CHECK(has(started.error().message, std::to_string(f.port)));
  CHECK(has(started.error().message, "(pid " + std::to_string(::getpid()) + ")"));
  CHECK(has(started.error().message, "--port"));
}

TEST_CASE("only loopback addresses are listened on") {
  http_server_fixture f;
  for (const std::string_view host : {"0.0.0.0", "192.0.2.1", "localhost.evil.test", ""}) {
    CAPTURE(host);
    settings wrong = f.from;
    wrong.host = host;
    http_server server(f.io, wrong, {});
    CHECK_FALSE(server.start());
  }
}

TEST_CASE("listening works on ::1 as well") {
  asio::io_context io;
  tcp::acceptor probe(io);
  error_code ec;
  probe.open(tcp::v6(), ec);
  if (!ec)
    probe.bind({asio::ip::address_v6::loopback(), 0}, ec);
  if (ec) {
    MESSAGE("no IPv6 loopback on this machine");
    return;
  }
  settings from;
  from.host = "::1";
  from.port = 0;
  http_server server(io, from, {});
  CHECK(server.start());
}

TEST_CASE("running out of descriptors rests accepting and recovers") {
  http_server_fixture f;
  f.start();
  tcp::socket waiting(f.io, tcp::v4());
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int free_descriptor = ::dup(0);
  ::close(free_descriptor);
  rlimit low = before;
  low.rlim_cur = static_cast<rlim_t>(free_descriptor);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &low) == 0);
  waiting.connect({asio::ip::address_v4::loopback(), f.port});
  std::size_t steps = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  while (std::chrono::steady_clock::now() < end)
    steps += f.io.run_one_until(end);
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(steps < 10);
  CHECK(f.server->connections() == 0);
  f.run_until([&] { return f.server->connections() == 1; });
}

TEST_CASE("a port's owner is read from the process file system") {
  namespace fs = std::filesystem;
  std::string name = (fs::temp_directory_path() / "gasoline-proc-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  const fs::path proc = name;
  fs::create_directories(proc / "net");
  fs::create_directories(proc / "12" / "fd");
  fs::create_directories(proc / "34" / "fd");
  fs::create_directories(proc / "self" / "fd");
  std::ofstream(proc / "net" / "tcp6")
      << "  sl  local_address rem_address st tx rx tr tm retrnsmt uid timeout inode\n"
         "   0: 00000000000000000000000001000000:1ED2 0:0 0A 0:0 00:0 0 0 0 777 1 0\n"
         "   1: 00000000000000000000000001000000:1ED3 0:0 01 0:0 00:0 0 0 0 888 1 0\n"
         "   broken\n";
  std::ofstream(proc / "34" / "comm") << "no\x01"
                                         "de\n";
  fs::create_symlink("/dev/null", proc / "12" / "fd" / "0");
  fs::create_symlink("socket:[777]", proc / "34" / "fd" / "5");
  fs::create_symlink("socket:[888]", proc / "34" / "fd" / "6");
  const auto owner = find_port_owner(7890, proc);
  REQUIRE(owner);
  CHECK(owner->pid == 34);
  CHECK(owner->program == "no?de");
  CHECK_FALSE(find_port_owner(7891, proc)); // a connection, not a listener
  CHECK_FALSE(find_port_owner(80, proc));
  CHECK_FALSE(find_port_owner(80, proc / "absent"));
  fs::remove_all(proc);
}
