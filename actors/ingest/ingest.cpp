#include "actors/ingest/ingest.hpp"

#include "actors/alerts/raise_alerts.hpp"
#include "actors/base/exception_guard.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "messages/base/json/json_text.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using ingest_self = ingest_actor::stateful_pointer<ingest_state>;
using namespace std::chrono_literals;

/// How often an open or hot breaker is looked at when nothing arrives.
constexpr auto watch_interval = 500ms;

/// How much of what was decoded is handled before sockets and timers have their turn.
struct slice_bounds {
  std::size_t events;
  std::size_t text_bytes;
};

/// Of a POST that is sent on whole: what is buffered and detected of it is seen at once.
constexpr slice_bounds largest_whole{512, 128U << 10U};
/// Of a larger one: some 500 us of redaction and detection for usual texts.
constexpr slice_bounds slice{128, 24U << 10U};

/// A body whose decoding takes longer than handing it over: some 200 us beside 20.
constexpr std::size_t apart_bytes = 64U << 10U;

/// What the handlers share.
struct ingest_links {
  redactor_actor next;
  alert_hub_actor hub;
  wall_clock clock;
  decode_limits limit;
  std::shared_ptr<const redaction_engine> redaction;
};

using ingest_links_ptr = std::shared_ptr<const ingest_links>;

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
  if (format != nullptr && format->route.refusal != nullptr)
    out = format->route.refusal(status, sentence, request.head);
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

void watch_breaker(ingest_self self, const ingest_links& links) {
  auto& state = self->state;
  const auto now = self->clock().now();
  const auto lag = state.pending.empty() ? 0ms
                                         : std::chrono::duration_cast<std::chrono::milliseconds>(
                                               now - state.pending.begin()->second.received);
  if (const auto change = state.breaker->update(state.backlog_bytes, lag, now))
    raise_alerts(links.hub, links.clock, {breaker_alert(*change, state.backlog_bytes)}, now);
  const bool watch = state.breaker->needs_watch() || !state.pending.empty();
  if (watch && !state.watching) {
    state.watching = true;
    self->delayed_send(self, watch_interval, tick_atom_v);
  }
}

/// A POST begins; its number.
std::uint64_t begin_post(ingest_self self, std::uint64_t bytes) {
  auto& state = self->state;
  state.pending.emplace(++state.last_number,
                        ingest_state::pending_post{bytes, self->clock().now()});
  state.backlog_bytes += bytes;
  return state.last_number;
}

void end_post(ingest_state& state, std::uint64_t number) {
  const auto post = state.pending.find(number);
  if (post == state.pending.end())
    return;
  state.backlog_bytes -= post->second.bytes;
  state.pending.erase(post);
}

/// Answers the POST when its last entry has been handled.
ticket_ptr make_ticket(ingest_self self, const ingest_request_ptr& request, std::uint64_t number,
                       ingest_answer answer) {
  const auto address = caf::actor_cast<caf::actor_addr>(self);
  return std::make_shared<const ingest_ticket>(
      [address, number, reply = std::move(request->reply), answer = std::move(answer)]() mutable {
        if (const auto strong = caf::actor_cast<ingest_actor>(address))
          caf::anon_send(strong, settled_atom_v, number);
        reply(std::move(answer));
      });
}

void send_on(const redactor_actor& next, std::vector<raw_event> events, std::string origin,
             ticket_ptr ticket) {
  auto batch = std::make_shared<raw_batch>();
  batch->events = std::move(events);
  batch->origin = std::move(origin);
  batch->ticket = std::move(ticket);
  caf::anon_send(next, batch_atom_v, std::move(batch));
}

/// Where a slice of that size ends that begins there.
std::size_t end_of_slice(const std::vector<raw_event>& events, std::size_t begin,
                         const slice_bounds& most) {
  std::size_t bytes = 0;
  auto end = begin;
  while (end < events.size() && end - begin < most.events && bytes < most.text_bytes)
    bytes += events[end++].bytes() - sizeof(raw_event);
  return end;
}

/// Tells the actor when the slice has been handled, so that it sends the next one.
ticket_ptr slice_ticket(ingest_self self, std::uint64_t number) {
  return std::make_shared<const ingest_ticket>(
      [address = caf::actor_cast<caf::actor_addr>(self), number] {
        if (const auto strong = caf::actor_cast<ingest_actor>(address))
          caf::anon_send(strong, settled_atom_v, number);
      });
}

/// The POST whose turn it is behind that one and of which nothing is under way; the end: none.
auto next_rest(ingest_state& state, std::uint64_t before) {
  auto& rests = state.rests;
  const auto waits = [&](const auto& row) { return !state.slices_under_way.contains(row.first); };
  const auto behind = rests.upper_bound(before);
  const auto place = std::find_if(behind, rests.end(), waits);
  if (place != rests.end())
    return place;
  const auto again = std::find_if(rests.begin(), behind, waits);
  return again == behind ? rests.end() : again;
}

/// Sends the next slice of the POST that comes behind that one: large ones take turns.
void send_slice(ingest_self self, const redactor_actor& next, std::uint64_t before) {
  auto& rests = self->state.rests;
  const auto place = next_rest(self->state, before);
  if (place == rests.end())
    return;
  const auto number = place->first;
  auto& rest = place->second;
  const auto begin = rest.events.begin() + static_cast<std::ptrdiff_t>(rest.next);
  rest.next = end_of_slice(rest.events, rest.next, slice);
  const auto end = rest.events.begin() + static_cast<std::ptrdiff_t>(rest.next);
  std::vector<raw_event> events{std::make_move_iterator(begin), std::make_move_iterator(end)};
  self->state.slices_under_way.insert(number);
  if (end != rest.events.end()) {
    send_on(next, std::move(events), rest.origin, slice_ticket(self, number));
    return;
  }
  send_on(next, std::move(events), std::move(rest.origin), std::move(rest.ticket));
  rests.erase(place);
}

/// How many slices may be under way: one for each thread that works on them, this one too.
std::size_t most_slices(const ingest_state& state) {
  return 1 + state.workers.most();
}

/// Sends on what was decoded of that POST, in slices where it is much.
void forward(ingest_self self, const redactor_actor& next, std::uint64_t number,
             std::vector<raw_event> events, std::string origin, ticket_ptr ticket) {
  if (events.empty())
    return;
  if (end_of_slice(events, 0, largest_whole) == events.size()) {
    send_on(next, std::move(events), std::move(origin), std::move(ticket));
    return;
  }
  auto& state = self->state;
  state.rests.emplace(number, ingest_state::rest_of_post{std::move(events), 0, std::move(origin),
                                                         std::move(ticket)});
  if (state.slices_under_way.size() < most_slices(state))
    send_slice(self, next, number - 1);
}

void on_settled(ingest_self self, const redactor_actor& next, std::uint64_t number) {
  auto& state = self->state;
  const bool is_whole = !state.rests.contains(number);
  if (state.slices_under_way.erase(number) > 0)
    send_slice(self, next, number);
  if (is_whole)
    end_post(state, number);
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

/// Takes what was decoded of that POST, or refuses it.
void take_body(ingest_self self, const ingest_links& links, const ingest_request_ptr& request,
               std::uint64_t number, const ingest_format& format, wall_time now,
               result_or<decoded_body>& body) {
  auto& state = self->state;
  if (!body || body->refused != 0) {
    const auto& sentence = body ? body->remark : body.error().message;
    const std::uint16_t status = body ? body->refused : 400;
    end_post(state, number);
    state.senders->note_refusal(format.route.format, sentence, now);
    refuse_post(state, *request, refusal(&format, *request, status, sentence));
    return;
  }
  state.entries += body->events.size();
  state.refused_entries += body->rejected;
  state.counted_only += body->counted_only;
  state.set_apart += body->set_apart;
  state.senders->note_body(format.route.format, *body, now);
  auto ticket = make_ticket(self, request, number, format.answer(*body, request->head));
  forward(self, links.next, number, std::move(body->events), std::move(request->origin),
          std::move(ticket));
}

/// Has a worker decode the body of that POST, with nothing kept from one to the next.
void decode_apart(ingest_self self, const ingest_links_ptr& links,
                  const ingest_request_ptr& request, std::uint64_t number,
                  const ingest_format& format, wall_time now) {
  const auto body = std::make_shared<result_or<decoded_body>>();
  self->state.workers.run(
      self,
      [links, request, &format, now, body] {
        *body = body_decoder{links->limit, links->redaction}.decode(
            format, std::move(request->body), now, request->head);
      },
      [self, links, request, number, &format, now, body] {
        take_body(self, *links, request, number, format, now, *body);
        watch_breaker(self, *links);
      });
}

void accept_post(ingest_self self, const ingest_links_ptr& links,
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
  const auto now = links->clock(self->clock().now());
  const auto bytes = request->body.size();
  const auto number = begin_post(self, bytes);
  if (state.workers.most() > 0 && bytes >= apart_bytes && !format->in_turn) {
    decode_apart(self, links, request, number, *format, now);
    return;
  }
  auto body = state.decoder->decode(*format, std::move(request->body), now, request->head);
  take_body(self, *links, request, number, *format, now, body);
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
                                   hook_secrets secrets, std::size_t workers) {
  guard_exceptions(self);
  auto& state = self->state;
  state.senders.emplace(redaction);
  state.decoder.emplace(limit, redaction, std::move(secrets));
  state.breaker.emplace(limit.ingest);
  state.retry_after_seconds = static_cast<std::uint32_t>(limit.ingest.breaker_retry_seconds);
  state.workers = worker_pool{workers};
  const auto links = std::make_shared<const ingest_links>(
      ingest_links{next, hub, clock, limit, std::move(redaction)});
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(health_of(self->state));
      },
      [self, links](ingest_atom, const ingest_request_ptr& request) {
        accept_post(self, links, request);
        watch_breaker(self, *links);
      },
      [self](pressure_atom, memory_pressure pressure) { self->state.pressure = pressure; },
      [self, links](settled_atom, std::uint64_t number) { on_settled(self, links->next, number); },
      [self, links](tick_atom) {
        self->state.watching = false;
        watch_breaker(self, *links);
      },
  };
}

} // namespace gasoline
