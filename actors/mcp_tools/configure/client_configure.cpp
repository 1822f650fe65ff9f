#include "actors/mcp/client/ask_engine.hpp"
#include "actors/mcp/client/client_reads.hpp"
#include "actors/mcp/client/client_replies.hpp"
#include "actors/mcp/client/client_tools.hpp"
#include "actors/mcp_tools/configure/configure_tool.hpp"
#include "actors/mcp_tools/streams/stream_tools.hpp"

namespace gasoline {
namespace {

using nlohmann::json;

/// Asks an actor and answers the call with what `format` makes of it.
template <class Answer, class Handle, class Format, class... Ts>
void ask_and_answer(const request_context& context, const Handle& target, Format format,
                    Ts... message) {
  ask_engine<Answer>(
      context, target,
      [context, format](const Answer& result) { answer_tool(context, format(result)); },
      std::move(message)...);
}

/// Carries out one checked `configure` call.
class configure_runner {
 public:
  explicit configure_runner(const request_context& context)
      : context_(context), state_(context.session()->state) {}

  void operator()(const enable_streaming& call) const {
    const auto may_push = delivery();
    if (may_push == push_delivery::pushed)
      state_.streaming = true;
    ask_and_answer<push_status>(
        context_, state_.throttler,
        [may_push](const push_status& status) { return enabled_result(status, may_push); },
        enable_atom_v, call.config);
  }

  void operator()(const disable_streaming&) const {
    state_.streaming = false;
    ask_and_answer<push_status>(context_, state_.throttler, disabled_result, disable_atom_v);
  }

  void operator()(const show_streaming&) const {
    ask_and_answer<push_status>(
        context_, state_.throttler,
        [context = context_, may_push = delivery()](const push_status& status) {
          const auto read = context.session()->state.alerts_read;
          return status_result(status, {may_push, status.notify_count, read});
        },
        status_atom_v);
  }

  void operator()(const show_health&) const {
    read_health(context_, [context = context_](const json& health) {
      answer_tool(context, {health.dump(-1, ' ', false, json::error_handler_t::replace), false});
    });
  }

  void operator()(const clear_positions&) const {
    caf::anon_send(state_.env.alerts, clear_atom_v, state_.id, std::vector<std::uint64_t>{});
    store_query q;
    q.what = observe_what::timeline;
    q.limit = 1;
    ask_and_answer<store_page>(
        context_, state_.env.store,
        [context = context_](const store_page& page) {
          context.session()->state.cleared_sequence = page.newest_sequence;
          return tool_result{
              R"({"status":"cleared","note":"You now read from here on; nothing was deleted."})",
              false};
        },
        query_atom_v, q);
  }

  void operator()(noise_command command) const {
    command.added_by = client_name(state_);
    command.reason = state_.env.redaction->text(command.reason).str();
    ask_and_answer<command_answer>(
        context_, state_.env.noise,
        [](const command_answer& result) {
          return tool_result{result.text, result.is_error};
        },
        noise_atom_v, std::move(command));
  }

  void operator()(stream_command command) const {
    call_stream_action(context_, std::move(command));
  }

 private:
  push_delivery delivery() const {
    return context_.era() == mcp_era::modern ? push_delivery::asked_for : push_delivery::pushed;
  }

  const request_context& context_;
  client_state& state_;
};

void configure(const request_context& context, const result_or<configure_call>& call) {
  if (call)
    std::visit(configure_runner{context}, *call);
  else
    answer_tool(context, {call.error().message, true});
}

} // namespace

void call_configure(const request_context& context, const json& arguments) {
  configure(context, parse_configure(arguments));
}

void call_configure_streaming(const request_context& context, const json& arguments) {
  configure(context, parse_configure_streaming(arguments));
}

} // namespace gasoline
