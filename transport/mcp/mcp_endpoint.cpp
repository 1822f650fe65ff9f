#include "transport/mcp/mcp_endpoint.hpp"

#include "messages/base/json/json_text.hpp"
#include "transport/json_rpc.hpp"
#include "transport/mcp/mcp_response.hpp"
#include "transport/mcp/mcp_session_id.hpp"
#include "transport/sse/last_event_id.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view path = "/mcp";
constexpr std::string_view session_header = "Mcp-Session-Id";
constexpr std::string_view event_stream = "text/event-stream";

/// Sent by clients of the stateless bridge, with neither session id nor version header.
bool is_bridge(const http_request_view& head) {
  return head.field("X-Gasoline-Client") && !head.field(session_header) &&
         !head.field("MCP-Protocol-Version");
}

client_origin origin_of(const http_request_view& head, client_transport transport) {
  return {transport, std::string{given_client_name(head)}, false,
          std::string{head.origin.value_or("")}};
}

/// A page is no client of a program's, nor of another page's, whatever name it gives.
std::string page_mark(const http_request_view& head) {
  return head.origin ? " page " + std::string{*head.origin} : std::string{};
}

std::optional<mcp_refusal> check_media_types(const http_request_view& head) {
  const auto accept = head.field("Accept").value_or("");
  if (!accepts(accept, "application/json") || !accepts(accept, event_stream))
    return mcp_refusal{406, rpc_code::invalid_request,
                       "The Accept header must take both application/json and text/event-stream.",
                       nullptr};
  if (!is_json_type(head.content_type))
    return mcp_refusal{415, rpc_code::invalid_request, "The Content-Type must be application/json.",
                       nullptr};
  return std::nullopt;
}

/// What is wrong with a body that no session can make sense of.
const rpc_fault* fault_of(const rpc_frame& frame) {
  if (frame.batch || frame.messages.empty())
    return nullptr;
  return std::get_if<rpc_fault>(&frame.messages.front());
}

const rpc_call* only_call(const rpc_frame& frame) {
  return frame.batch ? nullptr : std::get_if<rpc_call>(&frame.messages.front());
}

bool expects_answer(const rpc_message& message) {
  const auto* call = std::get_if<rpc_call>(&message);
  return call != nullptr ? !call->is_notification() : std::holds_alternative<rpc_fault>(message);
}

bool expects_answer(const rpc_frame& frame) {
  return std::any_of(frame.messages.begin(), frame.messages.end(),
                     [](const rpc_message& message) { return expects_answer(message); });
}

/// The id to echo when the frame as a whole is refused.
json echoed_id(const rpc_frame& frame) {
  const auto* call = only_call(frame);
  return call == nullptr ? json() : call->id;
}

bool is_handshake(const rpc_frame& frame) {
  const auto* call = only_call(frame);
  return call != nullptr && call->method == "initialize" && !call->is_notification();
}

} // namespace

mcp_endpoint::mcp_endpoint(std::shared_ptr<mcp_service> service, tool_header_parameters parameters)
    : service_(std::move(service)),
      parameters_(std::move(parameters)),
      sweep_(std::make_shared<idle_sweep>(
          service_->gate->io,
          std::chrono::milliseconds(
              std::min(service_->limit.mcp.session_idle_ms, service_->limit.mcp.stateless_idle_ms)),
          [this] { return sweep(); })) {}

std::vector<http_route> mcp_endpoint::routes() {
  const auto self = shared_from_this();
  const auto to = [&](void (mcp_endpoint::*handle)(const http_call&, const http_reply&)) {
    return [self, handle](const http_call& call, const http_reply& reply) {
      ((*self).*handle)(call, reply);
    };
  };
  const std::string at{path};
  return {{"POST", at, service_->limit.client.line_bytes, to(&mcp_endpoint::on_post)},
          {"GET", at, 0, to(&mcp_endpoint::on_get)},
          {"DELETE", at, 0, to(&mcp_endpoint::on_delete)}};
}

void mcp_endpoint::refuse(const http_reply& reply, const mcp_refusal& why, const json& id) {
  ++counters_.messages_refused;
  reply(rpc_refusal(why.status, why.code, why.sentence, id, why.data));
}

// POST

void mcp_endpoint::on_post(const http_call& call, const http_reply& reply) {
  const bool bridge = is_bridge(call.head);
  if (!bridge)
    if (const auto why = check_media_types(call.head)) {
      refuse(reply, *why, nullptr);
      return;
    }
  if (is_json_list(call.body) && refuse_batch(call, reply))
    return;
  auto frame = decode_rpc(call.body, service_->limit);
  if (const auto* fault = fault_of(frame)) {
    refuse(reply, {400, fault->code, fault->message, nullptr}, fault->id);
    return;
  }
  // An ordinary client that is configured with the bridge's header asks for a session first.
  const bool wants_session =
      is_handshake(frame) && names_type(call.head.field("Accept").value_or(""), event_stream);
  if (era_of(call.head, frame) == mcp_era::modern)
    post_modern(call, std::move(frame), reply);
  else if (bridge && !wants_session)
    post_bridge(call, std::move(frame), reply);
  else
    post_legacy(call, std::move(frame), reply);
}

/// A batch that no revision takes, or that belongs to no session, is refused unread.
bool mcp_endpoint::refuse_batch(const http_call& call, const http_reply& reply) {
  if (const auto why = check_batch(call.head)) {
    refuse(reply, *why, nullptr);
    return true;
  }
  return !is_bridge(call.head) && !find_session(call, nullptr, reply);
}

void mcp_endpoint::post_modern(const http_call& call, rpc_frame frame, const http_reply& reply) {
  const auto* request = only_call(frame);
  if (request == nullptr) {
    refuse(reply,
           {400, rpc_code::invalid_request,
            "2026-07-28 takes one request or notification per POST, and no responses.", nullptr},
           nullptr);
    return;
  }
  if (request->is_notification()) {
    reply(accepted_response()); // none of them means anything here: closing the stream cancels
    return;
  }
  auto why = check_modern_request(call.head, *request);
  if (!why && request->method == "tools/call")
    if (const auto* params = &request->params;
        params->contains("name") && params->at("name").is_string())
      why = check_header_parameters(call.head, *request,
                                    parameters_(params->at("name").get<std::string>()));
  if (why) {
    refuse(reply, *why, request->id);
    return;
  }
  const auto client =
      named_client("modern " + client_identity(call.head, request->params) + page_mark(call.head),
                   origin_of(call.head, client_transport::http), reply);
  if (client)
    client->post({std::move(frame), reply, call.watch, mcp_era::modern, answer_form::any, false});
}

void mcp_endpoint::post_bridge(const http_call& call, rpc_frame frame, const http_reply& reply) {
  const auto client =
      named_client("bridge " + client_identity(call.head, nullptr) + page_mark(call.head),
                   origin_of(call.head, client_transport::bridge), reply);
  if (!client)
    return;
  if (expects_answer(frame)) {
    client->post({std::move(frame), reply, call.watch, mcp_era::legacy, answer_form::json, false});
    return;
  }
  const auto* notification = only_call(frame);
  auto answer = accepted_response();
  if (notification != nullptr && notification->method == "notifications/initialized") {
    answer.status = 200; // a deviation: the clients of the bridge wait for an answer
    answer.body = "{}";
  }
  client->notify(std::move(frame), reply, std::move(answer));
}

void mcp_endpoint::post_legacy(const http_call& call, rpc_frame frame, const http_reply& reply) {
  if (is_handshake(frame) && !call.head.field(session_header)) {
    open_session(call, std::move(frame), reply);
    return;
  }
  const auto id = echoed_id(frame);
  const auto client = find_session(call, id, reply);
  if (!client)
    return;
  const auto why = is_handshake(frame) ? std::nullopt : check_legacy_version(call.head);
  if (why) {
    refuse(reply, *why, id);
    return;
  }
  hand_over(client, call, std::move(frame), reply);
}

void mcp_endpoint::hand_over(const client_ptr& client, const http_call& call, rpc_frame frame,
                             const http_reply& reply) {
  if (!expects_answer(frame)) {
    client->notify(std::move(frame), reply, accepted_response());
    return;
  }
  const auto form = knows_priming(call.head) ? answer_form::primed : answer_form::any;
  client->post({std::move(frame), reply, call.watch, mcp_era::legacy, form, false});
}

void mcp_endpoint::open_session(const http_call& call, rpc_frame frame, const http_reply& reply) {
  const auto client = start_client(sessions_, make_mcp_session_id(), push_policy::by_stream,
                                   origin_of(call.head, client_transport::http), reply);
  if (!client)
    return;
  ++counters_.sessions_opened;
  client->post({std::move(frame), reply, call.watch, mcp_era::legacy, answer_form::any, true});
}

// GET and DELETE

/// 2026-07-28 has neither method, and HEAD would open a stream that nobody reads.
bool mcp_endpoint::refuse_method(const http_call& call, const http_reply& reply) {
  const bool modern = call.head.field("MCP-Protocol-Version") == name_of(mcp_revision::v2026_07_28);
  if (call.head.method != "HEAD" && (!modern || call.head.field(session_header)))
    return false;
  ++counters_.messages_refused;
  auto out = rpc_refusal(405, rpc_code::invalid_request,
                         "GET and DELETE belong to a session of an older revision; 2026-07-28 has "
                         "POST alone.");
  out.headers = "Allow: GET, POST, DELETE\r\n";
  reply(std::move(out));
  return true;
}

void mcp_endpoint::on_get(const http_call& call, const http_reply& reply) {
  const auto& head = call.head;
  if (refuse_method(call, reply))
    return;
  if (!accepts(head.field("Accept").value_or(""), event_stream)) {
    refuse(
        reply,
        {406, rpc_code::invalid_request, "The Accept header must take text/event-stream.", nullptr},
        nullptr);
    return;
  }
  const auto client = find_session(call, nullptr, reply);
  if (!client)
    return;
  if (const auto why = check_legacy_version(head)) {
    refuse(reply, *why, nullptr);
    return;
  }
  client->open_stream(reply, last_event_id(call),
                      knows_priming(head) ? answer_form::primed : answer_form::any);
}

void mcp_endpoint::on_delete(const http_call& call, const http_reply& reply) {
  if (refuse_method(call, reply))
    return;
  const auto client = find_session(call, nullptr, reply);
  if (!client)
    return;
  if (const auto why = check_legacy_version(call.head)) {
    refuse(reply, *why, nullptr);
    return;
  }
  end(sessions_, sessions_.find(client->id()));
  reply({});
}

// Clients

mcp_endpoint::client_ptr mcp_endpoint::find_session(const http_call& call, const json& id,
                                                    const http_reply& reply) {
  if (const auto why = check_repeated(call.head)) {
    refuse(reply, *why, id);
    return nullptr;
  }
  const auto given = call.head.field(session_header);
  if (!given) {
    refuse(reply,
           {400, rpc_code::invalid_request,
            "The header Mcp-Session-Id is missing; send initialize first, then the id that its "
            "answer gives.",
            nullptr},
           id);
    return nullptr;
  }
  const auto found = sessions_.find(std::string{*given});
  if (found != sessions_.end())
    return found->second;
  refuse(reply,
         {404, rpc_code::session_not_found,
          "This session is unknown or has ended; send initialize without Mcp-Session-Id to begin "
          "a new one.",
          nullptr},
         id);
  return nullptr;
}

mcp_endpoint::client_ptr mcp_endpoint::named_client(const std::string& identity,
                                                    const client_origin& origin,
                                                    const http_reply& reply) {
  const auto found = named_.find(identity);
  if (found != named_.end())
    return found->second;
  return start_client(named_, identity, push_policy::never, origin, reply);
}

mcp_endpoint::client_ptr mcp_endpoint::start_client(client_table& table, const std::string& id,
                                                    push_policy policy, const client_origin& origin,
                                                    const http_reply& reply) {
  if (!make_room()) {
    ++counters_.sessions_refused;
    auto out = rpc_refusal(503, rpc_code::internal_error,
                           "Too many clients are connected (" +
                               std::to_string(service_->limit.mcp.sessions) +
                               "); end some or try again later.");
    out.retry_after_seconds = 1;
    reply(std::move(out));
    return nullptr;
  }
  auto client = std::make_shared<mcp_client>(service_, id, policy);
  table.emplace(id, client);
  client->start(origin, [weak = weak_from_this()](mcp_client& ended) {
    if (const auto self = weak.lock())
      self->on_ended(ended);
  });
  sweep_->arm();
  return client;
}

/// Ends the client that has been idle for longest when there are too many; false when all are busy.
bool mcp_endpoint::make_room() {
  if (clients() < service_->limit.mcp.sessions)
    return true;
  const auto now = clock::now();
  client_table* table = nullptr;
  client_table::iterator oldest;
  for (auto* each : {&sessions_, &named_})
    for (auto at = each->begin(); at != each->end(); ++at) {
      const auto used = at->second->last_used();
      if (used < now && (table == nullptr || used < oldest->second->last_used())) {
        table = each;
        oldest = at;
      }
    }
  if (table == nullptr)
    return false;
  ++counters_.sessions_evicted;
  end(*table, oldest);
  return true;
}

void mcp_endpoint::end(client_table& table, client_table::iterator at) {
  const auto client = at->second;
  table.erase(at);
  ending_.insert(client);
  client->end();
}

/// The session in the engine has ended, on our word or of itself.
void mcp_endpoint::on_ended(mcp_client& client) {
  if (ending_.erase(client.shared_from_this()) != 0)
    return;
  for (auto* table : {&sessions_, &named_}) {
    const auto found = table->find(client.id());
    if (found != table->end() && found->second.get() == &client)
      table->erase(found);
  }
}

bool mcp_endpoint::sweep() {
  sweep(sessions_, service_->limit.mcp.session_idle_ms);
  sweep(named_, service_->limit.mcp.stateless_idle_ms);
  return clients() > 0;
}

void mcp_endpoint::sweep(client_table& table, std::uint64_t idle_ms) {
  const auto before = clock::now() - std::chrono::milliseconds(idle_ms);
  for (auto at = table.begin(); at != table.end();) {
    const auto next = std::next(at);
    if (at->second->last_used() < before)
      end(table, at);
    at = next;
  }
}

} // namespace gasoline
