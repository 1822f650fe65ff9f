#include "transport/stdio_port.hpp"

#include "messages/base/own_log.hpp"
#include "transport/descriptor_write.hpp"
#include "transport/json_rpc.hpp"
#include "transport/line_splitter.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace gasoline {
namespace {

constexpr char command_stop = 'q';
constexpr char command_watch_output = 'w';
constexpr char command_frame_handled = 'f';

/// Tells the reader's thread something; one byte never blocks a pipe that is emptied.
void send_command(int fd, char command) {
  while (::write(fd, &command, 1) < 0 && errno == EINTR) {
  }
}

/// A descriptor that closes itself; frames share it, so it outlives the port when they do.
class shared_descriptor {
 public:
  explicit shared_descriptor(int fd) : fd_(fd) {}
  shared_descriptor(const shared_descriptor&) = delete;
  shared_descriptor& operator=(const shared_descriptor&) = delete;
  ~shared_descriptor() { ::close(fd_); }
  int fd() const { return fd_; }

 private:
  int fd_;
};

} // namespace

/// The thread's side of the port.
class stdio_port::reader {
 public:
  reader(int input, int output, int commands, int acks, const limits_of<client_room>& limit,
         client_actor session, line_writer_actor writer)
      : input_(input),
        output_(output),
        commands_(commands),
        acks_(std::make_shared<shared_descriptor>(acks)),
        limit_(limit),
        splitter_(limit.client.line_bytes),
        session_(std::move(session)),
        writer_(std::move(writer)) {}

  void run() {
    while (!stopped_) {
      const bool read_input =
          !ended_ && !watch_output_ && unhandled_ < limit_.client.unhandled_frames;
      std::array<pollfd, 3> fds{{
          {commands_, POLLIN, 0},
          {ended_ ? -1 : input_, static_cast<short>(read_input ? POLLIN : 0), 0},
          {watch_output_ ? output_ : -1, POLLOUT, 0},
      }};
      if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR)
        return;
      if (fds[0].revents != 0)
        take_commands();
      if (fds[2].revents != 0) {
        watch_output_ = false;
        caf::anon_send(writer_, writable_atom_v);
      }
      if (fds[1].revents != 0 && !stopped_)
        read_input_once();
    }
  }

 private:
  void take_commands() {
    std::array<char, 256> buffer{};
    const auto n = ::read(commands_, buffer.data(), buffer.size());
    for (ssize_t i = 0; i < n; ++i)
      switch (buffer[static_cast<std::size_t>(i)]) {
      case command_stop:
        stopped_ = true;
        break;
      case command_watch_output:
        watch_output_ = true;
        break;
      case command_frame_handled:
        --unhandled_;
        break;
      default:
        break;
      }
  }

  void read_input_once() {
    std::array<char, 64U << 10U> buffer;
    const auto n = ::read(input_, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
      return;
    const auto line = [this](std::string_view text) { send(decode_rpc(text, limit_)); };
    const auto overlong = [this] { send(overlong_rpc(limit_)); };
    if (n > 0) {
      splitter_.feed({buffer.data(), static_cast<std::size_t>(n)}, line, overlong);
      return;
    }
    splitter_.finish(line, overlong);
    ended_ = true;
    caf::anon_send(session_, closed_atom_v);
  }

  void send(rpc_frame frame) {
    ++unhandled_;
    frame.credit = std::shared_ptr<const void>(
        nullptr, [acks = acks_](const void*) { send_command(acks->fd(), command_frame_handled); });
    caf::anon_send(session_, receive_atom_v, std::make_shared<const rpc_frame>(std::move(frame)));
  }

  int input_;
  int output_;
  int commands_;
  std::shared_ptr<shared_descriptor> acks_;
  limits_of<client_room> limit_;
  line_splitter splitter_;
  client_actor session_;
  line_writer_actor writer_;
  std::size_t unhandled_ = 0;
  bool watch_output_ = false;
  bool ended_ = false;
  bool stopped_ = false;
};

stdio_port::stdio_port(int input, int output, const limits_of<client_room>& limit)
    : input_(input), output_(output), limit_(limit) {
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0)
    own_log::critical("cannot make a wake descriptor for stdio: errno {}", errno);
  command_read_ = ends[0];
  command_write_ = ends[1];
}

stdio_port::~stdio_port() {
  stop();
  ::close(command_read_);
  ::close(command_write_);
}

std::optional<std::size_t> stdio_port::write_some(std::string_view bytes) {
  return write_what_fits(output_, bytes);
}

void stdio_port::notify_when_writable(const line_writer_actor&) {
  send_command(command_write_, command_watch_output);
}

void stdio_port::start(client_actor session, line_writer_actor writer) {
  const int acks = ::fcntl(command_write_, F_DUPFD_CLOEXEC, 0);
  auto work = std::make_shared<reader>(input_, output_, command_read_, acks, limit_,
                                       std::move(session), std::move(writer));
  thread_ = std::thread{[work] { work->run(); }};
}

void stdio_port::stop() {
  if (!thread_.joinable())
    return;
  send_command(command_write_, command_stop);
  thread_.join();
}

} // namespace gasoline
