#pragma once

#include "actors/ingest/formats/format_table.hpp"
#include "tests/unit/support/raw_http_client.hpp"
#include "tests/unit/support/response_text.hpp"
#include "transport/http/http_server.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline::test {

/// A server on a free port over an engine that records bodies and answers when told to.
struct http_server_fixture {
  settings from;
  boost::asio::io_context io;
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

inline int status_of(std::string_view response) {
  REQUIRE(has(response, "HTTP/1.1 "));
  return std::stoi(std::string(response.substr(9, 3)));
}

inline std::string get(std::string_view path) {
  return "GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
}

inline std::string post_head(std::string_view path, std::size_t length,
                             std::string_view more = "") {
  return "POST " + std::string(path) +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(length) + "\r\n" +
         std::string(more) + "\r\n";
}

inline std::string post(std::string_view path, const std::string& body,
                        std::string_view more = "") {
  return post_head(path, body.size(), more) + body;
}

inline constexpr std::string_view closing = "Connection: close\r\n";

} // namespace gasoline::test
