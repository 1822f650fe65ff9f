#include "transport/nats/jetstream_codec.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/json/object_members.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

constexpr std::string_view name_prefix = "gasoline_";
constexpr std::string_view subject_prefix = "gasoline.";
constexpr std::string_view changed_prefix = "gasoline_changed.";
constexpr std::string_view topicless = "_";
constexpr std::string_view description_prefix = "Gasoline stream of type ";
constexpr std::string_view size_prefix = " with ";
constexpr std::string_view size_suffix = " events";

/// Events that are kept beyond the buffer size for engines that are behind: what one engine has
/// under way at most, when they are small.
constexpr std::uint64_t spare_events = 32'768;

constexpr std::uint64_t nanoseconds_per_ms = 1'000'000;

/// Within this an event that is sent again is recognised.
constexpr std::uint64_t duplicate_window_ms = 120'000;

std::uint64_t info_number(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

json info_part(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? *found : json::object();
}

bool whole_number(std::string_view token, std::uint64_t& out) {
  const auto [end, ec] = std::from_chars(token.data(), token.data() + token.size(), out);
  return ec == std::errc{} && end == token.data() + token.size();
}

std::string description_of(const shared_stream& stream) {
  std::string out{description_prefix};
  out.append(name_of(stream.type)).append(size_prefix).append(std::to_string(stream.buffer_size));
  return out.append(size_suffix);
}

void read_description(std::string_view description, shared_stream& out) {
  if (!description.starts_with(description_prefix))
    return;
  description.remove_prefix(description_prefix.size());
  const auto end = description.find(size_prefix);
  out.type = parse_name<stream_type>(description.substr(0, end)).value_or(stream_type::in_memory);
  if (end == std::string_view::npos || !description.ends_with(size_suffix))
    return;
  description.remove_prefix(end + size_prefix.size());
  description.remove_suffix(size_suffix.size());
  if (std::uint64_t size = 0; whole_number(description, size) && size > 0)
    out.buffer_size = size;
}

/// The same number on every engine: FNV-1a of when the server made the stream.
stream_life life_of(std::string_view created) {
  stream_life out = 2'166'136'261U;
  for (const char c : created)
    out = (out ^ static_cast<unsigned char>(c)) * 16'777'619U;
  return out == 0 ? 1 : out;
}

/// Takes the token in front of the next dot.
std::string_view next_subject_token(std::string_view& rest) {
  const auto token = rest.substr(0, rest.find('.'));
  rest.remove_prefix(std::min(token.size() + 1, rest.size()));
  return token;
}

std::string subject_of(std::string_view stream, std::string_view topic) {
  std::string out{subject_prefix};
  out.append(stream) += '.';
  return out.append(topic);
}

} // namespace

std::string jetstream_name(std::string_view stream) {
  return std::string{name_prefix}.append(stream);
}

std::optional<std::string> stream_of_jetstream(std::string_view jetstream) {
  if (!jetstream.starts_with(name_prefix) || jetstream.size() == name_prefix.size())
    return std::nullopt;
  return std::string{jetstream.substr(name_prefix.size())};
}

std::string changed_subject(std::string_view stream) {
  return std::string{changed_prefix}.append(stream);
}

std::optional<jetstream_error> error_of(const json& answer) {
  if (!answer.is_object())
    return jetstream_error{500, "the answer is no JSON object"};
  const auto found = answer.find("error");
  if (found == answer.end() || !found->is_object())
    return std::nullopt;
  return jetstream_error{static_cast<int>(info_number(*found, "code")),
                         text_member(*found, "description")};
}

std::optional<jetstream_stream> jetstream_stream_of(const json& info) {
  const auto config = info_part(info, "config");
  auto name = stream_of_jetstream(text_member(config, "name"));
  if (!name)
    return std::nullopt;
  const auto state = info_part(info, "state");
  jetstream_stream out;
  out.created = text_member(info, "created");
  out.stream.life = life_of(out.created);
  auto& stream = out.stream;
  stream.name = std::move(*name);
  read_description(text_member(config, "description"), stream);
  stream.newest = info_number(state, "last_seq");
  stream.oldest =
      info_number(state, "messages") > 0 ? info_number(state, "first_seq") : stream.newest + 1;
  return out;
}

std::string jetstream_request(const shared_stream& stream, const nats_settings& settings,
                              const limits_of<nats_room, stream_room>& limit) {
  return dumped({{"name", jetstream_name(stream.name)},
                 {"description", description_of(stream)},
                 {"subjects", json::array({subject_of(stream.name, ">")})},
                 {"retention", "limits"},
                 {"discard", "old"},
                 {"storage", "file"},
                 {"max_consumers", -1},
                 {"max_msgs", stream.buffer_size + spare_events},
                 {"max_msgs_per_subject", -1},
                 {"max_bytes", limit.stream.bytes + limit.nats.unacknowledged_bytes},
                 {"max_age", 0},
                 {"max_msg_size", -1},
                 {"num_replicas", settings.replicas},
                 {"duplicate_window", duplicate_window_ms * nanoseconds_per_ms}});
}

std::string consumer_request(const consumer_wish& wish,
                             const limits_of<nats_room, stream_room>& limit) {
  return dumped({{"stream_name", jetstream_name(wish.stream)},
                 {"config",
                  {{"name", wish.name},
                   {"deliver_subject", wish.subject},
                   {"deliver_policy", "by_start_sequence"},
                   {"opt_start_seq", wish.from},
                   {"ack_policy", "none"},
                   {"replay_policy", "instant"},
                   {"max_deliver", 1},
                   {"flow_control", true},
                   {"idle_heartbeat", limit.nats.heartbeat_ms * nanoseconds_per_ms},
                   {"mem_storage", true},
                   {"num_replicas", 1}}}});
}

std::optional<delivery_place> delivery_place_of(std::string_view reply) {
  // $JS.ACK.STREAM.CONSUMER.DELIVERED.SEQUENCE.DELIVERY.TIME.PENDING, with domain and account
  // behind $JS.ACK and more at the end where there are such.
  constexpr std::size_t short_form = 9;
  std::array<std::string_view, 12> tokens;
  std::size_t count = 0;
  while (!reply.empty() && count < tokens.size())
    tokens[count++] = next_subject_token(reply);
  if (count < short_form || tokens[0] != "$JS" || tokens[1] != "ACK")
    return std::nullopt;
  const std::size_t sequence = count == short_form ? 5 : 7;
  delivery_place out;
  out.consumer = tokens[sequence - 2];
  std::uint64_t nanoseconds = 0;
  if (!whole_number(tokens[sequence], out.id) ||
      !whole_number(tokens[sequence + 1], out.delivery) ||
      !whole_number(tokens[sequence + 2], nanoseconds))
    return std::nullopt;
  out.at = wall_time{std::chrono::milliseconds{nanoseconds / nanoseconds_per_ms}};
  return out;
}

nats_message message_of(const std::string& stream, const stream_event& e) {
  nats_message out;
  out.subject = subject_of(stream, e.topic.empty() ? topicless : e.topic.view());
  out.data = e.data.str();
  out.header(nats_header::message_id) = e.uuid;
  out.header(nats_header::event_type) = e.type.str();
  out.header(nats_header::event_time) = to_iso8601(e.at);
  out.header(nats_header::event_metadata) = e.metadata.str();
  return out;
}

stored_event event_of(const std::string& stream, nats_message&& message,
                      const delivery_place& place) {
  stored_event out;
  out.id = place.id;
  out.at = from_iso8601(message.header(nats_header::event_time)).value_or(place.at);
  out.uuid = std::move(message.header(nats_header::message_id));
  if (out.uuid.empty())
    out.uuid = stream + '-' + std::to_string(place.id);
  out.type = std::move(message.header(nats_header::event_type));
  auto topic =
      message.subject.substr(std::min(message.subject.size(), subject_of(stream, "").size()));
  if (topic != topicless)
    out.topic = std::move(topic);
  out.data = std::move(message.data);
  out.metadata = std::move(message.header(nats_header::event_metadata));
  return out;
}

} // namespace gasoline
