#pragma once

#include "actors/mcp/client/client_agreement.hpp"
#include "actors/mcp/link/client_asks.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace gasoline {

/// The directories in which a client says that it works: its `roots` (legacy era). It is asked for
/// them once at a time, however often it says that they have changed.
class client_roots {
 public:
  /// Gets the directories each time they are other ones.
  using listener = std::function<void(const std::vector<std::string>& directories)>;

  client_roots(client_asks& asks, const client_agreement& agreement, listener told)
      : asks_(asks), agreement_(agreement), told_(std::move(told)) {}

  /// The client is ready, or its roots have changed. Nothing where it has none to offer.
  void look();

  /// What the client said before no longer counts.
  void begin_anew();

 private:
  void take(const nlohmann::json& reply);
  void know(std::vector<std::string> directories);

  client_asks& asks_;
  const client_agreement& agreement_;
  listener told_;
  std::vector<std::string> known_;
  std::uint64_t life_ = 0; ///< an answer to a question of an earlier one says nothing
  bool asking_ = false;
  bool changed_ = false; ///< again, since it was asked
};

} // namespace gasoline
