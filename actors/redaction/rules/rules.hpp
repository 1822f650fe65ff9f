#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gasoline::redaction {

/// What a key says about its value, from harmless to certain.
enum class key_class : std::uint8_t {
  plain,  ///< the value is looked at for secrets of its own
  vague,  ///< named after a vendor (`STRIPE_KEY`): single words that look made by a machine
  weak,   ///< also an everyday word (`session`, `pin`): single values are masked, objects are not
  plural, ///< `tokens`: texts are masked, numbers are counts and stay
  strong  ///< everything below it is masked
};

/// What stands in place of a value of a sensitive key.
inline constexpr std::string_view mask = "[REDACTED]";

/// Judges a key of a document, a header, a variable or a query: `apiKey`, `X-Api-Key`, `api key`
/// and `MY_API_KEY` are one. Looks at the last words, so `token_count` is plain.
key_class classify_key(std::string_view key);

/// Judges a query or fragment parameter; stricter, since `code`, `key` and `sig` grant access
/// there. Letters behind percent signs and character references are read.
key_class classify_parameter(std::string_view name);

/// Judges the names in a selector of a page: `#login input[name="password"]`.
key_class classify_selector(std::string_view selector);

/// Whether the key holds a whole header of `a=b; c=d` pairs.
bool is_cookie_key(std::string_view key);
bool is_authorization_key(std::string_view key);
/// Whether any value of the key, an everyday word too, is taken for the secret (`password`).
bool is_password_key(std::string_view key);
/// Whether the key is the bare word `token` in some form, which parsers use too.
bool is_token_key(std::string_view key);

/// Members that name a value kept beside them: `{"name":"Authorization","value":"…"}`.
bool is_name_member(std::string_view key);
bool is_value_member(std::string_view key);

/// Kinds of tokens: `{"tokens":{"access":"…","refresh":"…"}}`.
bool is_token_kind(std::string_view key);

/// Members that describe a field instead of holding it: `{"type":"string","minLength":8}`.
bool is_schema_member(std::string_view key);
/// Members that hold a format string, and those that hold what goes into it.
bool is_format_member(std::string_view key);
bool is_list_member(std::string_view key);

/// Whether the whole text is a mask of ours.
bool is_mark(std::string_view text);
/// Whether somebody else has masked the value: `****`, `[FILTERED]`.
bool is_masked_by_others(std::string_view value);
/// Whether the value only says where it comes from: `${DB_PASSWORD}`, `{{ token }}`, `<password>`.
bool is_reference(std::string_view value);
/// Whether the value of a key in running text is no secret: a type, a placeholder, a mark of ours.
bool is_placeholder(std::string_view value);
/// Whether the value is the beginning of a sentence about the key: `password: must be …`.
bool is_prose_word(std::string_view value);
/// Whether all of a header's value but the name of its scheme is a placeholder: `Bearer ${token}`.
bool is_scheme_placeholder(std::string_view value);
/// Whether the whole value is a sentence of a validator: `must be at least 8 characters`.
bool is_complaint(std::string_view value);
/// Whether a single word looks made by a machine or chosen as a secret: letters and digits mixed.
bool looks_secret(std::string_view value);
/// The same for a word of which less is known: no version, no slug, no unit.
bool looks_opaque(std::string_view value);
/// Whether the value of a column of that name is masked.
bool is_secret_cell(std::string_view name, key_class judged, std::string_view value);
/// Whether the word names an algorithm: `sha256`, `aes-256-cbc`.
bool is_algorithm(std::string_view value);
/// Whether it is one directive of a format string: `%s`.
bool is_format_directive(std::string_view value);
/// Whether a word is the name of an authorization scheme; then the secret is what follows.
bool is_auth_scheme(std::string_view word);
/// Whether the scheme's credentials run to the end of the line.
bool is_parameter_scheme(std::string_view word);
/// Whether base64 text decodes to `user:password`.
bool is_basic_credential(std::string_view base64);

/// URL schemes (lower case) of servers that programs log in to.
std::span<const std::string_view> server_schemes();

} // namespace gasoline::redaction
