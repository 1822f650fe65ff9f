#include "actors/detection/direct_alert.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/detection/fault/logged_fault.hpp"
#include "actors/detection/fault/service_titles.hpp"
#include "actors/frames/stack/frame_folding.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

constexpr std::size_t frames_shown = 3;
constexpr std::size_t most_page_bytes = 256;
constexpr std::size_t most_service_bytes = 128;

bool says_uncaught(std::string_view message) {
  return without_uncaught(message).size() != message.size();
}

void add_sentence(redacted_text& detail, const redacted_text& sentence) {
  if (sentence.empty())
    return;
  if (!detail.empty())
    detail += "\n";
  detail += sentence;
}

void add_page(redacted_text& detail, const redacted_text& page,
              const limits_of<alert_room>& limit) {
  if (!page.empty())
    add_sentence(detail, redacted(literal{"page "}, page.shortened(limit.alert.url_bytes)));
}

// The part of a message that its title has no room for.
redacted_text long_message(const event& e, const limits_of<alert_room>& limit) {
  if (first_line(e.message.view()).size() == e.message.size() &&
      e.message.size() + sizeof("Uncaught ") <= limit.alert.title_bytes)
    return {};
  return e.message.shortened(limit.alert.detail_bytes / 2);
}

// The frames of the project; where there are none, those of whom it has called.
redacted_text top_frames(const event& e) {
  redacted_text own;
  redacted_text any;
  std::size_t own_shown = 0;
  std::size_t shown = 0;
  for_each_line(e.stack.view(), [&](std::string_view line) {
    const auto frame = parse_frame(line);
    if (!frame || frame->place.empty())
      return true;
    line.remove_prefix(line.find_first_not_of(" \t"));
    if (shown++ < frames_shown)
      add_sentence(any, part_of(e.stack, line));
    if (!is_library_frame(*frame) && own_shown++ < frames_shown)
      add_sentence(own, part_of(e.stack, line));
    return own_shown < frames_shown;
  });
  return own.empty() ? any : own;
}

/// What a page's alert need not say, for its address does, nor a command's, which is named by it,
/// nor one whose title says it.
void add_service(redacted_text& detail, const event& e) {
  if (!e.service.empty() && e.origin != event_origin::page && e.origin != event_origin::process &&
      !is_of_service(e))
    add_sentence(detail, redacted(literal{"service "}, e.service.shortened(most_service_bytes)));
}

redacted_text where_thrown(const event& e) {
  if (auto frames = top_frames(e); !frames.empty())
    return frames;
  const auto location = error_location(e);
  return location.empty() ? redacted_text{} : redacted(literal{"at "}, location);
}

/// The process that says it had the event; 0: it does not say.
std::uint32_t process_of(const event& e) {
  const auto text = field_json(e.fields.view(), "pid");
  std::uint32_t pid = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pid);
  return error == std::errc{} && end == text.data() + text.size() ? pid : 0;
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
  a.page = (e.kind == telemetry_kind::log ? page_address(e) : e.page).shortened(most_page_bytes);
  a.service = e.service.shortened(most_service_bytes);
  a.pid = process_of(e);
  return a;
}

// Nobody threw it into the window: a framework caught it, or a tool or the page printed it.
bool is_only_reported(const event& e) {
  return e.type == entry_type::console || !field_json(e.fields.view(), "reported_by").empty();
}

redacted_text uncaught_title(const event& e, const limits_of<alert_room>& limit) {
  if (is_of_service(e))
    return service_error_title(e, limit);
  const auto message = first_line(e.message.view());
  redacted_text title;
  if (!says_uncaught(message) && !is_only_reported(e))
    title += "Uncaught ";
  if (message.empty())
    title += "error without a message";
  title += part_of(e.message, message);
  return title;
}

alert_heading uncaught_heading(const event& e, const limits_of<alert_room>& limit) {
  return {uncaught_title(e, limit).shortened(limit.alert.title_bytes),
          service_key(e, error_key(e, limit.alert.key_bytes), limit)};
}

alert_heading build_heading(const event& e, const limits_of<alert_room>& limit) {
  const auto title = redacted(literal{"Build failed: "}, build_reason(e));
  const auto file = build_file(e);
  const auto name = part_of(file, file.view().substr(file.view().rfind('/') + 1));
  return {title.shortened(limit.alert.title_bytes),
          redacted(literal{"build:"}, name.shortened(limit.alert.key_bytes / 4), literal{":"},
                   normalised_line(build_complaint(e), limit.alert.key_bytes - sizeof("build:")))};
}

/// Of a log entry that tells of a fault, of which kind `what` is.
std::optional<alert_heading> logged_heading(const event& e, logged_fault what,
                                            const limits_of<alert_room>& limit) {
  if (what == logged_fault::build)
    return build_heading(e, limit);
  if (what != logged_fault::none || is_uncaught(e))
    return uncaught_heading(e, limit);
  return std::nullopt;
}

std::optional<alert> logged_alert(const event& e, const limits_of<alert_room>& limit) {
  const auto what = logged_fault_in(e);
  auto heading = logged_heading(e, what, limit);
  if (!heading)
    return std::nullopt;
  auto a = alert_about(e, alert_category::anomaly, alert_topic::errors, severity::error);
  a.title = std::move(heading->title);
  a.dedup_key = std::move(heading->dedup_key);
  add_sentence(a.detail, long_message(e, limit));
  add_sentence(a.detail, where_thrown(e).shortened(limit.alert.detail_bytes / 2));
  if (const auto component = field_text(e.fields, "component"); !component.empty())
    add_sentence(a.detail, redacted(literal{"in "}, component.shortened(most_page_bytes)));
  add_service(a.detail, e);
  if (what == logged_fault::build)
    if (const auto frame = field_text(e.fields, "code_frame"); !frame.empty())
      a.detail = redacted(frame.shortened(limit.alert.detail_bytes / 2), literal{"\n"}, a.detail);
  a.url = page_address(e);
  a.next = literal{R"(observe {"what":"errors"})"};
  return a;
}

alert hint_alert(const event& e, const limits_of<alert_room>& limit) {
  auto a = alert_about(e, alert_category::anomaly, alert_topic::errors, severity::info);
  a.title = literal{"Script error in a script of another origin; the browser hides its details"};
  a.detail = literal{"Add crossorigin=\"anonymous\" to that <script> tag and serve the file with "
                     "Access-Control-Allow-Origin, then the message and the stack become visible."};
  a.dedup_key =
      redacted(literal{"script_error:"}, target_key(page_address(e), limit.alert.key_bytes));
  a.url = page_address(e);
  a.next = literal{R"(observe {"what":"errors"})"};
  return a;
}

bool is_mixed_content(const event& e) {
  return field_json(e.fields.view(), "kind") == R"("mixed_content")" ||
         e.message.view().starts_with("Mixed Content");
}

alert security_alert(const event& e, const limits_of<alert_room>& limit) {
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
  a.dedup_key = redacted(literal{"security:"}, normalised_line(e.message, limit.alert.key_bytes));
  a.url = e.url.empty() ? e.page : e.url;
  if (page_address(e) != a.url)
    add_page(a.detail, page_address(e), limit);
  a.next = literal{R"(observe {"what":"logs","min_level":"warn"})"};
  return a;
}

// The first message of a GraphQL answer with errors.
redacted_text graphql_error(const event& e) {
  if (!may_hold_graphql(e))
    return {};
  const auto body = field_text(e.fields, "response_body");
  const auto errors = body.view().find(R"("errors":[)");
  if (errors == std::string_view::npos)
    return {};
  constexpr std::string_view name = R"("message":")";
  const auto at = body.view().find(name, errors);
  if (at == std::string_view::npos)
    return literal{"GraphQL: the answer holds errors"};
  const auto begin = at + name.size();
  const auto end = std::min(body.view().find('"', begin), body.size());
  return redacted(literal{"GraphQL: "}, part_of(body, body.view().substr(begin, end - begin)));
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

// The host of a request that goes elsewhere tells it from one that does not.
bool is_foreign(const event& e, const url_pieces& pieces) {
  if (pieces.host.empty() || is_local_host(pieces.host))
    return false;
  return take_apart(e.page.view()).host != pieces.host;
}

redacted_text request_words(const event& e, const redacted_text& url) {
  const auto pieces = take_apart(url.view());
  auto words = method_of(e);
  if (!words.empty())
    words += " ";
  if (is_foreign(e, pieces))
    words += part_of(url, pieces.host);
  if (pieces.path.empty())
    words += "/";
  words += part_of(url, pieces.path);
  return words;
}

// What is wrong with an answer that came with a status of success.
redacted_text answer_error(const event& e) {
  if (e.status < 100 || e.status >= 400)
    return {};
  if (!e.message.empty())
    return part_of(e.message, first_line(e.message.view()));
  return graphql_error(e);
}

redacted_text request_title(const event& e, const redacted_text& url,
                            const limits_of<alert_room>& limit) {
  if (is_of_service(e))
    return service_request_title(e, request_words(e, url), limit);
  constexpr std::size_t around = 40; // the words before and after the request
  redacted_text title;
  if (const auto error = answer_error(e); !error.empty())
    title = redacted(error.shortened(limit.alert.title_bytes / 2), literal{": "});
  else if (e.status >= 500)
    title = literal{"Server error: "};
  else if (e.status >= 400)
    title = literal{"Client error: "};
  else
    title = literal{"Request failed: "};
  const auto room = limit.alert.title_bytes > around ? limit.alert.title_bytes - around : 0;
  title += request_words(e, url).shortened(room);
  if (e.status > 0)
    title += redacted(literal{" -> "}, e.status);
  else
    title += " (no answer)";
  return title.shortened(limit.alert.title_bytes);
}

redacted_text failure_reason(const event& e) {
  if (const auto error = answer_error(e); !error.empty())
    return redacted(literal{"The answer came with status "}, e.status, literal{": "}, error);
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

redacted_text request_detail(const event& e, const redacted_text& url,
                             const limits_of<alert_room>& limit) {
  auto detail = failure_reason(e).shortened(limit.alert.detail_bytes / 2);
  if (e.duration_ms >= 0) {
    detail += " after ";
    detail.append_decimal(std::min(e.duration_ms, 1e12));
    detail += " ms";
  }
  add_service(detail, e);
  if (e.page != url)
    add_page(detail, e.page, limit);
  return detail;
}

alert_context context_of(const event& e, const redacted_text& url,
                         const limits_of<alert_room>& limit) {
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
  if (e.kind != telemetry_kind::request)
    return true;
  const auto initiator = field_json(e.fields.view(), "initiator_type");
  return initiator.empty() || initiator == R"("fetch")" || initiator == R"("xmlhttprequest")";
}

literal requests_shown_by(telemetry_kind kind) {
  if (kind == telemetry_kind::body)
    return R"(observe {"what":"network_bodies","status_min":400})";
  if (kind == telemetry_kind::request)
    return R"(observe {"what":"network_waterfall","status_min":400})";
  return R"(observe {"what":"errors"})";
}

// What a page cannot work without, as against its images and fonts.
bool is_code_or_data(const event& e) {
  const auto initiator = field_json(e.fields.view(), "initiator");
  return initiator.empty() || initiator == R"("fetch")" || initiator == R"("xmlhttprequest")" ||
         initiator == R"("script")";
}

bool is_client_error(const event& e) {
  return e.status >= 400 && e.status < 500;
}

std::optional<alert_heading> request_heading(const event& e, const limits_of<alert_room>& limit) {
  if (is_client_error(e) && !is_fetch(e))
    return std::nullopt;
  const auto error = answer_error(e);
  auto key = request_key(e, limit.alert.key_bytes / (error.empty() ? 1 : 2));
  if (!error.empty())
    key += redacted(literal{":"}, normalised_line(error, limit.alert.key_bytes / 2 - sizeof(":")));
  return alert_heading{request_title(e, request_url(e), limit), service_key(e, key, limit)};
}

std::optional<alert> request_alert(const event& e, const limits_of<alert_room>& limit) {
  auto heading = request_heading(e, limit);
  if (!heading)
    return std::nullopt;
  auto a = alert_about(e, alert_category::anomaly, alert_topic::network_errors,
                       is_client_error(e) ? severity::warning : severity::error);
  const auto url = request_url(e);
  if (!answer_error(e).empty() && !is_code_or_data(e))
    a.level = severity::warning;
  a.title = std::move(heading->title);
  a.detail = request_detail(e, url, limit);
  a.dedup_key = std::move(heading->dedup_key);
  a.context = context_of(e, url, limit);
  a.url = url;
  a.next = requests_shown_by(e.kind);
  return a;
}

// A browser tells a failed socket twice, as an error without details and as a close with code
// 1006; both have the key of the latter.
redacted_text socket_key(const event& e, std::size_t max_bytes) {
  constexpr std::int32_t abnormal = 1006;
  return redacted(literal{"WS:"}, target_key(e.url, max_bytes / 2), literal{":"},
                  e.status > 0 ? e.status : abnormal);
}

alert socket_alert(const event& e, const limits_of<alert_room>& limit) {
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

bool is_lost_socket(const event& e) {
  return e.kind == telemetry_kind::socket && (e.name.view() == "error" || is_abnormal_close(e));
}

/// Whether it is told as something else before its text is looked at.
bool is_hint_or_policy(const event& e) {
  return e.noise == noise_mark::hint ||
         (e.kind == telemetry_kind::log && e.type == entry_type::security);
}

/// Of what is no text in a log.
std::optional<alert> exchange_alert(const event& e, const limits_of<alert_room>& limit) {
  if (is_failed_exchange(e))
    return request_alert(e, limit);
  if (is_lost_socket(e))
    return socket_alert(e, limit);
  return std::nullopt;
}

alert hint_or_policy_alert(const event& e, const limits_of<alert_room>& limit) {
  return e.noise == noise_mark::hint ? hint_alert(e, limit) : security_alert(e, limit);
}

std::optional<alert> raised_by(const event& e, const limits_of<alert_room>& limit) {
  if (is_hint_or_policy(e))
    return hint_or_policy_alert(e, limit);
  auto logged = logged_alert(e, limit);
  return logged ? std::move(logged) : exchange_alert(e, limit);
}

alert_heading heading_of(alert a) {
  return {std::move(a.title), std::move(a.dedup_key)};
}

std::optional<alert_heading> exchange_heading(const event& e, const limits_of<alert_room>& limit) {
  if (is_failed_exchange(e))
    return request_heading(e, limit);
  if (is_lost_socket(e))
    return heading_of(socket_alert(e, limit));
  return std::nullopt;
}

} // namespace

bool is_uncaught(const event& e) {
  if (e.kind != telemetry_kind::log)
    return false;
  if (e.type == entry_type::exception)
    return true;
  return e.type == entry_type::console && e.level == log_level::error &&
         says_uncaught(e.message.view());
}

bool is_error_entry(const event& e) {
  if (e.kind != telemetry_kind::log || e.type == entry_type::network)
    return false;
  return e.level == log_level::error || e.type == entry_type::exception;
}

bool is_failed_exchange(const event& e) {
  switch (e.kind) {
  case telemetry_kind::body:
    return e.status == 0 || e.status >= 400 || !e.message.empty() || !graphql_error(e).empty();
  case telemetry_kind::request:
    // What a service refuses its caller for is the caller's fault.
    if (is_of_service(e))
      return e.status >= 500;
    return e.status >= 400 || (e.status == 0 && !field_text(e.fields, "error").empty());
  case telemetry_kind::log:
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
  return e.kind == telemetry_kind::socket && e.name.view() == "close" && e.status > 0 &&
         e.status != normal && e.status != going_away && e.status != no_code;
}

bool may_reconnect(const event& e) {
  constexpr std::array<std::int32_t, 4> codes{1006, 1012, 1013, 1014};
  if (e.kind != telemetry_kind::socket)
    return false;
  return e.name.view() == "error" || std::find(codes.begin(), codes.end(), e.status) != codes.end();
}

redacted_text socket_address(const event& e) {
  const auto pieces = take_apart(e.url.view());
  return redacted(part_of(e.url, pieces.origin), part_of(e.url, pieces.path));
}

std::optional<alert> direct_alert(const event& e, const limits_of<alert_room>& limit) {
  auto a = raised_by(e, limit);
  if (!a)
    return a;
  a->detail = a->detail.shortened(limit.alert.detail_bytes);
  return a;
}

std::optional<alert_heading> direct_heading(const event& e, const limits_of<alert_room>& limit) {
  if (is_hint_or_policy(e))
    return heading_of(hint_or_policy_alert(e, limit));
  if (auto logged = logged_heading(e, logged_fault_in(e), limit))
    return logged;
  return exchange_heading(e, limit);
}

} // namespace gasoline
