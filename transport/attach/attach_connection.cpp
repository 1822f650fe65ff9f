#include "transport/attach/attach_connection.hpp"

#include "messages/base/own_log.hpp"
#include "transport/attach/agent_process.hpp"
#include "transport/attach/hook_line.hpp"
#include "transport/descriptor_write.hpp"
#include "transport/json_rpc.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

} // namespace

/// The writer's side of a connection. It has a descriptor of its own, since the actor writes on a
/// thread of its own; when the writer ends, it goes, and takes the connection with it.
class attach_connection::output : public output_port {
 public:
  output(int fd, const attach_executor& executor, std::weak_ptr<attach_connection> connection)
      : fd_(::fcntl(fd, F_DUPFD_CLOEXEC, 0)),
        executor_(executor),
        connection_(std::move(connection)) {}
  output(const output&) = delete;
  output& operator=(const output&) = delete;

  ~output() override {
    if (fd_ >= 0)
      ::close(fd_);
    asio::post(executor_, [connection = connection_] {
      if (const auto self = connection.lock())
        self->close();
    });
  }

  std::optional<std::size_t> write_some(std::string_view bytes) override {
    return write_what_fits(fd_, bytes);
  }

  void notify_when_writable(const line_writer_actor& writer) override {
    asio::post(executor_, [connection = connection_, writer] {
      if (const auto self = connection.lock())
        self->wait_for_room(writer);
    });
  }

 private:
  int fd_;
  attach_executor executor_;
  std::weak_ptr<attach_connection> connection_;
};

attach_connection::attach_connection(attach_socket socket, std::shared_ptr<attach_traffic> traffic)
    : socket_(std::move(socket)),
      traffic_(std::move(traffic)),
      timer_(socket_.get_executor()),
      splitter_(traffic_->limit.client.line_bytes) {}

void attach_connection::start() {
  traffic_->open.insert(shared_from_this());
  timer_.expires_after(std::chrono::milliseconds{traffic_->limit.attach.hello_ms});
  timer_.async_wait([weak = weak_from_this()](const error_code& ec) {
    const auto self = ec ? nullptr : weak.lock();
    if (self && self->phase_ == phase::greeting)
      self->close();
  });
  read();
}

void attach_connection::close() {
  if (std::exchange(phase_, phase::closed) == phase::closed)
    return;
  const auto self = shared_from_this(); // `open` may hold the last reference
  if (client_)
    caf::anon_send(client_->session, closed_atom_v);
  client_.reset();
  early_.clear();
  if (told_)
    traffic_->routes.take_back(*told_);
  told_.reset();
  error_code ignored;
  socket_.shutdown(attach_socket::shutdown_both, ignored); // the writer holds it by another number
  socket_.close(ignored);
  timer_.cancel();
  traffic_->open.erase(self);
}

// Reading

void attach_connection::read() {
  const bool wanted = phase_ != phase::joining && phase_ < phase::ended;
  if (!wanted || reading_ || output_full_ || unhandled_ >= traffic_->limit.client.unhandled_frames)
    return;
  reading_ = true;
  socket_.async_read_some(asio::buffer(piece_),
                          [self = shared_from_this()](const error_code& ec, std::size_t bytes) {
                            self->reading_ = false;
                            self->on_read(ec, bytes);
                          });
}

void attach_connection::on_read(const error_code& ec, std::size_t bytes) {
  if (phase_ == phase::closed)
    return;
  if (ec) {
    on_end();
    return;
  }
  splitter_.feed(
      {piece_.data(), bytes}, [this](std::string_view text) { on_line(text); },
      [this] { on_overlong(); });
  read();
}

void attach_connection::on_line(std::string_view text) {
  switch (phase_) {
  case phase::greeting:
    on_hello(text);
    return;
  case phase::asking:
    on_question(text);
    return;
  case phase::telling:
    if (text == hook_shown)
      told_.reset();
    close();
    return;
  case phase::closed:
    return;
  case phase::joining:
  case phase::open:
  case phase::ended:
    give(decode_rpc(text, traffic_->limit));
  }
}

void attach_connection::on_overlong() {
  if (phase_ == phase::greeting)
    refuse("The first line is no hello of gasoline.");
  else if (phase_ == phase::asking || phase_ == phase::telling)
    close();
  else if (phase_ != phase::closed)
    give(overlong_rpc(traffic_->limit));
}

void attach_connection::on_end() {
  if (phase_ != phase::open) {
    close();
    return;
  }
  splitter_.finish([this](std::string_view text) { on_line(text); }, [this] { on_overlong(); });
  phase_ = phase::ended;
  caf::anon_send(client_->session, closed_atom_v);
}

void attach_connection::give(rpc_frame frame) {
  if (phase_ == phase::joining) {
    early_.push_back(std::move(frame));
    return;
  }
  ++unhandled_;
  frame.credit = std::shared_ptr<const void>(
      nullptr, [executor = socket_.get_executor(), weak = weak_from_this()](const void*) {
        asio::post(executor, [weak] {
          if (const auto self = weak.lock())
            self->on_frame_handled();
        });
      });
  caf::anon_send(client_->session, receive_atom_v,
                 std::make_shared<const rpc_frame>(std::move(frame)));
}

void attach_connection::on_frame_handled() {
  --unhandled_;
  read();
}

// Joining

void attach_connection::on_hello(std::string_view text) {
  timer_.cancel();
  auto hello = parse_hello(text);
  if (!hello) {
    refuse(hello.error().message);
    return;
  }
  peer_ = std::move(*hello);
  phase_ = phase::joining;
  switch (peer_.role) {
  case attach_role::observer:
    answer_observer();
    return;
  case attach_role::hook:
    phase_ = phase::asking;
    wait_for_hook();
    say(hello_text(attach_role::engine));
    return;
  case attach_role::engine:
  case attach_role::client:
  case attach_role::channel:
    join();
  }
}

void attach_connection::join() {
  auto port =
      std::make_shared<output>(socket_.native_handle(), socket_.get_executor(), weak_from_this());
  auto where = place(peer_.working_directory);
  where.channel = peer_.role == attach_role::channel;
  traffic_->routes.join(std::move(port), std::move(where),
                        [executor = socket_.get_executor(),
                         weak = weak_from_this()](std::optional<attached_client> client) {
                          asio::post(executor, [weak, client = std::move(client)]() mutable {
                            if (const auto self = weak.lock())
                              self->on_joined(std::move(client));
                            else if (client)
                              caf::anon_send(client->session, closed_atom_v);
                          });
                        });
}

void attach_connection::on_joined(std::optional<attached_client> client) {
  if (phase_ == phase::closed || !client) {
    if (client)
      caf::anon_send(client->session, closed_atom_v);
    close();
    return;
  }
  client_ = std::move(client);
  phase_ = phase::open;
  say(hello_text(attach_role::engine));
  own_log::info("attach: process {} in {} has joined", peer_.pid, peer_.working_directory);
  for (auto& frame : std::exchange(early_, {}))
    give(std::move(frame));
  read();
}

void attach_connection::answer_observer() {
  traffic_->routes.health(
      [executor = socket_.get_executor(), weak = weak_from_this()](std::string document) {
        asio::post(executor, [weak, document = std::move(document)] {
          const auto self = weak.lock();
          if (!self || self->phase_ == phase::closed)
            return;
          self->say(hello_text(attach_role::engine));
          self->write_and_close(document + '\n');
        });
      });
}

agent_place attach_connection::place(std::string directory) {
  const auto pid = peer_process(socket_.native_handle());
  return pid ? place_of(*pid, std::move(directory)) : agent_place{{}, std::move(directory)};
}

// Hooks

/// A hook gives up long before; one that hangs does not keep what it was told.
void attach_connection::wait_for_hook() {
  timer_.expires_after(std::chrono::milliseconds{traffic_->limit.attach.hello_ms});
  timer_.async_wait([weak = weak_from_this()](const error_code& ec) {
    if (const auto self = ec ? nullptr : weak.lock())
      self->close();
  });
}

void attach_connection::on_question(std::string_view text) {
  auto question = parse_question(text);
  if (!question || asked_) {
    close();
    return;
  }
  asked_ = true;
  question->place = place(std::move(question->place.directory));
  traffic_->routes.hook(*question, [executor = socket_.get_executor(), weak = weak_from_this(),
                                    traffic = traffic_](hook_answer answer) {
    asio::post(executor, [weak, traffic, answer = std::move(answer)]() mutable {
      const auto self = weak.lock();
      if (self && self->phase_ == phase::asking)
        self->tell_hook(std::move(answer));
      else if (!answer.told.empty())
        traffic->routes.take_back(answer);
    });
  });
}

void attach_connection::tell_hook(hook_answer answer) {
  phase_ = phase::telling;
  const auto line = answer_line(answer);
  const bool tells = !answer.told.empty();
  if (tells)
    told_ = std::move(answer);
  say(line);
  if (!tells)
    close();
}

// Writing

void attach_connection::wait_for_room(const line_writer_actor& writer) {
  if (phase_ == phase::closed)
    return;
  output_full_ = true;
  socket_.async_wait(attach_socket::wait_write,
                     [self = shared_from_this(), writer](const error_code&) {
                       self->output_full_ = false;
                       caf::anon_send(writer, writable_atom_v);
                       self->read();
                     });
}

/// Short lines of our own, into a socket buffer that is empty.
void attach_connection::say(const std::string& line) {
  const auto text = line + '\n';
  const auto written = write_what_fits(socket_.native_handle(), text);
  if (!written || *written != text.size())
    close();
}

/// The text may be larger than the socket's buffer: it leaves as fast as it is read, within a time.
void attach_connection::write_and_close(std::string text) {
  if (phase_ == phase::closed)
    return;
  timer_.expires_after(std::chrono::milliseconds{traffic_->limit.attach.search_ms});
  timer_.async_wait([weak = weak_from_this()](const error_code& ec) {
    const auto self = ec ? nullptr : weak.lock();
    if (self)
      self->close();
  });
  leaving_ = std::move(text);
  asio::async_write(socket_, asio::buffer(leaving_),
                    [self = shared_from_this()](const error_code&, std::size_t) { self->close(); });
}

void attach_connection::refuse(const std::string& sentence) {
  say(nlohmann::json{{"error", sentence}}.dump());
  close();
}

} // namespace gasoline
