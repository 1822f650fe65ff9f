#include "transport/http/http_connection.hpp"

#include "messages/base/own_log.hpp"
#include "transport/http/http_chunk_stream.hpp"
#include "transport/http/http_head.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/error.hpp>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <limits>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

constexpr std::size_t body_read_bytes = 65536; // one read of a large body
constexpr std::size_t most_written_at_once = 1U << 20U;
constexpr std::size_t least_read_bytes = 512; // when the header cap is set very low

/// Lines of a head. The parser keeps about 80 bytes for each that it has read beside its text, so
/// that a head of short lines would take twenty times its bytes.
std::uint64_t most_head_lines(std::uint64_t header_bytes) {
  constexpr std::uint64_t bytes_for_each = 128;
  constexpr std::uint64_t least = 100;
  return std::max(header_bytes / bytes_for_each, least);
}

std::uint64_t lines_in(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

/// Runs one step of an asynchronous operation; no exception leaves for the io loop.
template <class F>
void http_connection::guarded(F step) {
  try {
    step();
  } catch (const std::exception& e) {
    own_log::debug("http: a connection failed: {}", e.what());
    close();
  }
}

/// Carries one response back to the io thread. When all copies of the reply are gone and none was
/// called, the client still gets an answer.
class http_connection::reply_slot {
 public:
  reply_slot(const http_executor& executor, std::weak_ptr<http_connection> connection)
      : executor_(executor), connection_(std::move(connection)) {}
  reply_slot(const reply_slot&) = delete;
  reply_slot& operator=(const reply_slot&) = delete;

  ~reply_slot() {
    if (answered_)
      return;
    try {
      answer(http_error(503, "The engine dropped this request, for it is stopping or has failed; "
                             "send it again."));
    } catch (const std::exception& e) {
      own_log::debug("http: a dropped request got no answer: {}", e.what());
    }
  }

  void answer(http_response response) {
    if (std::exchange(answered_, true))
      return;
    asio::post(executor_, [connection = connection_, response = std::move(response)]() mutable {
      if (const auto self = connection.lock())
        self->guarded([&] { self->on_reply(std::move(response)); });
    });
  }

 private:
  http_executor executor_;
  std::weak_ptr<http_connection> connection_;
  bool answered_ = false;
};

http_connection::http_connection(http_socket socket, std::shared_ptr<http_traffic> traffic)
    : socket_(std::move(socket)),
      traffic_(std::move(traffic)),
      share_(traffic_),
      deadline_(socket_.get_executor()) {}

void http_connection::start() {
  traffic_->open.insert(shared_from_this());
  deadline_.on_passed(weak_from_this(), [this] { guarded([&] { on_deadline(); }); });
  begin_request();
  expire_after(traffic_->limit.http.read_timeout_ms);
  read();
}

void http_connection::close() {
  if (std::exchange(phase_, phase::closed) == phase::closed)
    return;
  const auto self = shared_from_this(); // `open` may hold the last reference
  error_code ignored;
  hangup_ = nullptr;
  socket_.close(ignored);
  deadline_.stop();
  share_.hold(0);
  share_.keep_unsent(0);
  if (gone_)
    asio::post(socket_.get_executor(), std::exchange(gone_, nullptr));
  if (stream_) {
    --traffic_->streams;
    std::exchange(stream_, nullptr)->detach();
  }
  traffic_->open.erase(self);
}

// Reading

void http_connection::begin_request() {
  head_ = {};
  plan_ = {};
  head_bytes_ = 0;
  head_lines_ = 0;
  hangup_ = nullptr;
  parser_.emplace();
  const auto cap = std::min<std::uint64_t>(traffic_->limit.http.header_bytes,
                                           std::numeric_limits<std::uint32_t>::max());
  parser_->header_limit(static_cast<std::uint32_t>(cap));
  parser_->body_limit(boost::none); // each route has its own
  phase_ = phase::idle;
  free_body_buffer();
}

/// What a large body was read into is kept for nothing else.
void http_connection::free_body_buffer() {
  if (buffer_.size() == 0 && buffer_.capacity() > body_read_bytes / 2)
    buffer_.shrink_to_fit();
}

void http_connection::read() {
  // What holds a head has room for the longest one, not for twice as much, as it would grow to.
  const auto longest_head =
      std::max<std::uint64_t>(traffic_->limit.http.header_bytes + 1, least_read_bytes);
  const bool of_body = phase_ == phase::body;
  buffer_.max_size(of_body ? std::numeric_limits<std::size_t>::max() : longest_head);
  const auto room = of_body
                        ? body_read_bytes
                        : std::min<std::uint64_t>(longest_head - buffer_.size(), body_read_bytes);
  socket_.async_read_some(buffer_.prepare(room),
                          [self = shared_from_this()](const error_code& ec, std::size_t bytes) {
                            self->guarded([&] { self->on_read(ec, bytes); });
                          });
}

void http_connection::on_read(const error_code& ec, std::size_t bytes) {
  if (phase_ == phase::closed)
    return;
  if (timed_out_) {
    timed_out_ = false;
    refuse_and_close(http_error(408, "The request did not arrive in time; send it again."));
    return;
  }
  if (ec == asio::error::eof && (phase_ == phase::head || phase_ == phase::body)) {
    refuse_and_close(http_error(400, "The request ended before it was complete; send all of it."));
    return;
  }
  if (ec) {
    close();
    return;
  }
  buffer_.commit(bytes);
  if (phase_ == phase::lingering)
    discard(bytes);
  else
    pump();
}

void http_connection::pump() {
  if (buffer_.size() == 0) {
    read();
    return;
  }
  if (phase_ == phase::idle) {
    phase_ = phase::head;
    expire_after(traffic_->limit.http.read_timeout_ms);
  }
  if (phase_ == phase::head)
    read_head();
  else
    read_body();
}

void http_connection::read_head() {
  error_code ec;
  const std::size_t used = parser_->put(buffer_.data(), ec);
  head_lines_ += lines_in({static_cast<const char*>(buffer_.data().data()), used});
  buffer_.consume(used);
  head_bytes_ += used;
  // The parser's own limit counts anew for every piece that arrives.
  const bool incomplete = ec == http::error::need_more;
  const std::uint64_t seen = head_bytes_ + (incomplete ? buffer_.size() : 0);
  if (ec == http::error::header_limit || seen > traffic_->limit.http.header_bytes)
    refuse_and_close(http_error(431, "The request line and headers are larger than " +
                                         std::to_string(traffic_->limit.http.header_bytes) +
                                         " bytes; send fewer or shorter headers."));
  else if (head_lines_ > most_head_lines(traffic_->limit.http.header_bytes))
    refuse_lines();
  else if (incomplete)
    read();
  else if (ec)
    refuse_parse_error(ec);
  else
    on_head();
}

void http_connection::refuse_lines() {
  const auto most = most_head_lines(traffic_->limit.http.header_bytes);
  refuse_and_close(http_error(431, "The request has more than " + std::to_string(most) +
                                       " headers or trailers; send fewer."));
}

/// Whose program the client is; asked once, for a connection keeps its ends.
peer_user http_connection::client_user() {
  if (!user_) {
    error_code ec;
    const auto peer = socket_.remote_endpoint(ec);
    const auto own = ec ? peer : socket_.local_endpoint(ec);
    user_ = ec ? peer_user::unknown : judge_peer(peer, own);
  }
  return *user_;
}

void http_connection::on_head() {
  head_ = view_of(parser_->get().base());
  head_.user = client_user();
  plan_ = traffic_->router.plan(head_);
  if (plan_.refused)
    traffic_->refusals.add(*plan_.refused, head_.origin.value_or(std::string_view{}));
  const bool takes_body = !plan_.answer && plan_.route->body_cap != 0;
  // The parser takes a transfer coding that it does not know for no body at all.
  const bool body_comes =
      !parser_->is_done() || (!head_.transfer_encoding.empty() && !parser_->chunked());
  // A body that no route looks at is not read; the connection ends with the answer instead.
  if (!parser_->keep_alive() || (body_comes && !takes_body))
    fate_ = connection_fate::close;
  if (plan_.answer) {
    if (plan_.answer->status >= 400)
      refuse(std::move(*plan_.answer));
    else
      respond(std::move(*plan_.answer));
    return;
  }
  if (!body_comes || !takes_body) {
    on_request();
    return;
  }
  const std::uint64_t length = parser_->content_length().value_or(0);
  if (length > plan_.route->body_cap) {
    refuse_and_close(traffic_->router.body_too_large(*plan_.route, head_));
    return;
  }
  if (share_.is_overloaded(length)) {
    refuse_overload();
    return;
  }
  parser_->body_limit(plan_.route->body_cap);
  parser_->eager(true);
  phase_ = phase::body;
  if (!head_.expect.empty() && !head_.http_1_0 && buffer_.size() == 0)
    send_continue();
  else
    pump();
}

void http_connection::read_body() {
  error_code ec;
  buffer_.consume(parser_->put(buffer_.data(), ec));
  share_.hold(parser_->get().body().size());
  if (ec == http::error::body_limit) {
    refuse_and_close(traffic_->router.body_too_large(*plan_.route, head_));
    return;
  }
  if (share_.is_overloaded(0)) {
    refuse_overload();
    return;
  }
  if (ec && ec != http::error::need_more) {
    refuse_parse_error(ec);
    return;
  }
  if (parser_->is_done()) {
    const auto& fields = parser_->get().base(); // the trailers are among them
    const auto count = std::distance(fields.begin(), fields.end());
    if (static_cast<std::uint64_t>(count) > most_head_lines(traffic_->limit.http.header_bytes))
      refuse_lines();
    else
      on_request();
    return;
  }
  // What the parser leaves here is a chunk header or trailers, which it does not limit.
  if (buffer_.size() > traffic_->limit.http.header_bytes) {
    refuse_and_close(http_error(431, "A chunk header or trailer is larger than " +
                                         std::to_string(traffic_->limit.http.header_bytes) +
                                         " bytes; send shorter ones."));
    return;
  }
  read();
}

void http_connection::send_continue() {
  static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
  asio::async_write(socket_, asio::buffer(go_on),
                    [self = shared_from_this()](const error_code& ec, std::size_t) {
                      self->guarded([&] {
                        if (ec)
                          self->close();
                        else if (self->phase_ == phase::body)
                          self->read();
                      });
                    });
}

// Serving

void http_connection::on_request() {
  phase_ = phase::waiting;
  deadline_.clear();
  free_body_buffer(); // the answer may take long
  auto body = std::move(parser_->get().body());
  if (plan_.coding == content_coding::identity) {
    serve(std::move(body));
    return;
  }
  traffic_->inflater->inflate(plan_.coding, std::move(body), traffic_->limit.http.inflated_bytes,
                              [weak = weak_from_this()](inflated_body inflated) {
                                if (const auto self = weak.lock())
                                  self->on_inflated(std::move(inflated));
                              });
}

void http_connection::on_inflated(inflated_body inflated) {
  if (phase_ != phase::waiting)
    return;
  guarded([&] {
    auto refusal = traffic_->router.inflate_refusal(plan_, head_, inflated.status);
    if (!refusal) {
      serve(std::move(inflated.bytes));
      return;
    }
    if (refusal->status == 413)
      ++traffic_->counters.requests_inflated_too_far;
    refuse(std::move(*refusal));
  });
}

void http_connection::serve(std::string body) {
  share_.hold(body.size());
  if (share_.is_overloaded(0)) {
    refuse_overload();
    return;
  }
  if (plan_.path == page_script_path)
    traffic_->arrivals.note_script_load(arrival_log::time_point::clock::now());
  traffic_->router.serve(plan_, head_, std::move(body), make_reply(), make_watch());
}

http_reply http_connection::make_reply() {
  auto slot = std::make_shared<reply_slot>(socket_.get_executor(), weak_from_this());
  return [slot = std::move(slot)](http_response response) { slot->answer(std::move(response)); };
}

void http_connection::on_reply(http_response response) {
  if (phase_ == phase::waiting)
    respond(std::move(response));
}

void http_connection::refuse_overload() {
  ++traffic_->counters.requests_overloaded;
  auto response = body_refusal(*plan_.route, head_, 429,
                               "Too many bytes are being handled at this moment; send this again "
                               "after a second.");
  response.retry_after_seconds = 1;
  if (parser_->is_done())
    refuse(std::move(response));
  else
    refuse_and_close(std::move(response));
}

void http_connection::refuse_parse_error(const error_code& ec) {
  refuse_and_close(http_error(400, "This is no valid HTTP/1.1 request (" + ec.message() +
                                       "); check how it is made."));
}

void http_connection::refuse_and_close(http_response response) {
  fate_ = connection_fate::close;
  refuse(std::move(response));
}

void http_connection::refuse(http_response response) {
  ++traffic_->counters.requests_refused;
  if (response.status == 401 || response.status == 403)
    traffic_->arrivals.note_refusal(head_.origin.value_or(std::string_view{}),
                                    head_.target.substr(0, head_.target.find('?')), response.status,
                                    response.body, arrival_log::time_point::clock::now());
  own_log::debug("http: refused with {}", response.status);
  respond(std::move(response));
}

void http_connection::respond(http_response response) {
  const bool head_only = head_.method == "HEAD";
  gone_ = nullptr;
  if (response.stream && !head_only) {
    begin_stream(std::move(response));
    return;
  }
  if (response.takeover) {
    begin_takeover(std::move(response));
    return;
  }
  if (!head_only && !share_.has_room_for(response.body.size())) {
    refuse_answer();
    return;
  }
  write_response(std::move(response), body_framing::sized);
}

/// What the request asked for has been done; only the answer is left out.
void http_connection::refuse_answer() {
  ++traffic_->counters.answers_refused;
  auto response = http_error(429, "Clients have not read what was sent to them before, so there is "
                                  "no room for this answer; ask again after a second.");
  response.retry_after_seconds = 1;
  respond(std::move(response));
}

void http_connection::write_response(http_response response, body_framing framing) {
  const bool head_only = head_.method == "HEAD";
  phase_ = phase::writing;
  ++traffic_->counters.requests;
  share_.hold(0);
  out_head_ = render_head(response, plan_.allowed_origin, fate_, framing);
  const bool bodiless = head_only || response.status == 204 || response.status == 304;
  out_body_ = bodiless ? std::string() : std::move(response.body);
  share_.keep_unsent(out_body_.size());
  expect_progress();
  const std::array<asio::const_buffer, 2> parts{asio::buffer(out_head_), asio::buffer(out_body_)};
  const auto go_on = [this](const error_code& ec, std::size_t) -> std::size_t {
    if (ec)
      return 0;
    expect_progress();
    return most_written_at_once;
  };
  asio::async_write(socket_, parts, go_on,
                    [self = shared_from_this()](const error_code& ec, std::size_t) {
                      self->guarded([&] { self->on_written(ec); });
                    });
}

void http_connection::on_written(const error_code& ec) {
  if (phase_ != phase::writing)
    return;
  if (ec) {
    close();
    return;
  }
  out_body_ = {}; // an idle connection keeps nothing of it
  share_.keep_unsent(0);
  if (takeover_) {
    hand_over();
    return;
  }
  if (fate_ == connection_fate::close) {
    linger();
    return;
  }
  next_request();
}

void http_connection::next_request() {
  begin_request();
  expire_after(traffic_->limit.http.idle_timeout_ms);
  pump();
}

/// Waits for the client to read the last response: closing with unread bytes in the socket would
/// reset the connection and take the response with it.
void http_connection::linger() {
  phase_ = phase::lingering;
  head_ = {};
  plan_ = {};
  parser_.reset();
  error_code ec;
  socket_.shutdown(http_socket::shutdown_send, ec);
  expire_after(traffic_->limit.http.read_timeout_ms);
  discard(buffer_.size());
}

void http_connection::discard(std::size_t bytes) {
  buffer_.clear();
  discarded_bytes_ += bytes;
  if (discarded_bytes_ > traffic_->limit.http.body_bytes)
    close();
  else
    read();
}

// Other protocols

void http_connection::begin_takeover(http_response response) {
  if (traffic_->streams >= traffic_->limit.http.streams) {
    refuse_stream();
    return;
  }
  takeover_ = std::move(response.takeover);
  write_response(std::move(response), body_framing::upgraded);
}

/// The socket leaves; what is still under way here finds a closed connection.
void http_connection::hand_over() {
  ++traffic_->counters.websockets;
  phase_ = phase::closed;
  deadline_.stop();
  error_code ignored;
  socket_.cancel(ignored);
  const auto early = buffer_.data();
  http_takeover taken{std::move(socket_),
                      std::string{static_cast<const char*>(early.data()), early.size()}, traffic_};
  traffic_->open.erase(shared_from_this());
  std::exchange(takeover_, nullptr)(taken);
}

// Streamed responses

void http_connection::begin_stream(http_response response) {
  if (traffic_->streams >= traffic_->limit.http.streams) {
    refuse_stream();
    return;
  }
  const bool chunked = !head_.http_1_0;
  if (!chunked)
    fate_ = connection_fate::close;
  const auto framing = chunked ? body_framing::chunked : body_framing::until_close;
  phase_ = phase::streaming;
  ++traffic_->counters.requests;
  ++traffic_->counters.streams;
  ++traffic_->streams;
  share_.hold(0);
  stream_ = std::make_shared<http_chunk_stream>(
      socket_.get_executor(), weak_from_this(), framing, traffic_->limit.http.stream_unsent_bytes,
      render_head(response, plan_.allowed_origin, fate_, framing));
  // An idle stream may stay for hours, so it keeps none of what its request needed.
  head_ = {};
  plan_ = {};
  parser_.reset();
  if (buffer_.size() == 0)
    buffer_.shrink_to_fit();
  deadline_.clear();
  watch_client();
  const auto stream = stream_;
  stream->write(std::move(response.body));
  response.stream(stream);
  if (phase_ == phase::streaming)
    stream->start(*this);
}

void http_connection::refuse_stream() {
  ++traffic_->counters.streams_refused;
  auto response =
      http_error(503, "Too many streams are open (" + std::to_string(traffic_->limit.http.streams) +
                          "); close some or try again later.");
  response.retry_after_seconds = 1;
  refuse(std::move(response));
}

void http_connection::write_stream(std::span<const asio::const_buffer> parts) {
  expect_progress();
  socket_.async_write_some(parts, [self = shared_from_this(),
                                   stream = stream_](const error_code& ec, std::size_t bytes) {
    self->guarded([&] { self->on_stream_written(ec, bytes); });
  });
}

void http_connection::on_stream_written(const error_code& ec, std::size_t bytes) {
  if (phase_ != phase::streaming)
    return;
  if (ec) {
    close();
    return;
  }
  deadline_.clear();
  const auto stream = stream_;
  stream->on_written(*this, bytes);
}

void http_connection::end_stream() {
  --traffic_->streams;
  std::exchange(stream_, nullptr)->detach();
  share_.keep_unsent(0);
  if (fate_ == connection_fate::close)
    linger();
  else
    next_request();
}

void http_connection::disconnect_slow_reader() {
  ++traffic_->counters.streams_overflowed;
  close();
}

http_watch http_connection::make_watch() {
  return [weak = weak_from_this()](std::function<void()> gone) {
    const auto self = weak.lock();
    if (!self || self->phase_ != phase::waiting)
      return;
    self->gone_ = std::move(gone);
    self->watch_client();
  };
}

/// Waits for the client to send or to go, without holding a buffer for it.
void http_connection::watch_client() {
  if (std::exchange(watching_, true))
    return;
  socket_.async_wait(http_socket::wait_read, [self = shared_from_this()](const error_code& ec) {
    self->guarded([&] { self->on_client_readable(ec); });
  });
}

void http_connection::on_client_readable(const error_code& ec) {
  watching_ = false;
  // In any other phase the request that these bytes belong to is being read.
  if (ec || (phase_ != phase::streaming && phase_ != phase::waiting))
    return;
  if (take_early_bytes())
    watch_client();
}

/// Keeps what the client sent ahead of its turn; whether to go on watching.
bool http_connection::take_early_bytes() {
  error_code ec;
  const std::size_t ready = socket_.available(ec);
  if (ec || ready == 0) { // readable without bytes: it has ended
    close();
    return false;
  }
  const std::uint64_t cap = traffic_->limit.http.header_bytes;
  if (buffer_.size() >= cap) {
    watch_for_hangup();
    return false; // the rest waits in the socket until this response has ended
  }
  const std::size_t room = std::min<std::uint64_t>(ready, cap - buffer_.size());
  const std::size_t got = socket_.read_some(buffer_.prepare(room), ec);
  buffer_.commit(got);
  if (ec)
    close();
  return !ec;
}

/// The socket stays readable from now on, so that it cannot tell that the client has gone.
void http_connection::watch_for_hangup() {
  if (hangup_)
    return;
  hangup_ = std::make_unique<hangup_watch>(socket_.get_executor());
  hangup_->start(socket_.native_handle(), [weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self && (self->phase_ == phase::streaming || self->phase_ == phase::waiting))
      self->guarded([&] { self->close(); });
  });
}

// Deadlines

void http_connection::expire_after(std::uint64_t milliseconds) {
  deadline_.set(std::chrono::milliseconds{milliseconds});
}

/// A client may take a response slowly, but has to take something of it in time.
void http_connection::expect_progress() {
  untaken_.reset();
  expire_after((traffic_->limit.http.read_timeout_ms + 1) / 2); // looks at half of the time
}

/// Whether the client may have more time. The socket takes more only once a good part of its buffer
/// is free, so the client's own progress counts, not that of the writing.
bool http_connection::has_progressed() {
  if (phase_ != phase::writing && phase_ != phase::streaming)
    return false;
  int untaken = 0;
  if (::ioctl(socket_.native_handle(), SIOCOUTQ, &untaken) != 0)
    return false;
  const bool looks_first = !untaken_;
  const bool took_some = untaken_ && untaken < *untaken_;
  untaken_ = untaken;
  return looks_first || took_some;
}

void http_connection::on_deadline() {
  if (has_progressed()) {
    expire_after((traffic_->limit.http.read_timeout_ms + 1) / 2);
    return;
  }
  if (phase_ != phase::head && phase_ != phase::body) {
    traffic_->counters.streams_stalled += phase_ == phase::streaming ? 1 : 0;
    close();
    return;
  }
  ++traffic_->counters.timeouts;
  timed_out_ = true;
  error_code ignored;
  socket_.cancel(ignored); // the read that is under way ends and answers 408
}

} // namespace gasoline
