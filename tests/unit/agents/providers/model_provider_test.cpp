#include "actors/agents/providers/model_provider.hpp"
#include "tests/unit/support/turn_probe.hpp"
#include "tests/unit/support/virtual_system.hpp"
#include "transport/http/client/http_client.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

/// A server that reads one request and sends bytes, piece by piece.
class byte_server {
 public:
  byte_server(asio::io_context& io, std::vector<std::string> pieces, bool closes)
      : acceptor_(io, {asio::ip::address_v4::loopback(), 0}),
        socket_(io),
        pieces_(std::move(pieces)),
        closes_(closes) {
    acceptor_.async_accept(socket_, [this](const boost::system::error_code& ec) {
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      if (ec)
        return;
      socket_.set_option(tcp::no_delay{true});
      read();
    });
    port_ = acceptor_.local_endpoint().port();
  }

  std::uint16_t port() const { return port_; }
  const std::string& request() const { return request_; }
  bool dropped() const { return dropped_; }

 private:
  void read() {
    socket_.async_read_some(asio::buffer(buffer_),
                            [this](const boost::system::error_code& ec, std::size_t n) {
                              if (ec) {
                                dropped_ = true;
                                return;
                              }
                              request_.append(buffer_.data(), n);
                              if (!answering_ && is_whole())
                                write();
                              read();
                            });
  }

  bool is_whole() {
    const auto head = request_.find("\r\n\r\n");
    const auto length = request_.find("Content-Length: ");
    if (head == std::string::npos || length == std::string::npos)
      return false;
    return request_.size() >= head + 4 + std::stoul(request_.substr(length + 16));
  }

  void write() {
    answering_ = true;
    boost::system::error_code ignored;
    if (next_ == pieces_.size()) {
      if (closes_)
        socket_.shutdown(tcp::socket::shutdown_send, ignored);
      return;
    }
    asio::async_write(socket_, asio::buffer(pieces_[next_++]),
                      [this](const boost::system::error_code& ec, std::size_t) {
                        if (!ec)
                          write();
                      });
  }

  tcp::acceptor acceptor_;
  tcp::socket socket_;
  std::vector<std::string> pieces_;
  bool closes_;
  std::uint16_t port_ = 0;
  std::array<char, 4096> buffer_{};
  std::string request_;
  std::size_t next_ = 0;
  bool answering_ = false;
  bool dropped_ = false;
};

/// One model call through the real client to a server that the test plays.
class call_probe {
 public:
  explicit call_probe(std::vector<std::string> pieces, bool closes = true,
                      const std::string& provider = "openai", limits given = {})
      : limit(given), server(io, std::move(pieces), closes) {
    start(provider, "http://127.0.0.1:" + std::to_string(server.port()));
  }

  void start(const std::string& provider, const std::string& base_url) {
    auto asked = std::make_shared<model_call>();
    asked->model = "m";
    asked->system_prompt = std::string{"be brief"};
    auto said = std::make_shared<session_message>();
    said->role = "user";
    said->content = json::array({{{"type", "text"}, {"text", "hello"}}});
    asked->messages.push_back(said);
    turn = vs.own(vs.sys.spawn(noting_turn, notes));
    model_provider_setup setup;
    setup.provider = find_provider(provider);
    setup.where.base_url = base_url;
    setup.key = "test-key-123456";
    setup.call = asked;
    setup.turn = turn;
    setup.http = std::make_shared<http_client>(io, limit);
    setup.redaction = redaction;
    setup.clock = [](mono_time) { return *from_iso8601("2026-01-28T14:30:00Z"); };
    setup.limit = limit;
    call = vs.own(model_provider(vs.sys, std::move(setup)));
  }

  /// Drives actors and sockets from one thread until `done` or the test has waited long enough.
  template <class Done>
  bool run_until(Done done) {
    const auto until = std::chrono::steady_clock::now() + 20s;
    while (!done()) {
      if (std::chrono::steady_clock::now() > until)
        return false;
      vs.settle();
      io.restart();
      io.run_one_for(10ms);
    }
    return true;
  }

  call_failure failure() {
    REQUIRE(run_until([this] { return notes->ended(); }));
    REQUIRE(notes->chunks.back().kind == chunk_kind::failed);
    return notes->chunks.back().failure;
  }

  std::string answer() {
    REQUIRE(run_until([this] { return notes->ended(); }));
    CHECK_MESSAGE(notes->chunks.back().kind == chunk_kind::finished,
                  notes->chunks.back().failure.message);
    return notes->text();
  }

  limits limit;
  std::shared_ptr<const redaction_engine> redaction =
      std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
  virtual_system vs;
  asio::io_context io;
  byte_server server;
  turn_notes_ptr notes = std::make_shared<turn_notes>();
  turn_actor turn;
  provider_actor call;
};

const std::string body =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Gr\xC3\xBC\xC3\x9F"
    "e\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: [DONE]\n\n";

std::string head(const std::string& more, const std::string& status = "200 OK") {
  return "HTTP/1.1 " + status + "\r\nContent-Type: text/event-stream\r\n" + more + "\r\n";
}

std::string hex(std::size_t n) {
  std::array<char, 20> text{};
  std::snprintf(text.data(), text.size(), "%zx", n);
  return text.data();
}

/// The body with chunks of that size.
std::string chunked(const std::string& bytes, std::size_t size) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const auto piece = bytes.substr(at, size);
    out += hex(piece.size()) + "\r\n" + piece + "\r\n";
  }
  return out + "0\r\n\r\n";
}

std::string refusal(const std::string& status, const std::string& more, const std::string& text) {
  return "HTTP/1.1 " + status + "\r\nContent-Type: application/json\r\n" + more +
         "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

} // namespace

TEST_CASE("an answer arrives in each transfer coding") {
  const std::string wires[] = {head("Content-Length: " + std::to_string(body.size()) + "\r\n") +
                                   body,
                               head("Transfer-Encoding: chunked\r\n") + chunked(body, 7),
                               head("") + body, // until the connection ends
                               "HTTP/1.1 103 Early Hints\r\n\r\n" +
                                   head("Transfer-Encoding: chunked\r\n") + chunked(body, 1'000)};
  for (const auto& wire : wires)
    CHECK(call_probe{{wire}}.answer() == "Grüße");
}

TEST_CASE("an answer is the same when its bytes arrive one by one") {
  const auto wire = head("Transfer-Encoding: chunked\r\n") + chunked(body, 5);
  std::vector<std::string> pieces;
  for (const char c : wire)
    pieces.emplace_back(1, c);
  CHECK(call_probe{pieces}.answer() == "Grüße");
}

TEST_CASE("the request has what the provider wants, and its key in a header only") {
  call_probe openai{{head("") + body}};
  openai.answer();
  const auto& sent = openai.server.request();
  CHECK(sent.starts_with("POST /chat/completions HTTP/1.1\r\nHost: 127.0.0.1:"));
  CHECK(sent.find("authorization: Bearer test-key-123456\r\n") != std::string::npos);
  const auto document = json::parse(sent.substr(sent.find("\r\n\r\n") + 4));
  CHECK(document["stream_options"]["include_usage"] == true);
  CHECK(
      document["messages"] ==
      json::parse(R"([{"role":"system","content":"be brief"},{"role":"user","content":"hello"}])"));

  call_probe anthropic{{head("") + "data: {\"type\":\"ping\"}\n\n"}, true, "anthropic"};
  CHECK(anthropic.failure().error_class == "incomplete_stream");
  const auto& other = anthropic.server.request();
  CHECK(other.starts_with("POST /v1/messages HTTP/1.1\r\n"));
  CHECK(other.find("x-api-key: test-key-123456\r\n") != std::string::npos);
  CHECK(other.find("anthropic-version: 2023-06-01\r\n") != std::string::npos);
  const auto asked = json::parse(other.substr(other.find("\r\n\r\n") + 4));
  CHECK(asked["system"] == "be brief");
  CHECK(asked["max_tokens"] == limits{}.session.answer_tokens);
}

TEST_CASE("an answer that breaks off is incomplete and may be tried again") {
  const auto wire = head("Transfer-Encoding: chunked\r\n") + chunked(body, 60);
  for (const std::size_t size : {wire.find("[DONE]"), wire.size() - 40, head("").size() + 50}) {
    const auto failure = call_probe{{wire.substr(0, size)}}.failure();
    CHECK(failure.error_class == "incomplete_stream");
    CHECK(failure.can_retry);
  }
  CHECK(call_probe{{std::string{}}}.failure().error_class == "incomplete_stream");
}

TEST_CASE("a refused call tells class, wait and sentence, never the key") {
  const std::string text =
      R"({"error":{"type":"rate_limit_error","message":"Slow down, test-key-123456"}})";
  const auto failure =
      call_probe{{refusal("429 Too Many Requests", "Retry-After: 3\r\n", text)}}.failure();
  CHECK(failure.error_class == "rate_limited");
  CHECK(failure.status == 429);
  CHECK(failure.retry_after_ms == 3'000U);
  CHECK(failure.can_retry);
  CHECK(failure.message == "The provider answered 429: Slow down, [REDACTED]");

  const auto overloaded =
      call_probe{{refusal("529 Overloaded", "retry-after: Wed, 28 Jan 2026 14:30:02 GMT\r\n",
                          "<html>busy</html>")}}
          .failure();
  CHECK(overloaded.error_class == "overloaded");
  CHECK(overloaded.retry_after_ms == 2'000U);

  CHECK(call_probe{{refusal("401 Unauthorized", "", "{}")}}.failure().error_class ==
        "authentication");
  CHECK(call_probe{{refusal("404 Not Found", "", R"({"error":"no such model"})")}}
            .failure()
            .message.find("no such model") != std::string::npos);
  const auto strange = call_probe{{refusal("200 OK", "", "{}")}}.failure();
  CHECK(strange.error_class == "malformed_stream");
  CHECK(strange.message.find("base_url") != std::string::npos);
}

TEST_CASE("redirects are refused and what is no HTTP is malformed") {
  const auto moved =
      call_probe{{"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"}}.failure();
  CHECK(moved.error_class == "invalid_request");
  CHECK(moved.message.find("redirect") != std::string::npos);
  CHECK(call_probe{{"SSH-2.0-OpenSSH_9.2\r\n"}}.failure().error_class == "malformed_stream");
  CHECK(call_probe{{head("Transfer-Encoding: chunked\r\n") + "zz\r\n"}}.failure().error_class ==
        "malformed_stream");
}

TEST_CASE("a silent server, a closed port and an endless answer are told apart") {
  limits quick;
  quick.session.call_idle_ms = 50;
  quick.session.call_bytes = 4'096;
  CHECK(call_probe{{}, false, "openai", quick}.failure().error_class == "timeout");
  CHECK(call_probe{{head("") + body.substr(0, 30)}, false, "openai", quick}.failure().error_class ==
        "timeout");
  const auto endless = head("") + std::string(100'000, ':');
  CHECK(call_probe{{endless}, true, "openai", quick}.failure().error_class == "too_large");

  call_probe closed{{}};
  closed.failure(); // of its first call, which must not be taken for the second one's
  closed.notes->chunks.clear();
  asio::io_context other;
  tcp::acceptor free_port{other, {asio::ip::address_v4::loopback(), 0}};
  const auto port = free_port.local_endpoint().port();
  free_port.close();
  closed.start("openai", "http://127.0.0.1:" + std::to_string(port));
  const auto failure = closed.failure();
  CHECK(failure.error_class == "network");
  CHECK(failure.can_retry);
}

TEST_CASE("a cancelled call drops its connection and tells nothing") {
  call_probe probe{{head("Transfer-Encoding: chunked\r\n") + "5\r\ndata:"}, false};
  REQUIRE(probe.run_until([&] { return !probe.server.request().empty(); }));
  caf::anon_send(probe.call, cancel_atom_v);
  CHECK(probe.run_until([&] { return probe.server.dropped(); }));
  CHECK(probe.notes->chunks.empty());
}

TEST_CASE("without TLS at the other end nothing is said to it") {
  limits quick;
  quick.session.call_connect_ms = 100;
  call_probe probe{{}, false, "openai", quick};
  byte_server silent{probe.io, {}, false};
  probe.notes->chunks.clear();
  probe.start("openai", "https://127.0.0.1:" + std::to_string(silent.port()));
  CHECK(probe.failure().error_class == "timeout");
  CHECK(silent.request().find("test-key") == std::string::npos);
}
