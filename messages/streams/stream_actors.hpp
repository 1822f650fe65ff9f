#pragma once

#include "messages/alerts/alert.hpp"
#include "messages/base/atoms.hpp"
#include "messages/streams/named_stream.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::asking_party)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_read)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_page)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_notice_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::stream_tap_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::open_tap_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::read_piece_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::backend_news_ptr)

namespace gasoline {

/// Names of the messages of streams; at most ten characters each.
using stream_atom = caf::atom_constant<caf::atom("stream")>;
constexpr stream_atom stream_atom_v = stream_atom::value;
using subscribe_atom = caf::atom_constant<caf::atom("subscribe")>;
constexpr subscribe_atom subscribe_atom_v = subscribe_atom::value;
using read_atom = caf::atom_constant<caf::atom("read")>;
constexpr read_atom read_atom_v = read_atom::value;
using unread_atom = caf::atom_constant<caf::atom("unread")>;
constexpr unread_atom unread_atom_v = unread_atom::value;

/// Anyone who is told of a named stream.
using stream_notice_sink = caf::typed_actor<caf::reacts_to<stream_atom, stream_notice_ptr>>;

/// `stream_subscribe` by a client, with whose end the subscription ends.
struct subscribe_stream {
  client_id client = 0;
  std::string name;
  std::string topic;          ///< the filter; empty: all
  stream_notice_sink session; ///< the client
  bool notifies = false;      ///< it is told of every event
  asking_party caller{};
};

} // namespace gasoline

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::subscribe_stream)

namespace gasoline {

/// The names of all streams, their events, budgets and subscriptions.
using stream_registry_actor = caf::typed_actor<
    caf::replies_to<health_atom>::with<std::shared_ptr<const nlohmann::json>>,
    // Carries out a command of that caller.
    caf::replies_to<stream_atom, stream_command, asking_party>::with<stream_answer>,
    // The same; the answer goes to the request's function.
    caf::reacts_to<stream_atom, stream_request_ptr>,
    // Makes a subscription.
    caf::replies_to<subscribe_atom, subscribe_stream>::with<stream_answer>,
    // Answers what is new for a subscription, at once or when there is something.
    caf::replies_to<read_atom, stream_read>::with<stream_page>,
    // What was read from the first id up to the second did not reach the client of the
    // subscription: it is new again.
    caf::reacts_to<unread_atom, client_id, std::string, std::uint64_t, std::uint64_t>,
    // Tells this session once, by a notice, when the id of the stream's newest event is above the
    // one given, at once if it is already.
    caf::reacts_to<watch_atom, stream_notice_sink, std::string, std::uint64_t>,
    // The client waits for events no longer: its reads get what there is.
    caf::reacts_to<flush_atom, client_id>,
    // The client begins anew: its subscriptions end.
    caf::reacts_to<forget_atom, client_id>,
    // Lets a reader join a tap.
    caf::reacts_to<join_atom, open_tap_ptr>,
    // Reads on for one reader of a tap.
    caf::reacts_to<read_atom, read_piece_ptr>,
    // Closes a tap.
    caf::reacts_to<leave_atom, stream_tap_ptr>,
    // Answers the names of the user's streams that this caller may use.
    caf::replies_to<list_atom, asking_party>::with<std::vector<std::string>>,
    // An alert was raised.
    caf::reacts_to<alert_atom, std::shared_ptr<const alert>>,
    // Something happened to the streams that several engines share; answered when that is done.
    caf::reacts_to<changed_atom, backend_news_ptr>,
    // INTERNAL: the read with that number has waited long enough.
    caf::reacts_to<tick_atom, std::uint64_t>>;

} // namespace gasoline
