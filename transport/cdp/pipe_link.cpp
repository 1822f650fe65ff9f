#include "transport/cdp/pipe_link.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <sys/wait.h>

#include <chrono>
#include <utility>

namespace gasoline {
namespace {

constexpr std::chrono::milliseconds reap_interval{20};

} // namespace

pipe_link::pipe_link(boost::asio::io_context& io, browser_process process, std::uint64_t number,
                     browser_reader reader, const limits_of<browser_room>& limit)
    : commands_(io, process.commands.release()),
      messages_(io, process.messages.release()),
      reaping_(io),
      pid_(process.pid),
      number_(number),
      reader_(std::move(reader)),
      limit_(limit),
      splitter_(limit.browser.message_bytes) {}

pipe_link::~pipe_link() {
  if (pid_ < 0)
    return;
  kill_browser(pid_);
  ::waitpid(pid_, nullptr, 0); // it cannot refuse, so this takes milliseconds
}

void pipe_link::start() {
  read();
}

void pipe_link::send(std::string message) {
  if (!reader_)
    return;
  if (waiting_.size() + written_.size() + message.size() > limit_.browser.unsent_bytes)
    return lose("The browser takes no more commands: it hangs. It was ended.");
  waiting_ += message;
  waiting_ += '\0';
  if (!is_writing_)
    write();
}

void pipe_link::write() {
  is_writing_ = true;
  written_ = std::exchange(waiting_, {});
  boost::asio::async_write(commands_, boost::asio::buffer(written_),
                           [self = shared_from_this()](const error_code& ec, std::size_t) {
                             self->written_.clear();
                             self->is_writing_ = false;
                             // What is wrong with the browser is told by the end of its messages.
                             if (!ec && !self->waiting_.empty())
                               self->write();
                           });
}

void pipe_link::read() {
  messages_.async_read_some(boost::asio::buffer(piece_), [self = shared_from_this()](
                                                             const error_code& ec, std::size_t n) {
    if (!self->reader_)
      return;
    if (ec)
      return self->lose(self->has_spoken_
                            ? "The browser has ended."
                            : "The browser ended as soon as it was started; run it by hand "
                              "with --headless to see why, or name another with "
                              "--browser-path.");
    self->has_spoken_ = true;
    self->splitter_.take({self->piece_.data(), n}, [&](std::string message) {
      caf::anon_send(self->reader_, said_atom_v, self->number_, std::move(message));
    });
    self->read();
  });
}

void pipe_link::lose(std::string sentence) {
  if (reader_)
    caf::anon_send(reader_, lost_atom_v, number_, browser_loss{std::move(sentence)});
  close();
}

void pipe_link::close() {
  reader_ = browser_reader{};
  error_code ignored;
  commands_.close(ignored);
  messages_.close(ignored);
  if (pid_ < 0)
    return;
  kill_browser(pid_);
  reap();
}

/// Its process is gone a little later; nobody waits for that.
void pipe_link::reap() {
  if (has_ended(pid_)) {
    pid_ = -1;
    return;
  }
  reaping_.expires_after(reap_interval);
  reaping_.async_wait([self = shared_from_this()](const error_code& ec) {
    if (!ec)
      self->reap();
  });
}

} // namespace gasoline
