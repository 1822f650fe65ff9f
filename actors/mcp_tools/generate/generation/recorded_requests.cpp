#include "actors/mcp_tools/generate/generation/recorded_requests.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>
#include <unordered_map>
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

/// Whether the URL says it all; then the page's does not matter.
bool is_whole(const url_pieces& pieces) {
  return !pieces.scheme.empty() && !pieces.host.empty() &&
         std::all_of(pieces.host.begin(), pieces.host.end(), is_authority_char);
}

/// The URL, made absolute by the page's where it is none.
std::string absolute(std::string_view url, std::string_view page) {
  const auto pieces = take_apart(url);
  if (is_whole(pieces))
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
  out.duration_ms = e->duration_ms > 0 ? std::min(e->duration_ms, longest_request_ms) : 0;
  out.started = e->at - std::chrono::milliseconds{std::llround(out.duration_ms)};
  return out;
}

/// The requests whose answer was captured, by address. Thousands are asked of few.
class captured_requests {
 public:
  void add(const recorded_request& r) { times_of(*r.told).push_back(r.started); }

  /// Whether the entry tells of one of them; that one is taken out then.
  bool take(const recorded_request& timing) {
    auto& times = times_of(*timing.told);
    const auto found = std::find_if(times.begin(), times.end(), [&](wall_time started) {
      const auto distance = started - timing.started;
      return distance <= apart && -distance <= apart;
    });
    if (found == times.end())
      return false;
    times.erase(found);
    return true;
  }

 private:
  using start_times = std::vector<wall_time>;

  start_times& times_of(const event& e) {
    if (e.url.empty()) // it stands elsewhere, in another form
      return times_[absolute_url(e)];
    const auto [known, added] = by_whole_url_.try_emplace(e.url.view());
    if (added && is_whole(take_apart(e.url.view())))
      known->second = &times_[absolute_url(e)];
    return known->second ? *known->second : times_[absolute_url(e)];
  }

  std::unordered_map<std::string, start_times> times_; ///< by absolute address
  std::unordered_map<std::string_view, start_times*>
      by_whole_url_; ///< by the address as it was told; null: it takes the page's to be whole
};

} // namespace

std::string absolute_url(const event& e) {
  return absolute(request_url(e).view(), e.page.view());
}

std::string request_method(const event& e) {
  auto out = method_of(e).str();
  return out.empty() ? "GET" : out;
}

std::vector<recorded_request> recorded_requests(event_span steps) {
  std::vector<recorded_request> out;
  captured_requests captured;
  for (const auto* step : steps)
    if (step->kind == telemetry_kind::body) {
      out.push_back(request_of(step));
      captured.add(out.back());
    }
  for (const auto* step : steps) {
    if (step->kind != telemetry_kind::request)
      continue;
    const auto timing = request_of(step);
    if (!captured.take(timing))
      out.push_back(timing);
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
