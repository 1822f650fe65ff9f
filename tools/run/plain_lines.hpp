#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace gasoline {

/// Makes lines of plain text out of what a program writes to a terminal: colours and titles are
/// taken out, a carriage return or an erased line begins it anew, and a cleared screen or a cursor
/// that goes up is told, since what stood there will be printed again. Never keeps more than one
/// line of `most_line_bytes`; what a longer one has beyond that is counted and passed over.
class plain_lines {
 public:
  static constexpr std::size_t most_line_bytes = 16U << 10U;

  /// Gets each line, valid during the call.
  using line_sink = std::function<void(std::string_view line)>;
  /// Is told that the screen was cleared, or is painted anew.
  using clear_sink = std::function<void()>;

  plain_lines(line_sink on_line, clear_sink on_clear)
      : on_line_(std::move(on_line)), on_clear_(std::move(on_clear)) {}

  void take(std::string_view bytes);

  /// Bytes are missing here: the line that they belong to is not known.
  void skip();

  /// Hands on a line that has no end yet, if there is one.
  void finish();

  std::uint64_t cut_bytes() const noexcept { return cut_bytes_; } ///< left out of long lines

 private:
  void keep(std::string_view bytes);
  void end_line(std::string_view raw);
  void hand_on(std::string_view line);

  line_sink on_line_;
  clear_sink on_clear_;
  std::string partial_;
  std::string plain_;
  std::uint64_t cut_bytes_ = 0;
  bool skipping_ = false; ///< until the next line break
};

} // namespace gasoline
