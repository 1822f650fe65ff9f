#include "actors/mcp_tools/streams/stream_page_answer.hpp"

#include "messages/base/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace gasoline {
namespace {

/// Room kept for the sentence and the counts around the items.
constexpr std::uint64_t page_frame_bytes = 600;

std::string counted(std::uint64_t n, std::string_view words) {
  return std::to_string(n) + ' ' + std::string{words} + (n == 1 ? "" : "s");
}

/// A single event above the whole budget: the beginning of its data.
std::string shortened_item(const stream_event& e, std::uint64_t room) {
  const auto start = e.data.shortened(std::max<std::uint64_t>(room / 4, 64));
  std::string out;
  json_object_writer w{out};
  w.number("id", e.id).text("event_id", e.uuid).text("timestamp", to_iso8601(e.at));
  w.text("event_type", e.type.view());
  if (!e.topic.empty())
    w.text("topic", e.topic.view());
  w.text("data_start", start.view()).number("data_bytes", std::uint64_t{e.data.size()});
  w.text("note", "Too large for this answer: pass cursor s" + std::to_string(e.id - 1) +
                     " and a larger max_bytes to see all.");
  w.close();
  return out;
}

std::string sentence(const observe_stream_call& call, const stream_page& page) {
  const auto source = " of stream " + page.stream + " (topic " + page.topic + ")";
  std::string out;
  if (!page.events.empty())
    out = counted(page.events.size(), "event") + source + ", oldest first";
  else if (call.read.wait.count() > 0)
    out =
        "No new event" + source + " within " + std::to_string(call.read.wait.count() / 1000) + " s";
  else
    out = "No new event" + source + "; wait_seconds waits for one";
  if (page.missed > 0)
    out += "; " + counted(page.missed, "older event") + " left the buffer before they were read";
  if (page.left > 0)
    out += "; " + std::to_string(page.left) + " more: call again";
  out += ".";
  if (!page.events.empty())
    out.append(" ").append(outside_text_label);
  if (!call.ignored.empty())
    out += " Ignored arguments: " + call.ignored + ".";
  return out;
}

} // namespace

tool_result stream_page_answer(const observe_stream_call& call, const stream_page& page) {
  if (!page.problem.empty())
    return {page.problem, true};
  const auto budget = call.read.max_bytes > page_frame_bytes
                          ? call.read.max_bytes - page_frame_bytes
                          : call.read.max_bytes;
  std::string items{"["};
  for (const auto& e : page.events) {
    std::string item;
    append_stream_event(item, *e);
    if (page.events.size() == 1 && item.size() > budget)
      item = shortened_item(*e, budget);
    items += items.size() > 1 ? "," : "";
    items += item;
  }
  std::string out = sentence(call, page) + '\n';
  json_object_writer w{out};
  const auto count = static_cast<std::uint64_t>(page.events.size());
  w.raw("items", items + ']').number("count", count).number("total", count + page.left);
  if (page.left > 0)
    w.text("cursor", "s" + std::to_string(page.to));
  if (page.missed > 0)
    w.number("missed", page.missed);
  w.close();
  return {std::move(out), false};
}

} // namespace gasoline
