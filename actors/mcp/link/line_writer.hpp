#pragma once

#include "config/limits.hpp"
#include "messages/output_port.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gasoline {

struct line_writer_state {
  static inline const char* name = "line_writer";

  std::string unwritten;   ///< complete messages, each with its line break
  std::size_t written = 0; ///< bytes at the front of `unwritten` that are already out
  bool waiting = false;    ///< the port will tell when it takes bytes again
  bool congested = false;  ///< what the listeners were last told
  bool closing = false;
  std::vector<congestion_sink> listeners;
};

/// Owns one output descriptor through `port`: every message leaves whole and in order. It ends when
/// the reader is gone, or when it was closed and everything is written or `client_leave_ms` over.
line_writer_actor::behavior_type
line_writer(line_writer_actor::stateful_pointer<line_writer_state> self,
            const std::shared_ptr<output_port>& port, limits_of<client_room> limit);

} // namespace gasoline
