#include "messages/base/json/json_repair.hpp"

#include "messages/base/byte_words.hpp"
#include "messages/base/json/json_numbers.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>

namespace gasoline {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// The code unit of `\uXXXX` at `i`, or -1.
int escaped_unit(std::string_view text, std::size_t i) {
  if (i + 6 > text.size() || text[i] != '\\' || text[i + 1] != 'u')
    return -1;
  unsigned value = 0;
  const auto* first = text.data() + i + 2;
  const auto [end, ec] = std::from_chars(first, first + 4, value, 16);
  return ec == std::errc{} && end == first + 4 ? static_cast<int>(value) : -1;
}

bool is_high_surrogate(int unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool is_low_surrogate(int unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

constexpr std::string_view half_pair = "\\ufffd";

bool is_surrogate(int unit) {
  return is_high_surrogate(unit) || is_low_surrogate(unit);
}

/// Whether all of eight bytes are ASCII and neither a quote nor a backslash.
bool all_plain(const char* bytes) {
  using namespace byte_words;
  const auto word = load(bytes);
  return (beyond_ascii(word) | equal(word, '"') | equal(word, '\\')) == 0;
}

/// Walks over a text and copies what is between the places that have to change: nearly all of it,
/// nearly always.
class repair_walk {
 public:
  explicit repair_walk(std::string_view text) : text_(text) { out_.reserve(text.size() + 64); }

  std::string run() {
    while (pos_ < text_.size())
      if (in_string_)
        walk_string();
      else
        walk_outside();
    keep();
    return std::move(out_);
  }

 private:
  void walk_outside() {
    const char c = text_[pos_];
    if (starts_number(c)) {
      const auto token = number_token(text_, pos_);
      keep();
      append_exact_number(out_, token);
      go_on_at(pos_ + token.size());
    } else if (c == '"') {
      in_string_ = true;
      ++pos_;
    } else {
      walk_character();
    }
  }

  void walk_string() {
    while (pos_ + sizeof(std::uint64_t) <= text_.size() && all_plain(text_.data() + pos_))
      pos_ += sizeof(std::uint64_t);
    if (pos_ >= text_.size())
      return;
    if (text_[pos_] == '\\')
      walk_escape();
    else if (text_[pos_] == '"')
      end_string();
    else
      walk_character();
  }

  void end_string() {
    in_string_ = false;
    ++pos_;
  }

  void walk_character() {
    if (static_cast<unsigned char>(text_[pos_]) < 0x80) {
      ++pos_;
      return;
    }
    const auto step = read_utf8(text_, pos_);
    if (step.valid)
      pos_ += step.length;
    else
      replace(1, replacement);
  }

  /// Half a surrogate pair is no character.
  void walk_escape() {
    const int unit = escaped_unit(text_, pos_);
    if (unit < 0) {
      // Behind a backslash a broken byte is judged by itself.
      const bool broken =
          pos_ + 1 < text_.size() && static_cast<unsigned char>(text_[pos_ + 1]) >= 0x80;
      pos_ = std::min(pos_ + (broken ? 1 : 2), text_.size());
    } else if (is_high_surrogate(unit) && is_low_surrogate(escaped_unit(text_, pos_ + 6))) {
      pos_ += 12;
    } else if (is_surrogate(unit)) {
      replace(6, half_pair);
    } else {
      pos_ += 6;
    }
  }

  void keep() { out_.append(text_, kept_, pos_ - kept_); }

  void replace(std::size_t length, std::string_view by) {
    keep();
    out_ += by;
    go_on_at(pos_ + length);
  }

  void go_on_at(std::size_t pos) {
    pos_ = pos;
    kept_ = pos;
  }

  std::string_view text_;
  std::string out_;
  std::size_t pos_ = 0;
  std::size_t kept_ = 0; ///< all before it is in `out_`, as it is or changed
  bool in_string_ = false;
};

} // namespace

std::string repaired_json(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark))
    text.remove_prefix(byte_order_mark.size());
  return repair_walk{text}.run();
}

} // namespace gasoline
