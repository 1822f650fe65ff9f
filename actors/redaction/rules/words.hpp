#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gasoline::redaction {

/// A set of words, written as one text with spaces between them.
class word_list {
 public:
  explicit word_list(std::string_view spaced);

  bool has(std::string_view word) const;
  /// Whether the text ends with one of the words.
  bool has_ending(std::string_view text) const;
  std::span<const std::string_view> all() const { return words_; }

 private:
  using row = std::array<std::uint16_t, 257>;

  static std::span<const std::string_view> part(const std::vector<std::string_view>& words,
                                                const row& begins, char c);

  std::vector<std::string_view> words_;   ///< by their first byte
  std::vector<std::string_view> endings_; ///< by their last byte
  row word_begins_{};                     ///< where the words of a byte begin
  row ending_begins_{};
};

// What keys are made of, in lower case and without the signs between their words.

const word_list& strong_endings();   ///< the last word ends so: `userpassword`
const word_list& strong_names();     ///< the last one to three words
const word_list& password_endings(); ///< any value, an everyday word too, is taken for the secret
const word_list& weak_names();       ///< the last word
const word_list& plural_endings();   ///< the last word ends so
const word_list& harmless_endings(); ///< the last three words end so, whatever else is said of them
const word_list& vendor_words();     ///< in front of `key`
const word_list& harmless_key_words(); ///< in front of `KEY`, where the whole is no credential
const word_list& tail_words();         ///< say something about the value, not what it is
const word_list& parameter_names();    ///< of a query, as written

// Members of documents.

const word_list& name_members();   ///< tell the name of a value beside them
const word_list& value_members();  ///< hold that value
const word_list& schema_members(); ///< describe a field instead of holding it
const word_list& format_members(); ///< hold a format string
const word_list& list_members();   ///< hold what goes into a format string

// What values are made of.

const word_list& literal_words();     ///< types, literals, keywords
const word_list& prose_words();       ///< begin a sentence about the key
const word_list& complaint_words();   ///< begin the sentence of a validator
const word_list& schemes();           ///< of authorization
const word_list& parameter_schemes(); ///< whose credentials run to the end of the line
const word_list& algorithm_letters(); ///< before digits: `sha256`
const word_list& login_schemes();     ///< of URLs of servers that programs log in to

} // namespace gasoline::redaction
