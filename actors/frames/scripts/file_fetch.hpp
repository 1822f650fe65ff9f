#pragma once

#include "actors/base/actor_timers.hpp"
#include "messages/actors.hpp"
#include "messages/agents/http_fetch.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace gasoline {

/// What is asked for, and what it may take.
struct file_fetch_wish {
  bool is_map = false; ///< asked for as the source map of a script
  std::uint64_t bytes = 0;
  std::chrono::milliseconds time{0};
};

struct file_fetch_state {
  static inline const char* name = "file_fetch";

  std::shared_ptr<fetched_file> file;
  std::shared_ptr<http_fetch> fetch;
  actor_timers timers;
};

/// Gets one file of a server on this machine, tells the resolver what came of it, and ends. A
/// redirect, an answer that is too long or too slow, and one that is coded are problems. A document
/// comes without its body: the lines of its inline scripts are the project's own.
fetch_reader::behavior_type file_fetch(fetch_reader::stateful_pointer<file_fetch_state> self,
                                       const frame_resolver_actor& target,
                                       const std::shared_ptr<http_fetcher>& fetcher,
                                       fetch_request request, file_fetch_wish wish);

} // namespace gasoline
