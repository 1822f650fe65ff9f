#pragma once

#include "config/limits.hpp"
#include "messages/browser/browser_link.hpp"
#include "transport/cdp/browser_process.hpp"
#include "transport/cdp/message_splitter.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>

namespace gasoline {

/// A browser that was launched, at the other end of two pipes. Runs on the thread of its io
/// context.
class pipe_link : public std::enable_shared_from_this<pipe_link> {
 public:
  pipe_link(boost::asio::io_context& io, browser_process process, std::uint64_t number,
            browser_reader reader, const limits_of<browser_room>& limit);
  pipe_link(const pipe_link&) = delete;
  pipe_link& operator=(const pipe_link&) = delete;

  /// Waits until the browser is dead: nothing of it outlives the engine.
  ~pipe_link();

  void start();
  void send(std::string message);
  void close();
  std::uint64_t dropped() const { return splitter_.dropped(); }

 private:
  using error_code = boost::system::error_code;

  void read();
  void write();
  void lose(std::string sentence);
  void reap();

  boost::asio::posix::stream_descriptor commands_;
  boost::asio::posix::stream_descriptor messages_;
  boost::asio::steady_timer reaping_;
  pid_t pid_;
  std::uint64_t number_;
  browser_reader reader_; // null: told its end, or closed
  limits_of<browser_room> limit_;
  message_splitter splitter_;
  std::string waiting_; // to be written next
  std::string written_; // being written
  bool is_writing_ = false;
  bool has_spoken_ = false;
  std::array<char, 65536> piece_{};
};

} // namespace gasoline
