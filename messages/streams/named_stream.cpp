#include "messages/streams/named_stream.hpp"

#include "messages/base/json/json_text.hpp"

namespace gasoline {

void append_stream_event(std::string& out, const stream_event& e) {
  json_object_writer w{out};
  w.number("id", e.id).text("event_id", e.uuid).text("timestamp", to_iso8601(e.at));
  w.text("event_type", e.type.view());
  if (!e.topic.empty())
    w.text("topic", e.topic.view());
  w.raw("data", e.data.view());
  if (!e.metadata.empty())
    w.raw("metadata", e.metadata.view());
  w.close();
}

stream_answer refused_stream(stream_outcome outcome, std::string_view sentence) {
  stream_answer out{outcome, {}};
  json_object_writer{out.text}.text("status", "error").text("message", sentence).close();
  return out;
}

} // namespace gasoline
