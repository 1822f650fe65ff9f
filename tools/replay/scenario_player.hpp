#pragma once

#include "tools/replay/scenario.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace gasoline {

/// Something that happened while a scenario played.
struct playback_line {
  std::chrono::milliseconds at{0};
  std::string client;     ///< who was told; empty: an HTTP answer
  nlohmann::json message; ///< the JSON-RPC message, or `{status, body}` of an HTTP answer
};

/// What a scenario's playing came to.
struct playback {
  std::uint64_t expectations = 0;
  std::vector<std::string> failures; ///< one sentence each, with what came instead
};

/// Plays a scenario on a whole engine under virtual time: the same actors, router and codecs as a
/// live one, CAF's deterministic scheduler, no threads, no sockets. `told` sees every line in
/// order. The error says why the scenario's configuration is refused.
result_or<playback> play_scenario(const scenario& s,
                                  const std::function<void(const playback_line&)>& told);

} // namespace gasoline
