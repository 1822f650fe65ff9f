#include "actors/agents/providers/broken_characters.hpp"

#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

// A mark holds a surrogate, counted from U+D800, or a byte above those.
constexpr unsigned surrogate_begin = 0xD800;
constexpr unsigned low_begin = 0x400;
constexpr unsigned byte_begin = 0x800;
constexpr unsigned marks_end = 0x900;
constexpr std::size_t mark_size = 4;
constexpr std::string_view mark_head = "\xF4\x8F";
constexpr std::string_view replacement = "\xEF\xBF\xBD";

void add_mark(std::string& out, unsigned mark) {
  out += mark_head;
  out += static_cast<char>(0x80U | mark >> 6U);
  out += static_cast<char>(0x80U | (mark & 0x3FU));
}

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

/// The mark at the beginning of a text of UTF-8.
std::optional<unsigned> mark_in(std::string_view text) {
  if (!text.starts_with(mark_head) || text.size() < mark_size)
    return std::nullopt;
  const auto mark = (byte_of(text[2]) & 0x3FU) << 6U | (byte_of(text[3]) & 0x3FU);
  return mark < marks_end ? std::optional<unsigned>{mark} : std::nullopt;
}

/// How many bytes the character has that begins with this one; 0: none does.
std::size_t length_by_first(unsigned char first) {
  if (first < 0x80)
    return 1;
  if (first >= 0xC2 && first <= 0xDF)
    return 2;
  if (first >= 0xE0 && first <= 0xEF)
    return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

bool is_utf8(std::string_view text) {
  return simdjson::validate_utf8(text.data(), text.size());
}

/// The surrogate that an escape (`\uD83D`) at the beginning of a text stands for.
std::optional<unsigned> surrogate_in(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u"))
    return std::nullopt;
  unsigned unit = 0;
  const auto* const end = text.data() + 6;
  if (std::from_chars(text.data() + 2, end, unit, 16).ptr != end)
    return std::nullopt;
  return unit >= surrogate_begin && unit < surrogate_begin + byte_begin
             ? std::optional<unsigned>{unit - surrogate_begin}
             : std::nullopt;
}

bool is_low(std::optional<unsigned> mark) {
  return mark && *mark >= low_begin && *mark < byte_begin;
}

/// Takes one escape; the number of characters that it has.
std::size_t take_escape(std::string& out, std::string_view text) {
  const auto surrogate = surrogate_in(text);
  if (!surrogate) {
    out += text.substr(0, 2);
    return std::min<std::size_t>(2, text.size());
  }
  if (*surrogate < low_begin && is_low(surrogate_in(text.substr(6)))) {
    out += text.substr(0, 12);
    return 12;
  }
  add_mark(out, *surrogate);
  return 6;
}

/// Takes one character that is not of ASCII, or a byte of none; the number of bytes.
std::size_t take_bytes(std::string& out, std::string_view text) {
  const auto whole = text.substr(0, length_by_first(byte_of(text.front())));
  if (!whole.empty() && is_utf8(whole)) {
    out += whole;
    return whole.size();
  }
  add_mark(out, byte_begin + byte_of(text.front()));
  return 1;
}

std::string character_of(unsigned high, unsigned low) {
  const auto code = 0x10000U + (high << 10U) + (low - low_begin);
  std::string out;
  out += static_cast<char>(0xF0U | code >> 18U);
  out += static_cast<char>(0x80U | (code >> 12U & 0x3FU));
  out += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
  out += static_cast<char>(0x80U | (code & 0x3FU));
  return out;
}

/// What a run of marks has at one place: a character, or the part of one.
struct joined {
  std::size_t taken = 1;
  std::string character; ///< empty: there is none
  bool begun = false;    ///< the run ends before the character does
};

joined join_surrogates(const std::vector<unsigned>& run, std::size_t at) {
  if (run[at] >= low_begin)
    return {};
  if (at + 1 == run.size())
    return {1, {}, true};
  if (!is_low(run[at + 1]))
    return {};
  return {2, character_of(run[at], run[at + 1]), false};
}

joined join_bytes(const std::vector<unsigned>& run, std::size_t at) {
  std::string bytes;
  const auto size = length_by_first(static_cast<unsigned char>(run[at] - byte_begin));
  for (auto i = at; i < run.size() && bytes.size() < size; ++i) {
    const bool continues = i == at || (run[i] >= byte_begin && run[i] < byte_begin + 0xC0);
    if (!continues)
      return {};
    bytes += static_cast<char>(run[i] - byte_begin);
  }
  if (size == 0 || bytes.size() < size)
    return {std::max<std::size_t>(bytes.size(), 1), {}, size > 0};
  return is_utf8(bytes) ? joined{size, bytes, false} : joined{};
}

} // namespace

std::string with_marked_breaks(std::string_view json) {
  if (json.find("\\u") == std::string_view::npos && is_utf8(json))
    return std::string{json};
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const auto rest = json.substr(at);
    if (rest.front() == '\\') {
      at += take_escape(out, rest);
    } else if (byte_of(rest.front()) >= 0x80) {
      at += take_bytes(out, rest);
    } else {
      out += rest.front();
      ++at;
    }
  }
  return out;
}

std::string character_joiner::join(std::string_view piece) {
  if (held_.empty() && piece.find(mark_head) == std::string_view::npos)
    return std::string{piece};
  const auto text = std::exchange(held_, {}).append(piece);
  std::string out;
  out.reserve(text.size());
  std::vector<unsigned> run;
  for (std::size_t at = 0; at < text.size();) {
    run.clear();
    for (auto mark = mark_in(std::string_view{text}.substr(at)); mark;
         mark = mark_in(std::string_view{text}.substr(at))) {
      run.push_back(*mark);
      at += mark_size;
    }
    for (std::size_t i = 0; i < run.size();) {
      const auto found = run[i] < byte_begin ? join_surrogates(run, i) : join_bytes(run, i);
      if (found.begun && at == text.size())
        for (std::size_t n = 0; n < found.taken; ++n)
          add_mark(held_, run[i + n]);
      else
        out += found.character.empty() ? replacement : std::string_view{found.character};
      i += found.taken;
    }
    if (at < text.size())
      out += text[at++];
  }
  return out;
}

std::string character_joiner::rest() {
  return std::exchange(held_, {}).empty() ? std::string{} : std::string{replacement};
}

} // namespace gasoline
