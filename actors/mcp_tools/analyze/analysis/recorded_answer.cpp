#include "actors/mcp_tools/analyze/analysis/recorded_answer.hpp"

#include "actors/detection/fault/event_fields.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_of_a_kind = 20;
constexpr std::size_t most_looked_into = 512U << 10U;

/// What a body begins with in whose place the sender says something.
constexpr std::string_view remark_starts[] = {"[Skipped", "[REDACTED: auth endpoint]",
                                              "[Unavailable"};

bool is_remark(std::string_view body) {
  return std::any_of(std::begin(remark_starts), std::end(remark_starts),
                     [&](std::string_view start) { return body.starts_with(start); });
}

} // namespace

std::string answer_body(const event& e) {
  auto body = field_text(e.fields, "response_body");
  return is_remark(body.view()) ? std::string{} : body.str();
}

std::string body_remark(const event& e) {
  const auto body = field_text(e.fields, "response_body");
  if (!is_remark(body.view()))
    return {};
  auto words = body.view().substr(1);
  if (words.ends_with(']'))
    words.remove_suffix(1);
  return std::string{words};
}

bool is_cut_body(const event& e) {
  return field_json(e.fields.view(), "response_truncated") == "true";
}

std::size_t whole_body_bytes(const event& e) {
  if (e.kind != telemetry_kind::body || e.status <= 0)
    return 0;
  std::string_view text;
  std::string_view cut;
  // One walk for both: a body is long.
  for_each_field(e.fields.view(), [&](std::string_view name, std::string_view json) {
    if (name == "response_body" && text.empty())
      text = json;
    else if (name == "response_truncated" && cut.empty())
      cut = json;
  });
  if (text.size() <= 2 || text.front() != '"')
    return 0;
  text = text.substr(1, text.size() - 2);
  return is_remark(text) || cut == "true" ? 0 : text.size();
}

bool body_budget::may_take(std::size_t kind) const {
  return bytes_ < most_looked_into && (kind >= taken_.size() || taken_[kind] < most_of_a_kind);
}

bool body_budget::take(std::size_t kind, std::size_t bytes) {
  if (!may_take(kind) || bytes_ + bytes > most_looked_into) {
    ++passed_over_;
    return false;
  }
  if (kind >= taken_.size())
    taken_.resize(kind + 1);
  ++taken_[kind];
  bytes_ += bytes;
  return true;
}

} // namespace gasoline
