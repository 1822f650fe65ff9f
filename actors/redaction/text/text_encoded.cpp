#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"
#include "messages/base/encoding/base64.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>

namespace gasoline::redaction {
namespace {

/// How much of an encoded document is decoded.
constexpr std::size_t longest_encoded = 65'536;
/// Shorter base64 holds no secret with its name.
constexpr std::size_t shortest_base64 = 20;

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

/// The UTF-8 of the beginning of a text, without a character that was cut.
std::string_view whole_characters(std::string_view text) {
  for (std::size_t cut = 0; cut < 4 && cut < text.size(); ++cut)
    if (is_utf8(text.substr(0, text.size() - cut)))
      return text.substr(0, text.size() - cut);
  return {};
}

/// A percent-encoded stretch with what is needed to write it again.
struct percent_stretch {
  std::string decoded;
  std::array<bool, 256> escaped{}; ///< bytes that were written as escapes
  bool plus_is_space = false;
  bool lower_hex = false;

  explicit percent_stretch(std::string_view text)
      : plus_is_space(text.find("%20") == npos && text.find('+') != npos) {
    for (std::size_t p = 0; p < text.size(); ++p) {
      if (!is_percent_escape(text, p)) {
        decoded += text[p] == '+' && plus_is_space ? ' ' : text[p];
        continue;
      }
      const auto byte = static_cast<unsigned char>(percent_escape_byte(text, p));
      escaped[byte] = true;
      lower_hex = lower_hex || (text[p + 1] >= 'a') || (text[p + 2] >= 'a');
      decoded += static_cast<char>(byte);
      p += 2;
    }
  }

  bool hides_letters() const {
    for (std::size_t b = 0; b < 0x80; ++b)
      if (escaped[b] && is_alnum(static_cast<char>(b)))
        return true;
    return false;
  }

  /// The text as it was written; masks stay readable.
  std::string encoded(std::string_view text) const {
    const std::string_view digits = lower_hex ? "0123456789abcdef" : "0123456789ABCDEF";
    std::string out;
    for (std::size_t p = 0; p < text.size(); ++p) {
      if (text.substr(p, 9) == "[REDACTED") {
        const auto end = std::min(text.find(']', p), text.size() - 1);
        out += text.substr(p, end + 1 - p);
        p = end;
        continue;
      }
      const auto byte = static_cast<unsigned char>(text[p]);
      if (text[p] == ' ' && plus_is_space) {
        out += '+';
      } else if (escaped[byte]) {
        out += '%';
        out += digits[byte >> 4U];
        out += digits[byte & 0xFU];
      } else {
        out += text[p];
      }
    }
    return out;
  }
};

} // namespace

/// `eyJ…`: base64 of JSON in which there is a secret; all of it is masked.
bool text_pass::base64_document(std::size_t begin) {
  if (begin < no_base64_ || levels_ == 0 || !starts_word(begin))
    return false;
  std::size_t end = begin;
  while (end < in_.size() && end - begin < longest_encoded && base64_digit(in_[end]) >= 0)
    ++end;
  no_base64_ = end;
  if (end - begin < shortest_base64)
    return false;
  const auto decoded = base64_decoded(in_.substr(begin, end - begin)).value_or("");
  const auto text = whole_characters(decoded);
  const auto inside = text.find_first_not_of(" \t\r\n", 1);
  const bool document =
      !text.empty() && inside != npos &&
      ((text[0] == '{' && text[inside] == '"') ||
       (text[0] == '[' && any_of(text[inside], "{[\"")) || text.starts_with("eyJ"));
  if (!document || !rules_.suspicious(text))
    return false;
  mask_log log;
  std::string clean;
  text_pass{{rules_, log, context_.clean_text}, text, clean, levels_ - 1}.run();
  if (log.counts().empty())
    return false;
  for (;;) {
    if (at(end) == '=')
      ++end;
    else if (lowered(in_.substr(end, 3)) == "%3d")
      end += 3;
    else
      break;
  }
  return cover(begin, end, "[REDACTED:base64-json]");
}

/// A percent-encoded text or document: judged after decoding, written again as it was.
bool text_pass::encoded_stretch(std::size_t escape) {
  if (escape < seen_stretch_ || levels_ == 0)
    return false;
  const auto outside = [](char c) {
    return is_space(c) || is_control(c) || any_of(c, "&#\"<>`\\");
  };
  std::size_t begin = escape;
  while (begin > last_ && escape - begin < longest_encoded && !outside(in_[begin - 1]) &&
         !any_of(in_[begin - 1], "=?"))
    --begin;
  std::size_t end = escape;
  while (end < in_.size() && end - begin < longest_encoded && !outside(in_[end]))
    ++end;
  seen_stretch_ = end;
  const percent_stretch stretch{in_.substr(begin, end - begin)};
  if (stretch.hides_letters() || !is_utf8(stretch.decoded) || !rules_.suspicious(stretch.decoded))
    return false;
  mask_log log;
  std::string clean;
  text_pass{{rules_, log, context_.clean_text}, stretch.decoded, clean, levels_ - 1}.run();
  // What was masked before is not looked at again by rules that do not decode.
  if (log.counts().empty() && stretch.decoded.find("[REDACTED") != npos)
    seen_key_ = std::max(seen_key_, end);
  if (log.counts().empty())
    return false;
  for (const auto& [rule, count] : log.counts())
    for (std::uint64_t n = 0; n < count; ++n)
      context_.log.set(rule, mask);
  out_.append(in_, last_, begin - last_);
  out_ += stretch.encoded(clean);
  last_ = end;
  return true;
}

} // namespace gasoline::redaction
