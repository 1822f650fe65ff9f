#include "actors/telemetry/recorder.hpp"

#include "actors/base/exception_guard.hpp"
#include "messages/base/json_text.hpp"
#include "messages/base/private_file.hpp"
#include "messages/telemetry/event_json.hpp"

#include <fcntl.h>

#include <array>
#include <cstdio>
#include <utility>

namespace gasoline {
namespace {

using recorder_self = recorder_actor::stateful_pointer<recorder_state>;

/// The route that takes entries of a source, and the list they stand in; an empty list name means
/// one bare object.
struct route_of_source {
  event_source source;
  std::string_view route;
  std::string_view list;
};

constexpr route_of_source routes[] = {
    {event_source::logs, "/logs", "entries"},
    {event_source::network_bodies, "/network-bodies", "bodies"},
    {event_source::network_waterfall, "/network-waterfall", "entries"},
    {event_source::websocket_events, "/websocket-events", "events"},
    {event_source::actions, "/enhanced-actions", "actions"},
    {event_source::performance, "/performance-snapshots", "snapshots"},
    {event_source::ci, "/ci-result", ""},
};

const route_of_source& route_for(event_source source) {
  for (const auto& r : routes)
    if (r.source == source)
      return r;
  return routes[0];
}

std::string elapsed(recorder_self self) {
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(self->clock().now() -
                                                                        self->state.started);
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.3fs", static_cast<double>(ms.count()) / 1000.0);
  return buffer.data();
}

void write(recorder_state& state, std::string line) {
  line += '\n';
  if (!state.file || !write_all(state.file.get(), line))
    state.is_written = false;
}

void write_line(recorder_self self, std::string_view members) {
  auto& state = self->state;
  std::string line;
  json_object_writer w{line};
  w.text("at", elapsed(self)).members(members).close();
  write(state, std::move(line));
  ++state.steps;
}

std::string batch_members(const event_batch& batch) {
  const auto& route = route_for(batch.source);
  std::string body;
  if (route.list.empty() && !batch.events.empty())
    append_event_json(body, *batch.events.front());
  if (!route.list.empty()) {
    std::string list{"["};
    for (const auto& e : batch.events) {
      if (list.size() > 1)
        list += ',';
      append_event_json(list, *e);
    }
    json_object_writer w{body};
    w.raw(route.list, list + ']').close();
  }
  std::string step;
  json_object_writer w{step};
  w.text("post", route.route).raw("body", body).close();
  return step.substr(1, step.size() - 2);
}

} // namespace

recorder_actor::behavior_type recorder(recorder_self self, const std::filesystem::path& file,
                                       wall_time started_at) {
  guard_exceptions(self);
  auto& state = self->state;
  state.started = self->clock().now();
  if (auto opened = open_own_file(file, O_WRONLY | O_CREAT | O_TRUNC))
    state.file = std::move(*opened);
  else
    spdlog::error("cannot write the recording: {}", opened.error().message);
  write(state, R"({"config":{"start":")" + to_iso8601(started_at) + "\"}}");
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(nlohmann::json{
            {"recording", {{"steps", self->state.steps}, {"ok", self->state.is_written}}}});
      },
      [self](record_atom, const record_step& step) {
        const auto text = step->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        write_line(self, std::string_view{text}.substr(1, text.size() - 2));
      },
      [self](record_atom, const event_batch_ptr& batch) {
        write_line(self, batch_members(*batch));
      },
  };
}

} // namespace gasoline
