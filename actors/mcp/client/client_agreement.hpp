#pragma once

#include "actors/mcp/protocol/connection_era.hpp"
#include "actors/mcp/protocol/request_claims.hpp"
#include "messages/mcp/mcp.hpp"
#include "messages/mcp/rpc.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace gasoline {

/// What one client has told of itself, and what was agreed with it: era, revision, capabilities,
/// log level, name.
class client_agreement {
 public:
  /// Agrees on a revision without a handshake.
  void assume(mcp_revision revision) { revision_ = revision; }

  /// Legacy `initialize`: what the client told before no longer counts.
  void begin_anew();
  void agree(mcp_revision revision, const nlohmann::json& params);

  /// A request of the modern era that came with these claims.
  void note(const request_claims& claims);

  /// The era of a request. A frame with an exchange came with headers, which say its era; on a
  /// connection without them the first request decides.
  mcp_era classify(const rpc_call& call, exchange_id exchange);

  /// Agreed by `initialize`; empty before it, and for clients of the modern era.
  std::optional<mcp_revision> revision() const { return revision_; }

  /// The revision that `health` shows.
  std::optional<mcp_revision> shown_revision() const;

  /// Of the client, as `initialize` gave them.
  const nlohmann::json& capabilities() const { return capabilities_; }

  /// Set by `logging/setLevel`.
  std::optional<log_severity> level() const { return level_; }
  void set_level(log_severity level) { level_ = level; }

  /// What the client calls itself: text of others, to be shown redacted only.
  const std::string& given_name() const { return given_name_; }

 private:
  void take_name(const nlohmann::json& client_info);

  connection_era era_;
  std::optional<mcp_revision> revision_;
  bool modern_seen_ = false; ///< has served a request of the modern era
  nlohmann::json capabilities_;
  std::optional<log_severity> level_;
  std::string given_name_{"unknown"};
};

} // namespace gasoline
