#include "actors/browser/entries/request_watch.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/browser/cdp/cdp_message.hpp"
#include "messages/base/letters.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr double slow_ms = 2'000;
constexpr std::size_t most_address_bytes = 4'096;
constexpr std::size_t most_sent_bytes = 4'096;
constexpr std::size_t most_header_bytes = 300;
constexpr std::size_t most_cookies = 20;

/// Of what a place answers, so many are told in full: enough to see what it is like.
constexpr int samples_of_a_place = 2;
constexpr std::size_t most_sampled_places = 100;
constexpr double most_encoded_bytes = 64.0 * 1024;

/// Headers of a document that protect it.
constexpr std::array<std::string_view, 5> guarding_headers{
    "content-security-policy", "x-content-type-options", "strict-transport-security",
    "referrer-policy", "x-frame-options"};

/// Requests that go on as long as their page, or that nobody waits for.
constexpr std::array<std::string_view, 6> never_awaited{"EventSource",        "WebSocket", "Ping",
                                                        "CSPViolationReport", "Preflight", "Media"};

/// What the type is called by pages: `initiatorType` of Resource Timing.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> initiators{{
    {"Fetch", "fetch"},
    {"XHR", "xmlhttprequest"},
    {"Document", "navigation"},
    {"Script", "script"},
    {"Stylesheet", "link"},
    {"Image", "img"},
    {"Ping", "beacon"},
    {"Font", "css"},
}};

/// Those of them that end soon.
constexpr std::array<std::string_view, 3> passing_types{"Ping", "CSPViolationReport", "Preflight"};

template <std::size_t N>
bool is_among(const std::array<std::string_view, N>& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool is_answered_fetch(const page_request& request) {
  return !request.left && request.type == "Fetch" && request.answered > 0;
}

std::string_view initiator_of(std::string_view type) {
  for (const auto& [name, initiator] : initiators)
    if (name == type)
      return initiator;
  return "other";
}

/// Why a request without answer is no fault of the page.
std::string_view cause_of(const dom::element& event) {
  if (const auto blocked = text_at(event, "/blockedReason"); blocked == "inspector")
    return "blocked";
  const auto error = text_at(event, "/errorText");
  if (error == "net::ERR_BLOCKED_BY_CLIENT")
    return "blocked";
  if (flag_at(event, "/canceled") || error == "net::ERR_ABORTED")
    return "aborted";
  return {};
}

/// The reason in words: the browser's error, and what it says of CORS or a policy.
std::string error_of(const dom::element& event) {
  std::string out{text_at(event, "/errorText")};
  if (const auto cors = text_at(event, "/corsErrorStatus/corsError"); !cors.empty()) {
    out = "blocked by CORS: ";
    out += cors;
    if (const auto header = text_at(event, "/corsErrorStatus/failedParameter"); !header.empty())
      out.append(" (").append(header).append(")");
  } else if (const auto blocked = text_at(event, "/blockedReason"); !blocked.empty()) {
    out.append(" (blocked: ").append(blocked).append(")");
  }
  return out.empty() ? "failed" : out;
}

std::string without_capitals(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), ascii::lower);
  return out;
}

/// Whether people sign in there, as the page script judges it: what is answered is nobody else's.
bool is_secret_address(std::string_view url) {
  const auto lower = without_capitals(url);
  for (auto at = lower.find("auth"); at != std::string::npos; at = lower.find("auth", at + 1))
    if (lower.compare(at, 6, "author") != 0)
      return true;
  constexpr std::array<std::string_view, 6> words{"login",   "signin",   "token",
                                                  "session", "password", "register"};
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

/// What a request sends: JSON alone, since forms hold what people typed.
std::string_view sent_json(const page_request& request, std::string_view body) {
  const auto first = body.find_first_not_of(" \t\r\n");
  const bool is_json =
      first != std::string_view::npos && (body[first] == '{' || body[first] == '[');
  if (!is_json || is_secret_address(request.url))
    return {};
  return utf8_beginning(body, most_sent_bytes);
}

/// Names and values of the headers of an answer.
template <class Take>
void for_each_header(const dom::element& event, const char* place, Take take) {
  const auto headers = value_at(event, place);
  dom::object all;
  if (!headers || headers->get(all) != simdjson::SUCCESS)
    return;
  for (const auto& [name, value] : all)
    if (std::string_view text; value.get(text) == simdjson::SUCCESS)
      take(name, text);
}

std::string guards_of(const dom::element& event) {
  std::string out;
  json_object_writer w{out};
  w.text("content-type", text_at(event, "/response/mimeType"));
  for_each_header(event, "/response/headers", [&](std::string_view name, std::string_view value) {
    for (const auto guard : guarding_headers)
      if (ascii::same_letters(name, guard))
        w.text(guard, utf8_beginning(value, most_header_bytes));
  });
  w.close();
  return out;
}

/// What a cookie lacks that would keep scripts, other sites or listeners from it.
std::string cookie_lacks(std::string_view attributes, bool is_encrypted) {
  const auto lower = without_capitals(attributes);
  std::string out;
  for (const std::string_view wanted : {"HttpOnly", "Secure", "SameSite"}) {
    const bool matters = is_encrypted || wanted != "Secure";
    if (matters && lower.find(without_capitals(wanted)) == std::string::npos)
      out.append(out.empty() ? "" : ", ").append(wanted);
  }
  return out;
}

/// The cookies that a header sets, a line for each, as items of a list.
std::string cookies_of(std::string_view header, bool is_encrypted) {
  std::string out;
  for (std::size_t n = 0; n < most_cookies && !header.empty(); ++n) {
    const auto line = header.substr(0, header.find('\n'));
    header.remove_prefix(std::min(line.size() + 1, header.size()));
    const auto name = line.substr(0, line.find_first_of("=;"));
    out += out.empty() ? "" : ",";
    json_object_writer w{out};
    w.text("name", utf8_beginning(ascii::trimmed(name), 60));
    w.text("lacks", cookie_lacks(line.substr(std::min(line.find(';'), line.size())), is_encrypted));
    w.close();
  }
  return out;
}

/// Method and path, with numbers and ids as one.
std::string place_key(const page_request& request) {
  auto out = request.method + ' ';
  for (const char c : take_apart(request.url).path)
    if (std::isdigit(static_cast<unsigned char>(c)) == 0)
      out += c;
    else if (out.back() != '#')
      out += '#';
  return out;
}

std::string last_segment(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  return std::string{url.substr(url.rfind('/') + 1)};
}

} // namespace

std::optional<ended_request> request_watch::sent(const dom::element& event) {
  const auto id = text_at(event, "/requestId");
  const auto at = number_at(event, "/timestamp");
  std::optional<ended_request> hop;
  if (const auto redirect = value_at(event, "/redirectResponse")) {
    hop = take(id, at);
    if (hop) {
      hop->request.status = static_cast<int>(number_at(*redirect, "/status"));
      hop->redirected = true;
    }
  }
  if (open_.size() >= most_) {
    ++overlooked_;
    return hop;
  }
  page_request request;
  request.id = id;
  request.url = text_at(event, "/request/url").substr(0, most_address_bytes);
  request.method = text_at(event, "/request/method");
  request.type = text_at(event, "/type");
  request.page = text_at(event, "/documentURL").substr(0, most_address_bytes);
  request.document = text_at(event, "/loaderId");
  request.frame = text_at(event, "/frameId");
  request.body = sent_json(request, text_at(event, "/request/postData"));
  request.started = at;
  request.wall = number_at(event, "/wallTime");
  open_.insert_or_assign(std::string{id}, std::move(request));
  return hop;
}

void request_watch::answered(const dom::element& event) {
  const auto status = static_cast<int>(number_at(event, "/response/status"));
  if (text_at(event, "/type") == "Document") {
    document_ = text_at(event, "/loaderId");
    document_status_ = status;
  }
  const auto found = open_.find(text_at(event, "/requestId"));
  if (found == open_.end())
    return;
  found->second.status = status;
  found->second.answered = number_at(event, "/timestamp");
  found->second.type = text_at(event, "/type");
  found->second.mime = text_at(event, "/response/mimeType");
  if (found->second.type == "Document")
    found->second.guards = guards_of(event);
}

void request_watch::answered_in_full(const dom::element& event) {
  const auto found = open_.find(text_at(event, "/requestId"));
  if (found == open_.end())
    return;
  for_each_header(event, "/headers", [&](std::string_view name, std::string_view value) {
    if (ascii::same_letters(name, "set-cookie"))
      found->second.cookies = cookies_of(value, found->second.url.starts_with("https:"));
  });
}

bool request_watch::take_sample(const ended_request& ended) {
  const auto& request = ended.request;
  const bool is_asked = request.type == "Fetch" || request.type == "XHR";
  const bool is_good = request.status >= 200 && request.status < 300;
  if (!is_asked || !is_good || request.mime.find("json") == std::string::npos ||
      ended.bytes > most_encoded_bytes || is_worth_a_body(ended) || !has_readable_body(ended) ||
      !is_local_host(take_apart(request.url).host))
    return false;
  const auto key = place_key(request);
  if (samples_.size() >= most_sampled_places && samples_.count(key) == 0)
    return false;
  return samples_[key]++ < samples_of_a_place;
}

std::optional<ended_request> request_watch::finished(const dom::element& event) {
  auto out = take(text_at(event, "/requestId"), number_at(event, "/timestamp"));
  if (!out)
    return out;
  out->bytes = number_at(event, "/encodedDataLength");
  out->was_over = number_at(event, "/timestamp") <= out->request.answered;
  out->is_sample = take_sample(*out);
  return out;
}

std::optional<ended_request> request_watch::failed(const dom::element& event) {
  auto out = take(text_at(event, "/requestId"), number_at(event, "/timestamp"));
  if (!out)
    return out;
  out->cause = cause_of(event);
  out->error = error_of(event);
  // Nobody gave the name and the password that were asked for, and that was the answer.
  if (out->request.status == 401 && out->error == "net::ERR_INVALID_AUTH_CREDENTIALS") {
    out->error.clear();
    return out;
  }
  // An answer that was being read when its page turned away counts as answered.
  if (out->request.status > 0 && out->cause == "aborted")
    out->error.clear();
  else
    out->request.status = 0;
  return out;
}

std::optional<ended_request> request_watch::take(std::string_view id, double at) {
  const auto found = open_.find(id);
  if (found == open_.end())
    return std::nullopt;
  ended_request out;
  out.request = std::move(found->second);
  open_.erase(found);
  out.duration_ms = std::max(0.0, (at - out.request.started) * 1000);
  return out;
}

bool is_awaited_type(std::string_view type) {
  return !is_among(never_awaited, type);
}

std::size_t request_watch::awaited() const {
  return static_cast<std::size_t>(std::count_if(open_.begin(), open_.end(), [](const auto& row) {
    return !row.second.left && is_awaited_type(row.second.type);
  }));
}

std::size_t request_watch::unanswered() const {
  return static_cast<std::size_t>(std::count_if(open_.begin(), open_.end(), [](const auto& row) {
    const auto& request = row.second;
    return !request.left && is_awaited_type(request.type) && !is_answered_fetch(request);
  }));
}

std::vector<std::string> request_watch::answered_addresses() const {
  std::vector<std::string> out;
  for (const auto& [id, request] : open_)
    if (is_answered_fetch(request))
      out.push_back(request.url);
  return out;
}

std::vector<ended_request> request_watch::take_failed_answers() {
  constexpr int first_failure = 400;
  std::vector<std::pair<std::string, double>> failed;
  for (const auto& [id, request] : open_)
    if (is_answered_fetch(request) && request.status >= first_failure)
      failed.emplace_back(id, request.answered);
  std::vector<ended_request> out;
  for (const auto& [id, answered] : failed)
    if (auto ended = take(id, answered)) {
      ended->is_open = true;
      out.push_back(std::move(*ended));
    }
  return out;
}

std::size_t request_watch::passing() const {
  return static_cast<std::size_t>(std::count_if(open_.begin(), open_.end(), [](const auto& row) {
    return !row.second.left && is_among(passing_types, row.second.type);
  }));
}

bool request_watch::has_stream() const {
  return std::any_of(open_.begin(), open_.end(), [](const auto& row) {
    return !row.second.left && row.second.type == "EventSource";
  });
}

void request_watch::leave(std::string_view document) {
  std::erase_if(open_, [](const auto& row) { return row.second.left; });
  for (auto& [id, request] : open_)
    request.left = request.document != document;
  samples_.clear();
}

void request_watch::hand_over(std::string_view frame) {
  for (auto& [id, request] : open_)
    request.left = request.left || (request.type == "Document" && request.frame == frame);
}

int request_watch::document_status(std::string_view loader) const {
  return loader == document_ ? document_status_ : -1;
}

bool is_worth_a_body(const ended_request& ended) {
  if (ended.redirected || ended.request.type == "Preflight")
    return false;
  const auto status = ended.request.status;
  return status == 0 || status >= 400 ||
         (ended.duration_ms >= slow_ms &&
          (ended.request.type == "Fetch" || ended.request.type == "XHR"));
}

bool tells_body(const ended_request& ended) {
  return ended.is_sample || is_worth_a_body(ended);
}

bool has_readable_body(const ended_request& ended) {
  return ended.request.status > 0 && body_reason(ended).empty();
}

std::string_view body_reason(const ended_request& ended) {
  if (ended.request.status <= 0)
    return {};
  if (is_secret_address(ended.request.url))
    return "[REDACTED: auth endpoint]";
  const auto& mime = ended.request.mime;
  const bool is_text =
      mime.empty() || mime.starts_with("text/") || mime.find("json") != std::string::npos ||
      mime.find("xml") != std::string::npos || mime.find("script") != std::string::npos;
  return is_text && mime != "text/event-stream" ? std::string_view{} : "[Skipped: no text]";
}

/// What a request sent is told when it failed and, in apps of this machine, when it did not: it
/// says whether what failed was tried again.
bool tells_sent(const ended_request& ended) {
  const auto& request = ended.request;
  const bool has_failed = request.status <= 0 || request.status >= 400;
  return !request.body.empty() && (has_failed || is_local_host(take_apart(request.url).host));
}

std::string timing_entry(const ended_request& ended, const entry_place& place) {
  const auto& request = ended.request;
  std::string out;
  json_object_writer w{out};
  w.text("ts", browser_time(request.wall * 1000));
  w.text("name", last_segment(request.url)).text("url", request.url);
  w.text("method", request.method).text("initiator_type", initiator_of(request.type));
  if (request.status > 0 && !tells_body(ended)) { // else its body's entry tells it
    w.number("status", request.status);
    if (tells_sent(ended))
      w.text("request_body", request.body);
  }
  w.decimal("duration", ended.duration_ms);
  if (ended.bytes >= 0)
    w.decimal("transfer_size", ended.bytes);
  w.text("page_url", place.url).text("page_id", request.document);
  if (!place.tab.empty())
    w.text("tab", place.tab);
  if (!request.guards.empty())
    w.text("content_type", request.mime).raw("response_headers", request.guards);
  if (!request.cookies.empty())
    w.raw("sets", '[' + request.cookies + ']');
  w.close();
  return out;
}

std::string body_entry(const ended_request& ended, const entry_place& place,
                       std::string_view body) {
  const auto& request = ended.request;
  std::string out;
  json_object_writer w{out};
  w.text("ts", browser_time(request.wall * 1000 + ended.duration_ms));
  w.text("url", request.url).text("method", request.method);
  w.number("status", std::max(request.status, 0));
  w.decimal("duration", ended.duration_ms);
  if (!ended.error.empty())
    w.text("error", ended.cause == "aborted" ? "AbortError" : ended.error);
  w.text("page", place.url).text("page_id", request.document);
  w.text("request_id", request.id).text("initiator", initiator_of(request.type));
  if (!ended.cause.empty())
    w.text("cause", ended.cause);
  if (!request.mime.empty())
    w.text("content_type", request.mime);
  if (tells_sent(ended))
    w.text("request_body", request.body);
  if (!body.empty())
    w.text("response_body", body);
  if (!place.tab.empty())
    w.text("tab", place.tab);
  if (!place.frame.empty())
    w.text("frame", place.frame);
  w.close();
  return out;
}

} // namespace gasoline
