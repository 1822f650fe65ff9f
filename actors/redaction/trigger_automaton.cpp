#include "actors/redaction/trigger_automaton.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <map>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

namespace gasoline::redaction {
namespace {

using byte_set = std::bitset<256>;

std::size_t index_of(char c) {
  return static_cast<unsigned char>(c);
}

void add(byte_set& set, char c, bool any_case) {
  set.set(index_of(c));
  if (any_case && c >= 'a' && c <= 'z')
    set.set(index_of(c) - 32);
}

byte_set digits() {
  byte_set set;
  for (char c = '0'; c <= '9'; ++c)
    set.set(index_of(c));
  return set;
}

/// Reads `[...]` after the opening bracket; `pos` ends behind the closing one.
byte_set read_class(std::string_view text, std::size_t& pos, bool any_case) {
  byte_set set;
  const bool negated = text[pos] == '^';
  if (negated)
    ++pos;
  while (text[pos] != ']') {
    if (text[pos] == '\\')
      ++pos;
    const char first = text[pos++];
    if (text[pos] != '-' || text[pos + 1] == ']') {
      add(set, first, any_case);
      continue;
    }
    const std::size_t last = index_of(text[pos + 1]);
    for (std::size_t b = index_of(first); b <= last; ++b)
      add(set, static_cast<char>(b), any_case);
    pos += 2;
  }
  ++pos;
  return negated ? ~set : set;
}

std::vector<byte_set> read_pattern(const trigger& t) {
  std::vector<byte_set> out;
  const std::string_view text = t.pattern;
  for (std::size_t pos = 0; pos < text.size();) {
    const char c = text[pos++];
    if (c == '[') {
      out.push_back(read_class(text, pos, t.any_case));
      continue;
    }
    if (c == '\\' && text[pos] == 'd') {
      out.push_back(digits());
      ++pos;
      continue;
    }
    byte_set set;
    add(set, c == '\\' ? text[pos++] : c, t.any_case);
    out.push_back(set);
  }
  return out;
}

} // namespace

/// Subset construction over all triggers at once. A subset lists `trigger * 64 + position`.
struct trigger_automaton::builder {
  using subset = std::u32string;

  std::span<const trigger> triggers;
  std::vector<std::vector<byte_set>> patterns;
  std::array<std::uint8_t, 256> classes{};
  std::vector<unsigned char> representatives;
  std::vector<std::vector<std::uint16_t>> starting; ///< per class: patterns that may begin
  std::vector<std::vector<byte_set>> advancing;     ///< per position: the classes it waits for
  std::unordered_map<subset, std::size_t> numbers;
  std::vector<subset> subsets;
  std::vector<std::vector<std::size_t>> transitions;

  explicit builder(std::span<const trigger> all) : triggers(all) {
    for (const auto& t : all)
      patterns.push_back(read_pattern(t));
    find_classes();
    number_of({});
    for (std::size_t s = 0; s < subsets.size(); ++s)
      follow(s);
  }

  void find_classes() {
    std::map<std::vector<bool>, std::uint8_t> known;
    for (std::size_t b = 0; b < 256; ++b) {
      std::vector<bool> signature;
      for (const auto& pattern : patterns)
        for (const auto& set : pattern)
          signature.push_back(set[b]);
      const auto [entry, fresh] =
          known.emplace(std::move(signature), static_cast<std::uint8_t>(known.size()));
      classes[b] = entry->second;
      if (fresh)
        representatives.push_back(static_cast<unsigned char>(b));
    }
    starting.resize(representatives.size());
    for (std::size_t c = 0; c < representatives.size(); ++c)
      for (std::size_t p = 0; p < patterns.size(); ++p)
        if (patterns[p][0][representatives[c]])
          starting[c].push_back(static_cast<std::uint16_t>(p));
    for (const auto& pattern : patterns) {
      auto& sets = advancing.emplace_back(pattern.size());
      for (std::size_t pos = 0; pos < pattern.size(); ++pos)
        for (std::size_t c = 0; c < representatives.size(); ++c)
          sets[pos][c] = pattern[pos][representatives[c]];
    }
  }

  std::size_t number_of(subset items) {
    const auto [entry, fresh] = numbers.try_emplace(std::move(items), subsets.size());
    if (fresh)
      subsets.push_back(entry->first);
    return entry->second;
  }

  /// Most bytes take every subset where they take the empty one; only those that some pattern under
  /// way waits for are worked out.
  void follow(std::size_t s) {
    byte_set waited;
    for (const auto item : subsets[s])
      if (const auto& sets = advancing[item / 64]; item % 64 < sets.size())
        waited |= sets[item % 64];
    std::vector<std::size_t> row = s == 0 ? std::vector<std::size_t>{} : transitions[0];
    for (std::size_t c = 0; c < representatives.size(); ++c) {
      if (s == 0)
        row.push_back(number_of(target(s, c)));
      else if (waited[c])
        row[c] = number_of(target(s, c));
    }
    transitions.push_back(std::move(row));
  }

  subset target(std::size_t s, std::size_t c) const {
    subset out;
    out.reserve(subsets[s].size() + starting[c].size());
    for (const auto item : subsets[s])
      if (const auto& sets = advancing[item / 64]; item % 64 < sets.size() && sets[item % 64][c])
        out.push_back(item + 1);
    for (const auto p : starting[c])
      out.push_back(static_cast<char32_t>(p * 64U + 1U));
    std::sort(out.begin(), out.end());
    return out;
  }

  std::vector<std::uint16_t> accepted(std::size_t s, trigger_use other) const {
    std::vector<std::uint16_t> out;
    for (const auto item : subsets[s]) {
      const std::size_t p = item / 64;
      const bool complete = item % 64 == patterns[p].size();
      if (complete && (triggers[p].use == trigger_use::both || triggers[p].use == other))
        out.push_back(static_cast<std::uint16_t>(p));
    }
    return out;
  }

  /// States in the order nothing < scan < filter, so that one comparison tells what a state does.
  std::vector<std::size_t> order(std::size_t& accepting, std::size_t& filtering) const {
    std::vector<std::size_t> plain;
    std::vector<std::size_t> scanning;
    std::vector<std::size_t> filters;
    for (std::size_t s = 0; s < subsets.size(); ++s) {
      if (!accepted(s, trigger_use::filter).empty())
        filters.push_back(s);
      else if (!accepted(s, trigger_use::scan).empty())
        scanning.push_back(s);
      else
        plain.push_back(s);
    }
    accepting = plain.size();
    filtering = plain.size() + scanning.size();
    plain.insert(plain.end(), scanning.begin(), scanning.end());
    plain.insert(plain.end(), filters.begin(), filters.end());
    return plain;
  }
};

trigger_automaton::trigger_automaton(std::span<const trigger> triggers) {
  const builder b{triggers};
  if (b.subsets.size() > 0xFFFF)
    throw std::length_error("too many redaction triggers");
  std::size_t accepting = 0;
  std::size_t filtering = 0;
  const auto order = b.order(accepting, filtering);
  std::vector<state> position(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    position[order[i]] = static_cast<state>(i);

  classes_ = b.classes;
  shift_ = static_cast<std::size_t>(std::bit_width(b.representatives.size() - 1));
  next_.resize(order.size() << shift_);
  for (std::size_t i = 0; i < order.size(); ++i) {
    accepted_.push_back(b.accepted(order[i], trigger_use::scan));
    for (std::size_t c = 0; c < b.representatives.size(); ++c)
      next_[(i << shift_) + c] = position[b.transitions[order[i]][c]];
  }
  for (const auto& pattern : b.patterns)
    lengths_.push_back(pattern.size());
  longest_ = *std::max_element(lengths_.begin(), lengths_.end());
  first_accepting_ = static_cast<state>(accepting);
  first_filtering_ = static_cast<state>(filtering);
  // A text begins as if a space stood before it.
  root_ = position[0];
  start_ = step(root_, ' ');
}

bool trigger_automaton::filter_hit(std::string_view text) const {
  // Four parts are walked side by side, since a single walk waits for memory at every byte. Each
  // part begins early enough to see a trigger that crosses the border.
  constexpr std::size_t lanes = 4;
  const std::size_t part = text.size() / lanes;
  const char* const p = text.data();
  std::size_t done = 0;
  state s0 = start_;
  if (part > longest_) {
    const std::size_t length = part + longest_;
    const char* const p1 = p + part - longest_;
    const char* const p2 = p + 2 * part - longest_;
    const char* const p3 = p + 3 * part - longest_;
    state s1 = root_;
    state s2 = root_;
    state s3 = root_;
    for (std::size_t i = 0; i < length; ++i) {
      s0 = step(s0, p[i]);
      s1 = step(s1, p1[i]);
      s2 = step(s2, p2[i]);
      s3 = step(s3, p3[i]);
      if (std::max(std::max(s0, s1), std::max(s2, s3)) >= first_filtering_)
        return true;
    }
    s0 = s3;
    done = 3 * part - longest_ + length;
  }
  for (; done < text.size(); ++done) {
    s0 = step(s0, p[done]);
    if (s0 >= first_filtering_)
      return true;
  }
  return false;
}

} // namespace gasoline::redaction
