#include "actors/mcp/link/line_writer.hpp"

#include "actors/base/exception_guard.hpp"

namespace gasoline {
namespace {

using writer_self = line_writer_actor::stateful_pointer<line_writer_state>;

void tell_congestion(line_writer_state& state, const limits_of<client_room>& limit) {
  const auto left = state.unwritten.size() - state.written;
  const bool congested = state.congested ? left > 0 : left > limit.client.unwritten_bytes;
  if (congested == state.congested)
    return;
  state.congested = congested;
  for (const auto& listener : state.listeners)
    caf::anon_send(listener, congested_atom_v, congested);
}

void write_what_fits(writer_self self, output_port& port, const limits_of<client_room>& limit) {
  auto& state = self->state;
  while (state.written < state.unwritten.size()) {
    const auto n = port.write_some(std::string_view{state.unwritten}.substr(state.written));
    if (!n) {
      self->quit(caf::exit_reason::user_shutdown);
      return;
    }
    if (*n == 0) {
      state.waiting = true;
      port.notify_when_writable(self);
      break;
    }
    state.written += *n;
  }
  if (state.written == state.unwritten.size() || state.written > limit.client.unwritten_bytes) {
    state.unwritten.erase(0, state.written);
    state.written = 0;
  }
  tell_congestion(state, limit);
  if (state.closing && state.unwritten.empty())
    self->quit();
}

void take(writer_self self, output_port& port, const limits_of<client_room>& limit,
          const rpc_text& message) {
  auto& state = self->state;
  if (state.closing || !message)
    return;
  state.unwritten += *message;
  state.unwritten += '\n';
  if (state.waiting)
    tell_congestion(state, limit); // a reader that takes nothing never makes the port writable
  else
    write_what_fits(self, port, limit);
}

} // namespace

line_writer_actor::behavior_type line_writer(writer_self self,
                                             const std::shared_ptr<output_port>& port,
                                             limits_of<client_room> limit) {
  guard_exceptions(self);
  return {
      [self, port, limit](write_atom, const rpc_text& message) {
        take(self, *port, limit, message);
      },
      [self, port, limit](write_atom, const outgoing_ptr& message) {
        take(self, *port, limit, message->text);
      },
      [self](join_atom, congestion_sink& listener) {
        self->state.listeners.push_back(std::move(listener));
      },
      [self, limit](closed_atom) {
        if (self->state.unwritten.empty()) {
          self->quit();
          return;
        }
        self->state.closing = true;
        self->delayed_send(self, std::chrono::milliseconds{limit.client.leave_ms}, tick_atom_v);
      },
      [self, port, limit](writable_atom) {
        self->state.waiting = false;
        write_what_fits(self, *port, limit);
      },
      [self](tick_atom) { self->quit(); },
  };
}

} // namespace gasoline
