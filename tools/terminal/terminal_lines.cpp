#include "tools/terminal/terminal_lines.hpp"

#include <array>
#include <utility>

namespace gasoline {
namespace {

/// Text that cannot command the terminal: without control characters but line breaks and tabs.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool c1 =
        byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (c1)
      ++i;
    else if (byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7F))
      out += text[i];
  }
  return out;
}

} // namespace

void terminal_lines::strike_last_line() {
  const auto text = last_line_;
  if (erase_last_line())
    put(std::string_view{text}.substr(prefix_.size()), text_mark::struck);
}

/// Bytes are at least as many as columns, but for tabs.
bool terminal_lines::can_rewrite() const {
  return style_.terminal && !last_line_.empty() && last_line_.size() < style_.columns &&
         last_line_.find('\t') == std::string::npos;
}

bool terminal_lines::erase_last_line() {
  if (!can_rewrite())
    return false;
  out_ += "\r\x1b[K";
  last_line_.clear();
  last_drawn_.clear();
  return true;
}

void terminal_lines::begin_line() {
  if (last_line_.empty())
    return;
  out_ += '\n';
  last_line_.clear();
  last_drawn_.clear();
}

void terminal_lines::add_line(std::initializer_list<marked_text> pieces) {
  begin_line();
  for (const auto& one : pieces)
    put(one.text, one.with);
  begin_line();
}

void terminal_lines::add_line_above(std::initializer_list<marked_text> pieces) {
  const auto text = last_line_;
  const auto drawn = last_drawn_;
  const bool moves = erase_last_line();
  add_line(pieces);
  if (!moves)
    return;
  out_ += drawn;
  last_line_ = text;
  last_drawn_ = drawn;
}

std::string terminal_lines::take() {
  return std::exchange(out_, {});
}

void terminal_lines::put(std::string_view text, text_mark with) {
  const auto shown = printable(text);
  std::string_view rest{shown};
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    draw_piece(rest.substr(0, end), with);
    if (end == std::string_view::npos)
      return;
    out_ += '\n';
    last_line_.clear();
    last_drawn_.clear();
    rest.remove_prefix(end + 1);
  }
}

void terminal_lines::draw_piece(std::string_view piece, text_mark with) {
  static constexpr std::array<std::string_view, 5> codes{"", "1", "2", "31", "9"};
  if (piece.empty())
    return;
  const auto code = codes[static_cast<std::size_t>(with)];
  std::string drawn;
  if (last_line_.empty())
    drawn += prefix_;
  if (style_.terminal && !code.empty())
    drawn.append("\x1b[").append(code).append("m").append(piece).append("\x1b[0m");
  else
    drawn += piece;
  if (last_line_.empty())
    last_line_ += prefix_;
  last_line_ += piece;
  last_drawn_ += drawn;
  out_ += drawn;
}

} // namespace gasoline
