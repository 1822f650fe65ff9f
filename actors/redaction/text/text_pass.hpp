#pragma once

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/compiled_rules.hpp"
#include "actors/redaction/rules/rules.hpp"
#include "actors/redaction/rules/triggers/trigger_search.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// How far around a trigger a name is looked for.
inline constexpr std::size_t name_reach = 64;
/// How far around a trigger a tag or an encoded name is looked for.
inline constexpr std::size_t tag_reach = 256;

/// One walk over running text: finds key and value pairs, URLs, tokens of known shape and JSON,
/// and appends the text with masks to an output. Linear in the size of the text.
class text_pass {
 public:
  /// `levels`: how many levels of JSON may still be taken apart.
  text_pass(const pass_context& context, std::string_view in, std::string& out, std::size_t levels)
      : context_(context),
        rules_(context.rules),
        in_(in),
        out_(out),
        levels_(levels),
        segment_(out.size()) {}
  text_pass(const text_pass&) = delete;
  text_pass& operator=(const text_pass&) = delete;

  void run();

 private:
  /// A key in running text.
  struct key_at {
    std::size_t begin = 0;
    std::size_t end = 0;
    key_class judged = key_class::plain;
    bool parameter = false; ///< of a query or fragment
    bool encoded = false;   ///< inside a percent-encoded URL
    std::string_view name;
  };

  /// How a key is tied to its value.
  enum class binding : std::uint8_t { none, assign, colon, word, flag, argument };

  struct separator {
    binding kind = binding::none;
    std::size_t value = 0; ///< offset of the value, or of its opening quote
    bool spaced = false;   ///< space in front of the sign
  };

  /// A stretch that was found to be secret before the walk comes to it.
  struct planned_mask {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string_view rule;
  };

  static bool signed_to_key(binding kind) {
    return kind == binding::assign || kind == binding::colon;
  }

  bool apply(const found_trigger& found);
  bool apply(const trigger_effect& t, std::size_t begin, std::size_t end);
  bool cover(std::size_t begin, std::size_t end, std::string_view mask);
  void cover_planned();

  bool keyed_value(std::size_t begin, std::size_t end);
  std::size_t name_char_before(std::size_t end) const;
  key_at key_around(std::size_t begin, std::size_t end) const;
  bool opens_form(const key_at& key) const;
  separator separator_after(const key_at& key) const;
  bool bound_value(const key_at& key, const separator& sep);
  bool quoted_value(const key_at& key, const separator& sep, std::size_t quote);
  bool plain_value(const key_at& key, const separator& sep);
  bool parameter_value(const key_at& key, std::size_t value);
  bool authorization_value(std::size_t value);
  bool cookie_value(std::size_t value);
  bool block_value(std::size_t sign);
  bool appended_argument(std::size_t begin);
  bool announced_value(const key_at& key);
  bool is_stored(const key_at& key) const;
  bool neighbour_value(const key_at& key);
  bool typed_value(const key_at& key);
  bool inserted_values(const key_at& key);
  bool copied_values(const key_at& key);
  bool replied_value(const key_at& key);
  bool table_values(const key_at& key);
  bool html_table_values(const key_at& key);
  bool fallback_value(const key_at& key);
  bool default_argument(const key_at& key, std::size_t argument);
  bool named_default(const key_at& key, std::size_t literal);
  bool path_value(const key_at& key);
  bool action_payload(const key_at& key);
  bool csv_value(const key_at& key);
  bool code_list(const key_at& key);
  bool is_shortcut(const key_at& key) const;
  std::size_t behind_index(std::size_t pos) const;
  bool element_value(const key_at& key);
  bool element_pair(const key_at& key);
  bool form_part_value(const key_at& key);
  bool tag_value(const key_at& key);
  bool is_masked_plain(const key_at& key, const separator& sep, std::string_view value) const;
  bool is_parser_talk(const key_at& key) const;

  bool scheme_credential(std::size_t begin, std::size_t end, const trigger_effect& t);
  bool model_key(std::size_t begin);
  bool web_token(std::size_t begin);
  bool private_key(std::size_t begin);
  bool card(std::size_t begin);
  bool social_number(std::size_t begin);
  bool encoded_key(std::size_t begin);
  bool driver_password(std::size_t at);
  bool command(const trigger_effect& t, std::size_t begin);
  bool flag_password(std::size_t letter);
  bool command_password(std::size_t value);
  bool piped_password(std::size_t begin);
  bool oracle_password(std::size_t value);
  bool oracle_host(std::size_t sign);
  bool call_password(std::size_t argument, std::size_t skipped);
  bool secret_argument(const trigger_effect& t, std::size_t open);
  bool base64_document(std::size_t begin);
  bool encoded_stretch(std::size_t escape);
  bool password_line(std::size_t port);
  bool user_list(std::size_t behind);
  bool account_number(std::size_t begin);
  bool setup_key(std::size_t behind);
  bool sub_protocol(std::size_t behind);
  bool dotted_token(std::size_t begin);
  void plan_secrets();
  void plan_setting(std::size_t begin, std::size_t end);
  void plan(std::size_t begin, std::size_t end, std::string_view rule);
  bool url_password(std::size_t sign, std::size_t end);
  bool formatted_password(std::size_t directive, std::size_t url_end);
  bool cut_password(std::size_t authority, std::size_t end);
  bool encoded_url_password(std::size_t begin);
  bool known_shape(const trigger_effect& t, std::size_t begin);
  bool json(std::size_t begin, key_class inherited);
  bool is_subscript(std::size_t bracket) const;
  std::vector<key_class> announced_list(std::size_t bracket) const;

  char at(std::size_t pos) const { return pos < in_.size() ? in_[pos] : '\0'; }
  char before(std::size_t pos) const { return pos > 0 ? in_[pos - 1] : ' '; }
  bool opens_element(std::size_t name) const;
  bool starts_word(std::size_t pos) const;
  bool follows_ansi_code(std::size_t pos) const;
  std::size_t quote_length(std::size_t pos) const;
  std::size_t literal_quote(std::size_t pos) const;
  std::size_t skip_blanks(std::size_t pos) const;
  std::size_t skip_space(std::size_t pos) const;
  std::size_t gap_length(std::size_t pos) const;
  std::size_t plain_end(std::size_t begin) const;
  std::size_t line_end(std::size_t begin) const;
  std::size_t closing_quote(std::size_t quote) const;
  std::optional<std::size_t> password_end(std::size_t authority, std::size_t end, bool web) const;
  void finish_segment();

  pass_context context_;
  const compiled_rules& rules_;
  std::string_view rule_ = "key"; ///< what a mask that is set now is counted as
  std::string_view in_;
  std::string& out_;
  std::size_t levels_;
  std::size_t segment_;             ///< where the text before the next JSON begins in the output
  std::size_t last_ = 0;            ///< everything before it has been written
  std::size_t seen_key_ = 0;        ///< end of the last key looked at
  std::size_t seen_encoded_ = 0;    ///< end of the last percent-encoded name looked at
  std::size_t no_user_ = 0;         ///< no `@` before this offset is part of a URL
  std::size_t no_encoded_user_ = 0; ///< no percent-encoded `@` before this offset
  std::size_t no_token_ = 0;        ///< no web token begins before this offset
  std::size_t no_model_key_ = 0;    ///< no model provider's key begins before this offset
  const password_program* program_ = nullptr; ///< the last program that takes a password
  std::size_t program_end_ = 0;               ///< where its line ends
  std::size_t no_rows_ = 0;                   ///< no list of columns before this offset has rows
  std::size_t no_copy_ = 0;                   ///< no list of copied columns before this offset
  std::size_t no_table_ = 0;                  ///< no head of a table before this offset
  std::size_t no_base64_ = 0;                 ///< no base64 before this offset is worth decoding
  std::size_t seen_stretch_ = 0;              ///< end of the last percent-encoded stretch
  std::vector<planned_mask> planned_;         ///< in order
  std::size_t planned_done_ = 0;              ///< how many of them the walk has passed
  std::size_t next_planned_ = npos;           ///< where the next one begins
  bool no_pem_end_ = false;                   ///< the rest of the text has no END line
};

} // namespace gasoline::redaction
