#pragma once

#include "config/limits.hpp"
#include "messages/alert_actors.hpp"
#include "messages/output_port.hpp"
#include "transport/attach/attach_hello.hpp"
#include "transport/line_splitter.hpp"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

namespace gasoline {

class attach_connection;

/// The actors of one attached client.
struct attached_client {
  client_actor session;
  line_writer_actor writer;
};

/// What the attach socket calls of the engine. Both are called on the io thread, must not block,
/// and call what they are given once, from any thread.
struct attach_routes {
  /// A client joins that is written to through `port` and was started there; nothing: the engine
  /// takes none any more.
  std::function<void(std::shared_ptr<output_port> port, agent_place,
                     std::function<void(std::optional<attached_client>)>)>
      join;
  /// Asks for the health document.
  std::function<void(std::function<void(std::string json)>)> health;
  /// A hook asks what to say.
  std::function<void(const hook_question&, std::function<void(hook_answer)>)> hook;
  /// The hook has not said it.
  std::function<void(const hook_answer&)> take_back;
};

/// What all connections of one attach socket share. Used on the io thread only.
struct attach_traffic {
  attach_routes routes;
  limits_of<attach_room, client_room> limit;
  std::unordered_set<std::shared_ptr<attach_connection>> open;
};

using attach_executor = boost::asio::io_context::executor_type;
using attach_socket =
    boost::asio::basic_stream_socket<boost::asio::local::stream_protocol, attach_executor>;

/// One process at the attach socket: after the hellos, an ordinary MCP client whose lines go to a
/// session of its own. It is not read while it does not read, nor while too many of its frames are
/// unhandled. Ends when its writer has ended. Used on the io thread only.
class attach_connection : public std::enable_shared_from_this<attach_connection> {
 public:
  attach_connection(attach_socket socket, std::shared_ptr<attach_traffic> traffic);
  attach_connection(const attach_connection&) = delete;
  attach_connection& operator=(const attach_connection&) = delete;

  /// Joins `attach_traffic::open` and waits for the hello.
  void start();

  /// Drops whatever is under way.
  void close();

 private:
  class output;
  using clock = std::chrono::steady_clock;

  enum class phase : std::uint8_t {
    greeting, ///< the hello has not come
    joining,  ///< the engine is asked for a session
    open,
    asking,  ///< a hook has yet to ask, or to be answered
    telling, ///< a hook has its answer and has yet to say that it printed it
    ended,   ///< the client sends nothing more
    closed
  };

  void read();
  void on_read(const boost::system::error_code& ec, std::size_t bytes);
  void on_line(std::string_view text);
  void on_hello(std::string_view text);
  void on_overlong();
  void on_end();
  void join();
  void on_joined(std::optional<attached_client> client);
  void answer_observer();
  void on_question(std::string_view text);
  void tell_hook(hook_answer answer);
  void give(rpc_frame frame);
  void on_frame_handled();
  void wait_for_room(const line_writer_actor& writer);
  void say(const std::string& line);
  void write_and_close(std::string text);
  void refuse(const std::string& sentence);
  void wait_for_hook();
  agent_place place(std::string directory);

  attach_socket socket_;
  std::shared_ptr<attach_traffic> traffic_;
  boost::asio::basic_waitable_timer<clock, boost::asio::wait_traits<clock>, attach_executor> timer_;
  line_splitter splitter_;
  std::array<char, 64U << 10U> piece_{};
  phase phase_ = phase::greeting;
  attach_hello peer_;
  std::optional<attached_client> client_;
  std::optional<hook_answer> told_; ///< to a hook, which has not printed it yet
  std::vector<rpc_frame> early_;    // came in one piece with the hello
  std::string leaving_;             // while `write_and_close` writes it
  std::size_t unhandled_ = 0;
  bool asked_ = false; ///< by a hook; once is all
  bool reading_ = false;
  bool output_full_ = false;
};

} // namespace gasoline
