#include "actors/mcp/client/client_reads.hpp"

#include "messages/actors.hpp"

#include <utility>

namespace gasoline {

void read_alerts(const request_context& context, std::function<void(const alert_listing&)> then) {
  context.ask_engine<alert_listing>(context.engine().alerts, std::move(then), list_atom_v,
                                    context.client());
}

void read_events(const request_context& context, store_query query,
                 std::function<void(const store_page&)> then) {
  query.after_sequence = context.cleared_sequence();
  context.ask_engine<store_page>(context.engine().store, std::move(then), query_atom_v,
                                 std::move(query));
}

void read_ci(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  context.ask_engine<json_document>(
      context.engine().ci,
      [then = std::move(then)](const json_document& results) { then(*results); }, list_atom_v);
}

void read_health(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  context.ask_engine<health_part>(
      caf::actor_cast<engine_actor>(context.engine().engine),
      [then = std::move(then)](const health_part& health) { then(*health); }, health_atom_v);
}

} // namespace gasoline
