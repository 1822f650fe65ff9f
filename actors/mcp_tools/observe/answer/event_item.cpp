#include "actors/mcp_tools/observe/answer/event_item.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/frames/stack/frame_folding.hpp"
#include "actors/mcp_tools/observe/answer/body_shape.hpp"
#include "actors/mcp_tools/observe/answer/item_time.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/telemetry/event_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace gasoline {
namespace {

/// Members that join events with each other, or that the rest of the item says.
constexpr std::array<std::string_view, 13> joints{
    "source",   "filename",  "lineno", "colno",  "page_id",   "error_id",    "request_id",
    "trace_id", "initiator", "format", "cached", "timestamp", "content_type"};

/// Whether a log entry's message is made of these arguments, as consoles join them.
bool is_made_of(std::string_view message, std::string_view arguments) {
  const auto list = nlohmann::ordered_json::parse(arguments, nullptr, false);
  if (!list.is_array())
    return false;
  using error_handler = nlohmann::json::error_handler_t;
  std::string joined;
  for (const auto& each : list) {
    joined += joined.empty() ? "" : " ";
    joined += each.is_string() ? each.get<std::string>()
                               : each.dump(-1, ' ', false, error_handler::replace);
  }
  return joined == message;
}

std::string_view without_page_origin(std::string_view url, std::string_view page) {
  const auto pieces = take_apart(url);
  const bool same = !pieces.origin.empty() && pieces.origin == take_apart(page).origin;
  return same && !pieces.path.empty() ? url.substr(pieces.origin.size()) : url;
}

void add_shown(json_object_writer& w, std::string_view name, std::string_view text) {
  if (!text.empty())
    w.text(name, text);
}

void add_log(json_object_writer& w, const event& e) {
  w.text("level", name_of(e.level));
  if (e.type != entry_type::console)
    w.text("type", name_of(e.type));
  add_shown(w, "method", e.name.view());
  if (e.status >= 0)
    w.number("status", e.status);
  add_shown(w, "message", e.message.view());
  const auto page = page_address(e).view();
  if (e.stack.empty())
    add_shown(w, "at", without_page_origin(error_location(e).view(), page));
  add_shown(w, "url", e.url.view());
  if (e.page != e.url)
    add_shown(w, "page", e.page.view());
}

void add_request(json_object_writer& w, const event& e) {
  add_shown(w, "method", e.name.view());
  if (e.status >= 0)
    w.number("status", e.status);
  add_shown(w, "url", without_page_origin(e.url.view(), e.page.view()));
  add_shown(w, "error", e.message.view());
  if (take_apart(e.url.view()).origin != take_apart(e.page.view()).origin)
    add_shown(w, "page_url", e.page.view());
}

bool is_body(std::string_view name) {
  return name == "request_body" || name == "response_body";
}

void add_stack(json_object_writer& w, const event& e) {
  const auto folded = folded_stack(e.stack.view(), {page_address(e).view()});
  add_shown(w, "stack", folded.empty() ? e.stack.view() : std::string_view{folded});
}

std::string event_item(const observe_call& call, const event_group& g) {
  const auto& e = *g.newest;
  std::string out;
  if (e.origin != event_origin::page) { // what an SDK tells is its own choice
    append_group_json(out, g, false);
    return out;
  }
  json_object_writer w{out};
  add_time(w, e, call);
  add_shown(w, "service", e.service.view());
  if (e.kind == telemetry_kind::log)
    add_log(w, e);
  else
    add_request(w, e);
  if (e.duration_ms >= 0)
    w.decimal("duration", e.duration_ms);
  for_each_field(e.fields.view(), [&](std::string_view name, std::string_view value) {
    const bool told = std::find(joints.begin(), joints.end(), name) != joints.end() ||
                      (name == "args" && is_made_of(e.message.view(), value));
    if (told)
      return;
    if (is_body(name) && value.starts_with('"'))
      w.text(name, body_shape(field_text(e.fields, name).view()));
    else
      w.raw(name, value);
  });
  add_stack(w, e);
  if (g.count > 1)
    w.number("count", g.count);
  if (e.noise == noise_mark::noise)
    w.boolean("noise", true);
  w.close();
  return out;
}

} // namespace

std::vector<answer_item> event_items(const observe_call& call, const store_page& page,
                                     const store_page&) {
  std::vector<answer_item> out;
  for (const auto& g : page.groups) {
    const auto& e = *g.newest;
    out.push_back({[&call, &g] { return event_item(call, g); }, e.sequence,
                   e.level == log_level::error || is_failed_request(e)});
  }
  return out;
}

} // namespace gasoline
