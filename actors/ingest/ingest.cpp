#include "actors/ingest/ingest.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "messages/base/json_text.hpp"

namespace gasoline {
namespace {

using ingest_self = ingest_actor::stateful_pointer<ingest_state>;
using namespace std::chrono_literals;

/// How often an open or hot breaker is looked at when nothing arrives.
constexpr auto watch_interval = 500ms;

constexpr std::uint32_t breaker_retry_seconds = 10;

std::string error_body(std::string_view sentence) {
  std::string out;
  json_object_writer w{out};
  w.text("error", sentence).close();
  return out;
}

ingest_answer refusal(std::uint16_t status, std::string_view sentence,
                      std::uint32_t retry_after = 0) {
  return {status, error_body(sentence), retry_after};
}

std::string error_list(const std::vector<entry_error>& errors) {
  std::string out{"["};
  for (const auto& e : errors) {
    if (out.size() > 1)
      out += ',';
    json_object_writer w{out};
    w.number("index", e.index).text("error", e.message).close();
  }
  return out + ']';
}

/// The answer of the route, in the shape the older clients know.
ingest_answer answer_for(event_source source, const decoded_body& body) {
  if (source == event_source::ci)
    return {200, R"({"ok":true})", 0};
  const auto accepted = body.received - body.rejected;
  ingest_answer answer;
  json_object_writer w{answer.body};
  if (source == event_source::logs)
    w.number("received", body.received)
        .number("rejected", body.rejected)
        .number("entries", accepted);
  else
    w.text("status", "ok").number("count", accepted);
  if (body.rejected > 0) {
    if (source != event_source::logs)
      w.number("rejected", body.rejected);
    w.raw("errors", error_list(body.errors));
    if (accepted == 0)
      answer.status = 400;
  }
  w.close();
  return answer;
}

alert breaker_alert(circuit_breaker::transition change, std::uint64_t backlog) {
  const bool opened = change == circuit_breaker::transition::opened;
  alert a;
  a.level = opened ? severity::error : severity::info;
  a.category = alert_category::threshold;
  a.kind = alert_topic::errors;
  a.title = opened ? redacted(literal{"Circuit breaker opened: telemetry arrives faster than it "
                                      "can be handled"})
                   : redacted(literal{"Circuit breaker closed: telemetry is accepted again"});
  a.detail = redacted(literal{"Unprocessed backlog: "}, backlog, literal{" bytes"});
  a.source = literal{"ingest"};
  a.next = literal{R"(configure {"action":"health"})"};
  return a;
}

void watch_breaker(ingest_self self, const alert_hub_actor& hub, const wall_clock& clock) {
  auto& state = self->state;
  const auto now = self->clock().now();
  const auto lag = state.pending.empty() ? 0ms
                                         : std::chrono::duration_cast<std::chrono::milliseconds>(
                                               now - state.pending.begin()->second.received);
  if (const auto change = state.breaker->update(state.backlog_bytes, lag, now))
    raise_alerts(hub, clock, {breaker_alert(*change, state.backlog_bytes)}, now);
  const bool watch = state.breaker->needs_watch() || !state.pending.empty();
  if (watch && !state.watching) {
    state.watching = true;
    self->delayed_send(self, watch_interval, tick_atom_v);
  }
}

/// Answers the POST when its last entry has been handled.
ticket_ptr make_ticket(ingest_self self, const ingest_request_ptr& request, std::uint64_t bytes,
                       ingest_answer answer) {
  auto& state = self->state;
  const auto number = ++state.last_number;
  state.pending.emplace(number, ingest_state::pending_post{bytes, self->clock().now()});
  state.backlog_bytes += bytes;
  const auto address = caf::actor_cast<caf::actor_addr>(self);
  return std::make_shared<const ingest_ticket>(
      [address, number, reply = std::move(request->reply), answer = std::move(answer)]() mutable {
        if (const auto strong = caf::actor_cast<ingest_actor>(address))
          caf::anon_send(strong, settled_atom_v, number);
        reply(std::move(answer));
      });
}

void forward(const redactor_actor& next, event_source source, std::vector<raw_event> events,
             const ticket_ptr& ticket) {
  if (events.empty())
    return;
  auto batch = std::make_shared<raw_batch>();
  batch->source = source;
  batch->events = std::move(events);
  batch->ticket = ticket;
  caf::anon_send(next, batch_atom_v, std::move(batch));
}

/// Vitals that came as log entries travel as a batch of their own.
std::vector<raw_event> split_vitals(event_source source, std::vector<raw_event>& events) {
  std::vector<raw_event> vitals;
  if (source != event_source::logs)
    return vitals;
  std::erase_if(events, [&](raw_event& e) {
    if (e.source != event_source::performance)
      return false;
    vitals.push_back(std::move(e));
    return true;
  });
  return vitals;
}

std::optional<ingest_answer> turned_away(const ingest_state& state, event_source source) {
  if (state.breaker->is_open())
    return refusal(429,
                   "Telemetry arrives faster than it can be handled; wait as long as Retry-After "
                   "says, then send again.",
                   breaker_retry_seconds);
  if (state.pressure >= memory_pressure::hard && source == event_source::network_bodies)
    return refusal(429,
                   "Network bodies are refused while memory pressure is hard; send them again "
                   "later or without bodies.",
                   breaker_retry_seconds);
  return std::nullopt;
}

void accept_post(ingest_self self, const redactor_actor& next, const wall_clock& clock,
                 const ingest_request_ptr& request) {
  auto& state = self->state;
  if (auto refused = turned_away(state, request->source)) {
    ++state.refused_posts;
    request->reply(std::move(*refused));
    return;
  }
  const auto now = clock(self->clock().now());
  const auto bytes = request->body.size();
  auto body = state.decoder->decode(request->source, std::move(request->body), now);
  if (!body) {
    ++state.refused_posts;
    request->reply(refusal(400, body.error().message));
    return;
  }
  state.entries += body->events.size();
  state.refused_entries += body->rejected;
  if (!body->events.empty())
    state.last_event[static_cast<std::size_t>(request->source)] = now;
  auto answer = answer_for(request->source, *body);
  auto vitals = split_vitals(request->source, body->events);
  const auto ticket = make_ticket(self, request, bytes, std::move(answer));
  forward(next, request->source, std::move(body->events), ticket);
  forward(next, event_source::performance, std::move(vitals), ticket);
}

nlohmann::json health_of(const ingest_state& state) {
  nlohmann::json sources = nlohmann::json::object();
  for (const auto& [source, name] : enum_table<event_source>::rows) {
    const auto& at = state.last_event[static_cast<std::size_t>(source)];
    sources[std::string{name}] = at ? nlohmann::json(to_iso8601(*at)) : nlohmann::json();
  }
  return {{"sources", std::move(sources)},
          {"ingest",
           {{"entries", state.entries},
            {"backlog_bytes", state.backlog_bytes},
            {"circuit_breaker", state.breaker->is_open() ? "open" : "closed"}}},
          {"dropped",
           {{"refused_entries", state.refused_entries}, {"refused_posts", state.refused_posts}}}};
}

} // namespace

ingest_actor::behavior_type ingest(ingest_self self, const redactor_actor& next,
                                   const alert_hub_actor& hub, const wall_clock& clock,
                                   limits limit,
                                   std::shared_ptr<const redaction_engine> redaction) {
  guard_exceptions(self);
  self->state.decoder.emplace(limit, std::move(redaction));
  self->state.breaker.emplace(limit);
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(health_of(self->state));
      },
      [self, next, hub, clock](ingest_atom, const ingest_request_ptr& request) {
        accept_post(self, next, clock, request);
        watch_breaker(self, hub, clock);
      },
      [self](pressure_atom, memory_pressure pressure) { self->state.pressure = pressure; },
      [self](settled_atom, std::uint64_t number) {
        auto& state = self->state;
        const auto post = state.pending.find(number);
        if (post == state.pending.end())
          return;
        state.backlog_bytes -= post->second.bytes;
        state.pending.erase(post);
      },
      [self, hub, clock](tick_atom) {
        self->state.watching = false;
        watch_breaker(self, hub, clock);
      },
  };
}

} // namespace gasoline
