#pragma once

#include "messages/mcp/rpc.hpp"
#include "transport/attach/attach_request.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What a client behind a pump has agreed with its engine and what it still waits for, so that
/// another engine can take over. What becomes of each request is the table `request_transitions`;
/// an agreement is what the newest accepted request about it said, and an accepted `initialize`
/// ends all earlier ones. Knows no sockets.
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

  /// Requests of the client that are not answered, and not withdrawn.
  std::size_t under_way() const;

 private:
  /// In the order of sending, which is the order in which an engine acts on them.
  using request_number = std::uint64_t;

  struct request {
    nlohmann::json id;
    request_phase phase = request_phase::asked;
    std::optional<agreed_change> change;
    bool initialized = false; ///< of `initialize`: its notification has followed
  };

  using requests = std::map<request_number, request>;

  struct agreed_call {
    request_number number = 0; ///< of the request that was accepted
    nlohmann::json params;     ///< that repeat it
  };

  void sent_request(const rpc_call& call);
  void sent_notification(const rpc_call& call);
  void answered(const rpc_reply& reply);
  void happened(requests::iterator at, request_event event);
  void agree(request_number number, const request& accepted);
  requests::iterator find(const nlohmann::json& id);
  void forget_withdrawn(const nlohmann::json& id);
  bool* initialized_flag();
  std::string replayed(std::string_view method, const nlohmann::json& params);

  requests under_way_;
  request_number last_number_ = 0;
  request_number before_last_line_ = 0; ///< the number before those of the line sent last
  std::map<agreement, agreed_call> agreed_;
  bool initialized_ = false;       ///< the agreed handshake was finished by the client
  std::set<std::string> asked_;    ///< ids of the engine's requests as JSON text
  std::set<std::string> replayed_; ///< ids of `handshake`, likewise
  std::vector<std::string> told_;  ///< lines for the client that `happened` has made
  std::uint64_t replays_ = 0;
};

} // namespace gasoline
