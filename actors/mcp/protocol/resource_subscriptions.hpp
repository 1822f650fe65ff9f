#pragma once

#include "config/limits.hpp"
#include "messages/base/time.hpp"
#include "messages/mcp/mcp.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gasoline {

/// What one `subscriptions/listen` asks for, or what of it is honoured.
struct listen_filter {
  std::set<listed_kind> lists;
  std::set<std::string> uris;

  bool empty() const { return lists.empty() && uris.empty(); }
};

/// What one client wants to be told of, and when it is: `resources/subscribe` of the legacy era and
/// the listens of the modern one. A resource is told of at
/// most once in `resource_update_ms`, the first change at once. Knows no clock; `now` must not go
/// backwards.
class resource_subscriptions {
 public:
  explicit resource_subscriptions(const limits_of<client_room>& limit) : limit_(limit) {}

  /// False when `client_subscriptions` are there already.
  bool subscribe(std::string uri);
  void unsubscribe(const std::string& uri);

  /// Adds a listen and answers its number; nothing when `client_listens` are there already.
  std::optional<std::uint64_t> listen(listen_filter filter);
  void end_listen(std::uint64_t listen);

  /// Whether anyone wants to know of that resource.
  bool wants(const std::string& uri) const;

  bool is_subscribed(const std::string& uri) const { return subscribed_.count(uri) > 0; }

  /// The listens that asked for the resource or list.
  std::vector<std::uint64_t> listens_for(const std::string& uri) const;
  std::vector<std::uint64_t> listens_for(listed_kind kind) const;

  /// What the caller has to do now.
  struct decision {
    std::vector<std::string> tell;    ///< resources to tell of
    std::optional<mono_time> wake_at; ///< when `due` has to be called
  };

  /// A resource changed.
  decision changed(const std::string& uri, mono_time now);

  /// The time of an earlier `wake_at` has come.
  decision due(mono_time now);

  /// The client takes nothing at the moment, or takes messages again. Until it does, what changes
  /// is remembered, once a resource, and told afterwards.
  decision set_congested(bool congested, mono_time now);

 private:
  struct told_state {
    mono_time last{};
    bool waiting = false; ///< changed since
  };

  decision next(std::vector<std::string> tell) const;
  std::chrono::milliseconds window() const {
    return std::chrono::milliseconds{limit_.client.resource_update_ms};
  }

  limits_of<client_room> limit_;
  std::set<std::string> subscribed_;
  std::map<std::uint64_t, listen_filter> listens_;
  std::uint64_t last_listen_ = 0;
  bool congested_ = false;
  std::map<std::string, told_state> told_;
};

/// The part of the engine to watch for changes of a resource; nothing when it is told of otherwise
/// or never changes.
std::optional<watched_part> part_behind(std::string_view uri);

/// The resource that changes with a part.
std::string_view resource_behind(watched_part part);

/// The resource that changes with every alert.
inline constexpr std::string_view alerts_resource = "gasoline://alerts";

/// The URI of a stream's resource is this and its name.
inline constexpr std::string_view stream_resource_prefix = "gasoline://streams/";

} // namespace gasoline
