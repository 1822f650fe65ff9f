#include "actors/mcp/client/client_subscriptions.hpp"

#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_timers.hpp"
#include "actors/mcp/client/stream_delivery.hpp"
#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/protocol/mcp_serializer.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

std::string subscription_key() {
  return std::string{mcp_meta_prefix} + "subscriptionId";
}

bool exists(client_pointer self, const std::string& uri) {
  const auto& registry = *self->state.env.registry;
  return registry.find_resource(uri) || registry.find_template(uri);
}

/// Asks the part of the engine behind a resource to tell of its next change.
void watch_part(client_pointer self, watched_part part) {
  auto& state = self->state;
  if (!state.watching.insert(part).second)
    return;
  const auto me = caf::actor_cast<caf::actor>(self);
  if (part == watched_part::ci)
    caf::anon_send(state.env.ci, watch_atom_v, me, part);
  else
    caf::anon_send(state.env.store, watch_atom_v, me, part);
}

/// Watches what is behind a resource. What changed before is seen by whoever reads it now.
void watch(client_pointer self, const std::string& uri) {
  if (const auto part = part_behind(uri))
    watch_part(self, *part);
  watch_stream_behind(self, uri);
}

void tell_listens(client_pointer self, const std::vector<std::uint64_t>& listens,
                  std::string_view method, const json& params) {
  for (const auto listen : listens) {
    const auto& request = self->state.listens.at(listen);
    auto own = params;
    own["_meta"][subscription_key()] = request->id;
    send_related(self, request->exchange->id, notification_message(method, std::move(own)));
  }
}

/// After that the part of the engine is watched again: at most once in the window of a resource.
void tell_updated(client_pointer self, const std::string& uri) {
  constexpr std::string_view method = "notifications/resources/updated";
  auto& subscriptions = *self->state.subscriptions;
  if (subscriptions.is_subscribed(uri))
    send_unsolicited(self, notification_message(method, {{"uri", uri}}));
  tell_listens(self, subscriptions.listens_for(uri), method, {{"uri", uri}});
  watch(self, uri);
}

void carry_out(client_pointer self, const resource_subscriptions::decision& next) {
  for (const auto& uri : next.tell)
    tell_updated(self, uri);
  auto& state = self->state;
  if (!next.wake_at || state.update_timer != 0)
    return;
  const auto delay =
      std::chrono::ceil<std::chrono::milliseconds>(*next.wake_at - self->clock().now());
  state.update_timer = start_timer(self, delay, [self] {
    self->state.update_timer = 0;
    carry_out(self, self->state.subscriptions->due(self->clock().now()));
  });
}

/// What a listen asks for; the problem when it is malformed.
tl::expected<listen_filter, std::string> read_filter(const json& params) {
  const auto found = params.is_object() ? params.find("notifications") : params.end();
  if (!params.is_object() || found == params.end() || !found->is_object())
    return tl::unexpected(
        std::string{"notifications is missing: an object that says what to tell, "
                    "such as {\"resourceSubscriptions\":[\"gasoline://alerts\"]}."});
  listen_filter filter;
  for (const auto& [kind, name] : enum_table<listed_kind>::rows) {
    const auto key = std::string{name} + "ListChanged";
    const auto wanted = found->value(key, json());
    if (!wanted.is_null() && !wanted.is_boolean())
      return tl::unexpected(key + " must be true or false.");
    if (wanted == true)
      filter.lists.insert(kind);
  }
  const auto uris = found->value("resourceSubscriptions", json::array());
  if (!uris.is_array())
    return tl::unexpected(std::string{"resourceSubscriptions must be a list of URIs."});
  for (const auto& uri : uris) {
    if (!uri.is_string())
      return tl::unexpected(std::string{"resourceSubscriptions must be a list of URIs."});
    filter.uris.insert(uri.get<std::string>());
  }
  return filter;
}

/// The part of a filter that this engine can tell of.
listen_filter honoured(client_pointer self, listen_filter filter) {
  if (!self->state.env.registry->lists_change)
    filter.lists.clear();
  std::erase_if(filter.uris, [&](const std::string& uri) { return !exists(self, uri); });
  return filter;
}

json filter_json(const listen_filter& filter) {
  json out = json::object();
  for (const auto kind : filter.lists)
    out[std::string{name_of(kind)} + "ListChanged"] = true;
  if (!filter.uris.empty())
    out["resourceSubscriptions"] = filter.uris;
  return out;
}

void acknowledge(const request_context& context, const listen_filter& filter) {
  const auto& request = *context.request();
  send_related(context.session(), request.exchange->id,
               notification_message("notifications/subscriptions/acknowledged",
                                    {{"_meta", {{subscription_key(), request.id}}},
                                     {"notifications", filter_json(filter)}}));
}

void end_listen(const request_context& context) {
  context.answer({{"_meta", {{subscription_key(), context.request()->id}}}});
}

/// The URI of a legacy (un)subscribe; nothing when the request has been refused.
std::optional<std::string> subscribed_uri(const request_context& context, const json& params) {
  auto uri = text_parameter(params, "uri");
  if (!uri) {
    context.fail(rpc_code::invalid_params, "uri is missing, such as gasoline://alerts.");
    return std::nullopt;
  }
  if (exists(context.session(), *uri))
    return uri;
  context.fail(rpc_code::resource_not_found,
               "Resource not found; resources/list names those that exist.", {{"uri", *uri}});
  return std::nullopt;
}

} // namespace

void resources_subscribe(const request_context& context, const json& params) {
  const auto uri = subscribed_uri(context, params);
  if (!uri)
    return;
  auto* self = context.session();
  if (!self->state.subscriptions->subscribe(*uri)) {
    context.fail(rpc_code::invalid_params,
                 "At most " + std::to_string(self->state.env.limit.client.subscriptions) +
                     " resources can be subscribed to; unsubscribe from some first.");
    return;
  }
  watch(self, *uri);
  context.answer(json::object());
}

void resources_unsubscribe(const request_context& context, const json& params) {
  const auto uri = subscribed_uri(context, params);
  if (!uri)
    return;
  context.session()->state.subscriptions->unsubscribe(*uri);
  context.answer(json::object());
}

void subscriptions_listen(const request_context& context, const json& params) {
  auto* self = context.session();
  auto& state = self->state;
  auto wanted = read_filter(params);
  if (!wanted) {
    context.fail(rpc_code::invalid_params, wanted.error());
    return;
  }
  if (wanted->uris.size() > state.env.limit.client.subscriptions) {
    context.fail(rpc_code::invalid_params,
                 "At most " + std::to_string(state.env.limit.client.subscriptions) +
                     " resources can be listened to at once.");
    return;
  }
  auto filter = honoured(self, std::move(*wanted));
  const auto number = state.subscriptions->listen(filter);
  if (!number) {
    context.fail(rpc_code::internal_error, "At most " +
                                               std::to_string(state.env.limit.client.listens) +
                                               " listens can be open at once; cancel some first.");
    return;
  }
  state.listens.emplace(*number, context.request());
  context.on_cancelled([self, n = *number] {
    self->state.subscriptions->end_listen(n);
    self->state.listens.erase(n);
  });
  acknowledge(context, filter);
  for (const auto& uri : filter.uris)
    watch(self, uri);
  // A response stream that will never carry anything ends; on a shared connection it costs nothing.
  if (filter.empty() && context.request()->exchange->id != 0) {
    state.subscriptions->end_listen(*number);
    state.listens.erase(*number);
    end_listen(context);
  }
}

void end_listens(client_pointer self) {
  const auto listens = std::exchange(self->state.listens, {});
  for (const auto& [number, request] : listens) {
    self->state.subscriptions->end_listen(number);
    end_listen(request_context{self, request});
  }
}

void resource_changed(client_pointer self, const std::string& uri) {
  carry_out(self, self->state.subscriptions->changed(uri, self->clock().now()));
}

void part_changed(client_pointer self, watched_part part) {
  self->state.watching.erase(part);
  resource_changed(self, std::string{resource_behind(part)});
}

void tell_list_changed(client_pointer self, listed_kind kind) {
  auto& state = self->state;
  const auto method = "notifications/" + std::string{name_of(kind)} + "/list_changed";
  if (state.revision)
    send_unsolicited(self, notification_message(method, json::object()));
  tell_listens(self, state.subscriptions->listens_for(kind), method, json::object());
}

void announce_list_changed(const request_context& context, listed_kind kind) {
  const auto engine = caf::actor_cast<engine_actor>(context.session()->state.env.engine);
  if (engine)
    caf::anon_send(engine, changed_atom_v, kind);
}

} // namespace gasoline
