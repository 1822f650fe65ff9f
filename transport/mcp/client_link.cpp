#include "transport/mcp/client_link.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace gasoline {

client_link::client_link(std::shared_ptr<const engine_gate> gate, std::uint64_t most_unsent)
    : gate_(std::move(gate)), most_unsent_(most_unsent) {}

client_link::~client_link() {
  if (session_ && !closed_)
    caf::anon_send(session_, closed_atom_v);
}

void client_link::attach(client_origin origin, std::weak_ptr<message_sink> sink) {
  writer_ = gate_->system->spawn(http_writer, gate_->io, std::move(sink));
  gate_->attach(
      caf::actor_cast<message_writer>(writer_), std::move(origin),
      [io = gate_->io, writer = writer_, weak = weak_from_this()](const client_actor& session) {
        // Without a session the writer ends, which tells the sink.
        if (session)
          caf::anon_send(writer, attach_atom_v, session);
        else
          caf::anon_send(writer, closed_atom_v);
        boost::asio::post(io, [weak, session] {
          if (const auto self = weak.lock())
            self->on_attached(session);
          else if (session)
            caf::anon_send(session, closed_atom_v);
        });
      });
}

void client_link::on_attached(client_actor session) {
  session_ = std::move(session);
  auto early = std::exchange(early_, {});
  if (!session_)
    return;
  for (auto& frame : early)
    caf::anon_send(session_, receive_atom_v, std::move(frame));
  if (closed_)
    caf::anon_send(session_, closed_atom_v);
}

void client_link::send(rpc_frame frame) {
  if (closed_)
    return;
  auto shared = std::make_shared<const rpc_frame>(std::move(frame));
  if (session_)
    caf::anon_send(session_, receive_atom_v, std::move(shared));
  else
    early_.push_back(std::move(shared));
}

void client_link::cancel(exchange_id exchange) {
  if (session_)
    caf::anon_send(session_, cancel_atom_v, exchange);
  else
    std::erase_if(early_, [&](const rpc_frame_ptr& frame) { return frame->exchange == exchange; });
}

void client_link::note_unsent(std::uint64_t bytes) {
  const bool congested = congested_ ? bytes > 0 : bytes > most_unsent_;
  if (congested != std::exchange(congested_, congested))
    caf::anon_send(writer_, congested_atom_v, congested);
}

void client_link::close() {
  if (std::exchange(closed_, true) || !session_)
    return;
  caf::anon_send(session_, closed_atom_v);
}

} // namespace gasoline
