#include "transport/mcp/mcp_sse.hpp"

#include "transport/json_rpc.hpp"
#include "transport/mcp/mcp_headers.hpp"
#include "transport/mcp/mcp_response.hpp"
#include "transport/mcp/mcp_session_id.hpp"
#include "transport/sse/sse_event.hpp"

#include <utility>
#include <variant>

namespace gasoline {
namespace {

constexpr std::string_view sse_path = "/mcp/sse";
constexpr std::string_view messages_path = "/mcp/messages/";

} // namespace

// One client

sse_client::sse_client(std::shared_ptr<mcp_service> service)
    : service_(std::move(service)), last_used_(clock::now()) {}

void sse_client::start(http_stream_ptr out, std::string_view post_path, client_origin origin,
                       std::function<void()> gone) {
  gone_ = std::move(gone);
  stream_ = service_->keepalive->adopt(std::move(out));
  stream_->send(std::make_shared<const std::string>(sse_endpoint(post_path)));
  stream_->on_closed([weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->on_closed();
  });
  stream_->on_drained([weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->tell_congestion();
  });
  link_ = std::make_shared<client_link>(service_->gate, service_->limit.client.unwritten_bytes);
  link_->attach(std::move(origin), weak_from_this());
}

void sse_client::post(rpc_frame frame, http_reply reply) {
  last_used_ = clock::now();
  frame.credit = answer_when_released(std::move(reply), accepted_response());
  link_->send(std::move(frame));
}

void sse_client::end() {
  if (stream_)
    std::exchange(stream_, nullptr)->finish();
  on_closed();
}

void sse_client::on_message(const outgoing_ptr& message) {
  if (!stream_ || !message->text)
    return;
  last_used_ = clock::now();
  stream_->send(std::make_shared<const std::string>(sse_message(*message->text)));
  tell_congestion();
}

void sse_client::on_ended() {
  end();
}

void sse_client::on_closed() {
  stream_ = nullptr;
  link_->close();
  if (gone_)
    std::exchange(gone_, nullptr)();
}

void sse_client::tell_congestion() {
  link_->note_unsent(stream_ ? stream_->unsent() : 0);
}

// The routes

mcp_sse::mcp_sse(std::shared_ptr<mcp_service> service)
    : service_(std::move(service)),
      sweep_(std::make_shared<idle_sweep>(
          service_->gate->io, std::chrono::milliseconds(service_->limit.mcp.session_idle_ms),
          [this] { return sweep(); })) {}

std::vector<http_route> mcp_sse::routes() {
  const auto self = shared_from_this();
  return {{"GET", std::string{sse_path}, 0,
           [self](const http_call& call, const http_reply& reply) { self->on_get(call, reply); }},
          {"POST", std::string{messages_path} + '*', service_->limit.client.line_bytes,
           [self](const http_call& call, const http_reply& reply) { self->on_post(call, reply); }}};
}

void mcp_sse::on_get(const http_call& call, const http_reply& reply) {
  const auto accept = call.head.field("Accept");
  if (accept && !accepts(*accept, "text/event-stream")) {
    reply(rpc_refusal(406, rpc_code::invalid_request,
                      "The Accept header must take text/event-stream."));
    return;
  }
  reply(respond_with_events(
      [weak = weak_from_this(),
       from = client_origin{client_transport::sse, std::string{given_client_name(call.head)}, false,
                            std::string{call.head.origin.value_or("")}}](http_stream_ptr out) {
        if (const auto self = weak.lock())
          self->open(std::move(out), from);
      },
      [] {}));
}

void mcp_sse::open(http_stream_ptr out, const client_origin& from) {
  const auto id = make_mcp_session_id();
  const auto client = std::make_shared<sse_client>(service_);
  clients_.emplace(id, client);
  client->start(std::move(out), std::string{messages_path} + id, from,
                [weak = weak_from_this(), id] {
                  if (const auto self = weak.lock())
                    self->clients_.erase(id);
                });
  sweep_->arm();
}

void mcp_sse::on_post(const http_call& call, const http_reply& reply) {
  const auto found = clients_.find(std::string{call.path.substr(messages_path.size())});
  if (found == clients_.end()) {
    reply(rpc_refusal(404, rpc_code::session_not_found,
                      "This session is unknown or has ended; open a new one with GET /mcp/sse."));
    return;
  }
  auto frame = decode_rpc(call.body, service_->limit);
  if (!frame.batch)
    if (const auto* fault = std::get_if<rpc_fault>(&frame.messages.front())) {
      reply(rpc_refusal(400, fault->code, fault->message, fault->id));
      return;
    }
  found->second->post(std::move(frame), reply);
}

bool mcp_sse::sweep() {
  const auto before = clock::now() - std::chrono::milliseconds(service_->limit.mcp.session_idle_ms);
  std::vector<std::shared_ptr<sse_client>> idle;
  for (const auto& [id, client] : clients_)
    if (client->last_used() < before)
      idle.push_back(client);
  for (const auto& client : idle)
    client->end(); // takes itself out of the table
  return !clients_.empty();
}

} // namespace gasoline
