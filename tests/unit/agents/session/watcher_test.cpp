#include "tests/unit/support/session_probe.hpp"

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

using names = std::vector<std::string>;

/// The text that the deltas of a message add up to.
std::string delta_text(const std::vector<json>& events, const std::string& message_id) {
  std::string out;
  for (const auto& e : events)
    if (e["type"] == "text.delta" && e["payload"]["message_id"] == message_id)
      out += e["payload"]["text"];
  return out;
}

std::vector<std::string> ids_of(const std::vector<json>& events) {
  std::vector<std::string> out;
  for (const auto& e : events)
    out.push_back(e["id"]);
  return out;
}

} // namespace

TEST_CASE("required 1: a turn streams in canonical order and adds up") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.text("I'll ");
  p.text("look.");
  p.tool_use(1, "tu_1", "read_file", R"({"path":"a"})");
  p.finish("tool_use");
  REQUIRE(p.world->runs.size() == 1);
  p.end_tool(*p.world->runs[0], "content");
  p.answer("Done.");
  CHECK(client->types() == names{"turn.started", "route.decided", "llm.call_started",
                                 "message.start", "text.delta", "text.delta", "tool.use_start",
                                 "tool.use_input_delta", "tool.use_end", "message.complete",
                                 "llm.call_completed", "tool.called", "tool.completed",
                                 "llm.call_started", "message.start", "text.delta",
                                 "message.complete", "llm.call_completed", "turn.completed"});
  const auto events = client->events();
  for (const auto& e : events) {
    CHECK(e["turn_id"] == turn);
    CHECK(e["session_id"] == session);
    CHECK_FALSE(
        payload_fault(*parse_name<session_event_type>(e["type"].get<std::string>()), e["payload"]));
  }
  for (std::size_t i = 1; i < events.size(); ++i)
    CHECK(events[i - 1]["id"].get<std::string>() < events[i]["id"].get<std::string>());
  const auto complete = first_of(client, "message.complete")["payload"];
  CHECK(complete["stop_reason"] == "tool_use");
  CHECK(complete["final_content"][0]["text"] == delta_text(events, complete["message_id"]));
  CHECK(complete["final_content"][1]["input"] == json{{"path", "a"}});
}

TEST_CASE("required 2: a snapshot reflects everything up to its cursor") {
  session_probe p;
  const auto session = p.create();
  p.submit(session, "first");
  p.answer("one");
  const auto client = p.connect(session);
  p.subscribe(client, "preset:chat", nullptr, true);
  const auto snapshot = client->frames("snapshot").at(0);
  CHECK(client->frames()[0]["type"] == "subscribe_ack");
  CHECK(snapshot["session"]["turn_count"] == 1);
  CHECK(snapshot["session"]["current_turn_id"] == nullptr);
  REQUIRE(snapshot["messages"].size() == 2);
  CHECK(snapshot["messages"][0]["role"] == "user");
  CHECK(snapshot["messages"][1]["content"][0]["text"] == "one");
  p.submit(session, "second");
  p.answer("two");
  REQUIRE_FALSE(client->events().empty());
  for (const auto& e : client->events())
    CHECK(e["id"].get<std::string>() > snapshot["snapshot_at_event_id"].get<std::string>());
}

TEST_CASE("required 3: a reconnect replays the gap, once") {
  session_probe p;
  const auto session = p.create();
  const auto whole = p.watch(session);
  const auto first = p.watch(session);
  p.submit(session, "a");
  p.answer("one");
  const auto cursor = first->last_id();
  p.disconnect(first);
  p.submit(session, "b");
  p.answer("two");
  const auto again = p.connect(session);
  p.subscribe(again, "preset:full", cursor);
  p.submit(session, "c");
  p.answer("three");
  // What a client that stayed has got, without the deltas of a message that is finished.
  std::vector<json> expected;
  for (const auto& e : whole->events())
    if (e["id"].get<std::string>() > cursor)
      expected.push_back(e);
  auto got = again->events();
  const auto ack = again->frames("subscribe_ack").at(0);
  CHECK(ack["since"] == cursor);
  std::set<std::string> ids;
  for (const auto& e : got)
    CHECK(ids.insert(e["id"]).second);
  std::size_t missing = 0;
  for (const auto& e : expected) {
    if (ids.count(e["id"]) > 0)
      continue;
    ++missing;
    CHECK(e["type"] == "text.delta");
  }
  CHECK(missing == 1);
  // turn.started, route, call started, message.start and .complete, call completed, turn completed;
  // and that the first client has left.
  CHECK(ack["replay_event_count"] == 8);
  for (const auto& e : expected)
    for (const auto& g : got)
      if (e["id"] == g["id"])
        CHECK(e == g);
}

TEST_CASE("required 4 and 5: replays that are too large, cursors that are expired") {
  limits limit;
  limit.session.replay_events = 20;
  limit.session.events_kept = 60;
  session_probe p{limit};
  const auto session = p.create();
  const auto first = p.watch(session);
  p.submit(session);
  p.answer("x");
  const auto early = first->events().front()["id"].get<std::string>();
  for (int i = 0; i < 8; ++i) {
    p.submit(session);
    p.answer("x");
  }
  const auto client = p.connect(session);
  p.subscribe(client, "preset:full", early);
  CHECK(client->frames("subscribe_error").at(0)["code"] == "replay_too_large");
  // The same connection goes on with a snapshot.
  p.subscribe(client, "preset:full", nullptr, true);
  CHECK(client->frames("snapshot").size() == 1);
  for (int i = 0; i < 20; ++i) {
    p.submit(session);
    p.answer("x");
  }
  const auto late = p.connect(session);
  p.subscribe(late, "preset:full", early);
  CHECK(late->frames("subscribe_error").at(0)["code"] == "cursor_expired");
  p.subscribe(late, "preset:full", "evt_7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  CHECK(late->frames("subscribe_error").at(1)["code"] == "cursor_expired");
  p.subscribe(late, "preset:full", "nonsense");
  CHECK(late->frames("subscribe_error").at(2)["code"] == "cursor_expired");
  p.subscribe(late, "preset:full", "evt_00000000000000000000000000");
  CHECK(late->frames("subscribe_error").at(3)["code"] == "cursor_expired");
}

TEST_CASE("events older than the age limit are gone, and their cursors with them") {
  limits limit;
  limit.session.event_age_ms = 3'600'000;
  session_probe p{limit};
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.answer("x");
  const auto cursor = client->last_id();
  p.vs->advance(std::chrono::minutes{30});
  const auto soon = p.connect(session);
  p.subscribe(soon, "preset:full", cursor);
  CHECK(soon->frames("subscribe_ack").size() == 1);
  p.vs->advance(std::chrono::minutes{40});
  const auto late = p.connect(session);
  p.subscribe(late, "preset:full", cursor);
  CHECK(late->frames("subscribe_error").at(0)["code"] == "cursor_expired");
}

TEST_CASE("required 6: two clients get identical streams") {
  session_probe p;
  const auto session = p.create();
  const auto a = p.watch(session, "preset:chat");
  const auto b = p.watch(session, "preset:chat");
  p.submit(session);
  p.answer("same");
  CHECK(a->frames("event") == b->frames("event"));
  CHECK(a->events().size() == 8);
}

TEST_CASE("required 12: workers are hidden unless asked for") {
  session_probe p;
  const auto session = p.create();
  const auto hidden = p.watch(session, "preset:chat");
  const auto shown =
      p.watch(session, {{"event_types", nullptr}, {"include_worker_sessions", true}});
  p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "delegate", R"({"task":"count"})");
  p.finish("tool_use");
  REQUIRE(p.world->calls.size() == 2);
  p.answer("three"); // the worker
  REQUIRE(p.world->calls.size() == 3);
  p.answer("It is three.");
  const agent_session_id worker{
      first_of(hidden, "delegate.started")["payload"]["worker_session_id"]};
  for (const auto& e : hidden->events())
    CHECK(e["session_id"] == session);
  CHECK(hidden->types() ==
        names{"turn.started", "route.decided", "llm.call_started", "message.start",
              "tool.use_start", "tool.use_input_delta", "tool.use_end", "message.complete",
              "llm.call_completed", "tool.called", "delegate.started", "delegate.completed",
              "tool.completed", "llm.call_started", "message.start", "text.delta",
              "message.complete", "llm.call_completed", "turn.completed"});
  names of_worker;
  for (const auto& e : shown->events()) {
    if (e["session_id"] != worker)
      continue;
    of_worker.push_back(e["type"]);
    CHECK(e["parent_session_id"] == session);
  }
  CHECK(of_worker == names{"turn.started", "route.decided", "llm.call_started", "message.start",
                           "text.delta", "message.complete", "llm.call_completed",
                           "turn.completed"});
  const auto ids = ids_of(shown->events());
  CHECK(std::is_sorted(ids.begin(), ids.end()));
  // The worker is a session like any other, and its events replay in the parent's stream too.
  const auto direct = p.connect(worker);
  p.subscribe(direct, "preset:chat", nullptr, true);
  CHECK(direct->frames("snapshot").at(0)["messages"].size() == 2);
  const auto replayed = p.connect(session);
  p.subscribe(replayed, {{"event_types", nullptr}, {"include_worker_sessions", true}}, ids.front());
  std::size_t worker_events = 0;
  for (const auto& e : replayed->events())
    worker_events += e["session_id"] == worker ? 1 : 0;
  CHECK(worker_events == 7); // without the delta
}

TEST_CASE("required 13: an unknown event type is refused with its name") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.connect(session);
  p.subscribe(client, {{"event_types", {"text.delta", "made.up.thing"}}});
  const auto error = client->frames("subscribe_error").at(0);
  CHECK(error["code"] == "invalid_filter");
  CHECK(error["message"].get<std::string>().find("made.up.thing") != std::string::npos);
  p.subscribe(client, {{"event_types", {"text.delta", "route.decided"}}});
  const auto ack = client->frames("subscribe_ack").at(0);
  CHECK(ack["resolved_filter"]["event_types"] == json{"route.decided", "text.delta"});
  CHECK(ack["resolved_filter"]["include_worker_sessions"] == false);
  p.submit(session);
  p.answer("x");
  CHECK(client->types() == names{"route.decided", "text.delta"});
}

TEST_CASE("required 14: events outside the catalog reach clients and are not stored") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session, "preset:full");
  p.submit(session);
  provider_chunk c;
  c.kind = chunk_kind::foreign;
  c.tool_name = "future.thing";
  c.json = {{"a", 1}};
  p.chunk(c);
  p.answer("x");
  const auto foreign = first_of(client, "future.thing");
  CHECK(foreign["payload"] == json{{"a", 1}});
  const auto again = p.connect(session);
  p.subscribe(again, "preset:full", client->events().front()["id"]);
  for (const auto& e : again->events())
    CHECK(e["type"] != "future.thing");
}

TEST_CASE("required 15: an idle client is pinged, and closed after three unanswered pings") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto dead = p.watch(session);
  p.vs->advance(std::chrono::seconds{29});
  CHECK(client->frames("ping").empty());
  for (int i = 1; i <= 4; ++i) {
    p.vs->advance(std::chrono::seconds{30});
    if (i <= 3)
      CHECK(dead->frames("ping").size() == static_cast<std::size_t>(i));
    for (const auto& ping : client->frames("ping"))
      p.say(client, {{"type", "pong"}, {"nonce", ping["nonce"]}});
  }
  CHECK(dead->closed_code == 1001);
  CHECK(dead->close_reason.find("heartbeat_timeout") != std::string::npos);
  CHECK_FALSE(client->closed_code);
  p.say(client, {{"type", "ping"}, {"nonce", "n7"}});
  CHECK(client->frames("pong").at(0)["nonce"] == "n7");
  CHECK(first_of(client, "bus.subscriber_unregistered")["payload"]["reason"] ==
        "heartbeat_timeout");
}

TEST_CASE("required 16: events during the snapshot come exactly once, after it") {
  session_probe p;
  const auto session = p.create();
  p.submit(session, "first");
  p.answer("one");
  p.submit(session, "second");
  p.begin_answer();
  p.text("par");
  const auto client = p.connect(session);
  // The subscription and what the model says next are handled in one go, in any order.
  caf::anon_send(client->client, receive_atom_v,
                 json{{"type", "subscribe"}, {"filter", "preset:chat"}, {"snapshot", true}}.dump());
  provider_chunk c;
  c.kind = chunk_kind::text;
  c.text = "tial";
  for (int i = 0; i < 5; ++i)
    caf::anon_send(p.call().turn, chunk_atom_v,
                   std::make_shared<const std::vector<provider_chunk>>(1, c));
  p.vs->settle();
  p.finish();
  const auto snapshot = client->frames("snapshot").at(0);
  CHECK(snapshot["messages"].size() == 3);
  CHECK(snapshot["session"]["current_turn_status"] == "in_flight");
  const auto complete = first_of(client, "message.complete")["payload"];
  CHECK(complete["final_content"][0]["text"] == "partialtialtialtialtial");
  CHECK(delta_text(client->events(), complete["message_id"]) == "partialtialtialtialtial");
  const auto ids = ids_of(client->events());
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
  CHECK(std::is_sorted(ids.begin(), ids.end()));
}

TEST_CASE("a reconnect in the middle of a message gets the rest of its deltas") {
  session_probe p;
  const auto session = p.create();
  const auto first = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.text("one ");
  const auto cursor = first->last_id();
  p.disconnect(first);
  p.text("two ");
  const auto again = p.connect(session);
  p.subscribe(again, "preset:chat", cursor);
  CHECK(again->frames("subscribe_ack").at(0)["replay_event_count"] == 1);
  p.text("three");
  p.finish();
  const auto complete = first_of(again, "message.complete")["payload"];
  CHECK(delta_text(first->events(), complete["message_id"]) +
            delta_text(again->events(), complete["message_id"]) ==
        "one two three");
}

TEST_CASE("a reconnect after the message was finished gets its final content") {
  session_probe p;
  const auto session = p.create();
  const auto first = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.text("one ");
  const auto cursor = first->last_id();
  p.disconnect(first);
  p.text("two");
  p.finish();
  const auto again = p.connect(session);
  p.subscribe(again, "preset:chat", cursor);
  CHECK(again->types() == names{"message.complete", "llm.call_completed", "turn.completed"});
  CHECK(again->events()[0]["payload"]["final_content"][0]["text"] == "one two");
}
