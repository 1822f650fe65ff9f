#include "tools/setup/toml_edit.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace gasoline {
namespace {

/// A header or a key with its value; offsets are bytes of the text.
struct statement {
  bool header = false;
  bool array_header = false;
  std::string name; ///< dotted, without quotes and spaces
  std::size_t begin = 0;
  std::size_t value = 0; ///< of a key: where its value begins
  std::size_t end = 0;   ///< behind the header or the value
};

class toml_reader {
 public:
  explicit toml_reader(std::string_view text) : text_(text) {
    if (text_.substr(0, 3) == "\xef\xbb\xbf")
      at_ = 3;
  }

  result_or<std::vector<statement>> run() {
    while (skip_blank(), at_ < text_.size()) {
      statement s;
      s.begin = at_;
      const bool ok = text_[at_] == '[' ? header(s) : key_and_value(s);
      if (!ok || !line_ends())
        return tl::unexpected(user_error{"line " + std::to_string(line()) + " is not valid TOML"});
      out_.push_back(std::move(s));
    }
    return std::move(out_);
  }

 private:
  std::size_t line() const {
    const auto read = text_.substr(0, at_);
    return 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
  }

  bool is(char c) const { return at_ < text_.size() && text_[at_] == c; }

  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }

  void skip_comment() {
    if (is('#'))
      at_ = std::min(text_.find('\n', at_), text_.size());
  }

  void skip_blank() {
    for (;;) {
      at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
      if (!is('#'))
        return;
      skip_comment();
    }
  }

  bool line_ends() {
    skip_space();
    skip_comment();
    if (is('\r'))
      ++at_;
    return at_ == text_.size() || is('\n');
  }

  bool header(statement& s) {
    s.header = true;
    s.array_header = text_.substr(at_, 2) == "[[";
    const std::size_t brackets = s.array_header ? 2 : 1;
    at_ += brackets;
    if (!name(s.name))
      return false;
    for (std::size_t i = 0; i < brackets; ++i, ++at_)
      if (!is(']'))
        return false;
    s.end = at_;
    return true;
  }

  bool key_and_value(statement& s) {
    if (!name(s.name) || !is('='))
      return false;
    ++at_;
    skip_space();
    s.value = at_;
    if (!value(0))
      return false;
    s.end = at_;
    return true;
  }

  /// A dotted name, with the space around it.
  bool name(std::string& out) {
    for (;;) {
      skip_space();
      const auto begin = at_;
      if (is('"') || is('\'')) {
        if (!string())
          return false;
        out += text_.substr(begin + 1, at_ - begin - 2);
      } else {
        at_ =
            std::min(text_.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                             "0123456789_-",
                                             at_),
                     text_.size());
        out += text_.substr(begin, at_ - begin);
      }
      if (at_ == begin)
        return false;
      skip_space();
      if (!is('.'))
        return true;
      ++at_;
      out += '.';
    }
  }

  bool string() {
    const char quote = text_[at_];
    const std::string three(3, quote);
    if (text_.substr(at_, 3) == three)
      return long_string(quote, three);
    for (++at_; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == quote) {
        ++at_;
        return true;
      }
      if (quote == '"' && text_[at_] == '\\')
        ++at_;
    }
    return false;
  }

  bool long_string(char quote, const std::string& three) {
    for (at_ += 3; at_ < text_.size(); ++at_) {
      if (quote == '"' && text_[at_] == '\\') {
        ++at_;
      } else if (text_.substr(at_, 3) == three) {
        at_ += 3;
        while (is(quote)) // up to two more belong to the string
          ++at_;
        return true;
      }
    }
    return false;
  }

  bool value(std::size_t depth) {
    constexpr std::size_t deepest = 100;
    if (depth > deepest || at_ >= text_.size())
      return false;
    if (is('"') || is('\''))
      return string();
    if (is('['))
      return elements(']', depth);
    if (is('{'))
      return elements('}', depth);
    const auto begin = at_;
    at_ = std::min(text_.find_first_of(",]}#\r\n", at_), text_.size());
    while (at_ > begin && (text_[at_ - 1] == ' ' || text_[at_ - 1] == '\t'))
      --at_;
    return at_ > begin;
  }

  bool elements(char close, std::size_t depth) {
    ++at_;
    for (;;) {
      skip_blank();
      if (is(close)) {
        ++at_;
        return true;
      }
      std::string ignored;
      if (close == '}') {
        if (!name(ignored) || !is('='))
          return false;
        ++at_;
        skip_space();
      }
      if (!value(depth + 1))
        return false;
      skip_blank();
      if (is(','))
        ++at_;
      else if (!is(close))
        return false;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<statement> out_;
};

bool is_or_is_below(const std::string& name, const std::string& table) {
  return name == table || (name.size() > table.size() &&
                           name.compare(0, table.size(), table) == 0 && name[table.size()] == '.');
}

/// Whether something before the first header says by other means what the table would say.
bool is_defined_otherwise(const std::vector<statement>& all, const std::string& table) {
  std::string current;
  for (const auto& s : all) {
    if (s.header) {
      if (s.array_header && is_or_is_below(table, s.name))
        return true;
      current = s.name;
      continue;
    }
    const auto full = current.empty() ? s.name : current + "." + s.name;
    if (current != table && !is_or_is_below(current, table) &&
        (is_or_is_below(full, table) || is_or_is_below(table, full)))
      return true;
  }
  return false;
}

std::string line_end_of(std::string_view text) {
  return text.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
}

std::string added_table(std::string_view text, const std::string& table, const toml_lines& lines) {
  const auto newline = line_end_of(text);
  std::string out{text};
  if (!out.empty() && out.back() != '\n')
    out += newline;
  if (!out.empty())
    out += newline;
  out += "[" + table + "]" + newline;
  for (const auto& [key, value] : lines)
    out += key + " = " + value + newline;
  return out;
}

} // namespace

std::string toml_string(std::string_view text) {
  // What JSON escapes, TOML's basic strings escape alike.
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

result_or<std::string> set_toml_table(std::string_view text, const std::string& table,
                                      const toml_lines& lines) {
  const auto all = toml_reader{text}.run();
  if (!all)
    return tl::unexpected(all.error());
  if (is_defined_otherwise(*all, table))
    return tl::unexpected(user_error{"[" + table + "] is written as an inline table or array"});
  const auto head = std::find_if(all->begin(), all->end(),
                                 [&](const statement& s) { return s.header && s.name == table; });
  if (head == all->end())
    return added_table(text, table, lines);
  const auto next = std::find_if(head + 1, all->end(), [](const statement& s) { return s.header; });
  std::string out{text};
  std::string missing;
  std::vector<std::pair<const statement*, const std::string*>> changed;
  for (const auto& line : lines) {
    const auto known =
        std::find_if(head + 1, next, [&](const statement& s) { return s.name == line.first; });
    if (known == next)
      missing += line_end_of(text) + line.first + " = " + line.second;
    else
      changed.emplace_back(&*known, &line.second);
  }
  std::sort(changed.begin(), changed.end(),
            [](const auto& a, const auto& b) { return a.first->value > b.first->value; });
  for (const auto& [known, value] : changed)
    out.replace(known->value, known->end - known->value, *value);
  return out.insert(head->end, missing);
}

result_or<std::string> remove_toml_table(std::string_view text, const std::string& table) {
  const auto all = toml_reader{text}.run();
  if (!all)
    return tl::unexpected(all.error());
  std::string out{text};
  for (auto i = all->size(); i > 0; --i) {
    const auto& head = (*all)[i - 1];
    if (!head.header || !is_or_is_below(head.name, table))
      continue;
    std::size_t last = i - 1;
    while (last + 1 < all->size() && !(*all)[last + 1].header)
      ++last;
    auto end = std::min(text.find('\n', (*all)[last].end), text.size());
    end = std::min(end + 1, text.size());
    auto begin = head.begin;
    // With the blank line that stands before a table.
    if (text.substr(0, begin).size() >= 2 && text[begin - 1] == '\n') {
      const auto before = text.substr(0, begin - 1);
      if (!before.empty() && before.back() == '\n')
        begin -= 1;
      else if (before.size() > 1 && before.substr(before.size() - 2) == "\n\r")
        begin -= 2;
    }
    out.erase(begin, end - begin);
  }
  return out;
}

} // namespace gasoline
