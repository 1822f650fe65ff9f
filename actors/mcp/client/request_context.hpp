#pragma once

#include "actors/mcp/client/client_environment.hpp"
#include "actors/mcp/link/open_request.hpp"
#include "messages/base/asking_party.hpp"
#include "messages/base/identity/client_id.hpp"
#include "messages/mcp/mcp.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

struct client_parts;

/// One request under way, as handlers of tools, prompts and resources see it: the same in every era
/// and on every transport. What differs between the eras is stamped behind it (`mcp_serializer`).
/// A cheap handle; valid as long as the client lives; used on the client's actor only. A handler
/// answers exactly once, now or later; answers to a cancelled request go nowhere.
class request_context {
 public:
  request_context(client_parts& client, open_request_ptr request)
      : client_(&client), request_(std::move(request)) {}

  const open_request_ptr& request() const { return request_; }
  const nlohmann::json& id() const { return request_->id; }
  mcp_era era() const;
  mcp_revision revision() const;

  // What the engine has for every request.
  client_id client() const;
  asking_party asker() const; ///< as makers of streams are told apart
  const mcp_client_limits& limit() const;
  const mcp_registry& registry() const;
  const engine_view& engine() const;
  mono_time now() const;

  /// Events up to this sequence are not shown to the client.
  std::uint64_t cleared_sequence() const;

  /// False once it was answered or cancelled.
  bool is_open() const;

  /// Called once if the client cancels it.
  void on_cancelled(std::function<void()> handler) const;

  /// Answers with a complete result.
  void answer(nlohmann::json result) const;

  /// Answers with an error.
  void fail(rpc_code code, std::string_view sentence, nlohmann::json data = nullptr) const;

  /// Answers that the engine can no longer serve it: a tool call by its own kind of error, as
  /// models read it, every other request by the protocol's.
  void fail_shutting_down() const;

  /// Asks an actor of the engine; `then` gets the `Answer`, on the client's actor. When that actor
  /// is not there any more, the request is answered instead (`fail_shutting_down`).
  template <class Answer, class Handle, class Then, class... Ts>
  void ask_engine(const Handle& target, Then then, Ts... message) const {
    if (!target) {
      fail_shutting_down();
      return;
    }
    actor()
        ->request(target, caf::infinite, std::move(message)...)
        .then([then = std::move(then)](const Answer& answer) { then(answer); },
              [context = *this](const caf::error&) { context.fail_shutting_down(); });
  }

  /// A notification that relates to this request.
  void notify(std::string_view method, nlohmann::json params) const;

  /// Whether the client gave a progress token.
  bool wants_progress() const;

  /// `notifications/progress` on this request; nothing without a token. `progress` must rise.
  void progress(double progress, std::optional<double> total, std::string_view message = {}) const;

  /// `notifications/message` on this request: by `logging/setLevel` in the legacy era, by the
  /// request's own `logLevel` in the modern one.
  void log(std::string_view level, std::string_view logger, const nlohmann::json& data) const;

  /// Whether the client declared a capability, such as `sampling` or `elicitation`.
  bool client_can(std::string_view capability) const;

  /// Legacy era: asks the client on this request's stream. `then` gets the result, or an error
  /// object as `{"error":…}`.
  void ask(std::string_view method, nlohmann::json params,
           std::function<void(const nlohmann::json& reply)> then) const;

  /// Modern era: answers `input_required`. `inputs` maps keys to `{method, params}`; `state` comes
  /// back, signed, with the retry. Fails with `capability_missing` when the client lacks one.
  void need_input(nlohmann::json inputs, const nlohmann::json& state = nullptr) const;

  /// What the client sent for that key with a retry; null when it did not.
  const nlohmann::json* input(std::string_view key) const;

  /// The state of `need_input` that came back with a valid signature; null: a first request.
  const nlohmann::json& input_state() const;

  /// Runs `then` after the delay, unless the client has ended. Answers the number that stops it.
  std::uint64_t after(std::chrono::milliseconds delay, std::function<void()> then) const;
  void stop(std::uint64_t timer) const;

  /// Streamable HTTP, 2025-11-25: ends the stream early; the client comes back for the answer.
  void close_stream() const;

 protected:
  client_parts& parts() const { return *client_; }

 private:
  client_actor::pointer actor() const;
  const nlohmann::json& declared_capabilities() const;

  client_parts* client_;
  open_request_ptr request_;
};

} // namespace gasoline
