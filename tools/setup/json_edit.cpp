#include "tools/setup/json_edit.hpp"

#include "tools/setup/json_tree.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

using kind = json_node::kind;

/// A tree with its text, and the way to a place in it.
class editor {
 public:
  editor(std::string_view text, json_tree tree) : text_(text), tree_(std::move(tree)) {}

  const json_node& node(std::size_t index) const { return tree_.nodes[index]; }

  /// Follows the path as far as it exists; the error names a member that cannot be passed.
  struct place {
    std::size_t node = 0;     ///< index of the deepest value
    std::size_t depth = 0;    ///< members of the path that exist
    std::size_t parent = 0;   ///< of that value
    std::size_t position = 0; ///< of it among its parent's members
  };

  result_or<place> follow(const json_path& path) const {
    place out;
    for (const auto& name : path) {
      const auto& here = node(out.node);
      if (here.type != kind::object)
        return tl::unexpected(user_error{"\"" + name +
                                         "\" belongs into an object, and there is "
                                         "something else"});
      const auto is_it = [&](const json_node::member& m) { return m.name == name; };
      const auto found = std::find_if(here.members.begin(), here.members.end(), is_it);
      if (found == here.members.end())
        return out;
      if (std::find_if(found + 1, here.members.end(), is_it) != here.members.end())
        return tl::unexpected(user_error{"\"" + name + "\" is there twice"});
      out.parent = out.node;
      out.position = static_cast<std::size_t>(found - here.members.begin());
      out.node = found->value;
      ++out.depth;
    }
    return out;
  }

  ordered_json value(std::size_t index) const {
    const auto& n = node(index);
    return ordered_json::parse(without_trailing_commas(n), nullptr, false, true);
  }

  /// One element of an array.
  struct element {
    std::size_t array = 0;
    std::size_t position = 0;
  };

  std::size_t index_of(const element& e) const { return node(e.array).members[e.position].value; }

  /// The first element of that array that is ours.
  std::optional<element> first_of(std::size_t array, const element_test& ours) const {
    const auto& members = node(array).members;
    const auto found = std::find_if(members.begin(), members.end(),
                                    [&](const auto& m) { return ours(value(m.value)); });
    if (found == members.end())
      return std::nullopt;
    return element{array, static_cast<std::size_t>(found - members.begin())};
  }

  /// A member of the object whose array holds elements of ours and of others.
  const json_node::member* shared_member(std::size_t object, const element_test& ours) const {
    const auto& members = node(object).members;
    const auto is_shared = [&](const json_node::member& m) {
      const auto& array = node(m.value);
      const auto is_ours = [&](const auto& inner) { return ours(value(inner.value)); };
      return array.type == kind::array &&
             std::any_of(array.members.begin(), array.members.end(), is_ours) &&
             !std::all_of(array.members.begin(), array.members.end(), is_ours);
    };
    const auto found = node(object).type == kind::object
                           ? std::find_if(members.begin(), members.end(), is_shared)
                           : members.end();
    return found == members.end() ? nullptr : &*found;
  }

  std::string replaced(std::size_t index, const ordered_json& value) const {
    const auto& n = node(index);
    return spliced(n.begin, n.end, printed(value, indentation_at(n.begin), is_inline(n)));
  }

  /// With one more member behind the last one of that object or array.
  std::string added(std::size_t index, const std::string& name, const ordered_json& value) const {
    const auto& n = node(index);
    const bool one_line = is_inline(n);
    const auto outer = indentation_at(n.begin);
    const auto inner =
        n.members.empty() || one_line ? outer + unit() : indentation_at(n.members.back().begin);
    const auto label = name.empty() ? "" : ordered_json(name).dump() + ": ";
    const auto text = label + printed(value, inner, one_line && !n.members.empty());
    if (n.members.empty())
      return spliced(n.begin + 1, n.end - 1, into_empty(n, text, outer, inner));
    const auto& last = n.members.back();
    const auto end = node(last.value).end;
    const auto gap = one_line ? std::string{" "} : line_end() + inner;
    if (last.comma != 0)
      return spliced(behind_comment(last.comma + 1), behind_comment(last.comma + 1),
                     gap + text + ",");
    const auto behind = behind_comment(end);
    std::string out{text_.substr(0, end)};
    return out.append(",")
        .append(text_.substr(end, behind - end))
        .append(gap)
        .append(text)
        .append(text_.substr(behind));
  }

  /// Without that member of that object or array.
  std::string removed(std::size_t index, std::size_t position) const {
    const auto& n = node(index);
    const auto& gone = n.members[position];
    const auto end = gone.comma != 0 ? gone.comma + 1 : node(gone.value).end;
    const auto begin = before_space(gone.begin, ends_line(end));
    std::string out{text_.substr(0, begin)};
    if (position > 0 && position + 1 == n.members.size() && gone.comma == 0)
      out.erase(n.members[position - 1].comma, 1);
    out.append(text_.substr(end));
    return n.members.size() == 1 ? collapsed(std::move(out), n.begin) : out;
  }

 private:
  std::string spliced(std::size_t begin, std::size_t end, const std::string& middle) const {
    return std::string{text_.substr(0, begin)}.append(middle).append(text_.substr(end));
  }

  /// nlohmann's parser takes comments, but no commas at the end.
  std::string without_trailing_commas(const json_node& n) const {
    std::string out{text_.substr(n.begin, n.end - n.begin)};
    for (const auto& other : tree_.nodes)
      if (other.begin >= n.begin && other.end <= n.end && !other.members.empty() &&
          other.members.back().comma != 0)
        out[other.members.back().comma - n.begin] = ' ';
    return out;
  }

  std::string line_end() const {
    return text_.find("\r\n") != std::string_view::npos ? "\r\n" : "\n";
  }

  bool is_inline(const json_node& n) const {
    return !n.members.empty() &&
           text_.substr(n.begin, n.end - n.begin).find('\n') == std::string_view::npos;
  }

  /// The white space that begins the line of that byte.
  std::string indentation_at(std::size_t at) const {
    const auto before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
    const auto begin = before == std::string_view::npos ? 0 : before + 1;
    const auto end = std::min(text_.find_first_not_of(" \t", begin), text_.size());
    return std::string{text_.substr(begin, std::max(end, begin) - begin)};
  }

  /// What one level is indented by: as the first member of the document is.
  std::string unit() const {
    const auto& root = node(0);
    if (root.members.empty() || is_inline(root))
      return "  ";
    const auto outer = indentation_at(root.begin);
    const auto inner = indentation_at(root.members.front().begin);
    return inner.size() > outer.size() ? inner.substr(outer.size()) : "  ";
  }

  std::string printed(const ordered_json& value, const std::string& indentation,
                      bool one_line) const {
    if (one_line || value.is_primitive() || value.empty())
      return value.dump();
    const auto step = unit();
    const bool tabs = step[0] == '\t';
    const auto plain = value.dump(tabs ? 1 : static_cast<int>(step.size()), tabs ? '\t' : ' ');
    std::string out;
    for (const char c : plain) {
      if (c == '\n')
        out.append(line_end()).append(indentation);
      else
        out += c;
    }
    return out;
  }

  std::string into_empty(const json_node& n, const std::string& text, const std::string& outer,
                         const std::string& inner) const {
    std::string comments{text_.substr(n.begin + 1, n.end - n.begin - 2)};
    while (!comments.empty() && std::isspace(static_cast<unsigned char>(comments.back())) != 0)
      comments.pop_back();
    return comments + line_end() + inner + text + line_end() + outer;
  }

  /// Behind a comment that follows on the same line, else `at`.
  std::size_t behind_comment(std::size_t at) const {
    const auto next = text_.find_first_not_of(" \t", at);
    if (next == std::string_view::npos || text_.substr(next, 2) != "//")
      return at;
    const auto end = std::min(text_.find('\n', next), text_.size());
    return end > 0 && text_[end - 1] == '\r' ? end - 1 : end;
  }

  bool ends_line(std::size_t at) const {
    const auto next = text_.find_first_not_of(" \t", at);
    return next == std::string_view::npos || text_[next] == '\n' || text_[next] == '\r';
  }

  /// The start of the white space before that byte; without `lines` only of its own line, since a
  /// comment may end there.
  std::size_t before_space(std::size_t at, bool lines) const {
    const std::string_view space = lines ? " \t\r\n" : " \t";
    while (at > 0 && space.find(text_[at - 1]) != std::string_view::npos)
      --at;
    return at;
  }

  /// Brackets with nothing but white space between them stand together.
  static std::string collapsed(std::string text, std::size_t open) {
    const auto next = text.find_first_not_of(" \t\r\n", open + 1);
    if (next != std::string::npos && (text[next] == '}' || text[next] == ']'))
      text.erase(open + 1, next - open - 1);
    return text;
  }

  std::string_view text_;
  json_tree tree_;
};

result_or<editor> read(std::string_view text) {
  auto tree = parse_json_tree(text);
  if (!tree)
    return tl::unexpected(tree.error());
  if (tree->root().type != kind::object)
    return tl::unexpected(user_error{"it does not hold an object"});
  return editor{text, std::move(*tree)};
}

/// The value wrapped into objects for the part of the path that does not exist.
ordered_json wrapped(const json_path& path, std::size_t from, ordered_json value) {
  for (auto i = path.size(); i > from; --i) {
    ordered_json outer = ordered_json::object();
    outer[path[i - 1]] = std::move(value);
    value = std::move(outer);
  }
  return value;
}

} // namespace

std::optional<ordered_json> json_value_at(std::string_view text, const json_path& path) {
  const auto e = read(text);
  if (!e)
    return std::nullopt;
  const auto at = e->follow(path);
  if (!at || at->depth < path.size())
    return std::nullopt;
  return e->value(at->node);
}

result_or<std::string> set_json_member(std::string_view text, const json_path& path,
                                       const ordered_json& value) {
  const auto e = read(text);
  if (!e)
    return tl::unexpected(e.error());
  const auto at = e->follow(path);
  if (!at)
    return tl::unexpected(at.error());
  if (at->depth < path.size()) {
    if (e->node(at->node).type != kind::object)
      return tl::unexpected(user_error{"\"" + path[at->depth] +
                                       "\" belongs into an object, and "
                                       "there is something else"});
    return e->added(at->node, path[at->depth], wrapped(path, at->depth + 1, value));
  }
  if (e->value(at->node) == value)
    return std::string{text};
  return e->replaced(at->node, value);
}

result_or<std::string> set_json_element(std::string_view text, const json_path& path,
                                        const ordered_json& value, const element_test& ours) {
  const auto e = read(text);
  if (!e)
    return tl::unexpected(e.error());
  const auto at = e->follow(path);
  if (!at)
    return tl::unexpected(at.error());
  if (at->depth < path.size())
    return set_json_member(text, path, ordered_json::array({value}));
  const auto& array = e->node(at->node);
  if (array.type != kind::array)
    return tl::unexpected(user_error{"\"" + path.back() + "\" is no array"});
  const auto found = e->first_of(at->node, ours);
  if (!found)
    return e->added(at->node, "", value);
  const auto whole = e->index_of(*found);
  const auto* shared = e->shared_member(whole, ours);
  if (!shared)
    return e->value(whole) == value ? std::string{text} : e->replaced(whole, value);
  const auto inner = e->index_of(*e->first_of(shared->value, ours));
  const auto& wanted = value.at(shared->name).at(0);
  return e->value(inner) == wanted ? std::string{text} : e->replaced(inner, wanted);
}

result_or<std::string> remove_json_member(std::string_view text, const json_path& path) {
  const auto e = read(text);
  if (!e)
    return tl::unexpected(e.error());
  const auto at = e->follow(path);
  if (!at)
    return tl::unexpected(at.error());
  if (at->depth < path.size() || path.empty())
    return std::string{text};
  return e->removed(at->parent, at->position);
}

result_or<std::string> remove_json_elements(std::string_view text, const json_path& path,
                                            const element_test& ours) {
  std::string out{text};
  for (;;) {
    const auto e = read(out);
    if (!e)
      return tl::unexpected(e.error());
    const auto at = e->follow(path);
    if (!at)
      return tl::unexpected(at.error());
    if (at->depth < path.size() || e->node(at->node).type != kind::array)
      return out;
    auto found = e->first_of(at->node, ours);
    if (!found)
      return out;
    if (const auto* shared = e->shared_member(e->index_of(*found), ours))
      found = e->first_of(shared->value, ours);
    out = e->removed(found->array, found->position);
  }
}

} // namespace gasoline
