#pragma once

#include "config/settings.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/time.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// Reads the arguments of one tool call. The first problem is kept as a sentence that names what
/// is valid; later reads then answer nothing.
class tool_arguments {
 public:
  /// `arguments` must outlive this and be an object or null; `now` is what ages count from.
  /// `ordered` is the same as JSON in the caller's order, or empty, and must outlive this as well.
  tool_arguments(const nlohmann::json& arguments, wall_time now, std::string_view ordered = {})
      : arguments_(arguments), now_(now), ordered_(ordered) {}

  wall_time now() const { return now_; }

  /// Whether that argument is there; null counts as absent.
  bool has(std::string_view name) const;

  /// Any value, null included; nothing when there is none.
  const nlohmann::json* any(std::string_view name);
  std::optional<std::string> text(std::string_view name);
  /// A text; a number counts as it is written.
  std::optional<std::string> text_or_number(std::string_view name);
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t min, std::int64_t max);
  std::optional<bool> boolean(std::string_view name);
  /// A list; a single value counts as a list of one.
  std::optional<std::vector<std::string>> texts(std::string_view name);

  /// An object as compact JSON; `example` stands in the error.
  std::optional<std::string> object(std::string_view name, std::string_view example);

  /// The same with its members in the caller's order.
  std::optional<std::string> object_in_order(std::string_view name, std::string_view example);

  /// A name of enum `E`.
  template <class E>
  std::optional<E> choice(std::string_view name) {
    const auto value = text(name);
    if (!value)
      return std::nullopt;
    const auto found = parse_name<E>(*value);
    if (!found)
      fail(invalid_choice(name, *value, all_names<E>()));
    return found;
  }

  /// Records a problem unless there is one already.
  void fail(std::string sentence);

  bool failed() const { return !problem_.empty(); }
  user_error problem() const { return {problem_}; }

  /// Names that were given but never asked for, comma-separated.
  std::string unknown() const;

  /// One of them whose value says something: some clients give all parameters of a tool and leave
  /// those empty, false or 0 that they do not mean. Empty: there is none.
  std::string_view meant_unknown() const;

  /// A wrong value, quoted and never at length.
  static std::string quoted(std::string_view value);

  static std::string invalid_choice(std::string_view name, std::string_view value,
                                    std::string_view valid);

 private:
  const nlohmann::json* find(std::string_view name);
  bool is_known(std::string_view name) const;

  const nlohmann::json& arguments_;
  wall_time now_;
  std::string_view ordered_;
  std::vector<std::string> known_;
  std::string problem_;
};

} // namespace gasoline
