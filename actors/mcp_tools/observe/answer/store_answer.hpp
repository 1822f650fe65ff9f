#pragma once

#include "actors/mcp_tools/observe/answer/observe_call.hpp"
#include "actors/mcp_tools/tool/tool.hpp"
#include "messages/telemetry/query.hpp"

#include <optional>
#include <string>

namespace gasoline {

/// A mode of `observe` that shows events of the telemetry store.
struct store_view {
  observe_subject subject;
  std::string_view about; ///< one line of the guide
  queried_events events;  ///< which events of the store it shows

  /// Makes another answer out of the page; null: one item for each group of events
  /// (`store_answer`).
  std::string (*summary)(const observe_call& call, const store_page& page) = nullptr;

  /// Makes items of fewer bytes; `detail: full` shows events as they were sent. Null: always that.
  item_maker brief_items = nullptr;
  /// Which events the brief items are made of, where these are others.
  std::optional<queried_events> brief_events{};
  bool looks_around = false; ///< the brief items tell of other events, too
};

/// The mode; with a `summary` it looks at more events than it shows.
tool_mode store_mode(const store_view& view, const limits_of<client_room, result_room>& limit);

/// A call of the view with default arguments whose answer may have that many bytes.
observe_call plain_call(const store_view& view, const limits_of<client_room, result_room>& limit,
                        std::uint64_t max_bytes);

/// The answer for a page: one summary sentence, a line break, compact JSON. An empty answer says
/// why it is empty and what to do next.
std::string store_answer(const observe_call& call, const store_page& page,
                         const store_page& around = {});

/// The result with that text, and with the room that its budget leaves for unread alerts.
tool_result observe_result(const observe_call& asked, std::string text);

/// Why there is nothing to show.
std::string empty_sentence(const observe_call& call, const store_page& page);

} // namespace gasoline
