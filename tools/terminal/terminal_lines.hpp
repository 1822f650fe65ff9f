#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace gasoline {

/// What the view may draw with.
struct view_style {
  bool terminal = false;   ///< colours, and lines that are written again
  std::size_t columns = 0; ///< of the terminal; 0: unknown
};

/// How a text looks on a terminal; elsewhere all look the same.
enum class text_mark : std::uint8_t { plain, bold, dim, red, struck };

/// A piece of a line.
struct marked_text {
  std::string_view text;
  text_mark with = text_mark::plain;
};

/// Lines on their way to a terminal or a file, the last of them unfinished. Control characters in
/// texts are left out, but line breaks and tabs, so that no text commands the terminal.
class terminal_lines {
 public:
  explicit terminal_lines(view_style style) : style_(style) {}

  /// What lines begin with from now on.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  /// Adds to the unfinished line.
  void put(std::string_view text, text_mark with);

  /// Ends the unfinished line, if there is one.
  void begin_line();

  /// Adds one whole line.
  void add_line(std::initializer_list<marked_text> pieces);

  /// The same above the unfinished line, which moves below where the terminal can do that.
  void add_line_above(std::initializer_list<marked_text> pieces);

  /// Takes the unfinished line back; false: it is more than one line on the screen, or no terminal.
  bool erase_last_line();

  /// Writes the unfinished line again, struck through, as far as it is still one line on the
  /// screen.
  void strike_last_line();

  /// What has been written since this was asked last.
  std::string take();

 private:
  bool can_rewrite() const;
  void draw_piece(std::string_view piece, text_mark with);

  view_style style_;
  std::string prefix_;
  std::string last_line_;  // what stands on the unfinished line
  std::string last_drawn_; // the same with its colours
  std::string out_;
};

} // namespace gasoline
