#pragma once

#include "actors/browser/entries/console_entries.hpp"

#include <simdjson.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The WebSockets and EventSources of one session of a page, from `Network` events. It tells of
/// their life and of the first messages that they bring; what a page sends may be what a user
/// typed, and is not told. Bounded: sockets beyond the cap are not followed.
class socket_sampler {
 public:
  /// An entry of the format `websocket_events`; empty: nothing is told of it.
  std::string told(std::string_view method, const simdjson::dom::element& event,
                   const entry_place& place, const std::string& now);

  /// The same of its end, which `told` does not tell.
  std::string closed(std::string_view id, const entry_place& place, const std::string& now);

  /// What a page says of the end of a socket, as JSON: its address, the code and the reason. It may
  /// be anything.
  void note_reason(std::string_view json);

  bool has_open() const { return !sockets_.empty(); }

 private:
  struct end_reason {
    std::string url;
    int code = 0;
    std::string reason;
    bool by_page = false; ///< the page has closed it
  };
  struct socket {
    std::string url;
    std::uint64_t number = 0;
    std::uint32_t messages = 0;
    bool opened = false;
  };

  std::string created(const simdjson::dom::element& event);
  std::string message(socket& of, std::string_view type, std::string_view data,
                      const entry_place& place, const std::string& now);

  end_reason take_reason(std::string_view url);

  std::vector<end_reason> reasons_; // of ends that were not told yet, in their order
  std::uint64_t last_ = 0;
  std::map<std::string, socket, std::less<>> sockets_; // by the browser's id
};

} // namespace gasoline
