#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gasoline::redaction {
namespace {

/// How long a line of a table may be, and how many lines are followed.
constexpr std::size_t longest_row = 4'096;
constexpr std::size_t most_rows = 1'000;

struct table_part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// What stands between the columns, and how it is written.
enum class column_sign : std::uint8_t { bar, tab, escaped_tab, comma, semicolon, spaces };

/// The length of a vertical bar of any kind at `pos`; 0 when there is none.
std::size_t bar_length(std::string_view text, std::size_t pos) {
  if (text[pos] == '|')
    return text.substr(pos, 2) == "||" ? 2 : 1;
  for (const std::string_view bar : {"│", "┃", "║", "┆", "¦"})
    if (text.substr(pos, bar.size()) == bar)
      return bar.size();
  return 0;
}

std::size_t sign_length(column_sign sign, std::string_view text, std::size_t pos) {
  switch (sign) {
  case column_sign::bar:
    return bar_length(text, pos);
  case column_sign::tab:
    return text[pos] == '\t' ? 1 : 0;
  case column_sign::escaped_tab:
    return text.substr(pos, 2) == "\\t" ? 2 : 0;
  case column_sign::comma:
    return text[pos] == ',' ? 1 : 0;
  case column_sign::semicolon:
    return text[pos] == ';' ? 1 : 0;
  case column_sign::spaces: {
    const auto end = std::min(text.find_first_not_of(' ', pos), text.size());
    return end - pos >= 2 ? end - pos : 0;
  }
  }
  return 0;
}

/// The cell without blanks around it.
table_part trimmed(std::string_view text, table_part cell) {
  while (cell.begin < cell.end && any_of(text[cell.begin], " \t\r"))
    ++cell.begin;
  while (cell.end > cell.begin && any_of(text[cell.end - 1], " \t\r"))
    --cell.end;
  return cell;
}

/// The cell without the quotes around it.
table_part unquoted(std::string_view text, table_part cell) {
  if (cell.end - cell.begin >= 2 && is_quote(text[cell.begin]) &&
      text[cell.end - 1] == text[cell.begin])
    return {cell.begin + 1, cell.end - 1};
  // The last cell of a row that is quoted as a whole: `row "ann | x"`.
  if (cell.end > cell.begin && text[cell.end - 1] == '"')
    return {cell.begin, cell.end - 1};
  return cell;
}

/// The cells of a line; the borders of a box are not such.
std::vector<table_part> cells_of(std::string_view text, table_part line, column_sign sign) {
  std::vector<table_part> cells;
  if (sign == column_sign::spaces || sign == column_sign::bar)
    line = trimmed(text, line);
  std::size_t begin = line.begin;
  for (std::size_t p = line.begin; p < line.end;) {
    const bool opens = is_quote(text[p]) && trimmed(text, {begin, p}).begin == p;
    const auto close = opens && sign != column_sign::bar ? text.find(text[p], p + 1) : npos;
    if (close < line.end) {
      p = close + 1;
      continue;
    }
    const std::size_t length = sign_length(sign, text.substr(0, line.end), p);
    if (length == 0) {
      ++p;
      continue;
    }
    if (sign != column_sign::bar || p != line.begin)
      cells.push_back(trimmed(text, {begin, p}));
    p += length;
    begin = p;
  }
  if (sign != column_sign::bar || begin < line.end)
    cells.push_back(trimmed(text, {begin, line.end}));
  return cells;
}

/// `|---|:--:|`, `+----+`, `├──┼──┤`: no row, but a line between rows.
bool is_rule(std::string_view line) {
  bool any = false;
  for (std::size_t p = 0; p < line.size();) {
    const auto c = static_cast<unsigned char>(line[p]);
    if (c == 0xE2 && p + 2 < line.size() && (line[p + 1] == '\x94' || line[p + 1] == '\x95')) {
      any = true;
      p += 3;
      continue;
    }
    if (!any_of(line[p], "-+=|: \t\r"))
      return false;
    any = any || any_of(line[p], "-=");
    ++p;
  }
  return any;
}

/// Names of columns are short and no sentences.
bool is_head(std::string_view text, const std::vector<table_part>& cells, column_sign sign) {
  const std::ptrdiff_t most_spaces = sign == column_sign::comma ? 2 : 4;
  for (const auto& cell : cells) {
    const auto quoteless = unquoted(text, cell);
    const auto name = text.substr(quoteless.begin, quoteless.end - quoteless.begin);
    if (name.size() > name_reach || std::count(name.begin(), name.end(), ' ') > most_spaces ||
        name.find_first_of("={}<>;!?") != npos ||
        (sign == column_sign::spaces && name.find(": ") != npos) || name.ends_with('.') ||
        name.ends_with(':'))
      return false;
    if (name.empty() && sign != column_sign::bar && sign != column_sign::tab)
      return false;
    // Behind a comma in a sentence comes a space.
    const bool spaced = cell.begin > 0 && &cell != &cells.front() && text[cell.begin - 1] == ' ';
    if (sign == column_sign::comma && spaced && name.find(' ') != npos)
      return false;
  }
  return true;
}

/// The line that `pos` is in; `line_break` is a line break or the escape for one.
table_part line_around(std::string_view text, std::size_t pos, std::string_view line_break) {
  const auto before =
      pos < line_break.size() ? npos : text.rfind(line_break, pos - line_break.size());
  return {before == npos ? 0 : before + line_break.size(),
          std::min(text.find(line_break, pos), text.size())};
}

/// Whether the line begins with a vertical bar.
bool begins_with_bar(std::string_view text, table_part line) {
  line = trimmed(text, line);
  return line.begin < line.end && bar_length(text, line.begin) > 0;
}

/// The head from its first bar on, when the line below begins with one: `Error: | user | password
/// |`.
table_part without_lead(std::string_view text, table_part head, table_part below) {
  if (begins_with_bar(text, head) || !begins_with_bar(text, below))
    return head;
  std::size_t bar = head.begin;
  while (bar < head.end && bar_length(text, bar) == 0)
    ++bar;
  return {bar, head.end};
}

std::size_t indent_of_line(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// The sign that separates the columns of the line, if it may be one of a table.
bool find_sign(std::string_view line, column_sign& sign) {
  const auto has = [&](std::string_view s) { return line.find(s) != npos; };
  if (has("|") || has("│") || has("┃") || has("║"))
    sign = column_sign::bar;
  else if (has("\t"))
    sign = column_sign::tab;
  else if (has("\\t"))
    sign = column_sign::escaped_tab;
  else if (has(","))
    sign = column_sign::comma;
  else if (has(";"))
    sign = column_sign::semicolon;
  else if (line.find("  ", std::min(line.find_first_not_of(' '), line.size())) != npos)
    sign = column_sign::spaces;
  else
    return false;
  return true;
}

} // namespace

/// `id,email,password`, and lines below: a table whose head names a secret. Its cells are masked
/// when the walk comes to them.
bool text_pass::table_values(const key_at& key) {
  const std::string_view line_break = in_.find('\n') == npos ? "\\n" : "\n";
  if (key.begin < no_table_ || in_.find(line_break, key.end) == npos)
    return false;
  const table_part head = line_around(in_, key.begin, line_break);
  no_table_ = head.end;
  const auto head_text = in_.substr(head.begin, head.end - head.begin);
  auto sign = column_sign::bar;
  const table_part next = head.end + line_break.size() <= in_.size()
                              ? line_around(in_, head.end + line_break.size(), line_break)
                              : table_part{};
  const auto next_text = in_.substr(next.begin, next.end - next.begin);
  const bool ruled = is_rule(next_text);
  if (head_text.size() > longest_row || (!find_sign(head_text, sign) && !ruled))
    return false;
  const auto columns =
      cells_of(in_, sign == column_sign::bar ? without_lead(in_, head, next) : head, sign);
  const bool single = columns.size() == 1 && ruled;
  if ((columns.size() < 2 && !single) || !is_head(in_, columns, sign))
    return false;
  if (head.begin > 0) {
    const table_part above = line_around(in_, head.begin - line_break.size(), line_break);
    const bool rule_above = is_rule(in_.substr(above.begin, above.end - above.begin));
    // What stands below a rule between words is a row, unless a box begins with that rule.
    if (rule_above && sign == column_sign::spaces && !ruled)
      return false;
    const bool row_above = !rule_above && above.end > above.begin &&
                           cells_of(in_, above, sign).size() == columns.size();
    if (row_above && !single && (!ruled || sign == column_sign::comma))
      return false;
  }
  std::vector<key_class> judged;
  std::vector<std::string_view> names;
  for (const auto& column : columns) {
    const auto cell = unquoted(in_, column);
    names.push_back(in_.substr(cell.begin, cell.end - cell.begin));
    judged.push_back(classify_key(names.back()));
  }
  if (std::all_of(judged.begin(), judged.end(),
                  [](key_class each) { return each == key_class::plain; }))
    return false;
  bool found = false;
  std::size_t row_indent = indent_of_line(head_text);
  std::size_t p = head.end;
  for (std::size_t lines = 0; lines < most_rows && p + line_break.size() <= in_.size(); ++lines) {
    const table_part line = line_around(in_, p + line_break.size(), line_break);
    p = line.end;
    const auto text = in_.substr(line.begin, line.end - line.begin);
    if (is_rule(text))
      continue;
    if (text.size() > longest_row || text.find_first_not_of(" \t\r") == npos)
      break;
    const auto cells = cells_of(in_, line, sign);
    // What belongs to a row stands below it, further in: the buttons of one in an outline.
    if (sign == column_sign::bar && cells.size() == 1 && indent_of_line(text) > row_indent)
      continue;
    // The numbers of rows stand below no name: `0   ann   x`.
    const std::size_t numbers =
        sign == column_sign::spaces && cells.size() == columns.size() + 1 &&
                all_digits(in_.substr(cells[0].begin, cells[0].end - cells[0].begin))
            ? 1
            : 0;
    if (cells.size() != columns.size() + numbers)
      break;
    found = true;
    row_indent = indent_of_line(text);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const table_part cell = unquoted(in_, cells[i + numbers]);
      const auto value = in_.substr(cell.begin, cell.end - cell.begin);
      if (is_secret_cell(names[i], judged[i], value))
        plan(cell.begin, cell.end, "table");
    }
  }
  return found;
}

/// `<th>password</th>` with the cells below it, or the cell beside it.
bool text_pass::html_table_values(const key_at& key) {
  if (in_.substr(key.end, 3) != "</t" || key.begin < no_table_)
    return false;
  const auto closing = in_.substr(key.end + 2, 2);
  if (closing != "th" && closing != "td")
    return false;
  const auto cell_at = [&](std::size_t from, std::size_t to, std::size_t number) -> table_part {
    const auto text = in_.substr(0, to);
    for (std::size_t p = from;; --number) {
      p = std::min(text.find("<th", p), text.find("<td", p));
      const auto open = p == npos ? npos : text.find('>', p);
      if (open == npos)
        return {};
      p = std::min(in_.find('<', open), in_.size());
      if (number == 0)
        return {open + 1, p};
    }
  };
  const auto row = in_.substr(0, key.begin).rfind("<tr");
  if (row == npos || key.begin - row > longest_row)
    return false;
  std::size_t column = 0;
  for (std::size_t p = row; (p = in_.find("<t", p)) < key.begin; ++p)
    column += in_[p + 2] == 'h' || in_[p + 2] == 'd' ? 1 : 0;
  const auto row_end = std::min(in_.find("</tr", key.end), in_.size());
  const auto mask_cell = [&](table_part cell) {
    const auto inner = trimmed(in_, cell);
    const auto value = in_.substr(inner.begin, inner.end - inner.begin);
    if (inner.end > inner.begin && is_secret_cell(key.name, key.judged, value))
      plan(inner.begin, inner.end, "table");
  };
  if (column == 1) {
    const auto beside = in_.substr(key.end, row_end - key.end).find("<td");
    if (beside != npos && closing == "th") {
      mask_cell(cell_at(key.end, row_end, 0));
      return true;
    }
  }
  const auto table_end = std::min(in_.find("</table", row_end), in_.size());
  std::size_t p = row_end;
  for (std::size_t rows = 0; rows < most_rows; ++rows) {
    const auto begin = in_.substr(0, table_end).find("<tr", p);
    if (begin == npos)
      break;
    p = std::min(in_.find("</tr", begin), table_end);
    mask_cell(cell_at(begin, p, column - 1));
  }
  return true;
}

/// Notes a stretch further on that is masked when the walk comes to it.
void text_pass::plan(std::size_t begin, std::size_t end, std::string_view rule) {
  if (begin >= end || begin < last_)
    return;
  const planned_mask mask{begin, end, rule};
  const auto place = std::upper_bound(
      planned_.begin() + static_cast<std::ptrdiff_t>(planned_done_), planned_.end(), mask,
      [](const auto& a, const auto& b) { return a.begin < b.begin; });
  planned_.insert(place, mask);
  next_planned_ = planned_[planned_done_].begin;
}

} // namespace gasoline::redaction
