#pragma once

#include "actors/mcp_tools/tool/tool_parameters.hpp"
#include "config/limits.hpp"
#include "messages/telemetry/query.hpp"

#include <chrono>
#include <string>
#include <string_view>

namespace gasoline {

/// What a mode of `observe` shows, as its sentences name it.
struct observe_subject {
  std::string_view mode; ///< the value of `what`
  std::string_view one;
  std::string_view many;
  std::string_view hint; ///< what to do when there is none
};

/// A checked `observe` call.
struct observe_call {
  observe_subject subject;
  store_query query;
  bool only_new = false;        ///< `since_cursor`: only what is behind it, errors first
  bool whole_budget = false;    ///< `max_tokens`: unread alerts have to fit in, too
  std::chrono::seconds wait{0}; ///< `what: alerts`: how long to wait for an unread one
  std::string ignored{};        ///< arguments it does not know, for the summary sentence
};

/// A call with default arguments whose answer may have that many bytes.
observe_call plain_call(const observe_subject& subject,
                        const limits_of<client_room, result_room>& limit, std::uint64_t max_bytes);

/// The filters, paging and size that all modes but `stream` have. `wait_seconds` is refused unless
/// `waits`.
tool_parameters<observe_call> observe_parameters(observe_call usual,
                                                 const limits_of<client_room, result_room>& limit,
                                                 bool waits);

/// What a mode without a sequence says of `since_cursor`.
void refuse_since_cursor(tool_arguments& arguments, const observe_call& call);

/// `3 errors`.
std::string counted(std::uint64_t n, const observe_subject& subject);

} // namespace gasoline
