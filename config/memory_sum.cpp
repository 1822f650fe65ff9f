#include "config/memory_sum.hpp"

namespace gasoline {
namespace {

std::string mib(std::uint64_t bytes) {
  return std::to_string((bytes + (1ULL << 19)) >> 20U);
}

} // namespace

const std::vector<memory_row>& memory_table() {
  static const std::vector<memory_row> table{
      {"events of telemetry", "`memory_critical_bytes`",
       [](const limits& l) { return l.memory.critical_bytes; }},
      {"bodies that arrive or are not answered yet", "`http_inflight_bytes`",
       [](const limits& l) { return l.http.inflight_bytes; }},
      {"the one body that is being unpacked and read", "2 × `http_inflated_bytes`",
       [](const limits& l) { return 2 * l.http.inflated_bytes; }},
      {"answers and streams that clients have not taken", "`http_inflight_bytes`",
       [](const limits& l) { return l.http.inflight_bytes; }},
      {"heads of requests, as they came and as they are read",
       "3 × `http_connections` × `http_header_bytes`",
       [](const limits& l) { return 3 * l.http.connections * l.http.header_bytes; }},
      {"lines of attached clients and to them",
       "`attach_clients` × (`client_line_bytes` + `attach_queue_bytes`)",
       [](const limits& l) {
         return l.attach.clients * (l.client.line_bytes + l.attach.queue_bytes);
       }},
      {"events of MCP sessions that come back, and messages that wait for a stream",
       "`mcp_event_total_bytes`", [](const limits& l) { return l.mcp.event_total_bytes; }},
      {"events of named streams", "`named_stream_total_bytes`",
       [](const limits& l) { return l.stream.total_bytes; }},
      {"events on their way to NATS", "`nats_unacknowledged_bytes`",
       [](const limits& l) { return l.nats.unacknowledged_bytes; }},
      {"texts that agent sessions are made with", "`session_text_bytes`",
       [](const limits& l) { return l.session.text_bytes; }},
      {"answers in agent sessions that are being written, and what is shown of them",
       "`session_answers_bytes`", [](const limits& l) { return l.session.answers_bytes; }},
      {"turns of agent sessions that wait, and conversations, which are kept and sent",
       "2 × `session_turns_bytes`", [](const limits& l) { return 2 * l.session.turns_bytes; }},
      {"a message of the browser, and what waits for it",
       "`browser_message_bytes` + `browser_unsent_bytes`",
       [](const limits& l) { return l.browser.message_bytes + l.browser.unsent_bytes; }},
  };
  return table;
}

std::uint64_t memory_sum(const limits& of) {
  std::uint64_t sum = 0;
  for (const auto& row : memory_table())
    sum += row.bytes(of);
  return sum;
}

std::string memory_table_text() {
  std::string out = "| what | at most | MiB |\n|---|---|---|\n";
  for (const auto& row : memory_table()) {
    out += "| " + std::string{row.what} + " | " + std::string{row.formula} + " | ";
    out += mib(row.bytes({})) + " |\n";
  }
  return out + "| all at once | | " + mib(memory_sum({})) + " |\n";
}

} // namespace gasoline
