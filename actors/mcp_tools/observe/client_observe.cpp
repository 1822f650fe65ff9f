#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp/client/client_tools.hpp"
#include "actors/mcp_tools/observe/client_waits.hpp"
#include "actors/mcp_tools/streams/stream_tools.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

/// Pages and vitals are summed up over many events, so they look at more than they show.
store_query widened(store_query q, const limits& limit) {
  if (q.what == observe_what::page || q.what == observe_what::vitals) {
    q.limit = limit.result.max_items;
    q.max_bytes = limit.result.max_bytes;
  }
  return q;
}

void observe_store(const request_context& context, const observe_call& call) {
  read_events(context, widened(call.query, context.session()->state.env.limit),
              [context, call](const store_page& page) {
                answer_with_alerts(context, observe_result(call, page));
              });
}

void observe_ci(const request_context& context, const observe_call& call) {
  read_ci(context, [context, call](const json& results) {
    answer_with_alerts(context, observe_ci_result(call, results));
  });
}

} // namespace

void answer_with_alerts(const request_context& context, const tool_result& result) {
  if (!context.is_open())
    return;
  auto* self = context.session();
  self->request(self->state.env.alerts, caf::infinite, drain_atom_v, self->state.id)
      .then(
          [context, result](const alert_block& block) {
            context.session()->state.alerts_read += block.shown;
            answer_tool(context, result, block.text);
          },
          [context, result](const caf::error&) { answer_tool(context, result); });
}

void answer_alert_listing(const request_context& context, const observe_call& call,
                          const alert_listing& listing) {
  if (!context.is_open())
    return;
  auto& state = context.session()->state;
  auto shown = observe_alerts_result(call, listing);
  state.alerts_read += shown.newly_read;
  caf::anon_send(state.env.alerts, clear_atom_v, state.id, std::move(shown.still_unread));
  answer_tool(context, std::move(shown.result));
}

void answer_alerts(const request_context& context, const observe_call& call) {
  read_alerts(context, [context, call](const alert_listing& listing) {
    answer_alert_listing(context, call, listing);
  });
}

void call_observe(const request_context& context, const json& arguments) {
  if (observes_stream(arguments)) {
    call_observe_stream(context, arguments);
    return;
  }
  auto* self = context.session();
  auto& state = self->state;
  auto call = parse_observe(arguments, state.env.limit, state.env.clock(self->clock().now()));
  if (!call) {
    answer_tool(context, {call.error().message, true});
    return;
  }
  call->query.after_sequence = state.cleared_sequence;
  if (call->wait.count() > 0)
    wait_for_alerts(context, *call);
  else if (call->query.what == observe_what::alerts)
    answer_alerts(context, *call);
  else if (call->query.what == observe_what::ci)
    observe_ci(context, *call);
  else
    observe_store(context, *call);
}

} // namespace gasoline
