#include "actors/mcp_tools/configure/configure_tool.hpp"

#include "actors/mcp_tools/streams/stream_arguments.hpp"
#include "actors/mcp_tools/tool_arguments.hpp"

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;

enum class configure_action : std::uint8_t { streaming, health, clear, noise_rule, stream };
enum class streaming_action : std::uint8_t { enable, disable, status };

constexpr std::size_t longest_url_filter = 2048;
constexpr std::size_t longest_pattern = 1024;

} // namespace

template <>
struct enum_table<configure_action> {
  static constexpr std::array<std::pair<configure_action, std::string_view>, 5> rows{{
      {configure_action::streaming, "streaming"},
      {configure_action::health, "health"},
      {configure_action::clear, "clear"},
      {configure_action::noise_rule, "noise_rule"},
      {configure_action::stream, "stream"},
  }};
};

template <>
struct enum_table<streaming_action> {
  static constexpr std::array<std::pair<streaming_action, std::string_view>, 3> rows{{
      {streaming_action::enable, "enable"},
      {streaming_action::disable, "disable"},
      {streaming_action::status, "status"},
  }};
};

namespace {

void read_events(tool_arguments& args, push_config& config) {
  const auto names = args.texts("events");
  if (!names)
    return;
  if (names->empty())
    args.fail("events must name at least one of: " + all_names<event_filter>() + ".");
  config.events.clear();
  for (const auto& name : *names) {
    const auto filter = parse_name<event_filter>(name);
    if (!filter) {
      args.fail(tool_arguments::invalid_choice("events", name, all_names<event_filter>()));
      return;
    }
    if (std::find(config.events.begin(), config.events.end(), *filter) == config.events.end())
      config.events.push_back(*filter);
  }
}

void read_url(tool_arguments& args, push_config& config) {
  const auto filter = args.text("url_filter");
  const auto url = args.text("url");
  config.url = filter ? *filter : url.value_or("");
  if (config.url.size() > longest_url_filter)
    args.fail("url_filter may have at most " + std::to_string(longest_url_filter) + " bytes.");
}

result_or<configure_call> parse_streaming(tool_arguments& args, std::string_view selector) {
  const auto action = args.choice<streaming_action>(selector);
  if (!action)
    args.fail(std::string{selector} + " is missing; use one of: " + all_names<streaming_action>() +
              ".");
  push_config config;
  config.enabled = true;
  read_events(args, config);
  if (const auto seconds = args.integer("throttle_seconds", 1, 60))
    config.throttle = std::chrono::seconds{*seconds};
  read_url(args, config);
  if (const auto level = args.choice<severity>("severity_min"))
    config.severity_min = *level;
  if (args.failed())
    return tl::unexpected(args.problem());
  switch (*action) {
  case streaming_action::enable:
    return enable_streaming{std::move(config)};
  case streaming_action::disable:
    return disable_streaming{};
  case streaming_action::status:
    return show_streaming{};
  }
  return show_streaming{};
}

result_or<configure_call> parse_noise_rule(tool_arguments& args) {
  noise_command command;
  const auto action = args.choice<noise_action>("noise_action");
  if (!action)
    args.fail("noise_action is missing; use one of: " + all_names<noise_action>() + ".");
  else
    command.action = *action;
  command.pattern = args.text("pattern").value_or("");
  command.field = args.choice<noise_field>("field").value_or(noise_field::message);
  command.reason = args.text("reason").value_or("");
  command.rule_id = args.text("rule_id").value_or("");
  if (command.action == noise_action::add && command.pattern.empty())
    args.fail(
        "pattern is missing: an RE2 expression that is searched in the field (message, url or "
        "stack).");
  if (command.pattern.size() > longest_pattern || command.reason.size() > longest_pattern)
    args.fail("pattern and reason may have at most " + std::to_string(longest_pattern) + " bytes.");
  if (command.action == noise_action::remove && command.rule_id.empty())
    args.fail("rule_id is missing; noise_action list shows the ids.");
  if (args.failed())
    return tl::unexpected(args.problem());
  return command;
}

result_or<configure_call> parse_stream_change(tool_arguments& args) {
  auto command = parse_stream_action(args);
  if (!command)
    return tl::unexpected(command.error());
  return std::move(*command);
}

json config_json(const push_config& config) {
  json events = json::array();
  for (const auto filter : config.events)
    events.push_back(name_of(filter));
  return {{"enabled", config.enabled},
          {"events", std::move(events)},
          {"throttle_seconds", config.throttle.count()},
          {"severity_min", name_of(config.severity_min)},
          {"url", config.url}};
}

tool_result compact(const json& value) {
  return {value.dump(-1, ' ', false, json::error_handler_t::replace), false};
}

/// What a client that may not be pushed to does instead.
json waiting_delivery() {
  return {{"push", false}, {"use", "observe what=alerts wait_seconds"}};
}

bool names_frustration(const push_config& config) {
  return std::find(config.events.begin(), config.events.end(), event_filter::user_frustration) !=
         config.events.end();
}

} // namespace

result_or<configure_call> parse_configure(const json& arguments) {
  tool_arguments args{arguments};
  const auto* selector =
      arguments.is_object() && !arguments.contains("action") && arguments.contains("what")
          ? "what"
          : "action";
  const auto action = args.choice<configure_action>(selector);
  if (!action) {
    args.fail("action is missing; use one of: " + all_names<configure_action>() + ".");
    return tl::unexpected(args.problem());
  }
  switch (*action) {
  case configure_action::streaming:
    return parse_streaming(args, "streaming_action");
  case configure_action::health:
    return show_health{};
  case configure_action::clear:
    return clear_positions{};
  case configure_action::noise_rule:
    return parse_noise_rule(args);
  case configure_action::stream:
    return parse_stream_change(args);
  }
  return show_health{};
}

result_or<configure_call> parse_configure_streaming(const json& arguments) {
  tool_arguments args{arguments};
  return parse_streaming(args, "action");
}

tool_result enabled_result(const push_status& status, push_delivery delivery) {
  json out{{"status", "enabled"}, {"config", config_json(status.config)}};
  if (names_frustration(status.config))
    out["note"] = "user_frustration has no source yet; it is accepted and matches nothing.";
  if (delivery == push_delivery::asked_for)
    out["delivery"] = waiting_delivery();
  return compact(out);
}

tool_result disabled_result(const push_status& status) {
  return compact({{"status", "disabled"}, {"pending_cleared", status.pending_cleared}});
}

tool_result status_result(const push_status& status, const delivery_counts& counts) {
  json delivery{{"pushed", counts.pushed}, {"read", counts.read}};
  if (counts.delivery == push_delivery::asked_for)
    delivery.update(waiting_delivery());
  json suppressed = json::object();
  for (const auto& [filter, n] : status.suppressed_by)
    suppressed[filter] = n;
  return compact({{"config", config_json(status.config)},
                  {"notify_count", status.notify_count},
                  {"pending", status.pending},
                  {"dropped", status.dropped},
                  {"deduplicated", status.deduplicated},
                  {"suppressed_by", std::move(suppressed)},
                  {"delivery", std::move(delivery)}});
}

} // namespace gasoline
