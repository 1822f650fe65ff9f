#include "actors/mcp/client/request_context.hpp"

#include "actors/mcp/client/client_parts.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "messages/mcp/tool.hpp"

namespace gasoline {
namespace {

constexpr const char* shutting_down = "The engine is shutting down; call again after a restart.";

} // namespace

using nlohmann::json;

client_actor::pointer request_context::actor() const {
  return client_->self;
}

std::uint64_t request_context::cleared_sequence() const {
  return client_->position.cleared_sequence();
}

client_id request_context::client() const {
  return client_->id;
}

asking_party request_context::asker() const {
  return {false, client_->origin.page, {}};
}

const mcp_client_limits& request_context::limit() const {
  return client_->env.limit;
}

const mcp_registry& request_context::registry() const {
  return *client_->env.registry;
}

const engine_view& request_context::engine() const {
  return client_->env.engine;
}

mono_time request_context::now() const {
  return client_->self->clock().now();
}

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
  client_->requests.answer(
      request_, complete_result(request_->revision, request_->method, std::move(result)));
}

void request_context::fail(rpc_code code, std::string_view sentence, json data) const {
  client_->requests.answer_problem(request_, {code, std::string{sentence}, std::move(data)});
}

void request_context::fail_shutting_down() const {
  if (request_->method == "tools/call")
    answer(tool_result_json(revision(), error_result(shutting_down)));
  else
    fail(rpc_code::internal_error, shutting_down);
}

void request_context::notify(std::string_view method, json params) const {
  client_->outbox.send_related(request_->exchange->id,
                               notification_message(method, std::move(params)));
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
  notify("notifications/progress", std::move(params));
}

void request_context::log(std::string_view level, std::string_view logger, const json& data) const {
  const auto severity = parse_name<log_severity>(level);
  const bool modern = era() == mcp_era::modern;
  const auto floor = modern ? request_->claims.log_level : client_->agreement.level();
  if (!request_->open || !severity || (modern && !floor) || (floor && *severity < *floor))
    return;
  notify("notifications/message", {{"level", level}, {"logger", logger}, {"data", data}});
}

const json& request_context::declared_capabilities() const {
  return era() == mcp_era::modern ? request_->claims.capabilities
                                  : client_->agreement.capabilities();
}

bool request_context::client_can(std::string_view capability) const {
  const auto& declared = declared_capabilities();
  return declared.is_object() && declared.contains(capability);
}

void request_context::ask(std::string_view method, json params,
                          std::function<void(const json& reply)> then) const {
  client_->asks.ask(request_, method, std::move(params), std::move(then));
}

void request_context::need_input(json inputs, const json& state) const {
  if (era() != mcp_era::modern) {
    fail(rpc_code::internal_error, "Only clients of 2026-07-28 can be asked this way.");
    return;
  }
  if (auto missing = missing_capabilities(declared_capabilities(), inputs); !missing.empty()) {
    fail(rpc_code::capability_missing,
         "This needs a client capability that was not declared in clientCapabilities.",
         {{"requiredCapabilities", std::move(missing)}});
    return;
  }
  client_->requests.answer(
      request_,
      input_required_result(std::move(inputs), client_->inputs.sealed(state, *request_, now())));
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

std::uint64_t request_context::after(std::chrono::milliseconds delay,
                                     std::function<void()> then) const {
  return client_->timers.start(delay, std::move(then));
}

void request_context::stop(std::uint64_t timer) const {
  client_->timers.stop(timer);
}

void request_context::close_stream() const {
  if (request_->open)
    client_->outbox.end_stream(request_->exchange->id);
}

} // namespace gasoline
