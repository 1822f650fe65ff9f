#pragma once

#include "config/limits.hpp"
#include "transport/attach/attach_memory.hpp"
#include "transport/line_splitter.hpp"

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

/// Why a pump has stopped.
enum class pump_end : std::uint8_t {
  client_left, ///< it has sent all it wanted and has got what it asked for
  client_gone, ///< nobody reads its output any more
  engine_lost
};

/// Carries lines between the descriptors of one stdio client and the engine at a socket, unchanged,
/// and remembers what another engine has to be told. One thread; waits with poll only.
class attach_pump {
 public:
  /// `input` and `output` belong to the caller and keep their flags.
  attach_pump(int input, int output, const limits_of<attach_room, client_room>& limit);

  /// Pumps until one side is gone. `engine` is a greeted socket that stays the caller's; `rest` has
  /// come on it behind the hello. After `engine_lost` it may be called again with another one.
  pump_end run(int engine, std::string_view rest);

  /// Writes what the client has not taken yet, for `client_leave_ms` at most.
  void flush();

 private:
  /// A line of the client that waits for the engine.
  struct client_line {
    std::string text;
    rpc_frame frame;
  };

  std::optional<pump_end> step(int engine);
  int patience() const;
  void read_client();
  void take_client_line(std::string_view text);
  void tell_overlong();
  bool read_engine(int engine);
  void drain_engine(int engine);
  void take_engine_line(std::string_view text);
  bool write_engine(int engine);
  void begin_line();
  bool write_client();
  void tell_client(std::string_view line);
  pump_end on_engine_lost(int engine);
  void take_back_last_line(int engine);

  int input_;
  int output_;
  limits_of<attach_room, client_room> limit_;
  limits_of<attach_room, client_room> engine_limit_; ///< of what an engine may say
  line_splitter client_splitter_;
  line_splitter engine_splitter_;
  attach_memory memory_;
  std::deque<client_line> to_engine_;
  std::size_t queued_bytes_ = 0; ///< in `to_engine_`
  client_line last_;             ///< the one that is being written, or was written last
  std::string leaving_;          ///< what is being written to the engine
  std::size_t left_ = 0;         ///< how much of it is out
  std::string to_client_;
  std::size_t told_ = 0; ///< how much of it is out
  bool input_ended_ = false;
  bool engine_told_end_ = false;
  bool was_reset_ = false; ///< the engine has left bytes unread
  bool connected_before_ = false;
  std::chrono::steady_clock::time_point last_progress_{};
};

} // namespace gasoline
