#include "actors/redaction/rules/format_string.hpp"

#include "actors/redaction/rules/characters.hpp"

#include <algorithm>
#include <cstddef>

namespace gasoline::redaction {
namespace {

/// Enough for any message; a longer list of arguments is one of data.
constexpr std::size_t most_arguments = 32;
/// How far in front of a directive its name may begin.
constexpr std::size_t directive_reach = 64;

/// The length of the directive that begins the text; 0 when there is none.
std::size_t directive_length(std::string_view text) {
  if (text.starts_with('{')) {
    const auto end = text.find_first_not_of("0123456789", 1);
    return end != npos && text[end] == '}' ? end + 1 : 0;
  }
  if (!text.starts_with('%'))
    return 0;
  const auto letter = text.find_first_not_of("0123456789.+-# *", 1);
  return letter != npos && any_of(text[letter], "sdifoOcjvqxXpuge") ? letter + 1 : 0;
}

/// The words in front of a directive without what ties them to it: `token is `, `password="`.
std::string_view name_before(std::string_view text) {
  text = text.substr(text.size() - std::min(text.size(), directive_reach));
  constexpr std::string_view ties = " :='\"`([<";
  for (;;) {
    const auto end = text.find_last_not_of(ties);
    text = end == npos ? std::string_view{} : text.substr(0, end + 1);
    const bool link = text.ends_with(" is") || text.ends_with(" was");
    if (!link && !text.ends_with("%c"))
      return text;
    text.remove_suffix(link ? 3 : 2);
  }
}

/// Whether `?` stands for a value: only in statements of databases.
bool is_statement(std::string_view text) {
  text = text.substr(0, 4'096);
  const auto words = lowered(text);
  const auto has = [&](std::string_view word) { return words.find(word) != std::string::npos; };
  return (has("select ") && has(" where ")) || has("insert into ") ||
         (has("update ") && has(" set ")) || has("delete from ") || has("replace into ") ||
         has("alter user ");
}

/// The value of a number in front of the text; 0 when there is none.
std::size_t number_at(std::string_view text) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < text.size() && i < 2 && is_digit(text[i]); ++i)
    number = number * 10 + static_cast<std::size_t>(text[i] - '0');
  return number;
}

/// The names of columns that the values of an `INSERT` belong to.
std::vector<std::string_view> inserted_columns(std::string_view text) {
  const auto words = lowered(text);
  const auto insert = words.find("into ");
  const auto values = words.find("values", insert == npos ? 0 : insert);
  const auto open = text.find('(', insert == npos ? text.size() : insert);
  std::vector<std::string_view> names;
  if (values == npos || open == npos || open > values)
    return names;
  const auto close = text.find(')', open);
  for (std::size_t begin = open + 1;
       begin < close && close != npos && names.size() < most_arguments;) {
    const auto end = std::min(text.find(',', begin), close);
    names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

/// `postgres://%s:%s@host`: the directive at `pos` stands in the place of a password.
bool is_password_place(std::string_view format, std::size_t pos, std::size_t length) {
  if (pos == 0 || format[pos - 1] != ':' || pos + length >= format.size() ||
      format[pos + length] != '@')
    return false;
  const auto lead = format.substr(0, pos);
  const auto scheme = lead.rfind("://");
  return scheme != npos && lead.find(' ', scheme) == npos;
}

/// What a statement says about the values of its `$1` or `?`.
std::vector<key_class> statement_arguments(std::string_view text) {
  const auto columns = inserted_columns(text);
  const auto values = columns.empty() ? npos : lowered(text).find("values");
  std::vector<key_class> list;
  std::size_t inserted = 0;
  std::size_t begin = 0;
  for (auto p = text.find_first_of("$?"); p != npos; p = text.find_first_of("$?", p + 1)) {
    const std::size_t number = number_at(text.substr(p + 1));
    if (text[p] == '$' && number == 0)
      continue;
    const std::size_t place = number > 0 ? number - 1 : list.size();
    if (place >= most_arguments)
      break;
    auto judged = classify_key(name_before(text.substr(begin, p - begin)));
    if (values != npos && p > values && inserted < columns.size())
      judged = classify_key(columns[inserted++]);
    if (list.size() <= place)
      list.resize(place + 1, key_class::plain);
    list[place] = std::max(list[place], judged);
    begin = p + 1;
  }
  return list;
}

key_class announced_by_name(std::string_view text) {
  const auto name = name_before(text);
  const auto judged = classify_key(name);
  if (!is_token_key(name))
    return judged;
  // Parsers name tokens of their own.
  const auto words = lowered(name);
  for (const std::string_view talk : {"unexpected", "illegal", "unknown", "expected"})
    if (words.find(talk) != std::string::npos)
      return key_class::plain;
  // Grammars have tokens as well: `token %s at %d`, `identifier`.
  return std::min(judged, key_class::weak);
}

} // namespace

std::vector<key_class> announced_arguments(std::string_view format) {
  std::vector<key_class> list;
  if (format.find_first_of("$?") != npos && is_statement(format))
    list = statement_arguments(format);
  std::size_t begin = 0;
  for (auto p = list.empty() ? format.find_first_of("%{") : npos;
       p != npos && list.size() < most_arguments; p = format.find_first_of("%{", p)) {
    if (format.substr(p, 2) == "%%") {
      p += 2;
      continue;
    }
    const std::size_t length = directive_length(format.substr(p));
    if (length == 0) {
      ++p;
      continue;
    }
    list.push_back(is_password_place(format, p, length)
                       ? key_class::strong
                       : announced_by_name(format.substr(begin, p - begin)));
    const bool style = format[p + length - 1] == 'c';
    p += length;
    begin = style ? begin : p;
  }
  const bool silent =
      std::all_of(list.begin(), list.end(), [](auto judged) { return judged == key_class::plain; });
  return silent ? std::vector<key_class>{} : list;
}

} // namespace gasoline::redaction
