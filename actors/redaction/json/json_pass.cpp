#include "actors/redaction/json/json_pass.hpp"

#include "actors/redaction/json/json_apart.hpp"
#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/format_string.hpp"
#include "actors/redaction/rules/numbers.hpp"
#include "messages/base/encoding/hex.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace gasoline::redaction {
namespace {

bool is_name(std::string_view text) {
  constexpr std::size_t longest_name = 64;
  return !text.empty() && text.size() <= longest_name &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
                  c == '-' || c == '.';
         });
}

bool is_plain_word(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ' ' || c == '-';
  });
}

/// A label of one to three words: `API token`.
bool is_label(std::string_view text) {
  return text.size() <= 40 && std::count(text.begin(), text.end(), ' ') <= 2 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_name_char(c) || c == ' ' || (c & '\x80') != 0; });
}

/// The private numbers of a JSON web key.
bool is_key_part(std::string_view key) {
  return key == "d" || key == "p" || key == "q" || key == "dp" || key == "dq" || key == "qi" ||
         key == "k";
}

/// Words that fetch takes for `credentials`; the commonest harmless value of a sensitive key.
bool is_fetch_mode(std::string_view text) {
  return text == "include" || text == "omit" || text == "same-origin";
}

bool masks_text(key_class judged, std::string_view text) {
  if (judged == key_class::plain || text.empty() || is_mark(text) || is_masked_by_others(text) ||
      is_reference(text))
    return false;
  // `"tokens":["the","fox"]`: what a text was taken apart into.
  constexpr std::size_t longest_word = 16;
  if (judged == key_class::plural && text.size() < longest_word &&
      std::all_of(text.begin(), text.end(), is_any_letter))
    return false;
  if (judged == key_class::vague)
    return looks_opaque(text);
  if (judged == key_class::weak)
    return !is_placeholder(text) && !is_prose_word(text) && !is_complaint(text);
  return !is_complaint(text) && !is_fetch_mode(text);
}

bool masks_number(key_class judged, std::string_view number) {
  // A short number beside an everyday word counts something: `"pass":12`.
  if (judged == key_class::weak)
    return number.size() > 2;
  return judged == key_class::strong && number.size() > 2;
}

/// What an element says about the next one: `"Authorization"`, `"token:"`.
struct announced_key {
  key_class judged = key_class::plain;
  bool certain = false;
};

announced_key announced_by(std::string_view element) {
  const std::size_t end = element.find_last_not_of(" :=");
  if (end == std::string_view::npos)
    return {};
  std::string_view name = element.substr(0, end + 1);
  const bool certain = name.size() < element.size() &&
                       element.find_first_of(":=", end + 1) != std::string_view::npos;
  if (!certain && !is_name(name) && !is_label(name))
    return {};
  // What ends with `=` is a name however many words it has: `api key =`.
  if (const auto space = name.find_last_of(" \t\n"); !certain && space != std::string_view::npos)
    name = name.substr(space + 1);
  const auto judged = classify_key(name);
  const bool header =
      name.find('-') != std::string_view::npos || is_authorization_key(name) || is_cookie_key(name);
  return {judged, certain || header};
}

} // namespace

json_extent json_pass::run(std::size_t begin, key_class inherited) {
  pos_ = begin;
  committed_in_ = begin;
  committed_out_ = out_.size();
  const std::size_t out_begin = out_.size();
  if (walk(inherited)) {
    mask_apart(context_, out_, out_begin);
    return {pos_, true};
  }
  out_.resize(committed_out_);
  const bool below_secret = !frames_.empty() && frames_.back().inherited != key_class::plain;
  for (; !frames_.empty(); frames_.pop_back())
    settle(frames_.back());
  if (below_secret)
    cover_rest();
  mask_apart(context_, out_, out_begin);
  return {committed_in_, false};
}

/// Below a sensitive key a broken document is masked to where its container seems to end.
void json_pass::cover_rest() {
  const std::size_t begin = in_.find_first_not_of(" \t\r\n,", committed_in_);
  const std::size_t end = std::min(in_.find_first_of("]}\n", committed_in_), in_.size());
  if (begin >= end || in_.substr(begin).starts_with("REDACTED"))
    return;
  out_.append(in_, committed_in_, begin - committed_in_);
  out_ += context_.log.set("json-key", mask);
  committed_in_ = end;
}

bool json_pass::walk(key_class inherited) {
  if (!value(inherited))
    return false;
  while (!frames_.empty())
    if (!next_in_container())
      return false;
  return true;
}

bool json_pass::next_in_container() {
  auto& f = frames_.back();
  skip_space();
  if (peek() == (f.object ? '}' : ']')) {
    close();
    return true;
  }
  if (f.count > 0) {
    if (peek() != ',')
      return false;
    out_ += in_[pos_++];
    skip_space();
  }
  ++f.count;
  if (f.object && !member_key())
    return false;
  return value(judged_value());
}

bool json_pass::value(key_class judged) {
  switch (peek()) {
  case '{':
  case '[':
    return open(judged);
  case '"':
    return string_value(judged);
  case 't':
  case 'f':
  case 'n':
    return word_value();
  default:
    return number_value(judged);
  }
}

bool json_pass::open(key_class judged) {
  if (frames_.size() >= rules_.json_depth())
    return false;
  frame f;
  f.object = peek() == '{';
  f.begin = out_.size();
  f.session = f.object && judged == key_class::weak;
  if (!f.session && judged != key_class::vague)
    f.inherited = judged;
  // `tokens` by name: of a design, of a grammar, or secret ones, which look it.
  f.named_tokens = f.object && judged == key_class::plural;
  if (f.named_tokens)
    f.inherited = key_class::vague;
  if (frames_.empty())
    f.announced = announced_;
  else if (!f.object && frames_.back().object && frames_.back().list_member)
    f.announced = frames_.back().announced;
  if (!frames_.empty() && !frames_.back().object)
    frames_.back().member = key_class::plain;
  out_ += in_[pos_++];
  frames_.push_back(std::move(f));
  commit();
  return true;
}

void json_pass::close() {
  out_ += in_[pos_++];
  const frame f = std::move(frames_.back());
  frames_.pop_back();
  settle(f);
  note_value({f.begin, out_.size()});
  // `"target":{"name":"password"}` names the value beside it.
  if (f.object && !frames_.empty() && frames_.back().name_member)
    frames_.back().paired = std::max(frames_.back().paired, f.paired);
  commit();
}

bool json_pass::member_key() {
  if (peek() != '"' || !read_string())
    return false;
  judge_member(decoded_);
  emit_string();
  skip_space();
  if (peek() != ':')
    return false;
  out_ += in_[pos_++];
  skip_space();
  return true;
}

bool json_pass::string_value(key_class judged) {
  if (!read_string())
    return cut_off_ && cut_string(judged);
  const std::size_t begin = out_.size();
  const bool directory = !frames_.empty() && frames_.back().directory_member && is_path(decoded_) &&
                         decoded_.find('/', 1) != npos;
  const bool masked = !directory && masks_text(judged, decoded_);
  const std::string decoded = decoded_;
  if (masked)
    out_ += quoted_mask("json-key");
  else
    emit_string();
  const stretch written{begin, out_.size()};
  if (!masked)
    note_text(decoded, written);
  else if (!frames_.empty())
    frames_.back().member = key_class::plain;
  commit();
  return true;
}

/// A body that was cut off ends inside a string, often one that is itself a document: what is left
/// of it is handled like a whole one. The walk ends here.
bool json_pass::cut_string(key_class judged) {
  if (masks_text(judged, decoded_))
    out_ += quoted_mask("json-key");
  else
    emit_string();
  out_.pop_back();
  pos_ = in_.size();
  commit();
  return false;
}

bool json_pass::number_value(key_class judged) {
  const std::size_t begin = pos_;
  std::size_t p = pos_;
  const auto digits = [&] {
    const std::size_t first = p;
    while (p < in_.size() && is_digit(in_[p]))
      ++p;
    return p - first;
  };
  if (p < in_.size() && in_[p] == '-')
    ++p;
  const std::size_t first = p;
  const std::size_t whole = digits();
  if (whole == 0 || (whole > 1 && in_[first] == '0'))
    return false;
  if (p < in_.size() && in_[p] == '.') {
    ++p;
    if (digits() == 0)
      return false;
  }
  const bool exponent = p < in_.size() && (in_[p] == 'e' || in_[p] == 'E');
  if (exponent) {
    ++p;
    if (p < in_.size() && (in_[p] == '+' || in_[p] == '-'))
      ++p;
    if (digits() == 0)
      return false;
  }
  pos_ = p;
  const auto number = in_.substr(begin, p - begin);
  std::string shown{number};
  if (masks_number(judged, number))
    shown = context_.log.set("json-key", mask);
  else if (is_card_number(number) && whole == number.size())
    shown = context_.log.set("card", "[REDACTED:card]");
  else if (!rules_.of_user().empty())
    rules_.of_user().apply(shown, 0, context_.log);
  double parsed = 0;
  const bool huge =
      (exponent || number.size() > 300) &&
      std::from_chars(number.data(), number.data() + number.size(), parsed).ec != std::errc{};
  const std::size_t out_begin = out_.size();
  if (shown == number && !huge)
    out_ += number;
  else
    append_json_string(out_, shown);
  note_value({out_begin, out_.size()});
  commit();
  return true;
}

bool json_pass::word_value() {
  for (const std::string_view word : {"true", "false", "null"}) {
    if (in_.substr(pos_, word.size()) != word)
      continue;
    out_ += word;
    pos_ += word.size();
    if (!frames_.empty() && !frames_.back().object)
      frames_.back().member = key_class::plain;
    commit();
    return true;
  }
  return false;
}

key_class json_pass::judged_value() const {
  const auto& f = frames_.back();
  if (f.object && f.schema_member && f.member == key_class::plain)
    return f.paired != key_class::plain && f.value_member ? f.paired : key_class::plain;
  if (f.object)
    return std::max({f.inherited, f.member, f.value_member ? f.paired : key_class::plain});
  const std::size_t argument = f.count - 1 - f.announced_from;
  const auto announced = f.count > f.announced_from && argument < f.announced.size()
                             ? f.announced[argument]
                             : key_class::plain;
  return std::max({f.inherited, announced, f.certain ? f.member : key_class::plain});
}

void json_pass::judge_member(const std::string& key) {
  auto& f = frames_.back();
  f.member = classify_key(key);
  if (f.named_tokens && is_token_kind(key))
    f.member = key_class::plural;
  f.name_member = is_name_member(key);
  f.value_member = is_value_member(key);
  f.format_member = is_format_member(key);
  f.list_member = is_list_member(key);
  f.schema_member = f.inherited != key_class::plain && is_schema_member(key);
  f.key_part = is_key_part(key);
  f.directory_member = lowered(key).ends_with("pwd");
  f.web_key = f.web_key || key == "kty";
  if (f.session && (key == "id" || key == "key" || key == "value"))
    f.member = key_class::strong;
}

void json_pass::note_value(stretch written) {
  if (frames_.empty())
    return;
  auto& f = frames_.back();
  if (f.object && f.value_member && f.paired == key_class::plain)
    f.late.push_back(written);
  if (!f.object)
    f.member = key_class::plain;
}

void json_pass::note_text(const std::string& decoded, stretch written) {
  if (frames_.empty())
    return;
  auto& f = frames_.back();
  if (!f.object) {
    note_element(decoded, written);
    return;
  }
  if (f.key_part)
    f.key_parts.push_back(written);
  if (f.value_member && f.paired == key_class::plain && !decoded.empty())
    f.late.push_back(written);
  if (f.format_member && f.announced.empty())
    f.announced = announced_arguments(decoded);
  if (f.name_member && (is_name(decoded) || is_label(decoded)))
    f.paired = std::max(f.paired, classify_key(decoded));
  else if (f.name_member)
    f.paired = std::max(f.paired, classify_selector(decoded));
}

void json_pass::note_element(const std::string& decoded, stretch written) {
  auto& f = frames_.back();
  const bool announced = f.member != key_class::plain && !f.certain &&
                         (f.member != key_class::vague || looks_opaque(decoded));
  if (announced && is_plain_word(decoded)) {
    if (!is_prose_word(decoded) && !is_placeholder(decoded) &&
        classify_key(decoded) == key_class::plain)
      f.late.push_back(written);
  } else if (announced && !is_complaint(decoded) && !is_mark(decoded) &&
             !(f.label && decoded.find(' ') != npos)) {
    out_.replace(written.begin, written.end - written.begin, quoted_mask("json-pair"));
    f.member = key_class::plain;
    return;
  }
  if (auto arguments = announced_arguments(decoded); !arguments.empty()) {
    f.announced = std::move(arguments);
    f.announced_from = f.count;
    f.member = key_class::plain;
    return;
  }
  const auto next = announced_by(decoded);
  f.member = next.judged;
  f.certain = next.certain;
  f.label = decoded.find(' ') != npos;
}

/// Masks what turned out to be secret only after it was written, from the back, so that offsets
/// hold.
void json_pass::settle(const frame& f) {
  if (f.web_key) {
    cover_late(f.key_parts, "json-web-key");
    return;
  }
  const bool secret = f.object ? f.paired > key_class::vague : f.count <= 2;
  if (secret)
    cover_late(f.late, "json-pair");
}

void json_pass::cover_late(const std::vector<stretch>& late, std::string_view rule) {
  for (auto s = late.rbegin(); s != late.rend(); ++s)
    out_.replace(s->begin, s->end - s->begin, quoted_mask(rule));
}

/// Reads the string at `pos_` into `raw_` and `decoded_`; moves behind it.
bool json_pass::read_string() {
  const std::size_t begin = pos_ + 1;
  std::size_t p = begin;
  std::size_t plain = begin;
  decoded_.clear();
  repaired_ = false;
  cut_off_ = false;
  for (p = first_escaped(in_, p); p < in_.size() && in_[p] != '"'; p = first_escaped(in_, p)) {
    const auto c = static_cast<unsigned char>(in_[p]);
    if (c < 0x20)
      return false;
    if (c != '\\') {
      ++p;
      continue;
    }
    decoded_.append(in_, plain, p - plain);
    if (!read_escape(p)) {
      constexpr std::size_t longest_escape = 6;
      cut_off_ = p + longest_escape > in_.size();
      raw_ = in_.substr(begin);
      return false;
    }
    plain = p;
  }
  decoded_.append(in_, plain, p - plain);
  raw_ = in_.substr(begin, p - begin);
  cut_off_ = p >= in_.size();
  pos_ = p + 1;
  return !cut_off_;
}

/// Decodes the escape at `pos`, which is a backslash; moves behind it.
bool json_pass::read_escape(std::size_t& pos) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const auto unit_at = [&](std::size_t p) -> std::int32_t {
    if (p + 6 > in_.size() || in_[p] != '\\' || in_[p + 1] != 'u')
      return -1;
    std::int32_t unit = 0;
    for (std::size_t i = p + 2; i < p + 6; ++i) {
      if (hex_digit(in_[i]) < 0)
        return -1;
      unit = unit * 16 + hex_digit(in_[i]);
    }
    return unit;
  };
  if (pos + 1 >= in_.size())
    return false;
  if (const auto i = letters.find(in_[pos + 1]); i != std::string_view::npos) {
    decoded_ += meanings[i];
    pos += 2;
    return true;
  }
  const std::int32_t unit = unit_at(pos);
  if (unit < 0)
    return false;
  pos += 6;
  if (unit < 0xD800 || unit > 0xDFFF) {
    append_code_point(static_cast<std::uint32_t>(unit));
    return true;
  }
  const std::int32_t low = unit_at(pos);
  if (unit <= 0xDBFF && low >= 0xDC00 && low <= 0xDFFF) {
    append_code_point(0x10000U + ((static_cast<std::uint32_t>(unit) - 0xD800U) << 10U) +
                      (static_cast<std::uint32_t>(low) - 0xDC00U));
    pos += 6;
    return true;
  }
  repaired_ = true;
  append_code_point(0xFFFD);
  return true;
}

void json_pass::append_code_point(std::uint32_t c) {
  const auto add = [&](std::uint32_t byte) { decoded_ += static_cast<char>(byte); };
  const auto tail = [&](unsigned shift) { add(0x80U | ((c >> shift) & 0x3FU)); };
  if (c < 0x80) {
    add(c);
  } else if (c < 0x800) {
    add(0xC0U | (c >> 6U));
    tail(0);
  } else if (c < 0x10000) {
    add(0xE0U | (c >> 12U));
    tail(6);
    tail(0);
  } else {
    add(0xF0U | (c >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

/// Writes the string read last: as it was, unless something in it had to change.
void json_pass::emit_string() {
  std::string clean;
  bool changed = false;
  if (rules_.suspicious(decoded_)) {
    context_.clean_text(context_, decoded_, clean, levels_ > 0 ? levels_ - 1 : 0);
    if (care_ == string_care::presentable)
      context_.log.note_escapes(make_presentable(clean));
    changed = clean != decoded_;
  }
  if (changed) {
    append_json_string(out_, clean);
  } else if (repaired_ && care_ == string_care::presentable) {
    append_json_string(out_, decoded_);
  } else {
    out_ += '"';
    out_ += raw_;
    out_ += '"';
  }
}

void json_pass::skip_space() {
  while (pos_ < in_.size() && is_space(in_[pos_]))
    out_ += in_[pos_++];
}

void json_pass::commit() {
  committed_in_ = pos_;
  committed_out_ = out_.size();
}

} // namespace gasoline::redaction
