#pragma once

#include "actors/browser/entries/console_entries.hpp"

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gasoline {

/// The WebSockets and EventSources of one session of a page, from `Network` events. It tells of
/// their life and of the first messages that they bring; what a page sends may be what a user
/// typed, and is not told. Bounded: sockets beyond the cap are not followed.
class socket_sampler {
 public:
  /// An entry of the format `websocket_events`; empty: nothing is told of it.
  std::string told(std::string_view method, const simdjson::dom::element& event,
                   const entry_place& place, const std::string& now);

 private:
  struct socket {
    std::string url;
    std::uint64_t number = 0;
    std::uint32_t messages = 0;
    bool opened = false;
  };

  std::string created(const simdjson::dom::element& event);
  std::string message(socket& of, std::string_view type, std::string_view data,
                      const entry_place& place, const std::string& now);

  std::uint64_t last_ = 0;
  std::map<std::string, socket, std::less<>> sockets_; // by the browser's id
};

} // namespace gasoline
