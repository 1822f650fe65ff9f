#include "actors/redaction/text/text_pass.hpp"

#include "actors/redaction/json/json_pass.hpp"
#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/format_string.hpp"
#include "actors/redaction/rules/triggers/trigger_tables.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

/// How far a quotation is followed whose marks are no ASCII quotes.
constexpr std::size_t spelled_reach = 256;

/// How a quotation is closed that opens so.
std::string_view closing_spelling(std::string_view quote) {
  return quote == "“" ? "”" : quote == "‘" ? "’" : quote;
}

/// What a mask that a trigger leads to is counted as, unless the finder knows better.
std::string_view rule_of(trigger_kind kind) {
  switch (kind) {
  case trigger_kind::encoded_key:
    return "encoded-key";
  case trigger_kind::dsn:
  case trigger_kind::url:
  case trigger_kind::oracle:
  case trigger_kind::oracle_host:
    return "url-password";
  case trigger_kind::command_user:
  case trigger_kind::command:
  case trigger_kind::command_flag:
  case trigger_kind::piped:
    return "command";
  case trigger_kind::login_call:
    return "login-call";
  default:
    return "key";
  }
}

} // namespace

void text_pass::run() {
  if (in_.size() > 2 && in_.front() == '"' && closing_quote(0) == in_.size() - 1)
    json(0, key_class::plain);
  plan_secrets();
  trigger_walk walk{built_in_scan(), in_};
  walk.restart(last_);
  while (true) {
    const auto found = walk.next(std::min(next_planned_, in_.size()));
    if (found) {
      if (apply(*found))
        walk.restart(last_);
      continue;
    }
    const auto reached = std::max(last_, next_planned_);
    if (reached >= in_.size())
      break;
    cover_planned();
    walk.restart(std::max(reached, last_));
  }
  out_.append(in_, last_, npos);
  last_ = in_.size();
  finish_segment();
}

/// Whether something was masked; then the walk goes on behind it.
bool text_pass::apply(const found_trigger& found) {
  const auto& effect = built_in_effects()[found.number];
  // The space that stands in front of a text as if may be part of a trigger.
  const std::size_t begin =
      found.end >= found.length ? found.end - found.length + effect.before : 0;
  return apply(effect, begin, found.end - effect.after);
}

/// Masks the planned stretch that the walk has come to.
void text_pass::cover_planned() {
  const auto planned = planned_[planned_done_++];
  next_planned_ = planned_done_ < planned_.size() ? planned_[planned_done_].begin : npos;
  rule_ = planned.rule;
  cover(planned.begin, planned.end, mask);
}

bool text_pass::apply(const trigger_effect& t, std::size_t begin, std::size_t end) {
  rule_ = rule_of(t.kind);
  switch (t.kind) {
  case trigger_kind::key:
    return keyed_value(begin, end);
  case trigger_kind::token:
    return known_shape(t, begin);
  case trigger_kind::bearer:
  case trigger_kind::basic:
    return scheme_credential(begin, end, t);
  case trigger_kind::model_key:
    return model_key(begin);
  case trigger_kind::jwt:
    return web_token(begin) || base64_document(begin);
  case trigger_kind::base64:
    return base64_document(begin);
  case trigger_kind::encoded_stretch:
    return encoded_stretch(begin);
  case trigger_kind::secret_call:
    return secret_argument(t, end);
  case trigger_kind::password_line:
    return password_line(begin);
  case trigger_kind::user_list:
    return user_list(end);
  case trigger_kind::account_number:
    return account_number(begin);
  case trigger_kind::sub_protocol:
    return sub_protocol(end);
  case trigger_kind::dotted_token:
    return dotted_token(end);
  case trigger_kind::setup_key:
    return setup_key(end);
  case trigger_kind::private_key:
    return private_key(begin);
  case trigger_kind::card:
    return card(begin);
  case trigger_kind::social_number:
    return social_number(begin);
  case trigger_kind::encoded_key:
    return encoded_key(begin);
  case trigger_kind::dsn:
    return driver_password(begin);
  case trigger_kind::command_user:
    return command_password(end);
  case trigger_kind::command:
    return command(t, begin);
  case trigger_kind::command_flag:
    return flag_password(end - 1);
  case trigger_kind::piped:
    return piped_password(begin);
  case trigger_kind::oracle:
    return oracle_password(end);
  case trigger_kind::oracle_host:
    return oracle_host(begin);
  case trigger_kind::login_call:
    return call_password(end, t.shape + std::size_t{1});
  case trigger_kind::url:
    return at(begin) == '%' ? encoded_url_password(end) : url_password(begin, end);
  case trigger_kind::json:
    return json(begin, key_class::plain);
  case trigger_kind::dotted: {
    const auto found = find_bot_token(in_, begin);
    return found && cover(found->begin, found->end, found->mask);
  }
  case trigger_kind::hygiene:
    return false;
  }
  return false;
}

/// Writes the text up to `begin` and the mask in place of what follows until `end`.
bool text_pass::cover(std::size_t begin, std::size_t end, std::string_view with) {
  if (end <= last_ || end <= begin)
    return false;
  begin = std::max(begin, last_);
  out_.append(in_, last_, begin - last_);
  out_ += context_.log.set(rule_, with);
  last_ = end;
  return true;
}

bool text_pass::json(std::size_t begin, key_class inherited) {
  if (levels_ == 0 || begin < last_)
    return false;
  const char next = at(skip_space(begin + 1));
  const bool plausible = in_[begin] == '{'   ? any_of(next, "\"}")
                         : in_[begin] == '[' ? any_of(next, "\"{[]-tfn") || is_digit(next)
                                             : in_[begin] == '"';
  if (!plausible || is_subscript(begin))
    return false;
  out_.append(in_, last_, begin - last_);
  last_ = begin;
  finish_segment();
  json_pass pass{context_, in_, out_, levels_, string_care::redacted_only};
  if (in_[begin] == '[')
    pass.announce(announced_list(begin));
  const auto extent = pass.run(begin, inherited);
  // A sensitive key's value that only looked like JSON is masked as a word.
  if (!extent.complete && (inherited != key_class::plain || extent.end == begin) &&
      extent.end <= skip_space(begin + 1)) {
    out_.resize(segment_);
    return false;
  }
  last_ = extent.end;
  segment_ = out_.size();
  return true;
}

/// What a statement says about its list of values: `… SET password = $1 -- PARAMETERS: ["x"]`.
std::vector<key_class> text_pass::announced_list(std::size_t bracket) const {
  constexpr std::size_t statement_reach = 2'048;
  const std::size_t reach = std::min(bracket, std::size_t{20});
  const auto lead = lowered(in_.substr(bracket - reach, reach));
  for (const std::string_view word : {"parameters", "params", "bindings", "values", "args", "binds",
                                      "bind", "replacements", "--"})
    if (const auto p = lead.find(word);
        p != npos && lead.find_first_not_of(" :='\"\\", p + word.size()) == npos) {
      const std::size_t begin = bracket - std::min(bracket, statement_reach);
      return announced_arguments(in_.substr(begin, bracket - begin));
    }
  return {};
}

/// `headers["token"]`: not an array, but a part of what is called.
bool text_pass::is_subscript(std::size_t bracket) const {
  if (in_[bracket] != '[')
    return false;
  const bool behind_name = is_name_char(before(bracket)) || any_of(before(bracket), "])");
  const std::size_t quote = quote_length(bracket + 1);
  const auto name = in_.substr(bracket + 1 + quote, name_reach);
  const auto end = std::find_if_not(name.begin(), name.end(), is_name_char) - name.begin();
  const std::size_t close = bracket + 1 + quote + static_cast<std::size_t>(end);
  if (quote == 0 || quote_length(close) == 0)
    return false;
  const std::size_t end_bracket = close + quote_length(close);
  // `["token"]=>`, `["token":protected]=>`, `["token" => "x"]`: members of PHP's arrays.
  if (at(end_bracket) == ']')
    return behind_name || in_.substr(end_bracket + 1, 2) == "=>";
  return at(end_bracket) == ':' || in_.substr(skip_blanks(end_bracket), 2) == "=>";
}

// Reading around

/// Whether a token may begin here: behind a sign, an escape or a percent-encoded sign.
bool text_pass::starts_word(std::size_t pos) const {
  if (pos == 0 || !is_alnum(in_[pos - 1]))
    return true;
  if (pos >= 2 && in_[pos - 2] == '\\' && any_of(in_[pos - 1], "nrtbf"))
    return true;
  if (pos >= 3 && in_[pos - 3] == '%' && is_hex(in_[pos - 2]) && is_hex(in_[pos - 1]))
    return true;
  if (pos >= 6 && in_[pos - 6] == '\\' && in_[pos - 5] == 'u')
    return true;
  const std::size_t reach = std::min<std::size_t>(pos, 12);
  return in_[pos - 1] == 'm' && in_.substr(pos - reach, reach).find("\x1b[") != npos;
}

/// Whether the name that begins here begins with the end of a terminal colour code.
bool text_pass::follows_ansi_code(std::size_t pos) const {
  std::size_t p = pos;
  while (p > 0 && pos - p < 12 && (is_digit(in_[p - 1]) || in_[p - 1] == ';'))
    --p;
  return p >= 2 && in_[p - 1] == '[' && in_[p - 2] == '\x1b' && in_.find('m', pos) < pos + 4;
}

/// The length of the quotation mark at `pos`, however it is spelled; 0 when there is none.
std::size_t text_pass::quote_length(std::size_t pos) const {
  std::size_t p = pos;
  while (p < in_.size() && in_[p] == '\\' && p - pos < name_reach)
    ++p;
  if (p < in_.size() && is_quote(in_[p]))
    return p + 1 - pos;
  if (!any_of(at(pos), "%&\\\xE2"))
    return 0;
  for (const std::string_view spelling : {"“", "”", "‘", "’", "%22", "%27", "%5C%22", "%2522",
                                          "%255C%2522", "&quot;", "&#34;", "&#39;", "\\u0022"})
    if (in_.substr(pos, spelling.size()) == spelling)
      return spelling.size();
  return 0;
}

std::size_t text_pass::skip_blanks(std::size_t pos) const {
  while (pos < in_.size() && (in_[pos] == ' ' || in_[pos] == '\t'))
    ++pos;
  return pos;
}

std::size_t text_pass::skip_space(std::size_t pos) const {
  while (pos < in_.size() && is_space(in_[pos]))
    ++pos;
  return pos;
}

/// Where an unquoted value ends. A comma, semicolon, ampersand or quote ends it only where
/// something of the surroundings follows; secrets hold all of them.
std::size_t text_pass::plain_end(std::size_t begin) const {
  const auto rest = [&](std::size_t p) { return in_.substr(p, name_reach); };
  std::size_t end = begin;
  for (; end < in_.size(); ++end) {
    const char c = in_[end];
    if (is_space(c) || is_control(c))
      break;
    if (is_quote(c) && (end + 1 == in_.size() || !is_alnum(in_[end + 1])))
      break;
    if (c == '\\' && (quote_length(end) > 0 || in_.substr(end, 4) == "\\u00"))
      break;
    if (c == '<' && (is_letter(at(end + 1)) || at(end + 1) == '/'))
      break;
    if ((c == ',' || c == ';') && goes_on(rest(end + 1)))
      break;
    if (c == '&' && pair_follows(rest(end + 1)))
      break;
    if (c == '%' && in_.substr(end, 3) == "%22")
      break;
  }
  return begin + without_closers(in_.substr(begin, end - begin));
}

std::size_t text_pass::line_end(std::size_t begin) const {
  const std::size_t line = std::min(in_.find('\n', begin), in_.size());
  std::size_t end = begin;
  for (; end < in_.size(); ++end) {
    const char c = in_[end];
    if (before(end) == '=' && end > begin && quote_length(end) > 0) {
      // A quoted part of the value: `username="ann"`.
      const std::size_t close = closing_quote(end);
      if (close < line) {
        end = close + quote_length(end) - 1;
        continue;
      }
    }
    if (c == '\n' || c == '\r' || (c == '\\' && any_of(at(end + 1), "nr\"")))
      break;
    if (is_quote(c) && (end + 1 == in_.size() || any_of(in_[end + 1], " ,)]}\n\r\\:")))
      break;
  }
  return end;
}

/// Where the quotation that `quote` opens is closed, or `npos`.
std::size_t text_pass::closing_quote(std::size_t quote) const {
  const std::size_t length = quote_length(quote);
  const std::size_t begin = quote + length;
  const char sign = in_[begin - 1];
  if (!is_quote(sign)) {
    const auto end =
        in_.substr(begin, spelled_reach).find(closing_spelling(in_.substr(quote, length)));
    return end == npos ? npos : begin + end;
  }
  // Deeper quotations carry more backslashes; fewer mean that an outer one has ended.
  const std::size_t level = length - 1;
  for (auto p = in_.find(sign, begin); p != npos; p = in_.find(sign, p + 1)) {
    std::size_t slashes = 0;
    while (p - slashes > begin && in_[p - slashes - 1] == '\\')
      ++slashes;
    if (level == 0 ? slashes % 2 == 0 : slashes <= level)
      return level == 0 ? p : p - slashes;
  }
  return npos;
}

void text_pass::finish_segment() {
  rules_.apply_own(out_, segment_, context_.log);
  segment_ = out_.size();
}

} // namespace gasoline::redaction
