#include "actors/mcp/client/client_reads.hpp"

#include "actors/mcp/client/ask_engine.hpp"
#include "messages/actors.hpp"

namespace gasoline {
namespace {

const client_environment& environment_of(const request_context& context) {
  return context.session()->state.env;
}

} // namespace

void read_alerts(const request_context& context, std::function<void(const alert_listing&)> then) {
  ask_engine<alert_listing>(context, environment_of(context).alerts, std::move(then), list_atom_v,
                            context.session()->state.id);
}

void read_events(const request_context& context, store_query query,
                 std::function<void(const store_page&)> then) {
  query.after_sequence = context.session()->state.cleared_sequence;
  ask_engine<store_page>(context, environment_of(context).store, std::move(then), query_atom_v,
                         std::move(query));
}

void read_ci(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  ask_engine<json_document>(
      context, environment_of(context).ci,
      [then = std::move(then)](const json_document& results) { then(*results); }, list_atom_v);
}

void read_health(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  ask_engine<health_part>(
      context, caf::actor_cast<engine_actor>(environment_of(context).engine),
      [then = std::move(then)](const health_part& health) { then(*health); }, health_atom_v);
}

store_query plain_query(const request_context& context, observe_what what,
                        std::uint64_t max_bytes) {
  store_query query;
  query.what = what;
  query.limit = environment_of(context).limit.result.items;
  query.max_bytes = max_bytes;
  return query;
}

} // namespace gasoline
