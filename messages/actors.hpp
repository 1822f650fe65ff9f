#pragma once

#include "messages/alerts/alert.hpp"
#include "messages/alerts/push_config.hpp"
#include "messages/alerts/told_alerts.hpp"
#include "messages/base/atoms.hpp"
#include "messages/mcp/client.hpp"
#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"
#include "messages/streams/stream_actors.hpp"
#include "messages/telemetry/event_snapshot.hpp"
#include "messages/telemetry/fetched_file.hpp"
#include "messages/telemetry/ingest.hpp"
#include "messages/telemetry/mark.hpp"
#include "messages/telemetry/noise.hpp"
#include "messages/telemetry/query.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// Alerts that one handler raised, with the POST they belong to (may be null).
struct alert_batch {
  std::vector<alert> alerts;
  ticket_ptr ticket;
};

using alert_batch_ptr = std::shared_ptr<alert_batch>;

/// A JSON document that several actors read and none changes.
using json_document = std::shared_ptr<const nlohmann::json>;

/// A part of the health document; parts of all actors are merged.
using health_part = json_document;

/// One line for the recorder: a complete scenario step, without its time.
using record_step = json_document;

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::ingest_request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::raw_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::fetched_file_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::redacted_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::event_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::event_snapshot_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::alert_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::alert_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::alert_block)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::alert_listing)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::json_document)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::memory_pressure)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::store_query)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::store_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::data_counts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::telemetry_mark)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::telemetry_marks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::noise_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::command_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::push_config)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::push_status)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::level_floor)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::listed_kind)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::watched_part)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::client_origin)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::told_alerts)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::rpc_frame_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::rpc_text)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::outgoing_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::ticket_ptr)

namespace gasoline {

// The typed interfaces of all actors, from the bytes that come in to the bytes that go out.
// Messages marked INTERNAL are sent by an actor to itself.

/// Every long-lived actor: answers its part of the health document.
using health_source = caf::typed_actor<caf::replies_to<health_atom>::with<health_part>>;

/// Repairs, decodes and validates POST bodies; measures the backlog and owns the circuit breaker.
using ingest_actor = health_source::extend<
    // Decodes one body; the reply is called when all of its entries have been handled.
    caf::reacts_to<ingest_atom, ingest_request_ptr>,
    // The telemetry store's memory pressure changed.
    caf::reacts_to<pressure_atom, memory_pressure>,
    // INTERNAL: the POST with that number has been handled by everyone downstream.
    caf::reacts_to<settled_atom, std::uint64_t>,
    // INTERNAL: looks at the circuit breaker again.
    caf::reacts_to<tick_atom>>;

/// Applies the compiled redaction rules; what leaves it is `redacted_text`.
using redactor_actor = health_source::extend<
    // Redacts one batch and passes it on.
    caf::reacts_to<batch_atom, raw_batch_ptr>>;

/// Leads the frames of pages' stacks back to the project before they are redacted.
using frame_resolver_actor = redactor_actor::extend<
    // Answers once all that waits now for a source map has been handled by everyone downstream.
    caf::replies_to<flush_atom>::with<bool>,
    // INTERNAL: a script or a source map has come, or will not.
    caf::reacts_to<receive_atom, fetched_file_ptr>,
    // INTERNAL: the held batch of that number has been handled by everyone downstream.
    caf::reacts_to<settled_atom, std::uint64_t>>;

/// Marks events that match built-in or learned noise rules and fans batches out.
using noise_filter_actor = health_source::extend<
    // Numbers and marks one batch and passes it on to the store and the detectors.
    caf::reacts_to<batch_atom, redacted_batch_ptr>,
    // Adds, removes, lists, resets or detects rules.
    caf::replies_to<noise_atom, noise_command>::with<command_answer>>;

/// Anything that looks at finished batches.
using event_sink = health_source::extend<caf::reacts_to<batch_atom, event_batch_ptr>>;

/// Anyone who is told of the next change of a part of the engine.
using change_sink = caf::typed_actor<caf::reacts_to<changed_atom, watched_part>>;

/// Anyone who is told when the telemetry store's memory pressure changes.
using pressure_sink = caf::typed_actor<caf::reacts_to<pressure_atom, memory_pressure>>;

/// Anyone who is told of alerts.
using alert_sink = caf::typed_actor<caf::reacts_to<alert_atom, alert_ptr>>;

/// Anyone who is told whether a writer is above its cap.
using congestion_sink = caf::typed_actor<caf::reacts_to<congested_atom, bool>>;

/// Bounded buffers of events, queried newest first; owns memory pressure.
using telemetry_store_actor = event_sink::extend<
    // Tells this actor of the next change, once. Whoever wants to know of more asks again, so that
    // nothing is sent while nobody waits.
    caf::reacts_to<watch_atom, change_sink, watched_part>,
    // Answers one page of matching events.
    caf::replies_to<query_atom, store_query>::with<store_page>,
    // Answers all that is buffered now, shared.
    caf::replies_to<query_atom>::with<event_snapshot_ptr>,
    // Answers the entries per buffer.
    caf::replies_to<counts_atom>::with<data_counts>,
    // From now on tells this actor when the pressure changes.
    caf::reacts_to<join_atom, pressure_sink>,
    // INTERNAL: looks whether the pressure has eased although nothing arrives.
    caf::reacts_to<tick_atom>>;

/// Points in time: those that clients have named, and those that are set by themselves.
using mark_log_actor = event_sink::extend<
    // Sets a mark, or moves the one of that name; answers all that were named.
    caf::replies_to<mark_atom, telemetry_mark>::with<telemetry_marks>,
    // Lists all of them, with the commits of the working trees in these directories, the newest
    // last.
    caf::replies_to<list_atom, std::vector<std::string>>::with<telemetry_marks>>;

/// Error spikes, uncaught errors, failed requests, security findings.
using anomaly_detector_actor = event_sink::extend<
    // INTERNAL: the time has come to tell what was held back.
    caf::reacts_to<tick_atom>>;

/// Faults that are over.
using resolution_watch_actor = event_sink::extend<
    // INTERNAL: a fault may have stayed away long enough.
    caf::reacts_to<tick_atom>>;

/// Baselines per page and budgets.
using performance_monitor_actor = event_sink;

/// The last CI results.
using ci_monitor_actor = event_sink::extend<
    // As the telemetry store does, for its results.
    caf::reacts_to<watch_atom, change_sink, watched_part>,
    // Lists the results, newest first, as a JSON array of objects.
    caf::replies_to<list_atom>::with<json_document>>;

/// Receives the alerts of all detectors.
using alert_hub_actor = health_source::extend<
    // Numbers the alerts and tells the buffer and every joined client.
    caf::reacts_to<alert_atom, alert_batch_ptr>,
    // From now on tells this client about each alert.
    caf::reacts_to<join_atom, alert_sink>>;

/// The last alerts and a read position per client.
using alert_buffer_actor = health_source::extend<
    // Keeps or merges one alert. The ticket is held until this message has been handled.
    caf::reacts_to<alert_atom, alert_ptr, ticket_ptr>,
    // Takes the client's unread alerts and marks those that fit as read.
    caf::replies_to<drain_atom, client_id>::with<alert_block>,
    // Lists the last alerts.
    caf::replies_to<list_atom, client_id>::with<alert_listing>,
    // Marks everything read for the client.
    caf::reacts_to<clear_atom, client_id>,
    // What was drained with these ids did not reach the client: it is unread again.
    caf::reacts_to<forget_atom, client_id, std::vector<std::uint64_t>>,
    // The client is gone; its read position is dropped.
    caf::reacts_to<forget_atom, client_id>>;

/// Writes complete JSON-RPC messages to one client, in order.
using message_writer = caf::typed_actor<
    // Writes one unsolicited message; never interleaved with another.
    caf::reacts_to<write_atom, rpc_text>,
    // Writes one message that belongs to an exchange.
    caf::reacts_to<write_atom, outgoing_ptr>,
    // From now on tells this actor when the unwritten bytes rise above the cap, and when all have
    // been written.
    caf::reacts_to<join_atom, congestion_sink>,
    // Writes what is left and ends.
    caf::reacts_to<closed_atom>>;

/// A writer of file descriptors.
using line_writer_actor = message_writer::extend<
    // The descriptor can take bytes again.
    caf::reacts_to<writable_atom>,
    // INTERNAL: the time for writing what is left is over.
    caf::reacts_to<tick_atom>>;

/// One client's push notifications: filter, throttle, dedup, batch.
using push_throttler_actor = caf::typed_actor<
    // An alert was raised.
    caf::reacts_to<alert_atom, alert_ptr>,
    // Turns streaming on with this configuration; answers the state after it.
    caf::replies_to<enable_atom, push_config>::with<push_status>,
    // Forgets everything but the rate cap's window: a client has begun anew.
    caf::reacts_to<clear_atom>,
    // Turns streaming off and clears pending state; answers how many alerts were cleared.
    caf::replies_to<disable_atom>::with<push_status>,
    // Answers configuration and counters.
    caf::replies_to<status_atom>::with<push_status>,
    // The level set by `logging/setLevel`.
    caf::reacts_to<level_atom, level_floor>,
    // The client's writer is, or is no longer, above its cap.
    caf::reacts_to<congested_atom, bool>>;

/// One MCP client: protocol state, tool calls, rate limit, read position.
using client_actor = health_source::extend<
    // One line or body from the client.
    caf::reacts_to<receive_atom, rpc_frame_ptr>,
    // An alert was raised.
    caf::reacts_to<alert_atom, alert_ptr>,
    // The client has closed the response of that exchange, which cancels what it asked there
    // (2026-07-28 over HTTP).
    caf::reacts_to<cancel_atom, exchange_id>,
    // A watched part of the engine has changed.
    caf::reacts_to<changed_atom, watched_part>,
    // A list of the engine has changed.
    caf::reacts_to<changed_atom, listed_kind>,
    // A named stream has changed, or has an event that the client wants to be told of.
    caf::reacts_to<stream_atom, stream_notice_ptr>,
    // The client's writer is, or is no longer, above its cap.
    caf::reacts_to<congested_atom, bool>,
    // The client sends nothing more: answers what it has asked, pushes nothing, ends.
    caf::reacts_to<closed_atom>>;

/// Writes a scenario file from live, already redacted traffic.
using recorder_actor = health_source::extend<
    // Appends one step with the time since the start.
    caf::reacts_to<record_atom, record_step>,
    // Appends one batch as a `post` step.
    caf::reacts_to<record_atom, event_batch_ptr>>;

/// Spawns all others, watches them, ends them in order.
using engine_actor = health_source::extend<
    // A client with this writer joins; answers its session.
    caf::replies_to<attach_atom, message_writer, client_origin>::with<client_actor>,
    // Answers the actor that takes POST bodies.
    caf::replies_to<query_atom>::with<ingest_actor>,
    // Answers the actor of the named streams.
    caf::replies_to<stream_atom>::with<stream_registry_actor>,
    // A list has changed; tells every client.
    caf::reacts_to<changed_atom, listed_kind>,
    // From now on `health` shows this port, or why there is none.
    caf::reacts_to<listen_atom, std::uint16_t, std::string>>;

} // namespace gasoline
