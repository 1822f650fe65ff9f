#include "actors/mcp/client/client_parts.hpp"

#include <utility>
#include <vector>

namespace gasoline {

client_parts::client_parts(client_actor::pointer owner, client_environment environment,
                           client_id number, client_origin from, const message_writer& writer,
                           push_throttler_actor throttler, std::function<void()> settled)
    : self(owner),
      env(std::move(environment)),
      id(number),
      origin(std::move(from)),
      timers(owner),
      outbox(writer),
      requests(outbox, std::move(settled)),
      inputs(id, env),
      asks(timers, outbox, env.limit),
      roots(asks, agreement,
            [this](const std::vector<std::string>& directories) {
              caf::anon_send(env.engine.alerts, scope_atom_v, id, directories);
            }),
      subscriptions(owner, env, timers, outbox, agreement),
      streams(owner, env.limit, timers, outbox, agreement),
      tool_calls(env.limit.client.tool_calls_per_minute),
      push(std::move(throttler)) {}

std::string client_parts::shown_name() const {
  constexpr std::size_t longest = 100;
  const auto& name = origin.name.empty() ? agreement.given_name() : origin.name;
  return env.redaction->text(name).shortened(longest).str();
}

} // namespace gasoline
