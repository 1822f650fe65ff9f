#include "config/limits.hpp"
#include "transport/attach/attach_memory.hpp"
#include "transport/json_rpc.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace gasoline;

namespace {

using nlohmann::json;

rpc_frame frame(const std::string& text) {
  return decode_rpc(text, limits{});
}

std::vector<json> parsed(const std::vector<std::string>& lines) {
  std::vector<json> out;
  for (const auto& line : lines)
    out.push_back(json::parse(line));
  return out;
}

constexpr const char* initialize_line =
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})";
constexpr const char* initialized_line =
    R"({"jsonrpc":"2.0","method":"notifications/initialized"})";

std::string configure(int id, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":"configure","arguments":)" + arguments + "}}";
}

/// A client whose handshake is over.
struct settled_client {
  attach_memory memory;

  settled_client() {
    memory.sent(frame(initialize_line));
    CHECK(memory.received(frame(R"({"jsonrpc":"2.0","id":1,"result":{}})")));
    memory.sent(frame(initialized_line));
  }

  std::vector<std::string> replayed_methods() {
    std::vector<std::string> out;
    for (const auto& message : parsed(memory.handshake()))
      out.push_back(message["method"]);
    return out;
  }
};

} // namespace

TEST_CASE("a client that said nothing has nothing to repeat") {
  attach_memory memory;
  CHECK(memory.handshake().empty());
  CHECK(memory.lose_engine().empty());
}

TEST_CASE("the handshake is repeated with ids of its own, whose answers are swallowed") {
  settled_client client;
  const auto lines = parsed(client.memory.handshake());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["method"] == "initialize");
  CHECK(lines[0]["params"]["protocolVersion"] == "2025-06-18");
  CHECK(lines[0]["id"] != 1);
  CHECK(lines[1] == json::parse(initialized_line));
  const json answer{{"jsonrpc", "2.0"}, {"id", lines[0]["id"]}, {"result", json::object()}};
  CHECK_FALSE(client.memory.received(frame(answer.dump())));
  CHECK(client.memory.received(frame(answer.dump())));
}

TEST_CASE("level, subscriptions and streaming are repeated as they were last") {
  settled_client client;
  auto& memory = client.memory;
  const auto call = [&](int id, const std::string& method, const std::string& params) {
    memory.sent(frame(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
                      R"(","params":)" + params + "}"));
  };
  call(2, "logging/setLevel", R"({"level":"info"})");
  call(3, "logging/setLevel", R"({"level":"error"})");
  call(4, "resources/subscribe", R"({"uri":"gasoline://alerts"})");
  call(5, "resources/subscribe", R"({"uri":"gasoline://ci"})");
  call(6, "resources/unsubscribe", R"({"uri":"gasoline://ci"})");
  memory.sent(frame(configure(7, R"({"action":"streaming","streaming_action":"enable"})")));
  memory.sent(frame(
      configure(8, R"({"what":"streaming","streaming_action":"enable","throttle_seconds":9})")));
  memory.sent(frame(configure(9, R"({"action":"streaming","streaming_action":"status"})")));
  memory.lose_engine();
  const auto lines = parsed(memory.handshake());
  REQUIRE(lines.size() == 5);
  CHECK(lines[2]["params"]["level"] == "error");
  CHECK(lines[3]["method"] == "resources/subscribe");
  CHECK(lines[3]["params"]["uri"] == "gasoline://alerts");
  CHECK(lines[4]["params"]["arguments"]["throttle_seconds"] == 9);
}

TEST_CASE("streaming that was turned off, or reset by a new handshake, stays off") {
  const std::vector<std::string> plain{"initialize", "notifications/initialized"};
  settled_client client;
  client.memory.sent(frame(configure(2, R"({"action":"streaming","streaming_action":"enable"})")));
  client.memory.sent(frame(configure(3, R"({"action":"streaming","streaming_action":"disable"})")));
  CHECK(client.replayed_methods() == plain);
  client.memory.sent(frame(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
                           R"({"name":"configure_streaming","arguments":{"action":"enable"}}})"));
  CHECK(client.replayed_methods().size() == 3);
  client.memory.sent(frame(
      R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"));
  CHECK(client.memory.received(frame(R"({"jsonrpc":"2.0","id":5,"result":{}})")));
  CHECK(client.replayed_methods() == std::vector<std::string>{"initialize"});
}

TEST_CASE("requests under way are answered by an error, once, with the id as it was") {
  settled_client client;
  auto& memory = client.memory;
  memory.sent(frame(R"({"jsonrpc":"2.0","id":"7","method":"ping"})"));
  memory.sent(frame(R"({"jsonrpc":"2.0","id":7,"method":"ping"})"));
  memory.sent(frame(R"({"jsonrpc":"2.0","id":8,"method":"ping"})"));
  memory.sent(frame(R"({"jsonrpc":"2.0","id":9,"method":"ping"})"));
  memory.received(frame(R"({"jsonrpc":"2.0","id":8,"result":{}})"));
  memory.sent(
      frame(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})"));
  CHECK(memory.under_way() == 2);
  const auto lines = parsed(memory.lose_engine());
  REQUIRE(lines.size() == 2);
  CHECK(lines[0]["id"] == "7");
  CHECK(lines[1]["id"] == 7);
  for (const auto& line : lines) {
    CHECK(line["error"]["code"] == -32000);
    CHECK(line["error"]["message"] == "engine restarted, call again");
  }
  CHECK(memory.lose_engine().empty());
}

TEST_CASE("an unanswered initialize is asked again under its own id") {
  attach_memory memory;
  memory.sent(frame(initialize_line));
  memory.sent(frame(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})"));
  CHECK(memory.lose_engine().size() == 1);
  const auto lines = parsed(memory.handshake());
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["id"] == 1);
  CHECK(memory.received(frame(R"({"jsonrpc":"2.0","id":1,"result":{}})")));
  CHECK(memory.lose_engine().empty());
}

TEST_CASE("what a dead engine has asked is called off, and late answers go nowhere") {
  settled_client client;
  auto& memory = client.memory;
  CHECK(memory.received(frame(R"({"jsonrpc":"2.0","id":5,"method":"sampling/createMessage"})")));
  const auto reply = frame(R"({"jsonrpc":"2.0","id":5,"result":{}})");
  CHECK_FALSE(memory.is_stale(reply));
  const auto lines = parsed(memory.lose_engine());
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["method"] == "notifications/cancelled");
  CHECK(lines[0]["params"]["requestId"] == 5);
  CHECK(memory.is_stale(reply));
  CHECK_FALSE(memory.is_stale(frame(initialized_line)));
  CHECK_FALSE(memory.is_stale(frame("no JSON")));
}

TEST_CASE("batches count message by message") {
  settled_client client;
  client.memory.sent(frame(R"([{"jsonrpc":"2.0","id":2,"method":"ping"},)"
                           R"({"jsonrpc":"2.0","id":3,"method":"ping"}])"));
  CHECK(client.memory.under_way() == 2);
  client.memory.received(frame(R"([{"jsonrpc":"2.0","id":2,"result":{}},)"
                               R"({"jsonrpc":"2.0","id":3,"result":{}}])"));
  CHECK(client.memory.under_way() == 0);
}

TEST_CASE("a line that was not read is no request under way, and is handled as new later") {
  settled_client client;
  auto& memory = client.memory;
  const auto call = frame(R"({"jsonrpc":"2.0","id":2,"method":"tools/list"})");
  memory.sent(call);
  CHECK(memory.take_back(call));
  CHECK(memory.lose_engine().empty());
  memory.sent(call);
  memory.received(frame(R"({"jsonrpc":"2.0","id":2,"result":{}})"));
  CHECK_FALSE(memory.take_back(call));
  attach_memory opening;
  opening.sent(frame(initialize_line));
  CHECK(opening.take_back(frame(initialize_line)));
  CHECK(opening.lose_engine().empty());
  CHECK(opening.handshake().empty());
}
