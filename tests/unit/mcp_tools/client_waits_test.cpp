#include "actors/mcp_tools/tool/call_wait.hpp"
#include "tests/unit/support/client_probe.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

json wait_call(int seconds) {
  return {{"name", "observe"}, {"arguments", {{"what", "alerts"}, {"wait_seconds", seconds}}}};
}

} // namespace

TEST_CASE("a wait without progress looks once, at its end") {
  const call_wait wait{mono_time{}, 30s, std::nullopt};
  const auto first = wait.at(mono_time{});
  CHECK(!first.over);
  CHECK(!first.progressed);
  CHECK(first.next == 30s);
  CHECK(wait.at(mono_time{} + 29'999ms).next == 1ms);
  CHECK(wait.at(mono_time{} + 30s).over);
}

TEST_CASE("a wait with progress looks at each interval and at its end") {
  const call_wait wait{mono_time{}, 12s, 5s};
  CHECK(wait.at(mono_time{}).progressed == 0s);
  CHECK(wait.at(mono_time{}).next == 5s);
  CHECK(wait.at(mono_time{} + 5s).progressed == 5s);
  CHECK(wait.at(mono_time{} + 10s).next == 2s);
  CHECK(wait.at(mono_time{} + 12s).over);
}

TEST_CASE("an unread alert is answered at once, and the next wait is not") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  engine.post_error("boom in the cart");
  CHECK(text_of(client.only(client_probe::legacy(1, "tools/call", wait_call(50))))
            .find("boom in the cart") != std::string::npos);
  client.send(client_probe::legacy(2, "tools/call", wait_call(50)));
  engine.vs.advance(10s);
  CHECK(client.take().empty());
}

TEST_CASE("an alert ends the wait the moment it is raised") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  client.send(client_probe::legacy(1, "tools/call", wait_call(50)));
  engine.vs.advance(20s);
  CHECK(client.take().empty());
  engine.post_error("late boom");
  const auto answers = client.take_json();
  REQUIRE(answers.size() == 1);
  CHECK(text_of(answers[0]).find("late boom") != std::string::npos);
  engine.vs.advance(60s);
  CHECK(client.take().empty());
}

TEST_CASE("an alert that is raised while the wait begins is not missed, at any step of it") {
  for (int steps = 0; steps < 12; ++steps) {
    CAPTURE(steps);
    virtual_engine engine;
    client_probe client{engine};
    client.initialize();
    const auto frame = std::make_shared<const rpc_frame>(
        decode_rpc(client_probe::legacy(1, "tools/call", wait_call(50)), engine.config.limit));
    auto request = std::make_shared<ingest_request>();
    request->format = "logs";
    request->body = R"({"entries":[{"level":"error","type":"exception","message":"boom"}]})";
    request->reply = [](const ingest_answer&) {};
    caf::anon_send(engine.ingest, ingest_atom_v, std::move(request));
    for (int i = 0; i < steps && engine.vs.sched.has_job(); ++i)
      engine.vs.sched.run_once();
    caf::anon_send(client.session, receive_atom_v, frame);
    engine.vs.settle();
    const auto answers = client.take_json();
    REQUIRE(answers.size() == 1);
    CHECK(text_of(answers[0]).find("boom") != std::string::npos);
  }
}

TEST_CASE("a call that is cancelled at any step loses no alert") {
  for (int steps = 0; steps < 12; ++steps) {
    CAPTURE(steps);
    virtual_engine engine;
    client_probe client{engine};
    client.initialize();
    engine.post_error("boom in the cart");
    const json observe{{"name", "observe"}, {"arguments", {{"what", "ci"}}}};
    const auto send = [&](const std::string& text) {
      caf::anon_send(client.session, receive_atom_v,
                     std::make_shared<const rpc_frame>(decode_rpc(text, engine.config.limit)));
    };
    send(client_probe::legacy(1, "tools/call", observe));
    for (int i = 0; i < steps && engine.vs.sched.has_job(); ++i)
      engine.vs.sched.run_once();
    send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
    engine.vs.settle();
    auto answers = client.take_json();
    answers.push_back(client.only(client_probe::legacy(2, "tools/call", observe)));
    int told = 0;
    for (const auto& answer : answers)
      told += answer.dump().find("boom in the cart") != std::string::npos ? 1 : 0;
    CHECK(told == 1);
  }
}

TEST_CASE("a wait for nothing ends empty at its limit") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  client.send(client_probe::legacy(1, "tools/call", wait_call(50)));
  engine.vs.advance(49'999ms);
  CHECK(client.take().empty());
  engine.vs.advance(1ms);
  const auto answers = client.take_json();
  REQUIRE(answers.size() == 1);
  CHECK(text_of(answers[0]).find("No alerts") == 0);
  CHECK(!answers[0].at("result").contains("isError"));
}

TEST_CASE("a wait out of range or for something else is a sentence") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  for (const auto& seconds : {json(51), json(-1), json(1e300), json("ten"), json(2.5)}) {
    CAPTURE(seconds);
    auto call = wait_call(0);
    call["arguments"]["wait_seconds"] = seconds;
    const auto answer = client.only(client_probe::legacy(1, "tools/call", call));
    CHECK(answer.at("result").at("isError") == true);
    CHECK(text_of(answer).find("wait_seconds") != std::string::npos);
  }
  auto call = wait_call(5);
  call["arguments"]["what"] = "errors";
  CHECK(client.only(client_probe::legacy(2, "tools/call", call)).at("result").at("isError") ==
        true);
}

TEST_CASE("progress is shown every 5 s, rising, only with a token, and never after the answer") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  auto call = wait_call(12);
  call["_meta"] = {{"progressToken", "p"}};
  client.send(client_probe::legacy(1, "tools/call", call));
  engine.vs.advance(60s);
  const auto messages = client.take_json();
  REQUIRE(messages.size() == 4);
  double last = -1;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(messages[i].at("method") == "notifications/progress");
    const auto& params = messages[i].at("params");
    CHECK(params.at("progressToken") == "p");
    CHECK(params.at("total") == 12);
    CHECK(params.at("progress").get<double>() > last);
    last = params.at("progress");
  }
  CHECK(messages[3].at("id") == 1);
}

TEST_CASE("a cancelled wait is not answered, in either era") {
  virtual_engine engine;
  client_probe legacy{engine};
  legacy.initialize();
  client_probe modern{engine};
  legacy.send(client_probe::legacy(1, "tools/call", wait_call(10)));
  modern.send(client_probe::modern(1, "tools/call", wait_call(10)));
  for (auto* client : {&legacy, &modern})
    client->send(
        R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  engine.post_error("boom");
  engine.vs.advance(20s);
  CHECK(legacy.take().empty());
  CHECK(modern.take().empty());
  // What a cancelled wait would have told is still unread.
  CHECK(text_of(modern.only(client_probe::modern(2, "tools/call", wait_call(1)))).find("boom") !=
        std::string::npos);
}

TEST_CASE("a modern wait with a log level streams the alert on its own response first") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  const std::string level{"io.modelcontextprotocol/logLevel"};
  client.send(client_probe::modern(1, "tools/call", wait_call(30), {{level, "warning"}}), 4);
  client.send(client_probe::modern(2, "tools/call", wait_call(30), {{level, "critical"}}), 5);
  client.send(client_probe::modern(3, "tools/call", wait_call(30)), 6);
  engine.post_error("boom");
  const auto messages = client.take();
  REQUIRE(messages.size() == 4);
  CHECK(messages[0].exchange == 4);
  CHECK(!messages[0].is_response);
  const auto told = json::parse(*messages[0].text);
  CHECK(told.at("method") == "notifications/message");
  CHECK(told.at("params").at("logger") == "gasoline");
  CHECK(told.at("params").at("level") == "error");
  CHECK(told.at("params").at("data").at("title").get<std::string>().find("boom") !=
        std::string::npos);
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(messages[i].last);
    CHECK(messages[i].is_response);
    CHECK(messages[i].text->find("boom") != std::string::npos);
  }
}

TEST_CASE("a thousand waiters are one timer each and tick nothing") {
  virtual_engine engine;
  std::vector<std::unique_ptr<client_probe>> clients;
  for (int c = 0; c < 10; ++c) {
    clients.push_back(std::make_unique<client_probe>(engine));
    clients.back()->initialize();
    for (int i = 0; i < 100; ++i)
      clients.back()->send(client_probe::legacy(i, "tools/call", wait_call(50)));
  }
  const auto timers = engine.vs.timers();
  CHECK(timers <= 1000 + 5);
  CHECK(engine.vs.settle() == 0);
  engine.vs.advance(49s);
  CHECK(engine.vs.timers() == timers);
  engine.post_error("boom");
  for (auto& client : clients)
    CHECK(client->take_json().size() == 100);
}

TEST_CASE("a client that leaves is answered and gone, however long it would have waited") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  client.send(client_probe::legacy(1, "tools/call", wait_call(50)));
  client.leave();
  CHECK(client.take_json().size() == 1);
  const auto health = *engine.vs.ask<health_part>(engine.handle, health_atom_v);
  CHECK(health->at("clients").empty());
}
