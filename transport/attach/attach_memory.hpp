#pragma once

#include "messages/mcp/rpc.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gasoline {

/// What a client behind a pump has told its engine and still waits for, so that another engine can
/// take over. Knows no sockets.
class attach_memory {
 public:
  /// A line of the client leaves for the engine.
  void sent(const rpc_frame& frame);

  /// The line that was sent last has not reached its engine and is sent again later; false: it is
  /// answered, so it has.
  bool take_back(const rpc_frame& frame);

  /// Whether that line only answers what an engine of before has asked; it is not sent then.
  bool is_stale(const rpc_frame& frame) const;

  /// A line of the engine has come; false: it answers `handshake` and is not for the client.
  bool received(const rpc_frame& frame);

  /// The engine is gone. Answers the lines that the client is told: an error for each request under
  /// way, and that what the engine has asked is no longer wanted.
  std::vector<std::string> lose_engine();

  /// What a new engine has to hear before anything else, as lines.
  std::vector<std::string> handshake();

  /// Requests of the client that are not answered.
  std::size_t under_way() const { return under_way_.size(); }

 private:
  void sent_request(const rpc_call& call);
  void sent_notification(const rpc_call& call);
  void sent_tool_call(const nlohmann::json& params);
  void answered(const nlohmann::json& id);
  std::string replayed(std::string_view method, const nlohmann::json& params);

  std::optional<nlohmann::json> initialize_; ///< its parameters
  nlohmann::json initialize_id_;             ///< null once it was answered
  bool initialized_ = false;
  std::optional<nlohmann::json> level_;
  std::optional<nlohmann::json> streaming_;
  std::map<std::string, nlohmann::json> subscriptions_; ///< by URI
  std::multiset<std::string> under_way_;                ///< ids as JSON text
  std::set<std::string> asked_;                         ///< ids of the engine's requests, likewise
  std::set<std::string> replayed_;                      ///< ids of `handshake`, likewise
  std::uint64_t replays_ = 0;
};

} // namespace gasoline
