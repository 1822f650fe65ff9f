#include "actors/mcp_tools/observe/answer/observe_call.hpp"

#include "actors/base/age_text.hpp"

#include <charconv>
#include <utility>

namespace gasoline {
namespace {

/// A moment, or how long ago it was.
std::optional<wall_time> parse_since(tool_arguments& arguments, const std::string& text) {
  if (const auto at = from_iso8601(text))
    return at;
  if (const auto age = parse_age(text))
    return arguments.now() - *age;
  arguments.fail("since must be an ISO 8601 time such as 2026-01-28T14:30:00Z, or an age such as "
                 "30s, 5m, 2h.");
  return std::nullopt;
}

/// The sequence that a cursor holds.
std::optional<std::uint64_t> parse_cursor(tool_arguments& arguments, const std::string& text) {
  if (text.empty())
    return std::nullopt;
  std::uint64_t before = 0;
  const auto* end = text.data() + text.size();
  const bool ok = text.front() == 'e' && text.size() > 1 &&
                  std::from_chars(text.data() + 1, end, before).ptr == end && before > 0;
  if (ok)
    return before;
  arguments.fail("cursor must be the value that the previous answer gave, unchanged; leave it out "
                 "to start with the newest.");
  return std::nullopt;
}

/// Reads what an answer gave as `since_cursor`; `e0` begins.
bool take_since_cursor(tool_arguments& arguments, std::string_view name, observe_call& call) {
  const auto text = arguments.text(name);
  if (!text)
    return false;
  call.only_new = true;
  if (text->empty() || *text == "e0" || *text == "0")
    return true;
  const auto* end = text->data() + text->size();
  if (text->size() > 1 && text->front() == 'e' &&
      std::from_chars(text->data() + 1, end, call.query.after_sequence).ptr == end)
    return true;
  arguments.fail(
      "since_cursor must be the value that the previous answer gave, unchanged; e0 begins "
      "with everything.");
  return true;
}

/// A token is four bytes, as models count English and JSON.
bool take_max_tokens(tool_arguments& arguments, std::string_view name, observe_call& call,
                     const limits_of<client_room, result_room>& limit) {
  constexpr std::int64_t token_bytes = 4;
  constexpr std::int64_t fewest = 256;
  const auto tokens = arguments.integer(
      name, fewest, static_cast<std::int64_t>(limit.result.max_bytes) / token_bytes);
  if (!tokens)
    return false;
  call.query.max_bytes = static_cast<std::uint64_t>(*tokens * token_bytes);
  call.whole_budget = true;
  return true;
}

/// The levels that a filter names; `warning` is accepted and not shown.
nlohmann::json level_names() {
  return {"debug", "log", "info", "warn", "error"};
}

/// Where a parameter of the query goes.
template <class Member>
auto in_query(Member member) {
  return [member](observe_call & call) -> auto& {
    return call.query.*member;
  };
}

void refuse_wait(tool_arguments& arguments, const observe_call& call) {
  if (call.wait.count() > 0)
    arguments.fail("wait_seconds works with what: alerts only; leave it out, or wait for an alert "
                   "and then observe " +
                   std::string{call.subject.mode} + ".");
}

} // namespace

observe_call plain_call(const observe_subject& subject,
                        const limits_of<client_room, result_room>& limit, std::uint64_t max_bytes) {
  observe_call call;
  call.subject = subject;
  call.query.limit = limit.result.items;
  call.query.max_bytes = max_bytes;
  return call;
}

tool_parameters<observe_call> observe_parameters(observe_call usual,
                                                 const limits_of<client_room, result_room>& limit,
                                                 bool waits) {
  tool_parameters<observe_call> out{std::move(usual)};
  out.text("url", in_query(&store_query::url)).about("Text in the URL");
  out.choice<event_origin>("origin", in_query(&store_query::origin));
  out.text("service", in_query(&store_query::service));
  out.choice<log_level>("min_level", in_query(&store_query::min_level))
      .shows("enum", level_names());
  out.integer("status_min", in_query(&store_query::status_min), 0, 999)
      .about("Smallest HTTP status; unanswered requests always match");
  out.parsed("since", in_query(&store_query::since), parse_since)
      .about("ISO 8601 time, or an age: 30s, 5m, 2h");
  out.parsed("cursor", in_query(&store_query::before_sequence), parse_cursor)
      .about("From the previous answer: older entries");
  out.boolean("include_noise", in_query(&store_query::include_noise));
  out.integer("limit", in_query(&store_query::limit), 1, limit.result.max_items)
      .about("Most items, to " + std::to_string(limit.result.max_items) + "; default " +
             std::to_string(limit.result.items));
  out.integer("max_bytes", in_query(&store_query::max_bytes), 1024, limit.result.max_bytes)
      .shows("minimum", 1024)
      .about("Size of the answer, from 1024; default " + std::to_string(limit.result.bytes));
  out.add("since_cursor", {{"type", "string"}}, take_since_cursor)
      .about("e0, then as answered: only what is new, errors first");
  out.add("max_tokens", {{"type", "integer"}},
          [limit](tool_arguments& arguments, std::string_view name, observe_call& call) {
            return take_max_tokens(arguments, name, call, limit);
          })
      .shows("minimum", 256)
      .about("The same in tokens, from 256");
  auto& wait = out.integer("wait_seconds", &observe_call::wait, 0, limit.client.wait_seconds)
                   .shows("maximum", limit.client.wait_seconds)
                   .about("alerts, stream: waits for what is new, at most " +
                          std::to_string(limit.client.wait_seconds));
  if (!waits)
    wait.check(refuse_wait);
  out.ignored(&observe_call::ignored);
  return out;
}

void refuse_since_cursor(tool_arguments& arguments, const observe_call& call) {
  if (call.only_new)
    arguments.fail(
        "since_cursor works with errors, logs, network_waterfall, network_bodies, "
        "websocket_events, actions, performance, timeline and alerts; leave it out with " +
        std::string{call.subject.mode} + ".");
}

std::string counted(std::uint64_t n, const observe_subject& subject) {
  return std::to_string(n) + " " + std::string{n == 1 ? subject.one : subject.many};
}

} // namespace gasoline
