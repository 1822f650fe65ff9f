#include "actors/mcp_tools/generate/documents/content_policy.hpp"

#include "actors/base/counted_words.hpp"
#include "actors/base/page_key.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/event_marks.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/mcp_tools/generate/generation/script_text.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_sources = 40; // of one directive

/// Which directive rules what an element or a call has loaded; empty: its kind says, or nothing.
std::string_view directive_for(std::string_view initiator) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> rows{{
      {"script", "script-src"},
      {"fetch", "connect-src"},
      {"xmlhttprequest", "connect-src"},
      {"beacon", "connect-src"},
      {"img", "img-src"},
      {"image", "img-src"},
      {"input", "img-src"},
      {"audio", "media-src"},
      {"video", "media-src"},
      {"track", "media-src"},
      {"iframe", "frame-src"},
      {"frame", "frame-src"},
      {"eventsource", "connect-src"},
      {"websocket", "connect-src"},
      {"worker", "worker-src"},
      {"manifest", "manifest-src"},
  }};
  for (const auto& [name, directive] : rows)
    if (ascii::same_letters(name, initiator))
      return directive;
  return {};
}

std::string_view directive_for_file(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 18> rows{{
      {".css", "style-src"},
      {".js", "script-src"},
      {".mjs", "script-src"},
      {".woff2", "font-src"},
      {".woff", "font-src"},
      {".ttf", "font-src"},
      {".otf", "font-src"},
      {".png", "img-src"},
      {".jpg", "img-src"},
      {".jpeg", "img-src"},
      {".gif", "img-src"},
      {".svg", "img-src"},
      {".webp", "img-src"},
      {".avif", "img-src"},
      {".ico", "img-src"},
      {".mp4", "media-src"},
      {".webm", "media-src"},
      {".json", "connect-src"},
  }};
  for (const auto& [end, directive] : rows)
    if (path.ends_with(end))
      return directive;
  return {};
}

/// Only hosts that can stand in a policy: what is in it must not end a directive.
bool is_plain_origin(std::string_view origin) {
  return !origin.empty() && std::all_of(origin.begin(), origin.end(), [](char c) {
    return ascii::is_letter(c) || ascii::is_digit(c) ||
           std::string_view{":/.-_[]"}.find(c) != std::string_view::npos;
  });
}

/// The policy in the making.
struct policy {
  std::map<std::string_view, std::set<std::string>> sources; ///< by directive
  std::set<std::string> hashes;                 ///< of inline scripts, as browsers told them
  std::set<std::string_view> inline_directives; ///< that inline blocks were reported for
  bool uses_eval = false;
  std::set<std::string_view> pages;
  std::unordered_map<std::string_view, std::set<std::string_view>>
      asked; ///< initiators, by address
};

/// The page origin of which most was seen.
std::string_view page_origin(const generation_input& input) {
  std::unordered_map<std::string_view, std::size_t> by_page;
  for (const auto* told : input.seen.events)
    ++by_page[told->page.view()];
  std::map<std::string_view, std::size_t> seen;
  for (const auto& [page, count] : by_page)
    if (const auto origin = take_apart(page).origin; is_plain_origin(origin))
      seen[origin] += count;
  const auto most = std::max_element(
      seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == seen.end() ? std::string_view{} : most->first;
}

void add_source(policy& out, std::string_view directive, std::string_view url,
                std::string_view self) {
  const auto pieces = take_apart(url);
  auto& sources = out.sources[directive];
  if (sources.size() >= most_sources)
    return;
  if (url.starts_with("data:") || url.starts_with("blob:")) {
    if (directive == "img-src" || directive == "font-src" || directive == "media-src")
      sources.insert(std::string{url.substr(0, 5)});
    return;
  }
  if (pieces.scheme.empty() || pieces.origin == self) {
    sources.insert("'self'");
    return;
  }
  constexpr std::array<std::string_view, 4> schemes{"https", "http", "wss", "ws"};
  const bool known = std::find(schemes.begin(), schemes.end(), pieces.scheme) != schemes.end();
  if (known && is_plain_origin(pieces.origin))
    sources.insert(std::string{pieces.origin});
}

/// Whether it is the first request of that initiator to that address.
bool is_new(policy& out, const event& e) {
  if (e.url.empty())
    return true;
  constexpr std::string_view none_of_a_body = "-";
  auto initiator = field_json(e.fields.view(), "initiator_type");
  if (initiator.empty())
    initiator = field_json(e.fields.view(), "initiator");
  if (initiator.empty() && e.kind == telemetry_kind::body)
    initiator = none_of_a_body;
  return out.asked[e.url.view()].insert(initiator).second;
}

void add_request(policy& out, const event& e, std::string_view self) {
  if (!is_new(out, e))
    return;
  const auto url = request_url(e);
  auto initiator = field_text(e.fields, "initiator_type");
  if (initiator.empty())
    initiator = field_text(e.fields, "initiator");
  auto directive = directive_for(initiator.view());
  if (directive.empty())
    directive = directive_for_file(take_apart(url.view()).path);
  if (directive.empty() && e.kind == telemetry_kind::body)
    directive = "connect-src";
  if (!directive.empty())
    add_source(out, directive, url.view(), self);
}

/// Hashes that a browser names where it tells of a blocked block: `'sha256-…='`.
void add_hashes(policy& out, std::string_view text) {
  for (std::size_t at = 0; (at = text.find("'sha", at)) != std::string_view::npos;) {
    const auto end = text.find('\'', at + 1);
    if (end == std::string_view::npos)
      return;
    const auto hash = text.substr(at, end - at + 1);
    const bool whole = hash.size() > 40 && hash.size() < 120 &&
                       std::all_of(hash.begin() + 1, hash.end() - 1, [](char c) {
                         return ascii::is_letter(c) || ascii::is_digit(c) || c == '-' || c == '+' ||
                                c == '/' || c == '=';
                       });
    if (whole && out.hashes.size() < most_sources)
      out.hashes.insert(std::string{hash});
    at = end + 1;
  }
}

void add_finding(policy& out, const event& e) {
  const auto blocked = field_text(e.fields, "blocked_url");
  const auto directive = field_text(e.fields, "violated_directive");
  if (blocked.view() == "inline")
    out.inline_directives.insert(directive.view().starts_with("style") ? "style-src"
                                                                       : "script-src");
  if (blocked.view() == "eval" || blocked.view() == "wasm-eval")
    out.uses_eval = true;
  add_hashes(out, e.message.view());
}

/// Whether pages at that address are of the site that the policy is for; notes them.
class site_pages {
 public:
  explicit site_pages(std::string_view self) : self_(self) {}

  bool take(std::string_view page, policy& out) {
    if (page.empty())
      return true;
    if (page != last_) { // most events have the page of the one before
      last_ = page;
      is_of_site_ = take_apart(page).origin == self_;
      if (is_of_site_)
        out.pages.insert(page_key(page));
    }
    return is_of_site_;
  }

 private:
  std::string_view self_;
  std::string_view last_;
  bool is_of_site_ = false;
};

policy policy_of(const generation_input& input, std::string_view self) {
  policy out;
  site_pages pages{self};
  for (const auto* told : input.seen.events) {
    const auto& e = *told;
    if (e.origin != event_origin::page && e.origin != event_origin::report)
      continue;
    if (!pages.take(e.page.view(), out))
      continue;
    if (is_request(e))
      add_request(out, e, self);
    else if (e.kind == telemetry_kind::socket)
      add_source(out, "connect-src", e.url.view(), self);
    else if (e.type == entry_type::security)
      add_finding(out, e);
  }
  return out;
}

std::string directive_text(std::string_view name, const std::set<std::string>& sources) {
  std::string out = "; ";
  out.append(name);
  for (const auto& source : sources)
    out += ' ' + source;
  return sources.empty() ? out + " 'self'" : out;
}

std::string header_of(policy& p) {
  auto& scripts = p.sources["script-src"];
  scripts.insert("'self'");
  scripts.insert(p.hashes.begin(), p.hashes.end());
  p.sources["style-src"].insert("'self'");
  for (const auto directive : p.inline_directives)
    if (directive == "style-src" || p.hashes.empty())
      p.sources[directive].insert("'nonce-PER-RESPONSE'");
  std::string out = "Content-Security-Policy-Report-Only: default-src 'self'";
  for (const auto& [name, sources] : p.sources)
    if (!sources.empty())
      out += directive_text(name, sources);
  return out + "; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'\n";
}

std::string notes_of(const policy& p) {
  std::string out =
      "# From " + counted_words(p.pages.size(), "page", "pages") +
      " that were seen; use the others, too, before Content-Security-Policy enforces it.\n";
  if (!p.inline_directives.empty())
    out += "# Inline blocks were reported: PER-RESPONSE is a fresh value for each answer, and "
           "stands in the nonce attribute of each such block.\n";
  if (p.uses_eval)
    out += "# A page uses eval, which this policy refuses: replace it rather than allow "
           "unsafe-eval.\n";
  return out + "# In development add Gasoline's own address to script-src and connect-src.\n";
}

result_or<artifact> make_policy(const generation_input& input) {
  const auto self = page_origin(input);
  if (self.empty())
    return tl::unexpected(user_error{
        "No page was seen that says what it loads; load one with the page script or the engine's "
        "browser, and use it."});
  auto p = policy_of(input, self);
  auto text = header_of(p);
  text += notes_of(p);
  return artifact{std::move(text), "A policy for " + script_string(self) +
                                       ", to be reported first, from " +
                                       counted_words(p.pages.size(), "page", "pages") + "."};
}

} // namespace

generation content_policy() {
  return {"csp", "a content security policy from what pages loaded, report-only first",
          usual_beginning::everything, looked_at::events_and_steps, make_policy};
}

} // namespace gasoline
