#include "actors/agents/tools/engine_clients.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {
namespace {

using engine_clients_pointer = engine_clients_actor::stateful_pointer<engine_clients_state>;
using engine_tool_pointer = tool_run_actor::stateful_pointer<engine_tool_state>;

engine_client_actor client_of(engine_clients_pointer self, const engine_actor& engine,
                              const agent_session_id& session_id) {
  auto& state = self->state;
  if (const auto found = state.clients.find(session_id); found != state.clients.end())
    return found->second;
  auto client = self->spawn<caf::monitored>(engine_client, engine, session_id, state.limit);
  state.clients.emplace(session_id, client);
  return client;
}

void forget_client(engine_clients_pointer self, const caf::actor_addr& gone) {
  std::erase_if(self->state.clients, [&](const auto& row) { return row.second.address() == gone; });
}

void finish(engine_tool_pointer self, tool_outcome outcome) {
  auto& setup = self->state.setup;
  outcome.tool_use_id = setup.request->tool_use_id;
  outcome.text = setup.redaction->text(outcome.text).str();
  self->send(setup.turn, outcome_atom_v, std::move(outcome));
  self->quit();
}

void fail_tool(engine_tool_pointer self) {
  tool_outcome lost;
  lost.error_class = "crashed";
  lost.text = "The engine's tools are not available: the engine is ending.";
  finish(self, std::move(lost));
}

void call_client(engine_tool_pointer self, engine_client_actor client) {
  auto& state = self->state;
  state.client = std::move(client);
  self->request(state.client, caf::infinite, call_atom_v, state.setup.request)
      .then([self](tool_outcome& outcome) { finish(self, std::move(outcome)); },
            [self](const caf::error&) { fail_tool(self); });
}

void stop_tool(engine_tool_pointer self) {
  auto& state = self->state;
  if (state.client)
    self->send(state.client, cancel_atom_v, state.setup.request->tool_use_id);
  tool_outcome stopped;
  stopped.error_class = "cancelled";
  stopped.text = "The tool was cancelled.";
  finish(self, std::move(stopped));
}

tool_run_actor::behavior_type run_engine_tool(engine_tool_pointer self, engine_tool_setup setup) {
  guard_exceptions(self);
  self->state.setup = std::move(setup);
  const auto& given = self->state.setup;
  self->request(given.clients, caf::infinite, attach_atom_v, given.engine,
                given.request->session_id)
      .then([self](engine_client_actor& client) { call_client(self, std::move(client)); },
            [self](const caf::error&) { fail_tool(self); });
  return {[self](cancel_atom) { stop_tool(self); }};
}

} // namespace

engine_clients_actor::behavior_type engine_clients(engine_clients_pointer self,
                                                   limits_of<mcp_room> limit) {
  guard_exceptions(self);
  self->state.limit = limit;
  self->set_down_handler([self](const caf::down_msg& down) { forget_client(self, down.source); });
  return {
      [self](attach_atom, const engine_actor& engine, const agent_session_id& session_id) {
        return client_of(self, engine, session_id);
      },
      [self](leave_atom, const agent_session_id& session_id) {
        const auto& clients = self->state.clients;
        if (const auto found = clients.find(session_id); found != clients.end())
          self->send(found->second, leave_atom_v);
      },
  };
}

tool_run_actor engine_tool(caf::actor_system& system, engine_tool_setup setup) {
  return system.spawn(run_engine_tool, std::move(setup));
}

} // namespace gasoline
