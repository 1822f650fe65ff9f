#include "transport/nats/nats_news.hpp"

#include "transport/nats/nats_calls.hpp"

#include <memory>
#include <utility>

namespace gasoline {

void answer_flow_control(nats_link self) {
  if (self->state.untaken > 0)
    return;
  for (auto& reply : std::exchange(self->state.flow_replies, {})) {
    nats_message go_on;
    go_on.subject = std::move(reply);
    send(self, go_on);
  }
}

void tell_registry(nats_link self, backend_news news) {
  ++self->state.untaken;
  const auto taken = [self] {
    --self->state.untaken;
    answer_flow_control(self);
  };
  self->request(self->state.registry, caf::infinite, changed_atom_v,
                backend_news_ptr{std::make_shared<const backend_news>(std::move(news))})
      .then(taken, [taken](const caf::error&) { taken(); });
}

} // namespace gasoline
