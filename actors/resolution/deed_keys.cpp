#include "actors/resolution/deed_keys.hpp"

#include "actors/base/url_pieces.hpp"
#include "actors/detection/direct_alert.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_key.hpp"
#include "actors/resolution/deed_words.hpp"
#include "messages/base/encoding/query_pairs.hpp"

#include <algorithm>
#include <functional>
#include <string>

namespace gasoline {
namespace {

/// What kind of thing a key is of, so that those of two kinds never meet.
enum class deed_kind : std::uint8_t { build = 1, load, action, request, route };

deed_key mixed(deed_key a, std::uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15ULL + (a << 6U) + (a >> 2U))) * 0xff51afd7ed558ccdULL;
}

deed_key key_of(deed_kind kind, std::string_view one, std::string_view two = {}) {
  const std::hash<std::string_view> hash;
  return mixed(mixed(static_cast<deed_key>(kind), hash(one)), hash(two));
}

bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// How long the UUID is that `text` begins with; 0: it begins with none.
std::size_t uuid_at(std::string_view text) {
  constexpr std::string_view shape = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  if (text.size() < shape.size())
    return 0;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] == '-' ? text[i] != '-' : !is_hex(text[i]))
      return 0;
  return shape.size();
}

/// Whether nobody would have chosen that word: a time in milliseconds, a random number, a hash.
bool is_made_up(std::string_view word) {
  constexpr std::size_t digits_of_a_time = 10;
  constexpr std::size_t letters_of_a_hash = 16;
  const auto digits =
      std::count_if(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (static_cast<std::size_t>(digits) == word.size())
    return word.size() >= digits_of_a_time;
  return word.size() >= letters_of_a_hash && digits > 0;
}

/// The text with `#` in place of what differs each time.
std::string steady(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    if (const auto id = uuid_at(text.substr(i)); id > 0) {
      out += '#';
      i += id;
      continue;
    }
    auto end = i;
    while (end < text.size() && is_letter_or_digit(text[end]))
      ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const auto word = text.substr(i, end - i);
    out += is_made_up(word) ? std::string_view{"#"} : word;
    i = end;
  }
  return out;
}

bool defeats_caches(std::string_view name) {
  for (const std::string_view known : {"_", "t", "ts", "cb", "cachebust", "nocache", "timestamp"})
    if (name == known)
      return true;
  return false;
}

/// Path and the parameters that mean something, in their order.
std::string steady_address(std::string_view url) {
  const auto pieces = take_apart(url);
  auto out = std::string{pieces.origin} + steady(pieces.path);
  auto query = pieces.rest.substr(0, pieces.rest.find('#'));
  if (!query.empty() && query.front() == '?')
    query.remove_prefix(1);
  while (const auto pair = take_query_pair(query))
    if (!defeats_caches(pair->name))
      out.append("&").append(pair->name).append("=").append(steady(pair->value));
  return out;
}

deed_key with_outcome(deed_key key, request_outcome outcome) {
  return mixed(key, static_cast<std::uint64_t>(outcome) + 1);
}

deed_key asked_at(std::string_view method, std::string_view steady_address) {
  return key_of(deed_kind::request, method, steady_address);
}

std::string_view method_or_get(const redacted_text& method) {
  return method.empty() ? std::string_view{"GET"} : method.view();
}

deed_key bare_request(const event& e) {
  return asked_at(method_or_get(method_of(e)), steady_address(request_url(e).view()));
}

// In the place of a method, which timings do not tell.
constexpr std::string_view quietly = "quiet";
constexpr std::string_view in_vain = "failed";

/// Other timings are of scripts and pictures, whose failures are told as well.
bool is_quiet(const event& e) {
  return e.kind == telemetry_kind::request && e.status < 0 && e.origin == event_origin::page;
}

/// What was sent, as JSON; requests that ask for something send nothing, and most are such.
std::string_view sent_body(const event& e) {
  return method_or_get(method_of(e)) == "GET" ? std::string_view{}
                                              : field_json(e.fields.view(), "request_body");
}

deed_key with_body(deed_key bare, std::string_view body) {
  return body.empty() ? bare : mixed(bare, std::hash<std::string>{}(steady(body)));
}

} // namespace

deed_key load_key(std::string_view page) {
  return key_of(deed_kind::load, page);
}

deed_key action_key(std::string_view page, std::string_view words) {
  return key_of(deed_kind::action, page, words);
}

deed_key build_key() {
  return key_of(deed_kind::build, {});
}

deed_key request_key_of(const event& e, request_outcome outcome) {
  return with_outcome(with_body(bare_request(e), sent_body(e)), outcome);
}

deed_key quiet_request_key(const event& e) {
  return asked_at(quietly, steady_address(request_url(e).view()));
}

bool is_timed_fetch(const event& e) {
  if (!is_quiet(e))
    return false;
  const auto fields = e.fields.view();
  constexpr auto none = std::string_view::npos;
  if (fields.find("fetch\"") == none && fields.find("xmlhttprequest\"") == none)
    return false; // as most, which is cheaper than to look for the field
  const auto by = field_json(fields, "initiator_type");
  return by == R"("fetch")" || by == R"("xmlhttprequest")";
}

deed_key failed_request_key(const event& e) {
  return asked_at(in_vain, steady_address(request_url(e).view()));
}

deed_key route_key(std::string_view words, request_outcome outcome) {
  return with_outcome(key_of(deed_kind::route, words), outcome);
}

request_target target_of(const event& e, bool routes) {
  if (!is_request(e))
    return {};
  const auto address = steady_address(request_url(e).view());
  return {asked_at(method_or_get(method_of(e)), address), asked_at(quietly, address),
          asked_at(in_vain, address), routes ? request_words(e) : std::string{}};
}

event_deeds::event_deeds(const event& e, const request_target& target) {
  if (e.build == build_state::passed)
    add(build_key());
  if (e.kind == telemetry_kind::action)
    add(action_key(page_of(e), action_words(e)));
  if (!is_request(e))
    return;
  // A fault whose sender recorded no body is tried again by one whose sender did.
  const auto bare = target.bare;
  const auto full = with_body(bare, sent_body(e));
  const bool answered = e.status >= 200 && !is_failed_exchange(e);
  if (is_quiet(e))
    add(target.quiet);
  if (is_failed_exchange(e))
    add(target.failed);
  add(with_outcome(bare, request_outcome::asked));
  if (full != bare)
    add(with_outcome(full, request_outcome::asked));
  if (answered) {
    add(with_outcome(bare, request_outcome::answered));
    if (full != bare)
      add(with_outcome(full, request_outcome::answered));
  }
  if (target.route.empty())
    return;
  add(route_key(target.route, request_outcome::asked));
  if (answered)
    add(route_key(target.route, request_outcome::answered));
}

} // namespace gasoline
