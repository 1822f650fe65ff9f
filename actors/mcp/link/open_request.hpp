#pragma once

#include "actors/mcp/protocol/request_claims.hpp"
#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gasoline {

/// One frame under way. When its last request is settled, its exchange ends.
struct open_exchange {
  exchange_id id = 0;
  bool batch = false;               ///< answers leave together as an array
  std::size_t open = 0;             ///< requests that are not settled
  std::vector<std::string> replies; ///< of a batch
};

/// One request under way, until it is answered or cancelled.
struct open_request {
  nlohmann::json id;
  std::string method;
  std::string ordered_arguments; ///< see `rpc_call`
  mcp_revision revision = newest_legacy_revision;
  request_claims claims;
  std::shared_ptr<open_exchange> exchange;

  // Multi-round-trip requests (2026-07-28).
  std::string fingerprint;        ///< what a `requestState` is bound to
  nlohmann::json input_responses; ///< object, or null on a first request
  nlohmann::json input_state;     ///< null: none came back

  bool open = true;
  double progress = std::numeric_limits<double>::lowest(); ///< the last one told
  std::vector<std::function<void()>> on_cancelled;
};

using open_request_ptr = std::shared_ptr<open_request>;

} // namespace gasoline
