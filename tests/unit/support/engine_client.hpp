#pragma once

#include "actors/engine.hpp"
#include "actors/engine_composition.hpp"
#include "tests/unit/support/recording_writer.hpp"
#include "tests/unit/support/virtual_system.hpp"
#include "transport/json_rpc.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::test {

/// Settings of an engine with the tools of the conformance suites.
inline settings with_fixtures() {
  settings config;
  config.conformance_fixtures = true;
  return config;
}

/// A whole engine under virtual time.
struct virtual_engine {
  explicit virtual_engine(settings given = {}, bool ends_with_clients = false)
      : config(std::move(given)) {
    auto options = compose_engine(
        config, [start = *from_iso8601("2026-01-28T14:30:00Z"), begun = vs.now()](mono_time now) {
          return start + std::chrono::duration_cast<std::chrono::milliseconds>(now - begun);
        });
    options.ends_with_clients = ends_with_clients;
    options.on_failure = [told = failures] { ++*told; };
    handle = vs.own(vs.sys.spawn(engine, std::move(options)));
    ingest = *vs.ask<ingest_actor>(handle, query_atom_v);
  }

  virtual_engine(const virtual_engine&) = delete;
  virtual_engine& operator=(const virtual_engine&) = delete;

  ~virtual_engine() {
    caf::anon_send_exit(handle, caf::exit_reason::user_shutdown);
    vs.settle();
  }

  /// Posts one body in that wire format.
  void post(std::string_view format, std::string body) {
    auto request = std::make_shared<ingest_request>();
    request->format = format;
    request->body = std::move(body);
    request->reply = [](const ingest_answer&) {};
    caf::anon_send(ingest, ingest_atom_v, std::move(request));
    vs.settle();
  }

  /// Posts one log entry of an uncaught error, which raises an alert.
  void post_error(const std::string& message) {
    const nlohmann::json entry{{"level", "error"},
                               {"type", "exception"},
                               {"message", message},
                               {"url", "https://app.test/cart"}};
    post("logs", nlohmann::json{{"entries", nlohmann::json::array({entry})}}.dump());
  }

  std::shared_ptr<int> failures = std::make_shared<int>(0); ///< how often it told of one
  settings config;
  virtual_system vs;
  engine_actor handle;
  ingest_actor ingest;
};

/// One client of a virtual engine, on a connection of its own.
class engine_client {
 public:
  /// A legacy client that has shaken hands.
  engine_client(virtual_engine& owner, std::string_view revision,
                nlohmann::json capabilities = nlohmann::json::object())
      : engine_client(owner) {
    request("initialize", {{"protocolVersion", revision},
                           {"capabilities", std::move(capabilities)},
                           {"clientInfo", {{"name", "test"}, {"version", "1"}}}});
    send({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
  }

  /// A client of 2026-07-28, whose requests carry their claims.
  static engine_client modern(virtual_engine& owner,
                              nlohmann::json capabilities = nlohmann::json::object()) {
    engine_client client{owner};
    client.claims_ = {{"io.modelcontextprotocol/protocolVersion", "2026-07-28"},
                      {"io.modelcontextprotocol/clientCapabilities", std::move(capabilities)}};
    return client;
  }

  /// Sends one message and runs all actors.
  void send(const nlohmann::json& message) {
    caf::anon_send(
        session_, receive_atom_v,
        std::make_shared<const rpc_frame>(decode_rpc(message.dump(), engine_->config.limit)));
    engine_->vs.settle();
  }

  /// Sends a request; answers its id.
  int begin(std::string_view method, nlohmann::json params = nlohmann::json::object()) {
    if (!claims_.is_null()) {
      auto meta = claims_;
      meta.update(params.value("_meta", nlohmann::json::object()));
      params["_meta"] = std::move(meta);
    }
    const auto id = ++last_id_;
    send({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
    return id;
  }

  /// The response to that request; null: there is none.
  nlohmann::json response(int id) const {
    for (const auto& line : *lines_)
      if (auto message = line.json();
          message.value("id", nlohmann::json()) == id && !message.contains("method"))
        return message;
    return nullptr;
  }

  /// Sends a request; answers the whole response.
  nlohmann::json request(std::string_view method,
                         nlohmann::json params = nlohmann::json::object()) {
    return response(begin(method, std::move(params)));
  }

  /// The result of a request that must not fail.
  nlohmann::json result(std::string_view method, nlohmann::json params = nlohmann::json::object()) {
    return request(method, std::move(params)).at("result");
  }

  /// The result of a tool call.
  nlohmann::json call(std::string_view tool, nlohmann::json arguments = nlohmann::json::object()) {
    return result("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
  }

  /// The first text that a tool call answers.
  std::string call_text(std::string_view tool,
                        nlohmann::json arguments = nlohmann::json::object()) {
    return call(tool, std::move(arguments)).at("content").at(0).at("text").get<std::string>();
  }

  /// The messages with that method that have come so far.
  std::vector<nlohmann::json> messages(std::string_view method) const {
    std::vector<nlohmann::json> out;
    for (const auto& line : *lines_)
      if (auto message = line.json(); message.value("method", "") == method)
        out.push_back(std::move(message));
    return out;
  }

 private:
  explicit engine_client(virtual_engine& owner) : engine_(&owner) {
    const auto writer = spawn_recording_writer(owner.vs, lines_);
    session_ = *owner.vs.ask<client_actor>(owner.handle, attach_atom_v, writer,
                                           client_origin{client_transport::stdio});
  }

  virtual_engine* engine_;
  written_lines lines_ = std::make_shared<std::vector<written_line>>();
  client_actor session_;
  nlohmann::json claims_;
  int last_id_ = 0;
};

} // namespace gasoline::test
