#pragma once

#include "messages/mcp/mcp.hpp"
#include "transport/http/http_router.hpp"
#include "transport/http/traffic/idle_sweep.hpp"
#include "transport/mcp/mcp_client.hpp"
#include "transport/mcp/mcp_headers.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace gasoline {

/// What the MCP endpoint has done since its start.
struct mcp_counters {
  std::uint64_t sessions_opened = 0;
  std::uint64_t sessions_evicted = 0; ///< the longest idle one, over `mcp_sessions`
  std::uint64_t sessions_refused = 0; ///< over `mcp_sessions` while all were busy
  std::uint64_t messages_refused = 0; ///< by a check here, before any session
};

/// The endpoint `/mcp` (Streamable HTTP): the revisions up to 2025-11-25 with sessions, 2026-07-28
/// without, told apart by each message, and the stateless bridge (README of
/// actors/mcp). Used
/// on the io thread only.
class mcp_endpoint : public std::enable_shared_from_this<mcp_endpoint> {
 public:
  mcp_endpoint(std::shared_ptr<mcp_service> service, tool_header_parameters parameters);

  /// The rows for POST, GET and DELETE. They keep the endpoint alive.
  std::vector<http_route> routes();

  const mcp_counters& counters() const { return counters_; }

  /// Clients that are known now, with a session or by name.
  std::size_t clients() const { return sessions_.size() + named_.size(); }

 private:
  using client_ptr = std::shared_ptr<mcp_client>;
  using client_table = std::unordered_map<std::string, client_ptr>;
  using clock = mcp_client::clock;

  void on_post(const http_call& call, const http_reply& reply);
  void on_get(const http_call& call, const http_reply& reply);
  void on_delete(const http_call& call, const http_reply& reply);

  bool refuse_method(const http_call& call, const http_reply& reply);
  void post_modern(const http_call& call, rpc_frame frame, const http_reply& reply);
  void post_legacy(const http_call& call, rpc_frame frame, const http_reply& reply);
  void post_bridge(const http_call& call, rpc_frame frame, const http_reply& reply);
  void open_session(const http_call& call, rpc_frame frame, const http_reply& reply);
  void hand_over(const client_ptr& client, const http_call& call, rpc_frame frame,
                 const http_reply& reply);

  bool refuse_batch(const http_call& call, const http_reply& reply);
  client_ptr find_session(const http_call& call, const nlohmann::json& id, const http_reply& reply);
  client_ptr named_client(const std::string& identity, const client_origin& origin,
                          const http_reply& reply);
  client_ptr start_client(client_table& table, const std::string& id, push_policy policy,
                          const client_origin& origin, const http_reply& reply);
  bool make_room();
  void end(client_table& table, client_table::iterator at);
  void on_ended(mcp_client& client);
  void refuse(const http_reply& reply, const mcp_refusal& why, const nlohmann::json& id);
  bool sweep();
  void sweep(client_table& table, std::uint64_t idle_ms);

  std::shared_ptr<mcp_service> service_;
  tool_header_parameters parameters_;
  mcp_counters counters_;
  client_table sessions_;                 // by session id
  client_table named_;                    // clients without session, by identity
  std::unordered_set<client_ptr> ending_; // until their session in the engine has ended
  std::shared_ptr<idle_sweep> sweep_;     // ours alone, so that it ends with this
};

} // namespace gasoline
