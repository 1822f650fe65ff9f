#include "messages/telemetry/event_json.hpp"

#include "messages/base/json/json_text.hpp"

namespace gasoline {
namespace {

/// What the generic members of an event are called in JSON, by its kind. An empty name
/// leaves the member out.
struct member_names {
  std::string_view name;
  std::string_view message;
  std::string_view status;
  std::string_view duration;
  bool has_level = false;
};

member_names names_for(telemetry_kind kind) {
  switch (kind) {
  case telemetry_kind::log:
    return {"method", "message", "status", "duration", true};
  case telemetry_kind::body:
    return {"method", "error", "status", "duration"};
  case telemetry_kind::request:
    return {"method", "", "status", "duration"};
  case telemetry_kind::socket:
    return {"event", "data", "code", ""};
  case telemetry_kind::action:
    return {"type", "", "", "duration_ms"};
  case telemetry_kind::load:
    return {"id", "", "", ""};
  case telemetry_kind::ci:
    return {};
  }
  return {};
}

void add_text(json_object_writer& w, std::string_view key, const redacted_text& text) {
  if (!key.empty() && !text.empty())
    w.text(key, text.view());
}

std::string failures_json(const ci_result& ci) {
  std::string out{"["};
  for (const auto& f : ci.failures) {
    if (out.size() > 1)
      out += ',';
    json_object_writer w{out};
    w.text("name", f.name.view()).text("message", f.message.view()).close();
  }
  return out + ']';
}

void add_ci(json_object_writer& w, const ci_result& ci) {
  w.text("status", ci.word.empty() ? name_of(ci.status) : ci.word.view());
  add_text(w, "source", ci.source);
  add_text(w, "ref", ci.ref);
  add_text(w, "commit", ci.commit);
  add_text(w, "job", ci.job);
  if (ci.attempt > 0)
    w.number("attempt", std::uint64_t{ci.attempt});
  add_text(w, "summary", ci.summary);
  add_text(w, "url", ci.url);
  w.raw("failures", failures_json(ci));
  if (ci.duration_ms >= 0)
    w.decimal("duration_ms", ci.duration_ms);
}

event_origin usual_origin(telemetry_kind kind) {
  return kind == telemetry_kind::ci ? event_origin::ci : event_origin::page;
}

void add_members(json_object_writer& w, const event& e) {
  const auto names = names_for(e.kind);
  w.text("ts", to_iso8601(e.at));
  if (e.origin != usual_origin(e.kind))
    w.text("origin", name_of(e.origin));
  add_text(w, "service", e.service);
  if (e.ci) {
    add_ci(w, *e.ci);
    return;
  }
  if (names.has_level) {
    w.text("level", name_of(e.level));
    w.text("type", name_of(e.type));
  }
  add_text(w, names.name, e.name);
  if (!names.status.empty() && e.status >= 0)
    w.number(names.status, e.status);
  add_text(w, names.message, e.message);
  add_text(w, "url", e.url);
  if (!e.page.empty())
    add_text(w, e.kind == telemetry_kind::log ? "page" : "page_url", e.page);
  if (!names.duration.empty() && e.duration_ms >= 0)
    w.decimal(names.duration, e.duration_ms);
  w.members(e.fields.view());
  add_text(w, "stack", e.stack);
}

} // namespace

void append_event_json(std::string& out, const event& e) {
  json_object_writer w{out};
  add_members(w, e);
  if (e.count > 1)
    w.number("_aggregatedCount", std::uint64_t{e.count});
  w.close();
}

void append_group_json(std::string& out, const event_group& g, bool with_kind) {
  json_object_writer w{out};
  if (with_kind)
    w.text("what", name_of(g.newest->kind));
  add_members(w, *g.newest);
  if (g.count > 1) {
    w.number("count", g.count);
    if (g.first_at != g.newest->at)
      w.text("first_ts", to_iso8601(g.first_at));
  }
  if (g.newest->noise == noise_mark::noise)
    w.boolean("noise", true);
  w.close();
}

} // namespace gasoline
