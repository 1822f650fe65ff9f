#pragma once

#include "config/limits.hpp"
#include "config/sections/nats_settings.hpp"
#include "messages/streams/named_stream.hpp"
#include "transport/nats/nats_message.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gasoline {

// Named streams in JetStream: stream NAME is the JetStream stream gasoline_NAME with the subjects
// gasoline.NAME.TOPIC, `_` where there is no topic. The data of an event is the message's data, the
// rest are headers; its id is the sequence of JetStream. The type and buffer size of a stream are
// in its description. JetStream keeps more than the buffer size, since it drops what is beyond its
// limit before a reader that is behind has it.

std::string jetstream_name(std::string_view stream);

/// Nothing when the JetStream stream is no named stream of this program's.
std::optional<std::string> stream_of_jetstream(std::string_view jetstream);

/// The subjects of all streams.
inline constexpr std::string_view all_stream_subjects = "gasoline.>";

/// Where an engine says that it has emptied or removed a stream. JetStream tells nobody of the
/// first, and now and then forgets to tell of the second.
std::string changed_subject(std::string_view stream);

/// What an answer of the JetStream API holds instead of what was asked for.
struct jetstream_error {
  int code = 0; ///< as in HTTP
  std::string description;
};

std::optional<jetstream_error> error_of(const nlohmann::json& answer);

/// A stream as JetStream describes it.
struct jetstream_stream {
  shared_stream stream;
  std::string created; ///< tells it from an earlier one of that name
};

/// Nothing when it is none of this program's.
std::optional<jetstream_stream> jetstream_stream_of(const nlohmann::json& info);

/// The body of a request that makes a stream.
std::string jetstream_request(const shared_stream& stream, const nats_settings& settings,
                              const limits_of<nats_room, stream_room>& limit);

/// What a consumer is to deliver, and where.
struct consumer_wish {
  std::string stream;
  std::string name;
  std::string subject;    ///< one that is subscribed to as it is, not by a wildcard
  std::uint64_t from = 1; ///< the first id
};

/// The body of a request that makes a consumer without acknowledgements, with flow control.
std::string consumer_request(const consumer_wish& wish,
                             const limits_of<nats_room, stream_room>& limit);

/// Where a delivered message is in its stream and in what its consumer has delivered.
struct delivery_place {
  std::string_view consumer; ///< its name, within the subject that was read
  std::uint64_t id = 0;
  std::uint64_t delivery = 0;
  wall_time at{};
};

/// Reads the reply subject of a delivered message.
std::optional<delivery_place> delivery_place_of(std::string_view reply);

/// An event as the message that stores it.
nats_message message_of(const std::string& stream, const stream_event& e);

/// A delivered message as the event that it is.
stored_event event_of(const std::string& stream, nats_message&& message,
                      const delivery_place& place);

} // namespace gasoline
