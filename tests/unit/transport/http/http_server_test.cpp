#include "tests/unit/support/http_server_fixture.hpp"
#include "transport/http/http_traffic.hpp"
#include "transport/http/rights/port_owner.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

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
