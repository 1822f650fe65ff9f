#pragma once

#include "actors/agents/registry/session_registry.hpp"
#include "actors/agents/session/agent_session.hpp"
#include "actors/agents/turn/delegate_run.hpp"
#include "tests/unit/support/virtual_system.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gasoline::test {

/// A directory that ends with the test.
class scratch_directory {
 public:
  scratch_directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gasoline-sessions-XXXXXX");
    path_ = ::mkdtemp(pattern.data());
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;
  ~scratch_directory() { std::filesystem::remove_all(path_); }

  std::filesystem::path file() const { return path_ / "trace.db"; }

 private:
  std::filesystem::path path_;
};

/// A model call that the test answers by hand.
struct fake_call {
  model_call_ptr call;
  turn_actor turn;
  provider_actor provider;
  bool cancelled = false;
};

/// A tool run that the test ends by hand.
struct fake_run {
  tool_request_ptr request;
  turn_actor turn;
  tool_run_actor tool;
  bool cancelled = false;
};

/// What the session's services were asked for.
struct fake_world {
  std::vector<std::shared_ptr<fake_call>> calls;
  std::vector<std::shared_ptr<fake_run>> runs;
  session_registry_actor registry;
  std::set<std::string> asked_about; ///< tools that are not run before somebody allows them
  std::uint64_t random = 0x1234'5678;
  std::shared_ptr<byte_budget> answers = std::make_shared<byte_budget>(64ULL << 20);
  std::shared_ptr<byte_budget> turns = std::make_shared<byte_budget>(64ULL << 20);
};

inline provider_actor::behavior_type fake_provider(provider_actor::pointer self,
                                                   std::shared_ptr<fake_call> call) {
  return {[self, call](cancel_atom) {
    call->cancelled = true;
    self->quit();
  }};
}

inline tool_run_actor::behavior_type fake_tool(tool_run_actor::pointer self,
                                               std::shared_ptr<fake_run> run) {
  return {[self, run](cancel_atom) {
    run->cancelled = true;
    tool_outcome outcome;
    outcome.tool_use_id = run->request->tool_use_id;
    outcome.error_class = "cancelled";
    outcome.text = "stopped";
    self->send(run->turn, outcome_atom_v, std::move(outcome));
    self->quit();
  }};
}

inline std::shared_ptr<session_services> fake_services(caf::actor_system& system,
                                                       const std::shared_ptr<fake_world>& world) {
  auto services = std::make_shared<session_services>();
  services->model_fault = [](std::string_view provider,
                             std::string_view) -> std::optional<std::string> {
    if (provider == "fake")
      return std::nullopt;
    return "There is no such provider.";
  };
  services->start_model = [&system, world](std::string_view, const model_call_ptr& call,
                                           const turn_actor& turn) {
    auto made = std::make_shared<fake_call>();
    made->call = call;
    made->turn = turn;
    made->provider = system.spawn(fake_provider, made);
    world->calls.push_back(made);
    return made->provider;
  };
  services->tool_fault = [](const std::vector<std::string>& tools,
                            bool trusted) -> std::optional<session_answer> {
    for (const auto& tool : tools)
      if (tool == "shell" && !trusted)
        return session_error(session_status::unauthorized, "token_needed", "Send the token.");
    return std::nullopt;
  };
  services->tools_of = [](const std::vector<std::string>&) { return std::vector<model_tool>{}; };
  services->start_tool = [&system, world](const tool_request_ptr& request, const session_summary&,
                                          const turn_actor& turn) -> tool_run_actor {
    if (request->tool_name == "delegate")
      return delegate_run(system, {world->registry, turn, *request});
    auto made = std::make_shared<fake_run>();
    made->request = request;
    made->turn = turn;
    made->tool = system.spawn(fake_tool, made);
    world->runs.push_back(made);
    return made->tool;
  };
  services->permission_of = [world](const tool_request& request, const session_summary& session) {
    const auto& given = session.grants;
    const bool granted = std::find(given.begin(), given.end(), request.tool_name) != given.end();
    return permission_verdict{granted || world->asked_about.count(request.tool_name) == 0
                                  ? permission_choice::allow
                                  : permission_choice::ask,
                              "Why not?"};
  };
  services->price_of = [](std::string_view) { return std::optional<model_price>{}; };
  services->session_ended = [](const agent_session_id&) {};
  services->script_of = [](const nlohmann::json&) { return result_or<std::string>{std::string{}}; };
  services->answers = world->answers;
  services->turns = world->turns;
  services->clock = [](mono_time at) {
    return wall_time{std::chrono::milliseconds{1'800'000'000'000}} +
           std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
  };
  services->random = [world] {
    world->random = world->random * 6'364'136'223'846'793'005ULL + 1'442'695'040'888'963'407ULL;
    return world->random;
  };
  return services;
}

/// A client's socket: keeps what was written, and takes frames at once or when the test says so.
class fake_port final : public frame_port, public std::enable_shared_from_this<fake_port> {
 public:
  std::uint64_t send(std::vector<frame_text> frames, frame_pace) override {
    for (const auto& frame : frames)
      frames_.push_back(nlohmann::json::parse(*frame));
    waiting_ += frames.size();
    ++writes;
    if (!stalled)
      take();
    return 0;
  }

  void close(std::uint16_t code, std::string reason) override {
    closed_code = code;
    close_reason = std::move(reason);
  }

  /// The socket takes what it was given.
  void take() {
    const auto taken = std::exchange(waiting_, 0);
    if (taken > 0)
      caf::anon_send(client, sent_atom_v, taken);
  }

  /// Frames so far, of that type; empty: all.
  std::vector<nlohmann::json> frames(const std::string& type = {}) const {
    std::vector<nlohmann::json> out;
    for (const auto& frame : frames_)
      if (type.empty() || frame["type"] == type)
        out.push_back(frame);
    return out;
  }

  /// The events so far.
  std::vector<nlohmann::json> events() const {
    std::vector<nlohmann::json> out;
    for (const auto& frame : frames("event"))
      out.push_back(frame["event"]);
    return out;
  }

  /// Their types, in order.
  std::vector<std::string> types() const {
    std::vector<std::string> out;
    for (const auto& e : events())
      out.push_back(e["type"]);
    return out;
  }

  std::string last_id() const { return events().back()["id"]; }

  watcher_actor client;
  bool stalled = false;
  std::size_t writes = 0;
  std::optional<std::uint16_t> closed_code;
  std::string close_reason;

 private:
  std::vector<nlohmann::json> frames_;
  std::uint64_t waiting_ = 0;
};

using port_ptr = std::shared_ptr<fake_port>;

/// How many events of that type have come.
inline std::size_t count(const port_ptr& port, const std::string& type) {
  const auto types = port->types();
  return static_cast<std::size_t>(std::count(types.begin(), types.end(), type));
}

/// The first event of that type; the test fails when there is none.
inline nlohmann::json first_of(const port_ptr& port, const std::string& type) {
  for (const auto& e : port->events())
    if (e["type"] == type)
      return e;
  FAIL("no event " << type);
  return {};
}

/// Sessions under virtual time with a model, tools and sockets that the test plays.
class session_probe {
 public:
  explicit session_probe(limits limit = {}) : limit_(limit) { start(); }
  session_probe(const session_probe&) = delete;
  session_probe& operator=(const session_probe&) = delete;
  ~session_probe() { stop(); }

  /// The answer of the registry to one request.
  template <class... Ts>
  session_answer ask(const Ts&... xs) {
    auto answer = vs->ask<session_answer>(registry, xs...);
    if (!answer)
      FAIL(vs->sys.render(answer.error()));
    return *answer;
  }

  static json_document document(nlohmann::json body) {
    return std::make_shared<const nlohmann::json>(std::move(body));
  }

  agent_session_id create(nlohmann::json extra = nlohmann::json::object()) {
    nlohmann::json body{{"workspace_path", "/srv/app"}, {"provider", "fake"}, {"model", "m"}};
    body.update(extra);
    const auto answer = ask(create_atom_v, document(std::move(body)), session_caller{true});
    REQUIRE(answer.status == session_status::created);
    return agent_session_id{answer.body["session_id"]};
  }

  agent_turn_id submit(const agent_session_id& session, const std::string& text = "do it") {
    const auto answer = ask(submit_atom_v, session, document({{"content", text}}), std::string{});
    REQUIRE(answer.status == session_status::accepted);
    return agent_turn_id{answer.body["turn_id"]};
  }

  /// A connected client that has said nothing yet.
  port_ptr connect(const agent_session_id& session) {
    const auto attached = ask(attach_atom_v, session, attach_request{"ws://localhost:1", "", true});
    REQUIRE(attached.status == session_status::ok);
    return connect_with(session, attached.body["attach_token"]);
  }

  port_ptr connect_with(const agent_session_id& session, const std::string& token) {
    auto port = std::make_shared<fake_port>();
    auto opening =
        vs->ask<session_opening>(registry, open_atom_v, session, token, frame_port_ptr{port});
    REQUIRE(opening);
    if (!opening->client)
      return nullptr;
    port->client = vs->own(opening->client);
    return port;
  }

  void say(const port_ptr& port, const nlohmann::json& frame) {
    caf::anon_send(port->client, receive_atom_v, frame.dump());
    vs->settle();
  }

  void subscribe(const port_ptr& port, const nlohmann::json& filter = "preset:full",
                 const nlohmann::json& since = nullptr, bool snapshot = false) {
    say(port,
        {{"type", "subscribe"}, {"filter", filter}, {"since", since}, {"snapshot", snapshot}});
  }

  port_ptr watch(const agent_session_id& session, const nlohmann::json& filter = "preset:full") {
    auto port = connect(session);
    subscribe(port, filter);
    return port;
  }

  void disconnect(const port_ptr& port) {
    caf::anon_send(port->client, closed_atom_v);
    vs->settle();
  }

  void cancel(const port_ptr& port, const agent_turn_id& turn, const char* reason = "user_cancel") {
    say(port, {{"type", "cancel"}, {"turn_id", turn}, {"reason", reason}});
  }

  // ---- the model ----

  fake_call& call() { return *world->calls.back(); }

  void chunk(provider_chunk c) {
    const auto asked = world->calls.back();
    const bool last = c.kind == chunk_kind::finished || c.kind == chunk_kind::failed;
    caf::anon_send(asked->turn, chunk_atom_v,
                   std::make_shared<const std::vector<provider_chunk>>(1, std::move(c)));
    vs->settle();
    if (last)
      caf::anon_send_exit(asked->provider, caf::exit_reason::user_shutdown);
    vs->settle();
  }

  void begin_answer() { chunk({}); }

  void text(const std::string& piece, std::uint64_t block = 0) {
    provider_chunk c;
    c.kind = chunk_kind::text;
    c.block_index = block;
    c.text = piece;
    chunk(std::move(c));
  }

  void tool_use(std::uint64_t block, const std::string& id, const std::string& name,
                const std::string& input) {
    provider_chunk c;
    c.kind = chunk_kind::tool_use_start;
    c.block_index = block;
    c.tool_use_id = id;
    c.tool_name = name;
    chunk(c);
    c.kind = chunk_kind::tool_use_input;
    c.text = input;
    chunk(c);
    c.kind = chunk_kind::tool_use_end;
    c.text.clear();
    chunk(c);
  }

  void finish(const std::string& stop_reason = "end_turn") {
    provider_chunk c;
    c.kind = chunk_kind::finished;
    c.stop_reason = stop_reason;
    c.usage.input = 10;
    c.usage.output = 5;
    chunk(std::move(c));
  }

  /// A whole answer of one text.
  void answer(const std::string& whole) {
    begin_answer();
    text(whole);
    finish();
  }

  // ---- tools ----

  void end_tool(fake_run& run, const std::string& result) {
    tool_outcome outcome;
    outcome.tool_use_id = run.request->tool_use_id;
    outcome.text = result;
    caf::anon_send(run.turn, outcome_atom_v, std::move(outcome));
    vs->settle();
    caf::anon_send_exit(run.tool, caf::exit_reason::user_shutdown);
    vs->settle();
  }

  /// The process dies without a word, and another one opens what it has left on the disk.
  void restart() {
    auto left = std::make_unique<scratch_directory>();
    for (const char* suffix : {"", "-wal"})
      std::filesystem::copy_file(directory->file().string() + suffix,
                                 left->file().string() + suffix);
    stop();
    directory = std::move(left);
    start();
  }

  /// The engine starts with what is in `directory`.
  void start() {
    const auto then = vs_time_;
    vs = std::make_unique<virtual_system>();
    vs->sched.clock().current_time += then;
    session_registry_setup setup;
    setup.trace_file = directory->file();
    setup.services = fake_services(vs->sys, world);
    setup.limit = limit_;
    setup.detached = false;
    registry = vs->own(vs->sys.spawn(session_registry, std::move(setup)));
    world->registry = registry;
    vs_time_ += std::chrono::hours{1};
  }

  /// The engine ends in order.
  void stop() {
    caf::anon_send_exit(registry, caf::exit_reason::user_shutdown);
    vs->settle();
    registry = session_registry_actor{};
    const auto random = world->random;
    for (const auto& asked : world->calls)
      caf::anon_send_exit(asked->provider, caf::exit_reason::kill);
    for (const auto& run : world->runs)
      caf::anon_send_exit(run->tool, caf::exit_reason::kill);
    vs->settle();
    world = std::make_shared<fake_world>();
    world->random = random;
    vs.reset();
  }

  std::unique_ptr<scratch_directory> directory = std::make_unique<scratch_directory>();
  std::shared_ptr<fake_world> world = std::make_shared<fake_world>();
  std::unique_ptr<virtual_system> vs;
  session_registry_actor registry;

 private:
  limits limit_;
  std::chrono::nanoseconds vs_time_{0};
};

} // namespace gasoline::test
