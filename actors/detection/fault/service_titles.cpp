#include "actors/detection/fault/service_titles.hpp"

#include "actors/base/redacted_part.hpp"
#include "actors/detection/fault/stack_frames.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gasoline {
namespace {

constexpr std::size_t most_name_bytes = 64;

redacted_text service_name(const event& e) {
  return e.service.empty() ? redacted_text{literal{"a service"}}
                           : e.service.shortened(most_name_bytes);
}

bool is_library_file(std::string_view file) {
  constexpr std::array<std::string_view, 7> parts{
      "node_modules/", "node:", "site-packages/", "/lib/python", "/usr/lib", "/gems/", "/vendor/"};
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return file.find(part) != std::string_view::npos;
  });
}

// Where the program's own code was left says more than where a library gave up.
std::string_view own_location(std::string_view stack) {
  const auto first = first_location(stack);
  while (!stack.empty()) {
    const auto end = std::min(stack.find('\n'), stack.size());
    const auto place = frame_location(stack.substr(0, end));
    if (!place.empty() && !is_library_file(place))
      return place;
    stack.remove_prefix(std::min(end + 1, stack.size()));
  }
  return first;
}

// `, at orders.py:88`
redacted_text place_words(const event& e) {
  const auto place = own_location(e.stack.view());
  return place.empty()
             ? redacted_text{}
             : redacted(literal{", at "}, part_of(e.stack, place.substr(place.rfind('/') + 1)));
}

redacted_text message_line(const event& e) {
  const auto message = e.message.view();
  return part_of(e.message, message.substr(0, message.find('\n')));
}

// The end of a title says where, so what stands before it is cut.
redacted_text ended(const redacted_text& title, const redacted_text& end,
                    const limits_of<alert_room>& limit) {
  const std::size_t most = limit.alert.title_bytes;
  const auto room = most - std::min(most, end.size());
  return redacted(title.shortened(room), end).shortened(most);
}

} // namespace

bool is_of_service(const event& e) {
  return e.origin == event_origin::otlp;
}

redacted_text service_error_title(const event& e, const limits_of<alert_room>& limit) {
  auto title = redacted(service_name(e), literal{": "});
  if (e.message.empty())
    title += "error without a message";
  else
    title += message_line(e);
  return ended(title, place_words(e), limit);
}

redacted_text service_request_title(const event& e, const redacted_text& words,
                                    const limits_of<alert_room>& limit) {
  const auto title = redacted(e.status, literal{" from "}, service_name(e), literal{": "});
  if (e.message.empty())
    return redacted(title, words).shortened(limit.alert.title_bytes);
  return ended(redacted(title, message_line(e)),
               redacted(place_words(e), literal{" ("}, words, literal{")"}), limit);
}

redacted_text service_key(const event& e, const redacted_text& key,
                          const limits_of<alert_room>& limit) {
  if (!is_of_service(e))
    return key;
  return redacted(service_name(e), literal{" "}, key).shortened(limit.alert.key_bytes);
}

} // namespace gasoline
