#include "config/limits.hpp"
#include "transport/attach/attach_memory.hpp"
#include "transport/json_rpc.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
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

  /// Sends a request that the engine accepts.
  void agree(const std::string& text) {
    memory.sent(frame(text));
    const json answer{
        {"jsonrpc", "2.0"}, {"id", json::parse(text)["id"]}, {"result", json::object()}};
    CHECK(memory.received(frame(answer.dump())));
  }

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
    client.agree(R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
                 R"(","params":)" + params + "}");
  };
  call(2, "logging/setLevel", R"({"level":"info"})");
  call(3, "logging/setLevel", R"({"level":"error"})");
  call(4, "resources/subscribe", R"({"uri":"gasoline://alerts"})");
  call(5, "resources/subscribe", R"({"uri":"gasoline://ci"})");
  call(6, "resources/unsubscribe", R"({"uri":"gasoline://ci"})");
  client.agree(configure(7, R"({"action":"streaming","streaming_action":"enable"})"));
  client.agree(
      configure(8, R"({"what":"streaming","streaming_action":"enable","throttle_seconds":9})"));
  client.agree(configure(9, R"({"action":"streaming","streaming_action":"status"})"));
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
  client.agree(configure(2, R"({"action":"streaming","streaming_action":"enable"})"));
  client.agree(configure(3, R"({"action":"streaming","streaming_action":"disable"})"));
  CHECK(client.replayed_methods() == plain);
  client.agree(R"({"jsonrpc":"2.0","id":4,"method":"tools/call","params":)"
               R"({"name":"configure_streaming","arguments":{"action":"enable"}}})");
  CHECK(client.replayed_methods().size() == 3);
  client.memory.sent(frame(
      R"({"jsonrpc":"2.0","id":5,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})"));
  CHECK(client.memory.received(frame(R"({"jsonrpc":"2.0","id":5,"result":{}})")));
  CHECK(client.replayed_methods() == std::vector<std::string>{"initialize"});
}

TEST_CASE("what was refused, or is not answered, was never in force") {
  settled_client client;
  auto& memory = client.memory;
  client.agree(configure(2, R"({"action":"streaming","streaming_action":"enable"})"));
  memory.sent(frame(configure(3, R"({"action":"streaming","streaming_action":"disable"})")));
  CHECK(memory.received(frame(R"({"jsonrpc":"2.0","id":3,"result":{"isError":true}})")));
  memory.sent(
      frame(R"({"jsonrpc":"2.0","id":4,"method":"logging/setLevel","params":{"level":"loud"}})"));
  CHECK(
      memory.received(frame(R"({"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no"}})")));
  memory.sent(frame(configure(5, R"({"action":"streaming","streaming_action":"disable"})")));
  CHECK(memory.lose_engine().size() == 1);
  CHECK(client.replayed_methods() ==
        std::vector<std::string>{"initialize", "notifications/initialized", "tools/call"});
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

// Any order of things

namespace {

rpc_frame frame_of(const json& message) {
  return frame(message.dump());
}

/// What an engine does with the settings of one client: the reference for what has to be in force.
struct engine_settings {
  std::optional<json> handshake;
  std::optional<json> level;
  std::map<std::string, json> subscriptions;
  std::optional<json> streaming;
  bool initialized = false;

  bool operator==(const engine_settings&) const = default;

  void accept(const json& call) {
    const auto method = call.at("method").get<std::string>();
    const auto params = call.value("params", json());
    if (method == "initialize") {
      *this = engine_settings{};
      handshake = params;
    } else if (method == "notifications/initialized")
      initialized = true;
    else if (method == "logging/setLevel")
      level = params;
    else if (method == "resources/subscribe")
      subscriptions[params.at("uri")] = params;
    else if (method == "resources/unsubscribe")
      subscriptions.erase(params.at("uri"));
    else if (params.contains("arguments") && params["arguments"].at("streaming_action") == "enable")
      streaming = params;
    else if (params.contains("arguments"))
      streaming.reset();
  }
};

enum class fate { unanswered, accepted, refused };

/// A request as the client and its engine see it.
struct sent_request {
  json call;
  fate outcome = fate::unanswered;
  bool withdrawn = false;

  bool opens() const { return call.at("method") == "initialize"; }
};

/// A client, its engines one after another, and the memory of the pump between them.
class pumped_world {
 public:
  /// One step, chosen by a number.
  void step(int choice) {
    const int roll = choice % 100;
    const int which = choice / 100;
    if (roll < 40)
      send(which);
    else if (roll < 64)
      answer(which, fate::accepted);
    else if (roll < 74)
      answer(which, fate::refused);
    else if (roll < 80)
      cancel(which);
    else if (roll < 85)
      finish_handshake();
    else if (roll < 90)
      ask_client(which);
    else if (roll < 96)
      take_back(which);
    else
      replace_engine();
  }

  void replace_engine() {
    const auto told = memory_.lose_engine();
    check_told(told);
    asked_.clear();
    std::vector<sent_request> left;
    for (const auto& request : requests_)
      if (request.outcome != fate::unanswered || is_asked_again(request))
        left.push_back(request);
    requests_ = std::move(left);
    check_handshake(memory_.handshake());
  }

 private:
  json call_of(int which) {
    const json id = ++last_id_;
    const auto uri = "gasoline://" + std::to_string(which / 8 % 3);
    const auto make = [&](const char* method, json params) {
      return json{
          {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
    };
    const auto streaming = [&](const char* action) {
      return make("tools/call", {{"name", "configure"},
                                 {"arguments",
                                  {{"action", "streaming"},
                                   {"streaming_action", action},
                                   {"throttle_seconds", last_id_}}}});
    };
    switch (which % 8) {
    case 0:
      return make("initialize", {{"protocolVersion", std::to_string(last_id_)}});
    case 1:
      return make("logging/setLevel", {{"level", std::to_string(last_id_)}});
    case 2:
    case 3:
      return make("resources/subscribe", {{"uri", uri}, {"n", last_id_}});
    case 4:
      return make("resources/unsubscribe", {{"uri", uri}});
    case 5:
      return streaming("enable");
    case 6:
      return streaming("disable");
    default:
      return make("tools/list", json::object());
    }
  }

  void send(int which) {
    requests_.push_back({call_of(which)});
    memory_.sent(frame_of(requests_.back().call));
  }

  /// A handshake is, unless the client has called it off or agreed on a later one.
  bool is_asked_again(const sent_request& request) const {
    const bool replaced = std::any_of(requests_.begin(), requests_.end(), [&](const auto& r) {
      return &r > &request && r.opens() && r.outcome == fate::accepted;
    });
    return request.opens() && !request.withdrawn && !replaced;
  }

  std::vector<std::size_t> unanswered() const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < requests_.size(); ++i)
      if (requests_[i].outcome == fate::unanswered)
        out.push_back(i);
    return out;
  }

  sent_request* any_unanswered(int which) {
    const auto open = unanswered();
    return open.empty() ? nullptr : &requests_[open[static_cast<std::size_t>(which) % open.size()]];
  }

  void answer(int which, fate outcome) {
    auto* request = any_unanswered(which);
    if (request == nullptr)
      return;
    json reply{{"jsonrpc", "2.0"}, {"id", request->call.at("id")}};
    if (outcome == fate::accepted)
      reply["result"] = json::object();
    else if (request->call.at("method") == "tools/call")
      reply["result"] = {{"isError", true}};
    else
      reply["error"] = {{"code", -32602}, {"message", "no"}};
    RC_ASSERT(memory_.received(frame_of(reply)));
    request->outcome = outcome;
  }

  void cancel(int which) {
    auto* request = any_unanswered(which);
    if (request == nullptr)
      return;
    memory_.sent(frame_of({{"jsonrpc", "2.0"},
                           {"method", "notifications/cancelled"},
                           {"params", {{"requestId", request->call.at("id")}}}}));
    request->withdrawn = true;
  }

  /// Only ever said of the handshake that was asked for last and is answered.
  void finish_handshake() {
    const auto last = std::find_if(requests_.rbegin(), requests_.rend(),
                                   [](const sent_request& r) { return r.opens(); });
    if (last == requests_.rend() || last->outcome != fate::accepted)
      return;
    sent_request notification{{{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}}};
    memory_.sent(frame_of(notification.call));
    notification.outcome = fate::accepted;
    requests_.push_back(std::move(notification));
  }

  void ask_client(int which) {
    const json id = which % 5;
    const json ask{{"jsonrpc", "2.0"}, {"id", id}, {"method", "sampling/createMessage"}};
    const json reply{{"jsonrpc", "2.0"}, {"id", id}, {"result", json::object()}};
    if (asked_.insert(id).second) {
      RC_ASSERT(memory_.received(frame_of(ask)));
      RC_ASSERT(!memory_.is_stale(frame_of(reply)));
      return;
    }
    memory_.sent(frame_of(reply));
    asked_.erase(id);
    RC_ASSERT(memory_.is_stale(frame_of(reply)));
  }

  /// The line does not reach the engine, and is sent once more.
  void take_back(int which) {
    send(which);
    const auto frame = frame_of(requests_.back().call);
    RC_ASSERT(memory_.take_back(frame));
    memory_.sent(frame);
  }

  /// Each request under way gets its one error, but for a handshake, which is asked again.
  void check_told(const std::vector<std::string>& lines) {
    std::multiset<json> errors;
    std::multiset<json> called_off;
    for (const auto& line : lines) {
      const auto message = json::parse(line);
      if (message.contains("method"))
        called_off.insert(message.at("params").at("requestId"));
      else
        errors.insert(message.at("id"));
    }
    std::multiset<json> expected;
    for (const auto& request : requests_)
      if (request.outcome == fate::unanswered && !request.withdrawn && !is_asked_again(request))
        expected.insert(request.call.at("id"));
    RC_ASSERT(errors == expected);
    RC_ASSERT(called_off == std::multiset<json>(asked_.begin(), asked_.end()));
  }

  void check_handshake(const std::vector<std::string>& lines) {
    engine_settings repeated; // by the lines that the client does not see
    engine_settings all;      // when what is asked again is accepted as well
    std::vector<json> opening;
    for (const auto& line : lines) {
      const auto call = json::parse(line);
      const auto id = call.value("id", json());
      all.accept(call);
      if (id.is_number()) {
        opening.push_back(id);
        continue;
      }
      repeated.accept(call);
      if (id.is_string())
        RC_ASSERT(!memory_.received(
            frame_of({{"jsonrpc", "2.0"}, {"id", id}, {"result", json::object()}})));
    }
    RC_ASSERT(repeated == in_force([](const sent_request&) { return false; }));
    RC_ASSERT(all == in_force([](const sent_request& r) { return r.opens(); }));
    std::vector<json> expected;
    for (const auto& request : requests_)
      if (request.outcome == fate::unanswered)
        expected.push_back(request.call.at("id"));
    RC_ASSERT(opening == expected);
  }

  /// Everything that was accepted or `counts`, in the order in which it was sent.
  template <class Counts>
  engine_settings in_force(Counts counts) const {
    engine_settings out;
    for (const auto& request : requests_)
      if (request.outcome == fate::accepted ||
          (request.outcome == fate::unanswered && counts(request)))
        out.accept(request.call);
    return out;
  }

  attach_memory memory_;
  std::vector<sent_request> requests_;
  std::set<json> asked_;
  int last_id_ = 0;
};

} // namespace

TEST_CASE("the table of a request has one row for each phase and event") {
  for (const auto from : {request_phase::asked, request_phase::opening, request_phase::withdrawn})
    for (const auto on :
         {request_event::accepted, request_event::refused, request_event::cancelled,
          request_event::superseded, request_event::taken_back, request_event::engine_lost})
      CHECK(std::count_if(
                request_transitions.begin(), request_transitions.end(),
                [&](const request_transition& t) { return t.from == from && t.on == on; }) == 1);
  for (const auto& row : request_transitions)
    CHECK((row.effect == request_effect::agree) == (row.on == request_event::accepted));
}

TEST_CASE("whatever is said, answered, cancelled and lost: the next engine hears what was agreed") {
  const bool holds = rc::check([] {
    pumped_world world;
    const auto steps =
        *rc::gen::resize(120, rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 10'000)));
    for (const int choice : steps)
      world.step(choice);
    world.replace_engine();
  });
  CHECK(holds);
}
