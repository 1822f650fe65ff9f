#include "actors/agents/session/external_events.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

tl::unexpected<user_error> invalid_event(std::string message) {
  return tl::make_unexpected(user_error{std::move(message)});
}

bool is_of_bus(type kind) {
  return kind == type::bus_handler_warning || kind == type::bus_subscriber_unregistered;
}

std::string text_in(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && it->is_string() ? it->get<std::string>() : std::string{};
}

message_status status_of(const std::string& stop_reason) {
  if (stop_reason == "cancelled")
    return message_status::cancelled;
  return stop_reason == "error" ? message_status::failed : message_status::complete;
}

std::shared_ptr<session_message> message_of(const event_draft& draft, std::string role,
                                            std::string model) {
  auto message = std::make_shared<session_message>();
  message->id = draft.payload["message_id"].get<std::string>();
  message->turn_id = draft.turn_id;
  message->role = std::move(role);
  message->model = std::move(model);
  message->stop_reason = draft.payload["stop_reason"].get<std::string>();
  message->status = status_of(message->stop_reason);
  message->content = draft.payload["final_content"];
  message->usage = usage_from_json(draft.payload.value("usage", json(nullptr)));
  return message;
}

} // namespace

result_or<external_event> external_events::read_one(const json& item, known& state) {
  if (!item.is_object())
    return invalid_event("an event must be an object with type and payload");
  const auto name = text_in(item, "type");
  const auto kind = parse_name<type>(name);
  if (!kind || is_of_bus(*kind))
    return invalid_event("'" + name + "' is no event type that agents can send; see the catalog");
  external_event out;
  out.draft.type = *kind;
  out.draft.turn_id = text_in(item, "turn_id");
  out.draft.actor = text_in(item, "actor");
  if (out.draft.actor.empty())
    out.draft.actor = "external";
  out.draft.payload = item.value("payload", json::object());
  if (auto fault = payload_fault(*kind, out.draft.payload))
    return invalid_event(std::move(*fault));
  const auto& row = catalog_row(*kind);
  if (*kind == type::turn_started) {
    if (out.draft.turn_id.empty())
      return invalid_event("turn.started needs a turn_id");
    if (!state.turn.empty())
      return invalid_event("turn " + state.turn + " is in flight; end it before the next one");
    state.turn = out.draft.turn_id;
    return out;
  }
  if (row.of_turn && out.draft.turn_id.empty())
    out.draft.turn_id = state.turn;
  if (row.of_turn && (state.turn.empty() || out.draft.turn_id != state.turn))
    return invalid_event(name + " belongs to no turn in flight; send turn.started first");
  if (*kind == type::turn_completed || *kind == type::turn_cancelled) {
    state.turn.clear();
    state.open.clear();
    return out;
  }
  if (row.persisted)
    return out;
  const auto id = out.draft.payload["message_id"].get<std::string>();
  if (*kind == type::message_start) {
    if (!state.open
             .emplace(id, open_message{text_in(out.draft.payload, "role"),
                                       text_in(out.draft.payload, "model")})
             .second)
      return invalid_event("message " + id + " was started before");
    return out;
  }
  const auto it = state.open.find(id);
  if (it == state.open.end())
    return invalid_event("message " + id + " is not being written; send message.start first");
  if (*kind == type::message_complete) {
    out.message = message_of(out.draft, it->second.role, it->second.model);
    state.open.erase(it);
  }
  return out;
}

result_or<std::vector<external_event>> external_events::read(const json& body, std::uint64_t most) {
  if (!body.is_object())
    return invalid_event("The body must be an event, or an object with an array 'events'.");
  const bool many = body.contains("events");
  const auto items = many ? body["events"] : json::array({body});
  if (!items.is_array() || items.empty())
    return invalid_event("'events' must be an array with at least one event.");
  if (items.size() > most)
    return invalid_event("'events' holds " + std::to_string(items.size()) +
                         " events; send at most " + std::to_string(most) + " at once.");
  auto after = state_;
  std::vector<external_event> out;
  out.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto one = read_one(items[i], after);
    if (!one)
      return invalid_event("Event " + std::to_string(i) + ": " + one.error().message + ".");
    out.push_back(std::move(*one));
  }
  state_ = std::move(after);
  return out;
}

} // namespace gasoline
