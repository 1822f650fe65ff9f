#include "actors/streams/posted_events.hpp"

#include "actors/base/dom_values.hpp"
#include "messages/base/json/json_repair.hpp"
#include "messages/base/json/json_text.hpp"

#include <simdjson.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view event_shape =
    R"(send {"data":…} with optional event_type, topic and metadata, or an array of such)";

/// What a parser takes at least; larger ones cost more to make than a small body to read.
constexpr std::size_t smallest_room = 256;

tl::unexpected<stream_refusal> refused(std::string sentence) {
  return tl::unexpected(stream_refusal{stream_outcome::invalid, std::move(sentence)});
}

/// A body as a document; the text and the parser live as long as this.
class json_body {
 public:
  json_body(std::string_view text, const limits_of<ingest_room, stream_room>& limit)
      : text_(repaired_json(text)), limit_(limit) {}

  stream_result<dom::element> parse() {
    const auto room = std::max<std::size_t>(text_.size(), smallest_room);
    dom::element root;
    auto error = parser_.allocate(room, limit_.ingest.json_depth);
    if (!error)
      error = parser_.parse(text_).get(root);
    if (!error)
      return root;
    if (error == simdjson::EMPTY)
      return refused("The body is empty; " + std::string{event_shape} + ".");
    if (error == simdjson::DEPTH_ERROR)
      return refused("The body nests deeper than " + std::to_string(limit_.ingest.json_depth) +
                     " levels; send flatter data.");
    return refused(std::string{"The body is not valid JSON: "} + simdjson::error_message(error) +
                   ".");
  }

 private:
  std::string text_;
  limits_of<ingest_room, stream_room> limit_;
  dom::parser parser_;
};

/// Why a body holds too much to be read; nothing when it does not. Most bodies are too short
/// for that.
std::optional<stream_refusal> excess_problem(std::string_view text,
                                             const limits_of<ingest_room, stream_room>& limit) {
  const json_caps caps{limit.stream.post_events, limit.stream.event_bytes,
                       std::numeric_limits<std::size_t>::max()};
  if (text.size() / 2 <= std::min(caps.elements, caps.values))
    return std::nullopt;
  switch (excess_of(text, caps)) {
  case json_excess::elements:
    return stream_refusal{stream_outcome::too_large, "The list has more than " +
                                                         std::to_string(caps.elements) +
                                                         " events; send fewer at once."};
  case json_excess::values:
    return stream_refusal{stream_outcome::too_large,
                          "An event has more than " + std::to_string(caps.values) +
                              " values, and so more bytes of data than are taken; publish less, "
                              "such as a reference to the data."};
  default:
    return std::nullopt;
  }
}

/// A member that must be a string when it is there.
stream_result<std::string> text_member(const dom::object& object, std::string_view name) {
  dom::element value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null())
    return std::string{};
  std::string_view text;
  if (value.get_string().get(text) != simdjson::SUCCESS)
    return refused(std::string{name} + " must be a string.");
  return std::string{text};
}

posted_event read_event(const std::string& stream, const dom::element& entry) {
  dom::object object;
  if (entry.get_object().get(object) != simdjson::SUCCESS)
    return refused("An event is an object; " + std::string{event_shape} + ".");
  dom::element data;
  if (object.at_key("data").get(data) != simdjson::SUCCESS)
    return refused("data is missing; " + std::string{event_shape} + ".");
  publish_event out;
  out.stream = stream;
  append_json(out.data, data);
  auto type = text_member(object, "event_type");
  if (!type)
    return tl::unexpected(type.error());
  out.type = std::move(*type);
  auto topic = text_member(object, "topic");
  if (!topic)
    return tl::unexpected(topic.error());
  out.topic = std::move(*topic);
  dom::element metadata;
  if (object.at_key("metadata").get(metadata) == simdjson::SUCCESS && !metadata.is_null()) {
    if (!metadata.is_object())
      return refused("metadata must be an object.");
    append_json(out.metadata, metadata);
  }
  return out;
}

} // namespace

stream_result<posted_events> read_posted_events(const post_events& post,
                                                const limits_of<ingest_room, stream_room>& limit) {
  if (auto problem = excess_problem(post.body, limit))
    return tl::unexpected(std::move(*problem));
  json_body body{post.body, limit};
  const auto root = body.parse();
  if (!root)
    return tl::unexpected(root.error());
  posted_events out;
  dom::array list;
  if (root->get_array().get(list) != simdjson::SUCCESS) {
    out.entries.push_back(read_event(post.stream, *root));
    return out;
  }
  out.is_list = true;
  for (const auto entry : list)
    out.entries.push_back(read_event(post.stream, entry));
  if (out.entries.empty())
    return refused("The list is empty; " + std::string{event_shape} + ".");
  return out;
}

stream_result<create_stream> read_posted_stream(const std::string& body,
                                                const limits_of<ingest_room, stream_room>& limit) {
  json_body document{body, limit};
  const auto root = document.parse();
  if (!root)
    return tl::unexpected(root.error());
  dom::object object;
  if (root->get_object().get(object) != simdjson::SUCCESS)
    return refused(R"(The body must be an object such as {"name":"order-events"}.)");
  create_stream out;
  auto name = text_member(object, "name");
  if (!name)
    return tl::unexpected(name.error());
  out.name = std::move(*name);
  auto type = text_member(object, "stream_type");
  if (!type)
    return tl::unexpected(type.error());
  out.type = std::move(*type);
  out.buffer_size = default_buffer_size;
  dom::element size;
  // What is no such number becomes one that is refused.
  if (object.at_key("buffer_size").get(size) == simdjson::SUCCESS && !size.is_null() &&
      size.get_uint64().get(out.buffer_size) != simdjson::SUCCESS)
    out.buffer_size = 0;
  return out;
}

} // namespace gasoline
