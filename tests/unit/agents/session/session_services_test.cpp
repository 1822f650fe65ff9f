#include "actors/agents/session/session_services.hpp"
#include "tests/unit/support/engine_client.hpp"
#include "tests/unit/support/session_probe.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

/// Sessions with the real services, next to a whole engine, under virtual time.
class services_probe {
 public:
  explicit services_probe(settings config = {}) : engine(std::move(config)) {
    session_services_setup setup;
    setup.system = &engine.vs.sys;
    setup.config = engine.config;
    setup.redaction = std::make_shared<const redaction_engine>(std::vector<redaction_rule>{});
    setup.clock = [](mono_time at) {
      return *from_iso8601("2026-01-28T14:30:00Z") +
             std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch());
    };
    setup.offers = make_client_offers(engine.config);
    setup.links = links;
    setup.detached = false;
    services = make_session_services(std::move(setup));
    session_registry_setup sessions;
    sessions.trace_file = directory.file();
    sessions.services = services;
    sessions.limit = engine.config.limit;
    sessions.detached = false;
    links->engine = engine.handle;
    links->registry = engine.vs.own(engine.vs.sys.spawn(session_registry, std::move(sessions)));
  }
  services_probe(const services_probe&) = delete;
  services_probe& operator=(const services_probe&) = delete;
  ~services_probe() {
    caf::anon_send_exit(links->registry, caf::exit_reason::user_shutdown);
    engine.vs.settle();
    *links = session_links{};
  }

  template <class... Ts>
  session_answer ask(const Ts&... xs) {
    auto answer = engine.vs.ask<session_answer>(links->registry, xs...);
    REQUIRE(answer);
    return *answer;
  }

  static json_document document(json body) { return std::make_shared<const json>(std::move(body)); }

  session_answer try_create(json extra, bool trusted = true) {
    json body{{"workspace_path", workspace()}};
    body.update(extra);
    return ask(create_atom_v, document(std::move(body)), session_caller{trusted});
  }

  /// Runs a whole turn; answers the events that a client sees.
  port_ptr turn(json extra, const std::string& text = "do it") {
    const auto created = try_create(std::move(extra));
    REQUIRE_MESSAGE(created.status == session_status::created, created.body.dump());
    session = agent_session_id{created.body["session_id"]};
    auto port = watch();
    submit(text);
    return port;
  }

  port_ptr watch() {
    const auto attached = ask(attach_atom_v, session, attach_request{"ws://localhost:1", "", true});
    auto port = std::make_shared<fake_port>();
    auto opening = engine.vs.ask<session_opening>(links->registry, open_atom_v, session,
                                                  attached.body["attach_token"].get<std::string>(),
                                                  frame_port_ptr{port});
    REQUIRE(opening);
    port->client = engine.vs.own(opening->client);
    const json subscribe{{"type", "subscribe"}, {"filter", "preset:full"}, {"snapshot", false}};
    caf::anon_send(port->client, receive_atom_v, subscribe.dump());
    engine.vs.settle();
    return port;
  }

  void submit(const std::string& text) {
    const auto answer = ask(submit_atom_v, session, document({{"content", text}}), std::string{});
    REQUIRE(answer.status == session_status::accepted);
    engine.vs.settle();
  }

  std::string workspace() const { return directory.file().parent_path(); }

  scratch_directory directory;
  virtual_engine engine;
  std::shared_ptr<session_links> links = std::make_shared<session_links>();
  std::shared_ptr<session_services> services;
  agent_session_id session;
};

json uses(const std::string& tool, json input) {
  return {{"steps", json::array({{{"tool_use", {{"name", tool}, {"input", std::move(input)}}}}})}};
}

json says(const std::string& text) {
  return {{"steps", json::array({{{"text", text}}})}};
}

json script(std::initializer_list<json> calls) {
  return {{"calls", json::array_t(calls)}};
}

std::string sentence(const session_answer& answer) {
  return answer.body["error"]["message"];
}

} // namespace

TEST_CASE("a session without anything answers") {
  services_probe probe;
  const auto port = probe.turn(json::object(), "good morning");
  CHECK(count(port, "turn.completed") == 1);
  CHECK(first_of(port, "message.complete").dump().find("good morning") != std::string::npos);
}

TEST_CASE("a script is played call by call, with its errors, over several turns") {
  services_probe probe;
  const auto port =
      probe.turn({{"script", script({json{{"error", {{"status", 429}, {"retry_after_ms", 50}}}},
                                     says("one"), says("two")})}});
  CHECK(first_of(port, "llm.call_failed")["payload"]["will_retry"] == true);
  CHECK(count(port, "turn.completed") == 0);
  probe.engine.vs.advance(50ms);
  CHECK(count(port, "turn.completed") == 1);
  probe.submit("more");
  const auto events = port->events();
  CHECK(events.back()["type"] == "turn.completed");
  CHECK(json(port->events()).dump().find("\"two\"") != std::string::npos);
}

TEST_CASE("file tools work in the workspace and what they find is redacted") {
  services_probe probe;
  std::ofstream{probe.workspace() + "/notes.txt"} << "password=hunter2hunter2\nplain\n";
  const auto port = probe.turn(
      {{"tools", {"read_file", "list_files"}},
       {"script",
        script({uses("read_file", {{"path", "notes.txt"}}), uses("list_files", json::object()),
                uses("read_file", {{"path", "../../etc/passwd"}}), says("done")})}});
  CHECK(count(port, "tool.completed") == 2);
  const auto result = first_of(port, "tool.completed")["payload"]["result"].get<std::string>();
  CHECK(result.find("plain") != std::string::npos);
  CHECK(json(port->events()).dump().find("hunter2") == std::string::npos);
  CHECK(first_of(port, "tool.failed")["payload"]["error_class"] == "denied");
  CHECK(count(port, "turn.completed") == 1);
}

TEST_CASE("the engine's own tools answer a session as one of its clients") {
  services_probe probe;
  probe.engine.post_error("cart is broken");
  const auto port =
      probe.turn({{"tools", {"observe", "configure"}},
                  {"script", script({uses("observe", {{"what", "errors"}}),
                                     uses("configure", {{"action", "health"}}),
                                     uses("observe", {{"what", "nonsense"}}), says("done")})}});
  CHECK(count(port, "tool.completed") == 3);
  const auto first = first_of(port, "tool.completed")["payload"];
  CHECK(first["is_error"] == false);
  CHECK(first["result"].get<std::string>().find("cart is broken") != std::string::npos);
  const auto all = json(port->events()).dump();
  CHECK(all.find("\\\"transport\\\":\\\"session\\\"") !=
        std::string::npos); // its own row in `health`
  CHECK(all.find("\"is_error\":true") != std::string::npos);
  CHECK(count(port, "turn.completed") == 1);
}

TEST_CASE("a waiting tool of the engine is given up when the turn is cancelled") {
  services_probe probe;
  const auto port = probe.turn(
      {{"tools", {"observe"}},
       {"script",
        script({uses("observe", {{"what", "alerts"}, {"wait_seconds", 30}}), says("never")})}});
  CHECK(count(port, "tool.called") == 1);
  CHECK(count(port, "tool.completed") == 0);
  const json cancel{{"type", "cancel"},
                    {"turn_id", first_of(port, "turn.started")["turn_id"]},
                    {"reason", "user_cancel"}};
  caf::anon_send(port->client, receive_atom_v, cancel.dump());
  probe.engine.vs.settle();
  CHECK(first_of(port, "tool.failed")["payload"]["error_class"] == "cancelled");
  CHECK(count(port, "turn.cancelled") == 1);
}

TEST_CASE("an idle session is no client of the engine any more") {
  services_probe probe;
  probe.turn({{"tools", {"observe"}},
              {"script", script({uses("observe", {{"what", "errors"}}), says("done")})}});
  const auto clients = [&] {
    return (**probe.engine.vs.ask<health_part>(probe.engine.handle, health_atom_v))["clients"]
        .size();
  };
  CHECK(clients() == 1);
  probe.engine.vs.advance(2h);
  CHECK(clients() == 0);
}

TEST_CASE("a tool that the session does not have is unknown to its model") {
  services_probe probe;
  const auto port =
      probe.turn({{"tools", {"observe"}},
                  {"script", script({uses("read_file", {{"path", "a"}}),
                                     uses("teleport", json::object()), says("done")})}});
  CHECK(count(port, "tool.failed") == 2);
  const auto failed = first_of(port, "tool.failed")["payload"];
  CHECK(failed["error_class"] == "unknown_tool");
  CHECK(failed["message"].get<std::string>().find("it has observe") != std::string::npos);
}

TEST_CASE("a delegation runs a worker session with its own script") {
  services_probe probe;
  const auto port = probe.turn(
      {{"tools", {"delegate"}},
       {"script", script({uses("delegate", {{"task", "count"}, {"script", script({says("42")})}}),
                          says("done")})}});
  CHECK(count(port, "delegate.completed") == 1);
  CHECK(first_of(port, "tool.completed")["payload"]["result"] == "42");
  CHECK(count(port, "turn.completed") == 1);
}

TEST_CASE("a worker with a provider that does not exist fails with a sentence") {
  services_probe probe;
  const auto port = probe.turn(
      {{"tools", {"delegate"}},
       {"script",
        script({uses("delegate", {{"task", "count"}, {"model", "nobody:m"}}), says("done")})}});
  CHECK(count(port, "delegate.failed") == 1);
  CHECK(count(port, "turn.completed") == 1);
}

TEST_CASE("tools that reach files need the token, the shell needs the settings too") {
  services_probe probe;
  auto refused = probe.try_create({{"tools", {"observe", "read_file"}}}, false);
  CHECK(refused.status == session_status::unauthorized);
  CHECK(sentence(refused).find("Authorization: Bearer") != std::string::npos);
  CHECK(probe.try_create({{"tools", {"observe", "delegate"}}}, false).status ==
        session_status::created);
  refused = probe.try_create({{"tools", {"shell"}}});
  CHECK(refused.status == session_status::bad_request);
  CHECK(sentence(refused).find("allow_shell") != std::string::npos);
  refused = probe.try_create({{"tools", {"teleport"}}});
  CHECK(refused.status == session_status::bad_request);
  CHECK(sentence(refused).find("read_file, list_files, delegate, observe") != std::string::npos);

  settings open;
  open.sessions.allow_shell = true;
  services_probe allowed{open};
  CHECK(allowed.try_create({{"tools", {"shell"}}}).status == session_status::created);
  CHECK(allowed.try_create({{"tools", {"shell"}}}, false).status == session_status::unauthorized);
}

TEST_CASE("what is wrong with a script or a provider is told when the session is made") {
  services_probe probe;
  CHECK(sentence(probe.try_create({{"script", 7}})).find("calls") != std::string::npos);
  CHECK(sentence(probe.try_create({{"script", script({says("a")})}, {"script_path", "/x"}}))
            .find("not both") != std::string::npos);
  CHECK(sentence(probe.try_create({{"script_path", "/nowhere/at/all"}})).find("cannot be read") !=
        std::string::npos);
  CHECK(sentence(probe.try_create({{"script_path", "/dev/zero"}})).find("no regular file") !=
        std::string::npos);
  CHECK(sentence(probe.try_create({{"provider", "nobody"}, {"model", "m"}})).find("scripted") !=
        std::string::npos);
  const auto file = probe.workspace() + "/script.json";
  std::ofstream{file} << script({says("from a file")}).dump();
  const auto port = probe.turn({{"script_path", file}});
  CHECK(json(port->events()).dump().find("from a file") != std::string::npos);
  std::ofstream{file} << "{\"calls\":" << std::string(10'000, '[');
  CHECK(sentence(probe.try_create({{"script_path", file}})).find("nests deeper") !=
        std::string::npos);
}
