#include "actors/ingest/formats/sentry/sentry_attributes.hpp"

#include "actors/base/dom_values.hpp"
#include "actors/ingest/formats/sentry/sentry_values.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <array>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t most_attributes = 128;

dom::element unwrapped(const dom::element& value) {
  for (const auto* name : {"value", "stringValue", "string_value", "intValue", "int_value",
                           "doubleValue", "double_value", "boolValue", "bool_value"})
    if (const auto inner = member_in(value, name))
      return *inner;
  return value;
}

bool tells_of_program(std::string_view name) {
  constexpr std::array<std::string_view, 8> starts{"sentry.", "device.", "process.",   "culture.",
                                                   "app.",    "os.",     "telemetry.", "thread."};
  return std::none_of(starts.begin(), starts.end(),
                      [&](std::string_view start) { return name.starts_with(start); });
}

template <class Visit>
void for_each_attribute(const dom::element& all, Visit visit) {
  std::size_t seen = 0;
  dom::object object;
  dom::array list;
  if (all.get_object().get(object) == simdjson::SUCCESS) {
    for (const auto field : object)
      if (seen++ == most_attributes || !visit(field.key, unwrapped(field.value)))
        return;
  } else if (all.get_array().get(list) == simdjson::SUCCESS) {
    for (const auto pair : list) {
      const auto value = member_in(pair, "value");
      if (seen++ == most_attributes || (value && !visit(text_in(pair, "key"), unwrapped(*value))))
        return;
    }
  }
}

} // namespace

sentry_attributes::sentry_attributes(const dom::element& record)
    : all_(member_in(record, "attributes")) {
  if (!all_)
    all_ = member_in(record, "data");
}

std::optional<dom::element> sentry_attributes::value(std::string_view name) const {
  std::optional<dom::element> out;
  if (all_)
    for_each_attribute(*all_, [&](std::string_view key, const dom::element& found) {
      if (key == name)
        out = found;
      return !out;
    });
  return out;
}

std::string sentry_attributes::text(std::string_view name) const {
  const auto found = value(name);
  return found ? text_of(*found) : std::string{};
}

void sentry_attributes::keep_in(field_list& fields, std::size_t most_bytes) const {
  if (!all_)
    return;
  std::string object;
  for_each_attribute(*all_, [&](std::string_view key, const dom::element& found) {
    if (!tells_of_program(key))
      return true;
    std::string pair{object.empty() ? "" : ","};
    append_json_string(pair, key);
    pair += ':';
    append_json(pair, found);
    if (object.size() + pair.size() <= most_bytes)
      object += pair;
    return true;
  });
  if (!object.empty())
    fields.member("attributes", "{" + object + "}");
}

} // namespace gasoline
