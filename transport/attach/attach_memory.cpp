#include "transport/attach/attach_memory.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view restarted = "engine restarted, call again";

/// Cancelled requests that may still be answered; an engine does that at once or never.
constexpr std::size_t most_withdrawn = 64;

/// Arguments nest less; what is deeper is none that a tool takes.
constexpr std::size_t most_levels = 64;

std::string key_of(const json& id) {
  return dumped(id);
}

std::string call_text(const json& id, std::string_view method, const json& params) {
  json message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!id.is_null())
    message["id"] = id;
  if (!params.is_null())
    message["params"] = params;
  return dumped(message);
}

/// The arguments of a tool call; some clients send them as their JSON text.
json arguments_of(const json& params) {
  auto arguments = params.is_object() ? params.value("arguments", json()) : json();
  if (arguments.is_string() && json_nesting(arguments.get_ref<const std::string&>()) <= most_levels)
    arguments = json::parse(arguments.get_ref<const std::string&>(), nullptr, false);
  return arguments;
}

/// `enable`, `disable` or `status` of a call that configures streaming; else empty.
std::string streaming_action_of(const json& params) {
  const auto name = text_member(params, "name");
  const auto arguments = arguments_of(params);
  if (name == "configure_streaming")
    return text_member(arguments, "action");
  const auto action = text_member(arguments, "action");
  const auto selector = action.empty() ? text_member(arguments, "what") : action;
  if (name != "configure" || selector != "streaming")
    return {};
  return text_member(arguments, "streaming_action");
}

std::optional<agreed_change> streaming_change(const json& params) {
  const agreement what{agreed_kind::streaming, {}};
  const auto action = streaming_action_of(params);
  if (action == "enable")
    return agreed_change{what, json{{"name", params["name"]}, {"arguments", params["arguments"]}}};
  if (action == "disable")
    return agreed_change{what, std::nullopt};
  return std::nullopt;
}

/// What the call changes if it is accepted.
std::optional<agreed_change> change_of(const rpc_call& call) {
  if (call.method == "initialize")
    return agreed_change{{agreed_kind::handshake, {}}, call.params};
  if (call.method == "logging/setLevel")
    return agreed_change{{agreed_kind::level, {}}, call.params};
  if (call.method == "resources/subscribe")
    return agreed_change{{agreed_kind::subscription, text_member(call.params, "uri")}, call.params};
  if (call.method == "resources/unsubscribe")
    return agreed_change{{agreed_kind::subscription, text_member(call.params, "uri")},
                         std::nullopt};
  if (call.method == "tools/call")
    return streaming_change(call.params);
  return std::nullopt;
}

std::string_view method_of(agreed_kind kind) {
  switch (kind) {
  case agreed_kind::handshake:
    return "initialize";
  case agreed_kind::level:
    return "logging/setLevel";
  case agreed_kind::subscription:
    return "resources/subscribe";
  case agreed_kind::streaming:
    return "tools/call";
  }
  return {};
}

/// An error, or a result of a tool that says it is one.
bool is_refusal(const rpc_reply& reply) {
  return !reply.error.is_null() ||
         (reply.result.is_object() && reply.result.value("isError", json()) == true);
}

const request_transition& transition_of(request_phase from, request_event on) {
  return *std::find_if(request_transitions.begin(), request_transitions.end(),
                       [&](const request_transition& t) { return t.from == from && t.on == on; });
}

std::string initialized_text() {
  return call_text(nullptr, "notifications/initialized", nullptr);
}

} // namespace

std::size_t attach_memory::under_way() const {
  return static_cast<std::size_t>(
      std::count_if(under_way_.begin(), under_way_.end(),
                    [](const auto& row) { return row.second.phase != request_phase::withdrawn; }));
}

// Sending

void attach_memory::sent(const rpc_frame& frame) {
  before_last_line_ = last_number_;
  for (const auto& message : frame.messages) {
    if (const auto* reply = std::get_if<rpc_reply>(&message))
      asked_.erase(key_of(reply->id));
    const auto* call = std::get_if<rpc_call>(&message);
    if (call == nullptr)
      continue;
    if (call->is_notification())
      sent_notification(*call);
    else
      sent_request(*call);
  }
}

void attach_memory::sent_request(const rpc_call& call) {
  forget_withdrawn(call.id);
  request sent{call.id, request_phase::asked, change_of(call)};
  if (call.method == "initialize")
    sent.phase = request_phase::opening;
  under_way_.emplace(++last_number_, std::move(sent));
}

void attach_memory::sent_notification(const rpc_call& call) {
  if (call.method == "notifications/initialized")
    *initialized_flag() = true;
  if (call.method != "notifications/cancelled" || !call.params.is_object())
    return;
  const auto id = call.params.find("requestId");
  if (id == call.params.end())
    return;
  if (const auto found = find(*id); found != under_way_.end())
    happened(found, request_event::cancelled);
}

/// Of the handshake that the client has asked for last.
bool* attach_memory::initialized_flag() {
  for (auto row = under_way_.rbegin(); row != under_way_.rend(); ++row)
    if (row->second.phase == request_phase::opening)
      return &row->second.initialized;
  return &initialized_;
}

bool attach_memory::take_back(const rpc_frame& frame) {
  for (auto number = before_last_line_ + 1; number <= last_number_; ++number)
    if (!under_way_.contains(number))
      return false;
  while (!under_way_.empty() && under_way_.rbegin()->first > before_last_line_)
    happened(std::prev(under_way_.end()), request_event::taken_back);
  for (const auto& message : frame.messages)
    if (const auto* call = std::get_if<rpc_call>(&message);
        call && call->method == "notifications/initialized")
      *initialized_flag() = false;
  return true;
}

bool attach_memory::is_stale(const rpc_frame& frame) const {
  return !frame.batch && !frame.messages.empty() &&
         std::all_of(frame.messages.begin(), frame.messages.end(), [this](const rpc_message& m) {
           const auto* reply = std::get_if<rpc_reply>(&m);
           return reply != nullptr && !asked_.contains(key_of(reply->id));
         });
}

// Answers

bool attach_memory::received(const rpc_frame& frame) {
  for (const auto& message : frame.messages) {
    if (const auto* call = std::get_if<rpc_call>(&message); call && !call->is_notification())
      asked_.insert(key_of(call->id));
    const auto* reply = std::get_if<rpc_reply>(&message);
    if (reply == nullptr)
      continue;
    if (replayed_.erase(key_of(reply->id)) != 0)
      return false;
    answered(*reply);
  }
  return true;
}

void attach_memory::answered(const rpc_reply& reply) {
  if (const auto found = find(reply.id); found != under_way_.end())
    happened(found, is_refusal(reply) ? request_event::refused : request_event::accepted);
}

/// The oldest with that id, since a client may repeat one.
attach_memory::requests::iterator attach_memory::find(const json& id) {
  return std::find_if(under_way_.begin(), under_way_.end(),
                      [&](const auto& row) { return row.second.id == id; });
}

/// Carries out the row of the table.
void attach_memory::happened(requests::iterator at, request_event event) {
  auto& [number, request] = *at;
  const auto& row = transition_of(request.phase, event);
  if (row.effect == request_effect::agree && request.change)
    agree(number, request);
  if (row.effect == request_effect::forget)
    request.change.reset();
  if (row.effect == request_effect::tell_client)
    told_.push_back(error_text(request.id, rpc_code::engine_restarted, std::string{restarted}));
  request.phase = row.to;
  const bool nothing_to_learn = row.to == request_phase::withdrawn && !request.change;
  if (row.to == request_phase::over || nothing_to_learn)
    under_way_.erase(at);
  else if (row.to == request_phase::withdrawn)
    forget_withdrawn(nullptr);
}

/// What was asked before this about the same agreement no longer counts, whenever it is answered.
void attach_memory::agree(request_number number, const request& accepted) {
  const auto& change = *accepted.change;
  const bool anew = change.what.kind == agreed_kind::handshake;
  for (auto row = under_way_.begin(); row->first != number;) {
    const auto earlier = row++;
    const auto& other = earlier->second.change;
    if (other && (anew || other->what == change.what))
      happened(earlier, request_event::superseded);
  }
  if (anew) {
    // What was asked for after it may have been answered before it.
    std::erase_if(agreed_, [&](const auto& row) { return row.second.number < number; });
    initialized_ = accepted.initialized;
  }
  agreed_.erase(change.what);
  if (change.params)
    agreed_.emplace(change.what, agreed_call{number, *change.params});
}

/// An id that is used again belongs to the new request. Beyond their cap the oldest go as well.
void attach_memory::forget_withdrawn(const json& id) {
  std::erase_if(under_way_, [&](const auto& row) {
    return row.second.phase == request_phase::withdrawn && row.second.id == id;
  });
  auto too_many = under_way_.size() - under_way();
  for (auto row = under_way_.begin(); too_many > most_withdrawn; --too_many) {
    row = std::find_if(row, under_way_.end(),
                       [](const auto& r) { return r.second.phase == request_phase::withdrawn; });
    row = under_way_.erase(row);
  }
}

// Another engine

std::vector<std::string> attach_memory::lose_engine() {
  std::vector<std::string> out;
  for (const auto& id : std::exchange(asked_, {}))
    out.push_back(call_text(nullptr, "notifications/cancelled",
                            {{"requestId", json::parse(id)}, {"reason", restarted}}));
  told_.clear();
  for (auto row = under_way_.begin(); row != under_way_.end();)
    happened(row++, request_event::engine_lost);
  std::move(told_.begin(), told_.end(), std::back_inserter(out));
  told_.clear();
  replayed_.clear();
  return out;
}

std::vector<std::string> attach_memory::handshake() {
  // In the order in which the client has asked, since each `initialize` ends what was before it.
  std::map<request_number, std::vector<std::string>> lines;
  for (const auto& [what, call] : agreed_) {
    auto& out = lines[call.number];
    out.push_back(replayed(method_of(what.kind), call.params));
    if (what.kind == agreed_kind::handshake && initialized_)
      out.push_back(initialized_text());
  }
  for (const auto& [number, request] : under_way_) {
    if (request.phase != request_phase::opening)
      continue;
    auto& out = lines[number];
    out.push_back(call_text(request.id, "initialize", *request.change->params));
    if (request.initialized)
      out.push_back(initialized_text());
  }
  std::vector<std::string> out;
  for (auto& [number, text] : lines)
    std::move(text.begin(), text.end(), std::back_inserter(out));
  return out;
}

std::string attach_memory::replayed(std::string_view method, const json& params) {
  const json id = "gasoline-takeover-" + std::to_string(++replays_);
  replayed_.insert(key_of(id));
  return call_text(id, method, params);
}

} // namespace gasoline
