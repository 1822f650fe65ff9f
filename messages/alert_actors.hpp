#pragma once

#include "messages/actors.hpp"
#include "messages/alerts/alert_command.hpp"
#include "messages/alerts/hook_question.hpp"
#include "messages/alerts/provenance.hpp"
#include "messages/alerts/reader_report.hpp"
#include "messages/alerts/scope_change.hpp"
#include "messages/alerts/shown_channel.hpp"
#include "messages/base/identity/agent_place.hpp"

#include <cstdint>
#include <string>
#include <vector>

// Verbs of the messages about who has been shown what; at most ten characters.
CAF_ADD_ATOM(gasoline, gasoline, hook_atom, "hook")
CAF_ADD_ATOM(gasoline, gasoline, pushed_atom, "pushed")
CAF_ADD_ATOM(gasoline, gasoline, scope_atom, "scope")
CAF_ADD_ATOM(gasoline, gasoline, shown_atom, "shown")

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::agent_place)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::alert_command)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::hook_question)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::hook_answer)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::reader_report)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::provenance)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::provenance_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::foreign_list)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::scope_change)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(gasoline::shown_channel)

namespace gasoline {

/// Finds where programs of this machine run.
using origin_locator_actor = caf::typed_actor<
    // The working directory of the process with that number, or, with 0, of the one that listens
    // on that TCP port; empty: nobody does, or it is another user's.
    caf::replies_to<query_atom, std::uint16_t, std::uint32_t>::with<std::string>>;

/// What hooks ask of an engine.
using hook_desk = caf::typed_actor<
    // What a hook has to say to its conversation; what it tells counts as shown.
    caf::replies_to<hook_atom, hook_question>::with<hook_answer>,
    // The answer that told these alerts to the reader has not reached its hook.
    caf::reacts_to<cancel_atom, reader_id, std::vector<std::uint64_t>>>;

/// The last alerts, and what every agent conversation has been shown of them.
using alert_ledger_actor = alert_buffer_actor::extend<
    // As without a number: the block has at most so many bytes.
    caf::replies_to<drain_atom, client_id, std::uint64_t>::with<alert_block>,
    // A client has connected, from that place.
    caf::reacts_to<join_atom, client_id, agent_place>,
    // The same; from now on this actor is told of each alert of the client's project.
    caf::reacts_to<join_atom, client_id, agent_place, alert_sink>,
    // What the client asks next is of the agent's conversation with that id.
    caf::reacts_to<join_atom, client_id, std::string>,
    // The client says that it works in these directories, and no longer in those it named before.
    caf::reacts_to<scope_atom, client_id, std::vector<std::string>>,
    // Changes or shows what the client's project calls its own.
    caf::replies_to<scope_atom, client_id, scope_change>::with<command_answer>,
    // The directories of the projects that the client works in; none: they are not known.
    caf::replies_to<scope_atom, client_id>::with<std::vector<std::string>>,
    // The directories of the known projects that what comes from there concerns.
    caf::replies_to<scope_atom, provenance>::with<std::vector<std::string>>,
    // Which of these are of other projects than the client's.
    caf::replies_to<scope_atom, client_id, provenance_list>::with<foreign_list>,
    // The client has been shown these alerts; those that have come again since are news.
    caf::reacts_to<shown_atom, client_id, told_alerts, shown_channel>,
    // Acknowledges an alert, or mutes its fault, for the client's conversation.
    caf::replies_to<alert_atom, client_id, alert_command>::with<command_answer>,
    // So many alerts were pushed to the client, which says nothing of their being read.
    caf::reacts_to<pushed_atom, client_id, std::uint64_t>,
    // What has become of the alerts for this client's conversation.
    caf::replies_to<status_atom, client_id>::with<reader_report>>::extend_with<hook_desk>;

/// An engine that clients of this machine and hooks come to.
using local_engine_actor = engine_actor::extend<
    // The same as without a place: a client with this writer joins, whose process was started
    // there.
    caf::replies_to<attach_atom, message_writer, client_origin,
                    agent_place>::with<client_actor>>::extend_with<hook_desk>;

} // namespace gasoline
