#include "tools/setup/json_tree.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace gasoline {
namespace {

constexpr std::size_t deepest = 200;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

class tree_parser {
 public:
  explicit tree_parser(std::string_view text) : text_(text) {
    if (text_.substr(0, byte_order_mark.size()) == byte_order_mark)
      at_ = byte_order_mark.size();
  }

  result_or<json_tree> run() {
    // What reads values would take it for the end of the text.
    if (const auto zero = text_.find('\0'); zero != std::string_view::npos) {
      at_ = zero;
      fail("there is a zero byte");
    }
    skip();
    const bool whole = !failed() && value(0) && (skip(), !failed());
    if (whole && at_ < text_.size())
      fail("there is text behind the document");
    if (failed())
      return tl::unexpected(user_error{"line " + std::to_string(line()) + ": " + problem_});
    return std::move(tree_);
  }

 private:
  bool failed() const { return !problem_.empty(); }

  bool fail(const char* problem) {
    if (problem_.empty()) {
      problem_ = problem;
      wrong_at_ = at_;
    }
    return false;
  }

  std::size_t line() const {
    const auto read = text_.substr(0, wrong_at_);
    return 1 + static_cast<std::size_t>(std::count(read.begin(), read.end(), '\n'));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  /// White space and comments.
  void skip() {
    while (at_ < text_.size()) {
      const auto two = text_.substr(at_, 2);
      if (std::string_view{" \t\r\n"}.find(text_[at_]) != std::string_view::npos) {
        ++at_;
      } else if (two == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (two == "/*") {
        const auto end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) {
          fail("a comment has no end");
          return;
        }
        at_ = end + 2;
      } else {
        return;
      }
    }
  }

  bool value(std::size_t depth) {
    if (depth > deepest)
      return fail("it nests too deeply");
    const auto index = tree_.nodes.size();
    tree_.nodes.push_back({});
    tree_.nodes[index].begin = at_;
    bool ok = false;
    switch (peek()) {
    case '{':
      tree_.nodes[index].type = json_node::kind::object;
      ok = members(index, '}', depth);
      break;
    case '[':
      tree_.nodes[index].type = json_node::kind::array;
      ok = members(index, ']', depth);
      break;
    case '"':
      tree_.nodes[index].type = json_node::kind::string;
      ok = string().has_value();
      break;
    default:
      ok = literal();
    }
    tree_.nodes[index].end = at_;
    return ok;
  }

  bool members(std::size_t index, char close, std::size_t depth) {
    ++at_;
    for (bool expects_comma = false;; expects_comma = true) {
      skip();
      if (failed())
        return false;
      if (peek() == close) {
        ++at_;
        return true;
      }
      if (expects_comma && tree_.nodes[index].members.back().comma == 0)
        return fail("a comma is missing");
      if (!member(index, close == '}', depth))
        return false;
    }
  }

  bool member(std::size_t index, bool named, std::size_t depth) {
    json_node::member out;
    out.begin = at_;
    if (named) {
      auto name = peek() == '"' ? string() : std::nullopt;
      if (!name)
        return fail("a name in double quotes is missing");
      out.name = std::move(*name);
      skip();
      if (peek() != ':')
        return fail("a colon is missing");
      ++at_;
      skip();
    }
    out.value = tree_.nodes.size();
    if (failed() || !value(depth + 1))
      return false;
    skip();
    if (peek() == ',')
      out.comma = at_++;
    tree_.nodes[index].members.push_back(std::move(out));
    return !failed();
  }

  std::optional<std::string> string() {
    const auto begin = at_++;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n')
      at_ += text_[at_] == '\\' ? 2 : 1;
    if (peek() != '"') {
      fail("a string has no end");
      return std::nullopt;
    }
    ++at_;
    const auto decoded = nlohmann::json::parse(text_.substr(begin, at_ - begin), nullptr, false);
    if (decoded.is_string())
      return decoded.get<std::string>();
    at_ = begin;
    fail("a string is not valid");
    return std::nullopt;
  }

  bool literal() {
    const auto begin = at_;
    while (at_ < text_.size() &&
           std::string_view{",]}:/ \t\r\n\"{["}.find(text_[at_]) == std::string_view::npos)
      ++at_;
    const auto word = text_.substr(begin, at_ - begin);
    if (nlohmann::json::accept(word))
      return true;
    at_ = begin;
    return fail("a value is missing or not valid");
  }

  std::string_view text_;
  std::size_t at_ = 0;
  json_tree tree_;
  std::string problem_;
  std::size_t wrong_at_ = 0;
};

} // namespace

result_or<json_tree> parse_json_tree(std::string_view text) {
  return tree_parser{text}.run();
}

} // namespace gasoline
