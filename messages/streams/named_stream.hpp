#pragma once

#include "messages/base/asking_party.hpp"
#include "messages/base/enum_names.hpp"
#include "messages/base/identity/client_id.hpp"
#include "messages/base/redacted_text.hpp"
#include "messages/base/time.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gasoline {

/// The types of named streams. Events of any type may have a topic; the type says how a
/// stream is shown and served.
enum class stream_type : std::uint8_t {
  in_memory, ///< a ring of the last events
  sse,       ///< also served as Server-Sent Events
  topic      ///< also shows the topics of its events
};

template <>
struct enum_table<stream_type> {
  static constexpr std::array<std::pair<stream_type, std::string_view>, 3> rows{{
      {stream_type::in_memory, "in_memory"},
      {stream_type::sse, "sse"},
      {stream_type::topic, "topic"},
  }};
};

/// The stream that carries every alert.
inline constexpr std::string_view alerts_stream = "$alerts";

/// The type of an event whose publisher gave none.
inline constexpr std::string_view default_event_type = "message";

/// The events that a stream buffers when its maker does not say.
inline constexpr std::uint64_t default_buffer_size = 1'000;

/// One life of a stream: from when it was made to when it is deleted or its engine ends. A stream
/// of that name that comes later counts its events from 1 again, so an id that readers come back
/// with has to say which life it is of. Random where streams live in this process; engines that
/// share a stream make the same number of what the server says of its making.
using stream_life = std::uint32_t;

/// One event of a stream; shared, never changed.
struct stream_event {
  std::uint64_t id = 0; ///< rises by one within the life of its stream, from 1
  stream_life life = 0;
  std::string uuid;
  wall_time at{};
  redacted_text type;
  redacted_text topic;    ///< empty: for every subscriber, whatever its filter
  redacted_text data;     ///< a compact JSON value
  redacted_text metadata; ///< a compact JSON object; empty: none was given
};

using stream_event_ptr = std::shared_ptr<const stream_event>;

/// Appends an event as a JSON object with everything in it.
void append_stream_event(std::string& out, const stream_event& event);

// What the stream registry is asked for. Texts are as they came: it checks and redacts them.

/// `stream_create`.
struct create_stream {
  std::string name;
  std::string type; ///< empty: in memory
  std::uint64_t buffer_size = 0;

  asking_party maker{}; ///< said by the registry
  std::string key{};    ///< what its maker is told, by which it is used from elsewhere; empty: none
};

/// The body of a POST that makes a stream: the arguments of `stream_create` as an object.
struct post_stream {
  std::string body;
};

/// `stream_publish`.
struct publish_event {
  std::string stream;
  std::string data; ///< a JSON value
  std::string type; ///< empty: the default
  std::string topic;
  std::string metadata; ///< a JSON object, or empty
};

/// The body of a POST: one event as an object, or several as an array.
struct post_events {
  std::string stream;
  std::string body;
};

/// `stream_status`.
struct show_streams {
  std::optional<std::string> name; ///< none: all but the built-in ones
  std::string after;               ///< only names behind it in the order of the list
  std::uint64_t max_bytes = 0;     ///< of the answer

  asking_party asker{}; ///< whose streams are shown; said by the registry
};

/// The resource of one stream: its status and its newest events.
struct show_stream_events {
  std::string name;
  std::uint64_t max_bytes = 0;
};

/// Ends one subscription of the client.
struct end_subscription {
  client_id client = 0;
  std::string subscription;
};

/// Drops the buffered events of a stream.
struct purge_stream {
  std::string name;
};

/// Removes a stream with its subscriptions.
struct delete_stream {
  std::string name;
};

using stream_command =
    std::variant<create_stream, post_stream, publish_event, post_events, show_streams,
                 show_stream_events, end_subscription, purge_stream, delete_stream>;

/// How a command came out.
enum class stream_outcome : std::uint8_t {
  done,
  created,
  invalid,    ///< a wrong value
  not_found,  ///< no such stream or subscription
  exists,     ///< the name is taken
  too_large,  ///< over a cap on bytes
  full,       ///< over a cap on numbers
  forbidden,  ///< not to be done to a built-in stream, or to one of somebody else's
  unreachable ///< the server that keeps the streams cannot be had
};

/// The answer to a command: a JSON object. Refusals are
/// `{"status":"error","message":…}`.
struct stream_answer {
  stream_outcome outcome = stream_outcome::done;
  std::string text;

  bool is_refusal() const { return outcome > stream_outcome::created; }
};

/// A refusal in that shape.
stream_answer refused_stream(stream_outcome outcome, std::string_view sentence);

/// A command whose answer goes to a function instead of an actor; called once, on any thread.
struct stream_request {
  stream_command command;
  asking_party caller{};
  std::function<void(stream_answer)> reply;
};

using stream_request_ptr = std::shared_ptr<const stream_request>;

/// One read of a subscription. What was read is not read again, unless it is given back or asked
/// for by its number.
struct stream_read {
  client_id client = 0;
  std::string subscription;
  std::optional<std::uint64_t> after; ///< events behind this id, read before or not
  std::uint64_t limit = 0;            ///< most events
  std::uint64_t max_bytes = 0;        ///< of all events together; the first always fits
  std::chrono::milliseconds wait{0};  ///< for an event, when there is none
};

/// What a subscription reads.
struct stream_page {
  std::string problem; ///< a sentence: nothing was read; empty: there is none
  std::string stream;
  std::string topic; ///< the filter
  std::vector<stream_event_ptr> events;
  std::uint64_t from = 0;   ///< the subscription had been read up to this id
  std::uint64_t to = 0;     ///< and now is up to this one
  std::uint64_t left = 0;   ///< matching events that did not fit
  std::uint64_t missed = 0; ///< events that left the buffer before they were read
};

/// What the registry tells a client's session without being asked again.
struct stream_notice {
  std::string stream;
  std::uint64_t newest = 0; ///< id of the stream's newest event
  stream_event_ptr event;   ///< for a subscription that wants notifications; null: it has changed
};

using stream_notice_ptr = std::shared_ptr<const stream_notice>;

/// Takes the events of one stream that pass one filter. Called on the registry's actor, in order;
/// does nothing there but pass them on.
class stream_tap {
 public:
  virtual ~stream_tap() = default;

  virtual void on_event(const stream_event_ptr& event) = 0;

  /// The stream was deleted; nothing more comes.
  virtual void on_deleted() = 0;
};

using stream_tap_ptr = std::shared_ptr<stream_tap>;

/// What a reader who comes back has read: everything up to that event.
struct stream_place {
  std::optional<stream_life> life; ///< none: the reader does not know, or counts by itself
  std::uint64_t id = 0;
};

/// How the place that a reader came with stands to the stream.
enum class place_of_reader : std::uint8_t {
  known,        ///< of this life of the stream; or the reader came with none
  unsaid,       ///< does not say of which life it is, and is taken for one of this
  of_other_life ///< everything is new to the reader, and what it missed before nobody knows
};

/// The beginning of what one reader of a tap gets.
struct stream_opening {
  stream_answer refusal; ///< counts when its outcome is a refusal
  stream_life life = 0;
  std::uint64_t from = 0; ///< the reader gets what is behind this id
  place_of_reader place = place_of_reader::known;
};

/// A reader joins a tap; with the first one the tap is opened.
struct open_tap {
  std::string stream;
  std::string topic;                 ///< the filter
  std::optional<stream_place> after; ///< what the reader has read; none: it wants what is new
  stream_tap_ptr tap;
  asking_party caller{};
  std::function<void(stream_opening)> reply; ///< called once, on the registry's actor
};

using open_tap_ptr = std::shared_ptr<const open_tap>;

/// A piece of what is buffered for one reader of a tap.
struct stream_piece {
  std::vector<stream_event_ptr> events;
  std::uint64_t to = 0;     ///< all up to this id were looked at
  std::uint64_t missed = 0; ///< events that left the buffer before this piece
  bool last = false; ///< `to` is the newest: what reaches the tap before this piece has an id up to
                     ///< it, what reaches it later a higher one
};

/// Asks for what is buffered for a reader behind an id.
struct read_piece {
  stream_tap_ptr tap;
  std::uint64_t after = 0;
  std::function<void(stream_piece)> reply; ///< called once, on the registry's actor
};

using read_piece_ptr = std::shared_ptr<const read_piece>;

// What a backend that several engines share tells the registry of its streams.

/// A stream as the backend keeps it.
struct shared_stream {
  std::string name;
  stream_type type = stream_type::in_memory;
  std::uint64_t buffer_size = default_buffer_size;
  std::uint64_t oldest = 1; ///< no event below this id is kept
  std::uint64_t newest = 0; ///< 0: none was published yet
  stream_life life = 0;     ///< 0: whoever makes the stream chooses one
};

/// An event as the backend keeps it. Texts are as someone has published them, not redacted.
struct stored_event {
  std::uint64_t id = 0;
  std::string uuid;
  wall_time at{};
  std::string type;
  std::string topic;
  std::string data;
  std::string metadata;
};

/// Events of one stream, in order.
struct stored_events {
  std::string stream;
  std::vector<stored_event> events;
};

/// A stream is there no longer.
struct lost_stream {
  std::string name;
};

/// These are all streams; what they hold above the ids that were told before follows.
struct shared_streams {
  std::vector<shared_stream> streams;
};

/// The server that keeps the streams cannot be reached.
struct backend_loss {
  std::string problem; ///< a sentence
};

using backend_news =
    std::variant<shared_streams, shared_stream, stored_events, lost_stream, backend_loss>;
using backend_news_ptr = std::shared_ptr<const backend_news>;

} // namespace gasoline
