#include "tools/engine/engine_doors.hpp"

#include "actors/ingest/formats/format_table.hpp"
#include "actors/mcp/link/line_writer.hpp"
#include "messages/base/ask_actor.hpp"
#include "messages/base/json/json_text.hpp"
#include "tools/engine/client_joining.hpp"
#include "tools/engine/mcp_routes.hpp"
#include "tools/engine/process/ending_signals.hpp"
#include "tools/page_script/page_script.hpp"
#include "transport/http/http_traffic.hpp"
#include "transport/routes/link_routes.hpp"
#include "transport/routes/stream_broadcast.hpp"
#include "transport/routes/stream_routes.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <memory>
#include <utility>

namespace gasoline {
namespace {

/// Asks the engine for its health document; never blocks the caller.
ask_health_function ask_engine_health(caf::actor_system& system, const engine_actor& target) {
  return [&system, target](const std::function<void(std::string)>& reply) {
    ask_actor<health_part>(
        system, target, [reply](const health_part& health) { reply(dumped(*health)); },
        [reply] { reply(R"({"status":"ending"})"); }, health_atom_v);
  };
}

/// Asks what a hook has to say; never blocks the caller.
std::function<void(const hook_question&, std::function<void(hook_answer)>)>
hook_route(caf::actor_system& system, const local_engine_actor& target) {
  return [&system, target](const hook_question& question,
                           const std::function<void(hook_answer)>& reply) {
    ask_actor<hook_answer>(
        system, target, [reply](const hook_answer& answer) { reply(answer); },
        [reply] { reply({}); }, hook_atom_v, question);
  };
}

http_access access_of(std::string token, std::string owner_token, const settings& config,
                      std::shared_ptr<const page_links> links) {
  return {std::move(token), std::move(owner_token), config.origins, std::move(links)};
}

telemetry_services services_of(caf::actor_system& system, const engine_actor& target,
                               ingest_actor ingest) {
  telemetry_services out;
  out.formats = ingest_routes();
  out.ingest = [ingest = std::move(ingest)](ingest_request_ptr request) {
    caf::anon_send(ingest, ingest_atom_v, std::move(request));
  };
  out.health = ask_engine_health(system, target);
  out.page_script = page_script();
  return out;
}

stream_services stream_services_of(boost::asio::io_context& io,
                                   const stream_registry_actor& streams, const limits& limit) {
  const auto broadcast = std::make_shared<stream_broadcast>(io.get_executor(), streams, limit);
  stream_services out;
  out.ask = [streams](stream_request_ptr request) {
    caf::anon_send(streams, stream_atom_v, std::move(request));
  };
  out.events = [broadcast](const std::string& stream, asking_party caller, const http_call& call,
                           const http_reply& reply) {
    broadcast->serve(stream, std::move(caller), call, reply);
  };
  return out;
}

attach_routes attach_routes_of(caf::actor_system& system, const local_engine_actor& target,
                               const limits& limit) {
  attach_routes out;
  out.health = ask_engine_health(system, target);
  out.hook = hook_route(system, target);
  out.take_back = [target](const hook_answer& answer) {
    caf::anon_send(target, cancel_atom_v, answer.reader, answer.told);
  };
  out.join = [&system, limit, target](std::shared_ptr<output_port> port, const agent_place& place,
                                      std::function<void(std::optional<attached_client>)> done) {
    const auto writer = system.spawn(line_writer, std::move(port), limit);
    join_engine(system, target, caf::actor_cast<message_writer>(writer),
                client_origin{client_transport::attach}, place,
                [writer, done = std::move(done)](const client_actor& session) {
                  if (session) {
                    done(attached_client{session, writer});
                    return;
                  }
                  caf::anon_send(writer, closed_atom_v);
                  done(std::nullopt);
                });
  };
  return out;
}

} // namespace

engine_doors::engine_doors(boost::asio::io_context& io, caf::actor_system& system,
                           const settings& config, const mcp_registry& offers,
                           const local_engine_actor& target, ingest_actor ingest,
                           const stream_registry_actor& streams, session_front sessions,
                           std::string token)
    : signals_(io),
      links_(std::make_shared<page_links>()),
      http_(io, config, access_of(std::move(token), sessions.token, config, links_)),
      attach_(io, config.attach_socket, config.limit,
              attach_routes_of(system, target, config.limit)) {
  for (const int signal : ending_signals())
    signals_.add(signal);
  auto mcp = make_mcp_http(io, system, config, offers, target);
  mcp_report_ = std::move(mcp.report);
  http_.add_all(telemetry_routes(services_of(system, target, std::move(ingest)), config.limit));
  http_.add_all(std::move(mcp.routes));
  http_.add_all(stream_routes(stream_services_of(io, streams, config.limit), config.limit));
  http_.add_all(link_routes(links_));
  http_.add_all(session_routes(std::move(sessions)));
}

void engine_doors::on_told_to_end(std::function<void()> handler) {
  signals_.async_wait([handler = std::move(handler)](const boost::system::error_code& ec, int) {
    if (!ec)
      handler();
  });
}

std::optional<user_error> engine_doors::take_clients() {
  return attach_.start();
}

result_or<std::uint16_t> engine_doors::listen() {
  return http_.start();
}

result_or<std::uint16_t> engine_doors::listen_on(file_descriptor socket) {
  return http_.start_on(std::move(socket));
}

nlohmann::json engine_doors::report() const {
  const auto& counted = http_.counters();
  nlohmann::json http{{"connections", http_.connections()},
                      {"connections_accepted", counted.connections},
                      {"connections_refused", counted.connections_refused},
                      {"requests", counted.requests},
                      {"requests_refused", counted.requests_refused},
                      {"requests_overloaded", counted.requests_overloaded},
                      {"requests_inflated_too_far", counted.requests_inflated_too_far},
                      {"answers_refused", counted.answers_refused},
                      {"unsent_bytes", http_.unsent_bytes()},
                      {"timeouts", counted.timeouts},
                      {"streams", counted.streams},
                      {"websockets", counted.websockets},
                      {"streams_refused", counted.streams_refused},
                      {"streams_overflowed", counted.streams_overflowed},
                      {"streams_stalled", counted.streams_stalled},
                      {"also", http_.further_ports()},
                      {"arrivals", http_.arrivals()}};
  http.update(http_.refusals().document());
  return {{"http", std::move(http)},
          {"attach", {{"connections", attach_.connections()}, {"refused", attach_.refused()}}},
          {"mcp", mcp_report_()}};
}

void engine_doors::stop() {
  attach_.stop();
  http_.stop();
  signals_.cancel();
}

} // namespace gasoline
