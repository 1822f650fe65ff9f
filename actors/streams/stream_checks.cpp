#include "actors/streams/stream_checks.hpp"

#include "actors/streams/topics/topic_filter.hpp"
#include "messages/base/utf8.hpp"

#include <algorithm>

namespace gasoline {
namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t longest_type = 128;
constexpr std::size_t quoted_bytes = 60;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-';
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

stream_refusal invalid(std::string sentence) {
  return {stream_outcome::invalid, std::move(sentence)};
}

} // namespace

std::string quoted_text(std::string_view text) {
  std::string out{utf8_beginning(text, quoted_bytes)};
  std::replace_if(out.begin(), out.end(), is_control, '?');
  return "'" + out + (out.size() < text.size() ? "…'" : "'");
}

std::optional<stream_refusal> stream_name_problem(std::string_view name) {
  if (name.empty())
    return invalid("name is missing: 1 to 64 letters, digits, '_' and '-', such as order-events.");
  if (name.front() == '$')
    return invalid("name " + quoted_text(name) +
                   " is not valid: names that start with $ belong to the engine. Use letters, "
                   "digits, '_' and '-', such as order-events.");
  if (name.size() > longest_name || !std::all_of(name.begin(), name.end(), is_name_character))
    return invalid("name " + quoted_text(name) +
                   " is not valid; use 1 to 64 letters, digits, '_' and '-', such as "
                   "order-events.");
  return std::nullopt;
}

std::optional<stream_refusal> event_problem(const publish_event& e,
                                            const limits_of<stream_room>& limit) {
  if (e.type.size() > longest_type || std::any_of(e.type.begin(), e.type.end(), is_control))
    return invalid("event_type may have 1 to " + std::to_string(longest_type) +
                   " bytes, without line breaks and control characters; use a word such as "
                   "message or error.");
  if (!e.topic.empty())
    if (auto problem = topic_problem(e.topic, limit))
      return invalid(std::move(problem->message));
  const auto bytes = e.data.size() + e.metadata.size();
  if (bytes > limit.stream.event_bytes)
    return stream_refusal{stream_outcome::too_large,
                          "The event has " + std::to_string(bytes) + " bytes of data; at most " +
                              std::to_string(limit.stream.event_bytes) +
                              " are taken. Publish less, such as a reference to the data, or raise "
                              "limits.named_stream_event_bytes."};
  return std::nullopt;
}

} // namespace gasoline
