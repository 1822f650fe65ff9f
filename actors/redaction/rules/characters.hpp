#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline::redaction {

// Classes of ASCII characters and shapes of short texts, as the passes over text look at them.

inline constexpr auto npos = std::string_view::npos;

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

inline bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

inline bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

inline bool is_letter(char c) {
  return is_upper(c) || is_lower(c);
}

/// Letters of every script.
inline bool is_any_letter(char c) {
  return is_letter(c) || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

inline bool is_alnum(char c) {
  return is_digit(c) || is_letter(c);
}

inline bool is_word(char c) {
  return is_alnum(c) || c == '_' || c == '-';
}

inline bool is_name_char(char c) {
  return is_word(c) || c == '.';
}

inline bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

inline bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

inline bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

inline bool is_quote(char c) {
  return c == '"' || c == '\'' || c == '`';
}

inline bool any_of(char c, std::string_view set) {
  return set.find(c) != npos;
}

/// Whether a name without a dot counts as a host.
enum class host_names : std::uint8_t { bare, dotted };

/// Whether there are only digits, at least one.
bool all_digits(std::string_view text);

/// Whether any character is a digit.
bool has_digit(std::string_view text);

/// ASCII letters in lower case.
std::string lowered(std::string_view text);

/// Whether the texts are equal but for the case of ASCII letters.
bool same_letters(std::string_view text, std::string_view lower);

/// Something to hide: a letter, digit or character outside ASCII, or a run of signs.
bool has_substance(std::string_view text);

/// `getToken()`, `await(`: code, not a value.
bool is_call(std::string_view text);

/// Whether it begins as a path of a file.
bool is_path(std::string_view text);

/// Whether a list or statement goes on behind a comma or semicolon at the end of a value.
bool goes_on(std::string_view rest);

/// Whether another pair of a query follows behind `&`.
bool pair_follows(std::string_view rest);

/// Cuts brackets and list signs off the end that the value did not open itself.
std::size_t without_closers(std::string_view text);

/// Whether a host begins the text: `db.test:5432/…`, `localhost`, `[::1]`, `10.0.0.1`.
bool is_host(std::string_view rest, host_names wanted);

/// Whether `host:port` is all that stands before the path.
bool is_host_and_port(std::string_view authority);

/// Whether what follows the colon of a host can be a port, or something other than a password.
bool is_port(std::string_view text);

/// Whether the authority of a URL has no `@` and no port, only a colon: it was cut off.
bool is_cut_authority(std::string_view rest);

/// The longest run of letters and digits.
std::size_t longest_segment(std::string_view text);

} // namespace gasoline::redaction
