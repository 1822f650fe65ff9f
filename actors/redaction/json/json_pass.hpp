#pragma once

#include "actors/redaction/rules/compiled_rules.hpp"
#include "actors/redaction/rules/rules.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline::redaction {

/// What happens to the decoded strings of a document beside redaction: strings that will be shown
/// are made presentable, strings of a document that is itself only text are left alone.
enum class string_care : std::uint8_t { presentable, redacted_only };

/// Where a walk through JSON ended.
struct json_extent {
  std::size_t end = 0;   ///< offset behind what was taken over into the output
  bool complete = false; ///< one whole value was taken over
};

/// One walk over JSON text that copies it, byte for byte where nothing is masked: order, spacing,
/// numbers and duplicate keys stay. Keys decide first, then each string is looked at as text.
/// Iterative, so depth costs memory, not stack. What is not JSON ends the walk; whatever was
/// copied until then is masked as it would have been.
class json_pass {
 public:
  /// `levels`: how many levels of JSON inside strings may still be taken apart.
  json_pass(const pass_context& context, std::string_view in, std::string& out, std::size_t levels,
            string_care care)
      : context_(context),
        rules_(context.rules),
        in_(in),
        out_(out),
        levels_(levels),
        care_(care) {}
  json_pass(const json_pass&) = delete;
  json_pass& operator=(const json_pass&) = delete;

  /// What a format string beside the document says about the elements of its `args`.
  void announce(std::vector<key_class> arguments) { announced_ = std::move(arguments); }

  /// Walks the value that begins at `begin` (no leading space); appends to the output.
  /// `inherited` is what the key in front of the value said.
  json_extent run(std::size_t begin, key_class inherited);

 private:
  /// A stretch of the output; empty when there is none.
  struct stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  struct frame {
    bool object = false;
    bool session = false;                   ///< the value of a key like `session`
    bool name_member = false;               ///< the key tells the name of a value beside it
    bool value_member = false;              ///< the key is one that `paired` is about
    bool format_member = false;             ///< the key holds a format string
    bool list_member = false;               ///< the key holds what goes into a format string
    bool schema_member = false;             ///< the key describes a field
    bool key_part = false;                  ///< the key is a private part of a JSON web key
    bool web_key = false;                   ///< the object is a JSON web key
    bool directory_member = false;          ///< `pwd`: a password, or where a program works
    bool named_tokens = false;              ///< the value of `tokens`: kinds of them by name
    bool label = false;                     ///< the element before is a label of several words
    bool certain = false;                   ///< the element before can be nothing but a key
    key_class inherited = key_class::plain; ///< holds for everything below
    key_class member = key_class::plain;    ///< of the key, or of the element before
    key_class paired = key_class::plain;    ///< what a name member says about the value members
    std::size_t count = 0;                  ///< members or elements so far
    std::size_t announced_from = 0;         ///< the first element that `announced` is about
    std::vector<key_class> announced;       ///< what a format string says about the elements
    std::size_t begin = 0;                  ///< offset in the output
    std::vector<stretch> late;              ///< masked when the frame ends, if they prove secret
    std::vector<stretch> key_parts;         ///< of a JSON web key, if it proves to be one
  };

  bool walk(key_class inherited);
  bool next_in_container();
  bool value(key_class judged);
  bool open(key_class judged);
  void close();
  bool member_key();
  bool string_value(key_class judged);
  bool cut_string(key_class judged);
  bool number_value(key_class judged);
  bool word_value();

  key_class judged_value() const;
  void judge_member(const std::string& key);
  void note_value(stretch written);
  void note_text(const std::string& decoded, stretch written);
  void note_element(const std::string& decoded, stretch written);
  void settle(const frame& f);
  void cover_rest();
  void cover_late(const std::vector<stretch>& late, std::string_view rule);
  std::string quoted_mask(std::string_view rule) {
    return '"' + context_.log.set(rule, mask) + '"';
  }

  bool read_string();
  bool read_escape(std::size_t& pos);
  void append_code_point(std::uint32_t code_point);
  void emit_string();
  void skip_space();
  void commit();
  char peek() const { return pos_ < in_.size() ? in_[pos_] : '\0'; }

  pass_context context_;
  const compiled_rules& rules_;
  std::string_view in_;
  std::string& out_;
  std::size_t levels_;
  string_care care_;
  std::size_t pos_ = 0;
  std::string_view raw_;  ///< the string read last, between its quotes
  bool cut_off_ = false;  ///< it ended with the text, not with a quote
  std::string decoded_;   ///< its value
  bool repaired_ = false; ///< it held half a surrogate pair, which became U+FFFD
  std::size_t committed_in_ = 0;
  std::size_t committed_out_ = 0;
  std::vector<frame> frames_;
  std::vector<key_class> announced_;
};

} // namespace gasoline::redaction
