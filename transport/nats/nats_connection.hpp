#pragma once

#include "config/sections/nats_settings.hpp"
#include "transport/nats/nats_message.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gasoline {

/// Who takes what comes from a server. All are called on threads of the client library and must
/// do no more than pass it on.
struct nats_sink {
  std::function<void(std::vector<nats_message>)> take;
  std::function<void(std::string)> refused; ///< what the server does not let this login do
  std::function<void()> lost;               ///< the last call
};

/// One connection to a NATS server. It does not come back by itself, so that whoever uses it knows
/// what was sent to which connection. Used by one thread.
class nats_connection {
 public:
  /// Connects to the first server that answers; blocks, `patience` a server.
  static result_or<std::unique_ptr<nats_connection>> open(const nats_settings& settings,
                                                          std::chrono::milliseconds patience,
                                                          std::chrono::milliseconds ping_every,
                                                          nats_sink sink);

  nats_connection(const nats_connection&) = delete;
  nats_connection& operator=(const nats_connection&) = delete;
  ~nats_connection();

  /// Has the sink take the messages of that subject. False: the connection is lost.
  bool subscribe(const std::string& subject);

  /// Sends a message; it has left when this returns, or will. The error says why it never does.
  std::optional<user_error> publish(const nats_message& message);

  /// The beginning of the subjects at which answers to this connection arrive.
  const std::string& inbox() const { return inbox_; }

 private:
  class impl;
  explicit nats_connection(std::unique_ptr<impl> own);

  std::unique_ptr<impl> impl_;
  std::string inbox_;
};

/// The client library, for as long as connections are used; its threads end with this.
class nats_library {
 public:
  nats_library() = default;
  nats_library(const nats_library&) = delete;
  nats_library& operator=(const nats_library&) = delete;
  ~nats_library();
};

} // namespace gasoline
