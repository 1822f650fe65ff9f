#pragma once

#include "messages/base/spawned_alone.hpp"
#include "tests/unit/support/engine_client.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::test {

/// One session of a virtual engine as its transport sees it: frames of any exchange go in, messages
/// with their exchange come out.
class client_probe {
 public:
  using messages = std::shared_ptr<std::vector<outgoing>>;

  explicit client_probe(virtual_engine& engine,
                        const client_origin& origin = client_origin{client_transport::stdio})
      : engine_(engine) {
    const auto writer = engine.vs.own(engine.vs.sys.spawn(
        [out = out_](message_writer::pointer self, spawned_alone) -> message_writer::behavior_type {
          return {
              [out](write_atom, const rpc_text& text) { out->push_back({text}); },
              [out](write_atom, const outgoing_ptr& message) { out->push_back(*message); },
              [](join_atom, const congestion_sink&) {},
              [self](closed_atom) { self->quit(); },
          };
        },
        spawned_alone{}));
    session = *engine.vs.ask<client_actor>(engine.handle, attach_atom_v, writer, origin);
  }

  /// Sends one frame as it stands.
  void send(const std::string& text, exchange_id exchange = 0) {
    auto frame = decode_rpc(text, engine_.config.limit);
    frame.exchange = exchange;
    caf::anon_send(session, receive_atom_v, std::make_shared<const rpc_frame>(std::move(frame)));
    engine_.vs.settle();
  }

  /// The request that a client of 2026-07-28 would send.
  static std::string modern(const nlohmann::json& id, std::string_view method,
                            nlohmann::json params = nlohmann::json::object(),
                            nlohmann::json meta = nlohmann::json::object()) {
    meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28";
    if (!meta.contains("io.modelcontextprotocol/clientCapabilities"))
      meta["io.modelcontextprotocol/clientCapabilities"] = nlohmann::json::object();
    params["_meta"] = std::move(meta);
    return legacy(id, method, std::move(params));
  }

  static std::string legacy(const nlohmann::json& id, std::string_view method,
                            nlohmann::json params = nlohmann::json::object()) {
    return nlohmann::json{
        {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}}
        .dump();
  }

  void initialize(std::string_view revision = "2025-11-25",
                  nlohmann::json capabilities = nlohmann::json::object(),
                  exchange_id exchange = 0) {
    send(legacy("init", "initialize",
                {{"protocolVersion", revision}, {"capabilities", std::move(capabilities)}}),
         exchange);
    take();
  }

  void close_exchange(exchange_id exchange) {
    caf::anon_send(session, cancel_atom_v, exchange);
    engine_.vs.settle();
  }

  void leave() {
    caf::anon_send(session, closed_atom_v);
    engine_.vs.settle();
  }

  /// What came since the last call.
  std::vector<outgoing> take() { return std::exchange(*out_, {}); }

  /// The same as JSON, without the messages that carry no text.
  std::vector<nlohmann::json> take_json() {
    std::vector<nlohmann::json> out;
    for (const auto& message : take())
      if (message.text)
        out.push_back(nlohmann::json::parse(*message.text));
    return out;
  }

  /// Sends a frame; answers the one message that it must cause.
  nlohmann::json only(const std::string& text, exchange_id exchange = 0) {
    take();
    send(text, exchange);
    const auto all = take_json();
    return all.size() == 1 ? all.front() : nlohmann::json(all);
  }

  client_actor session;

 private:
  virtual_engine& engine_;
  messages out_ = std::make_shared<std::vector<outgoing>>();
};

/// The first text of a tool's result.
inline std::string text_of(const nlohmann::json& answer) {
  return answer.at("result").at("content").at(0).at("text").get<std::string>();
}

} // namespace gasoline::test
