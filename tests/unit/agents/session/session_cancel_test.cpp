#include "tests/unit/support/session_probe.hpp"

using namespace gasoline;
using namespace gasoline::test;
using nlohmann::json;

namespace {

using names = std::vector<std::string>;

/// The types after the last event of that type.
names after(const port_ptr& port, const std::string& type) {
  const auto types = port->types();
  const auto it = std::find(types.rbegin(), types.rend(), type).base();
  return {it, types.end()};
}

json last_payload(const port_ptr& port, const std::string& type) {
  const auto events = port->events();
  for (auto it = events.rbegin(); it != events.rend(); ++it)
    if ((*it)["type"] == type)
      return (*it)["payload"];
  FAIL("no event " << type);
  return {};
}

} // namespace

TEST_CASE("required 7: cancelled while the model is answering") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.text("I'll start by...");
  provider_chunk c;
  c.kind = chunk_kind::tool_use_start;
  c.block_index = 1;
  c.tool_use_id = "tu_1";
  c.tool_name = "shell";
  p.chunk(c);
  c.kind = chunk_kind::tool_use_input;
  c.text = "{\"com";
  p.chunk(c);
  p.cancel(client, turn);
  CHECK(after(client, "tool.use_input_delta") ==
        names{"tool.use_end", "message.complete", "llm.call_failed", "turn.cancelled"});
  const auto complete = last_payload(client, "message.complete");
  CHECK(complete["stop_reason"] == "cancelled");
  CHECK(complete["final_content"][0]["text"] == "I'll start by...");
  CHECK(last_payload(client, "tool.use_end")["final_input"] == json::object());
  CHECK(last_payload(client, "llm.call_failed")["error_class"] == "cancelled");
  CHECK(last_payload(client, "turn.cancelled")["reason"] == "user_cancel");
  CHECK(last_payload(client, "turn.cancelled")["partial_state"]["phase"] == "model");
  CHECK(p.call().cancelled);
  CHECK(count(client, "tool.failed") == 0);
  // What a provider still says goes nowhere, and the next turn starts afresh.
  p.text("late");
  CHECK(client->types().back() == "turn.cancelled");
  p.submit(session, "again");
  const auto& messages = p.call().call->messages;
  REQUIRE(messages.size() == 3);
  CHECK(messages[1]->content == json{{{"type", "text"}, {"text", "I'll start by..."}}});
  const auto listed = p.ask(messages_atom_v, session, agent_message_id{}, std::uint64_t{0});
  CHECK(listed.body["messages"][1]["status"] == "cancelled");
}

TEST_CASE("cancelled before the model has said anything") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.cancel(client, turn);
  CHECK(client->types() == names{"turn.started", "route.decided", "llm.call_started",
                                 "llm.call_failed", "turn.cancelled"});
}

TEST_CASE("required 8: cancelled while tools are running") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.tool_use(1, "tu_2", "shell", "{}");
  p.finish("tool_use");
  REQUIRE(p.world->runs.size() == 2);
  p.cancel(client, turn);
  CHECK(p.world->runs[0]->cancelled);
  CHECK(p.world->runs[1]->cancelled);
  CHECK(after(client, "tool.called") == names{"tool.failed", "tool.failed", "turn.cancelled"});
  CHECK(last_payload(client, "tool.failed")["error_class"] == "cancelled");
  CHECK(count(client, "message.complete") == 1);
  CHECK(count(client, "llm.call_failed") == 0);
}

TEST_CASE("a tool that has ended before the cancel stays completed") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.tool_use(1, "tu_2", "shell", "{}");
  p.finish("tool_use");
  p.end_tool(*p.world->runs[0], "fine");
  p.cancel(client, turn);
  CHECK(after(client, "tool.called") == names{"tool.completed", "tool.failed", "turn.cancelled"});
}

TEST_CASE("required 8b: cancelled at the seam, no tool is started") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.tool_use(1, "tu_2", "shell", "{}");
  // The end of the call and the cancel arrive together: the tools wait for the store by then.
  provider_chunk c;
  c.kind = chunk_kind::finished;
  c.stop_reason = "tool_use";
  const auto target = p.call().turn;
  caf::anon_send(target, chunk_atom_v, std::make_shared<const std::vector<provider_chunk>>(1, c));
  caf::anon_send(target, cancel_atom_v, std::string{"user_cancel"});
  p.vs->settle();
  CHECK(p.world->runs.empty());
  CHECK(after(client, "llm.call_completed") ==
        names{"tool.called", "tool.called", "tool.failed", "tool.failed", "turn.cancelled"});
  CHECK(last_payload(client, "turn.cancelled")["partial_state"]["phase"] == "seam");
  CHECK(client->events().back()["turn_id"] == turn);
}

TEST_CASE("cancelled in a follow-up call") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{}");
  p.finish("tool_use");
  p.end_tool(*p.world->runs[0], "fine");
  p.begin_answer();
  p.text("so ");
  p.cancel(client, turn);
  CHECK(after(client, "text.delta") ==
        names{"message.complete", "llm.call_failed", "turn.cancelled"});
}

TEST_CASE("required 9: cancelled during a delegation") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "delegate", R"({"task":"count"})");
  p.finish("tool_use");
  REQUIRE(p.world->calls.size() == 2);
  p.begin_answer();
  p.text("one ");
  const agent_session_id worker{last_payload(client, "delegate.started")["worker_session_id"]};
  const auto watcher = p.watch(worker);
  p.cancel(client, turn);
  CHECK(after(client, "delegate.started") ==
        names{"delegate.failed", "tool.failed", "turn.cancelled"});
  CHECK(last_payload(client, "delegate.failed")["failure_mode"] == "cancelled_by_user");
  CHECK(watcher->types() == names{"message.complete", "llm.call_failed", "turn.cancelled"});
  CHECK(p.world->calls[1]->cancelled);
}

TEST_CASE("required 10: a second cancel changes nothing") {
  limits limit;
  session_probe p{limit};
  const auto session = p.create();
  const auto a = p.watch(session);
  const auto b = p.watch(session);
  const auto turn = p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "delegate", R"({"task":"count"})");
  p.finish("tool_use");
  // Both cancels are there before the worker has ended.
  caf::anon_send(a->client, receive_atom_v, json{{"type", "cancel"}, {"turn_id", turn}}.dump());
  caf::anon_send(b->client, receive_atom_v, json{{"type", "cancel"}, {"turn_id", turn}}.dump());
  p.vs->settle();
  CHECK(count(a, "turn.cancelled") == 1);
  CHECK(count(a, "tool.failed") == 1);
  CHECK(count(a, "bus.handler_warning") == 1);
  p.cancel(a, turn);
  p.cancel(a, agent_turn_id{"turn_unknown"});
  CHECK(count(a, "turn.cancelled") == 1);
  CHECK(a->events() == b->events());
}

TEST_CASE("a turn that takes too long is cancelled by the server") {
  limits limit;
  limit.session.turn_ms = 60'000;
  session_probe p{limit};
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.text("still ");
  p.vs->advance(std::chrono::seconds{61});
  CHECK(after(client, "text.delta") ==
        names{"message.complete", "llm.call_failed", "turn.cancelled"});
  CHECK(last_payload(client, "turn.cancelled")["reason"] == "turn_timeout");
}

TEST_CASE("a rate-limited call is tried again when the provider says so") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  provider_chunk c;
  c.kind = chunk_kind::failed;
  c.failure.error_class = "rate_limited";
  c.failure.status = 429;
  c.failure.retry_after_ms = 2'000;
  c.failure.can_retry = true;
  p.chunk(c);
  CHECK(last_payload(client, "llm.call_failed")["will_retry"] == true);
  CHECK(p.world->calls.size() == 1);
  p.vs->advance(std::chrono::seconds{2});
  REQUIRE(p.world->calls.size() == 2);
  CHECK(p.call().call->call_index == 1);
  p.answer("now");
  CHECK(last_payload(client, "turn.completed")["status"] == "completed");
}

TEST_CASE("a stream that breaks off is a failed call, its text stays") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.text("half");
  provider_chunk c;
  c.kind = chunk_kind::failed;
  c.failure.error_class = "incomplete_stream";
  c.failure.can_retry = true;
  p.chunk(c);
  CHECK(after(client, "text.delta") ==
        names{"message.complete", "llm.call_failed", "turn.completed"});
  CHECK(last_payload(client, "message.complete")["final_content"][0]["text"] == "half");
  CHECK(last_payload(client, "turn.completed")["status"] == "failed");
}

TEST_CASE("a tool call whose input is no JSON object is told to the model") {
  session_probe p;
  const auto session = p.create();
  const auto client = p.watch(session);
  p.submit(session);
  p.begin_answer();
  p.tool_use(0, "tu_1", "shell", "{\"a\":");
  p.finish("tool_use");
  CHECK(p.world->runs.empty());
  CHECK(last_payload(client, "tool.failed")["error_class"] == "invalid_input");
  REQUIRE(p.world->calls.size() == 2);
  CHECK(p.call().call->messages.back()->content[0]["is_error"] == true);
}

TEST_CASE("a turn that has ended leaves no timer behind, however it ended") {
  session_probe probe;
  const auto session = probe.create();
  const auto port = probe.watch(session);
  const auto before = probe.vs->timers();
  probe.submit(session);
  probe.answer("done");
  CHECK(probe.vs->timers() == before);
  const auto turn = probe.submit(session);
  probe.begin_answer();
  probe.tool_use(0, "tu_1", "look", "{}");
  probe.finish("tool_use");
  CHECK(probe.vs->timers() > before);
  probe.cancel(port, turn);
  REQUIRE(count(port, "turn.cancelled") == 1);
  CHECK(probe.vs->timers() == before);
  probe.disconnect(port);
  CHECK(probe.vs->timers() < before); // the heartbeat's
}

TEST_CASE("nobody answering is a no, and the model goes on without the tool") {
  limits limit;
  limit.session.ping_ms = 3'600'000; // the watcher of this test answers no pings
  session_probe probe{limit};
  probe.world->asked_about = {"look"};
  const auto session = probe.create();
  const auto port = probe.watch(session);
  probe.submit(session);
  probe.begin_answer();
  probe.tool_use(0, "tu_1", "look", "{}");
  probe.finish("tool_use");
  CHECK(count(port, "permission.requested") == 1);
  CHECK(probe.world->runs.empty());
  probe.vs->advance(std::chrono::minutes{9});
  CHECK(count(port, "permission.resolved") == 0);
  probe.vs->advance(std::chrono::minutes{2});
  CHECK(first_of(port, "permission.resolved")["payload"]["by"] == "timeout");
  CHECK(first_of(port, "tool.failed")["payload"]["error_class"] == "denied");
  CHECK(probe.world->runs.empty());
  probe.answer("I do without it.");
  CHECK(first_of(port, "turn.completed")["payload"]["status"] == "completed");
}
