#include "messages/agents/session_filter.hpp"

#include "messages/base/json/json_text.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

tl::unexpected<user_error> refused(std::string message) {
  return tl::make_unexpected(user_error{std::move(message)});
}

std::string shown(const json& value) {
  return value.is_string() ? "'" + value.get<std::string>() + "'" : dumped(value);
}

std::bitset<session_event_types> all_types() {
  return std::bitset<session_event_types>{}.set();
}

result_or<session_filter> parse_preset(const std::string& name) {
  session_filter filter;
  if (name == "preset:full") {
    filter.types = all_types();
    filter.any_type = true;
    return filter;
  }
  if (name != "preset:chat")
    return refused("filter '" + name +
                   "' is no preset; use preset:chat, preset:full or a filter object");
  for (const auto& row : session_event_catalog())
    if (row.in_chat && row.type != session_event_type::other)
      filter.types.set(static_cast<std::size_t>(row.type));
  return filter;
}

result_or<std::bitset<session_event_types>> parse_types(const json& names) {
  if (names.is_null())
    return all_types();
  if (!names.is_array())
    return refused("filter.event_types must be an array of event types, or null for all");
  std::bitset<session_event_types> types;
  for (const auto& name : names) {
    const auto type = name.is_string()
                          ? parse_name<session_event_type>(name.get_ref<const std::string&>())
                          : std::nullopt;
    if (!type)
      return refused("filter.event_types holds " + shown(name) +
                     ", which is no event type; the types are " + all_names<session_event_type>());
    types.set(static_cast<std::size_t>(*type));
  }
  return types;
}

result_or<std::optional<std::vector<std::string>>> parse_actors(const json& names) {
  if (names.is_null())
    return std::nullopt;
  if (!names.is_array())
    return refused("filter.actors must be an array of actor names, or null for all");
  std::vector<std::string> actors;
  for (const auto& name : names) {
    if (!name.is_string() || name.get_ref<const std::string&>().empty())
      return refused("filter.actors holds " + shown(name) +
                     ", which is no actor name; names are non-empty strings");
    actors.push_back(name.get<std::string>());
  }
  return actors;
}

result_or<session_filter> parse_object(const json& object) {
  session_filter filter;
  filter.types = all_types();
  filter.any_type = true;
  for (const auto& [key, value] : object.items()) {
    if (key == "event_types") {
      const auto types = parse_types(value);
      if (!types)
        return tl::make_unexpected(types.error());
      filter.types = *types;
      filter.any_type = value.is_null();
    } else if (key == "actors") {
      auto actors = parse_actors(value);
      if (!actors)
        return tl::make_unexpected(actors.error());
      filter.actors = std::move(*actors);
    } else if (key == "include_worker_sessions") {
      if (!value.is_boolean())
        return refused("filter.include_worker_sessions must be true or false");
      filter.with_workers = value.get<bool>();
    } else {
      return refused("filter has no field '" + key +
                     "'; the fields are event_types, actors, include_worker_sessions");
    }
  }
  return filter;
}

} // namespace

bool session_filter::matches(const session_event& e, const agent_session_id& session_id) const {
  if (!with_workers && e.session_id != session_id)
    return false;
  const bool of_type =
      e.type == session_event_type::other ? any_type : types[static_cast<std::size_t>(e.type)];
  if (!of_type)
    return false;
  return !actors || std::find(actors->begin(), actors->end(), e.actor) != actors->end();
}

result_or<session_filter> parse_session_filter(const json& filter) {
  if (filter.is_string())
    return parse_preset(filter.get<std::string>());
  if (filter.is_object())
    return parse_object(filter);
  return refused("filter must be a filter object, \"preset:chat\" or \"preset:full\"");
}

json to_json_document(const session_filter& filter) {
  auto types = json::array();
  for (const auto& [type, name] : enum_table<session_event_type>::rows)
    if (filter.types[static_cast<std::size_t>(type)])
      types.push_back(name);
  return {{"event_types", std::move(types)},
          {"actors", filter.actors ? json(*filter.actors) : json(nullptr)},
          {"include_worker_sessions", filter.with_workers}};
}

} // namespace gasoline
