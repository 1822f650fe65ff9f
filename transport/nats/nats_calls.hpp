#pragma once

#include "transport/nats/nats_link.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gasoline {

/// What is said to the NATS server, and what it answers.

/// The status of messages without content, as the server writes it.
inline constexpr std::string_view no_responders = "503";
inline constexpr std::string_view from_server = "100"; ///< a heartbeat or flow control

/// Codes of errors of the JetStream API.
inline constexpr int not_found_code = 404;
inline constexpr int unavailable_code = 503; ///< such as a cluster that is choosing a leader

/// What arrives at the inbox of a connection: answers and acknowledgements at the kind, a dot and a
/// number; deliveries at the kind alone, since a server delivers only to subjects that are
/// subscribed to without a wildcard.
enum class inbox_kind : char { answer = 'a', acknowledgement = 'p', delivery = 'd' };

/// The subject of that inbox of the present connection; with a number: of one answer.
std::string inbox_of(nats_link self, inbox_kind kind);
std::string inbox_of(nats_link self, inbox_kind kind, std::uint64_t number);

/// Publishes at once; false: there is no connection, or it does not take the message.
bool send(nats_link self, const nats_message& message);

/// A request to the JetStream API. `done` is called once, also when the connection is lost.
void call_api(nats_link self, std::string_view what, std::string body, api_handler done);

/// Hands the answer with that number to who asked.
void take_answer(nats_link self, std::uint64_t number, const nats_message& message);

/// Has the other engines look at a stream that was made, emptied or removed.
void tell_engines(nats_link self, const std::string& stream);

/// Publishes an event that is stored; its acknowledgement comes with that number.
void send_event(nats_link self, std::uint64_t number, nats_message& message);

/// Sees to it that what is overdue is looked for, while there is something that can be.
void plan_tick(nats_link self);

/// Why something may be overdue: what the server does not permit; empty: it permits all.
std::string refusal_text(const nats_streams_state& state);

/// Fails the calls, gives up the events and sends again those that are overdue.
void look_for_overdue(nats_link self);

} // namespace gasoline
