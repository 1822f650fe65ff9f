#include "transport/mcp/mcp_client.hpp"

#include "messages/base/json/json_text.hpp"
#include "transport/mcp/mcp_headers.hpp"
#include "transport/mcp/mcp_response.hpp"
#include "transport/mcp/mcp_session_id.hpp"
#include "transport/sse/sse_event.hpp"

#include <boost/asio/post.hpp>

#include <iterator>
#include <utility>

namespace gasoline {
namespace {

constexpr std::uint64_t push_stream = 0; // its number in the event store
/// A log message of the server that says so (`notifications/message`).
std::string lost_messages_text(std::uint64_t lost) {
  std::string data;
  json_object_writer{data}
      .text("title", std::to_string(lost) + " messages were sent while you were away and are no "
                                            "longer kept")
      .number("missed", lost)
      .text("next", R"(observe {"what":"alerts"})")
      .close();
  std::string params;
  json_object_writer{params}
      .text("level", "warning")
      .text("logger", "gasoline")
      .raw("data", data)
      .close();
  std::string out;
  json_object_writer{out}
      .text("jsonrpc", "2.0")
      .text("method", "notifications/message")
      .raw("params", params)
      .close();
  return out;
}

constexpr std::size_t tag_bytes = 8; // 32 random bits tell one session's ids from another's

} // namespace

mcp_client::mcp_client(std::shared_ptr<mcp_service> service, std::string id, push_policy policy)
    : service_(std::move(service)),
      id_(std::move(id)),
      policy_(policy),
      store_(make_mcp_session_id().substr(0, tag_bytes), service_->stored, service_->limit),
      waiting_(service_->stored, service_->limit),
      last_used_(clock::now()) {}

void mcp_client::start(client_origin origin, std::function<void(mcp_client&)> ended) {
  ended_ = std::move(ended);
  link_ = std::make_shared<client_link>(service_->gate, service_->limit.client.unwritten_bytes);
  link_->attach(std::move(origin), weak_from_this());
}

mcp_client::clock::time_point mcp_client::last_used() const {
  return push_ || !exchanges_.empty() ? clock::now() : last_used_;
}

void mcp_client::end() {
  closing_ = true;
  waiting_.take();
  if (push_)
    std::exchange(push_, nullptr)->finish();
  link_->close();
}

// What the client sends

void mcp_client::post(mcp_post request) {
  touch();
  const auto id = ++last_exchange_;
  auto& e = exchanges_[id];
  e.id = id;
  e.era = request.era;
  e.form = request.form;
  e.opens_session = request.opens_session;
  e.batch = request.frame.batch;
  e.reply = std::move(request.reply);
  // In the older era a client that goes has not cancelled anything.
  if (e.era == mcp_era::modern)
    request.watch([weak = weak_from_this(), id] {
      if (const auto self = weak.lock())
        self->on_exchange_closed(id);
    });
  if (e.form != answer_form::json)
    service_->late_answers->add([weak = weak_from_this(), id] {
      if (const auto self = weak.lock())
        self->on_late(id);
    });
  request.frame.exchange = id;
  link_->send(std::move(request.frame));
}

void mcp_client::notify(rpc_frame frame, http_reply reply, http_response answer) {
  touch();
  frame.credit = answer_when_released(std::move(reply), std::move(answer));
  link_->send(std::move(frame));
}

// What the session sends

void mcp_client::on_message(const outgoing_ptr& message) {
  if (message->exchange == 0) {
    if (message->text)
      push(message->text);
    return;
  }
  const auto found = exchanges_.find(message->exchange);
  if (found == exchanges_.end()) {
    ++service_->messages_dropped; // cancelled by its client
    return;
  }
  on_exchange_message(found->second, *message);
}

void mcp_client::on_exchange_message(exchange& e, const outgoing& message) {
  if (message.close_stream)
    close_early(e);
  else if (message.last)
    on_last_message(e, message);
  else if (message.text && e.form == answer_form::json)
    ++service_->messages_dropped;
  else if (message.text)
    send_message(e, *message.text);
}

void mcp_client::on_last_message(exchange& e, const outgoing& message) {
  touch();
  const bool stays_closed = e.opens_session && message.error_code != 0;
  if (e.at != stage::asked) {
    if (message.text)
      send_message(e, *message.text);
    finish(e);
  } else if (message.text) {
    answer_json(e, message);
  } else {
    answer_nothing(e);
  }
  if (stays_closed)
    end();
}

void mcp_client::answer_json(exchange& e, const outgoing& message) {
  http_response out;
  if (e.era == mcp_era::modern)
    out.status = modern_status(message.error_code);
  else if (e.batch && message.error_code != 0)
    out.status = 400; // refused as a whole: only 2025-03-26 has batches
  if (message.error_code == 0)
    out.headers = session_header(e);
  out.body = *message.text;
  e.reply(std::move(out));
  exchanges_.erase(e.id);
}

/// The request was cancelled, so there is no response to give: a stream that ends at once.
void mcp_client::answer_nothing(exchange& e) {
  http_response out;
  out.content_type = "text/event-stream";
  out.body = sse_comment;
  e.reply(std::move(out));
  exchanges_.erase(e.id);
}

std::string mcp_client::session_header(const exchange& e) const {
  return e.opens_session ? "Mcp-Session-Id: " + id_ + "\r\n" : std::string{};
}

// Streams of exchanges

/// The client stays until the response has begun or is lost, which is soon, though it may have
/// ended meanwhile.
http_response mcp_client::stream_response(std::function<void(mcp_client&, http_stream_ptr)> open,
                                          std::function<void(mcp_client&)> lost) {
  const auto weak = weak_from_this();
  return respond_with_events([self = shared_from_this(), open = std::move(open)](
                                 http_stream_ptr out) { open(*self, std::move(out)); },
                             [weak, io = service_->gate->io, lost = std::move(lost)] {
                               boost::asio::post(io, [weak, lost] {
                                 if (const auto self = weak.lock())
                                   lost(*self);
                               });
                             });
}

void mcp_client::begin_stream(exchange& e) {
  e.at = stage::opening;
  auto response = stream_response(
      [id = e.id](mcp_client& self, http_stream_ptr out) {
        self.on_exchange_stream(id, std::move(out));
      },
      [id = e.id](mcp_client& self) { self.on_exchange_closed(id); });
  response.headers += session_header(e);
  std::exchange(e.reply, nullptr)(std::move(response));
  if (e.form == answer_form::primed)
    send_event(e, store_.add_priming(e.id));
}

void mcp_client::on_late(exchange_id id) {
  const auto found = exchanges_.find(id);
  if (found != exchanges_.end() && found->second.at == stage::asked)
    begin_stream(found->second);
}

void mcp_client::send_message(exchange& e, const std::string& text) {
  if (e.at == stage::asked)
    begin_stream(e);
  // 2026-07-28 has no resumption.
  send_event(e, e.era == mcp_era::modern ? std::make_shared<const std::string>(sse_message(text))
                                         : store_.add(e.id, text));
}

/// A client that is away finds the event in the store.
void mcp_client::send_event(exchange& e, const sse_text& frame) {
  if (e.at == stage::open)
    e.stream->send(frame);
  else if (e.at == stage::opening)
    e.unsent.push_back(frame);
}

void mcp_client::on_exchange_stream(exchange_id id, http_stream_ptr out) {
  const auto found = exchanges_.find(id);
  if (found == exchanges_.end() || found->second.at != stage::opening) {
    out->finish();
    return;
  }
  auto& e = found->second;
  adopt_stream(e, std::move(out), std::exchange(e.unsent, {}));
  if (e.complete)
    finish(e);
  else if (e.ends_early)
    close_early(e);
}

void mcp_client::adopt_stream(exchange& e, http_stream_ptr out,
                              const std::vector<sse_text>& events) {
  e.at = stage::open;
  e.stream = service_->keepalive->adopt(std::move(out));
  for (const auto& frame : events)
    e.stream->send(frame);
  e.stream->on_closed([weak = weak_from_this(), id = e.id, stream = e.stream.get()] {
    if (const auto self = weak.lock())
      self->on_stream_closed(id, stream);
  });
}

void mcp_client::on_stream_closed(exchange_id id, const sse_response* stream) {
  const auto found = exchanges_.find(id);
  if (found != exchanges_.end() && found->second.stream.get() == stream)
    on_exchange_closed(id);
}

/// Ends the stream and keeps the exchange, for a client that can come back.
void mcp_client::close_early(exchange& e) {
  if (e.form != answer_form::primed)
    return;
  if (e.at == stage::asked)
    begin_stream(e);
  if (e.at == stage::opening) {
    e.ends_early = true;
    return;
  }
  if (e.at == stage::open)
    std::exchange(e.stream, nullptr)->finish();
  e.ends_early = false;
  e.at = stage::away;
}

void mcp_client::finish(exchange& e) {
  e.complete = true;
  if (e.at == stage::opening)
    return;
  if (e.stream)
    e.stream->finish();
  store_.close(e.id);
  exchanges_.erase(e.id);
}

void mcp_client::on_exchange_closed(exchange_id id) {
  const auto found = exchanges_.find(id);
  if (found == exchanges_.end())
    return;
  touch();
  auto& e = found->second;
  e.at = stage::away;
  e.stream = nullptr;
  e.unsent.clear();
  if (e.era == mcp_era::modern && !e.complete) {
    link_->cancel(id);
    exchanges_.erase(found);
  } else if (e.complete) {
    finish(e);
  }
}

// The stream of unsolicited messages

void mcp_client::push(const rpc_text& text) {
  if (!push_) {
    keep_waiting(text);
    return;
  }
  push_->send(store_.add(push_stream, *text));
  touch();
  tell_congestion();
}

void mcp_client::keep_waiting(const rpc_text& text) {
  if (closing_ || policy_ == push_policy::never) {
    ++service_->messages_dropped;
    return;
  }
  service_->messages_dropped += waiting_.add(text);
}

void mcp_client::tell_congestion() {
  link_->note_unsent(push_ ? push_->unsent() : 0);
}

void mcp_client::open_stream(const http_reply& reply,
                             const std::optional<std::string>& last_event_id, answer_form form) {
  touch();
  const auto last = last_event_id ? store_.parse(*last_event_id) : std::nullopt;
  if (last_event_id && (!last || last->stream > last_exchange_)) {
    reply(rpc_refusal(400, rpc_code::invalid_request,
                      "The Last-Event-ID is none that this session has sent; leave it out to get "
                      "new messages only."));
    return;
  }
  if (last && !store_.after(*last)) {
    reply(rpc_refusal(400, rpc_code::invalid_request,
                      "What followed this Last-Event-ID is no longer kept; leave it out and send "
                      "the request again."));
    return;
  }
  const bool resumes_exchange = last && last->stream != push_stream;
  reply(stream_response(
      [last, form, resumes_exchange](mcp_client& self, http_stream_ptr out) {
        if (resumes_exchange)
          self.on_resumed(*last, std::move(out));
        else
          self.on_push_stream(std::move(out), last, form);
      },
      [](mcp_client&) {}));
}

void mcp_client::on_push_stream(http_stream_ptr out, const std::optional<event_id>& after,
                                answer_form form) {
  if (closing_) {
    out->finish();
    return;
  }
  if (push_)
    push_->finish(); // perhaps half dead; its client has come back
  push_ = service_->keepalive->adopt(std::move(out));
  push_->on_closed([weak = weak_from_this(), stream = push_.get()] {
    if (const auto self = weak.lock())
      self->on_push_closed(stream);
  });
  push_->on_drained([weak = weak_from_this()] {
    if (const auto self = weak.lock())
      self->tell_congestion();
  });
  tell_missed(after);
  if (!after && form == answer_form::primed)
    push_->send(store_.add_priming(push_stream));
  for (const auto& text : waiting_.take())
    push_->send(store_.add(push_stream, *text));
  tell_congestion();
}

/// What was sent while the client was away, and how much of it is gone: once as a comment, and once
/// as a message, since clients hand only those on.
void mcp_client::tell_missed(const std::optional<event_id>& after) {
  const auto missed = after ? store_.after(*after).value_or(missed_events{}) : missed_events{};
  const auto lost = missed.lost + waiting_.take_lost();
  if (lost > 0) {
    push_->send(std::make_shared<const std::string>(": " + std::to_string(lost) +
                                                    " messages are no longer kept\n\n"));
    // Kept and sent without an id of its own, so that the place of the client stays what it was.
    push_->send(std::make_shared<const std::string>(sse_message(lost_messages_text(lost))));
  }
  for (const auto& frame : missed.kept)
    push_->send(frame);
}

void mcp_client::on_push_closed(const sse_response* stream) {
  if (push_.get() != stream)
    return;
  touch();
  push_ = nullptr;
  tell_congestion();
}

// Coming back

void mcp_client::on_resumed(const event_id& last, http_stream_ptr out) {
  const auto events = store_.after(last).value_or(missed_events{}).kept;
  const auto found = exchanges_.find(last.stream);
  if (found == exchanges_.end()) {
    for (const auto& frame : events)
      out->write(frame);
    out->finish();
    return;
  }
  auto& e = found->second;
  if (e.stream)
    e.stream->finish(); // perhaps half dead; its client has come back
  adopt_stream(e, std::move(out), events);
}

void mcp_client::on_ended() {
  closing_ = true;
  if (push_)
    std::exchange(push_, nullptr)->finish();
  // A reply that is dropped answers 503. What was written for a stream that is about to open is
  // still sent there.
  for (auto at = exchanges_.begin(); at != exchanges_.end();) {
    auto& e = at->second;
    if (e.stream)
      e.stream->finish();
    e.complete = true;
    at = e.at == stage::opening ? std::next(at) : exchanges_.erase(at);
  }
  if (ended_)
    std::exchange(ended_, nullptr)(*this);
}

} // namespace gasoline
