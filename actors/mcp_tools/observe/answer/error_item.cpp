#include "actors/mcp_tools/observe/answer/error_item.hpp"

#include "actors/base/page_key.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/mcp_tools/observe/answer/item_time.hpp"
#include "actors/mcp_tools/observe/answer/page_past.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/time.hpp"
#include "messages/telemetry/event_json.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t item_bytes = 400;
constexpr std::size_t least_message_bytes = 90;
constexpr std::size_t most_stack_bytes = 180;
constexpr std::size_t most_frame_bytes = 240; // of source, where a build shows it
constexpr std::size_t most_page_bytes = 80;
constexpr std::size_t most_field_bytes = 60;
constexpr std::size_t steps_told = 4;
constexpr std::size_t pages_told = 8;

/// What stands around message, and around the list of steps.
constexpr std::size_t frame_bytes =
    std::string_view{R"({"ts":"2026-01-28T14:30:00.000Z","message":"",})"}.size();
constexpr std::size_t before_bytes = std::string_view{R"(,"before":[])"}.size();

/// Members that say again what message, stack and page say, or that join events with each other.
constexpr std::array<std::string_view, 15> told_elsewhere{
    "source", "filename", "file",     "lineno",     "colno",  "line",     "col", "args",
    "page",   "page_id",  "error_id", "request_id", "format", "page_url", "name"};

/// How many bytes a character takes within a JSON string.
std::size_t json_bytes(char c) {
  if (c == '"' || c == '\\' || c == '\n' || c == '\t' || c == '\r')
    return 2;
  return static_cast<unsigned char>(c) < 0x20 ? 6 : 1;
}

/// As much of the text as has that many bytes as JSON, cut at a character.
std::string beginning(std::string_view text, std::size_t bytes) {
  constexpr std::string_view mark = "…";
  std::size_t used = 0;
  std::size_t cut = 0; // where the mark would still fit
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && used + mark.size() <= bytes)
      cut = i;
    used += json_bytes(text[i]);
    if (used > bytes)
      return std::string{text.substr(0, cut)} + std::string{mark};
  }
  return std::string{text};
}

/// As many own frames as there is room for, and the line for what is left out.
std::string shown_stack(const event& e, std::string_view page) {
  folding how{page};
  auto out = folded_stack(e.stack.view(), how);
  while (out.size() > most_stack_bytes && how.own_frames > 1) {
    --how.own_frames;
    out = folded_stack(e.stack.view(), how);
  }
  if (out.size() <= most_stack_bytes)
    return out;
  const auto last = std::min(out.rfind('\n'), out.size()); // what was left out stays
  const auto kept = most_stack_bytes - std::min(out.size() - last, most_stack_bytes);
  return beginning(std::string_view{out}.substr(0, last), kept) + out.substr(last);
}

void add_place(json_object_writer& w, const event& e) {
  const auto page = page_address(e).view();
  if (const auto stack = shown_stack(e, page); !stack.empty()) {
    w.text("stack", stack);
    return;
  }
  const auto place = error_location(e);
  const auto line = "at " + place.str();
  const auto frame = parse_frame(line);
  if (frame && !frame->place.empty())
    w.text("at", shown_place(*frame, page));
  else if (!place.empty())
    w.text("at", beginning(place.view(), most_page_bytes));
}

/// A value that is short enough to be worth its bytes: no list, no object.
bool is_worth_telling(std::string_view name, std::string_view value) {
  const bool known =
      std::find(told_elsewhere.begin(), told_elsewhere.end(), name) != told_elsewhere.end();
  return !known && !value.starts_with('[') && !value.starts_with('{');
}

void add_fields(json_object_writer& w, const event& e, const std::string& out,
                std::size_t most_bytes) {
  if (const auto frame = field_text(e.fields, "code_frame"); !frame.empty())
    w.text("code_frame", beginning(frame.view(), most_frame_bytes));
  for_each_field(e.fields.view(), [&](std::string_view name, std::string_view value) {
    if (name == "code_frame" || !is_worth_telling(name, value))
      return;
    if (value.size() <= most_field_bytes && out.size() + name.size() + value.size() < most_bytes)
      w.raw(name, value);
  });
}

void add_repeats(json_object_writer& w, const event_group& fault) {
  const auto& e = *fault.newest;
  if (fault.count <= 1)
    return;
  w.number("count", fault.count);
  if (fault.first_at < e.at)
    w.text("first", span_words(e.at - fault.first_at) + " earlier");
}

/// The paths of the other pages that a fault was seen on, each once whatever its query says.
std::vector<std::string_view> other_paths(const event_group& fault) {
  const auto key_of = [](const event& e) { return page_key(page_address(e).view()); };
  std::vector<std::string_view> keys{key_of(*fault.newest)};
  std::vector<std::string_view> out;
  for (const auto& other : fault.others) {
    const auto key = key_of(*other);
    if (out.size() == pages_told || std::find(keys.begin(), keys.end(), key) != keys.end())
      continue;
    keys.push_back(key);
    out.push_back(take_apart(key).path);
  }
  return out;
}

void add_pages(json_object_writer& w, const event_group& fault) {
  const auto& e = *fault.newest;
  if (!e.page.empty() && !e.url.empty() && e.page != e.url)
    w.text("page", beginning(e.page.view(), most_page_bytes));
  if (!e.url.empty() || !e.page.empty())
    w.text("url",
           beginning(e.url.empty() ? e.page.view() : e.url.view(),
                     e.page.empty() || e.page == e.url ? most_page_bytes : most_page_bytes / 2));
  const auto paths = other_paths(fault);
  if (paths.empty())
    return;
  std::string list;
  for (const auto path : paths)
    append_json_string(list.append(list.empty() ? "" : ","), beginning(path, most_page_bytes / 2));
  w.raw("also_on", "[" + list + "]");
}

std::size_t json_bytes(std::string_view text) {
  std::size_t total = 0;
  for (const char c : text)
    total += json_bytes(c);
  return total;
}

/// The steps that fit, the last ones first to be kept; what is left goes to their details.
void add_before(json_object_writer& w, const std::vector<page_step>& steps, std::size_t room) {
  constexpr std::size_t around = std::string_view{R"("",)"}.size();
  constexpr std::size_t least_detail_bytes = 24;
  std::vector<std::string> texts;
  for (const auto& step : steps) {
    const auto bytes = json_bytes(step.words) + around;
    if (bytes > room)
      break;
    room -= bytes;
    texts.push_back(step.words);
  }
  std::string list;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const auto& detail = steps[i].detail; !detail.empty() && room >= least_detail_bytes) {
      const auto shown = beginning(detail, room);
      room -= std::min(room, json_bytes(shown));
      texts[i] += shown;
    }
    std::string text;
    append_json_string(text, texts[i]);
    list = list.empty() ? text : text + ',' + list;
  }
  if (!list.empty())
    w.raw("before", "[" + list + "]");
}

/// All members but the message, which gets the room that they leave.
std::string members_without_message(const event_group& fault, const page_past& past,
                                    std::size_t message_bytes) {
  const auto& e = *fault.newest;
  std::string out;
  json_object_writer w{out};
  add_place(w, e);
  if (e.type != entry_type::exception && e.type != entry_type::console)
    w.text("type", name_of(e.type));
  if (e.status >= 0)
    w.number("status", e.status);
  if (!e.service.empty())
    w.text("service", beginning(e.service.view(), most_field_bytes));
  add_repeats(w, fault);
  add_pages(w, fault);
  if (const auto reload = past.reloaded_after(e))
    w.text("gone", "not seen since the reload at " + to_iso8601(*reload).substr(11, 8));
  add_fields(w, e, out, item_bytes - least_message_bytes);
  if (e.noise == noise_mark::noise)
    w.boolean("noise", true);
  const auto taken = out.size() + message_bytes + frame_bytes + before_bytes;
  add_before(w, past.before(e, steps_told), item_bytes > taken ? item_bytes - taken : 0);
  return out.substr(1);
}

std::string error_item(const observe_call& call, const event_group& fault, const page_past& past) {
  const auto& e = *fault.newest;
  const auto message = folded_message(e.message.view());
  const auto rest =
      members_without_message(fault, past, std::max(message.size(), least_message_bytes));
  const auto taken = rest.size() + frame_bytes;
  const auto room = item_bytes > taken ? item_bytes - taken : 0;
  std::string out;
  json_object_writer w{out};
  add_time(w, e, call);
  w.text("message", beginning(message, std::max(room, least_message_bytes)));
  w.members(rest);
  w.close();
  return out;
}

/// What an SDK of a program tells is its own choice, and is shown whole.
std::string item_of_fault(const observe_call& call, const event_group& fault,
                          const page_past& past) {
  if (fault.newest->origin == event_origin::page)
    return error_item(call, fault, past);
  std::string out;
  append_group_json(out, fault, false);
  return out;
}

} // namespace

std::vector<answer_item> error_items(const observe_call& call, const store_page& page,
                                     const store_page& around) {
  const page_past past{around};
  std::vector<answer_item> out;
  for (const auto& fault : page.groups)
    out.push_back({[&call, &fault, past] { return item_of_fault(call, fault, past); },
                   fault.newest->sequence, true});
  return out;
}

} // namespace gasoline
