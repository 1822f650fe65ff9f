#pragma once

#include "messages/alerts/shown_channel.hpp"
#include "messages/base/identity/client_id.hpp"
#include "messages/base/identity/reader_id.hpp"
#include "messages/base/time.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// What has become of the alerts for one agent conversation.
struct reader_report {
  reader_id reader = 0;
  std::string agent;              ///< its name; empty: no hook has told it
  std::string conversation;       ///< the agent's own id of it; empty: no hook has told it
  std::vector<client_id> clients; ///< its MCP clients that are connected
  std::string directory;          ///< where it works; empty: not known
  std::uint64_t raised = 0;       ///< alerts that it could be told of
  std::uint64_t sent = 0;         ///< alerts pushed to it, which says nothing of their being read
  /// Alerts by the way that showed them first; indexed by `shown_channel`.
  std::array<std::uint64_t, enum_table<shown_channel>::rows.size()> shown{};
  std::uint64_t pending = 0;          ///< kept alerts that no way has shown
  std::uint64_t elsewhere = 0;        ///< kept alerts of other projects, which are not shown to it
  std::uint64_t muted = 0;            ///< faults that it does not want to hear of
  std::string scope_problem;          ///< why its project's file is not heeded; empty: it is fine
  std::optional<mono_time> last_hook; ///< nothing: no hook of it has ever asked
};

} // namespace gasoline
