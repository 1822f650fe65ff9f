#include "actors/redaction/rules/triggers/trigger_table_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <utility>

namespace gasoline::redaction {
namespace {

using class_list = std::vector<byte_class>;
using window = std::array<byte_class, window_size>;

constexpr byte_class every_byte{~0ULL, ~0ULL, ~0ULL, ~0ULL};

std::size_t index_of(char c) {
  return static_cast<unsigned char>(c);
}

void add_byte(byte_class& bytes, std::size_t b) {
  bytes[b / 64] |= 1ULL << (b % 64);
}

void add(byte_class& bytes, char c, bool any_case) {
  add_byte(bytes, index_of(c));
  if (any_case && c >= 'a' && c <= 'z')
    add_byte(bytes, index_of(c) - 32);
}

void add_range(byte_class& bytes, char first, char last, bool any_case) {
  for (auto b = index_of(first); b <= index_of(last); ++b)
    add(bytes, static_cast<char>(b), any_case);
}

/// Reads `[...]` after the opening bracket; `pos` ends behind the closing one.
byte_class read_class(std::string_view text, std::size_t& pos, bool any_case) {
  byte_class bytes{};
  const bool negated = text[pos] == '^';
  if (negated)
    ++pos;
  while (text[pos] != ']') {
    if (text[pos] == '\\')
      ++pos;
    const char first = text[pos++];
    const bool is_range = text[pos] == '-' && text[pos + 1] != ']';
    add_range(bytes, first, is_range ? text[pos + 1] : first, any_case);
    if (is_range)
      pos += 2;
  }
  ++pos;
  if (negated)
    for (auto& part : bytes)
      part = ~part;
  return bytes;
}

class_list read_pattern(const trigger& t) {
  class_list out;
  const std::string_view text = t.pattern;
  for (std::size_t pos = 0; pos < text.size();) {
    const char c = text[pos++];
    if (c == '[') {
      out.push_back(read_class(text, pos, t.any_case));
      continue;
    }
    auto& bytes = out.emplace_back();
    if (c == '\\' && text[pos] == 'd') {
      add_range(bytes, '0', '9', false);
      ++pos;
      continue;
    }
    add(bytes, c == '\\' ? text[pos++] : c, t.any_case);
  }
  return out;
}

/// What programs say all day. No window should be looked for that is in it; only speed depends on
/// it.
constexpr std::string_view usual_text =
    "GET http://localhost:3000/api/items/42?page=2&sort=name 200 in 12.5 ms "
    "(https://app.test:8443)\n"
    "[vite] hot updated: /src/components/App.tsx, ./src/main.tsx, revision 1048576\n"
    "TypeError: Cannot read properties of undefined (reading 'items')\n    at render "
    "(http://localhost:5173/src/App.tsx:41:17)\n    at async Promise.all (index 0)\n"
    "{\"level\":\"info\",\"time\":\"2026-11-29T12:34:56.789Z\",\"service\":\"checkout-api\","
    "\"message\":"
    "\"request "
    "completed\",\"user_id\":58213,\"status\":200,\"url\":\"/orders\",\"source\":\"app.js:120\"}\n"
    "content-type: application/json; charset=utf-8, user-agent: Mozilla/5.0 (X11; Linux x86_64)\n"
    "Loaded 120 modules in 350 ms; waiting for changes. Server listening on 127.0.0.1:8080 since "
    "2026-11-29 12:34:56, session started, connection established, transaction committed\n"
    "INFO order 1048576 was shipped to customer 58213; 3 of 17 items left, total 129.90 EUR\n"
    "/home/user/project/node_modules/react-dom/cjs/react-dom.development.js:16305:18\n"
    "c0ffee12-3456-789a-bcde-f0123456789a SELECT id, name FROM orders WHERE status = $1 ORDER BY "
    "created_at DESC LIMIT 50; WARNING: 2 packages are looking for funding, process exited\n";

/// How often a byte is met beside others, where the text above does not tell.
double weight_of(std::size_t b) {
  constexpr std::string_view letters = "etaoinsrhldcumfpgwybvkxjqz";
  constexpr std::string_view common_signs = "\":/.,-_=";
  const char c = static_cast<char>(b);
  if (const auto place = letters.find(c); place != std::string_view::npos)
    return 8 * std::pow(0.88, static_cast<double>(place));
  if (c == ' ')
    return 12;
  if ((c >= '0' && c <= '9') || common_signs.find(c) != std::string_view::npos)
    return 1.5;
  if (b < 0x20)
    return c == '\n' || c == '\t' ? 0.5 : 0.001;
  return b < 0x80 ? 0.4 : 0.02;
}

/// The share of the bytes of texts that a class takes.
class byte_shares {
 public:
  byte_shares() {
    double all = 0;
    for (std::size_t b = 0; b < bytes_.size(); ++b)
      all += bytes_[b] = weight_of(b);
    for (auto& share : bytes_)
      share /= all;
  }

  double of(const byte_class& bytes) const {
    if (bytes == every_byte)
      return 1;
    double sum = 0;
    for (std::size_t b = 0; b < bytes_.size(); ++b)
      sum += holds(bytes, static_cast<unsigned char>(b)) ? bytes_[b] : 0;
    return sum;
  }

  double of(const window& w) const {
    double product = 1;
    for (const auto& place : w)
      product *= of(place);
    return product;
  }

 private:
  std::array<double, 256> bytes_{};
};

/// The window of a pattern that begins at `begin`; behind its end anything may stand.
window window_at(const class_list& pattern, std::size_t begin) {
  window out;
  for (std::size_t i = 0; i < window_size; ++i)
    out[i] = begin + i < pattern.size() ? pattern[begin + i] : every_byte;
  return out;
}

/// What bytes count as: symbols from 1, the first ones those of classes of bytes.
enum : std::uint8_t {
  digit_symbol = 1,
  control_symbol,
  continued_symbol,
  foreign_symbol,
  first_free
};

/// First bytes of characters outside ASCII that triggers are about.
constexpr std::string_view known_leads = "\xC2\xCD\xD8\xE1\xE2\xE3\xEF\xF0\xF3";

std::uint8_t class_symbol(std::size_t b) {
  if (b >= '0' && b <= '9')
    return digit_symbol;
  if (b < 0x20 || b == 0x7F)
    return b == '\t' || b == '\n' || b == '\r' ? 0 : control_symbol;
  if (b < 0x80 || known_leads.find(static_cast<char>(b)) != std::string_view::npos)
    return 0;
  return b < 0xC0 ? continued_symbol : foreign_symbol;
}

byte_symbols plain_symbols() {
  byte_symbols out{};
  std::uint8_t next = first_free;
  for (std::size_t b = 0; b < out.size(); ++b) {
    const bool is_upper = b >= 'A' && b <= 'Z';
    const auto known = class_symbol(b);
    out[b] = known != 0 ? known : is_upper ? std::uint8_t{0} : next++;
  }
  for (std::size_t b = 'A'; b <= 'Z'; ++b)
    out[b] = out[b + 32];
  return out;
}

/// The different symbols of the bytes of a class.
std::vector<std::uint8_t> symbols_of(const byte_class& bytes, const byte_symbols& symbols) {
  std::vector<std::uint8_t> out;
  if (bytes == every_byte)
    out.push_back(0); // the text may end
  for (std::size_t b = 0; b < symbols.size(); ++b)
    if (holds(bytes, static_cast<unsigned char>(b)))
      out.push_back(symbols[b]);
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

/// A trigger is listed under each window that it may have, unless there are more.
constexpr std::size_t most_windows = 1100;

/// All windows of symbols that a window of bytes may be; none: there are too many.
std::vector<window_number> windows_of(const window& w, const byte_symbols& symbols) {
  std::vector<window_number> out{0};
  for (std::size_t i = 0; i < window_size; ++i) {
    std::vector<window_number> longer;
    const auto here = symbols_of(w[i], symbols);
    if (out.size() * here.size() > most_windows)
      return {};
    for (const auto begun : out)
      for (const auto symbol : here)
        longer.push_back(begun | (window_number{symbol} << (8 * i)));
    out = std::move(longer);
  }
  return out;
}

/// How a trigger is noticed: by its window, or by a single byte at the beginning of it.
struct sign {
  std::size_t begin = 0;
  std::vector<window_number> windows;
};

/// Chooses signs that usual texts seldom show.
class sign_chooser {
 public:
  explicit sign_chooser(const byte_symbols& symbols) : symbols_(symbols) {
    for (std::size_t i = 0; i + window_size <= usual_text.size(); ++i) {
      auto& window = usual_.emplace_back();
      for (std::size_t place = 0; place < window_size; ++place)
        window |= window_number{symbols[index_of(usual_text[i + place])]} << (8 * place);
    }
  }

  sign choose(const class_list& pattern) const {
    sign best;
    double least = 2; // more than any share
    for (std::size_t i = 0; i == 0 || i + window_size <= pattern.size(); ++i) {
      const auto seen = window_at(pattern, i);
      auto windows = windows_of(seen, symbols_);
      const double share = share_of(windows) + shares_.of(seen);
      if (windows.empty() || share >= least)
        continue;
      best = {i, std::move(windows)};
      least = share;
    }
    if (best.windows.empty())
      for (std::size_t i = 1; i < pattern.size(); ++i)
        if (shares_.of(pattern[i]) < shares_.of(pattern[best.begin]))
          best.begin = i;
    return best;
  }

 private:
  double share_of(std::vector<window_number> windows) const {
    std::ranges::sort(windows);
    const auto seen = std::ranges::count_if(
        usual_, [&](auto each) { return std::ranges::binary_search(windows, each); });
    return static_cast<double>(seen) / static_cast<double>(usual_.size());
  }

  byte_symbols symbols_;
  byte_shares shares_;
  std::vector<window_number> usual_;
};

} // namespace

trigger_table_set::trigger_table_set(std::span<const trigger> triggers, trigger_use use)
    : symbols_(plain_symbols()) {
  const sign_chooser signs{symbols_};
  std::map<window_number, std::vector<std::uint16_t>> lists;
  for (std::size_t number = 0; number < triggers.size(); ++number) {
    if (triggers[number].use != trigger_use::both && triggers[number].use != use)
      continue;
    const auto pattern = read_pattern(triggers[number]);
    const auto found = signs.choose(pattern);
    const auto index = place(pattern, number, found.begin);
    for (const auto each : found.windows)
      lists[each].push_back(index);
    if (!found.windows.empty())
      continue;
    for (const auto symbol : symbols_of(pattern[found.begin], symbols_))
      lists[lone_number(symbol)].push_back(index);
  }
  mark_lone_symbols(lists);
  make_slots(lists);
}

/// Adds the trigger to those that are looked for; its index among them.
std::uint16_t trigger_table_set::place(const std::vector<byte_class>& pattern, std::size_t number,
                                       std::size_t window) {
  triggers_.push_back(
      {static_cast<std::uint16_t>(number), static_cast<std::uint16_t>(places_.size()),
       static_cast<std::uint8_t>(pattern.size()), static_cast<std::uint8_t>(window)});
  for (const auto& bytes : pattern) {
    const auto known = std::ranges::find(classes_, bytes);
    places_.push_back(static_cast<std::uint8_t>(known - classes_.begin()));
    if (known == classes_.end())
      classes_.push_back(bytes);
  }
  return static_cast<std::uint16_t>(triggers_.size() - 1);
}

/// Symbols that are looked at by themselves get their bit, in the windows of others too.
void trigger_table_set::mark_lone_symbols(window_lists& lists) {
  std::array<bool, lone_symbol> is_lone{};
  for (const auto& [window, list] : lists)
    if (window >= lone_number(0))
      is_lone[window & 0xFFU] = true;
  for (auto& symbol : symbols_)
    symbol = static_cast<std::uint8_t>(is_lone[symbol] ? symbol | lone_symbol : symbol);
  window_lists marked;
  for (auto& [window, list] : lists) {
    auto number = window;
    for (std::size_t i = 0; i < window_size; ++i)
      if (const auto symbol = (window >> (8 * i)) & 0xFFU; symbol < lone_symbol && is_lone[symbol])
        number |= window_number{lone_symbol} << (8 * i);
    marked.emplace(number, std::move(list));
  }
  lists = std::move(marked);
}

void trigger_table_set::make_slots(const window_lists& lists) {
  slots_.resize(std::bit_ceil(lists.size() * 3 / 2 + 1));
  for (const auto& [window, list] : lists) {
    const auto mark = hash_of(window) >> (32 - mark_bits);
    marks_[mark / 64] |= 1ULL << (mark % 64);
    auto place = slot_of(window, slots_.size());
    while (slots_[place].window != 0)
      place = (place + 1) % slots_.size();
    const auto first = static_cast<std::uint16_t>(listed_.size());
    listed_.insert(listed_.end(), list.begin(), list.end());
    slots_[place] = {window, first, static_cast<std::uint16_t>(listed_.size())};
  }
}

trigger_tables trigger_table_set::view() const {
  return {symbols_, marks_, slots_, listed_, triggers_, places_, classes_};
}

} // namespace gasoline::redaction
