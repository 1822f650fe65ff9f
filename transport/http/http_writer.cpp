#include "transport/http/http_writer.hpp"

#include "messages/base/own_log.hpp"

#include <boost/asio/post.hpp>

#include <exception>
#include <utility>

namespace gasoline {
namespace {

namespace asio = boost::asio;
using writer_self = http_writer_actor::stateful_pointer<http_writer_state>;
using executor = asio::io_context::executor_type;

/// Runs a step on the sink on the io thread; no exception leaves for the io loop.
template <class F>
void tell(const executor& io, const std::weak_ptr<message_sink>& sink, F step) {
  asio::post(io, [sink, step = std::move(step)] {
    const auto target = sink.lock();
    if (!target)
      return;
    try {
      step(*target);
    } catch (const std::exception& e) {
      own_log::error("http: a message to a client was lost: {}", e.what());
    }
  });
}

void end(writer_self self, const executor& io, const std::weak_ptr<message_sink>& sink) {
  tell(io, sink, [](message_sink& target) { target.on_ended(); });
  self->quit();
}

} // namespace

http_writer_actor::behavior_type http_writer(writer_self self, const executor& io,
                                             const std::weak_ptr<message_sink>& sink) {
  self->set_exception_handler([](std::exception_ptr&) -> caf::error {
    own_log::critical("http_writer failed");
    return caf::make_error(caf::sec::runtime_error);
  });
  self->set_down_handler([self, io, sink](const caf::down_msg&) { end(self, io, sink); });
  return {
      [io, sink](write_atom, const rpc_text& text) {
        auto message = std::make_shared<outgoing>();
        message->text = text;
        tell(io, sink, [message = outgoing_ptr{std::move(message)}](message_sink& target) {
          target.on_message(message);
        });
      },
      [io, sink](write_atom, const outgoing_ptr& message) {
        tell(io, sink, [message](message_sink& target) { target.on_message(message); });
      },
      [self](join_atom, congestion_sink& listener) {
        self->state.listeners.push_back(std::move(listener));
      },
      [self, io, sink](closed_atom) { end(self, io, sink); },
      [self](attach_atom, const client_actor& session) { self->monitor(session); },
      [self](congested_atom, bool congested) {
        for (const auto& listener : self->state.listeners)
          caf::anon_send(listener, congested_atom_v, congested);
      },
  };
}

} // namespace gasoline
