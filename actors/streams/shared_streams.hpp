#pragma once

#include "actors/streams/stream_registry.hpp"

#include <functional>

namespace gasoline {

// What the registry does while a backend keeps the streams for several engines: what changes them
// goes there, and comes back as news, which the registry mirrors. An event is acknowledged to its
// publisher when the backend has it and its readers here have been told.

using stream_reply = std::function<void(stream_answer)>;

/// Whether a command has to go to the backend.
bool changes_streams(const stream_command& command);

/// Carries out such a command.
void run_shared_command(stream_registry_pointer self, const stream_command& command,
                        const stream_reply& reply);

/// Runs `then` when the streams are known, and the stream holds here what it holds there; `refuse`
/// is called instead, with a sentence, when the backend cannot be reached.
void when_known(stream_registry_pointer self, const std::string& stream, std::function<void()> then,
                const std::function<void(const std::string&)>& refuse);

/// Runs `then` when it is certain whether the stream has, or has had, an event with that id, which
/// may have been read from another engine.
void when_settled(stream_registry_pointer self, const std::string& stream, std::uint64_t id,
                  const std::function<void()>& then);

/// Publishes an alert.
void share_alert(stream_registry_pointer self, const built_in_event& e, wall_time now);

/// Something has happened at the backend.
void take_backend_news(stream_registry_pointer self, const backend_news& news);

} // namespace gasoline
