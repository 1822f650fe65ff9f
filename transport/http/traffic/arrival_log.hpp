#pragma once

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Who came to the HTTP side without telemetry to show for it: loads of the page script, and the
/// last few callers that were turned away. Without it a page that is refused looks like one that
/// was never opened. Bounded; the oldest refusals leave.
class arrival_log {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  void note_script_load(time_point now);

  /// `origin` is empty for a caller that sent none; `body` is the answer, `{"error":"sentence"}`.
  /// Refusals of one origin with one status are counted together.
  void note_refusal(std::string_view origin, std::string_view path, std::uint16_t status,
                    std::string_view body, time_point now);

  /// `{script_loads, script_loaded_ms_ago?, refused:[{origin?, path, status, reason, count,
  /// ms_ago}]}`, the newest refusal first.
  nlohmann::json report(time_point now) const;

 private:
  struct refusal {
    std::string origin;
    std::string path;
    std::uint16_t status;
    std::string body;
    std::uint64_t count;
    time_point last;
  };

  std::uint64_t script_loads_ = 0;
  time_point script_loaded_;
  std::vector<refusal> refusals_; ///< the newest last
};

} // namespace gasoline
