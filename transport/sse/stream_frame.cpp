#include "transport/sse/stream_frame.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>

namespace gasoline {
namespace {

void append_line(std::string& out, std::string_view field, std::string_view value) {
  out.append(field).append(": ");
  const auto start = out.size();
  out += value;
  std::replace_if(
      out.begin() + static_cast<std::ptrdiff_t>(start), out.end(),
      [](char c) { return c == '\r' || c == '\n' || c == '\0'; }, ' ');
  out += '\n';
}

/// CR, LF and CR LF all end a line there (HTML standard, section 9.2.6).
void append_data(std::string& out, std::string_view data) {
  for (;;) {
    const auto end = data.find_first_of("\r\n");
    out.append("data: ").append(data.substr(0, end)) += '\n';
    if (end == std::string_view::npos)
      return;
    data.remove_prefix(end + (data.substr(end, 2) == "\r\n" ? 2 : 1));
  }
}

constexpr std::size_t life_digits = 8;

std::string event_id_text(stream_life life, std::uint64_t id) {
  std::array<char, life_digits> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), life, 16).ptr;
  const auto used = static_cast<std::size_t>(end - digits.data());
  std::string out(life_digits - used, '0');
  return out.append(digits.data(), used).append(1, '-').append(std::to_string(id));
}

/// All of the text as a number; false when it is none or out of range.
template <class Number>
bool read_number(std::string_view text, Number& out, int base) {
  const auto* end = text.data() + text.size();
  const auto [at, ec] = std::from_chars(text.data(), end, out, base);
  return ec == std::errc{} && at == end && !text.empty();
}

} // namespace

void append_stream_frame(std::string& out, const stream_event& e, stream_format format) {
  out.reserve(out.size() + e.data.size() + e.type.size() + 64);
  append_line(out, "id", event_id_text(e.life, e.id));
  append_line(out, "event", e.type.view());
  if (format == stream_format::data) {
    append_data(out, e.data.view());
  } else {
    std::string whole;
    append_stream_event(whole, e);
    append_data(out, whole);
  }
  out += '\n';
}

std::string stream_prologue(std::uint64_t retry_ms, stream_life life, std::uint64_t id) {
  return "retry: " + std::to_string(retry_ms) + "\nid: " + event_id_text(life, id) + "\n\n";
}

std::string place_mark(place_of_reader place, std::uint64_t id) {
  switch (place) {
  case place_of_reader::known:
    return {};
  case place_of_reader::unsaid:
    return ": " + std::to_string(id) +
           " does not say which life of the stream it is of; what follows it in this one is sent, "
           "and nobody knows whether events of an earlier one are no longer buffered\n\n";
  case place_of_reader::of_other_life:
    return ": the stream was made anew since that id; events before that are no longer buffered, "
           "and all that is buffered follows\n\n";
  }
  return {};
}

std::string missed_mark(std::uint64_t events) {
  return ": " + std::to_string(events) + " events are no longer buffered\n\n";
}

std::optional<stream_place> parse_event_id(std::string_view text) {
  stream_place out;
  const auto dash = text.find('-');
  if (dash != std::string_view::npos) {
    stream_life life = 0;
    if (dash != life_digits || !read_number(text.substr(0, dash), life, 16))
      return std::nullopt;
    out.life = life;
    text.remove_prefix(dash + 1);
  }
  if (!read_number(text, out.id, 10))
    return std::nullopt;
  return out;
}

} // namespace gasoline
