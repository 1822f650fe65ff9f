#pragma once

#include "actors/streams/stream_registry.hpp"

#include <cstdint>
#include <string>

namespace gasoline {

// Those who listen to a stream are told of what happens to it.

/// The id of a stream's newest event; 0 when there is no such stream.
std::uint64_t newest_of(stream_registry_pointer self, const std::string& stream);

stream_notice_ptr notice_of(const std::string& stream, std::uint64_t newest,
                            stream_event_ptr e = nullptr);

/// Hands a waiting read what there is for it; it goes on waiting when there is nothing.
void try_read(stream_registry_pointer self, std::uint64_t key);

/// A stream has a new event.
void spread(stream_registry_pointer self, const std::string& stream, const stream_event_ptr& e);

/// A stream is there, gone or emptied.
void tell_of_change(stream_registry_pointer self, const std::string& stream);

/// The stream is gone: nobody listens to it any more.
void drop_listeners(stream_registry_pointer self, const std::string& stream);

} // namespace gasoline
