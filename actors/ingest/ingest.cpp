#include "actors/ingest/ingest.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "messages/base/json_text.hpp"

namespace gasoline {
namespace {

using ingest_self = ingest_actor::stateful_pointer<ingest_state>;
using namespace std::chrono_literals;

/// How often an open or hot breaker is looked at when nothing arrives.
constexpr auto watch_interval = 500ms;

std::string error_body(std::string_view sentence) {
  std::string out;
  json_object_writer w{out};
  w.text("error", sentence).close();
  return out;
}

/// A refusal in the shape that the sender knows.
ingest_answer refusal(const ingest_format* format, const ingest_request& request,
                      std::uint16_t status, std::string_view sentence,
                      std::uint32_t retry_after = 0) {
  ingest_answer out;
  if (format != nullptr && format->refusal != nullptr)
    out = format->refusal(status, sentence, request.head);
  else
    out.body = error_body(sentence);
  out.status = status;
  out.retry_after_seconds = retry_after;
  return out;
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

void forward(const redactor_actor& next, std::vector<raw_event> events, std::string origin,
             ticket_ptr ticket) {
  if (events.empty())
    return;
  auto batch = std::make_shared<raw_batch>();
  batch->events = std::move(events);
  batch->origin = std::move(origin);
  batch->ticket = std::move(ticket);
  caf::anon_send(next, batch_atom_v, std::move(batch));
}

std::optional<ingest_answer> turned_away(const ingest_state& state, const ingest_format& format,
                                         const ingest_request& request) {
  if (state.breaker->is_open())
    return refusal(&format, request, 429,
                   "Telemetry arrives faster than it can be handled; wait as long as Retry-After "
                   "says, then send again.",
                   state.retry_after_seconds);
  if (state.pressure >= memory_pressure::hard && !format.shed_sentence.empty())
    return refusal(&format, request, 429, format.shed_sentence, state.retry_after_seconds);
  return std::nullopt;
}

void refuse_post(ingest_state& state, const ingest_request& request, ingest_answer answer) {
  ++state.refused_posts;
  request.reply(std::move(answer));
}

void accept_post(ingest_self self, const redactor_actor& next, const wall_clock& clock,
                 const ingest_request_ptr& request) {
  auto& state = self->state;
  const auto* format = find_format(request->format);
  if (format == nullptr) {
    refuse_post(state, *request,
                refusal(nullptr, *request, 404, "No format of that name is taken."));
    return;
  }
  if (auto refused = turned_away(state, *format, *request)) {
    refuse_post(state, *request, std::move(*refused));
    return;
  }
  const auto now = clock(self->clock().now());
  const auto bytes = request->body.size();
  auto body = state.decoder->decode(*format, std::move(request->body), now, request->head);
  if (!body) {
    state.senders->note_refusal(format->route.format, body.error().message, now);
    refuse_post(state, *request, refusal(format, *request, 400, body.error().message));
    return;
  }
  if (body->refused != 0) {
    state.senders->note_refusal(format->route.format, body->remark, now);
    refuse_post(state, *request, refusal(format, *request, body->refused, body->remark));
    return;
  }
  state.entries += body->events.size();
  state.refused_entries += body->rejected;
  state.counted_only += body->counted_only;
  state.set_apart += body->set_apart;
  state.senders->note_body(format->route.format, *body, now);
  auto ticket = make_ticket(self, request, bytes, format->answer(*body, request->head));
  forward(next, std::move(body->events), std::move(request->origin), std::move(ticket));
}

nlohmann::json health_of(const ingest_state& state) {
  return {{"sources", state.senders->sources()},
          {"senders", state.senders->senders()},
          {"services", state.senders->services()},
          {"ingest",
           {{"entries", state.entries},
            {"counted_only", state.counted_only},
            {"of_coding_agents", state.set_apart},
            {"backlog_bytes", state.backlog_bytes},
            {"circuit_breaker", state.breaker->is_open() ? "open" : "closed"}}},
          {"dropped",
           {{"refused_entries", state.refused_entries}, {"refused_posts", state.refused_posts}}}};
}

} // namespace

ingest_actor::behavior_type ingest(ingest_self self, const redactor_actor& next,
                                   const alert_hub_actor& hub, const wall_clock& clock,
                                   const decode_limits& limit,
                                   std::shared_ptr<const redaction_engine> redaction,
                                   hook_secrets secrets) {
  guard_exceptions(self);
  self->state.senders.emplace(redaction);
  self->state.decoder.emplace(limit, std::move(redaction), std::move(secrets));
  self->state.breaker.emplace(limit.ingest);
  self->state.retry_after_seconds = static_cast<std::uint32_t>(limit.ingest.breaker_retry_seconds);
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
