#include "actors/mcp/protocol/resource_subscriptions.hpp"
#include "tests/unit/support/client_probe.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

const std::string subscription_key{"io.modelcontextprotocol/subscriptionId"};

json listen_params(std::vector<std::string> uris) {
  return {{"notifications", {{"resourceSubscriptions", std::move(uris)}}}};
}

void subscribe(client_probe& client, const std::string& uri) {
  CHECK(client.only(client_probe::legacy("s", "resources/subscribe", {{"uri", uri}}))
            .at("result")
            .empty());
}

std::vector<std::string> updated(client_probe& client) {
  std::vector<std::string> out;
  for (const auto& m : client.take_json())
    if (m.value("method", "") == "notifications/resources/updated")
      out.push_back(m.at("params").at("uri"));
  return out;
}

constexpr const char* failed_run = R"({"status":"failure","source":"ci","commit":"abc"})";

using uris = std::vector<std::string>;

} // namespace

TEST_CASE("the first change is told at once, later ones together when the window is over") {
  resource_subscriptions subscriptions{limits{}};
  REQUIRE(subscriptions.subscribe("gasoline://ci"));
  const mono_time start{100s};
  CHECK(subscriptions.changed("gasoline://ci", start).tell == uris{"gasoline://ci"});
  const auto held = subscriptions.changed("gasoline://ci", start + 10ms);
  CHECK(held.tell.empty());
  CHECK(held.wake_at == start + 1s);
  CHECK(subscriptions.changed("gasoline://ci", start + 900ms).tell.empty());
  const auto due = subscriptions.due(start + 1s);
  CHECK(due.tell == uris{"gasoline://ci"});
  CHECK(!due.wake_at);
  CHECK(subscriptions.changed("gasoline://ci", start + 1'500ms).wake_at == start + 2s);
}

TEST_CASE("resources do not hold each other back, and nobody's changes cost nothing") {
  resource_subscriptions subscriptions{limits{}};
  REQUIRE(subscriptions.subscribe("a"));
  REQUIRE(subscriptions.listen({{}, {"b"}}));
  CHECK(subscriptions.changed("a", mono_time{1s}).tell == uris{"a"});
  CHECK(subscriptions.changed("b", mono_time{1s}).tell == uris{"b"});
  const auto nobody = subscriptions.changed("c", mono_time{1s});
  CHECK(nobody.tell.empty());
  CHECK(!nobody.wake_at);
}

TEST_CASE("what nobody wants any more is not told when it is due") {
  resource_subscriptions subscriptions{limits{}};
  REQUIRE(subscriptions.subscribe("a"));
  subscriptions.changed("a", mono_time{1s});
  subscriptions.changed("a", mono_time{1'100ms});
  subscriptions.unsubscribe("a");
  const auto due = subscriptions.due(mono_time{2s});
  CHECK(due.tell.empty());
  CHECK(!due.wake_at);
}

TEST_CASE("while the client takes nothing, changes are kept once a resource and told afterwards") {
  resource_subscriptions subscriptions{limits{}};
  REQUIRE(subscriptions.subscribe("a"));
  REQUIRE(subscriptions.subscribe("b"));
  const mono_time start{100s};
  CHECK(subscriptions.changed("a", start).tell == uris{"a"});
  CHECK(subscriptions.set_congested(true, start + 1ms).tell.empty());
  for (int i = 0; i < 1'000; ++i) {
    const auto now = start + std::chrono::milliseconds{10 * i};
    for (const auto* uri : {"a", "b"}) {
      const auto next = subscriptions.changed(uri, now);
      CHECK(next.tell.empty());
      CHECK(!next.wake_at);
    }
    CHECK(subscriptions.due(now).tell.empty());
  }
  auto told = subscriptions.set_congested(false, start + 20s).tell;
  std::sort(told.begin(), told.end());
  CHECK(told == uris{"a", "b"});
  CHECK(subscriptions.changed("a", start + 20'100ms).tell.empty());
}

TEST_CASE("a session that takes nothing is told of everything once when it does") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  subscribe(client, "gasoline://errors");
  caf::anon_send(client.session, congested_atom_v, true);
  for (int i = 0; i < 50; ++i) {
    engine.post_error("boom");
    engine.vs.advance(2s);
  }
  CHECK(updated(client).empty());
  caf::anon_send(client.session, congested_atom_v, false);
  engine.vs.settle();
  CHECK(updated(client) == uris{"gasoline://errors"});
  engine.vs.advance(2s);
  engine.post_error("again");
  CHECK(updated(client) == uris{"gasoline://errors"});
}

TEST_CASE("subscriptions and listens are capped; a known one may be repeated") {
  limits limit;
  limit.client.subscriptions = 1;
  limit.client.listens = 1;
  resource_subscriptions subscriptions{limit};
  CHECK(subscriptions.subscribe("a"));
  CHECK(subscriptions.subscribe("a"));
  CHECK(!subscriptions.subscribe("b"));
  const auto first = subscriptions.listen({});
  REQUIRE(first);
  CHECK(!subscriptions.listen({}));
  subscriptions.end_listen(*first);
  CHECK(subscriptions.listen({}));
}

TEST_CASE("every live resource is told of when it changes") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  for (const auto* uri : {"gasoline://alerts", "gasoline://errors", "gasoline://ci",
                          "gasoline://health", "gasoline://guide"})
    subscribe(client, uri);
  engine.vs.advance(5s);
  CHECK(updated(client).empty());
  engine.post_error("boom");
  auto told = updated(client);
  std::sort(told.begin(), told.end());
  CHECK(told == uris{"gasoline://alerts", "gasoline://errors", "gasoline://health"});
  engine.vs.advance(5s);
  CHECK(updated(client).empty());
  engine.post("ci", failed_run);
  told = updated(client);
  std::sort(told.begin(), told.end());
  CHECK(told == uris{"gasoline://alerts", "gasoline://ci", "gasoline://health"});
}

TEST_CASE("a burst is told at most once a second, and its end is not missed") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  subscribe(client, "gasoline://errors");
  for (int i = 0; i < 29; ++i) {
    engine.post_error("boom " + std::to_string(i));
    engine.vs.advance(100ms);
  }
  engine.post_error("the last one");
  CHECK(updated(client).size() == 3);
  engine.vs.advance(99ms);
  CHECK(updated(client).empty());
  engine.vs.advance(1ms);
  CHECK(updated(client).size() == 1);
  engine.vs.advance(10s);
  CHECK(updated(client).empty());
}

TEST_CASE("unsubscribing ends it; one client's subscription is not another's") {
  virtual_engine engine;
  client_probe one{engine};
  client_probe two{engine};
  one.initialize();
  two.initialize();
  subscribe(one, "gasoline://alerts");
  engine.post_error("first");
  CHECK(updated(one).size() == 1);
  CHECK(updated(two).empty());
  CHECK(one.only(client_probe::legacy(1, "resources/unsubscribe", {{"uri", "gasoline://alerts"}}))
            .contains("result"));
  engine.vs.advance(2s);
  engine.post_error("second");
  CHECK(updated(one).empty());
}

TEST_CASE("only resources that exist can be subscribed to") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  const auto unknown =
      client.only(client_probe::legacy(1, "resources/subscribe", {{"uri", "gasoline://nothing"}}));
  CHECK(unknown.at("error").at("code") == -32002);
  CHECK(client.only(client_probe::legacy(2, "resources/subscribe")).at("error").at("code") ==
        -32602);
}

TEST_CASE("a listen is acknowledged first, with its id in its own type and what is honoured") {
  virtual_engine engine;
  client_probe client{engine};
  for (const auto& id : {json(7), json("seven")}) {
    auto params = listen_params({"gasoline://alerts", "gasoline://nothing"});
    params["notifications"]["toolsListChanged"] = true;
    client.send(client_probe::modern(id, "subscriptions/listen", params));
    const auto messages = client.take_json();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].at("method") == "notifications/subscriptions/acknowledged");
    CHECK(messages[0].at("params").at("_meta").at(subscription_key) == id);
    CHECK(messages[0].at("params").at("notifications") ==
          json{{"resourceSubscriptions", {"gasoline://alerts"}}});
  }
  engine.post_error("boom");
  const auto messages = client.take_json();
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].at("params").at("_meta").at(subscription_key) == 7);
  CHECK(messages[1].at("params").at("_meta").at(subscription_key) == "seven");
}

TEST_CASE("a listen ends by cancellation without a word, and by shutdown with its result") {
  virtual_engine engine;
  client_probe client{engine};
  client.send(client_probe::modern(1, "subscriptions/listen", listen_params({"gasoline://ci"})));
  client.send(client_probe::modern(2, "subscriptions/listen", listen_params({"gasoline://ci"})));
  client.take();
  client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  CHECK(client.take().empty());
  engine.post("ci", failed_run);
  auto messages = client.take_json();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].at("params").at("_meta").at(subscription_key) == 2);
  client.leave();
  messages = client.take_json();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].at("id") == 2);
  CHECK(messages[0].at("result").at("resultType") == "complete");
  CHECK(messages[0].at("result").at("_meta").at(subscription_key) == 2);
}

TEST_CASE("over HTTP a closed listen is told nothing more; one that honours nothing ends at once") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  client.send(client_probe::modern(1, "subscriptions/listen", listen_params({"gasoline://ci"})), 3);
  CHECK(client.take().size() == 1);
  client.close_exchange(3);
  client.take();
  engine.post("ci", failed_run);
  CHECK(client.take().empty());
  client.send(client_probe::modern(1, "subscriptions/listen", listen_params({})), 4);
  const auto messages = client.take();
  REQUIRE(messages.size() == 2);
  CHECK(!messages[0].last);
  CHECK(messages[1].last);
  CHECK(messages[1].is_response);
}

TEST_CASE("malformed listens and those above the cap are refused") {
  settings config;
  config.limit.client.listens = 2;
  virtual_engine engine{config};
  client_probe client{engine};
  const auto code = [&](const json& params) {
    client.take();
    client.send(client_probe::modern(9, "subscriptions/listen", params));
    const auto last = client.take_json().back();
    return last.contains("error") ? last.at("error").at("code").get<int>() : 0;
  };
  CHECK(code(json::object()) == -32602);
  CHECK(code({{"notifications", json::array()}}) == -32602);
  CHECK(code({{"notifications", {{"toolsListChanged", "yes"}}}}) == -32602);
  CHECK(code({{"notifications", {{"resourceSubscriptions", "gasoline://ci"}}}}) == -32602);
  CHECK(code({{"notifications", {{"resourceSubscriptions", {1}}}}}) == -32602);
  CHECK(code(listen_params({"gasoline://ci"})) == 0);
  CHECK(code(listen_params({"gasoline://ci"})) == 0);
  CHECK(code(listen_params({"gasoline://ci"})) == -32603);
}

TEST_CASE("list changes reach legacy sessions and the listens of every client that asked") {
  settings config;
  config.conformance_fixtures = true;
  virtual_engine engine{config};
  client_probe legacy{engine};
  legacy.initialize();
  client_probe listening{engine};
  listening.send(client_probe::modern("l", "subscriptions/listen",
                                      {{"notifications", {{"toolsListChanged", true}}}}));
  CHECK(listening.take_json().at(0).at("params").at("notifications") ==
        json{{"toolsListChanged", true}});
  client_probe other{engine};
  other.send(client_probe::modern(1, "tools/call", {{"name", "test_trigger_tool_change"}}));
  other.send(client_probe::modern(2, "tools/call", {{"name", "test_trigger_prompt_change"}}));
  engine.vs.advance(1s);
  const auto told = listening.take_json();
  REQUIRE(told.size() == 1);
  CHECK(told[0].at("method") == "notifications/tools/list_changed");
  CHECK(told[0].at("params").at("_meta").at(subscription_key) == "l");
  CHECK(legacy.take_json().size() == 2);
}
