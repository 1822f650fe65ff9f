#include "actors/streams/stream_answers.hpp"

#include "messages/base/json/json_text.hpp"

#include <string_view>

namespace gasoline {
namespace {

/// Room kept for what surrounds a list.
constexpr std::uint64_t list_frame_bytes = 160;

void write_topics(json_object_writer& w, const stream_ring& ring,
                  const limits_of<stream_room>& limit) {
  const auto& topics = ring.topics();
  std::string list{"["};
  std::uint64_t shown = 0;
  for (const auto& [topic, count] : topics) {
    if (shown++ == limit.stream.topics_shown)
      break;
    list += list.size() > 1 ? "," : "";
    append_json_string(list, topic);
  }
  w.raw("topics", list + ']');
  if (topics.size() > limit.stream.topics_shown)
    w.number("total_topics", topics.size());
}

void write_status(json_object_writer& w, const named_stream& stream,
                  const limits_of<stream_room>& limit) {
  w.text("name", stream.name).text("type", name_of(stream.type));
  w.number("subscriber_count", static_cast<std::uint64_t>(stream.subscriptions.size()));
  w.number("buffered_events", stream.ring.size()).number("buffer_capacity", stream.ring.capacity());
  if (stream.type == stream_type::topic || stream.is_built_in())
    write_topics(w, stream.ring, limit);
}

void write_counters(json_object_writer& w, const named_stream& stream) {
  w.number("published_events", stream.ring.newest_id())
      .number("dropped_events", stream.ring.evicted())
      .number("buffered_bytes", stream.ring.bytes());
}

std::string all_streams_text(const stream_directory& directory, const show_streams& wanted,
                             const limits_of<stream_room>& limit) {
  std::string list{"["};
  std::string last;
  bool complete = true;
  directory.for_each_behind(wanted.after, [&](const named_stream& stream) {
    if (stream.is_built_in() || !stream.admits(wanted.asker))
      return true;
    std::string item;
    json_object_writer w{item};
    write_status(w, stream, limit);
    w.close();
    complete = list.size() == 1 || list.size() + item.size() + list_frame_bytes <= wanted.max_bytes;
    if (!complete)
      return false;
    list += list.size() > 1 ? "," : "";
    list += item;
    last = stream.name;
    return true;
  });
  std::string out;
  json_object_writer w{out};
  w.raw("streams", list + ']').number("total_streams", directory.size_for(wanted.asker));
  if (!complete)
    w.text("cursor", last);
  w.close();
  return out;
}

} // namespace

std::string created_text(const named_stream& stream, const std::string& key) {
  std::string out;
  json_object_writer w{out};
  w.text("status", "created").text("stream_name", stream.name);
  w.text("stream_type", name_of(stream.type));
  if (!key.empty())
    w.text("stream_key", key);
  w.close();
  return out;
}

std::string published_text(const stream_event& e) {
  std::string out;
  json_object_writer{out}
      .text("status", "published")
      .text("event_id", e.uuid)
      .text("timestamp", to_iso8601(e.at))
      .close();
  return out;
}

std::string subscribed_text(const stream_subscription& subscription) {
  std::string out;
  json_object_writer{out}
      .text("status", "subscribed")
      .text("subscription_id", subscription.id)
      .text("stream_name", subscription.stream)
      .text("topic", subscription.filter.text())
      .close();
  return out;
}

std::string unsubscribed_text(const stream_subscription& subscription) {
  std::string out;
  json_object_writer{out}
      .text("status", "unsubscribed")
      .text("subscription_id", subscription.id)
      .text("stream_name", subscription.stream)
      .close();
  return out;
}

std::string purged_text(const std::string& name, std::uint64_t events) {
  std::string out;
  json_object_writer{out}
      .text("status", "purged")
      .text("stream_name", name)
      .number("purged_events", events)
      .close();
  return out;
}

std::string deleted_text(const std::string& name, std::uint64_t subscriptions) {
  std::string out;
  json_object_writer{out}
      .text("status", "deleted")
      .text("stream_name", name)
      .number("ended_subscriptions", subscriptions)
      .close();
  return out;
}

std::string streams_text(const stream_directory& directory, const show_streams& wanted,
                         const limits_of<stream_room>& limit) {
  if (!wanted.name)
    return all_streams_text(directory, wanted, limit);
  std::string item;
  if (const auto* stream = directory.find(*wanted.name)) {
    json_object_writer w{item};
    write_status(w, *stream, limit);
    write_counters(w, *stream);
    w.close();
  }
  std::string out;
  json_object_writer{out}
      .raw("streams", "[" + item + "]")
      .number("total_streams", directory.size_for(wanted.asker))
      .close();
  return out;
}

std::string stream_events_text(const named_stream& stream, std::uint64_t max_bytes,
                               const limits_of<stream_room>& limit) {
  std::string out;
  json_object_writer w{out};
  write_status(w, stream, limit);
  write_counters(w, stream);
  std::string list{"["};
  std::uint64_t shown = 0;
  stream.ring.for_each_backwards([&](const stream_event_ptr& e) {
    std::string item;
    append_stream_event(item, *e);
    if (shown > 0 && out.size() + list.size() + item.size() + list_frame_bytes > max_bytes)
      return false;
    list += list.size() > 1 ? "," : "";
    list += item;
    ++shown;
    return true;
  });
  w.text("order", "newest first").number("shown_events", shown).raw("events", list + ']');
  w.close();
  return out;
}

} // namespace gasoline
