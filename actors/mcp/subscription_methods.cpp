#include "actors/mcp/subscription_methods.hpp"

#include "actors/mcp/offers/mcp_registry.hpp"
#include "actors/mcp/protocol/request_parameters.hpp"

#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;

bool exists(const mcp_registry& registry, const std::string& uri) {
  return registry.find_resource(uri) || registry.find_template(uri);
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
  const auto uris = found->value("resourceSubscriptions", json());
  if (uris.is_null())
    return filter;
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
listen_filter honoured(const mcp_registry& registry, listen_filter filter) {
  if (!registry.lists_change)
    filter.lists.clear();
  std::erase_if(filter.uris, [&](const std::string& uri) { return !exists(registry, uri); });
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
  context.notify(
      "notifications/subscriptions/acknowledged",
      {{"_meta", {{subscription_key(), context.id()}}}, {"notifications", filter_json(filter)}});
}

void end_listen(const request_context& context) {
  context.answer({{"_meta", {{subscription_key(), context.id()}}}});
}

/// The URI of a legacy (un)subscribe; nothing when the request has been refused.
std::optional<std::string> subscribed_uri(const request_context& context, const json& params) {
  auto uri = text_parameter(params, "uri");
  if (!uri) {
    context.fail(rpc_code::invalid_params, "uri is missing, such as gasoline://alerts.");
    return std::nullopt;
  }
  if (exists(context.registry(), *uri))
    return uri;
  context.fail(rpc_code::resource_not_found,
               "Resource not found; resources/list names those that exist.", {{"uri", *uri}});
  return std::nullopt;
}

} // namespace

void resources_subscribe(client_parts& client, const request_context& context, const json& params) {
  const auto uri = subscribed_uri(context, params);
  if (!uri)
    return;
  if (client.subscriptions.subscribe(*uri))
    context.answer(json::object());
  else
    context.fail(rpc_code::invalid_params,
                 "At most " + std::to_string(context.limit().client.subscriptions) +
                     " resources can be subscribed to; unsubscribe from some first.");
}

void resources_unsubscribe(client_parts& client, const request_context& context,
                           const json& params) {
  const auto uri = subscribed_uri(context, params);
  if (!uri)
    return;
  client.subscriptions.unsubscribe(*uri);
  context.answer(json::object());
}

void subscriptions_listen(client_parts& client, const request_context& context,
                          const json& params) {
  const auto& limit = context.limit();
  auto wanted = read_filter(params);
  if (!wanted) {
    context.fail(rpc_code::invalid_params, wanted.error());
    return;
  }
  if (wanted->uris.size() > limit.client.subscriptions) {
    context.fail(rpc_code::invalid_params, "At most " + std::to_string(limit.client.subscriptions) +
                                               " resources can be listened to at once.");
    return;
  }
  const auto filter = honoured(context.registry(), std::move(*wanted));
  auto& subscriptions = client.subscriptions;
  const auto number =
      subscriptions.listen(filter, context.request(), [context] { end_listen(context); });
  if (!number) {
    context.fail(rpc_code::internal_error, "At most " + std::to_string(limit.client.listens) +
                                               " listens can be open at once; cancel some first.");
    return;
  }
  context.on_cancelled([&subscriptions, n = *number] { subscriptions.forget_listen(n); });
  acknowledge(context, filter);
  subscriptions.watch(filter);
  // A response stream that will never carry anything ends; on a shared connection it costs nothing.
  if (filter.empty() && context.request()->exchange->id != 0) {
    subscriptions.forget_listen(*number);
    end_listen(context);
  }
}

} // namespace gasoline
