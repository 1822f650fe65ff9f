#include "actors/mcp/client/stream_notifier.hpp"

#include "messages/base/json/json_text.hpp"
#include "messages/base/presentable_text.hpp"

#include <utility>

namespace gasoline {

stream_notifier::decision stream_notifier::offer(const std::string& stream, stream_event_ptr newest,
                                                 mono_time now) {
  auto& entry = waiting_[stream];
  entry.newest = std::move(newest);
  ++entry.count;
  return due(now);
}

void stream_notifier::forget() {
  waiting_.clear();
  last_.reset();
}

stream_notifier::decision stream_notifier::due(mono_time now) {
  const std::chrono::milliseconds window{limit_.stream.notify_ms};
  decision out;
  if (waiting_.empty() || congested_)
    return out;
  if (last_ && now - *last_ < window) {
    out.wake_at = *last_ + window;
    return out;
  }
  out.tell = std::exchange(waiting_, {});
  last_ = now;
  return out;
}

stream_notifier::decision stream_notifier::set_congested(bool congested, mono_time now) {
  congested_ = congested;
  return due(now);
}

std::string stream_notification(const std::string& stream, const stream_notifier::pending& events,
                                const limits_of<push_room, stream_room>& limit) {
  const auto& newest = *events.newest;
  std::string shown;
  append_stream_event(shown, newest);
  std::string data;
  json_object_writer w{data};
  w.text("stream", stream).number("events", events.count);
  if (shown.size() <= limit.push.notification_bytes / 2)
    w.raw("newest", shown);
  else
    w.number("newest_id", newest.id);
  w.text("resource", "gasoline://streams/" + stream).text("note", outside_text_label).close();
  std::string params;
  json_object_writer{params}
      .text("level", "info")
      .text("logger", "gasoline.streams")
      .raw("data", data)
      .close();
  std::string out;
  json_object_writer{out}
      .text("jsonrpc", "2.0")
      .text("method", "notifications/message")
      .raw("params", params)
      .close();
  return out;
}

} // namespace gasoline
