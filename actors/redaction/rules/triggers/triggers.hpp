#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gasoline::redaction {

/// What a trigger makes the text pass look for.
enum class trigger_kind : std::uint8_t {
  key,             ///< a key name; the value follows
  token,           ///< a token of known shape; `token_shapes()[shape]`
  bearer,          ///< `Bearer x`
  basic,           ///< `Basic x`
  model_key,       ///< `sk-…`
  jwt,             ///< `eyJ…`
  private_key,     ///< PEM
  card,            ///< a payment card number
  social_number,   ///< a US social security number
  encoded_key,     ///< a parameter name that hides letters behind percent signs
  dsn,             ///< `user:password@tcp(host)`
  command_user,    ///< `--user user:password`
  command,         ///< a program that takes a password; `password_programs()[shape]`
  command_flag,    ///< `-p`, which such a program may take for it
  piped,           ///< a program that reads a password that is echoed to it
  oracle,          ///< `jdbc:oracle:thin:user/password@host`
  oracle_host,     ///< `user/password@//host`
  login_call,      ///< `signIn("user", "password")`
  secret_call,     ///< `createHmac('sha256', 'key')`; `secret_calls()[shape]`
  base64,          ///< base64 of an object or array
  encoded_stretch, ///< a percent-encoded byte
  password_line,   ///< `host:5432:db:user:password`
  user_list,       ///< a program that reads lines of `user:password`
  account_number,  ///< an IBAN
  sub_protocol,    ///< a list of sub-protocols, one of which may be a token
  dotted_token,    ///< `authorization.bearer.x`
  setup_key,       ///< words in front of the key of an authenticator
  url,             ///< `scheme://`, where a password may follow
  json,            ///< an object or array in running text
  dotted,          ///< a dot that may be inside a three-part bot token
  hygiene          ///< characters that text must not hold, escapes that may hide something
};

/// Which scans a trigger takes part in.
enum class trigger_use : std::uint8_t {
  both,
  filter, ///< sends a text to the careful passes, which find the rest by other triggers
  scan    ///< too common to send a text to the careful passes by itself
};

/// What follows from a trigger that was found.
struct trigger_effect {
  trigger_kind kind = trigger_kind::key;
  trigger_use use = trigger_use::both;
  std::uint8_t before = 0; ///< leading positions that are not part of what was found
  std::uint8_t after = 0;  ///< trailing positions that are not part of what was found
  std::uint16_t shape = 0; ///< index into `token_shapes()` or `password_programs()`; for a call,
                           ///< how many arguments stand before the user
};

/// A short sequence of byte classes that must be in a text for a rule to apply. In the pattern
/// `[abc]`, `[^abc]`, `[a-z]` and `\d` are classes, `\` quotes; lower-case letters match both cases
/// when `any_case`.
struct trigger : trigger_effect {
  std::string pattern;
  bool any_case = false;
};

/// A token of known shape.
struct token_shape {
  std::string_view kind;    ///< shown in `[REDACTED:kind]`
  std::string_view trigger; ///< pattern of a trigger; the shape starts with it
  std::string_view shape;   ///< RE2; the first group, if any, is kept
  std::size_t lead = 0;     ///< letters and digits in front of the trigger that belong to the token
};

/// How a program takes a password on its command line.
struct password_program {
  enum class spelling : std::uint8_t { glued, apart, any };
  enum class part : std::uint8_t { whole, after_colon, after_percent };

  std::string_view name; ///< begins the name of the program, or is its command
  std::string_view flags;
  spelling spelled = spelling::any;
  part secret = part::whole;
};

std::span<const password_program> password_programs();

/// A call one of whose arguments is a secret when it is a literal.
struct secret_call {
  enum class what : std::uint8_t {
    sure_key,   ///< any word is a key
    key,        ///< other functions are called so too: only what looks made by a machine
    password,   ///< any word
    after_colon ///< what follows the colon in `user:password`
  };

  std::string_view name;  ///< lower case, with the opening bracket
  std::uint8_t first = 1; ///< the arguments that are looked at, counted from 1
  std::uint8_t last = 1;
  what part = what::key;
  bool alone = false; ///< a single argument is taken too
};

std::span<const secret_call> secret_calls();

std::span<const token_shape> token_shapes();

} // namespace gasoline::redaction
