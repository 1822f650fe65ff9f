#include "actors/mcp_tools/observe/stream_mode.hpp"

#include "actors/mcp_tools/tool/call_wait.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"
#include "messages/streams/named_stream.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>

namespace gasoline {
namespace {

/// A checked call. The client of the read is left open.
struct observe_stream_call {
  stream_read read;
  std::chrono::seconds wait{0};
  std::string ignored; ///< arguments it does not know
};

/// Room kept for the sentence and the counts around the items.
constexpr std::uint64_t page_frame_bytes = 600;

std::string plural(std::uint64_t n, std::string_view words) {
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

std::string page_sentence(const observe_stream_call& call, const stream_page& page) {
  const auto source = " of stream " + page.stream + " (topic " + page.topic + ")";
  std::string out;
  if (!page.events.empty())
    out = plural(page.events.size(), "event") + source + ", oldest first";
  else if (call.read.wait.count() > 0)
    out =
        "No new event" + source + " within " + std::to_string(call.read.wait.count() / 1000) + " s";
  else
    out = "No new event" + source + "; wait_seconds waits for one";
  if (page.missed > 0)
    out += "; " + plural(page.missed, "older event") + " left the buffer before they were read";
  if (page.left > 0)
    out += "; " + std::to_string(page.left) + " more: call again";
  out += ".";
  if (!page.events.empty())
    out.append(" ").append(outside_text_label);
  if (!call.ignored.empty())
    out += " Ignored arguments: " + call.ignored + ".";
  return out;
}

tool_result stream_page_answer(const observe_stream_call& call, const stream_page& page) {
  if (!page.problem.empty())
    return error_result(page.problem);
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
  std::string out = page_sentence(call, page) + '\n';
  json_object_writer w{out};
  const auto count = static_cast<std::uint64_t>(page.events.size());
  w.raw("items", items + ']').number("count", count).number("total", count + page.left);
  if (page.left > 0)
    w.text("cursor", "s" + std::to_string(page.to));
  if (page.missed > 0)
    w.number("missed", page.missed);
  w.close();
  return text_result(std::move(out));
}

/// The number of the last event that a cursor says was read.
std::optional<std::uint64_t> parse_stream_cursor(tool_arguments& arguments,
                                                 const std::string& text) {
  if (text.empty())
    return std::nullopt;
  std::uint64_t id = 0;
  const auto* end = text.data() + text.size();
  const auto [at, ec] = std::from_chars(text.data() + 1, end, id);
  if (text.front() == 's' && text.size() > 1 && ec == std::errc{} && at == end)
    return id;
  arguments.fail("cursor must be the value that an earlier answer gave, unchanged; leave it out to "
                 "read what is new.");
  return std::nullopt;
}

/// Where a parameter of the read goes.
template <class Member>
auto in_read(Member member) {
  return [member](observe_stream_call & call) -> auto& {
    return call.read.*member;
  };
}

tool_parameters<observe_stream_call>
stream_parameters(const limits_of<client_room, result_room>& limit) {
  observe_stream_call usual;
  usual.read.limit = limit.result.items;
  usual.read.max_bytes = limit.result.bytes;
  tool_parameters<observe_stream_call> out{usual};
  out.text("subscription_id", in_read(&stream_read::subscription))
      .about("what: stream")
      .needed(": stream_subscribe {stream_name, topic} answers one.");
  out.parsed("cursor", in_read(&stream_read::after), parse_stream_cursor);
  out.integer("limit", in_read(&stream_read::limit), 1, limit.result.max_items);
  out.integer("max_bytes", in_read(&stream_read::max_bytes), 1024, limit.result.max_bytes);
  out.integer("wait_seconds", &observe_stream_call::wait, 0, limit.client.wait_seconds);
  out.ignored(&observe_stream_call::ignored);
  return out;
}

/// Shows progress until the call is answered.
void show_progress(const tool_call& call, const call_wait& wait) {
  const auto step = wait.at(call.now());
  if (step.over || !call.is_open())
    return;
  if (step.progressed)
    call.progress(static_cast<double>(step.progressed->count()),
                  static_cast<double>(wait.length().count()), "Waiting for an event.");
  call.after(std::chrono::ceil<std::chrono::milliseconds>(step.next),
             [call, wait] { show_progress(call, wait); });
}

void begin_progress(const tool_call& call, std::chrono::milliseconds length) {
  if (!call.wants_progress() || length.count() == 0)
    return;
  show_progress(call, call_wait{call.now(), std::chrono::ceil<std::chrono::seconds>(length),
                                std::chrono::milliseconds{call.limit().client.progress_ms}});
}

void take_page(const tool_call& call, const observe_stream_call& asked, const stream_page& page) {
  call.answer(stream_page_answer(asked, page), [call, subscription = asked.read.subscription,
                                                from = page.from, to = page.to] {
    caf::anon_send(call.engine().streams, unread_atom_v, call.client(), subscription, from, to);
  });
}

void read_subscription(const tool_call& call, observe_stream_call asked) {
  asked.read.client = call.client();
  asked.read.wait = asked.wait;
  call.ask_engine<stream_page>(
      call.engine().streams,
      [call, asked](const stream_page& page) { take_page(call, asked, page); }, read_atom_v,
      asked.read);
  begin_progress(call, asked.read.wait);
}

} // namespace

tool_mode stream_mode(const limits_of<client_room, result_room>& limit) {
  return make_mode("stream", "what is new for a subscription_id", stream_parameters(limit),
                   read_subscription);
}

} // namespace gasoline
