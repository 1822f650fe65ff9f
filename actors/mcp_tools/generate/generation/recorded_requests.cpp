#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

namespace gasoline {
namespace {

/// Two entries of one request come so close together.
constexpr std::chrono::seconds apart{10};

constexpr double longest_request_ms = 1e9;

std::array<bool, 256> standing_letters() {
  constexpr std::string_view reserved = ":/?#@!$&'()*+,;=";
  std::array<bool, 256> out{};
  for (std::size_t b = 0; b < out.size(); ++b) {
    const char c = static_cast<char>(b);
    out[b] = is_unreserved(c) || reserved.find(c) != std::string_view::npos;
  }
  return out;
}

bool may_stand(std::string_view text, std::size_t i) {
  static const auto letters = standing_letters();
  return letters[static_cast<unsigned char>(text[i])] || is_percent_escape(text, i);
}

/// A fragment may not hold a further `#`.
std::string encoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool in_fragment = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool second_hash = in_fragment && text[i] == '#';
    if (may_stand(text, i) && !second_hash)
      out += text[i];
    else
      out += percent_encoded(text.substr(i, 1));
    in_fragment = in_fragment || text[i] == '#';
  }
  return out;
}

bool is_authority_char(char c) {
  return is_unreserved(c) || c == ':' || c == '[' || c == ']';
}

/// The URL, made absolute by the page's where it is none.
std::string absolute(std::string_view url, std::string_view page) {
  const auto pieces = take_apart(url);
  const bool whole = !pieces.scheme.empty() && !pieces.host.empty() &&
                     std::all_of(pieces.host.begin(), pieces.host.end(), is_authority_char);
  if (whole)
    return std::string{pieces.origin} +
           encoded(std::string{pieces.path} + std::string{pieces.rest});
  const auto base = take_apart(page);
  const auto origin = base.scheme.empty() || base.host.empty()
                          ? std::string{"http://unknown.invalid"}
                          : std::string{base.origin};
  return origin + (url.starts_with('/') ? "" : "/") + encoded(url);
}

recorded_request request_of(const event* e) {
  recorded_request out;
  out.told = e;
  out.url = absolute(request_url(*e).view(), e->page.view());
  out.method = method_of(*e).str();
  if (out.method.empty())
    out.method = "GET";
  out.duration_ms = e->duration_ms > 0 ? std::min(e->duration_ms, longest_request_ms) : 0;
  out.started = e->at - std::chrono::milliseconds{std::llround(out.duration_ms)};
  return out;
}

/// The times of requests whose answer was captured, by address.
using captured_times = std::multimap<std::string, wall_time>;

/// Whether the entry tells of one of them; that one is taken out then.
bool take_captured(captured_times& captured, const recorded_request& timing) {
  const auto [begin, end] = captured.equal_range(timing.url);
  const auto found = std::find_if(begin, end, [&](const auto& row) {
    const auto distance = row.second - timing.started;
    return distance <= apart && -distance <= apart;
  });
  if (found == end)
    return false;
  captured.erase(found);
  return true;
}

} // namespace

std::vector<recorded_request> recorded_requests(event_span steps) {
  std::vector<recorded_request> out;
  captured_times captured;
  for (const auto* step : steps)
    if (step->kind == telemetry_kind::body) {
      out.push_back(request_of(step));
      captured.emplace(out.back().url, out.back().started);
    }
  for (const auto* step : steps) {
    if (step->kind != telemetry_kind::request)
      continue;
    auto timing = request_of(step);
    if (!take_captured(captured, timing))
      out.push_back(std::move(timing));
  }
  std::stable_sort(
      out.begin(), out.end(),
      [](const recorded_request& a, const recorded_request& b) { return a.started < b.started; });
  return out;
}

std::string answer_type(const event& e) {
  const auto type = field_text(e.fields, "content_type");
  auto bare = type.view().substr(0, type.view().find(';'));
  while (bare.ends_with(' '))
    bare.remove_suffix(1);
  return std::string{bare};
}

std::string valid_uri(std::string_view url) {
  return absolute(url, {});
}

} // namespace gasoline
