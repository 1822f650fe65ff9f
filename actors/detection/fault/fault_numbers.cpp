#include "actors/detection/fault/fault_numbers.hpp"

#include "messages/base/letters.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

constexpr std::size_t longest_code = 10;    // digits: Windows writes error numbers of ten
constexpr std::size_t longest_number = 6;   // after the bare word `error`
constexpr std::size_t shortest_number = 3;  // so that `error 7`, one of many, only counts
constexpr std::size_t longest_gap = 4;      // punctuation between a word and its number
constexpr std::size_t most_fillers = 3;     // `responded with a status of`
constexpr std::size_t longest_prefix = 8;   // `AADSTS50011`
constexpr std::size_t most_code_digits = 6; // `E11000`, `ORA-00942`
constexpr std::size_t sql_state_length = 5; // `42P01`
constexpr std::size_t longest_word = 24;

bool is_name(char c) {
  return ascii::is_letter(c) || c == '_';
}

bool ends_like(std::string_view text, std::string_view end) {
  return text.size() >= end.size() &&
         ascii::same_letters(text.substr(text.size() - end.size()), end);
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view w) { return ascii::same_letters(word, w); });
}

/// The word before a place in a line, and what stands between them.
struct word_before {
  std::string_view word; ///< empty: none is near
  std::size_t begin = 0;
  bool after_hash = false; ///< a `#` stands between
};

bool is_gap(char c) {
  constexpr std::string_view gap = " \t:=#([{\"'`-/!";
  return gap.find(c) != std::string_view::npos;
}

word_before nearest_word(std::string_view line, std::size_t at) {
  word_before out;
  std::size_t gap = 0;
  while (at > 0 && gap < longest_gap && is_gap(line[at - 1])) {
    out.after_hash = out.after_hash || line[at - 1] == '#';
    --at;
    ++gap;
  }
  auto begin = at;
  while (begin > 0 && at - begin < longest_word && is_name(line[begin - 1]))
    --begin;
  out.word = line.substr(begin, at - begin);
  out.begin = begin;
  return out;
}

bool is_filler(std::string_view word) {
  constexpr std::array<std::string_view, 8> fillers{"of",     "is",    "was", "a",
                                                    "number", "value", "no",  "the"};
  return is_one_of(word, fillers);
}

word_before telling_word(std::string_view line, std::size_t at) {
  auto found = nearest_word(line, at);
  for (std::size_t i = 0; i < most_fillers && is_filler(found.word); ++i) {
    const bool hash = found.after_hash;
    found = nearest_word(line, found.begin);
    found.after_hash = found.after_hash || hash;
  }
  return found;
}

// `statusCode`, `exit_code`, `errno`; not `zip code`.
bool announces_code(std::string_view line, const word_before& found) {
  constexpr std::array<std::string_view, 7> ends{"status", "errno",   "sqlstate", "sqlcode",
                                                 "exit",   "hresult", "signal"};
  constexpr std::array<std::string_view, 14> harmless{
      "postal", "zip",   "area",  "country", "verification", "invite", "coupon",
      "promo",  "color", "phone", "product", "discount",     "access", "qr"};
  if (ascii::same_letters(found.word, "exited"))
    return true;
  if (ends_like(found.word, "code"))
    return !is_one_of(nearest_word(line, found.begin).word, harmless);
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return ends_like(found.word, end); });
}

bool says_error(std::string_view word) {
  constexpr std::array<std::string_view, 5> ends{"error", "errors", "exception", "invariant",
                                                 "violation"};
  return std::any_of(ends.begin(), ends.end(),
                     [&](std::string_view end) { return ends_like(word, end); });
}

bool says_answer(std::string_view word) {
  constexpr std::array<std::string_view, 14> words{
      "http",     "https",  "returned", "returns", "responded", "response", "got",
      "received", "server", "answered", "api",     "with",      "failed",   "upstream"};
  return is_one_of(word, words);
}

bool is_status(std::string_view number) {
  return number.size() == 3 && (number[0] == '4' || number[0] == '5');
}

std::string_view word_after(std::string_view line, std::size_t at) {
  std::size_t gap = 0;
  while (at < line.size() && gap < 2 && (line[at] == ' ' || line[at] == '(')) {
    ++at;
    ++gap;
  }
  auto end = at;
  while (end < line.size() && end - at < longest_word && is_name(line[end]))
    ++end;
  return line.substr(at, end - at);
}

// `500 ms`, `500 of 900`, `404 rows`: what a number before such a word does is count.
bool is_counted(std::string_view line, std::size_t end) {
  constexpr std::array<std::string_view, 12> units{"of", "ms", "s",  "sec",  "min",   "px",
                                                   "kb", "mb", "gb", "more", "times", "byte"};
  constexpr std::array<std::string_view, 5> singular{"status", "is", "was", "as", "this"};
  if (end < line.size() && line[end] == '%')
    return true;
  const auto word = word_after(line, end);
  if (word.empty() || ascii::is_capital(word[0]))
    return false;
  return is_one_of(word, units) || (word.back() == 's' && !is_one_of(word, singular));
}

bool has_reason_phrase(std::string_view line, std::size_t end) {
  constexpr std::array<std::string_view, 20> first_words{
      "Bad",         "Unauthorized", "Payment", "Forbidden",     "Not",     "Method",  "Proxy",
      "Request",     "Conflict",     "Gone",    "Precondition",  "Payload", "Content", "Internal",
      "Unsupported", "Service",      "Gateway", "Unprocessable", "Too",     "Locked"};
  const auto word = word_after(line, end);
  return std::find(first_words.begin(), first_words.end(), word) != first_words.end();
}

bool stands_alone(std::string_view line, std::size_t begin, std::size_t end) {
  const char before = begin > 0 ? line[begin - 1] : ' ';
  const char after = end < line.size() ? line[end] : ' ';
  if ((before == '(' && after == ')') || (before == '[' && after == ']'))
    return true;
  const bool opens = begin == 0 || (begin > 1 && line[begin - 2] == ':' && before == ' ');
  return opens && (after == ':' || end == line.size());
}

bool is_all_capitals(std::string_view word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), ascii::is_capital);
}

bool names_status(std::string_view line, std::size_t begin, std::size_t end,
                  const word_before& found) {
  if (!is_status(line.substr(begin, end - begin)))
    return false;
  if (says_answer(found.word) || has_reason_phrase(line, end) || stands_alone(line, begin, end))
    return true;
  return is_all_capitals(found.word) && end < line.size() && line[end] == ':';
}

bool names_error_number(std::string_view number, const word_before& found) {
  if (!says_error(found.word) || number.size() > longest_number)
    return false;
  return found.after_hash || number.size() >= shortest_number;
}

// `42P01`, `0x80070005`
bool is_code_word(std::string_view text) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    return text.size() <= longest_code;
  return text.size() == sql_state_length && std::all_of(text.begin(), text.end(), [](char c) {
           return ascii::is_digit(c) || ascii::is_capital(c);
         });
}

bool counts_things(std::string_view word) {
  constexpr std::array<std::string_view, 22> things{
      "order",    "item", "user",   "row",     "sku",     "ticket", "invoice", "product",
      "customer", "id",   "case",   "account", "booking", "part",   "model",   "batch",
      "job",      "task", "record", "ref",     "key",     "serial"};
  return is_one_of(word, things);
}

} // namespace

bool names_fault(std::string_view line, std::size_t begin, std::size_t end) {
  const auto text = line.substr(begin, end - begin);
  const bool plain = std::all_of(text.begin(), text.end(), ascii::is_digit);
  if (text.size() > longest_code || (!plain && !is_code_word(text)) || is_counted(line, end))
    return false;
  const auto found = telling_word(line, begin);
  if (announces_code(line, found))
    return true;
  if (!plain)
    return text[0] == '0' && says_error(found.word);
  return names_error_number(text, found) || names_status(line, begin, end, found);
}

bool is_error_code(std::string_view line, std::size_t begin, std::size_t end) {
  auto prefix = begin;
  while (prefix < end && ascii::is_capital(line[prefix]))
    ++prefix;
  auto digits = prefix;
  if (digits < end && line[digits] == '-')
    ++digits;
  const auto number = line.substr(digits, end - digits);
  if (prefix == begin || prefix - begin > longest_prefix || number.size() < 2 ||
      number.size() > most_code_digits ||
      !std::all_of(number.begin(), number.end(), ascii::is_digit))
    return false;
  const auto before = nearest_word(line, begin).word;
  if (counts_things(before))
    return false;
  const char opener = begin > 0 ? line[begin - 1] : '[';
  const char closer = end < line.size() ? line[end] : ']';
  if (opener == '[' || opener == '(' || closer == ':' || closer == ']' || closer == ')')
    return true;
  const bool after_colon = begin > 1 && opener == ' ' && line[begin - 2] == ':';
  return after_colon || says_error(before) || ends_like(before, "code");
}

bool is_announced_code(std::string_view line, std::size_t begin) {
  return announces_code(line, nearest_word(line, begin));
}

int named_status(std::string_view line) {
  for (std::size_t i = 0; i + 3 <= line.size(); ++i) {
    if (!ascii::is_digit(line[i]))
      continue;
    auto end = i;
    while (end < line.size() && ascii::is_digit(line[end]))
      ++end;
    const auto number = line.substr(i, end - i);
    if (is_status(number) && names_fault(line, i, end))
      return (number[0] - '0') * 100 + (number[1] - '0') * 10 + (number[2] - '0');
    i = end;
  }
  return 0;
}

} // namespace gasoline
