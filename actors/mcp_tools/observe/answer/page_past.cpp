#include "actors/mcp_tools/observe/answer/page_past.hpp"

#include "actors/base/page_key.hpp"
#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::chrono::seconds reach{30};
constexpr std::size_t most_target_bytes = 48;
constexpr std::size_t most_body_bytes = 40;
constexpr std::size_t most_nulls = 2;

bool is_same_address(const event& a, const event& b) {
  return page_key(page_address(a).view()) == page_key(page_address(b).view());
}

/// Requests and actions tell their page apart from their own address.
bool is_of_page(const event& other, const event& e) {
  const auto load = page_id_of(e);
  const auto other_load = page_id_of(other);
  if (!load.empty() && !other_load.empty())
    return load == other_load;
  return is_same_address(other, e);
}

/// `click "Pay"`, `input #email`, `navigate /cart`.
std::string action_step(const event& e) {
  const auto selectors = field_members(e.fields, "selectors");
  std::string out = utf8_shortened(e.name.view(), most_target_bytes);
  if (const auto text = field_text(selectors, "text"); !text.empty())
    return out + " \"" + utf8_shortened(first_line(text.view()), most_target_bytes) + '"';
  if (const auto css = field_text(selectors, "css"); !css.empty())
    return out + ' ' + utf8_shortened(css.view(), most_target_bytes);
  if (const auto to = field_text(e.fields, "to_url"); !to.empty())
    return out + ' ' + utf8_shortened(take_apart(to.view()).path, most_target_bytes);
  return out;
}

/// The members of a JSON text that are null: `price: null`.
std::string null_members(std::string_view body) {
  constexpr std::string_view null = "\":null";
  std::string out;
  std::size_t found = 0;
  for (auto at = body.find(null); at != std::string_view::npos && found < most_nulls;
       at = body.find(null, at + null.size())) {
    const auto quote = at == 0 ? std::string_view::npos : body.rfind('"', at - 1);
    if (quote == std::string_view::npos || at - quote > most_target_bytes)
      continue;
    out +=
        (out.empty() ? " " : ", ") + std::string{body.substr(quote + 1, at - quote - 1)} + ": null";
    ++found;
  }
  return out;
}

/// `POST /api/pay 500` with ` sent {"card":… got {"error":…` as its detail.
page_step request_step(const event& e) {
  const auto url = request_url(e);
  const auto pieces = take_apart(url.view());
  page_step out{std::string{method_of(e).view()}, {}};
  out.words += (out.words.empty() ? "" : " ") + utf8_shortened(pieces.path, most_target_bytes);
  out.words += e.status > 0 ? ' ' + std::to_string(e.status) : std::string{" failed"};
  const auto body = field_text(e.fields, "response_body");
  if (!is_failed_request(e)) {
    out.words += null_members(body.view());
    return out;
  }
  if (const auto sent = field_text(e.fields, "request_body"); !sent.empty())
    out.detail += " sent " + utf8_shortened(sent.view(), most_body_bytes);
  if (!body.empty())
    out.detail += " got " + utf8_shortened(first_line(body.view()), most_body_bytes);
  return out;
}

/// `fetch /api/items`: that it was asked for is all that is known. Files of the page are no step.
std::string fetch_words(const event& e) {
  const auto by = field_text(e.fields, "initiator_type");
  if (by.view() != "fetch" && by.view() != "xmlhttprequest")
    return {};
  const auto url = request_url(e);
  return "fetch " + utf8_shortened(take_apart(url.view()).path, most_target_bytes);
}

/// Whether a step names the path already: a request may be known in two ways.
bool is_told_by(const std::vector<page_step>& steps, const std::string& words) {
  if (!words.starts_with("fetch "))
    return false;
  const auto path = words.substr(words.rfind(' '));
  return std::any_of(steps.begin(), steps.end(),
                     [&](const page_step& step) { return step.words.find(path) != path.npos; });
}

/// What an event says in a few words; empty when it is nothing that leads to an error.
page_step step_of(const event& e) {
  switch (e.kind) {
  case telemetry_kind::action:
    return {action_step(e), {}};
  case telemetry_kind::body:
    return request_step(e);
  case telemetry_kind::request:
    return is_failed_request(e) ? request_step(e) : page_step{fetch_words(e), {}};
  default:
    return {};
  }
}

} // namespace

std::vector<page_step> page_past::before(const event& e, std::size_t most) const {
  std::vector<page_step> out;
  if (timeline_ == nullptr)
    return out;
  for (const auto& g : timeline_->groups) { // newest first
    const auto& other = *g.newest;
    if (other.at > e.at || other.at + reach < e.at || !is_of_page(other, e))
      continue;
    auto step = step_of(other);
    const bool is_again = !out.empty() && out.back().words == step.words;
    if (step.words.empty() || is_again || is_told_by(out, step.words))
      continue;
    out.push_back(std::move(step));
    if (out.size() == most)
      break;
  }
  return out;
}

std::optional<wall_time> page_past::reloaded_after(const event& e) const {
  std::optional<wall_time> first;
  const auto load = page_id_of(e);
  if (timeline_ == nullptr || load.empty())
    return first;
  for (const auto& g : timeline_->groups) {
    const auto& other = *g.newest;
    const auto other_load = page_id_of(other);
    const auto begun = std::min(g.first_at, other.at);
    if (!other_load.empty() && other_load != load && is_same_address(other, e) && begun > e.at &&
        (!first || begun < *first))
      first = begun;
  }
  return first;
}

} // namespace gasoline
