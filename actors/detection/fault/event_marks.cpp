#include "actors/detection/fault/event_marks.hpp"

#include "actors/detection/fault/event_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace gasoline {
namespace {

std::string_view unquoted(std::string_view json) {
  const bool text = json.size() >= 2 && json.front() == '"' && json.back() == '"';
  return text ? json.substr(1, json.size() - 2) : json;
}

/// The id of the document among these fields.
std::string_view page_id_in(std::string_view fields) {
  constexpr std::string_view name = R"("page_id":")";
  // A search from quote to quote takes five times as long.
  const auto* found =
      static_cast<const char*>(::memmem(fields.data(), fields.size(), name.data(), name.size()));
  if (found == nullptr)
    return {};
  const auto place = static_cast<std::size_t>(found - fields.data());
  // What stands inside another value is somebody else's page.
  const auto before = fields.substr(0, place);
  if (std::any_of(before.begin(), before.end(), [](char c) { return c == '{' || c == '['; }))
    return unquoted(field_json(fields, "page_id"));
  const auto value = fields.substr(place + name.size());
  return value.substr(0, value.find('"'));
}

} // namespace

text_place page_id_place(const event& e) {
  const auto fields = e.fields.view();
  const auto id = page_id_in(fields);
  if (id.empty())
    return {1, 0};
  return {static_cast<std::uint32_t>(id.data() - fields.data()),
          static_cast<std::uint32_t>(id.size())};
}

std::string_view page_id_of(const event& e) {
  const auto place = e.page_id.begin > 0 ? e.page_id : page_id_place(e);
  return place.size > 0 ? e.fields.view().substr(place.begin, place.size) : std::string_view{};
}

event_marks marks_of(const event& e) {
  event_marks out;
  constexpr std::pair<std::string_view, std::string_view event_marks::*> names[] = {
      {"page_id", &event_marks::page_id},         {"request_id", &event_marks::request_id},
      {"error_id", &event_marks::error_id},       {"cause", &event_marks::cause},
      {"reported_by", &event_marks::reported_by}, {"dev_server", &event_marks::dev_server},
      {"trace_id", &event_marks::trace_id},       {"attempt", &event_marks::attempt}};
  for_each_field(e.fields.view(), [&](std::string_view name, std::string_view json) {
    for (const auto& [known, member] : names)
      if (known == name)
        out.*member = unquoted(json);
  });
  return out;
}

} // namespace gasoline
