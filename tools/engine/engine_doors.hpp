#pragma once

#include "config/settings.hpp"
#include "messages/alert_actors.hpp"
#include "messages/base/file_descriptor.hpp"
#include "transport/attach/attach_server.hpp"
#include "transport/http/http_server.hpp"
#include "transport/routes/session_routes.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <nlohmann/json.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace gasoline {

struct mcp_registry;

/// What an engine shows to the outside besides stdio: the HTTP routes, the attach socket and the
/// signals that end it. Used on the thread of the io context.
class engine_doors {
 public:
  /// `token` is what HTTP requests need; empty: none.
  engine_doors(boost::asio::io_context& io, caf::actor_system& system, const settings& config,
               const mcp_registry& offers, const local_engine_actor& target, ingest_actor ingest,
               const stream_registry_actor& streams, session_front sessions, std::string token);

  /// Calls `handler` at the first signal that ends programs; those that were ignored when this
  /// process started do not.
  void on_told_to_end(std::function<void()> handler);

  /// Takes further clients at the attach socket. The error says why it does not.
  std::optional<user_error> take_clients();

  /// Listens for HTTP. May be called again after an error.
  result_or<std::uint16_t> listen();

  /// The same on a socket that listens already, as systemd hands it over.
  result_or<std::uint16_t> listen_on(file_descriptor socket);

  /// Has bodies that take long to inflate inflated by another thread.
  void inflate_with(run_apart run) { http_.inflate_with(std::move(run)); }

  /// What the HTTP side counts, for `health`.
  nlohmann::json report() const;

  /// Closes everything.
  void stop();

 private:
  boost::asio::signal_set signals_;
  std::shared_ptr<page_links> links_;
  http_server http_;
  attach_server attach_;
  std::function<nlohmann::json()> mcp_report_;
};

} // namespace gasoline
