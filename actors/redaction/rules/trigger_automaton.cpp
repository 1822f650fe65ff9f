#include "actors/redaction/rules/trigger_automaton.hpp"

#include <algorithm>
#include <bit>
#include <bitset>
#include <map>
#include <stdexcept>
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

/// Subset construction over all triggers at once. A subset lists what is under way, in order, as
/// `trigger * 64 + position`. Runs at every start of the program, so it copies and hashes little.
struct trigger_automaton::builder {
  using item = std::uint32_t;
  using subset = std::span<const item>;

  std::span<const trigger> triggers;
  std::vector<std::vector<std::size_t>> patterns; ///< per position: an index into `sets`
  std::vector<byte_set> sets;                     ///< all different ones
  std::array<std::uint8_t, 256> classes{};
  std::vector<unsigned char> representatives;
  std::vector<std::vector<std::uint8_t>> members; ///< per set: its classes
  std::vector<std::vector<item>> starting;        ///< per class: what begins with it
  std::vector<item> items;                        ///< of all subsets
  std::vector<std::size_t> ends{0};               ///< per subset: where it ends in `items`
  std::vector<std::uint32_t> numbers;             ///< a hash table of subsets, from 1; 0: free
  std::vector<std::vector<item>> advanced;        ///< per class: scratch of `follow`
  std::vector<std::uint8_t> waited;               ///< the same: classes that something waits for
  std::vector<item> merged;                       ///< the same: one subset
  std::vector<std::uint32_t> transitions;         ///< per subset and class

  explicit builder(std::span<const trigger> all) : triggers(all), numbers(1U << 14U) {
    read_patterns();
    find_classes();
    number_of({});
    for (std::size_t c = 0; c < representatives.size(); ++c)
      transitions.push_back(number_of(starting[c]));
    for (std::size_t s = 1; s < size(); ++s)
      follow(s);
  }

  std::size_t size() const { return ends.size() - 1; }

  subset at(std::size_t s) const { return {items.data() + ends[s], ends[s + 1] - ends[s]}; }

  bool is_complete(item i) const { return i % 64 == patterns[i / 64].size(); }

  void read_patterns() {
    std::unordered_map<byte_set, std::size_t> known;
    for (const auto& t : triggers) {
      auto& pattern = patterns.emplace_back();
      for (const auto& set : read_pattern(t)) {
        const auto [entry, fresh] = known.try_emplace(set, sets.size());
        if (fresh)
          sets.push_back(set);
        pattern.push_back(entry->second);
      }
    }
  }

  void find_classes() {
    std::map<std::vector<bool>, std::uint8_t> known;
    for (std::size_t b = 0; b < 256; ++b) {
      std::vector<bool> signature;
      for (const auto& set : sets)
        signature.push_back(set[b]);
      const auto [entry, fresh] =
          known.emplace(std::move(signature), static_cast<std::uint8_t>(known.size()));
      classes[b] = entry->second;
      if (fresh)
        representatives.push_back(static_cast<unsigned char>(b));
    }
    for (const auto& set : sets) {
      auto& own = members.emplace_back();
      for (std::size_t c = 0; c < representatives.size(); ++c)
        if (set[representatives[c]])
          own.push_back(static_cast<std::uint8_t>(c));
    }
    advanced.resize(representatives.size());
    starting.resize(representatives.size());
    for (std::size_t p = 0; p < patterns.size(); ++p)
      for (const auto c : members[patterns[p][0]])
        starting[c].push_back(static_cast<item>(p * 64 + 1));
  }

  static std::size_t hash_of(subset list) {
    std::uint64_t hash = list.size();
    for (const auto i : list)
      hash = (hash ^ i) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 32U);
  }

  /// Where the subset is in the table, or the free place where it belongs.
  std::size_t place_of(subset list) const {
    auto place = hash_of(list) & (numbers.size() - 1);
    while (numbers[place] != 0 && !std::ranges::equal(at(numbers[place] - 1), list))
      place = (place + 1) & (numbers.size() - 1);
    return place;
  }

  std::uint32_t number_of(subset list) {
    const auto place = place_of(list);
    if (numbers[place] != 0)
      return numbers[place] - 1;
    items.insert(items.end(), list.begin(), list.end());
    ends.push_back(items.size());
    const auto count = static_cast<std::uint32_t>(size());
    numbers[place] = count;
    if (2 * size() > numbers.size())
      grow_table();
    return count - 1;
  }

  void grow_table() {
    numbers.assign(2 * numbers.size(), 0);
    for (std::size_t s = 0; s < size(); ++s)
      numbers[place_of(at(s))] = static_cast<std::uint32_t>(s + 1);
  }

  /// Most bytes take every subset where they take the empty one; only those that some pattern under
  /// way waits for are worked out.
  void follow(std::size_t s) {
    waited.clear();
    for (const auto i : at(s)) {
      if (is_complete(i))
        continue;
      for (const auto c : members[patterns[i / 64][i % 64]]) {
        if (advanced[c].empty())
          waited.push_back(c);
        advanced[c].push_back(i + 1);
      }
    }
    const auto row = transitions.size();
    transitions.resize(row + representatives.size());
    std::copy_n(transitions.data(), representatives.size(), transitions.data() + row);
    for (const auto c : waited) {
      merged.resize(advanced[c].size() + starting[c].size());
      std::ranges::merge(advanced[c], starting[c], merged.begin());
      advanced[c].clear();
      transitions[row + c] = number_of(merged);
    }
  }

  std::vector<std::uint16_t> accepted(std::size_t s, trigger_use other) const {
    std::vector<std::uint16_t> out;
    for (const auto i : at(s)) {
      const std::size_t p = i / 64;
      if (is_complete(i) && (triggers[p].use == trigger_use::both || triggers[p].use == other))
        out.push_back(static_cast<std::uint16_t>(p));
    }
    return out;
  }

  /// States in the order nothing < scan < filter, so that one comparison tells what a state does.
  std::vector<std::size_t> order(std::size_t& accepting, std::size_t& filtering) const {
    std::vector<std::size_t> plain;
    std::vector<std::size_t> scanning;
    std::vector<std::size_t> filters;
    for (std::size_t s = 0; s < size(); ++s) {
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
  if (b.size() > 0xFFFF)
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
      next_[(i << shift_) + c] = position[b.transitions[order[i] * b.representatives.size() + c]];
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
