#pragma once

#include "config/limits.hpp"
#include "messages/mcp/rpc.hpp"
#include "transport/sse/event_store.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace gasoline {

/// Unsolicited messages to one MCP session while it has no stream for them. Bounded by
/// `mcp_waiting_messages` and `mcp_event_bytes`, and by `mcp_event_total_bytes` together with the
/// events that all sessions may come back for: those go first, since their clients have had them.
class waiting_messages {
 public:
  waiting_messages(std::shared_ptr<event_totals> totals, const limits_of<mcp_room>& limit);
  waiting_messages(const waiting_messages&) = delete;
  waiting_messages& operator=(const waiting_messages&) = delete;
  ~waiting_messages();

  /// Adds one; answers how many had to go for it, the oldest first.
  std::uint64_t add(rpc_text text);

  /// All of them; none is left.
  std::vector<rpc_text> take();

  /// How many have gone since this was last asked.
  std::uint64_t take_lost();

 private:
  void drop_oldest();

  const std::shared_ptr<event_totals> totals_;
  limits_of<mcp_room> limit_;
  std::deque<rpc_text> messages_;
  std::uint64_t bytes_ = 0;
  std::uint64_t lost_ = 0;
};

} // namespace gasoline
