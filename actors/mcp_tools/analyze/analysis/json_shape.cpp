#include "actors/mcp_tools/analyze/analysis/json_shape.hpp"

#include "messages/base/json/json_member.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/letters.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace gasoline {
namespace {

constexpr std::size_t most_members = 100;
constexpr std::size_t most_elements = 100;
constexpr std::size_t deepest = 12;
constexpr json_caps shape_caps{10'000, 10'000, 40};

/// Whether the text can stand as a name in TypeScript without quotes.
bool is_plain_name(std::string_view text) {
  const auto may_begin = [](char c) { return ascii::is_letter(c) || c == '_' || c == '$'; };
  return !text.empty() && may_begin(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
    return may_begin(c) || ascii::is_digit(c);
  });
}

std::string member_name(std::string_view name) {
  if (is_plain_name(name))
    return std::string{name};
  std::string out;
  append_json_string(out, name);
  return out;
}

std::string joined_by(const std::vector<std::string>& parts, std::string_view between) {
  std::string out;
  for (const auto& part : parts)
    out.append(out.empty() ? "" : between).append(part);
  return out;
}

std::string type_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const auto& name : names)
    quoted.push_back('"' + name + '"');
  return names.size() == 1 ? quoted.front() : '[' + joined_by(quoted, ",") + ']';
}

/// Whether the inside of a string is valid as it stands.
bool is_plain_text(std::string_view inside) {
  unsigned char lowest = 0xFF;
  for (const char c : inside)
    lowest = std::min(lowest, static_cast<unsigned char>(c));
  return lowest >= 0x20 && inside.find('\\') == std::string_view::npos;
}

bool is_name(std::string_view text, std::size_t quote) {
  const auto next = text.find_first_not_of(" \t\r\n", quote + 1);
  return next != std::string_view::npos && text[next] == ':';
}

/// The same JSON with what stands in long texts left out: no type depends on it, and the parser
/// takes eighty instructions for each byte.
std::string without_long_texts(std::string_view text) {
  constexpr std::size_t longest = 32;
  std::string out;
  std::size_t kept = 0; // what stands before it is copied, or left out
  for (auto begin = text.find('"'); begin < text.size();) {
    const auto end = end_of_json_string(text, begin);
    if (end == text.size())
      break;
    const auto inside = text.substr(begin + 1, end - begin - 1);
    if (inside.size() > longest && is_plain_text(inside) && !is_name(text, end)) {
      out += text.substr(kept, begin + 1 - kept);
      kept = end;
    }
    begin = text.find('"', end + 1);
  }
  out += text.substr(kept);
  return out;
}

} // namespace

std::optional<nlohmann::json> shapeable_json(std::string_view text) {
  if (excess_of(text, shape_caps) != json_excess::none)
    return std::nullopt;
  auto value = nlohmann::json::parse(without_long_texts(text), nullptr, false);
  return value.is_discarded() ? std::nullopt : std::optional{std::move(value)};
}

void json_shape::add(const nlohmann::json& value) {
  add_at(value, 0);
}

void json_shape::add_at(const nlohmann::json& value, std::size_t depth) {
  ++values_;
  if (value.is_null())
    ++nulls_;
  else if (value.is_boolean())
    ++booleans_;
  else if (value.is_number_integer())
    ++integers_;
  else if (value.is_number())
    ++decimals_;
  else if (value.is_string())
    ++texts_;
  if (depth == deepest)
    return;
  if (value.is_array()) {
    ++lists_;
    if (!elements_)
      elements_ = std::make_unique<json_shape>();
    for (std::size_t i = 0; i < std::min(value.size(), most_elements); ++i)
      elements_->add_at(value[i], depth + 1);
  }
  if (!value.is_object())
    return;
  ++objects_;
  for (const auto& [name, member] : value.items()) {
    if (members_.size() == most_members && members_.count(name) == 0)
      has_more_members_ = true;
    else
      members_[name].add_at(member, depth + 1);
  }
}

std::string json_shape::kinds() const {
  std::vector<std::string> types;
  for (const auto& [count, name] :
       {std::pair{booleans_, "boolean"}, std::pair{integers_ + decimals_, "number"},
        std::pair{texts_, "string"}, std::pair{lists_, "list"}, std::pair{objects_, "object"},
        std::pair{nulls_, "null"}})
    if (count > 0)
      types.emplace_back(name);
  return joined_by(types, " | ");
}

std::vector<std::string> json_shape::changes_since(const json_shape& before,
                                                   std::size_t most) const {
  std::vector<std::string> out;
  add_changes(before, {}, most, out);
  return out;
}

void json_shape::add_changes(const json_shape& before, const std::string& path, std::size_t most,
                             std::vector<std::string>& out) const {
  const auto place = path.empty() ? std::string{"the answer"} : path;
  const auto tell = [&](std::string line) {
    if (out.size() < most)
      out.push_back(std::move(line));
  };
  if (kinds() != before.kinds())
    tell(place + ": " + kinds() + ", was " + before.kinds());
  if (elements_ && before.elements_ && !elements_->empty() && !before.elements_->empty())
    elements_->add_changes(*before.elements_, path + "[]", most, out);
  if (objects_ == 0 || before.objects_ == 0)
    return;
  const auto inner = [&](const std::string& name) {
    return path.empty() ? member_name(name) : path + '.' + member_name(name);
  };
  for (const auto& [name, member] : members_)
    if (const auto known = before.members_.find(name); known != before.members_.end())
      member.add_changes(known->second, inner(name), most, out);
    else if (!before.has_more_members_)
      tell(inner(name) + " is new");
  for (const auto& [name, member] : before.members_)
    if (members_.count(name) == 0 && !has_more_members_)
      tell(inner(name) + " is gone");
}

std::string json_shape::typescript(std::size_t indent) const {
  std::vector<std::string> types;
  if (booleans_ > 0)
    types.emplace_back("boolean");
  if (integers_ + decimals_ > 0)
    types.emplace_back("number");
  if (texts_ > 0)
    types.emplace_back("string");
  if (lists_ > 0)
    types.push_back("Array<" + (elements_->empty() ? "unknown" : elements_->typescript(indent)) +
                    ">");
  if (objects_ > 0) {
    std::string object = "{\n";
    const std::string inner(indent + 2, ' ');
    for (const auto& [name, member] : members_)
      object += inner + member_name(name) + (is_optional(member) ? "?: " : ": ") +
                member.typescript(indent + 2) + ";\n";
    if (has_more_members_)
      object += inner + "[name: string]: unknown;\n";
    types.push_back(members_.empty() ? "Record<string, unknown>"
                                     : object + std::string(indent, ' ') + '}');
  }
  if (nulls_ > 0)
    types.emplace_back("null");
  return types.empty() ? "unknown" : joined_by(types, " | ");
}

std::string json_shape::schema() const {
  std::vector<std::string> types;
  if (booleans_ > 0)
    types.emplace_back("boolean");
  if (decimals_ > 0)
    types.emplace_back("number");
  else if (integers_ > 0)
    types.emplace_back("integer");
  if (texts_ > 0)
    types.emplace_back("string");
  if (lists_ > 0)
    types.emplace_back("array");
  if (objects_ > 0)
    types.emplace_back("object");
  if (nulls_ > 0)
    types.emplace_back("null");
  std::string out;
  json_object_writer w{out};
  if (!types.empty())
    w.raw("type", type_list(types));
  if (lists_ > 0 && !elements_->empty())
    w.raw("items", elements_->schema());
  if (objects_ > 0) {
    std::vector<std::string> properties;
    std::vector<std::string> needed;
    for (const auto& [name, member] : members_) {
      std::string key;
      append_json_string(key, name);
      if (!is_optional(member))
        needed.push_back(key);
      properties.push_back(key + ':' + member.schema());
    }
    w.raw("properties", '{' + joined_by(properties, ",") + '}');
    if (!needed.empty())
      w.raw("required", '[' + joined_by(needed, ",") + ']');
  }
  w.close();
  return out;
}

} // namespace gasoline
