#pragma once

#include "messages/actors.hpp"

#include <boost/asio/io_context.hpp>

#include <memory>
#include <vector>

namespace gasoline {

/// Takes what a client session writes. Called on the io thread only.
class message_sink {
 public:
  virtual ~message_sink() = default;

  /// One message; never null.
  virtual void on_message(const outgoing_ptr& message) = 0;

  /// The session has ended; nothing more comes.
  virtual void on_ended() = 0;
};

/// The writer of a client that comes by HTTP: carries each message to the io thread.
using http_writer_actor = message_writer::extend<
    // The session that writes here; with its end the writer ends too.
    caf::reacts_to<attach_atom, client_actor>,
    // The client's stream is, or is no longer, above the cap on unwritten bytes.
    caf::reacts_to<congested_atom, bool>>;

struct http_writer_state {
  static inline const char* name = "http_writer";

  std::vector<congestion_sink> listeners; ///< told about congestion
};

/// `io` must outlive the actor system's last actor.
http_writer_actor::behavior_type
http_writer(http_writer_actor::stateful_pointer<http_writer_state> self,
            const boost::asio::io_context::executor_type& io,
            const std::weak_ptr<message_sink>& sink);

} // namespace gasoline
