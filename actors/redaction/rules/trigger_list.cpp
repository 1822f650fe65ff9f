#include "actors/redaction/rules/trigger_list.hpp"

#include "actors/redaction/rules/rules.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace gasoline::redaction {
namespace {

std::string repeated(std::string_view unit, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i)
    out += unit;
  return out;
}

/// A trigger with blanks as it stands in a percent-encoded text; empty: it has none.
std::string percent_encoded_blanks(std::string_view pattern) {
  std::string out;
  for (const char c : pattern)
    out += c == ' ' ? std::string{"%20"} : std::string{c};
  const bool literal = pattern.find_first_of("[\\") == std::string_view::npos;
  return literal && out.size() > pattern.size() ? out : std::string{};
}

/// Fewer bytes make fewer states, and enough of a word tells it.
std::string_view ending_of(std::string_view name) {
  constexpr std::size_t enough = 7;
  return name.substr(name.size() - std::min(name.size(), enough));
}

std::string beginning_of(std::string_view pattern) {
  constexpr std::size_t enough = 8;
  const bool literal = pattern.find_first_of("[\\") == std::string_view::npos;
  return std::string{literal ? pattern.substr(0, enough) : pattern};
}

class trigger_list {
 public:
  trigger_list() {
    add_keys();
    add_shapes();
    add_numbers();
    add_structure();
    add_hygiene();
  }

  std::vector<trigger> take() { return std::move(triggers_); }

 private:
  /// What may follow a word for it to be a key: separators, closing quotes, an escape.
  static constexpr std::string_view key_end = "[=:\"'`\\\\%>&\\]\\[]";

  trigger& add(std::string pattern, trigger_kind kind, trigger_use use = trigger_use::both) {
    trigger t;
    t.pattern = std::move(pattern);
    t.kind = kind;
    t.use = use;
    return triggers_.emplace_back(std::move(t));
  }

  trigger& add_key(std::string pattern, std::uint8_t after = 0) {
    auto& t = add(std::move(pattern), trigger_kind::key);
    t.any_case = true;
    t.after = after;
    return t;
  }

  /// A key of two words, joined or apart.
  void add_pair(const std::string& first, const std::string& second) {
    add_key(first + second);
    add_key(first + "[ _.\\-]" + second);
  }

  void add_keys() {
    for (const char* word :
         {"passw",      "passphrase",  "passcode",     "passkey",       "pwd",         "secret",
          "token",      "credential",  "cookie",       "authorization", "sessid",      "motdepasse",
          "contrasena", "mnemonic",    "samlre",       "cvv",           "cvc",         "totp",
          "kennwort",   "wachtwoord",  "senord",       "passord",       "adgangskode", "salasana",
          "lozinka",    "jelszo",      "requirepass",  "masterauth",    "storepass",   "keypass",
          "bindpw",     "sonar.login", "codeverifier", "code_verifier", "verifier",    "psw",
          "pswd",       "psswd",       "pswrd",        "pasw",          "passowrd",    "pword",
          "unseal key", "community",   "onkey"})
      add_key(word);
    for (const char* word : {"session",   "auth",      "pin",    "pass",   "sid",   "otp",   "ssn",
                             "jwt",       "csrf",      "xsrf",   "bearer", "code",  "key",   "sig",
                             "signature", "assertion", "ticket", "pw",     "salt",  "clave", "psk",
                             "senha",     "heslo",     "parola", "sifre",  "haslo", "answer"})
      add_key(std::string{word}.append(key_end), 1);
    for (const char* word :
         {"auth", "pin", "pass", "sid", "pw", "otp", "key", "senha", "heslo", "parola", "salt"})
      add_key(std::string{word} + " [:=]", 2);
    add_key("-pass ", 1);
    add_key("mot[ _.\\-]de[ _.\\-]passe");
    add_key("palavra[ _.\\-]passe");
    add_foreign_keys();
    for (const char* word : {"pin", "otp", "ssn"}) {
      add_key(std::string{word} + " \\d", 2);
      add_key(std::string{word} + " is", 3);
    }
    for (const char* word : {"api",         "access",
                             "private",     "encryption",
                             "signing",     "master",
                             "account",     "shared",
                             "session",     "auth",
                             "consumer",    "subscription",
                             "functions",   "hmac",
                             "aes",         "license",
                             "write",       "admin",
                             "service",     "app",
                             "application", "deploy",
                             "client",      "server",
                             "sentry",      "instrumentation",
                             "integration", "ingestion"})
      add_pair(word, "key");
    for (const char* word :
         {"security", "ation", "auth", "otp", "mfa", "fa", "recovery", "backup", "time"})
      add_pair(word, "code");
    for (const char* numbered : {"pass\\d", "pw\\d", "pass[_\\-]\\d", "mdp", "pat="})
      add_key(numbered, 1);
    add_key("_sk" + std::string{key_end}, 1);
    for (const char* again : {"passconf", "passrep", "passver", "pass[_\\-]conf", "pass[_\\-]rep",
                              "pass[_\\-]ver", "rootpw", "bind_pw"})
      add_key(again);
    for (const char* word : {"pw", "pin", "otp", "pass"})
      add_key(std::string{word} + "  ", 2);
    add_key("sessions[\"\\\\%]", 1);
    add_key("session/", 1);
    add_key("sessionstor");
    for (const char* operation : {"pass [|?]", "_key [|?]"})
      add_key(operation, 2);
    add_key("hmac" + std::string{key_end}, 1);
    for (const char* word : {"pin", "otp", "pw", "pass", "ssn", "jwt", "psk", "sid"})
      add_key(std::string{word} + "[,\t|;\n]", 1);
    for (const char* word : {"pw", "pin", "otp", "pass"})
      add_key(std::string{word} + " [%{$]", 2);
    add_pair("secret", "key");
    for (const char* word : {"pin", "otp", "pw"})
      add_key(std::string{word} + " [|\xE2]", 2);
    add_pair("session", "id");
    add_pair("card", "number");
    add_pair("security", "number");
    add_pair("seed", "phrase");
    add_pair("recovery", "phrase");
    add_key("-signature");
    for (const char* reference : {"&#[6-9]\\d", "&#1[012]\\d", "&#x[4-7]"})
      add(reference, trigger_kind::encoded_key).any_case = true;
    for (const char* letter : {"%[46][1-9a-f]", "%[57][0-9a]", "%3\\d", "%5f", "%2d", "%2e"})
      add(letter, trigger_kind::encoded_key).any_case = true;
  }

  /// Keys with letters outside ASCII. The judge of keys knows the words.
  void add_foreign_keys() {
    const std::string tail = "[\x80-\xBF]";
    const std::string letter = "[\xC0-\xDF]" + tail;
    add_key("contrase" + letter + "a");
    add_key("has" + letter + "o");
    add_key("ifre[:=\"'\\\\ ]", 1);
    add_key(tail + "[:=]", 1);
    add_key(tail + " [:=]", 2);
    add_key(tail + "[\"'`]:", 2);
    add_key(tail + "\\\\[\"']:", 3);
    add_key(tail + "\xEF\xBC\x9A", 3);
  }

  void add_shape(std::string_view pattern, std::uint16_t shape) {
    add(beginning_of(pattern), trigger_kind::token).shape = shape;
    // The value of a JSON string has nothing in front of it once it is read.
    constexpr std::string_view lead = "[ =:\"'`]";
    if (pattern.starts_with(lead))
      add(std::string{pattern.substr(lead.size())}, trigger_kind::token, trigger_use::scan).shape =
          shape;
    // Decoding would show it, once the text is looked at at all.
    if (const auto encoded = percent_encoded_blanks(beginning_of(pattern)); !encoded.empty())
      add(encoded, trigger_kind::hygiene, trigger_use::filter);
  }

  void add_shapes() {
    std::uint16_t index = 0;
    for (const auto& shape : token_shapes())
      add_shape(shape.trigger, index++);
    add("bearer[ \t%+:=]", trigger_kind::bearer).any_case = true;
    add("basic[ \t%+:=]", trigger_kind::basic).any_case = true;
    add("sk-", trigger_kind::model_key);
    add("eyJ", trigger_kind::jwt);
    add("-----BEGIN ", trigger_kind::private_key);
    add("-----BEGIN%20", trigger_kind::hygiene, trigger_use::filter);
    add("---- BEGIN ", trigger_kind::private_key);
  }

  void add_numbers() {
    const std::string four = "\\d\\d\\d\\d";
    for (const auto& number : {"[2-6]" + repeated("\\d", 13), "4" + repeated("\\d", 12),
                               "[2-6]\\d\\d\\d" + repeated("[ \\-+_\t]" + four, 2),
                               "3\\d\\d\\d[ \\-+_\t]\\d\\d" + four + "[ \\-+_\t]\\d",
                               "[2-6]\\d\\d\\d" + repeated("\\." + four, 2)})
      add("[^0-9.]" + number, trigger_kind::card).before = 1;
    for (const char* gap :
         {"%20", "\xC2\xA0", "%[Cc]2%[Aa]0", "&nbsp;", "&#160;", "\xE2\x80[\x80-\x8F\xA0-\xAF]",
          "\xE2\x81\x9F", "\xE3\x80\x80", "  ", "\\\\u00[aA]0"}) {
      add("[^0-9.][2-6]\\d\\d\\d" + std::string{gap} + "\\d\\d", trigger_kind::card).before = 1;
    }
    // Two letters and two digits; then a group of four, often behind a gap.
    add("[^A-Za-z0-9][A-Z][A-Z]\\d\\d[A-Z0-9 %\\-\xC2]", trigger_kind::account_number).before = 1;
    add("[^0-9]\\d\\d\\d-\\d\\d-" + four, trigger_kind::social_number).before = 1;
  }

  void add_structure() {
    add("://", trigger_kind::url, trigger_use::scan);
    add(":\\\\/\\\\/", trigger_kind::url, trigger_use::scan);
    add("%3a%2f%2f", trigger_kind::url).any_case = true;
    add("@tcp(", trigger_kind::dsn);
    add("@unix(", trigger_kind::dsn);
    add(" --user[ =]", trigger_kind::command_user);
    for (const char* flag : {" --proxy-user[ =]", " --auth ", " --basic-auth[ =]", " --login[ =]"})
      add(flag, trigger_kind::command_user);
    add(" -[awkpuPUAXN][^\\-]", trigger_kind::command_flag).after = 1;
    std::uint16_t number = 0;
    for (const auto& each : password_programs())
      add(std::string{each.name}, trigger_kind::command, trigger_use::scan).shape = number++;
    for (const char* pipe : {"--password-stdin", "| sudo -S", "| chpasswd", "| base64", "| passwd"})
      add(pipe, trigger_kind::piped);
    for (const char* oracle :
         {"jdbc:oracle:", "sqlplus ", "expdp ", "impdp ", "sqlldr ", "userid="})
      add(oracle, trigger_kind::oracle).any_case = true;
    add("@//", trigger_kind::oracle_host);
    for (const char* call :
         {"signin(", "sign_in(", "login(", "log_in(", "authenticate(", "andpassword("})
      add(call, trigger_kind::login_call).any_case = true;
    add("basicauth(", trigger_kind::login_call).any_case = true;
    for (const char* call : {"getconnection(", "mysqli_connect(", "mysql_connect("}) {
      auto& t = add(call, trigger_kind::login_call);
      t.any_case = true;
      t.shape = 1;
    }
    number = 0;
    for (const auto& each : secret_calls()) {
      auto& t = add(std::string{ending_of(each.name)}, trigger_kind::secret_call);
      t.any_case = true;
      t.shape = number++;
    }
    for (const char* document :
         {"ewog", "ewoJ", "eyAi", "ew0K", "W3si", "WyJ", "ZXlK", "eyIi", "WwogI"})
      add(document, trigger_kind::base64);
    add("%\\d[0-9a-f]", trigger_kind::encoded_stretch, trigger_use::scan).any_case = true;
    add("%[a-f][0-9a-f]", trigger_kind::encoded_stretch, trigger_use::scan).any_case = true;
    add("%3[aA]\\d\\d\\d\\d%3[aA]", trigger_kind::hygiene, trigger_use::filter);
    // Calls and flags that only decoding shows.
    add("[a-z]%28", trigger_kind::hygiene, trigger_use::filter).any_case = true;
    add("%20-[a-z]", trigger_kind::hygiene, trigger_use::filter).any_case = true;
    add("%24[1256y]", trigger_kind::hygiene, trigger_use::filter);
    add("%24a[pr]", trigger_kind::hygiene, trigger_use::filter);
    add("kind: Secret", trigger_kind::hygiene, trigger_use::filter);
    add("\"Secret[\"\\\\]", trigger_kind::hygiene, trigger_use::filter);
    add("ocket-protocol", trigger_kind::sub_protocol).any_case = true;
    add("websocket(", trigger_kind::sub_protocol).any_case = true;
    add_key("oauth[\"\\\\]", 1);
    for (const char* lead : {".bearer.", ".token.", "-token.", "-api-key."})
      add(lead, trigger_kind::dotted_token).any_case = true;
    add(":\\d\\d\\d\\d:[a-z*_]", trigger_kind::password_line).after = 7;
    add(":*:[a-z*_]", trigger_kind::password_line).after = 4;
    for (const char* list : {"chpasswd", "newusers"})
      add(list, trigger_kind::user_list);
    for (const char* words :
         {"uthenticator", "etup key", "et-up key", "etup code", "anual entry", "wo-factor", "2FA",
          "2fa", "TOTP", "key manually", "an't scan", "annot scan", "nable to scan"})
      add(words, trigger_kind::setup_key);
    add("[{\\[]", trigger_kind::json, trigger_use::scan);
    add(".", trigger_kind::dotted, trigger_use::scan);
    add("@", trigger_kind::hygiene, trigger_use::filter);
    // A connection string that was cut off has no `@` any more.
    for (const auto scheme : server_schemes())
      add(std::string{scheme} + "://", trigger_kind::hygiene, trigger_use::filter).any_case = true;
    add("\"kty", trigger_kind::hygiene, trigger_use::filter);
  }

  void add_hygiene() {
    const std::string controls{"[\x00-\x08\x0B\x0C\x0E-\x1F\x7F]", 11};
    for (const auto& pattern :
         {controls, std::string{"\xE2\x80[\x8B\x8E\x8F\xA8-\xAE]"},
          std::string{"\xE2\x81[\xA0-\xAF]"}, std::string{"\xD8\x9C"},
          std::string{"\xC2[\x80-\x9F\xAD]"}, std::string{"\xCD\x8F"},
          // Rare blocks that hold one of them; the careful pass looks at each character.
          std::string{"\xE1[\x85\x9E\xA0]"}, std::string{"\xE3\x85"},
          std::string{"\xEF[\xBB\xBE\xBF]"}, std::string{"\xF0[\x9B\x9D]"}, std::string{"\xF3\xA0"},
          std::string{"\\\\u"}, std::string{":\\\\"}})
      add(pattern, trigger_kind::hygiene, trigger_use::filter);
  }

  std::vector<trigger> triggers_;
};

} // namespace

std::vector<trigger> built_in_trigger_list() {
  return trigger_list{}.take();
}

} // namespace gasoline::redaction
