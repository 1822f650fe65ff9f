#include "actors/mcp_tools/configure/streaming_action.hpp"

#include "messages/alerts/push_config.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

enum class push_change : std::uint8_t { enable, disable, status };

} // namespace

template <>
struct enum_table<push_change> {
  static constexpr std::array<std::pair<push_change, std::string_view>, 3> rows{{
      {push_change::enable, "enable"},
      {push_change::disable, "disable"},
      {push_change::status, "status"},
  }};
};

namespace {

struct streaming_arguments {
  std::optional<push_change> change; ///< set once they have been read
  push_config config;
};

/// Where a parameter of the configuration goes.
template <class Member>
auto in_config(Member member) {
  return [member](streaming_arguments & arguments) -> auto& {
    return arguments.config.*member;
  };
}

tool_parameters<streaming_arguments> streaming_parameters(std::string_view selector,
                                                          std::uint64_t longest_url) {
  // URLs are not kept any longer than that, so a longer filter would match nothing.
  const auto check_url = [longest_url](tool_arguments& arguments, const streaming_arguments& read) {
    if (read.config.url.size() > longest_url)
      arguments.fail("url_filter may have at most " + std::to_string(longest_url) + " bytes.");
  };
  streaming_arguments usual;
  usual.config.enabled = true;
  tool_parameters<streaming_arguments> out{usual};
  out.choice<push_change>(selector, &streaming_arguments::change)
      .needed("; use one of: " + all_names<push_change>() + ".");
  out.choices<event_filter>("events", in_config(&push_config::events));
  out.integer("throttle_seconds", in_config(&push_config::throttle), 1, 60)
      .shows("minimum", 1)
      .shows("maximum", 60);
  out.text("url_filter", in_config(&push_config::url))
      .about("Only network, performance and security events whose URL contains this")
      .also("url")
      .check(check_url);
  out.choice<severity>("severity_min", in_config(&push_config::severity_min));
  return out;
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
  return text_result(dumped(value));
}

/// What a client that may not be pushed to does instead.
json waiting_delivery() {
  return {{"push", false}, {"use", "observe what=alerts wait_seconds"}};
}

/// Clients of 2026-07-28 may not be pushed to and wait with `observe`.
bool may_be_pushed_to(const tool_call& call) {
  return call.era() == mcp_era::legacy;
}

bool names_frustration(const push_config& config) {
  return std::find(config.events.begin(), config.events.end(), event_filter::user_frustration) !=
         config.events.end();
}

void enable(const tool_call& call, const push_config& config) {
  const bool pushed = may_be_pushed_to(call);
  if (pushed)
    call.push().turn_on();
  call.ask_engine<push_status>(
      call.push().throttler(),
      [call, pushed](const push_status& status) {
        json out{{"status", "enabled"}, {"config", config_json(status.config)}};
        if (names_frustration(status.config))
          out["note"] = "user_frustration has no source yet; it is accepted and matches nothing.";
        if (!pushed)
          out["delivery"] = waiting_delivery();
        call.answer(compact(out));
      },
      enable_atom_v, config);
}

void disable(const tool_call& call) {
  call.push().turn_off();
  call.ask_engine<push_status>(
      call.push().throttler(),
      [call](const push_status& status) {
        call.answer(compact({{"status", "disabled"}, {"pending_cleared", status.pending_cleared}}));
      },
      disable_atom_v);
}

/// What the conversation was sent and what it has been shown, by which way.
json delivery_json(const reader_report& report) {
  json shown = json::object();
  std::uint64_t read = 0;
  for (const auto& [channel, name] : enum_table<shown_channel>::rows) {
    const auto n = report.shown[static_cast<std::size_t>(channel)];
    read += n;
    if (n > 0)
      shown[std::string{name}] = n;
  }
  json out{{"raised", report.raised},
           {"sent", report.sent},
           {"read", read},
           {"shown", std::move(shown)},
           {"unread", report.pending}};
  if (report.elsewhere > 0)
    out["of_other_projects"] = report.elsewhere;
  if (!report.scope_problem.empty())
    out["scope_problem"] = report.scope_problem;
  return out;
}

json status_json(const tool_call& call, const push_status& status, const reader_report& report) {
  auto delivery = delivery_json(report);
  delivery["pushed"] = status.notify_count;
  if (!may_be_pushed_to(call))
    delivery.update(waiting_delivery());
  json suppressed = json::object();
  for (const auto& [filter, n] : status.suppressed_by)
    suppressed[filter] = n;
  return {{"config", config_json(status.config)},
          {"notify_count", status.notify_count},
          {"pending", status.pending},
          {"dropped", status.dropped},
          {"deduplicated", status.deduplicated},
          {"suppressed_by", std::move(suppressed)},
          {"delivery", std::move(delivery)}};
}

void show_status(const tool_call& call) {
  call.alert_report([call](const reader_report& report) {
    call.ask_engine<push_status>(
        call.push().throttler(),
        [call, report](const push_status& status) {
          call.answer(compact(status_json(call, status, report)));
        },
        status_atom_v);
  });
}

void run_streaming(const tool_call& call, const streaming_arguments& arguments) {
  switch (*arguments.change) {
  case push_change::enable:
    enable(call, arguments.config);
    break;
  case push_change::disable:
    disable(call);
    break;
  case push_change::status:
    show_status(call);
    break;
  }
}

} // namespace

tool_mode streaming_action(std::string_view name, std::string_view selector,
                           const limits_of<entry_room>& limit) {
  return make_mode(name, "pushes alerts as notifications/message: enable, disable, status",
                   streaming_parameters(selector, limit.entry.url_bytes), run_streaming);
}

} // namespace gasoline
