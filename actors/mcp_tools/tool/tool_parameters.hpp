#pragma once

#include "actors/mcp_tools/tool/tool_arguments.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gasoline {

/// One parameter as `tools/list` shows it.
struct shown_parameter {
  std::string_view name;
  nlohmann::json schema; ///< always an object
  bool needed = false;
};

/// The names of an enum on the wire, as a schema lists them.
template <class E>
nlohmann::json enum_names() {
  nlohmann::json out = nlohmann::json::array();
  for (const auto& row : enum_table<E>::rows)
    out.push_back(row.second);
  return out;
}

/// One parameter: its schema, how it is read into `Args`, and what is said when it is wrong.
template <class Args>
class tool_parameter {
 public:
  /// Reads the argument of that name; answers whether it had a value.
  using taker = std::function<bool(tool_arguments&, std::string_view name, Args&)>;

  tool_parameter(std::string_view name, nlohmann::json schema, taker take)
      : name_(name), schema_(std::move(schema)), take_(std::move(take)) {}

  /// What the schema says of it.
  tool_parameter& about(std::string_view description) { return shows("description", description); }

  /// A further member of the schema.
  tool_parameter& shows(std::string_view key, nlohmann::json value) {
    schema_[std::string{key}] = std::move(value);
    return *this;
  }

  /// Without it, or when it is an empty text, the call is refused: "NAME is missing" and the
  /// advice, which names what is valid.
  tool_parameter& needed(std::string advice) {
    advice_ = std::move(advice);
    return *this;
  }

  /// Read only when this holds for the parameters before it.
  tool_parameter& when(std::function<bool(const Args&)> condition) {
    condition_ = std::move(condition);
    return *this;
  }

  /// Another name that is accepted in its place, and not shown.
  tool_parameter& also(std::string_view name) {
    also_ = name;
    return *this;
  }

  /// Looks at the value once it has been read, and fails the arguments when it is wrong.
  tool_parameter& check(std::function<void(tool_arguments&, const Args&)> check) {
    check_ = std::move(check);
    return *this;
  }

  std::string_view name() const { return name_; }

  /// The schema goes along: it is shown once, and never needed to read.
  shown_parameter take_shown() { return {name_, std::move(schema_), !advice_.empty()}; }

  void read(tool_arguments& arguments, Args& out) const {
    if (condition_ && !condition_(out))
      return;
    bool given = take_(arguments, name_, out);
    if (!also_.empty()) {
      Args unused = out;
      given = take_(arguments, also_, given ? unused : out) || given;
    }
    if (!given && !advice_.empty())
      arguments.fail(std::string{name_} + " is missing" + advice_);
    if (check_)
      check_(arguments, out);
  }

 private:
  std::string_view name_;
  nlohmann::json schema_;
  taker take_;
  std::string advice_;
  std::string_view also_;
  std::function<bool(const Args&)> condition_;
  std::function<void(tool_arguments&, const Args&)> check_;
};

/// The parameters of one tool, or of one of its modes, in the order in which they are read: the
/// first problem is the one that is told. A `place` says where a value goes: a member of `Args`, or
/// a function from `Args&` to a reference. What is not given keeps its usual value.
template <class Args>
class tool_parameters {
 public:
  using parameter = tool_parameter<Args>;

  explicit tool_parameters(Args usual = {}) : usual_(std::move(usual)) {}

  template <class Place>
  parameter& text(std::string_view name, Place place) {
    return text_read_by(&tool_arguments::text, name, place);
  }

  /// A text; a number counts as it is written.
  template <class Place>
  parameter& text_or_number(std::string_view name, Place place) {
    return text_read_by(&tool_arguments::text_or_number, name, place);
  }

  /// A text that `parse` turns into a value: it gets the arguments and the text, and answers
  /// nothing when the text stands for none or is wrong; then it has failed the arguments.
  template <class Place, class Parse>
  parameter& parsed(std::string_view name, Place place, Parse parse) {
    return add(name, {{"type", "string"}},
               [place, parse](tool_arguments& arguments, std::string_view given, Args& out) {
                 const auto value = arguments.text(given);
                 return value && put(parse(arguments, *value), place, out);
               });
  }

  /// One of the names of an enum.
  template <class E, class Place>
  parameter& choice(std::string_view name, Place place) {
    return add(name, {{"type", "string"}, {"enum", enum_names<E>()}},
               [place](tool_arguments& arguments, std::string_view given, Args& out) {
                 return put(arguments.choice<E>(given), place, out);
               });
  }

  /// A list of names of an enum, at least one; repeats count once.
  template <class E, class Place>
  parameter& choices(std::string_view name, Place place) {
    return add(name,
               {{"type", "array"}, {"items", {{"type", "string"}, {"enum", enum_names<E>()}}}},
               [place](tool_arguments& arguments, std::string_view given, Args& out) {
                 return put(read_choices<E>(arguments, given), place, out);
               });
  }

  /// A whole number; the bounds hold whether the schema shows them or not.
  template <class Place>
  parameter& integer(std::string_view name, Place place, std::uint64_t min, std::uint64_t max) {
    return add(name, {{"type", "integer"}},
               [place, min, max](tool_arguments& arguments, std::string_view given, Args& out) {
                 return put(arguments.integer(given, static_cast<std::int64_t>(min),
                                              static_cast<std::int64_t>(max)),
                            place, out);
               });
  }

  template <class Place>
  parameter& boolean(std::string_view name, Place place) {
    return add(name, {{"type", "boolean"}},
               [place](tool_arguments& arguments, std::string_view given, Args& out) {
                 return put(arguments.boolean(given), place, out);
               });
  }

  /// An object, as compact JSON; `example` stands in the error.
  template <class Place>
  parameter& object(std::string_view name, Place place, std::string_view example) {
    return add(name, {{"type", "object"}},
               [place, example](tool_arguments& arguments, std::string_view given, Args& out) {
                 return put(arguments.object(given, example), place, out);
               });
  }

  /// Looks at all values together, once they have been read.
  tool_parameters& check(std::function<void(tool_arguments&, const Args&)> check) {
    check_ = std::move(check);
    return *this;
  }

  /// Where the names of unknown arguments go; without it they are ignored silently.
  tool_parameters& ignored(std::string Args::*place) {
    ignored_ = place;
    return *this;
  }

  /// Unknown arguments that say something are refused, in the name of `who`; `meant` answers the
  /// parameter that is called so elsewhere, or nothing.
  tool_parameters& refuse_unknown(std::string_view who,
                                  std::string_view (*meant)(std::string_view)) {
    who_ = who;
    meant_ = meant;
    return *this;
  }

  /// A parameter whose schema and reading are its own.
  parameter& add(std::string_view name, nlohmann::json schema, typename parameter::taker take) {
    return rows_.emplace_back(name, std::move(schema), std::move(take));
  }

  /// To be asked once: schemas are not copied.
  std::vector<shown_parameter> take_shown() {
    std::vector<shown_parameter> out;
    out.reserve(rows_.size());
    for (auto& row : rows_)
      out.push_back(row.take_shown());
    return out;
  }

  /// The checked arguments, or a sentence that names what is valid.
  result_or<Args> read(tool_arguments& arguments) const {
    Args out = usual_;
    for (const auto& row : rows_)
      row.read(arguments, out);
    if (check_)
      check_(arguments, out);
    if (const auto unknown = who_.empty() ? who_ : arguments.meant_unknown(); !unknown.empty())
      return tl::unexpected(user_error{refusal_of(unknown)});
    if (arguments.failed())
      return tl::unexpected(arguments.problem());
    if (ignored_)
      out.*ignored_ = arguments.unknown();
    return out;
  }

 private:
  using text_reader = std::optional<std::string> (tool_arguments::*)(std::string_view);

  template <class Place>
  parameter& text_read_by(text_reader read, std::string_view name, Place place) {
    return add(name, {{"type", "string"}},
               [read, place](tool_arguments& arguments, std::string_view given, Args& out) {
                 auto value = (arguments.*read)(given);
                 const bool any = value && !value->empty();
                 return put(std::move(value), place, out) && any;
               });
  }

  std::string refusal_of(std::string_view unknown) const {
    const auto meant = meant_(unknown);
    auto out = std::string{who_} + " takes no " + tool_arguments::quoted(unknown);
    if (!meant.empty())
      out.append("; say ").append(meant);
    out += ". It takes ";
    for (const auto& row : rows_)
      out.append(&row == &rows_.front() ? "" : ", ").append(row.name());
    return out + '.';
  }

  template <class Value, class Place>
  static bool put(std::optional<Value> value, Place place, Args& out) {
    if (!value)
      return false;
    auto& slot = std::invoke(place, out);
    slot = static_cast<std::remove_reference_t<decltype(slot)>>(std::move(*value));
    return true;
  }

  template <class E>
  static std::optional<std::vector<E>> read_choices(tool_arguments& arguments,
                                                    std::string_view name) {
    const auto names = arguments.texts(name);
    if (!names)
      return std::nullopt;
    if (names->empty())
      arguments.fail(std::string{name} + " must name at least one of: " + all_names<E>() + ".");
    std::vector<E> out;
    for (const auto& each : *names) {
      const auto value = parse_name<E>(each);
      if (!value) {
        arguments.fail(tool_arguments::invalid_choice(name, each, all_names<E>()));
        return std::nullopt;
      }
      if (std::find(out.begin(), out.end(), *value) == out.end())
        out.push_back(*value);
    }
    return out;
  }

  Args usual_;
  std::vector<parameter> rows_;
  std::function<void(tool_arguments&, const Args&)> check_;
  std::string Args::*ignored_ = nullptr;
  std::string_view who_; // empty: unknown arguments are let pass
  std::string_view (*meant_)(std::string_view) = nullptr;
};

/// Arguments of a mode that has no parameters.
struct no_arguments {};

} // namespace gasoline
