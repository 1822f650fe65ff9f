#include "actors/alerts/scope/scope_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_entries = 100;
constexpr std::size_t longest_entry = 256;

using list_member = std::vector<std::string> scope_lists::*;
constexpr std::array<std::pair<const char*, list_member>, 3> lists{{
    {"origins", &scope_lists::origins},
    {"services", &scope_lists::services},
    {"ci", &scope_lists::ci},
}};

user_error wrong_list(const std::string& name) {
  return user_error{std::string{scope_file_name} + ": " + name + " must be a list of at most " +
                    std::to_string(most_entries) + " texts of at most " +
                    std::to_string(longest_entry) +
                    R"( bytes, such as {"origins":["http://localhost:3000"]}.)"};
}

std::optional<std::vector<std::string>> texts_in(const ordered_json& value) {
  if (!value.is_array() || value.size() > most_entries)
    return std::nullopt;
  std::vector<std::string> out;
  for (const auto& entry : value) {
    if (!entry.is_string() || entry.get_ref<const std::string&>().size() > longest_entry)
      return std::nullopt;
    out.push_back(entry.get<std::string>());
  }
  return out;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  return text.substr(0, mark.size()) == mark ? text.substr(mark.size()) : text;
}

} // namespace

result_or<scope_lists> parse_scope_file(std::string_view text) {
  const auto document = ordered_json::parse(without_mark(text), nullptr, false, true);
  if (!document.is_object())
    return tl::unexpected(
        user_error{std::string{scope_file_name} +
                   R"( is no JSON object, such as {"origins":["http://localhost:3000"]}.)"});
  scope_lists out;
  for (const auto& [name, list] : lists) {
    const auto found = document.find(name);
    if (found == document.end())
      continue;
    auto texts = texts_in(*found);
    if (!texts)
      return tl::unexpected(wrong_list(name));
    out.*list = std::move(*texts);
  }
  return out;
}

result_or<std::string> changed_scope_file(std::string_view text, const scope_change& change) {
  auto document = text.empty() ? ordered_json::object()
                               : ordered_json::parse(without_mark(text), nullptr, false);
  if (!document.is_object())
    return tl::unexpected(
        user_error{std::string{scope_file_name} +
                   " has comments, or is no JSON object: it is left as it is. Change it by hand."});
  const auto set = [&](const char* name, const auto& list) {
    if (list && list->empty())
      document.erase(name);
    else if (list)
      document[name] = *list;
  };
  set("origins", change.origins);
  set("services", change.services);
  set("ci", change.ci);
  auto out = document.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  if (const auto read = parse_scope_file(out); !read)
    return tl::unexpected(read.error());
  return out;
}

} // namespace gasoline
