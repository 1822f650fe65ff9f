#include "tools/replay/scenario_player.hpp"

#include "actors/base/exception_guard.hpp"
#include "actors/engine.hpp"
#include "actors/engine_composition.hpp"
#include "actors/ingest/formats/format_table.hpp"
#include "tools/replay/scenario_match.hpp"
#include "tools/replay/scenario_server.hpp"
#include "tools/replay/virtual_system.hpp"
#include "transport/http/http_router.hpp"
#include "transport/json_rpc.hpp"
#include "transport/routes/stream_routes.hpp"
#include "transport/routes/telemetry_routes.hpp"

#include <deque>
#include <map>
#include <memory>
#include <utility>

namespace gasoline {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

/// What one client has been told and no `expect` has taken yet.
struct inbox {
  std::deque<json> notifications;
  std::deque<json> results;
  bool ended = false;
};

using line_sink = std::function<void(const std::string& line)>;

struct scenario_client_state {
  static inline const char* name = "scenario_client";
};

/// A writer that hands every line to the player.
message_writer::behavior_type
scenario_client(message_writer::stateful_pointer<scenario_client_state> self, const line_sink& sink,
                std::function<void()> ended) {
  guard_exceptions(self);
  return {
      [sink](write_atom, const rpc_text& text) { sink(*text); },
      [sink](write_atom, const outgoing_ptr& message) {
        if (message->text)
          sink(*message->text);
      },
      [](join_atom, const congestion_sink&) {},
      [self, ended = std::move(ended)](closed_atom) {
        ended();
        self->quit();
      },
  };
}

/// Opens what a tool answered: `text` and `json` of the first block, `blocks`, and of the alert
/// block `alerts_text` and `alerts`.
json opened(json message) {
  const auto content = json::json_pointer{"/result/content"};
  if (!message.contains(content))
    return message;
  const auto blocks = message[content];
  message["blocks"] = blocks.size();
  message["is_error"] = message["result"].value("isError", false);
  const auto first = blocks.at(0).value("text", std::string{});
  message["text"] = first;
  auto document = json::parse(first.substr(first.rfind('\n') + 1), nullptr, false);
  if (!document.is_discarded())
    message["json"] = std::move(document);
  if (blocks.size() < 2)
    return message;
  const auto second = blocks.at(1).value("text", std::string{});
  message["alerts_text"] = second;
  message["alerts"] = json::parse(second.substr(second.rfind('\n') + 1), nullptr, false);
  return message;
}

class player {
 public:
  player(const scenario& s, settings config, const std::function<void(const playback_line&)>& told)
      : scenario_(s), config_(std::move(config)), told_(told), begun_(system_.now()) {
    auto options = compose_engine(config_, [start = s.start, begun = begun_](mono_time now) {
      return start + std::chrono::duration_cast<milliseconds>(now - begun);
    });
    options.fetcher = files_;
    engine_ = system_.own(system_.sys.spawn(engine, std::move(options)));
    ingest_ = *system_.ask<ingest_actor>(engine_, query_atom_v);
    router_ = std::make_unique<http_router>(http_access{}, config_.limit);
    router_->add_all(telemetry_routes(services(), config_.limit));
    add_stream_routes(*system_.ask<stream_registry_actor>(engine_, stream_atom_v));
  }

  ~player() {
    caf::anon_send_exit(engine_, caf::exit_reason::user_shutdown);
    system_.settle();
  }

  player(const player&) = delete;
  player& operator=(const player&) = delete;

  playback run() {
    for (const auto& step : scenario_.steps) {
      advance_to(step.at);
      std::visit([&](const auto& action) { take(step, action); }, step.action);
      system_.settle();
    }
    return std::move(playback_);
  }

 private:
  telemetry_services services() {
    telemetry_services out;
    out.formats = ingest_routes();
    out.ingest = [this](ingest_request_ptr request) {
      caf::anon_send(ingest_, ingest_atom_v, std::move(request));
    };
    out.health = [this](const std::function<void(std::string)>& reply) {
      reply((*system_.ask<health_part>(engine_, health_atom_v))->dump());
    };
    return out;
  }

  void add_stream_routes(const stream_registry_actor& streams) {
    stream_services services;
    services.ask = [streams](stream_request_ptr request) {
      caf::anon_send(streams, stream_atom_v, std::move(request));
    };
    services.events = [](const std::string&, const asking_party&, const http_call&,
                         const http_reply& reply) {
      reply(http_error(501, "A replay has no responses that go on."));
    };
    router_->add_all(stream_routes(std::move(services), config_.limit));
  }

  milliseconds elapsed() {
    return std::chrono::duration_cast<milliseconds>(system_.now() - begun_);
  }

  void advance_to(milliseconds at) {
    if (at > elapsed())
      system_.advance(at - elapsed());
    system_.settle();
  }

  /// The client of that name; made, and where needed initialized, at its first use.
  client_actor session(const std::string& name, bool handshake) {
    if (const auto known = sessions_.find(name); known != sessions_.end())
      return known->second;
    auto& box = inboxes_[name];
    auto writer = system_.own(system_.sys.spawn(
        scenario_client, [this, name](const std::string& line) { receive(name, line); },
        [&box] { box.ended = true; }));
    auto made = *system_.ask<client_actor>(engine_, attach_atom_v, writer,
                                           client_origin{client_transport::replay});
    sessions_.emplace(name, made);
    if (handshake)
      shake_hands(name, made, box);
    return made;
  }

  void shake_hands(const std::string& name, const client_actor& target, inbox& box) {
    const json hello{{"jsonrpc", "2.0"},
                     {"id", "handshake"},
                     {"method", "initialize"},
                     {"params",
                      {{"protocolVersion", "2025-11-25"},
                       {"capabilities", json::object()},
                       {"clientInfo", {{"name", name}, {"version", "1"}}}}}};
    quiet_ = true;
    send_line(target, hello.dump());
    send_line(target, R"({"jsonrpc":"2.0","method":"notifications/initialized"})");
    quiet_ = false;
    box.results.clear();
  }

  void send_line(const client_actor& target, const std::string& line) {
    caf::anon_send(target, receive_atom_v,
                   std::make_shared<const rpc_frame>(decode_rpc(line, config_.limit)));
    system_.settle();
  }

  void receive(const std::string& name, const std::string& line) {
    const auto message = json::parse(line);
    auto& box = inboxes_[name];
    const bool notification = message.is_object() && message.contains("method");
    (notification ? box.notifications : box.results)
        .push_back(notification ? message : opened(message));
    if (!quiet_)
      told_({elapsed(), name, message});
  }

  void take(const scenario_step&, const post_step& post) {
    http_request_view head;
    head.method = "POST";
    head.target = post.route;
    head.host = "127.0.0.1:7890";
    head.content_type = "application/json";
    std::map<std::string, std::string> headers;
    if (post.headers.is_object())
      for (const auto& [key, value] : post.headers.items())
        headers[key] = value.is_string() ? value.get<std::string>() : value.dump();
    if (headers.count("Host") > 0)
      head.host = headers["Host"];
    if (headers.count("Origin") > 0)
      head.origin = headers["Origin"];
    if (headers.count("Content-Type") > 0)
      head.content_type = headers["Content-Type"];
    for (const auto& [name, value] : headers)
      head.fields.emplace_back(name, value);
    router_->handle(head, post.body, [this](const http_response& response) {
      auto body = json::parse(response.body, nullptr, false);
      json answer{{"status", response.status},
                  {"body", body.is_discarded() ? json(response.body) : std::move(body)}};
      if (response.retry_after_seconds > 0)
        answer["retry_after"] = response.retry_after_seconds;
      answers_.push_back(answer);
      told_({elapsed(), "", std::move(answer)});
    });
  }

  void take(const scenario_step& step, const call_step& call) {
    const json request{{"jsonrpc", "2.0"},
                       {"id", ++last_id_},
                       {"method", "tools/call"},
                       {"params", {{"name", call.tool}, {"arguments", call.arguments}}}};
    send_line(session(step.client, true), request.dump());
  }

  void take(const scenario_step& step, const send_step& send) {
    send_line(session(step.client, false), send.line);
  }

  void take(const scenario_step&, const serve_step& serve) { files_->serve(serve); }

  void take(const scenario_step& step, const disconnect_step&) {
    caf::anon_send(session(step.client, false), closed_atom_v);
  }

  void take(const scenario_step& step, const expect_step& expect) {
    ++playback_.expectations;
    auto& box = inboxes_[step.client];
    switch (expect.what) {
    case expectation::notification:
      take_oldest(step, expect, box.notifications);
      return;
    case expectation::result:
      take_oldest(step, expect, box.results);
      return;
    case expectation::answer:
      take_oldest(step, expect, answers_);
      return;
    case expectation::silence:
      if (!box.notifications.empty())
        fail(step, "expected silence, got " + box.notifications.front().dump());
      return;
    case expectation::exit:
      if (!box.ended)
        fail(step, "expected the session to end, but it goes on");
      return;
    }
  }

  void take_oldest(const scenario_step& step, const expect_step& expect, std::deque<json>& queue) {
    const std::string what{name_of(expect.what)};
    if (queue.empty()) {
      fail(step, "expected a " + what + ", got nothing");
      return;
    }
    const auto found = std::move(queue.front());
    queue.pop_front();
    if (const auto problem = mismatch(expect.match, found); !problem.empty())
      fail(step, what + " differs at " + problem + "\n    in " + found.dump());
  }

  void fail(const scenario_step& step, const std::string& text) {
    playback_.failures.push_back("line " + std::to_string(step.line) + ", at " +
                                 std::to_string(step.at.count()) + " ms, client " + step.client +
                                 ": " + text);
  }

  const scenario& scenario_;
  settings config_;
  const std::function<void(const playback_line&)>& told_;
  virtual_system system_;
  std::shared_ptr<scenario_server> files_ = std::make_shared<scenario_server>(system_.sys);
  mono_time begun_;
  engine_actor engine_;
  ingest_actor ingest_;
  std::unique_ptr<http_router> router_;
  std::map<std::string, client_actor> sessions_;
  std::map<std::string, inbox> inboxes_;
  std::deque<json> answers_;
  playback playback_;
  std::uint64_t last_id_ = 0;
  bool quiet_ = false;
};

} // namespace

result_or<playback> play_scenario(const scenario& s,
                                  const std::function<void(const playback_line&)>& told) {
  settings config;
  if (!s.config.is_null()) {
    auto applied = apply_config_text(std::move(config), s.config.dump(), "config");
    if (!applied)
      return tl::unexpected(applied.error());
    config = std::move(*applied);
  }
  return player{s, std::move(config), told}.run();
}

} // namespace gasoline
