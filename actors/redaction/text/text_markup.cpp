#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/words.hpp"
#include "actors/redaction/text/text_pass.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace gasoline::redaction {
namespace {

/// How far the content of an element is followed.
constexpr std::size_t element_reach = 16'384;
/// How far a list of columns or a row of values is followed.
constexpr std::size_t row_reach = 1024;

/// Elements that hold the value of a setting which an attribute names.
bool is_setting_element(std::string_view name) {
  static const word_list list{"property entry item string param parameter setting field arg "
                              "variable env constant attribute data init-param"};
  return list.has(name);
}

/// Calls that type a text into the field that was looked up in front of them.
bool is_typing_call(std::string_view name) {
  static const word_list list{"type fill send_keys sendkeys setvalue set_value val typetext "
                              "entertext presssequentially press_sequentially"};
  return list.has(name);
}

/// One value of a row: where it is, and whether it stands in quotes.
struct row_value {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool quoted = false;
};

/// The values of a row behind its opening bracket; `pos` ends at what follows the last one.
std::vector<row_value> read_row(std::string_view text, std::size_t& pos) {
  std::vector<row_value> row;
  const std::size_t stop = std::min(text.size(), pos + row_reach);
  while (pos < stop) {
    while (pos < stop && is_space(text[pos]))
      ++pos;
    row_value value;
    value.quoted = pos < stop && is_quote(text[pos]);
    if (value.quoted) {
      const char quote = text[pos];
      value.begin = ++pos;
      while (pos < stop && (text[pos] != quote || (pos + 1 < stop && text[pos + 1] == quote)))
        pos += text[pos] == quote || text[pos] == '\\' ? 2 : 1;
      value.end = std::min(pos++, stop);
    } else {
      value.begin = pos;
      while (pos < stop && !any_of(text[pos], ",)"))
        ++pos;
      value.end = pos;
    }
    row.push_back(value);
    while (pos < stop && is_space(text[pos]))
      ++pos;
    if (pos >= stop || text[pos] != ',')
      break;
    ++pos;
  }
  return row;
}

} // namespace

/// Whether the name that begins here is that of an element: `<name`, `<prefix:name`, `&lt;name`.
bool text_pass::opens_element(std::size_t name) const {
  std::size_t p = name;
  while (p > last_ && name - p < name_reach && (is_name_char(in_[p - 1]) || in_[p - 1] == ':'))
    --p;
  return before(p) == '<' || (p >= 4 && in_.substr(p - 4, 4) == "&lt;");
}

/// `<password>x</password>`, with attributes, as CDATA or spelled with `&lt;`.
bool text_pass::element_value(const key_at& key) {
  std::size_t begin = key.end;
  const bool spelled = in_.substr(begin, 4) == "&gt;";
  if (is_space(at(begin))) {
    const auto tag = in_.substr(begin, tag_reach);
    const auto close = tag.find_first_of("<>");
    if (close == npos || tag[close] != '>' || before(begin + close) == '/')
      return false;
    begin += close;
  }
  if (at(begin) != '>' && !spelled)
    return false;
  begin += spelled ? 4 : 1;
  constexpr std::string_view literal = "<![CDATA[";
  const bool data = in_.substr(begin, literal.size()) == literal;
  begin += data ? literal.size() : 0;
  const auto content = in_.substr(begin, element_reach);
  const auto length = content.find(data ? "]]>" : spelled ? "&lt;" : "<");
  if (length == npos && is_space(at(begin)))
    return false;
  const std::size_t end = begin + std::min(length, content.size());
  const auto value = in_.substr(begin, end - begin);
  if (!has_substance(value) || is_placeholder(value) || is_complaint(value))
    return false;
  if (key.judged == key_class::vague && !looks_opaque(value))
    return false;
  if (in_.substr(key.end, begin - key.end).find(" encoding=") != npos)
    return cover(begin, end, mask);
  return key.judged != key_class::weak && cover(begin, end, mask);
}

/// `<key>token</key><string>x</string>`.
bool text_pass::element_pair(const key_at& key) {
  if (in_.substr(key.end, 2) != "</")
    return false;
  const auto close = in_.substr(key.end, name_reach).find('>');
  if (close == npos)
    return false;
  // Of elements that hold any text, only what looks it is taken for a value.
  const auto element_name = lowered(in_.substr(key.end + 2, close - 2));
  const bool of_any_text = element_name == "string" || element_name == "dt";
  if (!of_any_text && !name_members().has(element_name))
    return false;
  const std::size_t element = skip_space(key.end + close + 1);
  const auto open = in_.substr(element, name_reach).find('>');
  if (at(element) != '<' || open == npos)
    return false;
  const std::size_t begin = element + open + 1;
  const std::size_t end = std::min(in_.find('<', begin), in_.size());
  const auto value = in_.substr(begin, end - begin);
  return has_substance(value) && !is_placeholder(value) && (!of_any_text || looks_opaque(value)) &&
         cover(begin, end, mask);
}

/// `3) "password"`, and below it `4) "x"`: names and values as Redis lists them.
bool text_pass::replied_value(const key_at& key) {
  const std::size_t quote = quote_length(key.end);
  const auto numbered = [&](std::size_t sign) {
    return in_.substr(sign, 3) == ") \"" && is_digit(before(sign));
  };
  if (quote == 0 || key.begin < 4 || !numbered(key.begin - 3))
    return false;
  std::size_t p = key.end + quote;
  if (at(p) == '\r')
    ++p;
  if (at(p) != '\n')
    return false;
  const std::size_t sign = in_.find(')', p);
  if (sign == npos || sign - p > 12 || !numbered(sign))
    return false;
  const std::size_t close = closing_quote(sign + 2);
  const std::size_t begin = sign + 3;
  return close != npos && is_secret_cell(key.name, key.judged, in_.substr(begin, close - begin)) &&
         cover(begin, close, mask);
}

/// `name="password"`, an empty line, and the value: a part of a multipart form. Further headers of
/// the part may stand between them.
bool text_pass::form_part_value(const key_at& key) {
  const std::size_t name_end = behind_index(key.end);
  const std::size_t head = name_end + quote_length(name_end);
  for (const std::string_view gap : {"\r\n\r\n", "\n\n", "\\r\\n\\r\\n", "\\n\\n"}) {
    const auto headers = in_.substr(head, tag_reach).find(gap);
    if (headers == npos)
      continue;
    const auto between = in_.substr(head, headers);
    if (headers > 0 && !between.starts_with(';') && between.find("Content-") == npos)
      continue;
    const std::size_t value = head + headers + gap.size();
    return cover(value, line_end(value), mask);
  }
  return false;
}

/// `<input name="password" value="x">`, `<meta name="csrf-token" content="x">`, attributes in
/// either order, and `<property name="password">x</property>`.
bool text_pass::tag_value(const key_at& key) {
  const auto lead = in_.substr(0, key.begin);
  const auto attribute = lead.substr(lead.size() - std::min<std::size_t>(lead.size(), 8));
  if (attribute.find('=') == npos)
    return false;
  const auto cover_attribute = [&](std::size_t quote, std::size_t limit) {
    const std::size_t begin = quote + quote_length(quote);
    const std::size_t close = begin > quote ? closing_quote(quote) : plain_end(begin);
    return close < limit && !is_placeholder(in_.substr(begin, close - begin)) &&
           cover(begin, close, mask);
  };
  const auto tag = in_.substr(key.end, tag_reach);
  const auto tag_end = tag.find('>');
  for (const std::string_view name : {" value=", " content="})
    if (const auto value = tag.find(name); value != npos && value < tag_end)
      return cover_attribute(key.end + value + name.size(), npos);
  const auto from = std::max(last_, key.begin - std::min(key.begin, tag_reach));
  const auto front = in_.substr(from, key.begin - from);
  const auto open = front.rfind('<');
  if (open == npos || front.find('>', open) != npos)
    return false;
  for (const std::string_view name : {" value=", " content="})
    if (const auto value = front.find(name, open); value != npos)
      return cover_attribute(from + value + name.size(), key.begin);
  const auto name_end = std::min(front.find_first_of(" \t\n", open), front.size());
  if (tag_end == npos || tag[tag_end - (tag_end > 0 ? 1 : 0)] == '/' ||
      !is_setting_element(lowered(front.substr(open + 1, name_end - open - 1))))
    return false;
  const std::size_t begin = key.end + tag_end + 1;
  const std::size_t end = std::min(in_.find('<', begin), in_.size());
  const auto value = in_.substr(begin, end - begin);
  return has_substance(value) && !is_placeholder(value) && cover(begin, end, mask);
}

/// A setting that is named first: `- name: DB_PASSWORD`, `value: x` on the next line;
/// `{ name: 'token', value: 'x' }`; `variable "db_password" { default = "x" }`.
bool text_pass::neighbour_value(const key_at& key) {
  std::size_t p = key.begin;
  while (p > 0 && key.begin - p < 8 && (any_of(in_[p - 1], " :=\\") || is_quote(in_[p - 1])))
    --p;
  const std::size_t name_end = p;
  while (p > 0 && name_end - p < name_reach && (is_letter(in_[p - 1]) || in_[p - 1] == '_'))
    --p;
  if (p == name_end || name_end == key.begin ||
      !name_members().has(lowered(in_.substr(p, name_end - p))))
    return false;
  p = key.end + quote_length(key.end);
  while (at(p) != '\0' && p - key.end < name_reach && (is_space(in_[p]) || any_of(in_[p], ",;{:")))
    ++p;
  if (in_.substr(p, 5) == "type:")
    return false;
  const std::size_t word = p + quote_length(p);
  std::size_t end = word;
  while (is_letter(at(end)) || at(end) == '_')
    ++end;
  const bool set_output = before(key.begin) == '=' && in_.substr(key.end, 2) == "::";
  if (set_output) {
    const std::size_t line = line_end(p);
    return cover(p, line, mask);
  }
  if (!value_members().has(lowered(in_.substr(word, end - word))))
    return false;
  end += quote_length(end);
  const std::size_t sign = skip_blanks(end);
  if (!any_of(at(sign), ":=") || (at(sign) == '=' && at(sign + 1) == '='))
    return false;
  return bound_value(key, {binding::assign, skip_blanks(sign + 1), false});
}

/// A test that types into a field: `get('#password').type('x')`, `fill('[name="password"]', 'x')`.
bool text_pass::typed_value(const key_at& key) {
  std::size_t p = key.end;
  std::size_t closers = 0;
  for (; closers < 6; ++closers) {
    if (const std::size_t quote = quote_length(p); quote > 0)
      p += quote;
    else if (any_of(at(p), "])"))
      ++p;
    else if (closers == 0 && at(p) == '/' && before(key.begin) == '/')
      p += at(p + 1) == 'i' ? 2 : 1; // `getByLabelText(/password/i)`
    else
      break;
  }
  if (closers < 2)
    return false;
  if (at(p) == ',')
    return quote_length(skip_blanks(p + 1)) > 0 &&
           quoted_value(key, {binding::argument, skip_blanks(p + 1), false}, skip_blanks(p + 1));
  for (std::size_t calls = 0; calls < 3 && at(p) == '.'; ++calls) {
    const std::size_t name = p + 1;
    for (p = name; is_letter(at(p)) || at(p) == '_';)
      ++p;
    if (at(p) != '(' || p - name > name_reach)
      return false;
    if (is_typing_call(lowered(in_.substr(name, p - name))) && quote_length(p + 1) > 0)
      return quoted_value(key, {binding::assign, p + 1, false}, p + 1);
    if (at(p + 1) != ')')
      return false;
    p += 2;
  }
  return false;
}

/// `{ type: "SET_PASSWORD", payload: "x" }`, `action auth/setToken @ 10:00 {payload: "x"}`: an
/// action that is named after a secret, and what it carries.
bool text_pass::action_payload(const key_at& key) {
  constexpr std::string_view member = "payload";
  const bool named = before(key.begin) == '/' || is_quote(before(key.begin));
  const auto line = in_.substr(key.end, name_reach);
  const auto found = line.substr(0, line.find('\n')).find(member);
  if (found == npos || !named || key.judged != key_class::strong)
    return false;
  std::size_t p = key.end + found + member.size();
  p += quote_length(p);
  const std::size_t value = skip_blanks(skip_blanks(p) + 1);
  const std::size_t quote = quote_length(value);
  const std::size_t close = quote > 0 ? closing_quote(value) : npos;
  if (!any_of(at(skip_blanks(p)), ":=") || close == npos)
    return false;
  rule_ = "action";
  return looks_opaque(in_.substr(value + quote, close - value - quote)) &&
         cover(value + quote, close, mask);
}

/// `(name, password) VALUES ('ann', 'x')`: the values of sensitive columns, row by row.
bool text_pass::inserted_values(const key_at& key) {
  if (key.end < no_rows_)
    return false;
  const auto in_list = [](char c) {
    return is_name_char(c) || is_space(c) || is_quote(c) || any_of(c, ",[]");
  };
  std::size_t open = key.begin;
  while (open > last_ && key.begin - open < row_reach && in_list(in_[open - 1]))
    --open;
  std::size_t close = key.end;
  while (in_list(at(close)) && close - key.end < row_reach)
    ++close;
  std::size_t p = skip_space(close + 1);
  if (before(open) != '(' || at(close) != ')' || lowered(in_.substr(p, 6)) != "values") {
    no_rows_ = close;
    return false;
  }
  std::vector<bool> secret;
  std::size_t column = open;
  for (const auto& name : read_row(in_.substr(0, close + 1), column))
    secret.push_back(classify_key(in_.substr(name.begin, name.end - name.begin)) >
                     key_class::vague);
  bool covered = false;
  for (p = skip_space(p + 6); at(p) == '('; p = at(p) == ',' ? skip_space(p + 1) : p) {
    ++p;
    const auto row = read_row(in_, p);
    for (std::size_t i = 0; i < row.size() && i < secret.size(); ++i) {
      const auto value = in_.substr(row[i].begin, row[i].end - row[i].begin);
      const bool shown = !secret[i] || is_placeholder(value) || value.starts_with('?') ||
                         value.starts_with('$') || value.starts_with(':');
      std::string clean{mask};
      if (shown) {
        clean.clear();
        text_pass{context_, value, clean, levels_}.run();
      }
      covered = (clean != value && cover(row[i].begin, row[i].end, clean)) || covered;
    }
    if (at(p) != ')')
      break;
    p = skip_space(p + 1);
  }
  return covered;
}

/// `COPY users (id, password) FROM stdin;`, and rows with tabs between the values. They are masked
/// when the walk comes to them.
bool text_pass::copied_values(const key_at& key) {
  const std::size_t close =
      in_.substr(0, std::min(in_.size(), key.end + row_reach)).find(')', key.end);
  const std::size_t open = in_.substr(0, key.begin).rfind('(');
  if (close == npos || open == npos || key.begin - open > row_reach || open < no_copy_)
    return false;
  const auto rest = lowered(in_.substr(skip_space(close + 1), 11));
  if (rest != "from stdin;" && !rest.starts_with("from stdin "))
    return false;
  no_copy_ = close;
  std::vector<std::string_view> names;
  std::size_t column = open + 1;
  for (const auto& name : read_row(in_.substr(0, close + 1), column))
    names.push_back(in_.substr(name.begin, name.end - name.begin));
  std::size_t line = in_.find('\n', close);
  while (line != npos && in_.substr(line + 1, 2) != "\\.") {
    std::size_t begin = line + 1;
    line = in_.find('\n', begin);
    const std::size_t end = std::min(line, in_.size());
    for (const auto name : names) {
      const std::size_t tab = std::min(in_.find('\t', begin), end);
      if (is_secret_cell(name, classify_key(name), in_.substr(begin, tab - begin)))
        plan(begin, tab, "table");
      if (tab == end)
        break;
      begin = tab + 1;
    }
  }
  return false;
}

} // namespace gasoline::redaction
