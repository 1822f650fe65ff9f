#include "actors/redaction/json/json_apart.hpp"

#include "actors/redaction/rules/characters.hpp"
#include "actors/redaction/rules/rules.hpp"
#include "actors/redaction/rules/words.hpp"
#include "messages/base/json/json_member.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline::redaction {
namespace {

constexpr std::size_t shortest_document = 12;
constexpr std::size_t longest_document = 4U << 20U;
/// Keys and tokens in a list are at least so long.
constexpr std::size_t shortest_container_key = 16;
constexpr std::uint32_t none = 0xFFFFFFFF;

enum class node_kind : std::uint8_t { object, array, string, other };

/// A value of the document. Offsets of strings are those of what is between the quotes.
struct json_node {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::uint32_t key_begin = 0;
  std::uint32_t key_end = 0; ///< the same as `key_begin` for elements
  std::uint32_t parent = none;
  std::uint32_t first = none; ///< child
  std::uint32_t next = none;  ///< sibling
  std::uint32_t count = 0;
  node_kind kind = node_kind::other;
};

/// Reads the values of a document one after the other; ends where it is no JSON any more.
class json_outline {
 public:
  json_outline(std::string_view text, std::size_t begin) : text_(text), pos_(begin) { read(); }

  const std::vector<json_node>& nodes() const { return nodes_; }

 private:
  void read() {
    std::uint32_t parent = none;
    std::vector<std::uint32_t> last_child;
    while (skip_to_value()) {
      const char c = text_[pos_];
      if (parent != none && (c == '}' || c == ']')) {
        nodes_[parent].end = static_cast<std::uint32_t>(++pos_);
        parent = nodes_[parent].parent;
        last_child.pop_back();
        if (parent == none)
          return;
        continue;
      }
      json_node node;
      node.parent = parent;
      if (parent != none && nodes_[parent].kind == node_kind::object && !read_key(node))
        return;
      if (!read_value(node))
        return;
      const auto number = static_cast<std::uint32_t>(nodes_.size());
      if (parent != none) {
        ++nodes_[parent].count;
        if (last_child.back() == none)
          nodes_[parent].first = number;
        else
          nodes_[last_child.back()].next = number;
        last_child.back() = number;
      }
      const bool opens = node.kind == node_kind::object || node.kind == node_kind::array;
      nodes_.push_back(node);
      if (opens) {
        parent = number;
        last_child.push_back(none);
      } else if (parent == none) {
        return;
      }
    }
  }

  bool skip_to_value() {
    while (pos_ < text_.size() && (is_space(text_[pos_]) || text_[pos_] == ','))
      ++pos_;
    return pos_ < text_.size();
  }

  bool read_string(std::uint32_t& begin, std::uint32_t& end) {
    const auto quote = end_of_json_string(text_, pos_);
    if (quote >= text_.size())
      return false;
    begin = static_cast<std::uint32_t>(pos_ + 1);
    end = static_cast<std::uint32_t>(quote);
    pos_ = quote + 1;
    return true;
  }

  bool read_key(json_node& node) {
    if (text_[pos_] != '"' || !read_string(node.key_begin, node.key_end))
      return false;
    while (pos_ < text_.size() && (is_space(text_[pos_]) || text_[pos_] == ':'))
      ++pos_;
    return pos_ < text_.size();
  }

  bool read_value(json_node& node) {
    const char c = text_[pos_];
    node.begin = static_cast<std::uint32_t>(pos_);
    if (c == '"') {
      node.kind = node_kind::string;
      return read_string(node.begin, node.end);
    }
    if (c == '{' || c == '[') {
      node.kind = c == '{' ? node_kind::object : node_kind::array;
      node.end = static_cast<std::uint32_t>(text_.size());
      ++pos_;
      return true;
    }
    while (pos_ < text_.size() && (is_name_char(text_[pos_]) || text_[pos_] == '+'))
      ++pos_;
    node.end = static_cast<std::uint32_t>(pos_);
    return node.end > node.begin;
  }

  std::string_view text_;
  std::size_t pos_;
  std::vector<json_node> nodes_;
};

const word_list& action_members() {
  static const word_list list{
      "type action mutation event name method command actiontype action_type "
      "fn function call eventname event_name topic"};
  return list;
}

const word_list& payload_members() {
  static const word_list list{"payload value args arguments params data body detail content arg "
                              "newvalue new_value"};
  return list;
}

/// Members that say where in something else the value beside them belongs.
const word_list& place_members() {
  static const word_list list{
      "path pointer field property attribute attr keypath key_path param name "
      "key instancepath datapath loc fieldname field_name column prop"};
  return list;
}

const word_list& placed_members() {
  static const word_list list{
      "value newvalue new_value oldvalue old_value lhs rhs before after from to "
      "new old current previous prev next input data received"};
  return list;
}

/// Members of an object that describes a column.
const word_list& column_members() {
  static const word_list list{
      "name field key id label title column_name columnname header accessor "
      "datafield text displayname"};
  return list;
}

/// What an action does with the thing that its name ends with.
const word_list& action_endings() {
  static const word_list list{
      "changed updated received refreshed stored success succeeded fulfilled "
      "saved loaded set change update received issued rotated"};
  return list;
}

/// `auth/setAccessToken`, `user/passwordChanged`: what the name of an action is about.
key_class classify_action(std::string_view name) {
  constexpr std::size_t longest_name = 96;
  if (name.empty() || name.size() > longest_name || name.find(' ') != npos)
    return key_class::plain;
  for (int n = 0; n < 2; ++n) {
    std::size_t begin = name.size();
    while (begin > 0 && is_letter(name[begin - 1]) &&
           !(begin < name.size() && is_upper(name[begin]) && is_lower(name[begin - 1])))
      --begin;
    const auto word = name.substr(begin);
    if (begin == 0 || !action_endings().has(lowered(word)))
      break;
    name = name.substr(0, begin);
    while (!name.empty() && !is_alnum(name.back()))
      name.remove_suffix(1);
  }
  return classify_key(name);
}

bool is_uuid(std::string_view text) {
  return text.size() == 36 && std::count(text.begin(), text.end(), '-') == 4;
}

/// Decides over one document.
class apart_pass {
 public:
  apart_pass(std::string_view text, std::size_t begin)
      : text_(text), outline_(text, begin), nodes_(outline_.nodes()) {}

  void run() {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind == node_kind::array)
        judge_array(n);
      else if (nodes_[n].kind == node_kind::object)
        judge_object(n);
      if (nodes_[n].key_end > nodes_[n].key_begin)
        judge_member(n);
    }
  }

  struct found_part {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::string_view rule;
    bool quoted = false; ///< a string or a key: what is between its quotes
  };

  std::vector<found_part>& found() { return found_; }

 private:
  template <class Visit>
  void each_child(std::uint32_t parent, Visit visit) const {
    for (auto n = nodes_[parent].first; n != none; n = nodes_[n].next)
      visit(n);
  }

  std::string_view text_of(std::uint32_t n) const {
    return text_.substr(nodes_[n].begin, nodes_[n].end - nodes_[n].begin);
  }
  std::string_view key_of(std::uint32_t n) const {
    return text_.substr(nodes_[n].key_begin, nodes_[n].key_end - nodes_[n].key_begin);
  }
  bool is_string(std::uint32_t n) const { return nodes_[n].kind == node_kind::string; }

  void mask_value(std::uint32_t n, std::string_view rule) {
    if (is_string(n) ? !is_mark(text_of(n)) && !text_of(n).empty() : true)
      found_.push_back({nodes_[n].begin, nodes_[n].end, rule, is_string(n)});
  }

  // ---- columns ----

  std::string_view column_name(std::uint32_t n) const {
    if (is_string(n))
      return text_of(n);
    std::string_view name;
    if (nodes_[n].kind == node_kind::object)
      each_child(n, [&](std::uint32_t member) {
        if (is_string(member) && column_members().has(lowered(key_of(member))) &&
            (name.empty() || classify_key(text_of(member)) != key_class::plain))
          name = text_of(member);
      });
    return name;
  }

  /// The names of the columns, when one of them is that of a secret.
  std::vector<std::string_view> columns_in(std::uint32_t array) const {
    std::vector<std::string_view> names;
    bool secret = false;
    bool named = true;
    each_child(array, [&](std::uint32_t element) {
      names.push_back(column_name(element));
      named = named && !names.back().empty() && names.back().size() <= 64 &&
              std::count(names.back().begin(), names.back().end(), ' ') <= 3;
      secret = secret || (named && classify_key(names.back()) != key_class::plain);
    });
    return named && secret ? names : std::vector<std::string_view>{};
  }

  void judge_array(std::uint32_t array) {
    if (nodes_[array].count == 0)
      return;
    const auto names = columns_in(array);
    const auto parent = nodes_[array].parent;
    if (!names.empty() && parent != none) {
      mask_rows_beside(array, parent, names);
      const auto above = nodes_[parent].parent;
      if (above != none && nodes_[parent].kind == node_kind::object)
        mask_rows_beside(parent, above, names);
    }
    judge_pair(array);
  }

  void mask_rows_beside(std::uint32_t head, std::uint32_t parent,
                        const std::vector<std::string_view>& names) {
    if (nodes_[parent].kind == node_kind::array) {
      // The first row of a list of rows.
      if (nodes_[parent].first == head && nodes_[head].kind == node_kind::array)
        each_child(parent, [&](std::uint32_t row) {
          if (row != head)
            mask_row(row, names);
        });
      return;
    }
    each_child(parent, [&](std::uint32_t member) {
      if (member == head || nodes_[member].kind != node_kind::array)
        return;
      if (names.size() > 1)
        mask_row(member, names);
      each_child(member, [&](std::uint32_t row) { mask_row(row, names); });
    });
  }

  void mask_row(std::uint32_t row, const std::vector<std::string_view>& names) {
    if (nodes_[row].kind == node_kind::object) {
      each_child(row, [&](std::uint32_t member) {
        if (nodes_[member].kind == node_kind::array)
          mask_row(member, names);
      });
      return;
    }
    if (nodes_[row].kind != node_kind::array || nodes_[row].count != names.size())
      return;
    std::size_t column = 0;
    each_child(row, [&](std::uint32_t element) {
      const auto name = names[column++];
      const auto cell = cell_of(element);
      if (cell != none && is_secret_cell(name, classify_key(name), text_of(cell)) &&
          (is_string(cell) || is_digit(text_of(cell).front())))
        mask_value(cell, "json-column");
    });
  }

  /// The value itself, or the one member of a cell that holds it.
  std::uint32_t cell_of(std::uint32_t element) const {
    if (nodes_[element].kind == node_kind::string || nodes_[element].kind == node_kind::other)
      return element;
    std::uint32_t cell = none;
    each_child(element, [&](std::uint32_t member) {
      const auto key = key_of(member);
      if ((key == "v" || is_value_member(key)) && cell == none &&
          nodes_[member].kind <= node_kind::other && nodes_[member].kind >= node_kind::string)
        cell = member;
    });
    return cell;
  }

  // ---- names beside values ----

  /// `["auth/setToken", "x"]`.
  void judge_pair(std::uint32_t array) {
    const auto first = nodes_[array].first;
    const auto second = nodes_[first].next;
    if (second == none || !is_string(first) || !is_string(second) || nodes_[array].count > 3)
      return;
    const auto name = text_of(first);
    if (lowered(name) == "sec-websocket-protocol")
      mask_protocols(second);
    else if (name.find_first_of("/:_.") != npos && classify_action(name) > key_class::vague &&
             looks_opaque(text_of(second)))
      mask_value(second, "json-action");
  }

  void judge_object(std::uint32_t object) {
    auto action = key_class::plain;
    auto place = key_class::plain;
    bool pointer = false;
    std::string_view place_name;
    bool patch = false;
    bool secret_kind = false;
    each_child(object, [&](std::uint32_t member) {
      const auto key = lowered(key_of(member));
      if (is_string(member) && action_members().has(key))
        action = std::max(action, classify_action(text_of(member)));
      patch = patch || key == "op";
      secret_kind = secret_kind || (key == "kind" && text_of(member) == "Secret");
      if (!place_members().has(key))
        return;
      auto name = std::string_view{};
      if (is_string(member))
        name = text_of(member);
      else if (nodes_[member].kind == node_kind::array)
        each_child(member, [&](std::uint32_t part) {
          if (is_string(part))
            name = text_of(part);
        });
      if (name.size() > 128 || name.find(' ') != npos)
        return;
      name = name.substr(std::min(name.size(), name.find_last_of('/') + 1));
      if (const auto judged = classify_key(name); judged > place) {
        place = judged;
        place_name = name;
        pointer = is_string(member) && text_of(member).starts_with('/');
      }
    });
    if (secret_kind)
      mask_manifest(object);
    if (action > key_class::vague)
      each_child(object, [&](std::uint32_t member) { mask_payload(member); });
    if (place > key_class::plain)
      each_child(object, [&](std::uint32_t member) {
        if (is_string(member) && placed_members().has(lowered(key_of(member))) &&
            (is_secret_cell(place_name, place, text_of(member)) || looks_opaque(text_of(member)) ||
             (pointer && patch && place == key_class::strong && is_plain_secret(text_of(member)))))
          mask_value(member, "json-path");
      });
  }

  /// The value of a patch may be any word.
  static bool is_plain_secret(std::string_view value) {
    return value.size() >= 4 && value.find(' ') == npos && !is_placeholder(value) &&
           !is_prose_word(value);
  }

  void mask_payload(std::uint32_t member) {
    if (!payload_members().has(lowered(key_of(member))))
      return;
    const auto mask_opaque = [&](std::uint32_t value) {
      if (is_string(value) && looks_opaque(text_of(value)))
        mask_value(value, "json-action");
    };
    mask_opaque(member);
    if (nodes_[member].kind == node_kind::array && nodes_[member].count <= 4)
      each_child(member, mask_opaque);
    if (nodes_[member].kind == node_kind::object)
      each_child(member, [&](std::uint32_t inner) {
        if (const auto name = lowered(key_of(inner));
            payload_members().has(name) || placed_members().has(name))
          mask_opaque(inner);
      });
  }

  /// All that a Kubernetes secret holds.
  void mask_manifest(std::uint32_t object) {
    each_child(object, [&](std::uint32_t member) {
      if ((key_of(member) == "data" || key_of(member) == "stringData") &&
          nodes_[member].kind == node_kind::object)
        each_child(member, [&](std::uint32_t value) {
          if (is_string(value) && !is_placeholder(text_of(value)))
            mask_value(value, "secret-manifest");
        });
    });
  }

  // ---- containers ----

  void judge_member(std::uint32_t member) {
    const auto key = key_of(member);
    if (key.size() > 64)
      return;
    if (is_string(member)) {
      const auto name = lowered(key);
      if (name == "sec-websocket-protocol" || name == "protocol" || name == "protocols" ||
          name == "subprotocol")
        mask_protocols(member);
      return;
    }
    if (nodes_[member].kind == node_kind::other || !is_container(key))
      return;
    each_child(member, [&](std::uint32_t child) {
      if (nodes_[member].kind == node_kind::array) {
        if (is_string(child) && is_container_key(text_of(child)))
          mask_value(child, "json-container");
      } else if (is_container_key(key_of(child))) {
        found_.push_back({nodes_[child].key_begin, nodes_[child].key_end, "json-container", true});
      }
    });
  }

  static bool is_container(std::string_view key) {
    const auto name = lowered(key);
    return name.ends_with("sessions") || name.ends_with("sessionstore") ||
           name.ends_with("sessionsbyid") || name.ends_with("sessionmap") ||
           classify_key(key) > key_class::vague;
  }

  static bool is_container_key(std::string_view text) {
    return text.size() >= shortest_container_key && !is_uuid(text) && !is_mark(text) &&
           looks_opaque(text);
  }

  /// Tokens among the names of sub-protocols: `graphql-ws, x`.
  void mask_protocols(std::uint32_t value) {
    constexpr std::size_t shortest_token = 20;
    const auto list = text_of(value);
    for (std::size_t begin = 0; begin < list.size();) {
      const auto end = std::min(list.find_first_of(", ", begin), list.size());
      const auto item = list.substr(begin, end - begin);
      const auto token = item.substr(std::min(item.size(), item.find_last_of('.') + 1));
      if (token.size() >= shortest_token && looks_opaque(token))
        found_.push_back({static_cast<std::uint32_t>(nodes_[value].begin + end - token.size()),
                          static_cast<std::uint32_t>(nodes_[value].begin + end), "sub-protocol",
                          true});
      begin = end + 1;
    }
  }

  std::string_view text_;
  json_outline outline_;
  const std::vector<json_node>& nodes_;
  std::vector<found_part> found_;
};

} // namespace

void mask_apart(const pass_context& context, std::string& text, std::size_t begin) {
  const std::size_t size = text.size() - begin;
  if (size < shortest_document || size > longest_document)
    return;
  apart_pass pass{text, begin};
  pass.run();
  auto& found = pass.found();
  if (found.empty())
    return;
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  std::string out = text.substr(0, begin);
  std::size_t done = begin;
  for (const auto& part : found) {
    if (part.begin < done)
      continue;
    out.append(text, done, part.begin - done);
    const auto shown = context.log.set(part.rule, mask);
    out += part.quoted ? shown : '"' + shown + '"';
    done = part.end;
  }
  out.append(text, done, npos);
  text = std::move(out);
}

} // namespace gasoline::redaction
