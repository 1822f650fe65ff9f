#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A line of the screen, or the part of it that one owner has printed.
struct screen_line {
  std::string text;
  bool struck = false; ///< its last character
};

/// What a wide terminal shows of printed text, as far as `session_view` makes use of one. Each
/// character remembers for whom it was printed, also when its line is moved or struck through.
class trace_screen {
 public:
  trace_screen() : rows_(1) {}

  void print(std::string_view text, const std::string& owner) {
    owner_ = owner;
    erased_.clear();
    erased_at_ = rows_.size();
    while (!text.empty())
      text.remove_prefix(take(text));
    hand_on_owners();
  }

  std::vector<screen_line> lines() const {
    std::vector<screen_line> out;
    for (const auto& row : rows_)
      out.push_back(line_of(row, [](const cell&) { return true; }));
    return out;
  }

  /// What was printed for this owner, without the bars that set in a worker.
  std::vector<screen_line> lines_of(const std::string& owner) const {
    std::vector<screen_line> out;
    for (const auto& row : rows_)
      if (auto line = line_of(row, [&](const cell& c) { return c.owner == owner; });
          !line.text.empty())
        out.push_back(without_bars(std::move(line)));
    return out;
  }

  /// Nobody owns any more what this owner has printed.
  void disown(const std::string& owner) {
    for (auto& row : rows_)
      for (auto& one : row)
        if (one.owner == owner)
          one.owner.clear();
  }

 private:
  struct cell {
    std::string glyph;
    bool struck = false;
    std::string owner;
  };
  using cells = std::vector<cell>;

  template <class Predicate>
  static screen_line line_of(const cells& row, Predicate wanted) {
    screen_line out;
    for (const auto& one : row)
      if (wanted(one)) {
        out.text += one.glyph;
        out.struck = one.struck;
      }
    return out;
  }

  static screen_line without_bars(screen_line line) {
    static constexpr std::string_view bar = "│ ";
    while (line.text.starts_with(bar))
      line.text.erase(0, bar.size());
    return line;
  }

  /// Takes one character or control sequence; answers its length.
  std::size_t take(std::string_view text) {
    if (text.starts_with("\r\x1b[K")) {
      erased_ = std::exchange(rows_.back(), {});
      erased_at_ = rows_.size() - 1;
      return 4;
    }
    if (text.front() == '\n') {
      rows_.emplace_back();
      return 1;
    }
    if (text.starts_with("\x1b[")) {
      const auto end = text.find('m');
      struck_ = text.substr(2, end - 2) == "9";
      return end + 1;
    }
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
      ++length;
    rows_.back().push_back({std::string{text.substr(0, length)}, struck_, owner_});
    return length;
  }

  /// The line that was erased may have been written again, further down or in another style.
  void hand_on_owners() {
    for (auto at = erased_at_; at < rows_.size() && !erased_.empty(); ++at) {
      auto& row = rows_[at];
      const bool is_same =
          row.size() >= erased_.size() &&
          std::equal(erased_.begin(), erased_.end(), row.begin(),
                     [](const cell& a, const cell& b) { return a.glyph == b.glyph; });
      if (!is_same)
        continue;
      for (std::size_t i = 0; i < erased_.size(); ++i)
        row[i].owner = erased_[i].owner;
      return;
    }
  }

  std::vector<cells> rows_;
  std::string owner_;
  bool struck_ = false;
  cells erased_;
  std::size_t erased_at_ = 0;
};
