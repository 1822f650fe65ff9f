#include "actors/ingest/formats/sentry/sentry_envelope.hpp"

#include "actors/ingest/formats/sentry/sentry_values.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace gasoline {
namespace {

namespace dom = simdjson::dom;

tl::unexpected<user_error> broken_envelope(std::string sentence) {
  return tl::unexpected(user_error{std::move(sentence)});
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

} // namespace

std::string_view sentry_envelope::take_line() {
  const auto end = std::min(rest_.find('\n'), rest_.size());
  const auto line = rest_.substr(0, end);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return line;
}

result_or<sentry_envelope_head> sentry_envelope::head() {
  std::string line{take_line()};
  const auto root = json_.parse(line);
  if (!root || !root->is_object())
    return broken_envelope(
        "The first line of a Sentry envelope must be a JSON object, such as {}.");
  sentry_envelope_head out;
  out.event_id = event_id_in(*root);
  if (const auto sdk = member_in(*root, "sdk"))
    out.sdk = sdk_words(*sdk);
  return out;
}

result_or<std::string_view> sentry_envelope::take_bytes(std::uint64_t length) {
  if (length > rest_.size())
    return broken_envelope("An item says that it has " + std::to_string(length) + " bytes, and " +
                           std::to_string(rest_.size()) +
                           " are left; send the whole envelope again.");
  const auto payload = rest_.substr(0, length);
  rest_.remove_prefix(length);
  if (!rest_.empty() && rest_.front() != '\n')
    return broken_envelope("An item is longer than the length that it says; send the whole "
                           "envelope again.");
  rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
  return payload;
}

result_or<std::optional<sentry_item>> sentry_envelope::next() {
  std::string_view found;
  while (is_blank(found) && !rest_.empty())
    found = take_line();
  if (is_blank(found))
    return std::optional<sentry_item>{};
  std::string line{found};
  const auto root = json_.parse(line);
  if (!root || !root->is_object())
    return broken_envelope(
        "The line before an item's payload must be a JSON object with its type.");
  sentry_item out;
  out.type = text_in(*root, "type");
  const auto told = member_in(*root, "length");
  std::uint64_t length = 0;
  if (!told || told->is_null()) {
    out.payload = take_line();
    return std::optional{std::move(out)};
  }
  if (told->get_uint64().get(length) != simdjson::SUCCESS)
    return broken_envelope("The length of an item must be a number of bytes.");
  auto payload = take_bytes(length);
  if (!payload)
    return tl::unexpected(std::move(payload.error()));
  out.payload = *payload;
  return std::optional{std::move(out)};
}

} // namespace gasoline
