#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// The text as JSON, long texts in it empty; nothing: it is none, or nests or lists more than is
/// looked at. `text` is valid UTF-8.
std::optional<nlohmann::json> shapeable_json(std::string_view text);

/// What several JSON values have in common: types, members, never a value. Bounded in depth and in
/// members, so that whoever writes the values cannot make it grow.
class json_shape {
 public:
  /// Adds one more value.
  void add(const nlohmann::json& value);

  bool empty() const { return values_ == 0; }

  /// What is different from before, a line each: `items[].price: string, was number`, `total is
  /// new`, `name is gone`; at most so many. Members are new or gone when only one side ever has
  /// them.
  std::vector<std::string> changes_since(const json_shape& before, std::size_t most) const;

  /// The types of the value itself, without what is in it: `object`, `number | null`.
  std::string kinds() const;

  /// As a type of TypeScript, indented by so many blanks.
  std::string typescript(std::size_t indent = 0) const;
  /// As JSON Schema, compact.
  std::string schema() const;

 private:
  void add_changes(const json_shape& before, const std::string& path, std::size_t most,
                   std::vector<std::string>& out) const;
  void add_at(const nlohmann::json& value, std::size_t depth);
  bool is_optional(const json_shape& member) const { return member.values_ < objects_; }

  std::size_t values_ = 0;
  std::size_t nulls_ = 0;
  std::size_t booleans_ = 0;
  std::size_t integers_ = 0;
  std::size_t decimals_ = 0;
  std::size_t texts_ = 0;
  std::size_t objects_ = 0;
  std::size_t lists_ = 0;
  bool has_more_members_ = false; ///< there are some that were not looked at
  std::map<std::string, json_shape> members_;
  std::unique_ptr<json_shape> elements_;
};

} // namespace gasoline
