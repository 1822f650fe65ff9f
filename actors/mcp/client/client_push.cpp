#include "actors/mcp/client/client_push.hpp"

namespace gasoline {

void client_push::offer(const alert_ptr& a) const {
  if (on_)
    caf::anon_send(throttler_, alert_atom_v, a);
}

void client_push::set_level(level_floor level) const {
  caf::anon_send(throttler_, level_atom_v, level);
}

void client_push::begin_anew() {
  on_ = false;
  caf::anon_send(throttler_, clear_atom_v);
}

void client_push::close() {
  on_ = false;
  caf::anon_send(throttler_, disable_atom_v);
}

void client_push::end() const {
  caf::anon_send_exit(throttler_, caf::exit_reason::user_shutdown);
}

} // namespace gasoline
