#include "actors/redaction/rules/user_rules.hpp"

#include "messages/base/utf8.hpp"

#include <re2/filtered_re2.h>

#include <algorithm>
#include <utility>

namespace gasoline::redaction {
namespace {

/// Shorter literals are in most texts, longer ones say no more than their beginning does.
constexpr int shortest_literal = 3;
constexpr std::size_t longest_literal = 24;

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

trigger literal_trigger(std::string_view text) {
  trigger out;
  for (const char c : text.substr(0, longest_literal)) {
    if (!is_word_character(c))
      out.pattern += '\\';
    out.pattern += c;
  }
  out.use = trigger_use::filter;
  out.any_case = true;
  return out;
}

} // namespace

user_rules::user_rules(const std::vector<redaction_rule>& rules) {
  if (rules.empty())
    return;
  std::string all;
  for (const auto& r : rules) {
    rules_.push_back(
        {"[REDACTED:" + r.name + "]", std::make_unique<re2::RE2>(r.pattern, re2::RE2::Quiet)});
    all += (all.empty() ? "(?:" : "|(?:") + r.pattern + ")";
  }
  any_ = std::make_unique<re2::RE2>(all, re2::RE2::Quiet);
  find_literals(rules);
}

void user_rules::find_literals(const std::vector<redaction_rule>& rules) {
  re2::FilteredRE2 filter{shortest_literal};
  for (const auto& r : rules) {
    int number = 0;
    if (filter.Add(r.pattern, re2::RE2::Quiet, &number) != re2::RE2::NoError)
      has_rule_without_literal_ = true;
  }
  std::vector<std::string> found;
  filter.Compile(&found);
  std::vector<int> always;
  filter.AllPotentials({}, &always);
  has_rule_without_literal_ = has_rule_without_literal_ || !always.empty();
  for (const auto& text : found) {
    if (is_ascii(text))
      literals_.push_back(literal_trigger(text));
    else
      has_rule_without_literal_ = true;
  }
}

bool user_rules::needs_every_text(std::string_view text) const {
  return !rules_.empty() && (has_rule_without_literal_ || !is_ascii(text));
}

bool user_rules::matches(std::string_view text) const {
  return any_ && re2::RE2::PartialMatch(re2::StringPiece{text.data(), text.size()}, *any_);
}

void user_rules::apply(std::string& text, std::size_t begin, mask_log& log) const {
  for (const auto& each : rules_) {
    const re2::StringPiece piece{text.data() + begin, text.size() - begin};
    re2::StringPiece match;
    std::string out;
    std::size_t pos = 0;
    while (pos < piece.size() &&
           each.pattern->Match(piece, pos, piece.size(), re2::RE2::UNANCHORED, &match, 1)) {
      const auto at = static_cast<std::size_t>(match.data() - piece.data());
      out.append(piece.data() + pos, at - pos);
      pos = at + match.size();
      if (!match.empty())
        out += log.set(each.mask, each.mask);
      else if (pos < piece.size())
        out += piece[pos++];
    }
    if (pos == 0)
      continue;
    out.append(piece.data() + pos, piece.size() - pos);
    text.replace(begin, std::string::npos, out);
  }
}

} // namespace gasoline::redaction
