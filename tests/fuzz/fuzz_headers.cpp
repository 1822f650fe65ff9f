// Values of headers, targets and what stands in them, a line each: origins, hosts, media types,
// codings, cookies, WebSocket keys, header parameters of MCP, paths and queries.
#include "messages/base/encoding/inflated_body.hpp"
#include "messages/base/encoding/percent_encoding.hpp"
#include "transport/http/head/url_encoding.hpp"
#include "transport/http/rights/http_origin.hpp"
#include "transport/http/rights/page_links.hpp"
#include "transport/http/route_pattern.hpp"
#include "transport/mcp/mcp_headers.hpp"
#include "transport/websocket/websocket_handshake.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

using namespace gasoline;

namespace {

constexpr std::string_view pattern = "/sessions/{session}/turns/{turn}";

/// Of a name that is no local one, in any spelling, nothing is local.
void read_origin(std::string_view text) {
  (void)is_local_authority(text);
  if (is_local_origin(text) && text.find("evil.test") != std::string_view::npos &&
      text.find("localhost") == std::string_view::npos &&
      text.find("extension") == std::string_view::npos)
    std::abort();
  if (is_local_origin(text) != is_local_origin(std::string{text}))
    std::abort();
}

void read_path(std::string_view text) {
  (void)covers(text, pattern);
  (void)query_parameter(text, "since");
  if (covers(pattern, text) && !path_parameter(pattern, text, "session") &&
      text.find('%') == std::string_view::npos)
    std::abort();
  if (percent_decoded(percent_encoded(text)) != text)
    std::abort();
}

void read_value(std::string_view text) {
  static const page_links links;
  if (links.admits(text, page_links::time_point{}))
    std::abort();
  (void)parse_content_coding(text);
  (void)bare_media_type(text);
  (void)accepts(text, "text/event-stream");
  (void)names_type(text, "application/json");
  (void)is_json_type(text);
  (void)decode_header_value(text);
  (void)websocket_accept(text);
}

http_request_view head_of(std::string_view text) {
  http_request_view head;
  head.method = "GET";
  head.target = "/sessions/x/stream";
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const auto colon = line.find(':');
    if (colon != std::string_view::npos)
      head.fields.emplace_back(line.substr(0, colon), line.substr(colon + 1));
  }
  return head;
}

} // namespace

// libFuzzer calls it by this name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  read_origin(text);
  read_path(text);
  read_value(text);
  const auto head = head_of(text);
  if (const auto refused = refuse_handshake(head); refused && refused->status < 400)
    std::abort();
  (void)check_legacy_version(head);
  (void)check_repeated(head);
  (void)check_batch(head);
  (void)client_identity(head, {});
  return 0;
}
