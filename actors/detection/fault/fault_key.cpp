#include "actors/detection/fault/fault_key.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/base/url_pieces.hpp"
#include "actors/detection/fault/event_fields.hpp"
#include "actors/detection/fault/fault_numbers.hpp"
#include "actors/detection/fault/rare_fields.hpp"
#include "actors/detection/fault/stack_frames.hpp"
#include "actors/frames/stack/stack_frame.hpp"
#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gasoline {
namespace {

// Shapes of variable text. Chosen on real messages: shorter ones meet ordinary words too often.
constexpr std::size_t shortest_hash = 6;
constexpr std::size_t shortest_plain_hash = 16; // hexadecimal by chance, without a digit
constexpr std::size_t shortest_token = 12;
constexpr std::size_t token_digits = 3;
constexpr std::size_t longest_unit = 3;
constexpr std::size_t longest_quoted_name = 64;
constexpr std::size_t longest_quoted_code = 24;
constexpr std::size_t longest_quoted = 256;
constexpr std::size_t uuid_length = 36;

constexpr bool is_hex(char c) {
  return ascii::is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_word(char c) {
  return ascii::is_digit(c) || ascii::is_letter(c) || c == '_' || c == '$' ||
         (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool is_uuid(std::string_view text) {
  if (text.size() < uuid_length)
    return false;
  for (std::size_t i = 0; i < uuid_length; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    if (dash ? text[i] != '-' : !is_hex(text[i]))
      return false;
  }
  return text.size() == uuid_length || !is_word(text[uuid_length]);
}

struct word_shape {
  std::size_t digits = 0;
  bool hex = true;
};

word_shape shape_of(std::string_view word) {
  word_shape out;
  for (const char c : word) {
    out.digits += ascii::is_digit(c) ? 1U : 0U;
    out.hex = out.hex && is_hex(c);
  }
  return out;
}

bool is_hash(std::string_view word, const word_shape& shape) {
  if (shape.hex && shape.digits > 0 && shape.digits < word.size())
    return word.size() >= shortest_hash;
  if (shape.hex && shape.digits == 0)
    return word.size() >= shortest_plain_hash;
  return shape.digits >= token_digits && word.size() >= shortest_token;
}

/// Copies a text and puts placeholders in place of what varies.
class line_normaliser {
 public:
  line_normaliser(const redacted_text& text, std::string_view line, std::size_t max_bytes)
      : text_(text), line_(line), max_bytes_(max_bytes) {}

  redacted_text run() {
    // One byte more than fits is enough for `shortened` to see that something is missing.
    while (i_ < line_.size() && out_.size() + (i_ - plain_) <= max_bytes_)
      i_ = next();
    keep_until(i_);
    return out_.shortened(max_bytes_);
  }

 private:
  std::size_t next() {
    const bool begins = i_ == 0 || !is_word(line_[i_ - 1]);
    const char c = line_[i_];
    if (begins && (c == '\'' || c == '"' || c == '`'))
      return quoted(c);
    if (!is_word(c))
      return i_ + 1;
    if (begins && is_uuid(line_.substr(i_)))
      return replace(i_, i_ + uuid_length, "<id>");
    return word();
  }

  std::size_t quoted(char quote) {
    const auto close = line_.find(quote, i_ + 1);
    if (close == std::string_view::npos || close - i_ > longest_quoted)
      return i_ + 1;
    const auto inside = line_.substr(i_ + 1, close - i_ - 1);
    if (is_variable(inside) && !(is_code(inside) && is_announced_code(line_, i_)))
      replace(i_ + 1, close, "<value>");
    return close + 1;
  }

  // A code as programs write them: `23505`, `P2002`, `auth/mfa-2`; no hash and no sentence.
  static bool is_code(std::string_view inside) {
    if (inside.size() > longest_quoted_code)
      return false;
    const auto shape = shape_of(inside);
    const bool plain = std::all_of(inside.begin(), inside.end(), [](char c) {
      return is_word(c) || c == '-' || c == '/' || c == '.';
    });
    return plain && (shape.digits <= token_digits + 3 && inside.find('@') == inside.npos);
  }

  // A quoted name belongs to the fault ("reading 'total'"); a quoted number or address does not.
  static bool is_variable(std::string_view inside) {
    const auto at = inside.find('@');
    return inside.size() > longest_quoted_name || (at != std::string_view::npos && at > 0) ||
           std::any_of(inside.begin(), inside.end(), ascii::is_digit);
  }

  std::size_t word_end(std::size_t i) const {
    while (i < line_.size() && is_word(line_[i]))
      ++i;
    return i;
  }

  std::size_t word() {
    const auto end = word_end(i_);
    const auto text = line_.substr(i_, end - i_);
    const auto shape = shape_of(text);
    if (const auto code = error_code_end(end, shape); code > i_)
      return code;
    if (shape.digits == text.size())
      return number(end);
    if (shape.digits > 0 && names_fault(line_, i_, end))
      return end;
    if (is_hash(text, shape))
      return replace(i_, end, "<id>");
    if (shape.digits == 0)
      return end;
    return ascii::is_digit(text[0]) ? leading_number(text, end) : digit_runs(end);
  }

  // The end of the error code that begins here, such as `ORA-00942` or `TS2322`; `i_` for none.
  std::size_t error_code_end(std::size_t end, const word_shape& shape) const {
    if (shape.digits == 0) {
      if (end + 1 >= line_.size() || line_[end] != '-' || !ascii::is_digit(line_[end + 1]))
        return i_;
      end = word_end(end + 1);
    }
    return is_error_code(line_, i_, end) ? end : i_;
  }

  // Dates, times, versions, addresses and decimals are one number.
  std::size_t number(std::size_t end) {
    if (names_fault(line_, i_, end))
      return end;
    while (end + 1 < line_.size() && is_joint(line_[end]) && ascii::is_digit(line_[end + 1]))
      end = word_end(end + 1);
    const bool negative =
        i_ > plain_ && line_[i_ - 1] == '-' && (i_ < 2 || !is_word(line_[i_ - 2]));
    return replace(negative ? i_ - 1 : i_, end, "<n>");
  }

  static bool is_joint(char c) { return c == '.' || c == ':' || c == ',' || c == '-' || c == '/'; }

  // `200ms` keeps its unit; `0x1F` and `3f2a` are ids.
  std::size_t leading_number(std::string_view text, std::size_t end) {
    const auto digits = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), ascii::is_digit) - text.begin());
    const auto unit = text.substr(digits);
    if (unit.size() > longest_unit || std::any_of(unit.begin(), unit.end(), ascii::is_digit))
      return replace(i_, end, "<id>");
    replace(i_, i_ + digits, "<n>");
    return end;
  }

  // `item42` varies; a single digit (`h1`, `x2`) is part of a name.
  std::size_t digit_runs(std::size_t end) {
    for (std::size_t i = i_; i < end; ++i) {
      std::size_t run = i;
      while (run < end && ascii::is_digit(line_[run]))
        ++run;
      if (run - i >= 2)
        replace(i, run, "<n>");
      i = std::max(i, run == i ? i : run - 1);
    }
    return end;
  }

  std::size_t replace(std::size_t from, std::size_t to, literal placeholder) {
    keep_until(from);
    out_ += placeholder;
    plain_ = to;
    return to;
  }

  void keep_until(std::size_t end) {
    if (end > plain_)
      out_ += part_of(text_, line_.substr(plain_, end - plain_));
    plain_ = std::max(plain_, end);
  }

  const redacted_text& text_;
  std::string_view line_;
  std::size_t max_bytes_;
  std::size_t i_ = 0;
  std::size_t plain_ = 0; // where the text not yet copied begins
  redacted_text out_;
};

/// What ends a piece of a path.
constexpr bool is_separator(char c) {
  return c == '/' || c == '.' || c == '-' || c == '_' || c == '~' || c == ':' || c == ',';
}

/// What a letter may be to a path, as bits.
constexpr unsigned char ends_piece = 1;
constexpr unsigned char hex_digit = 2;
constexpr unsigned char decimal_digit = 4;

/// By letter: to compare each with all of them would take most of what a path takes.
constexpr std::array<unsigned char, 256> path_letters = [] {
  std::array<unsigned char, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto c = static_cast<char>(i);
    out[i] = static_cast<unsigned char>((is_separator(c) ? ends_piece : 0) |
                                        (is_hex(c) ? hex_digit : 0) |
                                        (ascii::is_digit(c) ? decimal_digit : 0));
  }
  return out;
}();

/// The piece of a path that begins somewhere.
struct path_piece {
  std::size_t end = 0;
  word_shape shape;
};

path_piece piece_at(std::string_view path, std::size_t begin) {
  path_piece out{begin, {}};
  for (; out.end < path.size(); ++out.end) {
    const auto letter = path_letters[static_cast<unsigned char>(path[out.end])];
    if ((letter & ends_piece) != 0)
      break;
    out.shape.digits += (letter & decimal_digit) != 0 ? 1U : 0U;
    out.shape.hex = out.shape.hex && (letter & hex_digit) != 0;
  }
  return out;
}

bool is_id(std::string_view piece, const word_shape& shape) {
  return !piece.empty() && (shape.digits == piece.size() || is_hash(piece, shape));
}

// Copies a path; ids give way to `:id`.
void append_path(redacted_text& out, const redacted_text& url, std::string_view path) {
  const auto begin = path.empty() ? 0 : static_cast<std::size_t>(path.data() - url.view().data());
  std::size_t kept = 0; // what stands before it is copied
  std::size_t i = 0;
  const auto replace = [&](std::size_t end) {
    out.append_part(url, begin + kept, i - kept);
    out += ":id";
    kept = end;
  };
  while (i < path.size()) {
    if (is_uuid(path.substr(i))) {
      replace(i + uuid_length);
      i = kept;
      continue;
    }
    const auto piece = piece_at(path, i);
    if (is_id(path.substr(i, piece.end - i), piece.shape))
      replace(piece.end);
    i = std::min(piece.end + 1, path.size());
  }
  out.append_part(url, begin + kept, path.size() - kept);
}

/// Up to the first blank or line break.
std::string_view first_word(std::string_view text) {
  // Quick searches: one for either letter would look at each letter by itself.
  return text.substr(0, std::min({text.find(' '), text.find('\r'), text.find('\n')}));
}

redacted_text named_location(const event& e) {
  for (const auto* name : {"filename", "file", "source"})
    if (auto file = field_text(e.fields, name); !file.empty())
      return file;
  return {};
}

redacted_text positioned(const event& e, redacted_text file) {
  for (const auto& [line_name, column_name] :
       {std::pair{"lineno", "colno"}, std::pair{"line", "col"}}) {
    const auto line = field_text(e.fields, line_name);
    if (line.empty() || line.view() == "0")
      continue;
    file += redacted(literal{":"}, line);
    if (const auto column = field_text(e.fields, column_name); !column.empty())
      file += redacted(literal{":"}, column);
    return file;
  }
  return file;
}

} // namespace

redacted_text normalised_line(const redacted_text& text, std::size_t max_bytes) {
  return line_normaliser{text, first_line(text.view()), max_bytes}.run();
}

redacted_text target_key(const redacted_text& url, std::size_t max_bytes) {
  const auto pieces = take_apart(first_word(url.view()));
  redacted_text out;
  if (!is_local_host(pieces.host))
    out += part_of(url, pieces.host);
  if (pieces.path.empty())
    out += "/";
  append_path(out, url, pieces.path);
  if (out.size() > max_bytes)
    return out.shortened(max_bytes);
  return out;
}

redacted_text request_key(const event& e, std::size_t max_bytes) {
  redacted_text end;
  if (e.status >= 0)
    end = redacted(literal{":"}, e.status);
  else
    end = literal{":failed"};
  auto out = redacted(method_of(e), literal{":"});
  const auto taken = out.size() + end.size();
  out += target_key(request_url(e), max_bytes > taken ? max_bytes - taken : 0);
  out += end;
  return out.shortened(max_bytes);
}

redacted_text error_key(const event& e, std::size_t max_bytes) {
  if (!e.fault.empty())
    return e.fault;
  const auto message = without_uncaught(e.message.view());
  redacted_text out = literal{"error:"};
  out += line_normaliser{e.message, first_line(message), max_bytes / 4 * 3}.run();
  if (const auto function = first_function(e.stack.view()); !function.empty())
    out += redacted(literal{" in "}, part_of(e.stack, function).shortened(max_bytes / 4));
  const auto location = error_location(e);
  const auto file = part_of(location, without_position(location.view()));
  if (!file.empty())
    out += redacted(literal{" @ "}, target_key(file, max_bytes));
  return out.shortened(max_bytes);
}

std::string_view without_uncaught(std::string_view message) {
  constexpr std::array<std::string_view, 5> openings{
      "Uncaught ", "(in promise) ",
      "Unhandled Promise Rejection: ", "Unhandled promise rejection: ", "Unhandled rejection: "};
  for (bool found = true; found;) {
    found = false;
    if (!message.starts_with('U') && !message.starts_with('(')) // as all of them begin
      return message;
    for (const auto opening : openings)
      if (message.substr(0, opening.size()) == opening) {
        message.remove_prefix(opening.size());
        found = true;
      }
  }
  return message;
}

redacted_text error_location(const event& e) {
  if (const auto place = first_location(e.stack.view()); !place.empty())
    return part_of(e.stack, place);
  auto file = named_location(e);
  if (file.empty() || without_position(file.view()) != file.view())
    return file;
  return positioned(e, std::move(file));
}

redacted_text request_url(const event& e) {
  if (e.url.empty() && e.kind == telemetry_kind::request)
    return field_text(e.fields, "name");
  return e.url;
}

redacted_text method_of(const event& e) {
  constexpr std::array<std::pair<std::string_view, literal>, 7> methods{{
      {"GET", literal{"GET"}},
      {"POST", literal{"POST"}},
      {"PUT", literal{"PUT"}},
      {"PATCH", literal{"PATCH"}},
      {"DELETE", literal{"DELETE"}},
      {"HEAD", literal{"HEAD"}},
      {"OPTIONS", literal{"OPTIONS"}},
  }};
  redacted_text given;
  if (e.kind != telemetry_kind::request || !e.name.empty())
    given = e.name;
  else if (may_have_field(e.fields.view(), R"(hod":)"))
    given = field_text(e.fields, "method");
  for (const auto& [name, text] : methods)
    if (ascii::same_letters(given.view(), name))
      return text;
  return given;
}

} // namespace gasoline
