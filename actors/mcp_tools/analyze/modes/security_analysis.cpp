#include "actors/mcp_tools/analyze/modes/security_analysis.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/mcp_tools/analyze/analysis/analysis_answer.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"
#include "messages/base/letters.hpp"
#include "messages/base/presentable_text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

/// One kind of finding at one place, and how often.
using finding_counts = std::map<std::pair<std::string, std::string>, std::uint64_t>;

void count_violation(finding_counts& out, const event& e) {
  if (e.type != entry_type::security)
    return;
  const auto directive = field_text(e.fields, "violated_directive");
  const auto blocked = field_text(e.fields, "blocked_url");
  const auto what = directive.empty() ? e.message.shortened(100).str()
                                      : directive.str() + ": " + blocked.shortened(100).str();
  out[{what, std::string{page_of(e)}}] += e.count;
}

constexpr std::string_view mask_sign = "[REDACTED";

/// Counts what the redactor has masked in that text: `[REDACTED:bearer-token]`.
void count_secrets(finding_counts& out, std::string_view text, const std::string& place) {
  for (std::size_t at = 0; (at = text.find(mask_sign, at)) != std::string_view::npos;
       at += mask_sign.size()) {
    const auto rest = text.substr(at + mask_sign.size());
    const auto end = rest.find(']');
    const bool has_kind = rest.starts_with(':') && end != std::string_view::npos && end < 40;
    ++out[{has_kind ? std::string{rest.substr(1, end - 1)} : "secret", place}];
  }
}

bool holds_mask(const event& e) {
  for (const auto text : {e.url.view(), e.message.view(), e.fields.view()})
    if (text.find(mask_sign) != std::string_view::npos)
      return true;
  return false;
}

void count_secrets_of(finding_counts& out, const event& e) {
  if (!holds_mask(e))
    return;
  const auto request = request_words(e);
  const auto& who = request.empty() ? std::string{page_of(e)} : request;
  count_secrets(out, e.url.view(), "address of " + who);
  count_secrets(out, e.message.view(),
                (e.kind == telemetry_kind::log ? "log of " : "error of ") + who);
  if (e.fields.view().find(mask_sign) == std::string_view::npos)
    return;
  for_each_field(e.fields.view(), [&](std::string_view name, std::string_view json) {
    count_secrets(out, json, std::string{name} + " of " + who);
  });
}

constexpr std::array<std::string_view, 5> wanted_headers{
    "content-security-policy", "x-content-type-options", "strict-transport-security",
    "referrer-policy", "x-frame-options"};

/// What a page's own answer lacks; nothing is said of pages whose headers were not captured.
struct header_findings {
  std::map<std::string, std::set<std::string_view>> missing; ///< by page
  bool any_captured = false;
};

void look_at_headers(header_findings& out, const event& e) {
  if (!is_request(e) || !field_json(e.fields.view(), "content_type").starts_with(R"("text/html)"))
    return;
  const auto headers = field_members(e.fields, "response_headers");
  if (headers.empty())
    return;
  out.any_captured = true;
  std::set<std::string_view> missing{wanted_headers.begin(), wanted_headers.end()};
  bool frames_ruled = false;
  for_each_field(headers.view(), [&](std::string_view name, std::string_view value) {
    for (const auto wanted : wanted_headers)
      if (ascii::same_letters(name, wanted))
        missing.erase(wanted);
    frames_ruled = frames_ruled || value.find("frame-ancestors") != std::string_view::npos;
  });
  if (frames_ruled)
    missing.erase("x-frame-options");
  if (take_apart(e.url.view()).scheme != "https") // nothing to be strict about
    missing.erase("strict-transport-security");
  if (!missing.empty())
    out.missing[e.url.str().substr(0, e.url.view().find_first_of("?#"))] = std::move(missing);
}

/// Cookies that an answer sets without what would protect them.
void count_cookies(finding_counts& out, bool& any_captured, const event& e) {
  if (!is_request(e) || e.fields.view().find("\"sets\"") == std::string_view::npos)
    return;
  const auto cookies = nlohmann::json::parse(field_json(e.fields.view(), "sets"), nullptr, false);
  if (!cookies.is_array())
    return;
  any_captured = true;
  const auto where = "set by " + request_words(e);
  for (const auto& cookie : cookies) {
    const auto name = text_member(cookie, "name");
    const auto lacks = text_member(cookie, "lacks");
    if (!lacks.empty())
      out[{name + " lacks " + lacks, where}] += e.count;
  }
}

/// Pages that ask for something without encryption.
void count_mixed(finding_counts& out, const event& e) {
  if (!e.page.view().starts_with("https:"))
    return;
  const auto page = take_apart(e.page.view());
  const auto target = take_apart(e.url.view());
  const bool plain = target.scheme == "http" || target.scheme == "ws";
  if (page.scheme == "https" && plain && !is_local_host(target.host))
    out[{"mixed content: " + std::string{target.origin}, std::string{page_of(e)}}] += e.count;
}

std::vector<std::string> finding_items(const finding_counts& counts) {
  std::vector<std::pair<std::uint64_t, std::string>> rows;
  for (const auto& [key, count] : counts) {
    std::string item;
    json_object_writer w{item};
    w.text("what", key.first).text("where", key.second).number("count", count);
    w.close();
    rows.emplace_back(count, std::move(item));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& x, const auto& y) { return x.first > y.first; });
  std::vector<std::string> out;
  for (auto& row : rows)
    out.push_back(std::move(row.second));
  return out;
}

std::vector<std::string> header_items(const header_findings& found) {
  std::vector<std::string> out;
  for (const auto& [page, missing] : found.missing) {
    std::string names;
    for (const auto name : missing)
      names.append(names.empty() ? "" : ", ").append(name);
    std::string item;
    json_object_writer w{item};
    w.text("page", page).text("missing", names);
    w.close();
    out.push_back(std::move(item));
  }
  return out;
}

std::string security_answer(const analysis_input& input) {
  finding_counts violations;
  finding_counts secrets;
  finding_counts cookies;
  bool any_cookies = false;
  header_findings headers;
  for (const auto* told : input.events) {
    count_violation(violations, *told);
    count_mixed(violations, *told);
    count_secrets_of(secrets, *told);
    look_at_headers(headers, *told);
    count_cookies(cookies, any_cookies, *told);
  }
  analysis_answer out{input.call};
  const auto violation_items = finding_items(violations);
  const auto secret_items = finding_items(secrets);
  const auto missing = header_items(headers);
  out.list("violations", violation_items.size(), [&](std::size_t i) { return violation_items[i]; });
  out.list("secrets", secret_items.size(), [&](std::size_t i) { return secret_items[i]; });
  const auto cookie_items = finding_items(cookies);
  out.list("cookies", cookie_items.size(), [&](std::size_t i) { return cookie_items[i]; });
  out.list("headers", missing.size(), [&](std::size_t i) { return missing[i]; });
  const auto where = input.since ? " since " + input.since->words : std::string{};
  return out.finish(
      std::to_string(violations.size()) + " violations of policies and mixed content, " +
      std::to_string(secrets.size()) + " places where secrets were masked, " +
      std::to_string(missing.size()) + " pages that lack headers" + where + "." +
      (headers.any_captured ? "" : " Headers of pages were not captured.") +
      (headers.any_captured || any_cookies ? "" : " Cookies were not captured.") +
      " generate csp makes a policy." + input.remark + ' ' + std::string{outside_text_label});
}

} // namespace

analysis security_analysis() {
  return {"security", "policy violations, mixed content, headers, where secrets were seen",
          usual_beginning::everything, security_answer};
}

} // namespace gasoline
