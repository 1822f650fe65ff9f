#include "actors/detection/direct_alert.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/detection/event_fields.hpp"
#include "actors/detection/fault_key.hpp"
#include "actors/detection/stack_frames.hpp"
#include "actors/detection/url_pieces.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t frames_shown = 3;

bool says_uncaught(std::string_view message) {
  return without_uncaught(message).size() != message.size();
}

const redacted_text& page_of(const event& e) {
  return e.page.empty() ? e.url : e.page;
}

void add_sentence(redacted_text& detail, const redacted_text& sentence) {
  if (sentence.empty())
    return;
  if (!detail.empty())
    detail += "\n";
  detail += sentence;
}

void add_page(redacted_text& detail, const redacted_text& page, const limits& limit) {
  if (!page.empty())
    add_sentence(detail, redacted(literal{"page "}, page.shortened(limit.alert.url_bytes)));
}

// The part of a message that its title has no room for.
redacted_text long_message(const event& e, const limits& limit) {
  if (first_line(e.message.view()).size() == e.message.size() &&
      e.message.size() + sizeof("Uncaught ") <= limit.alert.title_bytes)
    return {};
  return e.message.shortened(limit.alert.detail_bytes / 2);
}

redacted_text top_frames(const event& e) {
  redacted_text out;
  std::size_t shown = 0;
  auto rest = e.stack.view();
  while (!rest.empty() && shown < frames_shown) {
    auto line = first_line(rest);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (frame_location(line).empty())
      continue;
    line.remove_prefix(line.find_first_not_of(" \t"));
    add_sentence(out, part_of(e.stack, line));
    ++shown;
  }
  return out;
}

redacted_text where_thrown(const event& e) {
  if (auto frames = top_frames(e); !frames.empty())
    return frames;
  const auto location = error_location(e);
  return location.empty() ? redacted_text{} : redacted(literal{"at "}, location);
}

/// The members that all alerts about events share.
alert alert_about(const event& e, alert_category category, alert_topic kind, severity level) {
  alert a;
  a.category = category;
  a.kind = kind;
  a.level = level;
  a.count = std::max<std::uint32_t>(e.count, 1);
  a.page_data = true;
  a.source = literal{"anomaly_detector"};
  return a;
}

alert uncaught_alert(const event& e, const limits& limit) {
  auto a = alert_about(e, alert_category::anomaly, alert_topic::errors, severity::error);
  const auto message = first_line(e.message.view());
  redacted_text title;
  if (!says_uncaught(message))
    title += "Uncaught ";
  if (message.empty())
    title += "error without a message";
  title += part_of(e.message, message);
  a.title = title.shortened(limit.alert.title_bytes);
  add_sentence(a.detail, long_message(e, limit));
  add_sentence(a.detail, where_thrown(e).shortened(limit.alert.detail_bytes / 2));
  add_page(a.detail, page_of(e), limit);
  a.dedup_key = error_key(e, limit.alert.key_bytes);
  a.url = page_of(e);
  a.next = literal{R"(observe {"what":"errors"})"};
  return a;
}

alert hint_alert(const event& e, const limits& limit) {
  auto a = alert_about(e, alert_category::anomaly, alert_topic::errors, severity::info);
  a.title = literal{"Script error in a script of another origin; the browser hides its details"};
  a.detail = literal{"Add crossorigin=\"anonymous\" to that <script> tag and serve the file with "
                     "Access-Control-Allow-Origin, then the message and the stack become visible."};
  add_page(a.detail, page_of(e), limit);
  a.dedup_key = redacted(literal{"script_error:"}, target_key(page_of(e), limit.alert.key_bytes));
  a.url = page_of(e);
  a.next = literal{R"(observe {"what":"errors"})"};
  return a;
}

bool is_mixed_content(const event& e) {
  return field_json(e.fields.view(), "kind") == R"("mixed_content")" ||
         e.message.view().starts_with("Mixed Content");
}

alert security_alert(const event& e, const limits& limit) {
  auto a = alert_about(e, alert_category::threshold, alert_topic::security, severity::warning);
  const auto message = part_of(e.message, first_line(e.message.view()));
  redacted_text title;
  if (!is_mixed_content(e))
    title += "Security policy violation: ";
  else if (!message.view().starts_with("Mixed Content"))
    title += "Mixed content: ";
  title += message;
  a.title = title.shortened(limit.alert.title_bytes);
  add_sentence(a.detail, long_message(e, limit));
  add_sentence(a.detail, where_thrown(e).shortened(limit.alert.detail_bytes / 2));
  add_page(a.detail, page_of(e), limit);
  a.dedup_key = redacted(literal{"security:"}, normalised_line(e.message, limit.alert.key_bytes));
  a.url = e.url.empty() ? e.page : e.url;
  a.next = literal{R"(observe {"what":"logs","min_level":"warn"})"};
  return a;
}

literal reason_phrase(std::int32_t status) {
  constexpr std::array<std::pair<std::int32_t, literal>, 18> phrases{{
      {400, literal{"Bad Request"}},
      {401, literal{"Unauthorized"}},
      {403, literal{"Forbidden"}},
      {404, literal{"Not Found"}},
      {405, literal{"Method Not Allowed"}},
      {408, literal{"Request Timeout"}},
      {409, literal{"Conflict"}},
      {410, literal{"Gone"}},
      {413, literal{"Content Too Large"}},
      {415, literal{"Unsupported Media Type"}},
      {422, literal{"Unprocessable Content"}},
      {429, literal{"Too Many Requests"}},
      {500, literal{"Internal Server Error"}},
      {501, literal{"Not Implemented"}},
      {502, literal{"Bad Gateway"}},
      {503, literal{"Service Unavailable"}},
      {504, literal{"Gateway Timeout"}},
      {505, literal{"HTTP Version Not Supported"}},
  }};
  for (const auto& [code, phrase] : phrases)
    if (code == status)
      return phrase;
  return "";
}

redacted_text request_words(const event& e, const redacted_text& url) {
  const auto path = take_apart(url.view()).path;
  auto words = method_of(e);
  if (!words.empty())
    words += " ";
  if (path.empty())
    words += "/";
  words += part_of(url, path);
  return words;
}

redacted_text request_title(const event& e, const redacted_text& url, const limits& limit) {
  constexpr std::size_t around = 40; // the words before and after the request
  redacted_text title;
  if (e.status >= 500)
    title = literal{"Server error: "};
  else if (e.status >= 400)
    title = literal{"Client error: "};
  else
    title = literal{"Request failed: "};
  const auto room = limit.alert.title_bytes > around ? limit.alert.title_bytes - around : 0;
  title += request_words(e, url).shortened(room);
  if (e.status >= 400)
    title += redacted(literal{" -> "}, e.status);
  else
    title += " (no answer)";
  return title.shortened(limit.alert.title_bytes);
}

redacted_text failure_reason(const event& e) {
  const auto phrase = reason_phrase(e.status);
  if (!phrase.view().empty())
    return redacted(literal{"Request failed with "}, phrase);
  if (e.status >= 400) {
    const auto given = field_text(e.fields, "statusText");
    return given.empty() ? redacted(literal{"Request failed with status "}, e.status)
                         : redacted(literal{"Request failed with "}, given);
  }
  if (auto error = field_text(e.fields, "error"); !error.empty())
    return redacted(literal{"Request failed: "}, error);
  return e.message.empty() ? redacted(literal{"The request got no answer"})
                           : redacted(literal{"Request failed: "}, e.message);
}

redacted_text request_detail(const event& e, const redacted_text& url, const limits& limit) {
  auto detail = failure_reason(e).shortened(limit.alert.detail_bytes / 2);
  if (e.duration_ms >= 0) {
    detail += " after ";
    detail.append_decimal(std::min(e.duration_ms, 1e12));
    detail += " ms";
  }
  const auto pieces = take_apart(url.view());
  if (!pieces.host.empty())
    add_sentence(detail,
                 redacted(literal{"url "}, part_of(url, pieces.origin), part_of(url, pieces.path))
                     .shortened(limit.alert.url_bytes));
  if (e.page != url)
    add_page(detail, e.page, limit);
  return detail;
}

alert_context context_of(const event& e, const redacted_text& url, const limits& limit) {
  alert_context context;
  context.method = method_of(e);
  context.url = url.shortened(limit.alert.url_bytes);
  context.status = e.status;
  context.duration_ms = e.duration_ms;
  auto headers = field_members(e.fields, "headers");
  if (headers.empty())
    headers = field_members(e.fields, "request_headers");
  if (headers.size() <= limit.alert.detail_bytes)
    context.headers = std::move(headers);
  return context;
}

bool is_fetch(const event& e) {
  if (e.source != event_source::network_waterfall)
    return true;
  const auto initiator = field_json(e.fields.view(), "initiator_type");
  return initiator.empty() || initiator == R"("fetch")" || initiator == R"("xmlhttprequest")";
}

literal requests_shown_by(event_source source) {
  if (source == event_source::network_bodies)
    return R"(observe {"what":"network_bodies","status_min":400})";
  if (source == event_source::network_waterfall)
    return R"(observe {"what":"network_waterfall","status_min":400})";
  return R"(observe {"what":"errors"})";
}

std::optional<alert> request_alert(const event& e, const limits& limit) {
  const bool client_error = e.status >= 400 && e.status < 500;
  if (client_error && !is_fetch(e))
    return std::nullopt;
  auto a = alert_about(e, alert_category::anomaly, alert_topic::network_errors,
                       client_error ? severity::warning : severity::error);
  const auto url = request_url(e);
  a.title = request_title(e, url, limit);
  a.detail = request_detail(e, url, limit);
  a.dedup_key = request_key(e, limit.alert.key_bytes);
  a.context = context_of(e, url, limit);
  a.url = url;
  a.next = requests_shown_by(e.source);
  return a;
}

redacted_text socket_address(const event& e) {
  const auto pieces = take_apart(e.url.view());
  return redacted(part_of(e.url, pieces.origin), part_of(e.url, pieces.path));
}

// A browser tells a failed socket twice, as an error without details and as a close with code
// 1006; both have the key of the latter.
redacted_text socket_key(const event& e, std::size_t max_bytes) {
  constexpr std::int32_t abnormal = 1006;
  return redacted(literal{"WS:"}, target_key(e.url, max_bytes / 2), literal{":"},
                  e.status > 0 ? e.status : abnormal);
}

alert socket_alert(const event& e, const limits& limit) {
  auto a = alert_about(e, alert_category::anomaly, alert_topic::network_errors, severity::warning);
  const auto address = socket_address(e).shortened(limit.alert.title_bytes / 2);
  if (is_abnormal_close(e))
    a.title = redacted(literal{"WebSocket closed abnormally: "}, address, literal{" (code "},
                       e.status, literal{")"});
  else
    a.title = redacted(literal{"WebSocket error: "}, address);
  a.detail = field_text(e.fields, "reason").shortened(limit.alert.detail_bytes / 2);
  if (a.detail.empty())
    a.detail = literal{"The connection was lost without a closing handshake"};
  add_page(a.detail, e.page, limit);
  a.dedup_key = socket_key(e, limit.alert.key_bytes);
  a.url = e.url;
  a.next = literal{R"(observe {"what":"websocket_events"})"};
  return a;
}

std::optional<alert> raised_by(const event& e, const limits& limit) {
  if (e.noise == noise_mark::hint)
    return hint_alert(e, limit);
  if (e.source == event_source::logs && e.type == entry_type::security)
    return security_alert(e, limit);
  if (is_uncaught(e))
    return uncaught_alert(e, limit);
  if (is_failed_exchange(e))
    return request_alert(e, limit);
  if (e.source == event_source::websocket_events &&
      (e.name.view() == "error" || is_abnormal_close(e)))
    return socket_alert(e, limit);
  return std::nullopt;
}

} // namespace

bool is_uncaught(const event& e) {
  if (e.source != event_source::logs)
    return false;
  if (e.type == entry_type::exception)
    return true;
  return e.type == entry_type::console && e.level == log_level::error &&
         says_uncaught(e.message.view());
}

bool is_error_entry(const event& e) {
  if (e.source != event_source::logs || e.type == entry_type::network)
    return false;
  return e.level == log_level::error || e.type == entry_type::exception;
}

bool is_failed_exchange(const event& e) {
  switch (e.source) {
  case event_source::network_bodies:
    return e.status == 0 || e.status >= 400 || (e.status < 0 && !e.message.empty());
  case event_source::network_waterfall:
    return e.status >= 400 || (e.status == 0 && !field_text(e.fields, "error").empty());
  case event_source::logs:
    return e.type == entry_type::network &&
           (e.status == 0 || e.status >= 400 || (e.status < 0 && e.level == log_level::error));
  default:
    return false;
  }
}

bool is_abnormal_close(const event& e) {
  constexpr std::int32_t normal = 1000;
  constexpr std::int32_t going_away = 1001;
  constexpr std::int32_t no_code = 1005;
  return e.source == event_source::websocket_events && e.name.view() == "close" && e.status > 0 &&
         e.status != normal && e.status != going_away && e.status != no_code;
}

std::optional<alert> direct_alert(const event& e, const limits& limit) {
  auto a = raised_by(e, limit);
  if (!a)
    return a;
  a->url = a->url.shortened(limit.alert.url_bytes);
  a->detail = a->detail.shortened(limit.alert.detail_bytes);
  return a;
}

} // namespace gasoline
