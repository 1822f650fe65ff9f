#include "actors/mcp_tools/generate/documents/har_document.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"
#include "config/version.hpp"
#include "messages/base/encoding/percent_encoding.hpp"
#include "messages/base/encoding/query_pairs.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

std::string decoded(std::string_view text) {
  return percent_decoded(with_blanks(text)).value_or(std::string{text});
}

std::string pair_json(std::string_view name, std::string_view value) {
  std::string out;
  json_object_writer w{out};
  w.text("name", name).text("value", value).close();
  return out;
}

std::string query_json(std::string_view url) {
  auto rest = take_apart(url).rest;
  rest = rest.substr(0, rest.find('#'));
  rest.remove_prefix(rest.starts_with('?') ? 1 : 0);
  std::string out;
  while (const auto pair = take_query_pair(rest))
    out.append(out.empty() ? "" : ",").append(pair_json(decoded(pair->name), decoded(pair->value)));
  return '[' + out + ']';
}

/// The headers in the first of these fields that has some.
std::string headers_json(const event& e, std::initializer_list<const char*> names) {
  redacted_text members;
  for (const char* name : names)
    if (members.empty())
      members = field_members(e.fields, name);
  std::string out;
  for_each_field(members.view(), [&](std::string_view name, std::string_view) {
    out.append(out.empty() ? "" : ",").append(pair_json(name, field_text(members, name).view()));
  });
  return '[' + out + ']';
}

/// What every request and every answer has.
void add_message(json_object_writer& w, std::string_view headers) {
  w.text("httpVersion", "unknown").raw("cookies", "[]").raw("headers", headers);
  w.number("headersSize", std::int32_t{-1}).number("bodySize", std::int32_t{-1});
}

std::string request_json(const recorded_request& r) {
  std::string out;
  json_object_writer w{out};
  const auto url = absolute_url(*r.told);
  w.text("method", request_method(*r.told)).text("url", url);
  add_message(w, headers_json(*r.told, {"request_headers", "headers"}));
  w.raw("queryString", query_json(url));
  if (const auto sent = field_text(r.told->fields, "request_body"); !sent.empty()) {
    std::string data;
    json_object_writer body{data};
    body.text("mimeType", "").raw("params", "[]").text("text", sent.view());
    body.close();
    w.raw("postData", data);
  }
  w.close();
  return out;
}

std::string content_json(const event& e) {
  const auto body = answer_body(e);
  const auto remark = body_remark(e);
  std::string out;
  json_object_writer w{out};
  w.number("size", std::uint64_t{body.size()}).text("mimeType", answer_type(e));
  if (!body.empty())
    w.text("text", body);
  if (!remark.empty())
    w.text("comment", "The body is left out: " + remark);
  else if (is_cut_body(e))
    w.text("comment", "The beginning of the body");
  else if (body.empty())
    w.text("comment", "The body was not captured");
  w.close();
  return out;
}

std::string response_json(const event& e) {
  std::string out;
  json_object_writer w{out};
  w.number("status", std::max<std::int32_t>(e.status, 0));
  w.text("statusText", field_text(e.fields, "statusText").view());
  add_message(w, headers_json(e, {"response_headers"}));
  w.raw("content", content_json(e)).text("redirectURL", "");
  if (!e.message.empty())
    w.text("comment", e.message.view());
  w.close();
  return out;
}

std::string entry_json(const recorded_request& r) {
  std::string timings;
  json_object_writer t{timings};
  t.number("send", std::int32_t{0})
      .decimal("wait", r.duration_ms)
      .number("receive", std::int32_t{0});
  t.close();
  std::string out;
  json_object_writer w{out};
  w.text("startedDateTime", to_iso8601(r.started)).decimal("time", r.duration_ms);
  w.raw("request", request_json(r)).raw("response", response_json(*r.told));
  w.raw("cache", "{}").raw("timings", timings);
  if (!r.told->page.empty())
    w.text("comment", "of the page " + r.told->page.str());
  w.close();
  return out;
}

std::string log_json(const std::string& entries, std::size_t left) {
  std::string log;
  json_object_writer w{log};
  w.text("version", "1.2");
  std::string creator;
  json_object_writer c{creator};
  c.text("name", "gasoline").text("version", program_version()).close();
  w.raw("creator", creator).raw("entries", '[' + entries + ']');
  if (left > 0)
    w.text("comment", std::to_string(left) + " older requests are left out");
  w.close();
  return "{\"log\":" + log + '}';
}

result_or<artifact> make_har(const generation_input& input) {
  const auto requests = recorded_requests(input.steps);
  if (requests.empty())
    return tl::unexpected(user_error{"No requests were recorded there; observe "
                                     "{\"what\":\"network_waterfall\"} lists those that "
                                     "were."});
  constexpr std::size_t around = 300;
  std::vector<std::string> entries;
  std::size_t bytes = around;
  for (auto r = requests.rbegin(); r != requests.rend(); ++r) {
    auto entry = entry_json(*r);
    bytes += entry.size() + 1;
    if (bytes > input.room)
      break;
    entries.push_back(std::move(entry));
  }
  std::string list;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry)
    list.append(list.empty() ? "" : ",").append(*entry);
  const auto left = requests.size() - entries.size();
  auto sentence =
      counted_words(entries.size(), "request", "requests") + " as HAR 1.2." + input.seen.remark;
  sentence += older_left_out(left);
  return artifact{log_json(list, left), std::move(sentence)};
}

} // namespace

generation har_document() {
  return {"har", "the recorded requests as HAR 1.2", usual_beginning::everything,
          looked_at::events_and_steps, make_har};
}

} // namespace gasoline
