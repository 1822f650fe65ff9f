#include "transport/attach/attach_memory.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view restarted = "engine restarted, call again";

/// Subscriptions that are carried over to another engine; a client has a handful.
constexpr std::size_t most_subscriptions = 256;

std::string key_of(const json& id) {
  return id.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_at(const json& object, const char* key) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::string call_text(const json& id, std::string_view method, const json& params) {
  json message{{"jsonrpc", "2.0"}, {"method", method}};
  if (!id.is_null())
    message["id"] = id;
  if (!params.is_null())
    message["params"] = params;
  return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// `enable`, `disable` or `status` of a call that configures streaming; else empty.
std::string streaming_action_of(const json& params) {
  const auto name = text_at(params, "name");
  const auto arguments = params.is_object() ? params.value("arguments", json()) : json();
  if (name == "configure_streaming")
    return text_at(arguments, "action");
  const auto selector = text_at(arguments, arguments.contains("action") ? "action" : "what");
  if (name != "configure" || selector != "streaming")
    return {};
  return text_at(arguments, "streaming_action");
}

} // namespace

void attach_memory::sent(const rpc_frame& frame) {
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
  under_way_.insert(key_of(call.id));
  if (call.method == "initialize") {
    initialize_ = call.params;
    initialize_id_ = call.id;
    initialized_ = false;
    streaming_.reset();
  } else if (call.method == "logging/setLevel") {
    level_ = call.params;
  } else if (call.method == "resources/subscribe") {
    if (subscriptions_.size() < most_subscriptions)
      subscriptions_[text_at(call.params, "uri")] = call.params;
  } else if (call.method == "resources/unsubscribe") {
    subscriptions_.erase(text_at(call.params, "uri"));
  } else if (call.method == "tools/call") {
    sent_tool_call(call.params);
  }
}

void attach_memory::sent_tool_call(const json& params) {
  const auto action = streaming_action_of(params);
  if (action == "enable")
    streaming_ = json{{"name", params["name"]}, {"arguments", params["arguments"]}};
  else if (action == "disable")
    streaming_.reset();
}

void attach_memory::sent_notification(const rpc_call& call) {
  if (call.method == "notifications/initialized")
    initialized_ = true;
  if (call.method != "notifications/cancelled" || !call.params.is_object())
    return;
  if (const auto id = call.params.find("requestId"); id != call.params.end())
    answered(*id);
}

bool attach_memory::take_back(const rpc_frame& frame) {
  const auto is_answered = [this](const rpc_message& message) {
    const auto* call = std::get_if<rpc_call>(&message);
    return call != nullptr && !call->is_notification() && !under_way_.contains(key_of(call->id));
  };
  if (std::any_of(frame.messages.begin(), frame.messages.end(), is_answered))
    return false;
  for (const auto& message : frame.messages) {
    const auto* call = std::get_if<rpc_call>(&message);
    if (call == nullptr || call->is_notification())
      continue;
    answered(call->id);
    if (call->method == "initialize")
      initialize_.reset();
  }
  return true;
}

bool attach_memory::is_stale(const rpc_frame& frame) const {
  return !frame.batch && !frame.messages.empty() &&
         std::all_of(frame.messages.begin(), frame.messages.end(), [this](const rpc_message& m) {
           const auto* reply = std::get_if<rpc_reply>(&m);
           return reply != nullptr && !asked_.contains(key_of(reply->id));
         });
}

bool attach_memory::received(const rpc_frame& frame) {
  for (const auto& message : frame.messages) {
    if (const auto* call = std::get_if<rpc_call>(&message); call && !call->is_notification())
      asked_.insert(key_of(call->id));
    const auto* reply = std::get_if<rpc_reply>(&message);
    if (reply == nullptr)
      continue;
    if (replayed_.erase(key_of(reply->id)) != 0)
      return false;
    answered(reply->id);
  }
  return true;
}

void attach_memory::answered(const json& id) {
  if (const auto found = under_way_.find(key_of(id)); found != under_way_.end())
    under_way_.erase(found);
  if (id == initialize_id_)
    initialize_id_ = nullptr;
}

std::vector<std::string> attach_memory::lose_engine() {
  std::vector<std::string> out;
  for (const auto& id : std::exchange(asked_, {}))
    out.push_back(call_text(nullptr, "notifications/cancelled",
                            {{"requestId", json::parse(id)}, {"reason", restarted}}));
  // An unanswered `initialize` is asked again instead.
  const auto opening = initialize_id_.is_null() ? std::string{} : key_of(initialize_id_);
  for (const auto& id : std::exchange(under_way_, {}))
    if (id != opening)
      out.push_back(
          error_text(json::parse(id), rpc_code::engine_restarted, std::string{restarted}));
  replayed_.clear();
  return out;
}

std::vector<std::string> attach_memory::handshake() {
  std::vector<std::string> out;
  if (initialize_ && initialize_id_.is_null()) {
    out.push_back(replayed("initialize", *initialize_));
  } else if (initialize_) {
    under_way_.insert(key_of(initialize_id_));
    out.push_back(call_text(initialize_id_, "initialize", *initialize_));
  }
  if (initialized_)
    out.push_back(call_text(nullptr, "notifications/initialized", nullptr));
  if (level_)
    out.push_back(replayed("logging/setLevel", *level_));
  for (const auto& [uri, params] : subscriptions_)
    out.push_back(replayed("resources/subscribe", params));
  if (streaming_)
    out.push_back(replayed("tools/call", *streaming_));
  return out;
}

std::string attach_memory::replayed(std::string_view method, const json& params) {
  const json id = "gasoline-takeover-" + std::to_string(++replays_);
  replayed_.insert(key_of(id));
  return call_text(id, method, params);
}

} // namespace gasoline
