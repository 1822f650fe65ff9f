#include "actors/mcp/client/client_subscriptions.hpp"

#include "actors/mcp/protocol/mcp_serializer.hpp"

#include <chrono>
#include <limits>
#include <utility>

namespace gasoline {

using nlohmann::json;

std::string subscription_key() {
  return std::string{mcp_meta_prefix} + "subscriptionId";
}

/// Asks the part of the engine behind a resource to tell of its next change.
void client_subscriptions::watch_part(watched_part part) {
  if (!watching_.insert(part).second)
    return;
  const change_sink me{client_actor{self_}};
  if (part == watched_part::ci)
    caf::anon_send(env_.engine.ci, watch_atom_v, me, part);
  else
    caf::anon_send(env_.engine.store, watch_atom_v, me, part);
}

/// Has the client told once when the stream behind a resource changes from now on; nothing when no
/// stream is behind it. Whoever is told reads after this, so nothing is lost in between.
void client_subscriptions::watch_stream_behind(const std::string& uri) {
  constexpr auto whatever_was = std::numeric_limits<std::uint64_t>::max();
  if (uri.starts_with(stream_resource_prefix))
    caf::anon_send(env_.engine.streams, watch_atom_v, stream_notice_sink{client_actor{self_}},
                   uri.substr(stream_resource_prefix.size()), whatever_was);
}

/// Watches what is behind a resource. What changed before is seen by whoever reads it now.
void client_subscriptions::watch(const std::string& uri) {
  if (const auto part = part_behind(uri))
    watch_part(*part);
  watch_stream_behind(uri);
}

void client_subscriptions::watch(const listen_filter& filter) {
  for (const auto& uri : filter.uris)
    watch(uri);
}

void client_subscriptions::tell_listens(const std::vector<std::uint64_t>& listens,
                                        std::string_view method, const json& params) const {
  for (const auto listen : listens) {
    const auto& request = listens_.at(listen).request;
    auto own = params;
    own["_meta"][subscription_key()] = request->id;
    outbox_.send_related(request->exchange->id, notification_message(method, std::move(own)));
  }
}

/// After that the part of the engine is watched again: at most once in the window of a resource.
void client_subscriptions::tell_updated(const std::string& uri) {
  constexpr std::string_view method = "notifications/resources/updated";
  if (wanted_.is_subscribed(uri))
    outbox_.send_unsolicited(notification_message(method, {{"uri", uri}}));
  tell_listens(wanted_.listens_for(uri), method, {{"uri", uri}});
  watch(uri);
}

void client_subscriptions::carry_out(const resource_subscriptions::decision& next) {
  for (const auto& uri : next.tell)
    tell_updated(uri);
  if (!next.wake_at || update_timer_ != 0)
    return;
  const auto delay =
      std::chrono::ceil<std::chrono::milliseconds>(*next.wake_at - self_->clock().now());
  update_timer_ = timers_.start(delay, [this] {
    update_timer_ = 0;
    carry_out(wanted_.due(self_->clock().now()));
  });
}

bool client_subscriptions::subscribe(const std::string& uri) {
  if (!wanted_.subscribe(uri))
    return false;
  watch(uri);
  return true;
}

std::optional<std::uint64_t> client_subscriptions::listen(const listen_filter& filter,
                                                          open_request_ptr request,
                                                          std::function<void()> end) {
  const auto number = wanted_.listen(filter);
  if (number)
    listens_.emplace(*number, open_listen{std::move(request), std::move(end)});
  return number;
}

void client_subscriptions::forget_listen(std::uint64_t listen) {
  wanted_.end_listen(listen);
  listens_.erase(listen);
}

void client_subscriptions::begin_anew() {
  close();
  wanted_ = resource_subscriptions{env_.limit};
  wanted_.set_congested(congested_, self_->clock().now());
  timers_.stop(std::exchange(update_timer_, 0));
}

void client_subscriptions::close() {
  const auto listens = std::exchange(listens_, {});
  for (const auto& [number, listen] : listens) {
    wanted_.end_listen(number);
    listen.end();
  }
}

void client_subscriptions::changed(const std::string& uri) {
  carry_out(wanted_.changed(uri, self_->clock().now()));
}

void client_subscriptions::part_changed(watched_part part) {
  watching_.erase(part);
  changed(std::string{resource_behind(part)});
}

void client_subscriptions::hold(bool congested) {
  congested_ = congested;
  carry_out(wanted_.set_congested(congested, self_->clock().now()));
  if (!congested)
    for (const auto kind : std::exchange(lists_held_, {}))
      list_changed(kind);
}

void client_subscriptions::list_changed(listed_kind kind) {
  if (congested_) {
    lists_held_.insert(kind); // told once, when the client takes messages again
    return;
  }
  const auto method = "notifications/" + std::string{name_of(kind)} + "/list_changed";
  if (agreement_.revision())
    outbox_.send_unsolicited(notification_message(method, json::object()));
  tell_listens(wanted_.listens_for(kind), method, json::object());
}

} // namespace gasoline
