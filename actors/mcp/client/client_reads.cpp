#include "actors/mcp/client/client_reads.hpp"

#include "messages/alert_actors.hpp"

#include <algorithm>
#include <utility>

namespace gasoline {
namespace {

provenance provenance_of(const event& e) {
  provenance out;
  out.page = (e.page.empty() ? e.url : e.page).str();
  out.text = e.stack.str();
  return out;
}

provenance provenance_of(const nlohmann::json& ci) {
  provenance out;
  out.is_ci = true;
  out.ci_source = ci.value("source", "");
  out.ci_url = ci.value("url", "");
  out.ref = ci.value("ref", "");
  return out;
}

/// The list without what is foreign; the answer has an entry for each.
template <class List>
List without(const List& all, const foreign_list& foreign) {
  List out = all;
  out.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i >= foreign.items.size() || !foreign.items[i])
      out.push_back(all[i]);
  return out;
}

/// Runs `read` once what was posted before has been handled, also where its frames are still being
/// led back.
void after_frames(const request_context& context, std::function<void(bool)> read) {
  if (const auto& frames = context.engine().frames)
    context.ask_engine<bool>(frames, std::move(read), flush_atom_v);
  else
    read(true);
}

} // namespace

void read_alerts(const request_context& context, std::function<void(const alert_listing&)> then) {
  after_frames(context, [context, then = std::move(then)](bool) {
    context.ask_engine<alert_listing>(context.engine().alerts, then, list_atom_v, context.client());
  });
}

void read_events(const request_context& context, store_query query,
                 std::function<void(const store_page&)> then) {
  query.after_sequence = std::max(query.after_sequence, context.cleared_sequence());
  after_frames(context, [context, query = std::move(query), then = std::move(then)](bool) {
    context.ask_engine<store_page>(context.engine().store, then, query_atom_v, query);
  });
}

void read_snapshot(const request_context& context,
                   std::function<void(const event_snapshot_ptr&, std::uint64_t)> then) {
  const auto take = [then = std::move(then), behind = context.cleared_sequence()](
                        const event_snapshot_ptr& all) { then(all, behind); };
  after_frames(context, [context, take](bool) {
    context.ask_engine<event_snapshot_ptr>(context.engine().store, take, query_atom_v);
  });
}

void read_ci(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  context.ask_engine<json_document>(
      context.engine().ci,
      [then = std::move(then)](const json_document& results) { then(*results); }, list_atom_v);
}

void read_own_events(const request_context& context, store_query query,
                     std::function<void(const store_page&)> then) {
  read_events(context, std::move(query), [context, then = std::move(then)](const store_page& page) {
    provenance_list asked;
    for (const auto& group : page.groups)
      asked.items.push_back(provenance_of(*group.newest));
    context.ask_engine<foreign_list>(
        context.engine().alerts,
        [page, then](const foreign_list& foreign) {
          auto own = page;
          own.groups = without(page.groups, foreign);
          then(own);
        },
        scope_atom_v, context.client(), std::move(asked));
  });
}

void read_own_ci(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  read_ci(context, [context, then = std::move(then)](const nlohmann::json& results) {
    provenance_list asked;
    for (const auto& result : results)
      asked.items.push_back(provenance_of(result));
    context.ask_engine<foreign_list>(
        context.engine().alerts,
        [results, then](const foreign_list& foreign) { then(without(results, foreign)); },
        scope_atom_v, context.client(), std::move(asked));
  });
}

void read_health(const request_context& context, std::function<void(const nlohmann::json&)> then) {
  context.ask_engine<health_part>(
      caf::actor_cast<engine_actor>(context.engine().engine),
      [then = std::move(then)](const health_part& health) { then(*health); }, health_atom_v);
}

} // namespace gasoline
