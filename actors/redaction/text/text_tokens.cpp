#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/numbers.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>
#include <array>

namespace gasoline::redaction {
bool text_pass::known_shape(const trigger_effect& t, std::size_t begin) {
  const auto& shape = token_shapes()[t.shape];
  const bool whole = !shape.shape.starts_with('(') && !is_digit(in_[begin]);
  if (whole && (shape.lead > begin || !starts_word(begin - shape.lead)))
    return false;
  auto found = rules_.find_shape(t.shape, in_, begin);
  if (!found)
    return false;
  if ((shape.kind == "path-token" || shape.kind == "session-id") &&
      !looks_opaque(in_.substr(found->begin, found->end - found->begin)))
    return false;
  if (in_.substr(found->begin, 9) == "[REDACTED")
    return false;
  const bool number = is_digit(in_[begin]);
  while (number && found->begin > last_ && is_digit(in_[found->begin - 1]))
    --found->begin;
  const bool part_of_path = found->begin > begin;
  const bool bot_path = number && found->begin > 4 && in_.substr(found->begin - 4, 4) == "/bot";
  if (!part_of_path && !bot_path && !starts_word(found->begin))
    return false;
  return cover(found->begin, found->end, found->mask);
}

bool text_pass::scheme_credential(std::size_t begin, std::size_t end, const trigger_effect& t) {
  if (!starts_word(begin))
    return false;
  std::size_t value = end;
  if (in_[end - 1] == '%') {
    if (in_.substr(end, 2) != "20")
      return false;
    value += 2;
  }
  value = skip_blanks(value);
  std::size_t stop = value;
  while (stop < in_.size() && (is_word(in_[stop]) || any_of(in_[stop], "._~+/=%")))
    ++stop;
  while (stop > value && any_of(in_[stop - 1], ".%"))
    --stop;
  const auto text = in_.substr(value, stop - value);
  if (text.empty() || is_prose_word(text.substr(0, text.find('='))))
    return false;
  if (t.kind == trigger_kind::basic) {
    const bool padded = text.ends_with('=') && text.size() >= 8;
    return (padded || is_basic_credential(text)) && cover(value, stop, "[REDACTED:basic-auth]");
  }
  // "the bearer shall": a lower-case word in the middle of a sentence.
  const bool sentence =
      in_[begin] == 'b' && is_space(before(begin)) && begin > 1 && is_letter(in_[begin - 2]);
  const bool word =
      std::all_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  if (sentence && word)
    return false;
  return cover(value, stop, "[REDACTED:bearer-token]");
}

/// `sk-…` of model providers; style sheets have class names that begin alike.
bool text_pass::model_key(std::size_t begin) {
  if (begin < no_model_key_ || !starts_word(begin))
    return false;
  std::size_t end = begin + 3;
  while (end < in_.size() && is_word(in_[end]))
    ++end;
  no_model_key_ = end;
  const auto rest = in_.substr(begin + 3, end - begin - 3);
  const bool vendor = rest.starts_with("ant-") || rest.starts_with("proj-") ||
                      rest.starts_with("or-v") || rest.starts_with("svcacct-");
  const std::size_t longest = longest_segment(rest);
  const bool random = longest >= 16 || (rest.size() >= 20 && longest >= 8 && has_digit(rest));
  return (random || (vendor && rest.size() >= 12)) && cover(begin, end, "[REDACTED:api-key]");
}

bool text_pass::web_token(std::size_t begin) {
  if (begin < no_token_ || !starts_word(begin))
    return false;
  constexpr std::size_t shortest_part = 8;
  const auto part_end = [&](std::size_t p) {
    while (p < in_.size() && is_word(in_[p]))
      ++p;
    return p;
  };
  std::size_t end = part_end(begin);
  no_token_ = end;
  if (end - begin < shortest_part || at(end) != '.')
    return false;
  const std::size_t second = end + 1;
  end = part_end(second);
  if (end - second < shortest_part)
    return false;
  while (at(end) == '.' && is_word(at(end + 1)))
    end = part_end(end + 1);
  return cover(begin, end, "[REDACTED:jwt]");
}

bool text_pass::private_key(std::size_t begin) {
  const auto label = in_.substr(begin, name_reach);
  if (label.find("PRIVATE KEY") == npos)
    return false;
  const std::string_view ending = label.starts_with("-----") ? "-----END" : "---- END";
  const std::size_t end_line = no_pem_end_ ? npos : in_.find(ending, begin);
  std::size_t end = begin;
  if (end_line != npos) {
    const std::size_t dashes = in_.find("----", end_line + 8);
    end = dashes == npos ? in_.size() : in_.find_first_not_of('-', dashes);
    end = std::min(end, in_.size());
  } else {
    no_pem_end_ = true;
    while (end < in_.size() &&
           (is_alnum(in_[end]) || is_space(in_[end]) || any_of(in_[end], "+/=\\:,-_")))
      ++end;
  }
  return cover(begin, end, "[REDACTED:private-key]");
}

bool text_pass::card(std::size_t begin) {
  // On a magnetic stripe the number follows `%B`.
  const bool stripe = begin > 1 && in_.substr(begin - 2, 2) == "%B";
  if (is_alnum(before(begin)) && !stripe)
    return false;
  std::string digits;
  std::array<std::size_t, 5> groups{};
  std::size_t count = 0;
  std::size_t p = begin;
  const auto gap = in_.substr(begin + 4, gap_length(begin + 4));
  const bool grouped = !gap.empty();
  const bool dots = gap == ".";
  const auto fits = [&] {
    if (is_alnum(at(p)) || at(p) == '_' || (at(p) == '.' && !dots && is_digit(at(p + 1))))
      return false;
    if (!grouped)
      return true;
    const bool by_four = groups[0] == 4 && groups[1] == 4 && groups[2] == 4 && groups[3] == 4;
    const bool by_six = groups[0] == 4 && groups[1] == 6;
    return (by_four && (count == 4 || (count == 5 && groups[4] == 3))) || (by_six && count == 3);
  };
  while (count < groups.size()) {
    while (is_digit(at(p)) && digits.size() <= 19) {
      digits += in_[p++];
      ++groups[count];
    }
    ++count;
    if (fits() && is_card_number(digits))
      return cover(begin, p, "[REDACTED:card]");
    if (!grouped || in_.substr(p, gap.size()) != gap || !is_digit(at(p + gap.size())))
      return false;
    p += gap.size();
  }
  return false;
}

/// The length of what may stand between the groups of a long number, spelled in any way.
std::size_t text_pass::gap_length(std::size_t pos) const {
  if (in_.substr(pos, 2) == "  ")
    return 2;
  if (any_of(at(pos), " -.+_\t"))
    return 1;
  for (const std::string_view gap : {"%20", "%C2%A0", "%c2%a0", "\xC2\xA0", "\xE2\x81\x9F",
                                     "\xE3\x80\x80", "&nbsp;", "&#160;", "\\u00a0", "\\u00A0"})
    if (in_.substr(pos, gap.size()) == gap)
      return gap.size();
  const bool space =
      in_.substr(pos, 2) == "\xE2\x80" && at(pos + 2) <= '\xAF' && pos + 2 < in_.size();
  return space ? 3 : 0;
}

/// `GB29 NWBK 6016 1331 9268 19`: an account number with a valid check number.
bool text_pass::account_number(std::size_t begin) {
  constexpr std::size_t longest = 34;
  std::string compact;
  std::size_t p = begin;
  std::size_t end = begin;
  while (compact.size() < longest) {
    if (is_upper(at(p)) || is_digit(at(p))) {
      compact += in_[p++];
      if (const auto length = account_number_length(compact);
          compact.size() >= 4 && length == compact.size())
        end = p;
      if (end == p)
        break;
      continue;
    }
    const std::size_t gap = gap_length(p);
    if (gap == 0 || compact.size() < 4)
      break;
    p += gap;
  }
  if (end == begin || is_alnum(at(end)) || !is_account_number(compact))
    return false;
  return cover(begin, end, "[REDACTED:iban]");
}

/// `setup key in your authenticator app: JBSW Y3DP EHPK 3PXP`.
bool text_pass::setup_key(std::size_t behind) {
  constexpr std::size_t reach = 200;
  constexpr std::size_t shortest = 16;
  const std::size_t stop = std::min(in_.size(), behind + reach);
  const std::size_t start = std::max(last_, behind - std::min(behind, reach / 2));
  const auto is_base32 = [](char c) { return is_letter(c) || (c >= '2' && c <= '7'); };
  for (std::size_t p = start; p < stop; ++p) {
    if (is_word(before(p)) || !is_base32(in_[p]))
      continue;
    std::size_t end = p;
    std::size_t letters = 0;
    std::size_t groups = 0;
    const auto first = in_.find_first_not_of("234567 -", p);
    const bool small = first != npos && is_lower(in_[first]);
    for (std::size_t q = p;;) {
      std::size_t group = q;
      while (is_base32(at(group)) && (is_digit(at(group)) || is_lower(at(group)) == small))
        ++group;
      const std::size_t size = group - q;
      const bool single = groups == 0 && size >= shortest;
      if (is_word(at(group)) && at(group) != '-')
        break;
      if (!single && (size == 0 || size > 4 || (size < 4 && groups < 3)))
        break;
      letters += size;
      ++groups;
      end = group;
      if (single || size < 4 || !any_of(at(group), " -"))
        break;
      q = group + 1;
    }
    const auto text = in_.substr(p, end - p);
    const bool lower_case = std::any_of(text.begin(), text.end(), is_lower);
    const bool upper_case = std::any_of(text.begin(), text.end(), is_upper);
    if (letters >= shortest && lower_case != upper_case &&
        (has_digit(text) || (upper_case && groups > 1))) {
      rule_ = "setup-key";
      return cover(p, end, mask);
    }
    while (p + 1 < stop && is_word(in_[p + 1]))
      ++p;
  }
  return false;
}

/// `Sec-WebSocket-Protocol: chat, x`.
bool text_pass::sub_protocol(std::size_t behind) {
  constexpr std::size_t shortest = 20;
  std::size_t p = behind + quote_length(behind);
  const bool call = before(behind) == '(';
  if (!call && !any_of(at(skip_blanks(p)), ":,=>"))
    return false;
  const std::size_t stop = call ? std::min(in_.find(')', behind), in_.size())
                                : std::min(in_.size(), line_end(skip_blanks(p) + 1));
  if (call)
    p = std::min(in_.find(',', behind), stop);
  while (p < stop) {
    while (p < stop && !is_alnum(in_[p]))
      ++p;
    std::size_t end = p;
    while (end < stop && (is_word(in_[end]) || any_of(in_[end], "~+/=")))
      ++end;
    if (end - p >= shortest && looks_opaque(in_.substr(p, end - p)))
      plan(p, end, "sub-protocol");
    p = end + 1;
  }
  return false;
}

/// `authorization.bearer.x`, `base64url.bearer.authorization.k8s.io.x`.
bool text_pass::dotted_token(std::size_t begin) {
  constexpr std::size_t shortest = 20;
  std::size_t end = begin;
  std::size_t part = begin;
  for (; end < in_.size() && (is_word(in_[end]) || any_of(in_[end], ".~+/=")); ++end)
    if (in_[end] == '.' && end - part < shortest)
      part = end + 1;
  rule_ = "sub-protocol";
  return end - part >= shortest && looks_opaque(in_.substr(part, end - part)) &&
         cover(part, end, mask);
}

bool text_pass::social_number(std::size_t begin) {
  constexpr std::size_t length = 11;
  const auto text = in_.substr(begin, length);
  const auto joins = [](char c) { return is_word(c); };
  if (joins(before(begin)) || joins(at(begin + length)) || !is_social_security_number(text))
    return false;
  return cover(begin, begin + length, "[REDACTED:ssn]");
}

/// A parameter whose name hides letters behind percent signs: `pass%77ord=x`.
bool text_pass::encoded_key(std::size_t begin) {
  if (begin < seen_encoded_)
    return false;
  const bool reference = at(begin) == '&';
  const auto in_name = [&](char c) {
    return is_name_char(c) || any_of(c, reference ? "&#;" : "%[]");
  };
  key_at key;
  key.begin = begin;
  key.end = begin;
  while (key.begin > last_ && begin - key.begin < name_reach && in_name(in_[key.begin - 1]))
    --key.begin;
  while (key.end < in_.size() && key.end - begin < name_reach && in_name(in_[key.end]))
    ++key.end;
  seen_encoded_ = key.end;
  if (at(key.end) != '=' && !(reference && at(key.end) == ':'))
    return false;
  if (reference && in_[key.begin] == '&' && at(key.begin + 1) != '#')
    ++key.begin;
  key.name = in_.substr(key.begin, key.end - key.begin);
  key.judged = classify_parameter(key.name);
  return key.judged != key_class::plain && parameter_value(key, key.end + 1);
}

} // namespace gasoline::redaction
