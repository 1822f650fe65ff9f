#pragma once

#include "actors/browser/cdp/cdp_message.hpp"
#include "messages/base/time.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What became of a command.
struct cdp_outcome {
  bool ok = false;
  std::string problem;           ///< a few words; empty when it is ok
  simdjson::dom::element result; ///< to be looked at only when it is ok, and only at once
};

using cdp_then = std::function<void(const cdp_outcome&)>;

/// Commands that a browser has not answered yet. Each has a deadline of its own, so that a page
/// that hangs delays nobody. Knows no clock.
class cdp_calls {
 public:
  /// Its number, which the browser's answer has too.
  std::uint64_t add(std::string session, mono_time deadline, cdp_then then);

  /// Whoever waits for that answer; nothing: it came too late.
  std::optional<cdp_then> take(std::uint64_t id);

  /// Those whose time is over.
  std::vector<cdp_then> overdue(mono_time now);

  /// Those of a session that is gone; an empty name: all.
  std::vector<cdp_then> of_session(std::string_view session);

  /// The next deadline; nothing: nobody waits.
  std::optional<mono_time> next_deadline() const;

  std::size_t size() const { return open_.size(); }

 private:
  struct open_call {
    std::string session;
    mono_time deadline;
    cdp_then then;
  };

  std::map<std::uint64_t, open_call> open_;
  std::uint64_t last_ = 0;
};

} // namespace gasoline
