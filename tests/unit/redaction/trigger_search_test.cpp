#include "actors/redaction/rules/trigger_list.hpp"
#include "actors/redaction/rules/triggers/trigger_search.hpp"
#include "actors/redaction/rules/triggers/trigger_table_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gasoline::redaction {
namespace {

bool same(char wanted, char c, bool any_case) {
  return wanted == c || (any_case && wanted >= 'a' && wanted <= 'z' && wanted - 32 == c);
}

bool in_range(char first, char last, char c) {
  const auto byte = [](char each) { return static_cast<unsigned char>(each); };
  return byte(first) <= byte(c) && byte(c) <= byte(last);
}

/// Whether `c` fits the next place of the pattern, read one letter after the other.
bool fits(const trigger& t, std::size_t& pos, char c) {
  const auto& p = t.pattern;
  if (p[pos] == '\\' && p[pos + 1] == 'd') {
    pos += 2;
    return in_range('0', '9', c);
  }
  if (p[pos] != '[') {
    pos += p[pos] == '\\' ? 1 : 0;
    return same(p[pos++], c, t.any_case);
  }
  const bool negated = p[++pos] == '^';
  pos += negated ? 1 : 0;
  bool found = false;
  while (p[pos] != ']') {
    pos += p[pos] == '\\' ? 1 : 0;
    const char first = p[pos++];
    found = found || same(first, c, t.any_case);
    if (p[pos] == '-' && p[pos + 1] != ']') {
      found = found || in_range(first, p[pos + 1], c);
      found = found || (t.any_case && in_range(first, p[pos + 1], static_cast<char>(c | 0x20)) &&
                        in_range('A', 'Z', c));
      pos += 2;
    }
  }
  ++pos;
  return found != negated;
}

/// The length of the trigger when it stands at `begin`, else 0.
std::size_t length_at(const trigger& t, std::string_view text, std::size_t begin) {
  std::size_t pos = 0;
  std::size_t length = 0;
  while (pos < t.pattern.size()) {
    if (begin + length >= text.size() || !fits(t, pos, text[begin + length]))
      return 0;
    ++length;
  }
  return length;
}

using place = std::pair<std::size_t, std::uint16_t>; ///< end and number

/// All triggers of that use in the text behind a space, looked for one by one.
std::vector<place> searched(const std::vector<trigger>& triggers, trigger_use use,
                            const std::string& text) {
  std::vector<place> out;
  const std::string padded = ' ' + text;
  for (std::size_t n = 0; n < triggers.size(); ++n) {
    if (triggers[n].use != trigger_use::both && triggers[n].use != use)
      continue;
    for (std::size_t begin = 0; begin < padded.size(); ++begin)
      if (const auto length = length_at(triggers[n], padded, begin); begin + length > 1)
        if (length > 0)
          out.emplace_back(begin + length - 1, static_cast<std::uint16_t>(n));
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<place> walked(const trigger_tables& tables, std::string_view text) {
  std::vector<place> out;
  trigger_walk walk{tables, text};
  walk.restart(0);
  while (const auto found = walk.next(text.size()))
    out.emplace_back(found->end, found->number);
  return out;
}

/// Pieces of patterns between signs and words, so that triggers stand, nearly stand and overlap.
std::string text_like(const std::vector<trigger>& triggers, std::minstd_rand& random) {
  static constexpr std::string_view between =
      " =:\"'\\%>&{}[]()@.,\n\t|-/0123456789AZaz\x80\xC2\xE2";
  std::string out;
  for (auto parts = random() % 5; parts > 0; --parts) {
    const auto& pattern = triggers[random() % triggers.size()].pattern;
    for (const char c : pattern.substr(random() % pattern.size()))
      if (c != '[' && c != ']' && c != '\\')
        out +=
            random() % 9 == 0 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    for (auto signs = random() % 4; signs > 0; --signs)
      out += between[random() % between.size()];
  }
  return out;
}

} // namespace

TEST_CASE("triggers are found where they stand, in the order of their ends") {
  const auto triggers = built_in_trigger_list();
  std::minstd_rand random{7};
  std::size_t found = 0;
  for (int i = 0; i < 1'500; ++i) {
    const auto text = text_like(triggers, random);
    CAPTURE(text);
    const auto wanted = searched(triggers, trigger_use::scan, text);
    REQUIRE(walked(built_in_scan(), text) == wanted);
    REQUIRE(any_trigger(built_in_filter(), text) ==
            !searched(triggers, trigger_use::filter, text).empty());
    found += wanted.size();
  }
  CHECK(found > 1'000);
}

TEST_CASE("a walk goes on as if the text began anew, and stops where it is told to") {
  trigger_walk walk{built_in_scan(), "x.y.z"};
  walk.restart(2);
  CHECK(walk.next(3) == std::nullopt);
  const auto found = walk.next(5);
  REQUIRE(found);
  CHECK(found->end == 4);
  CHECK(walk.next(5) == std::nullopt);
  walk.restart(0);
  CHECK(walk.next(5)->end == 2);
}

TEST_CASE("tables of few triggers and of none") {
  const trigger_table_set none{{}, trigger_use::filter};
  CHECK_FALSE(any_trigger(none.view(), "anything"));
  trigger literal;
  literal.pattern = "tck\\-";
  literal.any_case = true;
  literal.use = trigger_use::filter;
  const trigger_table_set one{{&literal, 1}, trigger_use::filter};
  CHECK(any_trigger(one.view(), "see TCK-1"));
  CHECK(any_trigger(one.view(), "tck-"));
  CHECK_FALSE(any_trigger(one.view(), "tck"));
  CHECK_FALSE(any_trigger(one.view(), ""));
}

} // namespace gasoline::redaction
