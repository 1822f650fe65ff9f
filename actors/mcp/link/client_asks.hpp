#pragma once

#include "actors/mcp/link/client_timers.hpp"
#include "actors/mcp/link/message_outbox.hpp"
#include "actors/mcp/link/open_request.hpp"
#include "config/limits.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace gasoline {

/// What one client of the legacy era was asked and has not answered yet.
class client_asks {
 public:
  /// Gets the result, or `{"error":…}`.
  using reply_handler = std::function<void(const nlohmann::json& reply)>;

  client_asks(client_timers& timers, const message_outbox& outbox,
              const limits_of<client_room>& limit)
      : timers_(timers), outbox_(outbox), limit_(limit) {}

  /// Sends a request to the client on the stream of one of its own. `then` gets the client's result
  /// or error, or an error of ours when it may not be asked, does not answer within
  /// `client_ask_ms`, or leaves. Not called when the client cancels its request.
  void ask(const open_request_ptr& request, std::string_view method, nlohmann::json params,
           reply_handler then);

  /// The same on behalf of the engine, not of a request: on the client's one connection.
  void ask_unasked(std::string_view method, reply_handler then);

  /// The client has answered; replies to nothing are ignored.
  void take(const rpc_reply& reply);

  /// The client answers nothing more: whoever waits gets an error, and so does whoever asks.
  void close();

  /// Nobody waits any longer.
  void forget() { waiting_.clear(); }

 private:
  struct waiting_ask {
    open_request_ptr request; ///< on whose behalf; null: the engine's own
    reply_handler then;
    std::uint64_t timer = 0;
  };

  bool may_ask(const reply_handler& then) const;
  std::uint64_t wait_for_reply(const open_request_ptr& request, reply_handler then);
  void settle(std::uint64_t id, const nlohmann::json& reply);
  void withdraw(std::uint64_t id, const std::string& reason) const;

  client_timers& timers_;
  const message_outbox& outbox_;
  limits_of<client_room> limit_;
  std::map<std::uint64_t, waiting_ask> waiting_;
  std::uint64_t last_ = 0;
  bool closed_ = false;
};

} // namespace gasoline
