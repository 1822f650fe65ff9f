#include "actors/agents/providers/call_failures.hpp"

#include "messages/base/time.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>

namespace gasoline {
namespace {

using nlohmann::json;

/// Nobody waits longer than this because a header says so.
constexpr double most_retry_ms = 24.0 * 3'600'000;

struct failure_row {
  std::string_view error_class;
  bool can_retry = false;
};

struct status_row {
  int status = 0;
  failure_row failure;
};

constexpr status_row statuses[] = {
    {400, {"invalid_request", false}}, {401, {"authentication", false}},
    {403, {"authentication", false}},  {404, {"not_found", false}},
    {408, {"timeout", true}},          {409, {"server_error", true}},
    {413, {"too_large", false}},       {422, {"invalid_request", false}},
    {425, {"server_error", true}},     {429, {"rate_limited", true}},
    {503, {"overloaded", true}},       {504, {"timeout", true}},
    {529, {"overloaded", true}},
};

struct type_row {
  std::string_view type;
  failure_row failure;
};

constexpr type_row types[] = {
    {"invalid_request_error", {"invalid_request", false}},
    {"authentication_error", {"authentication", false}},
    {"permission_error", {"authentication", false}},
    {"billing_error", {"authentication", false}},
    {"not_found_error", {"not_found", false}},
    {"request_too_large", {"too_large", false}},
    {"rate_limit_error", {"rate_limited", true}},
    {"overloaded_error", {"overloaded", true}},
    {"timeout_error", {"timeout", true}},
};

struct problem_row {
  fetch_problem problem;
  failure_row failure;
};

constexpr problem_row problems[] = {
    {fetch_problem::unreachable, {"network", true}},
    {fetch_problem::timeout, {"timeout", true}},
    {fetch_problem::cut_off, {"incomplete_stream", true}},
    {fetch_problem::malformed, {"malformed_stream", false}},
    {fetch_problem::too_large, {"too_large", false}},
    {fetch_problem::refused, {"invalid_request", false}},
};

call_failure failure_from(const failure_row& row) {
  call_failure out;
  out.error_class = row.error_class;
  out.can_retry = row.can_retry;
  return out;
}

std::string_view value_of(const header_fields& headers, std::string_view name) {
  const auto it = std::find_if(headers.begin(), headers.end(),
                               [&](const auto& field) { return field.first == name; });
  return it == headers.end() ? std::string_view{} : std::string_view{it->second};
}

/// A count of milliseconds within reason.
std::optional<std::uint64_t> bounded(double ms) {
  if (!std::isfinite(ms) || ms < 0)
    return std::nullopt;
  return static_cast<std::uint64_t>(std::min(ms, most_retry_ms));
}

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto* end = text.data() + text.size();
  const auto [at, ec] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (ec != std::errc{} || at != end)
    return std::nullopt;
  return number;
}

/// The time of an HTTP date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
std::optional<wall_time> time_of_http_date(std::string_view text) {
  std::tm parts{};
  const std::string date{text};
  const char* end = ::strptime(date.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &parts);
  if (end == nullptr || *end != '\0')
    return std::nullopt;
  return wall_time{std::chrono::seconds{::timegm(&parts)}};
}

/// What servers on FastAPI say: a sentence, or what is wrong with each field.
std::string detail_of(const json& body) {
  const auto detail = body.find("detail");
  if (detail == body.end())
    return {};
  if (detail->is_string())
    return detail->get<std::string>();
  std::string out;
  if (detail->is_array())
    for (const auto& one : *detail)
      if (one.is_object() && one.contains("msg") && one["msg"].is_string())
        out += (out.empty() ? "" : "; ") + one["msg"].get<std::string>();
  return out;
}

} // namespace

call_failure failure_of_status(int status) {
  const auto* row = std::find_if(std::begin(statuses), std::end(statuses),
                                 [&](const status_row& r) { return r.status == status; });
  auto out = row != std::end(statuses) ? failure_from(row->failure)
             : status >= 500           ? failure_from({"server_error", true})
                                       : failure_from({"invalid_request", false});
  out.status = status;
  return out;
}

call_failure failure_of_type(std::string_view type) {
  const auto* row = std::find_if(std::begin(types), std::end(types),
                                 [&](const type_row& r) { return r.type == type; });
  return failure_from(row == std::end(types) ? failure_row{"server_error", true} : row->failure);
}

call_failure failure_of_fetch(const fetch_failure& failure) {
  const auto* row =
      std::find_if(std::begin(problems), std::end(problems),
                   [&](const problem_row& r) { return r.problem == failure.problem; });
  auto out = failure_from(row->failure);
  out.message = failure.message;
  return out;
}

call_failure malformed_stream(std::string message) {
  auto out = failure_from({"malformed_stream", false});
  out.message = std::move(message);
  return out;
}

call_failure incomplete_stream() {
  auto out = failure_from({"incomplete_stream", true});
  out.message = "The provider's stream ended before the answer was complete.";
  return out;
}

std::optional<std::uint64_t> retry_after_of(const header_fields& headers, wall_time now) {
  if (const auto ms = number_of(value_of(headers, "retry-after-ms")))
    return bounded(*ms);
  const auto value = value_of(headers, "retry-after");
  if (const auto seconds = number_of(value))
    return bounded(*seconds * 1000);
  const auto at = time_of_http_date(value);
  if (!at)
    return std::nullopt;
  return bounded(std::max(0.0, static_cast<double>((*at - now).count())));
}

std::string message_of_error(const json& body) {
  if (body.is_array() && !body.empty()) // Google's bridge
    return message_of_error(body.front());
  if (!body.is_object())
    return {};
  if (auto detail = detail_of(body); !detail.empty())
    return detail;
  const auto error = body.find("error");
  const auto& holder = error == body.end() ? body : *error;
  if (holder.is_string())
    return holder.get<std::string>();
  if (!holder.is_object())
    return {};
  const auto message = holder.find("message");
  return message != holder.end() && message->is_string() ? message->get<std::string>()
                                                         : std::string{};
}

} // namespace gasoline
