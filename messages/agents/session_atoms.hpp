#pragma once

#include "messages/base/atoms.hpp"

// Verbs and nouns of the messages between the actors of agent sessions; at most ten characters.
CAF_ADD_ATOM(gasoline, gasoline, call_atom, "call")
CAF_ADD_ATOM(gasoline, gasoline, chunk_atom, "chunk")
CAF_ADD_ATOM(gasoline, gasoline, create_atom, "create")
CAF_ADD_ATOM(gasoline, gasoline, deliver_atom, "deliver")
CAF_ADD_ATOM(gasoline, gasoline, emit_atom, "emit")
CAF_ADD_ATOM(gasoline, gasoline, external_atom, "external")
CAF_ADD_ATOM(gasoline, gasoline, failed_atom, "failed")
CAF_ADD_ATOM(gasoline, gasoline, feedback_atom, "feedback")
CAF_ADD_ATOM(gasoline, gasoline, finished_atom, "finished")
CAF_ADD_ATOM(gasoline, gasoline, load_atom, "load")
CAF_ADD_ATOM(gasoline, gasoline, messages_atom, "messages")
CAF_ADD_ATOM(gasoline, gasoline, open_atom, "open")
CAF_ADD_ATOM(gasoline, gasoline, outcome_atom, "outcome")
CAF_ADD_ATOM(gasoline, gasoline, permit_atom, "permit")
CAF_ADD_ATOM(gasoline, gasoline, remove_atom, "remove")
CAF_ADD_ATOM(gasoline, gasoline, replay_atom, "replay")
CAF_ADD_ATOM(gasoline, gasoline, sent_atom, "sent")
CAF_ADD_ATOM(gasoline, gasoline, spawn_atom, "spawn")
CAF_ADD_ATOM(gasoline, gasoline, stored_atom, "stored")
CAF_ADD_ATOM(gasoline, gasoline, submit_atom, "submit")
CAF_ADD_ATOM(gasoline, gasoline, follow_atom, "follow")
CAF_ADD_ATOM(gasoline, gasoline, unseen_atom, "unseen")
