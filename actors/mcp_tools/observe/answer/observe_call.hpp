#pragma once

#include "actors/mcp_tools/tool/tool_parameters.hpp"
#include "config/limits.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/query.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// What a mode of `observe` shows, as its sentences name it.
struct observe_subject {
  std::string_view mode; ///< the value of `what`
  std::string_view one;
  std::string_view many;
  std::string_view hint; ///< what to do when there is none; may be empty
};

/// How much of each item an answer shows.
enum class answer_detail : std::uint8_t {
  brief, ///< what is needed to open the right line
  full   ///< all that was sent
};

template <>
struct enum_table<answer_detail> {
  static constexpr std::array<std::pair<answer_detail, std::string_view>, 2> rows{{
      {answer_detail::brief, "brief"},
      {answer_detail::full, "full"},
  }};
};

struct observe_call;

/// One item of an answer. It is written when it is shown: most of what a question finds has no room
/// in the answer. Valid as long as what it was made of.
struct answer_item {
  std::function<std::string()> json;
  std::uint64_t sequence = 0; ///< of the newest event that it shows
  bool is_error = false;
};

/// Makes the items of an answer. `around` is what the store had at the same time of everything, for
/// modes that ask for it.
using item_maker = std::vector<answer_item> (*)(const observe_call& call, const store_page& page,
                                                const store_page& around);

/// A checked `observe` call.
struct observe_call {
  observe_subject subject;
  store_query query;
  answer_detail detail = answer_detail::brief;
  item_maker brief_items = nullptr;    ///< of `detail: brief`; null: it is the same as `full`
  bool only_new = false;               ///< `since_cursor`: only what is behind it, errors first
  bool whole_budget = false;           ///< `max_tokens`: unread alerts have to fit in, too
  std::chrono::seconds wait{0};        ///< `what: alerts`: how long to wait for an unread one
  std::optional<wall_time> asked_at{}; ///< by whoever reads the answer; ages count from it
  std::string ignored{};               ///< arguments it does not know, for the summary sentence
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
