#pragma once

#include "actors/mcp/client/client_agreement.hpp"
#include "actors/mcp/client/client_environment.hpp"
#include "actors/mcp/link/client_timers.hpp"
#include "actors/mcp/link/message_outbox.hpp"
#include "actors/mcp/link/open_request.hpp"
#include "actors/mcp/protocol/resource_subscriptions.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gasoline {

/// What one client is told of without asking again: the resources it has subscribed to, its open
/// listens, and the parts of the engine that are watched for them.
class client_subscriptions {
 public:
  client_subscriptions(client_actor::pointer self, const client_environment& env,
                       client_timers& timers, const message_outbox& outbox,
                       const client_agreement& agreement)
      : self_(self),
        env_(env),
        timers_(timers),
        outbox_(outbox),
        agreement_(agreement),
        wanted_(env.limit) {}

  /// Legacy: false when `client_subscriptions` are there already.
  bool subscribe(const std::string& uri);
  void unsubscribe(const std::string& uri) { wanted_.unsubscribe(uri); }

  /// Modern: adds a listen of that request, which `end` answers, and answers its number; nothing
  /// when `client_listens` are there already.
  std::optional<std::uint64_t> listen(const listen_filter& filter, open_request_ptr request,
                                      std::function<void()> end);

  /// Watches what is behind the resources of a listen, once it has been acknowledged.
  void watch(const listen_filter& filter);

  /// The listen is over, without an answer.
  void forget_listen(std::uint64_t listen);

  /// The client begins anew: it is told of no resource any more.
  void begin_anew();

  /// The client has left: every listen is answered.
  void close();

  /// A resource has changed.
  void changed(const std::string& uri);

  /// The watched part has changed and will not tell again unless it is asked to.
  void part_changed(watched_part part);

  /// A list has changed.
  void list_changed(listed_kind kind);

  /// The client's writer is, or is no longer, above its cap: what changes meanwhile is told once.
  void hold(bool congested);

 private:
  struct open_listen {
    open_request_ptr request;
    std::function<void()> end;
  };

  void watch(const std::string& uri);
  void watch_part(watched_part part);
  void watch_stream_behind(const std::string& uri);
  void tell_updated(const std::string& uri);
  void tell_listens(const std::vector<std::uint64_t>& listens, std::string_view method,
                    const nlohmann::json& params) const;
  void carry_out(const resource_subscriptions::decision& next);

  client_actor::pointer self_;
  const client_environment& env_;
  client_timers& timers_;
  const message_outbox& outbox_;
  const client_agreement& agreement_;
  resource_subscriptions wanted_;
  std::set<watched_part> watching_;              ///< parts that will tell of their next change
  std::uint64_t update_timer_ = 0;               ///< tells of coalesced changes; 0: none runs
  std::map<std::uint64_t, open_listen> listens_; ///< by their number in `wanted_`
  bool congested_ = false;                       ///< the writer holds more than its cap
  std::set<listed_kind> lists_held_;             ///< lists that have changed meanwhile
};

/// The key in `_meta` under which a notification names the listen that it belongs to.
std::string subscription_key();

} // namespace gasoline
