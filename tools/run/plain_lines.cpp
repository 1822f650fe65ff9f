#include "tools/run/plain_lines.hpp"

#include <algorithm>
#include <charconv>

namespace gasoline {
namespace {

constexpr char escape = '\x1B';
constexpr char bell = '\x07';

/// What a control sequence does to the text around it.
enum class effect : std::uint8_t { none, begins_line, clears_screen, goes_up };

/// One control sequence at the beginning of a text.
struct control_sequence {
  std::size_t size = 0;
  effect does = effect::none;
};

// `ESC ] … BEL` or `ESC ] … ESC \`: titles, links, marks of the shell.
std::size_t string_size(std::string_view text) {
  for (std::size_t i = 2; i < text.size(); ++i) {
    if (text[i] == bell)
      return i + 1;
    if (text[i] == escape)
      return i + 1 < text.size() && text[i + 1] == '\\' ? i + 2 : i;
  }
  return text.size();
}

effect effect_of(std::string_view parameters, char final) {
  switch (final) {
  case 'J':
    return parameters == "1" ? effect::none : effect::clears_screen;
  case 'K':
    return parameters == "2" ? effect::begins_line : effect::none;
  case 'G':
    return parameters.empty() || parameters == "0" || parameters == "1" ? effect::begins_line
                                                                        : effect::none;
  case 'A':
  case 'F':
    return effect::goes_up;
  default:
    return effect::none;
  }
}

control_sequence sequence_at(std::string_view text) {
  if (text.size() < 2)
    return {text.size(), effect::none};
  switch (text[1]) {
  case '[': {
    std::size_t end = 2;
    while (end < text.size() && text[end] >= 0x20 && text[end] <= 0x3F)
      ++end;
    if (end >= text.size())
      return {text.size(), effect::none};
    return {end + 1, effect_of(text.substr(2, end - 2), text[end])};
  }
  case ']':
  case 'P':
  case '_':
  case '^':
  case 'X':
    return {string_size(text), effect::none};
  case 'c':
    return {2, effect::clears_screen};
  case '(':
  case ')':
  case '#':
    return {std::min<std::size_t>(3, text.size()), effect::none};
  default:
    return {2, effect::none};
  }
}

bool is_plain(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t'; });
}

/// Where what a terminal shows of the line begins: behind the last thing that took it back to its
/// begin; `npos`: nothing did.
std::size_t last_line_begin(std::string_view text) {
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == '\r' && i + 1 < text.size())
      return i + 1;
    if (text[i] == escape && sequence_at(text.substr(i)).does == effect::begins_line)
      return i;
  }
  return std::string_view::npos;
}

} // namespace

// A progress bar that runs for minutes is one line: what has been painted over needs no room.
void plain_lines::keep(std::string_view bytes) {
  const bool full = partial_.size() + bytes.size() > most_line_bytes;
  const bool may_repaint =
      partial_.size() < most_line_bytes || bytes.find_first_of("\r\x1B") != std::string_view::npos;
  if (full && may_repaint) {
    partial_ += bytes;
    const auto begin = last_line_begin(partial_);
    partial_.erase(0, begin == std::string_view::npos ? 0 : begin);
    bytes = {};
  }
  const auto room = most_line_bytes - std::min(most_line_bytes, partial_.size());
  partial_ += bytes.substr(0, room);
  cut_bytes_ += bytes.size() - std::min(room, bytes.size());
  if (partial_.size() <= most_line_bytes)
    return;
  cut_bytes_ += partial_.size() - most_line_bytes;
  const bool goes_back = partial_.back() == '\r';
  partial_.resize(most_line_bytes);
  if (goes_back)
    partial_.back() = '\r';
}

void plain_lines::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto end = bytes.find('\n');
    if (end == std::string_view::npos) {
      if (!skipping_)
        keep(bytes);
      return;
    }
    if (skipping_) {
      skipping_ = false;
    } else if (partial_.empty() && end <= most_line_bytes) {
      end_line(bytes.substr(0, end));
    } else {
      keep(bytes.substr(0, end));
      end_line(partial_);
      partial_.clear();
    }
    bytes.remove_prefix(end + 1);
  }
}

void plain_lines::skip() {
  partial_.clear();
  skipping_ = true;
}

void plain_lines::finish() {
  if (!partial_.empty())
    end_line(partial_);
  partial_.clear();
}

void plain_lines::hand_on(std::string_view line) {
  const auto last = line.find_last_not_of(" \t");
  on_line_(line.substr(0, last == std::string_view::npos ? 0 : last + 1));
}

void plain_lines::end_line(std::string_view raw) {
  while (!raw.empty() && raw.back() == '\r')
    raw.remove_suffix(1);
  if (is_plain(raw))
    return hand_on(raw);
  plain_.clear();
  for (std::size_t i = 0; i < raw.size();) {
    const char c = raw[i];
    if (c == escape) {
      const auto sequence = sequence_at(raw.substr(i));
      i += sequence.size;
      if (sequence.does == effect::begins_line)
        plain_.clear();
      if (sequence.does != effect::clears_screen && sequence.does != effect::goes_up)
        continue;
      if (!plain_.empty())
        hand_on(plain_);
      plain_.clear();
      on_clear_();
      continue;
    }
    ++i;
    if (c == '\r')
      plain_.clear();
    else if (c == '\b' && !plain_.empty())
      plain_.pop_back();
    else if (static_cast<unsigned char>(c) >= 0x20 || c == '\t')
      plain_ += c;
  }
  hand_on(plain_);
}

} // namespace gasoline
