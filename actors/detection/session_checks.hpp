#pragma once

#include "messages/telemetry/event.hpp"

#include <cstdint>
#include <deque>

namespace gasoline {

/// Tells the question whether somebody is logged in from a fault: a 401 of a path such as
/// `/api/me`, before that path has ever answered well. Keeps the last 64 such paths.
class session_checks {
 public:
  /// What a 401 means.
  enum class meaning : std::uint8_t { fault, first_question, repeated_question };

  /// Whether the request asks for the session; cheap, since every answer is looked at.
  static bool is_check(const event& e);

  /// A check was answered well.
  void answered(const event& e);

  /// A check was answered 401.
  meaning refused(const event& e);

 private:
  struct path {
    std::size_t hash = 0;
    bool answered = false;
    bool refused = false;
  };

  path& path_of(const event& e);

  std::deque<path> paths_; ///< oldest first
};

} // namespace gasoline
