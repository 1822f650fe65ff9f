#include "transport/websocket/websocket_connection.hpp"

#include "messages/base/own_log.hpp"
#include "transport/http/http_traffic.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <exception>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::size_t websocket_read_bytes = 16'384;

} // namespace

/// Runs one step of an asynchronous operation; no exception leaves for the io loop.
template <class F>
void websocket_connection::guarded(F step) {
  try {
    step();
  } catch (const std::exception& e) {
    own_log::debug("websocket: a connection failed: {}", e.what());
    end();
  }
}

websocket_connection::websocket_connection(http_takeover& from,
                                           const limits_of<http_room, session_room>& limit,
                                           websocket_handlers handlers)
    : socket_(std::move(from.socket)),
      traffic_(std::move(from.traffic)),
      early_(std::move(from.early)),
      handlers_(std::move(handlers)),
      reader_(limit.session.client_frame_bytes),
      close_time_(limit.session.close_ms),
      discard_cap_(limit.http.body_bytes),
      live_buffer_bytes_(limit.session.send_buffer_bytes),
      replay_buffer_bytes_(limit.session.replay_buffer_bytes) {
  error_code ignored;
  socket_.non_blocking(true, ignored);
  set_pace(frame_pace::live);
}

void websocket_connection::start() {
  traffic_->taken.insert(shared_from_this());
  ++traffic_->streams;
  const auto early = std::exchange(early_, {});
  guarded([&] {
    take(early);
    wait_for_bytes();
  });
}

// Reading

void websocket_connection::wait_for_bytes() {
  if (phase_ == phase::ended)
    return;
  socket_.async_wait(http_socket::wait_read, [self = shared_from_this()](const error_code& ec) {
    self->guarded([&] {
      if (ec)
        self->end();
      else
        self->read();
    });
  });
}

/// One read at a time, so that a peer that floods does not keep others waiting.
void websocket_connection::read() {
  if (phase_ == phase::ended)
    return;
  std::array<char, websocket_read_bytes> bytes;
  error_code ec;
  const auto got = socket_.read_some(asio::buffer(bytes), ec);
  if (ec && ec != asio::error::would_block && ec != asio::error::interrupted) {
    end();
    return;
  }
  take({bytes.data(), got});
  wait_for_bytes();
}

void websocket_connection::take(std::string_view bytes) {
  if (phase_ == phase::discarding) {
    discarded_ += bytes.size();
    if (discarded_ > discard_cap_)
      end();
    return;
  }
  if (const auto fault = reader_.feed(bytes, *this)) {
    own_log::debug("websocket: a client is refused: {}", fault->sentence);
    begin_closing(phase::discarding, static_cast<std::uint16_t>(fault->code), fault->sentence);
  }
  write(); // pongs
}

void websocket_connection::on_text(std::string text) {
  if (phase_ == phase::open)
    handlers_.text(std::move(text));
}

void websocket_connection::on_ping(std::string_view payload) {
  output_.add_pong(payload);
}

void websocket_connection::on_close(std::uint16_t code) {
  const bool named = code != static_cast<std::uint16_t>(websocket_close::no_status);
  begin_closing(phase::answering,
                named ? code : static_cast<std::uint16_t>(websocket_close::normal), {});
}

// Writing

std::uint64_t websocket_connection::send(const std::vector<frame_text>& frames, frame_pace pace) {
  if (phase_ != phase::open)
    return 0;
  if (pace != pace_)
    set_pace(pace);
  output_.add(frames);
  if (waiting_for_room_)
    return 0;
  const auto self = shared_from_this();
  const auto progress = output_.write_to(socket_.native_handle());
  const auto taken = output_.take_sent();
  go_on(progress);
  return taken;
}

/// What waits in the socket is beyond the bound on the client's queue, so it is kept small. Bytes
/// that are on their way do not wait: a bound on the whole buffer would hold up who reads at once.
void websocket_connection::set_pace(frame_pace pace) {
  pace_ = pace;
  const auto bytes =
      static_cast<int>(pace == frame_pace::live ? live_buffer_bytes_ : replay_buffer_bytes_);
  ::setsockopt(socket_.native_handle(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

void websocket_connection::write() {
  if (phase_ == phase::ended || waiting_for_room_)
    return;
  const auto self = shared_from_this(); // `taken` may hold the last reference
  const auto progress = output_.write_to(socket_.native_handle());
  if (const auto frames = output_.take_sent(); phase_ == phase::open && frames > 0)
    handlers_.sent(frames);
  go_on(progress);
}

void websocket_connection::go_on(write_progress progress) {
  const auto self = shared_from_this();
  switch (progress) {
  case write_progress::done:
    on_all_written();
    return;
  case write_progress::gone:
    end();
    return;
  case write_progress::blocked:
    waiting_for_room_ = true;
    socket_.async_wait(http_socket::wait_write, [self](const error_code& ec) {
      self->guarded([&] {
        self->waiting_for_room_ = false;
        if (ec)
          self->end();
        else
          self->write();
      });
    });
  }
}

void websocket_connection::on_all_written() {
  if (phase_ == phase::answering) {
    end();
    return;
  }
  if (phase_ == phase::discarding) {
    error_code ignored;
    socket_.shutdown(http_socket::shutdown_send, ignored);
  }
}

// Closing

void websocket_connection::close(std::uint16_t code, std::string_view reason) {
  const auto self = shared_from_this();
  handlers_ = {};
  if (phase_ != phase::open)
    return;
  begin_closing(phase::closing, code, reason);
  write();
}

void websocket_connection::begin_closing(phase next, std::uint16_t code, std::string_view reason) {
  output_.add_close(code, reason);
  phase_ = next;
  tell_closed();
  arm_deadline();
}

void websocket_connection::tell_closed() {
  const auto handlers = std::exchange(handlers_, {});
  if (handlers.closed)
    handlers.closed();
}

void websocket_connection::arm_deadline() {
  if (deadline_)
    return;
  deadline_.emplace(socket_.get_executor(), close_time_);
  deadline_->async_wait([weak = weak_from_this()](const error_code& ec) {
    if (const auto self = ec ? nullptr : weak.lock())
      self->end();
  });
}

void websocket_connection::drop() {
  end();
}

void websocket_connection::end() {
  if (std::exchange(phase_, phase::ended) == phase::ended)
    return;
  const auto self = shared_from_this();
  error_code ignored;
  socket_.shutdown(http_socket::shutdown_send, ignored);
  socket_.close(ignored);
  deadline_.reset();
  --traffic_->streams;
  traffic_->taken.erase(self);
  tell_closed();
}

} // namespace gasoline
