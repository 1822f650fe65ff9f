#include "actors/redaction/rules/triggers/trigger_search.hpp"

#include <algorithm>

namespace gasoline::redaction {
namespace {

std::uint8_t byte_of(char c) {
  return static_cast<std::uint8_t>(c);
}

/// Whether the trigger stands where its window is at `at`, in a text that begins at `begin`.
bool stands(const trigger_tables& tables, const placed_trigger& t, std::string_view text,
            std::size_t begin, std::size_t at) {
  if (at < begin + t.window || at - t.window + t.length > text.size() + 1)
    return false;
  const std::size_t first = at - t.window;
  const auto* const places = tables.places.data() + t.places;
  const auto fits = [&](std::size_t place, std::uint8_t b) {
    return holds(tables.classes[places[place]], b);
  };
  std::size_t done = 0;
  if (first == begin && !fits(done++, ' '))
    return false;
  while (done < t.length && fits(done, byte_of(text[first + done - 1])))
    ++done;
  return done == t.length;
}

/// The window one byte further.
window_number followed(window_number window, window_number next) {
  return (window >> 8U) | (next << (8 * (window_size - 1)));
}

/// The mark of a window, in the lowest bit.
std::uint64_t mark_of(const trigger_tables& tables, window_number window) {
  const auto mark = hash_of(window) >> (32 - mark_bits);
  return tables.marks[mark / 64] >> (mark % 64);
}

bool is_marked(const trigger_tables& tables, window_number window) {
  return ((mark_of(tables, window) & 1U) | (window & lone_symbol)) != 0;
}

/// The triggers that are listed under a window.
std::span<const std::uint16_t> listed(const trigger_tables& tables, window_number window) {
  const auto mask = tables.slots.size() - 1;
  auto place = slot_of(window, tables.slots.size());
  while (tables.slots[place].window != 0 && tables.slots[place].window != window)
    place = (place + 1) & mask;
  const auto& slot = tables.slots[place];
  return tables.listed.subspan(slot.first, slot.end - slot.first);
}

} // namespace

void window_walk::restart(std::size_t begin) {
  begin_ = begin;
  at_ = begin;
  window_ = tables_.symbols[byte_of(' ')];
  for (std::size_t place = 1; place < window_size; ++place)
    window_ |= symbol_at(begin + place) << (8 * place);
}

window_number window_walk::symbol_at(std::size_t i) const {
  return i > text_.size() ? window_number{0} : tables_.symbols[byte_of(text_[i - 1])];
}

void window_walk::step() {
  window_ = followed(window_, symbol_at(at_ + window_size));
  ++at_;
}

bool window_walk::find(std::size_t end) {
  // Copies of their own stay in registers.
  auto window = window_;
  auto at = at_;
  const auto symbol = [&](std::size_t ahead) {
    return window_number{tables_.symbols[byte_of(text_[at + ahead - 1])]};
  };
  // A few windows at a time: to look at each whether to stop costs more than to look at some twice.
  constexpr std::size_t stride = 4;
  const auto whole = text_.size() - std::min(text_.size(), window_size - 1);
  for (const auto last = std::min(end, whole); at + stride <= last; at += stride) {
    const auto second = followed(window, symbol(window_size));
    const auto third = followed(second, symbol(window_size + 1));
    const auto fourth = followed(third, symbol(window_size + 2));
    const auto marks = mark_of(tables_, window) | mark_of(tables_, second) |
                       mark_of(tables_, third) | mark_of(tables_, fourth);
    if (((marks & 1U) | ((window | second | third | fourth) & lone_symbol)) != 0)
      break;
    window = followed(fourth, symbol(window_size + 3));
  }
  for (; at < end && !is_marked(tables_, window); ++at)
    window = followed(window, at < whole ? symbol(window_size) : window_number{0});
  window_ = window;
  at_ = at;
  return at < end;
}

template <class Use>
bool window_walk::each_here(const Use& use) const {
  const auto each = [&](window_number window) {
    for (const auto index : listed(tables_, window))
      if (stands(tables_, tables_.triggers[index], text_, begin_, at_) &&
          use(tables_.triggers[index]))
        return true;
    return false;
  };
  const auto first = static_cast<std::uint8_t>(window_ & 0xFFU);
  return ((first & lone_symbol) != 0 && each(lone_number(first))) || each(window_);
}

bool any_trigger(const trigger_tables& tables, std::string_view text) {
  window_walk walk{tables, text};
  for (walk.restart(0); walk.find(text.size() + 1); walk.step())
    if (walk.each_here([](const auto&) { return true; }))
      return true;
  return false;
}

void trigger_walk::restart(std::size_t begin) {
  windows_.restart(begin);
  pending_.clear();
}

/// Keeps what stands at the window that was come to.
void trigger_walk::note_here() {
  const auto later = [](const found_trigger& a, const found_trigger& b) {
    return a.end != b.end ? a.end > b.end : a.number > b.number;
  };
  windows_.each_here([&](const placed_trigger& t) {
    const found_trigger found{windows_.at() - t.window + t.length - 1, t.number, t.length};
    pending_.insert(std::ranges::upper_bound(pending_, found, later), found);
    return false;
  });
  windows_.step();
}

std::optional<found_trigger> trigger_walk::next(std::size_t limit) {
  while (true) {
    // What the windows to come find ends behind their first byte.
    if (!pending_.empty() && pending_.back().end < windows_.at() && pending_.back().end <= limit) {
      const auto found = pending_.back();
      pending_.pop_back();
      return found;
    }
    const std::size_t stop = std::min(limit, pending_.empty() ? limit : pending_.back().end);
    if (windows_.at() > stop)
      return std::nullopt;
    if (windows_.find(stop + 1))
      note_here();
  }
}

} // namespace gasoline::redaction
