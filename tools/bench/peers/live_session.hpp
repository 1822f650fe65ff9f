#pragma once

#include "tools/bench/peers/http_client.hpp"
#include "tools/bench/peers/websocket_client.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::bench {

/// How long the rows wait for what must come.
inline constexpr std::chrono::seconds session_patience{20};

/// A session of an engine, and what it takes to speak to it.
class live_session {
 public:
  /// Makes one with the body of `POST /sessions`; blocking, as all of it.
  live_session(std::uint16_t port, const nlohmann::json& request);

  bool made() const { return !id_.empty(); }

  /// The route of that name below the session.
  std::string route(const std::string& name) const { return "/sessions/" + id_ + "/" + name; }

  /// A POST to such a route; the answer's document.
  nlohmann::json post(const std::string& name, const nlohmann::json& body);

  /// A connection to the stream, subscribed with this cursor (null: from now on).
  std::unique_ptr<websocket_client> watch(const nlohmann::json& since = nullptr);

  /// Waits until no turn is in flight; false: one still is after `session_patience`.
  bool await_idle();

  /// Deletes the session.
  void remove();

 private:
  nlohmann::json call(const std::string& route, const nlohmann::json& body);
  nlohmann::json look();

  std::uint16_t port_;
  http_client http_;
  std::string id_;
};

using clients_list = std::vector<std::unique_ptr<websocket_client>>;

/// Waits for bytes of any of the clients and gives each frame with its client's index to `take`.
void drain_all(clients_list& clients, int timeout_ms,
               const std::function<void(std::size_t client, std::string_view frame)>& take);

bool has(std::string_view text, std::string_view part);

/// Reads until every client has got that many frames with the mark; the number that came.
std::size_t receive_frames(clients_list& clients, std::string_view mark, std::size_t each);

/// Clients that have subscribed.
clients_list watchers(live_session& session, std::size_t count);

/// An event as an agent that runs elsewhere sends it.
nlohmann::json event_of(std::string_view type, nlohmann::json payload,
                        const std::string& turn = "turn_bench");

} // namespace gasoline::bench
