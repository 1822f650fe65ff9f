#pragma once

#include "messages/actors.hpp"
#include "tests/unit/support/virtual_system.hpp"
#include "transport/http/http_router.hpp"
#include "transport/mcp/mcp_endpoint.hpp"
#include "transport/mcp/mcp_sse.hpp"

#include <boost/asio/io_context.hpp>
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace gasoline::test {

using nlohmann::json;

/// The body of a streamed response, as a test sees it.
class recorded_stream : public http_stream {
 public:
  bool write(std::string bytes) override { return append(bytes); }
  bool write(std::shared_ptr<const std::string> bytes) override { return append(*bytes); }
  void finish() override { finished = true; }
  void abort() override { finished = true; }
  std::uint64_t unsent() const override { return unsent_bytes; }
  void on_closed(std::function<void()> handler) override { closed = std::move(handler); }
  void on_drained(std::function<void()> handler) override { drained = std::move(handler); }

  /// The client goes.
  void drop() {
    finished = true;
    if (closed)
      std::exchange(closed, nullptr)();
  }

  std::string text;
  bool finished = false;
  std::uint64_t unsent_bytes = 0;
  std::function<void()> closed;
  std::function<void()> drained;

 private:
  bool append(const std::string& bytes) {
    if (finished)
      return false;
    text += bytes;
    return true;
  }
};

/// One request and what came of it.
struct http_answer {
  std::optional<http_response> response;
  std::shared_ptr<recorded_stream> stream;
  std::function<void()> gone;

  int status() const { return response ? response->status : 0; }
  json body() const { return json::parse(response->body); }
  int code() const { return body()["error"]["code"]; }
  std::string header(std::string_view name) const {
    const auto at = response->headers.find(std::string{name} + ": ");
    if (at == std::string::npos)
      return {};
    const auto begin = at + name.size() + 2;
    return response->headers.substr(begin, response->headers.find('\r', begin) - begin);
  }
};

using answer_ptr = std::shared_ptr<http_answer>;
using field_list = std::vector<std::pair<std::string, std::string>>;

/// What the engine's side of one client has got and may write.
struct scripted_session {
  client_origin origin;
  message_writer writer;
  caf::actor self;
  std::vector<rpc_frame> frames;
  std::vector<exchange_id> cancelled;
  bool closed = false;
};

inline caf::behavior scripted(caf::event_based_actor* self, scripted_session* seen) {
  self->set_default_handler(caf::drop);
  return {[seen](receive_atom, const rpc_frame_ptr& frame) {
            seen->frames.push_back(*frame);
            seen->frames.back().credit.reset(); // it has been handled
          },
          [seen](cancel_atom, exchange_id id) { seen->cancelled.push_back(id); },
          [self, seen](closed_atom) {
            seen->closed = true;
            caf::anon_send(seen->writer, closed_atom_v);
            self->quit();
          }};
}

/// The MCP routes over sessions that do what a test says, without sockets.
struct mcp_http_fixture {
  limits limit;
  boost::asio::io_context io;
  virtual_system vs;
  std::vector<std::unique_ptr<scripted_session>> sessions;
  std::shared_ptr<mcp_service> service;
  std::shared_ptr<mcp_endpoint> endpoint;
  std::vector<http_route> routes;

  explicit mcp_http_fixture(const std::function<void(limits&)>& change = [](limits&) {}) {
    change(limit);
    service = std::make_shared<mcp_service>();
    service->gate = std::make_shared<const engine_gate>(
        engine_gate{&vs.sys, io.get_executor(),
                    [this](const message_writer& writer, const client_origin& origin,
                           const std::function<void(client_actor)>& done) {
                      auto seen = std::make_unique<scripted_session>();
                      seen->origin = origin;
                      seen->writer = writer;
                      seen->self = vs.sys.spawn(scripted, seen.get());
                      done(caf::actor_cast<client_actor>(seen->self));
                      sessions.push_back(std::move(seen));
                    }});
    service->keepalive = std::make_shared<sse_keepalive>(io.get_executor(), limit);
    service->late_answers = std::make_shared<answer_clock>(io.get_executor(), limit);
    service->limit = limit;
    endpoint = std::make_shared<mcp_endpoint>(service, [](std::string_view tool) {
      return tool == "located" ? std::vector<header_parameter>{{"Region", {"region"}}}
                               : std::vector<header_parameter>{};
    });
    routes = endpoint->routes();
    for (auto& row : std::make_shared<mcp_sse>(service)->routes())
      routes.push_back(std::move(row));
  }

  ~mcp_http_fixture() {
    routes.clear();
    endpoint.reset();
    service.reset();
    for (const auto& session : sessions) {
      caf::anon_send_exit(session->self, caf::exit_reason::kill);
      session->self = nullptr;
      session->writer = nullptr;
      session->frames.clear();
    }
    settle();
  }

  void settle() {
    std::size_t n = 0;
    do {
      n = vs.settle();
      io.restart();
      n += io.poll();
    } while (n != 0);
  }

  /// Lets real time pass, for what runs by the clock of the sockets.
  void wait(std::chrono::milliseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
      settle();
    }
  }

  answer_ptr send(std::string_view method, std::string_view path, const field_list& fields,
                  std::string body = {}) {
    http_request_view head;
    head.method = method;
    for (const auto& [name, value] : fields) {
      head.fields.emplace_back(name, value);
      if (name == "Content-Type")
        head.content_type = value;
    }
    const auto row = std::find_if(routes.begin(), routes.end(), [&](const http_route& r) {
      const auto fixed = std::string_view{r.path}.substr(0, r.path.find('*'));
      return r.method == method &&
             (r.path == path || (r.path.ends_with('*') && path.starts_with(fixed)));
    });
    REQUIRE(row != routes.end());
    auto out = std::make_shared<http_answer>();
    row->handle({head,
                 path,
                 {},
                 std::move(body),
                 true,
                 false,
                 [out](std::function<void()> gone) { out->gone = std::move(gone); }},
                [out](http_response response) {
                  out->response = std::move(response);
                  if (!out->response->stream)
                    return;
                  out->stream = std::make_shared<recorded_stream>();
                  std::exchange(out->response->stream, nullptr)(out->stream);
                });
    settle();
    return out;
  }

  answer_ptr post(const json& body, field_list fields = {}) {
    return post_text(body.dump(), std::move(fields));
  }

  answer_ptr post_text(std::string body, field_list fields = {}) {
    fields.emplace_back("Accept", "application/json, text/event-stream");
    fields.emplace_back("Content-Type", "application/json");
    return send("POST", "/mcp", fields, std::move(body));
  }

  answer_ptr get(field_list fields = {}) {
    fields.emplace_back("Accept", "text/event-stream");
    return send("GET", "/mcp", fields);
  }

  scripted_session& session() { return *sessions.back(); }

  void say(outgoing message) {
    caf::anon_send(session().writer, write_atom_v,
                   outgoing_ptr{std::make_shared<const outgoing>(std::move(message))});
    settle();
  }

  exchange_id last_exchange() { return session().frames.back().exchange; }

  /// The session answers the exchange, with an error when there is a code.
  void answer(exchange_id id, const std::string& text, std::int32_t error_code = 0) {
    say({std::make_shared<const std::string>(text), id, true, error_code, true});
  }

  void relate(exchange_id id, const std::string& text) {
    say({std::make_shared<const std::string>(text), id, false, 0, false});
  }

  void push(const std::string& text) {
    caf::anon_send(session().writer, write_atom_v, std::make_shared<const std::string>(text));
    settle();
  }

  /// Opens a session; answers the header that names it.
  field_list open(std::string version = "2025-06-18") {
    const auto handshake = post(call("initialize"));
    answer(last_exchange(), R"({"id":1,"result":{}})");
    REQUIRE(handshake->status() == 200);
    return {{"Mcp-Session-Id", handshake->header("Mcp-Session-Id")},
            {"MCP-Protocol-Version", std::move(version)}};
  }

  static json call(std::string_view method, const json& params = json::object()) {
    return {{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}};
  }

  static json modern_call(std::string_view method, json params = json::object()) {
    params["_meta"] = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                       {"io.modelcontextprotocol/clientCapabilities", json::object()}};
    return call(method, params);
  }

  static field_list modern_fields(std::string_view method) {
    return {{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", std::string{method}}};
  }
};

inline const json initialized{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}};

} // namespace gasoline::test
