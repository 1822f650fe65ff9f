#pragma once

#include "config/settings.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gasoline {

/// `post`: a body for an HTTP route, as a page or a CI system sends it. A string is sent as it is,
/// anything else as JSON.
struct post_step {
  std::string route;
  std::string body;
  nlohmann::json headers; ///< object of name and value; may be null
};

/// `call`: a tool call of the client.
struct call_step {
  std::string tool;
  nlohmann::json arguments;
};

/// `send`: one raw line from the client.
struct send_step {
  std::string line;
};

/// `serve`: from now on a server of this machine answers at that address; with status 0 it
/// never does.
struct serve_step {
  std::string address;
  int status = 200;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers; ///< names in lower case
  std::chrono::milliseconds delay{0};
};

/// `disconnect`: the client's input ends.
struct disconnect_step {};

/// What an `expect` step looks at.
enum class expectation : std::uint8_t { notification, result, answer, silence, exit };

template <>
struct enum_table<expectation> {
  static constexpr std::array<std::pair<expectation, std::string_view>, 5> rows{{
      {expectation::notification, "notification"},
      {expectation::result, "result"},
      {expectation::answer, "answer"},
      {expectation::silence, "silence"},
      {expectation::exit, "exit"},
  }};
};

/// `expect`: what the client must have been told by now. `notification` and `result` take the
/// oldest one that no earlier step took; `answer` the oldest HTTP answer; `silence` demands that no
/// notification is left; `exit` that the session has ended.
struct expect_step {
  expectation what = expectation::silence;
  nlohmann::json match; ///< partial JSON; null: anything
};

using scenario_action =
    std::variant<post_step, call_step, send_step, serve_step, disconnect_step, expect_step>;

/// One line of a scenario.
struct scenario_step {
  std::size_t line = 0;
  std::chrono::milliseconds at{0}; ///< since the start; never before the previous step's
  std::string client{"agent"};
  scenario_action action;
};

/// A scenario file: one JSON object a line; empty lines and lines that start
/// with `//` are skipped. The first may be `config`.
struct scenario {
  nlohmann::json config; ///< settings as in the configuration file; null when absent
  wall_time start{};     ///< wall clock at the beginning
  std::vector<scenario_step> steps;
};

/// Reads a scenario; the error names the line.
result_or<scenario> parse_scenario(std::string_view text);

} // namespace gasoline
