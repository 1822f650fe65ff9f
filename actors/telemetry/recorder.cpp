#include "actors/telemetry/recorder.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "messages/base/json/json_text.hpp"
#include "messages/base/private_file.hpp"
#include "messages/telemetry/event_json.hpp"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>
#include <utility>

namespace gasoline {
namespace {

using recorder_self = recorder_actor::stateful_pointer<recorder_state>;

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

/// One POST of events of one kind, as the members of a step.
std::string post_members(std::span<const event_ptr> events) {
  const auto& format = format_recording(events.front()->kind);
  std::string body;
  if (format.recorded->list.empty()) {
    append_event_json(body, *events.front());
  } else {
    std::string list{"["};
    for (const auto& e : events) {
      if (list.size() > 1)
        list += ',';
      append_event_json(list, *e);
    }
    json_object_writer w{body};
    w.raw(format.recorded->list, list + ']').close();
  }
  std::string step;
  json_object_writer w{step};
  w.text("post", format.route.path).raw("body", body).close();
  return step.substr(1, step.size() - 2);
}

/// Events of one kind go into one POST, as far as they came one after the other.
void write_posts(recorder_self self, const event_batch& batch) {
  std::span<const event_ptr> rest{batch.events};
  while (!rest.empty()) {
    const auto kind = rest.front()->kind;
    const bool alone = format_recording(kind).recorded->list.empty();
    const auto end = std::find_if(rest.begin() + 1, rest.end(),
                                  [&](const event_ptr& e) { return alone || e->kind != kind; });
    const auto taken = static_cast<std::size_t>(end - rest.begin());
    write_line(self, post_members(rest.first(taken)));
    rest = rest.subspan(taken);
  }
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
    own_log::error("cannot write the recording: {}", opened.error().message);
  write(state, R"({"config":{"start":")" + to_iso8601(started_at) + "\"}}");
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(nlohmann::json{
            {"recording", {{"steps", self->state.steps}, {"ok", self->state.is_written}}}});
      },
      [self](record_atom, const record_step& step) {
        const auto text = dumped(*step);
        write_line(self, std::string_view{text}.substr(1, text.size() - 2));
      },
      [self](record_atom, const event_batch_ptr& batch) { write_posts(self, *batch); },
  };
}

} // namespace gasoline
