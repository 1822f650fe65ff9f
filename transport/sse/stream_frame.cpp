#include "transport/sse/stream_frame.hpp"

#include <algorithm>
#include <charconv>

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

} // namespace

void append_stream_frame(std::string& out, const stream_event& e, stream_format format) {
  out.reserve(out.size() + e.data.size() + e.type.size() + 64);
  append_line(out, "id", std::to_string(e.id));
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

std::string stream_prologue(std::uint64_t retry_ms, std::uint64_t newest_id) {
  return "retry: " + std::to_string(retry_ms) + "\nid: " + std::to_string(newest_id) + "\n\n";
}

std::optional<std::uint64_t> parse_event_id(std::string_view text) {
  std::uint64_t id = 0;
  const auto* end = text.data() + text.size();
  const auto [at, ec] = std::from_chars(text.data(), end, id);
  if (ec != std::errc{} || at != end || text.empty())
    return std::nullopt;
  return id;
}

} // namespace gasoline
