#include "actors/redaction/rules/rules.hpp"

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/words.hpp"
#include "messages/base/encoding/hex.hpp"
#include "messages/base/encoding/percent_encoding.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <string>

namespace gasoline::redaction {
namespace {

char lower(char c) {
  return is_upper(c) ? static_cast<char>(c + 32) : c;
}

/// `p&#97;ss`: character references of printable ASCII.
std::string references_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto end = text.substr(i, 2) == "&#" ? text.substr(0, i + 8).find(';', i) : npos;
    int code = 0;
    if (end != npos) {
      const bool hexadecimal = lower(text[i + 2]) == 'x';
      for (std::size_t p = i + (hexadecimal ? 3 : 2); p < end && code >= 0; ++p)
        code = hex_digit(text[p]) < 0 ? -1 : code * (hexadecimal ? 16 : 10) + hex_digit(text[p]);
    }
    if (code < 0x20 || code > 0x7E) {
      out += text[i];
      continue;
    }
    out += static_cast<char>(code);
    i = end;
  }
  return out;
}

/// The name without what says which of several it is: `code[0]`, `.key`, `sig[]`.
std::string_view without_index(std::string_view name) {
  while (name.ends_with(']')) {
    const auto open = name.rfind('[');
    if (open == npos || open == 0)
      break;
    name = name.substr(0, open);
  }
  while (name.size() > 1 && any_of(name.front(), "._-["))
    name.remove_prefix(1);
  while (name.size() > 1 && any_of(name.back(), "._-]"))
    name.remove_suffix(1);
  return name;
}

/// The words of a key in lower case, without what stood between them; long keys lose their front.
class key_words {
 public:
  explicit key_words(std::string_view key) {
    if (key.size() > text_.size())
      key.remove_prefix(key.size() - text_.size());
    for (std::size_t i = 0; i < key.size(); ++i) {
      if (!is_any_letter(key[i]) && !is_digit(key[i])) {
        open_ = false;
        continue;
      }
      if (!open_ || breaks(key, i))
        starts_[count_++] = static_cast<std::uint8_t>(size_);
      open_ = true;
      text_[size_++] = lower(key[i]);
    }
    drop_tail();
  }

  std::size_t count() const { return count_; }

  /// The last `n` words without anything between them; `n` from 1 to `count()`.
  std::string_view last(std::size_t n) const {
    const std::size_t begin = starts_[count_ - n];
    return {text_.data() + begin, size_ - begin};
  }

 private:
  static bool breaks(std::string_view key, std::size_t i) {
    const char previous = key[i - 1];
    if (is_digit(previous) != is_digit(key[i]))
      return true;
    if (!is_upper(key[i]))
      return false;
    return is_lower(previous) || (i + 1 < key.size() && is_lower(key[i + 1]));
  }

  /// Drops words that say something about the value but do not change what it is.
  void drop_tail() {
    while (count_ > 1 && (tail_words().has(last(1)) || is_digit(last(1).front()))) {
      size_ = starts_[count_ - 1];
      --count_;
    }
  }

  // Only what has been written is read, and filling them takes longer than all the rest.
  std::array<char, 96> text_;
  std::array<std::uint8_t, 96> starts_;
  std::size_t size_ = 0;
  std::size_t count_ = 0;
  bool open_ = false;
};

bool is_signature_header(std::string_view key, const key_words& words) {
  return words.count() > 1 && words.last(1) == "signature" &&
         key.find('-') != std::string_view::npos;
}

/// `STRIPE_KEY`, `STRIPE_SK`, `openaiKey`: a credential is called so, after whom it is for.
bool is_vendor_key(std::string_view key, const key_words& words) {
  if (words.count() < 2 || (words.last(1) != "key" && words.last(1) != "sk"))
    return false;
  const auto both = words.last(2);
  const auto owner = both.substr(0, both.size() - words.last(1).size());
  if (vendor_words().has(owner))
    return true;
  const bool capitals =
      std::none_of(key.begin(), key.end(), is_lower) && key.find('_') != std::string_view::npos;
  return capitals && !harmless_key_words().has(owner);
}

key_class classify(std::string_view key, const key_words& words) {
  const std::string_view word = words.last(1);
  if (harmless_endings().has_ending(words.last(std::min<std::size_t>(words.count(), 3))))
    return key_class::plain;
  if (strong_endings().has_ending(word))
    return key_class::strong;
  if (plural_endings().has_ending(word) ||
      (words.count() > 1 && plural_endings().has(words.last(2))))
    return key_class::plural;
  for (std::size_t n = 1; n <= std::min<std::size_t>(words.count(), 3); ++n)
    if (strong_names().has(words.last(n)))
      return key_class::strong;
  if (weak_names().has(word))
    return key_class::weak;
  return is_vendor_key(key, words) ? key_class::vague : key_class::plain;
}

} // namespace

key_class classify_key(std::string_view key) {
  const key_words words{key};
  if (words.count() == 0 || key.starts_with("[REDACTED"))
    return key_class::plain;
  if (is_signature_header(key, words))
    return key_class::strong;
  return classify(key, words);
}

key_class classify_parameter(std::string_view name) {
  const auto plain = references_decoded(percent_decoded_leniently(percent_decoded_leniently(name)));
  return parameter_names().has(lowered(without_index(plain))) ? key_class::strong
                                                              : classify_key(plain);
}

key_class classify_selector(std::string_view selector) {
  constexpr std::size_t longest_selector = 256;
  selector = selector.substr(0, longest_selector);
  key_class judged = key_class::plain;
  for (std::size_t p = 0; p < selector.size();) {
    const auto begin =
        std::find_if(selector.begin() + static_cast<std::ptrdiff_t>(p), selector.end(), is_word);
    const auto end = std::find_if_not(begin, selector.end(), is_word);
    judged = std::max(judged, classify_key({begin, end}));
    p = static_cast<std::size_t>(end - selector.begin());
  }
  return judged;
}

bool is_cookie_key(std::string_view key) {
  const key_words words{key};
  return words.count() > 0 && words.last(1).ends_with("cookie");
}

bool is_authorization_key(std::string_view key) {
  const key_words words{key};
  return words.count() > 0 && words.last(1).ends_with("authorization");
}

bool is_password_key(std::string_view key) {
  const key_words words{key};
  return words.count() > 0 &&
         (password_endings().has_ending(words.last(1)) ||
          password_endings().has(words.last(std::min<std::size_t>(words.count(), 3))));
}

bool is_token_key(std::string_view key) {
  const key_words words{key};
  return words.count() > 0 && words.last(1) == "token";
}

bool is_name_member(std::string_view key) {
  return name_members().has(lowered(key));
}

bool is_value_member(std::string_view key) {
  return value_members().has(lowered(key));
}

bool is_token_kind(std::string_view key) {
  static const word_list kinds{"access refresh id csrf xsrf auth api bearer session jwt user admin "
                               "client server bot deploy github gitlab slack npm"};
  return kinds.has(lowered(key));
}

bool is_schema_member(std::string_view key) {
  return schema_members().has(lowered(key));
}

bool is_format_member(std::string_view key) {
  return format_members().has(lowered(key));
}

bool is_list_member(std::string_view key) {
  return list_members().has(lowered(key));
}

std::span<const std::string_view> server_schemes() {
  return login_schemes().all();
}

} // namespace gasoline::redaction
