#include "tests/unit/support/client_probe.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

json call(const char* tool, json arguments = json::object()) {
  return {{"name", tool}, {"arguments", std::move(arguments)}};
}

json elicits() {
  return {{"io.modelcontextprotocol/clientCapabilities", {{"elicitation", json::object()}}}};
}

/// A legacy client that has been asked something by a tool of its own request 1.
struct asked_client {
  explicit asked_client(settings config = with_fixtures()) : engine(std::move(config)) {
    client.initialize("2025-11-25", {{"sampling", json::object()}});
    question = ask(1);
  }

  json ask(int id) {
    return client.only(
        client_probe::legacy(id, "tools/call", call("test_sampling", {{"prompt", "hello"}})), 3);
  }

  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  json question;
};

const std::string key{"user_name"};

} // namespace

TEST_CASE("a tool asks a legacy client on its own exchange and goes on with the answer") {
  asked_client f;
  REQUIRE(f.question.at("method") == "sampling/createMessage");
  CHECK(f.question.at("params").at("messages").size() == 1);
  f.client.send(
      json{{"jsonrpc", "2.0"},
           {"id", f.question.at("id")},
           {"result", {{"role", "assistant"}, {"content", {{"type", "text"}, {"text", "hi"}}}}}}
          .dump(),
      4);
  const auto messages = f.client.take();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].exchange == 3);
  CHECK(messages[0].last);
  CHECK(text_of(json::parse(*messages[0].text)) == "LLM response: hi");
  CHECK(messages[1].exchange == 4);
  CHECK(messages[1].last);
  CHECK(!messages[1].text);
}

TEST_CASE("replies to nothing, twice, or of the wrong type are ignored") {
  asked_client f;
  for (const auto& id : {json(99), json("1"), json(-1), json(f.question.at("id").dump())})
    f.client.send(json{{"jsonrpc", "2.0"}, {"id", id}, {"result", json::object()}}.dump());
  CHECK(f.client.take_json().empty());
  const auto refusal = json{{"jsonrpc", "2.0"},
                            {"id", f.question.at("id")},
                            {"error", {{"code", -1}, {"message", "no"}}}};
  f.client.send(refusal.dump());
  CHECK(f.client.take_json().size() == 1);
  f.client.send(refusal.dump());
  CHECK(f.client.take_json().empty());
}

TEST_CASE("a client that does not answer in time is told so, and the tool as well") {
  asked_client f;
  f.engine.vs.advance(300s);
  const auto messages = f.client.take_json();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].at("method") == "notifications/cancelled");
  CHECK(messages[0].at("params").at("requestId") == f.question.at("id"));
  CHECK(messages[1].at("id") == 1);
}

TEST_CASE("cancelling the request withdraws the question") {
  asked_client f;
  f.client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
                4);
  const auto messages = f.client.take_json();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].at("method") == "notifications/cancelled");
  f.client.send(
      json{{"jsonrpc", "2.0"}, {"id", f.question.at("id")}, {"result", json::object()}}.dump());
  CHECK(f.client.take_json().empty());
}

TEST_CASE("questions are capped") {
  auto config = with_fixtures();
  config.limit.client.asks = 2;
  asked_client f{config};
  CHECK(f.ask(2).contains("method"));
  CHECK(f.ask(3).at("id") == 3);
}

TEST_CASE("a client that leaves with a question open is answered and gone") {
  asked_client f;
  f.client.leave();
  CHECK(f.client.take_json().at(0).at("id") == 1);
}

TEST_CASE("a modern client is asked by its result and retries with the answer") {
  virtual_engine engine{with_fixtures()};
  client_probe client{engine};
  const auto asked = client.only(client_probe::modern(
      1, "tools/call", call("test_input_required_result_elicitation"), elicits()));
  CHECK(asked.at("result").at("resultType") == "input_required");
  CHECK(asked.at("result").at("inputRequests").at(key).at("method") == "elicitation/create");
  auto retry = call("test_input_required_result_elicitation");
  retry["inputResponses"] = {{key, {{"action", "accept"}, {"content", {{"name", "Zoe"}}}}},
                             {"extra", 1}};
  const auto done = client.only(client_probe::modern(2, "tools/call", retry, elicits()));
  CHECK(done.at("result").at("resultType") == "complete");
  CHECK(text_of(done).find("Zoe") != std::string::npos);
}

TEST_CASE("wrong answers are asked again or refused, never taken") {
  virtual_engine engine{with_fixtures()};
  client_probe client{engine};
  auto retry = call("test_input_required_result_elicitation");
  for (const auto& wrong : {json(12345), json(), json("x"), json::array()}) {
    CAPTURE(wrong);
    retry["inputResponses"] = {{key, wrong}};
    CHECK(client.only(client_probe::modern(2, "tools/call", retry, elicits()))
              .at("result")
              .at("resultType") == "input_required");
    retry["inputResponses"] = wrong;
    const auto answer = client.only(client_probe::modern(2, "tools/call", retry, elicits()));
    if (wrong.is_object() || wrong.is_null()) // null is what a client leaves out
      continue;
    CHECK(answer.at("error").at("code") == -32602);
  }
}

TEST_CASE("a client without the capability is refused with what it lacks") {
  virtual_engine engine{with_fixtures()};
  client_probe client{engine};
  const auto refused = client.only(
      client_probe::modern(1, "tools/call", call("test_input_required_result_elicitation")));
  CHECK(refused.at("error").at("code") == -32021);
  CHECK(refused.at("error").at("data").at("requiredCapabilities") ==
        json{{"elicitation", json::object()}});
}

TEST_CASE("a state serves its own request and client only, and not for ever") {
  virtual_engine engine{with_fixtures()};
  client_probe client{engine};
  client_probe other{engine};
  const auto first = client.only(client_probe::modern(
      1, "tools/call", call("test_input_required_result_request_state"), elicits()));
  const auto state = first.at("result").at("requestState").get<std::string>();
  const auto use = [&](client_probe& who, const char* tool, const std::string& given) {
    auto retry = call(tool);
    retry["requestState"] = given;
    return who.only(client_probe::modern(2, "tools/call", retry, elicits()));
  };
  constexpr auto tool = "test_input_required_result_request_state";
  CHECK(use(client, tool, state).contains("result"));
  CHECK(use(other, tool, state).at("error").at("code") == -32602);
  CHECK(use(client, "test_input_required_result_multi_round", state).at("error").at("code") ==
        -32602);
  CHECK(use(client, tool, state + "0").at("error").at("code") == -32602);
  engine.vs.advance(600s);
  CHECK(use(client, tool, state).at("error").at("code") == -32602);
}
