#include "actors/engine.hpp"

#include "actors/alerts/alert_buffer.hpp"
#include "actors/alerts/alert_hub.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/browser/browser.hpp"
#include "actors/detection/anomaly_detector.hpp"
#include "actors/detection/ci_monitor.hpp"
#include "actors/detection/performance_monitor.hpp"
#include "actors/frames/frame_resolver.hpp"
#include "actors/ingest/ingest.hpp"
#include "actors/mcp/connected_client.hpp"
#include "actors/noise/noise_filter.hpp"
#include "actors/redaction/redactor.hpp"
#include "actors/resolution/mark_log.hpp"
#include "actors/resolution/resolution_watch.hpp"
#include "actors/streams/stream_registry.hpp"
#include "actors/telemetry/telemetry_store.hpp"
#include "config/version.hpp"

#include <unistd.h>

#include <algorithm>

namespace gasoline {
namespace {

using nlohmann::json;
using engine_self = local_engine_actor::stateful_pointer<engine_state>;

/// Adds a part of the health document: objects are merged, lists joined, numbers replaced.
void merge_health(json& into, const json& part) {
  for (const auto& [key, value] : part.items()) {
    auto& target = into[key];
    if (target.is_object() && value.is_object())
      merge_health(target, value);
    else if (target.is_array() && value.is_array())
      target.insert(target.end(), value.begin(), value.end());
    else
      target = value;
  }
}

json limits_json(const limits& limit) {
  json out = json::object();
  for (const auto& row : limit_table())
    out[std::string{row.name}] = row.get(limit);
  return out;
}

json own_health(engine_self self) {
  const auto uptime =
      std::chrono::duration_cast<std::chrono::seconds>(self->clock().now() - self->state.started);
  json own{{"service-name", "gasoline"},
           {"status", "ok"},
           {"version", program_version()},
           {"pid", ::getpid()},
           {"port", self->state.options.config.port},
           {"uptime_seconds", uptime.count()},
           {"clients", json::array()},
           {"limits", limits_json(self->state.options.config.limit)}};
  own["token_required"] = self->state.options.config.require_token;
  if (!self->state.listen_problem.empty())
    own["http_problem"] = self->state.listen_problem;
  return own;
}

/// Collects the parts of one health question; answers it when the last asked actor has answered or
/// failed.
struct health_collection {
  json document;
  std::size_t open = 0;
  caf::typed_response_promise<health_part> promise;

  void settle() {
    if (--open == 0)
      promise.deliver(std::make_shared<const json>(std::move(document)));
  }
};

void ask_health(engine_self self, const health_source& source,
                const std::shared_ptr<health_collection>& collection) {
  ++collection->open;
  self->request(source, caf::infinite, health_atom_v)
      .then(
          [collection](const health_part& part) {
            merge_health(collection->document, *part);
            collection->settle();
          },
          [collection](const caf::error&) { collection->settle(); });
}

caf::typed_response_promise<health_part> collect_health(engine_self self) {
  auto& state = self->state;
  auto collection = std::make_shared<health_collection>();
  collection->document = own_health(self);
  collection->promise = self->make_response_promise<health_part>();
  collection->open = 1;
  for (const auto& source : state.roster.asked())
    ask_health(self, source, collection);
  for (const auto& [id, client] : state.clients)
    if (!client.session_ended)
      ask_health(self, client.session, collection);
  auto promise = collection->promise;
  collection->settle();
  return promise;
}

/// Puts a part that has just been spawned into the roster.
template <class Handle>
Handle enlisted(engine_state& state, engine_part part, Handle handle) {
  state.roster.add(part, handle);
  return handle;
}

/// The detectors, one row each: name, actor, what it wants to see.
std::vector<detector_subscription> spawn_detectors(engine_self self) {
  auto& state = self->state;
  auto& parts = state.parts;
  const auto& options = state.options;
  const auto& limit = options.config.limit;
  const auto detector = [&state](std::string_view name, const event_sink& handle,
                                 const auto& kinds) {
    state.roster.add(engine_part::detectors, name, handle);
    return detector_subscription{handle, kinds};
  };
  parts.ci = enlisted(state, engine_part::ci,
                      self->spawn<caf::monitored>(ci_monitor, parts.hub, options.clock, limit));
  return {
      detector("anomaly",
               self->spawn<caf::monitored>(anomaly_detector, parts.hub, options.clock, limit),
               anomaly_kinds),
      detector("performance",
               self->spawn<caf::monitored>(performance_monitor, parts.hub, options.clock,
                                           options.config.budgets, limit),
               performance_kinds),
      detector("resolution",
               self->spawn<caf::monitored>(resolution_watch,
                                           resolution_sources{parts.hub, parts.alerts, parts.marks},
                                           options.clock, options.redaction, limit),
               resolution_kinds),
      {parts.ci, ci_kinds},
      {parts.marks, mark_kinds},
  };
}

/// Agent sessions exist before their engine.
void take_sessions(engine_self self) {
  auto& state = self->state;
  const auto& sessions = state.options.sessions;
  if (!sessions)
    return;
  self->monitor(sessions);
  state.roster.add(engine_part::sessions, sessions);
  caf::anon_send(state.parts.hub, join_atom_v, alert_sink{sessions});
}

void spawn_parts(engine_self self) {
  auto& state = self->state;
  auto& parts = state.parts;
  const auto& options = state.options;
  const auto& limit = options.config.limit;
  parts.alerts =
      enlisted(state, engine_part::alerts,
               self->spawn<caf::monitored>(alert_buffer, limit,
                                           buffer_surroundings{options.locator, options.home}));
  parts.hub = enlisted(state, engine_part::hub,
                       self->spawn<caf::monitored>(alert_hub, parts.alerts, limit));
  parts.store =
      enlisted(state, engine_part::store,
               self->spawn<caf::monitored>(telemetry_store, parts.hub, options.clock, limit));
  parts.marks =
      enlisted(state, engine_part::marks,
               self->spawn<caf::monitored>(mark_log, options.clock, options.redaction, limit));
  parts.analyses = enlisted(
      state, engine_part::analyses,
      self->spawn<caf::monitored>(
          work_queue, options.body_workers > 0 ? work_place::own_thread : work_place::at_once,
          limit.client.analyses_waiting));
  parts.streams = enlisted(
      state, engine_part::streams,
      self->spawn<caf::monitored>(stream_registry, options.redaction, options.clock,
                                  stream_sharing{options.streams, options.config.alerts_shared,
                                                 options.config.nats.waits_when_lost},
                                  limit));
  caf::anon_send(parts.hub, join_atom_v, alert_sink{parts.streams});
  take_sessions(self);
  noise_filter_targets targets{parts.store, spawn_detectors(self), parts.hub, options.recorder};
  parts.noise = enlisted(state, engine_part::noise,
                         self->spawn<caf::monitored>(noise_filter, targets, options.clock, limit));
  const auto cleaner = enlisted(
      state, engine_part::redactor,
      self->spawn<caf::monitored>(redactor, parts.noise, options.redaction, options.body_workers));
  parts.frames = enlisted(
      state, engine_part::frames,
      self->spawn<caf::monitored>(frame_resolver, cleaner,
                                  script_sources{options.fetcher, options.has_disk}, limit));
  parts.ingest =
      enlisted(state, engine_part::ingest,
               self->spawn<caf::monitored>(ingest, caf::actor_cast<redactor_actor>(parts.frames),
                                           parts.hub, options.clock, limit, options.redaction,
                                           options.secrets, options.body_workers));
  caf::anon_send(parts.store, join_atom_v, pressure_sink{parts.ingest});
  if (options.browsers && options.config.browser.start != browser_start::off)
    parts.browser =
        enlisted(state, engine_part::browser,
                 self->spawn<caf::monitored>(
                     browser, browser_parts{parts.ingest, options.browsers, options.config.browser,
                                            options.secrets_of_pages, options.page_watch,
                                            options.clock, limit, options.accessibility_rules}));
  state.roster.add_guest(options.recorder);
  state.roster.add_guest(options.http);
}

/// Whether an engine that ends with its clients lives as long as this one: HTTP clients come and
/// go, and none of them has started it.
bool keeps_engine(const client_origin& origin) {
  return origin.transport == client_transport::stdio ||
         origin.transport == client_transport::attach;
}

std::size_t keepers(const engine_state& state) {
  return static_cast<std::size_t>(
      std::count_if(state.clients.begin(), state.clients.end(),
                    [](const auto& row) { return row.second.keeps_engine; }));
}

caf::result<client_actor> attach(engine_self self, const message_writer& writer,
                                 const client_origin& origin, const agent_place& place) {
  auto& state = self->state;
  if (state.ending)
    return caf::make_error(caf::sec::request_receiver_down);
  const auto& parts = state.parts;
  client_environment env;
  env.engine.store = parts.store;
  env.engine.marks = parts.marks;
  env.engine.frames = parts.frames;
  env.engine.noise = parts.noise;
  env.engine.ci = parts.ci;
  env.engine.streams = parts.streams;
  env.engine.alerts = parts.alerts;
  env.engine.analyses = parts.analyses;
  env.engine.browser = parts.browser;
  env.engine.engine = caf::actor_cast<caf::actor_addr>(self);
  env.recorder = state.options.recorder;
  env.redaction = state.options.redaction;
  env.registry = state.options.offers;
  env.seal = state.seal;
  env.toolsets = state.options.config.toolsets;
  env.clock = state.options.clock;
  env.limit = state.options.config.limit;
  const auto id = ++state.last_client;
  auto known = origin;
  known.channel = place.channel;
  auto session = self->spawn<caf::monitored>(connected_client, env, id, known, writer);
  self->monitor(writer);
  caf::anon_send(parts.alerts, join_atom_v, id, place, alert_sink{session});
  state.clients.emplace(id, engine_state::client{session, writer, keeps_engine(origin)});
  return session;
}

/// Ends the next actor of the list; its down message brings us back.
void end_next(engine_self self) {
  auto& state = self->state;
  if (state.to_end.empty()) {
    self->quit(state.failed ? caf::make_error(caf::sec::runtime_error) : caf::error{});
    return;
  }
  caf::anon_send_exit(state.to_end.back(), caf::exit_reason::user_shutdown);
}

void begin_ending(engine_self self) {
  auto& state = self->state;
  if (state.ending)
    return;
  state.ending = true;
  state.to_end = state.roster.ending();
  for (const auto& [id, client] : state.clients)
    if (!client.session_ended)
      caf::anon_send(client.session, closed_atom_v);
  if (state.clients.empty())
    end_next(self);
}

/// Forgets the client whose session or writer that was, once both have ended: a writer whose reader
/// is gone ends before its session.
bool settle_client(engine_self self, const caf::actor_addr& source) {
  auto& clients = self->state.clients;
  const auto found = std::find_if(clients.begin(), clients.end(), [&](const auto& row) {
    return row.second.session.address() == source || row.second.writer.address() == source;
  });
  if (found == clients.end())
    return false;
  auto& client = found->second;
  const bool is_session = client.session.address() == source;
  (is_session ? client.session_ended : client.writer_ended) = true;
  if (client.session_ended && client.writer_ended) {
    if (const auto& browser = self->state.parts.browser)
      caf::anon_send(browser, forget_atom_v, found->first);
    clients.erase(found);
  }
  return true;
}

/// Whether an actor has ended otherwise than by being told to, or being done.
bool is_failure(const caf::error& reason) {
  return reason && reason != caf::exit_reason::user_shutdown;
}

void handle_down(engine_self self, const caf::down_msg& down) {
  auto& state = self->state;
  const auto kept_by = keepers(state);
  if (settle_client(self, down.source)) {
    const bool was_kept = state.options.ends_with_clients && kept_by > 0;
    state.failed = state.failed || (was_kept && is_failure(down.reason));
    if (state.ending && state.clients.empty())
      end_next(self);
    if (was_kept && keepers(state) == 0)
      begin_ending(self);
    return;
  }
  state.failed = state.failed || is_failure(down.reason);
  if (!state.ending) {
    own_log::critical("an actor of the engine ({}) ended unexpectedly; the engine ends as well",
                      state.roster.name_at(down.source));
    state.failed = true;
    if (state.options.on_failure)
      state.options.on_failure();
    begin_ending(self);
  }
  std::erase_if(state.to_end,
                [&](const caf::strong_actor_ptr& p) { return p->address() == down.source; });
  if (state.clients.empty())
    end_next(self);
}

} // namespace

local_engine_actor::behavior_type engine(engine_self self, engine_options options) {
  guard_exceptions(self);
  self->state.options = std::move(options);
  self->state.seal = std::make_shared<const request_state_seal>();
  self->state.started = self->clock().now();
  self->set_down_handler([self](const caf::down_msg& down) { handle_down(self, down); });
  self->set_exit_handler([self](const caf::exit_msg&) { begin_ending(self); });
  spawn_parts(self);
  return {
      [self](health_atom) { return collect_health(self); },
      [self](attach_atom, const message_writer& writer, const client_origin& origin) {
        return attach(self, writer, origin, {});
      },
      [self](attach_atom, const message_writer& writer, const client_origin& origin,
             const agent_place& place) { return attach(self, writer, origin, place); },
      [self](query_atom) { return self->state.parts.ingest; },
      [self](stream_atom) { return self->state.parts.streams; },
      [self](hook_atom atom, const hook_question& question) {
        return self->delegate(self->state.parts.alerts, atom, question);
      },
      [self](cancel_atom atom, reader_id reader, const std::vector<std::uint64_t>& alerts) {
        caf::anon_send(self->state.parts.alerts, atom, reader, alerts);
      },
      [self](changed_atom, listed_kind kind) {
        for (const auto& [id, client] : self->state.clients)
          caf::anon_send(client.session, changed_atom_v, kind);
      },
      [self](listen_atom, std::uint16_t port, std::string& problem) {
        self->state.options.config.port = port;
        self->state.listen_problem = std::move(problem);
      },
  };
}

} // namespace gasoline
