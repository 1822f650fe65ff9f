#include "actors/browser/browser.hpp"

#include "actors/base/exception_guard.hpp"

#include <utility>

namespace gasoline {

browser_actor::behavior_type browser(browser_actor::stateful_pointer<browser_state> self,
                                     browser_parts parts) {
  guard_exceptions(self);
  const bool starts_now = parts.settings.start == browser_start::launch ||
                          parts.settings.start == browser_start::attach;
  self->state.core.emplace(self, std::move(parts));
  if (starts_now)
    self->state.core->connect();
  return {
      [self](health_atom) {
        return std::make_shared<const nlohmann::json>(self->state.core->health());
      },
      [self](act_atom, const browser_action_ptr& asked) { return self->state.core->act(asked); },
      [self](forget_atom, client_id client) { self->state.core->forget(client); },
      [self](settled_atom, std::uint64_t post) { self->state.core->told(post); },
      [self](flush_atom) { self->state.core->flush(); },
      [self](said_atom, std::uint64_t link, const std::string& text) {
        self->state.core->said(link, text);
      },
      [self](lost_atom, std::uint64_t link, const browser_loss& loss) {
        self->state.core->lost(link, loss);
      },
  };
}

} // namespace gasoline
