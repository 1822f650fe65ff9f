#include "actors/mcp/client/request_context.hpp"

#include "actors/mcp/client/client_asks.hpp"
#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/request_inputs.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"

namespace gasoline {

using nlohmann::json;

mcp_era request_context::era() const {
  return era_of(request_->revision);
}

mcp_revision request_context::revision() const {
  return request_->revision;
}

bool request_context::is_open() const {
  return request_->open;
}

void request_context::on_cancelled(std::function<void()> handler) const {
  if (request_->open)
    request_->on_cancelled.push_back(std::move(handler));
}

void request_context::answer(json result) const {
  gasoline::answer(self_, request_,
                   complete_result(request_->revision, request_->method, std::move(result)));
}

void request_context::fail(rpc_code code, std::string_view sentence, json data) const {
  answer_problem(self_, request_, {code, std::string{sentence}, std::move(data)});
}

bool request_context::wants_progress() const {
  return !request_->claims.progress_token.is_null();
}

void request_context::progress(double progress, std::optional<double> total,
                               std::string_view message) const {
  if (!request_->open || !wants_progress() || progress <= request_->progress)
    return;
  request_->progress = progress;
  auto params = progress_params(request_->revision, request_->claims.progress_token, progress,
                                total ? json(*total) : json(), message);
  send_related(self_, request_->exchange->id,
               notification_message("notifications/progress", std::move(params)));
}

void request_context::log(std::string_view level, std::string_view logger, const json& data) const {
  const auto severity = parse_name<log_severity>(level);
  const bool modern = era() == mcp_era::modern;
  const auto& floor = modern ? request_->claims.log_level : self_->state.level;
  if (!request_->open || !severity || (modern && !floor) || (floor && *severity < *floor))
    return;
  send_related(self_, request_->exchange->id,
               notification_message("notifications/message",
                                    {{"level", level}, {"logger", logger}, {"data", data}}));
}

bool request_context::client_can(std::string_view capability) const {
  const auto& declared =
      era() == mcp_era::modern ? request_->claims.capabilities : self_->state.capabilities;
  return declared.is_object() && declared.contains(capability);
}

void request_context::ask(std::string_view method, json params,
                          std::function<void(const json& reply)> then) const {
  ask_client(self_, request_, method, std::move(params), std::move(then));
}

void request_context::need_input(json inputs, const json& state) const {
  ask_for_input(*this, std::move(inputs), state);
}

const json* request_context::input(std::string_view key) const {
  const auto& responses = request_->input_responses;
  if (!responses.is_object())
    return nullptr;
  const auto found = responses.find(key);
  return found == responses.end() || !found->is_object() ? nullptr : &*found;
}

const json& request_context::input_state() const {
  return request_->input_state;
}

void request_context::after(std::chrono::milliseconds delay, std::function<void()> then) const {
  start_timer(self_, delay, std::move(then));
}

void request_context::close_stream() const {
  if (request_->open)
    send_stream_end(self_, request_->exchange->id);
}

} // namespace gasoline
