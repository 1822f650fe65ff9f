#include "actors/agents/session/external_events.hpp"

#include "actors/agents/turn/open_event_cost.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using type = session_event_type;

tl::unexpected<user_error> invalid_event(std::string message) {
  return tl::make_unexpected(user_error{std::move(message)});
}

/// What only the engine can tell.
bool is_of_engine(type kind) {
  return kind == type::bus_handler_warning || kind == type::bus_subscriber_unregistered ||
         kind == type::turn_queued || kind == type::turn_cancel_requested ||
         kind == type::permission_requested || kind == type::permission_resolved;
}

message_status status_of(const std::string& stop_reason) {
  if (stop_reason == "cancelled")
    return message_status::cancelled;
  return stop_reason == "error" ? message_status::failed : message_status::complete;
}

std::shared_ptr<session_message> message_of(const event_draft& draft, std::string role,
                                            std::string model) {
  auto message = std::make_shared<session_message>();
  message->id = agent_message_id{text_member(draft.payload, "message_id")};
  message->turn_id = draft.turn_id;
  message->role = std::move(role);
  message->model = std::move(model);
  message->stop_reason = draft.payload["stop_reason"].get<std::string>();
  message->status = status_of(message->stop_reason);
  message->content = draft.payload["final_content"];
  message->usage = usage_from_json(draft.payload.value("usage", json(nullptr)));
  return message;
}

/// Bytes of the texts in a document.
std::uint64_t text_bytes(const json& value) {
  if (value.is_string())
    return value.get_ref<const std::string&>().size();
  std::uint64_t out = 0;
  if (value.is_structured())
    for (const auto& element : value)
      out += text_bytes(element);
  return out;
}

/// About what a call of a tool takes in memory.
std::uint64_t bytes_of(const tool_call_record& call) {
  return content_bytes(call.input) + call.tool_use_id.size() + call.tool_name.size();
}

bool ends_external_turn(type kind) {
  return kind == type::turn_completed || kind == type::turn_cancelled;
}

/// The chunk that an event of a message is, as a provider would have sent it.
std::optional<provider_chunk> chunk_of_event(const event_draft& draft) {
  const auto& payload = draft.payload;
  provider_chunk chunk;
  const auto index = payload.value("content_block_index", json(0));
  chunk.block_index = index.is_number_unsigned() ? index.get<std::uint64_t>() : 0;
  chunk.text = text_member(payload, "text");
  chunk.tool_use_id = text_member(payload, "tool_use_id");
  chunk.tool_name = text_member(payload, "tool_name");
  switch (draft.type) {
  case type::text_delta:
    chunk.kind = chunk_kind::text;
    return chunk;
  case type::thinking_delta:
    chunk.kind = chunk_kind::thinking;
    if (const auto signature = text_member(payload, "signature"); !signature.empty())
      chunk.signature = signature;
    return chunk;
  case type::tool_use_start:
    chunk.kind = chunk_kind::tool_use_start;
    return chunk;
  case type::tool_use_input_delta:
    chunk.kind = chunk_kind::tool_use_input;
    chunk.text = text_member(payload, "partial_json");
    return chunk;
  case type::tool_use_end:
    chunk.kind = chunk_kind::tool_use_end;
    return chunk;
  default:
    return std::nullopt;
  }
}

json result_block(const event_draft& draft) {
  const auto& payload = draft.payload;
  const bool failed = draft.type == type::tool_failed;
  return {{"type", "tool_result"},
          {"tool_use_id", text_member(payload, "tool_use_id")},
          {"content", text_member(payload, failed ? "message" : "result")},
          {"is_error", failed || payload.value("is_error", json(false)) == json(true)}};
}

/// A text stands for its one block, as in `POST /sessions/{id}/turns`.
void take_text_as_content(json& payload) {
  if (!payload.is_object())
    return;
  for (const char* key : {"content", "final_content"})
    if (const auto it = payload.find(key); it != payload.end() && it->is_string())
      *it = it->get_ref<const std::string&>().empty()
                ? json::array()
                : json::array({{{"type", "text"}, {"text", *it}}});
}

} // namespace

result_or<external_event> external_events::read_one(const json& item, known& state) const {
  if (!item.is_object())
    return invalid_event("an event must be an object with type and payload");
  const auto name = text_member(item, "type");
  const auto kind = parse_name<type>(name);
  if (!kind || is_of_engine(*kind))
    return invalid_event("'" + name + "' is no event type that agents can send; see the catalog");
  external_event out;
  out.draft.type = *kind;
  out.draft.turn_id = agent_turn_id{text_member(item, "turn_id")};
  out.draft.actor = text_member(item, "actor");
  if (out.draft.actor.empty())
    out.draft.actor = "external";
  out.draft.payload = item.value("payload", json::object());
  take_text_as_content(out.draft.payload);
  if (auto fault = payload_fault(*kind, out.draft.payload))
    return invalid_event(std::move(*fault));
  ++state.events;
  const auto& row = catalog_row(*kind);
  if (*kind == type::turn_started) {
    if (out.draft.turn_id.empty())
      return invalid_event("turn.started needs a turn_id");
    if (!state.turn.empty())
      return invalid_event("turn " + state.turn.text() +
                           " is in flight; end it before the next one");
    state.turn = out.draft.turn_id;
    return out;
  }
  if (row.of_turn && out.draft.turn_id.empty())
    out.draft.turn_id = state.turn;
  if (row.of_turn && (state.turn.empty() || out.draft.turn_id != state.turn))
    return invalid_event(name + " belongs to no turn in flight; send turn.started first");
  if (ends_external_turn(*kind)) {
    state.turn = {};
    state.forget_open();
  }
  return row.persisted ? result_or<external_event>{std::move(out)}
                       : read_streaming(std::move(out), state);
}

/// An event of a message that is being written.
result_or<external_event> external_events::read_streaming(external_event event,
                                                          known& state) const {
  const auto& payload = event.draft.payload;
  const agent_message_id id{text_member(payload, "message_id")};
  if (event.draft.type != type::message_complete)
    state.shown_bytes += open_event_cost(event.draft);
  if (event.draft.type == type::message_start) {
    if (state.open.size() >= limit_.session.open_messages)
      return invalid_event(std::to_string(state.open.size()) +
                           " messages are being written already; "
                           "complete one first");
    open_message begun{text_member(payload, "role"), text_member(payload, "model"),
                       event.draft.actor, state.events};
    if (!state.open.emplace(id, std::move(begun)).second)
      return invalid_event("message " + id.text() + " was started before");
    return event;
  }
  const auto it = state.open.find(id);
  if (it == state.open.end())
    return invalid_event("message " + id.text() +
                         " is not being written; send message.start first");
  if (event.draft.type != type::message_complete) {
    if (const auto chunk = chunk_of_event(event.draft))
      state.open_bytes += chunk->text.size();
    if (state.open_bytes > limit_.session.message_bytes)
      return invalid_event("what is being written is longer than " +
                           std::to_string(limit_.session.message_bytes) +
                           " bytes (limits.session_message_bytes); complete message " + id.text());
    return event;
  }
  if (text_bytes(payload["final_content"]) > limit_.session.message_bytes)
    return invalid_event("message " + id.text() + " is longer than " +
                         std::to_string(limit_.session.message_bytes) +
                         " bytes (limits.session_message_bytes)");
  event.message = message_of(event.draft, it->second.role, it->second.model);
  state.open.erase(it);
  if (state.open.empty())
    state.forget_open();
  return event;
}

void external_events::keep_user_message(external_event& event) {
  auto& payload = event.draft.payload;
  const auto content = payload.find("content");
  if (content == payload.end() || content->empty())
    return;
  auto message = std::make_shared<session_message>();
  message->id = agent_message_id{text_member(payload, "message_id")};
  if (message->id.empty())
    message->id = make_id_();
  payload["message_id"] = message->id;
  message->turn_id = event.draft.turn_id;
  message->role = "user";
  message->content = *content;
  event.message = std::move(message);
}

/// The results of tools become one message once every tool that was called has ended.
void external_events::attach_results(external_event& event) {
  if (results_.empty() || event.message)
    return;
  auto message = std::make_shared<session_message>();
  message->id = make_id_();
  message->turn_id = event.draft.turn_id;
  message->role = "user";
  message->content = std::exchange(results_, json::array());
  results_bytes_ = 0;
  event.message = std::move(message);
}

void external_events::keep_tool(external_event& event) {
  const auto& payload = event.draft.payload;
  const auto id = text_member(payload, "tool_use_id");
  if (event.draft.type == type::tool_called) {
    tool_call_record record;
    record.tool_use_id = id;
    record.turn_id = event.draft.turn_id;
    record.tool_name = text_member(payload, "tool_name");
    record.status = "running";
    record.input = payload.value("input", json::object());
    event.tool = std::make_shared<tool_call_record>(record);
    forget_running(running_.find(id));
    running_bytes_ += bytes_of(record);
    running_.insert_or_assign(id, std::move(record));
    // How these end is told, and no longer joined to how they began.
    while (running_.size() > limit_.session.external_events ||
           running_bytes_ > limit_.session.message_bytes)
      forget_running(running_.begin());
    return;
  }
  if (const auto it = running_.find(id); it != running_.end()) {
    it->second.status = event.draft.type == type::tool_failed ? "failed" : "completed";
    it->second.result = text_member(payload, "result");
    event.tool = std::make_shared<tool_call_record>(it->second);
    forget_running(it);
  }
  results_.push_back(result_block(event.draft));
  results_bytes_ += text_bytes(results_.back());
  if (running_.empty() || results_bytes_ > limit_.session.message_bytes)
    attach_results(event);
}

void external_events::forget_running(running_calls::iterator it) {
  if (it == running_.end())
    return;
  running_bytes_ -= bytes_of(it->second);
  running_.erase(it);
}

/// Ends a message as far as it has come.
external_event external_events::completion_of(const agent_message_id& id,
                                              const open_message& message,
                                              const agent_turn_id& turn_id) {
  external_event out;
  out.draft.type = type::message_complete;
  out.draft.turn_id = turn_id;
  out.draft.actor = message.actor;
  auto content = json::array();
  if (const auto it = assemblies_.find(id); it != assemblies_.end()) {
    std::vector<event_draft> unused;
    it->second.content.close_blocks(unused);
    content = it->second.content.content();
    assemblies_.erase(it);
  }
  out.draft.payload = {{"message_id", id},
                       {"stop_reason", "cancelled"},
                       {"final_content", std::move(content)},
                       {"usage", to_json_document(token_usage{})}};
  out.message = message_of(out.draft, message.role, message.model);
  return out;
}

/// A turn that ends leaves no message unfinished.
void external_events::finish_messages(const agent_turn_id& turn_id,
                                      std::vector<external_event>& out) {
  while (!assemblies_.empty()) {
    const auto id = assemblies_.begin()->first;
    const auto about = assemblies_.begin()->second.about;
    out.push_back(completion_of(id, about, turn_id));
  }
}

/// Whoever attaches gets all that has happened since the oldest open message began.
void external_events::finish_oldest(std::vector<external_event>& out) {
  const auto most = limit_.session.replay_events / 2;
  for (auto it = state_.open.begin(); it != state_.open.end();) {
    if (state_.events - it->second.begun <= most) {
      ++it;
      continue;
    }
    out.push_back(completion_of(it->first, it->second, state_.turn));
    it = state_.open.erase(it);
  }
  if (state_.open.empty())
    state_.forget_open();
}

void external_events::keep_history(external_event event, std::vector<external_event>& out) {
  const auto kind = event.draft.type;
  if (kind == type::turn_started || kind == type::llm_call_started)
    keep_user_message(event);
  else if (kind == type::tool_called || kind == type::tool_completed || kind == type::tool_failed)
    keep_tool(event);
  if (ends_external_turn(kind)) {
    finish_messages(event.draft.turn_id, out);
    attach_results(event);
    running_.clear();
    running_bytes_ = 0;
  }
  if (!event.draft.payload.contains("message_id") || catalog_row(kind).persisted) {
    out.push_back(std::move(event));
    return;
  }
  const agent_message_id id{text_member(event.draft.payload, "message_id")};
  if (kind == type::message_start) {
    auto ids = std::make_unique<std::set<std::string>>();
    message_assembly content{id, *ids, limit_};
    open_message about{text_member(event.draft.payload, "role"),
                       text_member(event.draft.payload, "model"), event.draft.actor, 0};
    assemblies_.insert_or_assign(id,
                                 assembly{std::move(ids), std::move(content), std::move(about)});
  } else if (kind == type::message_complete) {
    assemblies_.erase(id);
  } else if (const auto it = assemblies_.find(id); it != assemblies_.end()) {
    std::vector<event_draft> unused; // it told its own
    if (const auto chunk = chunk_of_event(event.draft))
      it->second.content.add(*chunk, unused);
  }
  out.push_back(std::move(event));
}

result_or<std::vector<external_event>> external_events::read(const json& body) {
  if (!body.is_object())
    return invalid_event("The body must be an event, or an object with an array 'events'.");
  const bool many = body.contains("events");
  const auto items = many ? body["events"] : json::array({body});
  const auto most = limit_.session.external_events;
  if (!items.is_array() || items.empty())
    return invalid_event("'events' must be an array with at least one event.");
  if (items.size() > most)
    return invalid_event("'events' holds " + std::to_string(items.size()) +
                         " events; send at most " + std::to_string(most) + " at once.");
  auto after = state_;
  std::vector<external_event> read;
  read.reserve(items.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto one = read_one(items[i], after);
    if (!one)
      return invalid_event("Event " + std::to_string(i) + ": " + one.error().message + ".");
    read.push_back(std::move(*one));
  }
  if (!share_.hold(after.held() + results_bytes_ + running_bytes_))
    return invalid_event("The answers that all sessions are being given have reached " +
                         std::to_string(share_.most()) +
                         " bytes (limits.session_answers_bytes); complete messages first.");
  state_ = std::move(after);
  std::vector<external_event> out;
  out.reserve(read.size());
  for (auto& event : read)
    keep_history(std::move(event), out);
  finish_oldest(out);
  static_cast<void>(share_.hold(state_.held() + results_bytes_ + running_bytes_));
  return out;
}

} // namespace gasoline
