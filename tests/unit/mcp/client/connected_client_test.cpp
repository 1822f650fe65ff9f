#include "tests/unit/support/client_probe.hpp"

#include <doctest/doctest.h>

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

std::string observe_errors(const json& id) {
  return client_probe::legacy(id, "tools/call",
                              {{"name", "observe"}, {"arguments", {{"what", "errors"}}}});
}

std::size_t lasts(const std::vector<outgoing>& messages, exchange_id exchange) {
  return static_cast<std::size_t>(
      std::count_if(messages.begin(), messages.end(),
                    [&](const outgoing& m) { return m.exchange == exchange && m.last; }));
}

} // namespace

TEST_CASE("initialize agrees on every legacy revision and never on 2026-07-28") {
  virtual_engine engine;
  for (const auto* asked : {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}) {
    client_probe client{engine};
    const auto answer =
        client.only(client_probe::legacy(1, "initialize", {{"protocolVersion", asked}}));
    CHECK(answer.at("result").at("protocolVersion") == asked);
    CHECK(!answer.at("result").contains("resultType"));
  }
  client_probe client{engine};
  const auto answer =
      client.only(client_probe::legacy(1, "initialize", {{"protocolVersion", "2026-07-28"}}));
  CHECK(answer.at("result").at("protocolVersion") == "2025-11-25");
}

TEST_CASE("each method exists in its eras only") {
  struct row {
    const char* method;
    bool legacy;
    bool modern;
  };
  const row rows[] = {{"ping", true, false},
                      {"logging/setLevel", true, false},
                      {"resources/subscribe", true, false},
                      {"resources/unsubscribe", true, false},
                      {"server/discover", false, true},
                      {"subscriptions/listen", false, true},
                      {"tools/list", true, true},
                      {"prompts/list", true, true},
                      {"resources/list", true, true},
                      {"resources/templates/list", true, true},
                      {"no/such", false, false}};
  virtual_engine engine;
  client_probe legacy{engine};
  legacy.initialize();
  client_probe modern{engine};
  constexpr auto missing = -32601;
  for (const auto& r : rows) {
    CAPTURE(r.method);
    const auto old = legacy.only(client_probe::legacy(7, r.method));
    CHECK((old.contains("error") && old.at("error").at("code") == missing) == !r.legacy);
    modern.send(client_probe::modern(7, r.method, {{"notifications", json::object()}}));
    const auto all = modern.take_json();
    REQUIRE(!all.empty());
    CHECK((all.back().contains("error") && all.back().at("error").at("code") == missing) ==
          !r.modern);
  }
}

TEST_CASE("a first claimed request pins a connection to the modern era; discover does not") {
  virtual_engine engine;
  client_probe client{engine};
  const auto found = client.only(client_probe::modern("d", "server/discover"));
  CHECK(found.at("result").at("supportedVersions") == json{"2026-07-28"});
  CHECK(found.at("result").at("resultType") == "complete");
  client.initialize();
  CHECK(client.only(client_probe::legacy(1, "ping")).contains("result"));

  client_probe pinned{engine};
  CHECK(pinned.only(client_probe::modern(1, "tools/list")).at("result").at("ttlMs") >= 0);
  const auto refused =
      pinned.only(client_probe::legacy(2, "initialize", {{"protocolVersion", "2025-11-25"}}));
  CHECK(refused.at("id") == 2);
  CHECK(refused.at("error").at("code") == -32022);
  CHECK(refused.at("error").at("data").at("supported") == json{"2026-07-28"});
  CHECK(refused.at("error").at("data").at("requested") == "2025-11-25");
  CHECK(pinned.only(client_probe::legacy(3, "tools/list")).at("error").at("code") == -32602);
}

TEST_CASE("before initialize a legacy client can only ping; the bridge needs none") {
  virtual_engine engine;
  client_probe client{engine};
  CHECK(client.only(client_probe::legacy(1, "ping")).contains("result"));
  CHECK(client.only(observe_errors(2)).at("error").at("code") == -32600);
  client_probe bridge{engine, client_origin{client_transport::bridge, "extension"}};
  CHECK(bridge.only(observe_errors(3), 1).contains("result"));
}

TEST_CASE("claims are checked in order: required keys, version, optional keys, method") {
  virtual_engine engine;
  client_probe client{engine};
  const auto code = [&](const json& meta, const char* method = "tools/list") {
    const auto answer = client.only(client_probe::legacy(5, method, {{"_meta", meta}}), 1);
    CHECK(answer.at("id") == 5);
    return answer.contains("error") ? answer.at("error").at("code").get<int>() : 0;
  };
  const std::string p{mcp_meta_prefix};
  CHECK(code({{p + "protocolVersion", "2026-07-28"}}) == -32602);
  CHECK(code({{p + "protocolVersion", 20260728}, {p + "clientCapabilities", json::object()}}) ==
        -32602);
  CHECK(code({{p + "protocolVersion", "2025-11-25"}}) == -32602);
  CHECK(code({{p + "protocolVersion", "2025-11-25"}, {p + "clientCapabilities", json::object()}}) ==
        -32022);
  CHECK(code({{p + "protocolVersion", "2026-07-28"},
              {p + "clientCapabilities", json::object()},
              {p + "logLevel", "loud"}}) == -32602);
  CHECK(code({{p + "protocolVersion", "2026-07-28"}, {p + "clientCapabilities", json::object()}},
             "ping") == -32601);
  CHECK(code({{p + "protocolVersion", "2026-07-28"}, {p + "clientCapabilities", json::object()}}) ==
        0);
}

TEST_CASE("every exchange ends with exactly one last message") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  client.initialize("2025-03-26", json::object(), 1);
  const std::string frames[] = {
      observe_errors(1),
      client_probe::legacy(2, "no/such"),
      R"({"jsonrpc":"2.0","method":"notifications/initialized"})",
      R"({"jsonrpc":"2.0","id":9,"result":{}})",
      R"({"jsonrpc":"1.0","id":4,"method":"ping"})",
      "{",
      "[" + observe_errors(5) + "," + client_probe::legacy(6, "ping") + "]",
      R"([{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":9,"result":{}}])",
      "[1]",
      client_probe::modern(7, "server/discover"),
  };
  exchange_id exchange = 10;
  for (const auto& frame : frames) {
    CAPTURE(frame);
    client.take();
    client.send(frame, ++exchange);
    const auto messages = client.take();
    CHECK(lasts(messages, exchange) == 1);
    CHECK(messages.back().last);
  }
}

TEST_CASE("a batch answers as one array, cancelled members left out") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  client.initialize("2025-03-26", json::object(), 1);
  const auto wait = [](int id) {
    return client_probe::legacy(
        id, "tools/call",
        {{"name", "observe"}, {"arguments", {{"what", "alerts"}, {"wait_seconds", 5}}}});
  };
  client.send("[" + wait(1) + "," + wait(2) + "," + client_probe::legacy(3, "ping") + "]", 2);
  CHECK(client.take().empty());
  client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
              3);
  engine.vs.advance(std::chrono::seconds{5});
  const auto messages = client.take();
  REQUIRE(messages.size() == 2); // the end of the notification's exchange, and the batch
  CHECK(messages.back().is_response);
  const auto array = json::parse(*messages.back().text);
  REQUIRE(array.size() == 2);
  CHECK(array[0].at("id") == 3);
  CHECK(array[1].at("id") == 2);
}

TEST_CASE("closing an exchange cancels what was asked there, and only there") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  const json wait{{"name", "observe"}, {"arguments", {{"what", "alerts"}, {"wait_seconds", 50}}}};
  client.send(client_probe::modern(1, "tools/call", wait), 5);
  client.send(client_probe::modern(1, "tools/call", wait), 6);
  CHECK(client.take().empty());
  client.close_exchange(5);
  auto messages = client.take();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].exchange == 5);
  CHECK(messages[0].last);
  CHECK(!messages[0].text);
  engine.post_error("boom");
  messages = client.take();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].exchange == 6);
  client.close_exchange(6);
  client.close_exchange(99);
  CHECK(client.take().empty());
}

TEST_CASE("a cancellation of one modern exchange leaves the same id of another alone") {
  virtual_engine engine;
  client_probe client{engine, client_origin{client_transport::http}};
  const json wait{{"name", "observe"}, {"arguments", {{"what", "alerts"}, {"wait_seconds", 3}}}};
  client.send(client_probe::modern("x", "tools/call", wait), 5);
  client.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}})",
              6);
  client.take();
  engine.vs.advance(std::chrono::seconds{3});
  CHECK(client.take_json().size() == 1);
}

TEST_CASE("unknown tools, malformed calls and bad arguments are told apart in both eras") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  const auto both = [&](const json& params) {
    const auto legacy = client.only(client_probe::legacy(1, "tools/call", params));
    auto modern = client.only(client_probe::modern(1, "tools/call", params));
    CHECK(legacy.contains("error") == modern.contains("error"));
    if (modern.contains("error"))
      CHECK(legacy.at("error").at("code") == modern.at("error").at("code"));
    return modern;
  };
  CHECK(both({{"name", "no_such"}}).at("error").at("code") == -32602);
  CHECK(both(json::object()).at("error").at("code") == -32602);
  CHECK(both({{"name", 7}}).at("error").at("code") == -32602);
  CHECK(both({{"name", "observe"}, {"arguments", json::array()}}).at("error").at("code") == -32602);
  CHECK(both({{"name", "observe"}, {"arguments", {{"what", "nothing"}}}})
            .at("result")
            .at("isError") == true);
}

TEST_CASE("a missing resource is -32002 to legacy clients and -32602 to modern ones") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  const json params{{"uri", "gasoline://nothing"}};
  const auto old = client.only(client_probe::legacy(1, "resources/read", params)).at("error");
  CHECK(old.at("code") == -32002);
  CHECK(old.at("data").at("uri") == "gasoline://nothing");
  const auto now = client.only(client_probe::modern(1, "resources/read", params)).at("error");
  CHECK(now.at("code") == -32602);
  CHECK(now.at("data").at("uri") == "gasoline://nothing");
}

TEST_CASE("modern clients that enable streaming are told to wait instead, and are not pushed to") {
  virtual_engine engine;
  client_probe client{engine};
  const auto answer = client.only(client_probe::modern(
      1, "tools/call",
      {{"name", "configure"},
       {"arguments", {{"action", "streaming"}, {"streaming_action", "enable"}}}}));
  const auto content =
      json::parse(answer.at("result").at("content").at(0).at("text").get<std::string>());
  CHECK(content.at("status") == "enabled");
  CHECK(content.at("delivery") ==
        json{{"push", false}, {"use", "observe what=alerts wait_seconds"}});
  engine.post_error("boom");
  engine.vs.advance(std::chrono::seconds{60});
  CHECK(client.take().empty());
}

TEST_CASE("initialize resets streaming to its defaults") {
  virtual_engine engine;
  engine_client client{engine, "2025-11-25"};
  client.call("configure", {{"action", "streaming"},
                            {"streaming_action", "enable"},
                            {"events", {"ci"}},
                            {"throttle_seconds", 60}});
  client.request("initialize", {{"protocolVersion", "2025-11-25"}});
  const auto status = json::parse(
      client.call_text("configure", {{"action", "streaming"}, {"streaming_action", "status"}}));
  CHECK(status.at("config").at("enabled") == false);
  CHECK(status.at("config").at("events") == json{"all"});
  CHECK(status.at("config").at("throttle_seconds") == 5);
}

TEST_CASE("health names a client by its header, else by what it calls itself") {
  virtual_engine engine;
  client_probe named{engine, client_origin{client_transport::http, "from-the-header"}};
  client_probe modern{engine};
  modern.send(client_probe::modern(
      1, "tools/list", json::object(),
      {{"io.modelcontextprotocol/clientInfo", {{"name", "self-named"}, {"version", "1"}}}}));
  const auto clients = (*engine.vs.ask<health_part>(engine.handle, health_atom_v))->at("clients");
  REQUIRE(clients.size() == 2);
  CHECK(clients[0].at("name") == "from-the-header");
  CHECK(clients[1].at("name") == "self-named");
  CHECK(clients[1].at("revision") == "2026-07-28");
}

TEST_CASE("a thousand ids, cancelled and not, leave nothing under way") {
  virtual_engine engine;
  client_probe client{engine};
  client.initialize();
  for (int i = 0; i < 1000; ++i) {
    client.send(client_probe::legacy(i, "prompts/list"));
    client.send(json{
        {"jsonrpc", "2.0"}, {"method", "notifications/cancelled"}, {"params", {{"requestId", i}}}}
                    .dump());
  }
  CHECK(client.take_json().size() == 1000);
  const auto health = *engine.vs.ask<health_part>(engine.handle, health_atom_v);
  CHECK(health->at("clients")[0].at("under_way") == 0);
}
